// SPDX-License-Identifier: Apache-2.0
// What most programs include; the image operations are in algorithms/algorithms.h.
#pragma once
#include <fused_kernel/algorithms/basic_ops/memory_operations.h>
#include <fused_kernel/algorithms/basic_ops/memory_sugar.h>
#include <fused_kernel/algorithms/basic_ops/set.h>
#include <fused_kernel/core/core.h>
#include <fused_kernel/core/data/ptr_utils.h>
#include <fused_kernel/core/execution_model/executors.h>
