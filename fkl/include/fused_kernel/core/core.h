// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <fused_kernel/core/constexpr_libs/constexpr_cmath.h>
#include <fused_kernel/core/constexpr_libs/constexpr_saturate.h>
#include <fused_kernel/core/constexpr_libs/constexpr_vector.h>
#include <fused_kernel/core/constexpr_libs/constexpr_vector_exec.h>
#include <fused_kernel/core/data/data.h>
#include <fused_kernel/core/execution_model/execution_model.h>
#include <fused_kernel/core/utils/type_to_string.h>
#include <fused_kernel/core/utils/utils.h>
