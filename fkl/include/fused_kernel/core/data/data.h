// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <fused_kernel/core/data/array.h>
#include <fused_kernel/core/data/nd.h>
#include <fused_kernel/core/data/point.h>
#include <fused_kernel/core/data/ptr_nd.h>
#include <fused_kernel/core/data/rawptr.h>
#include <fused_kernel/core/data/rect.h>
#include <fused_kernel/core/data/size.h>
#include <fused_kernel/core/data/string.h>
#include <fused_kernel/core/data/tuple.h>
#include <fused_kernel/core/data/vector_types.h>
