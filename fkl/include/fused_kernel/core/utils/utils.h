// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <fused_kernel/core/utils/parameter_pack_utils.h>
#include <fused_kernel/core/utils/template_operations.h>
#include <fused_kernel/core/utils/type_lists.h>
#include <fused_kernel/core/utils/vector_utils.h>
#include <fused_kernel/core/utils/vlimits.h>
