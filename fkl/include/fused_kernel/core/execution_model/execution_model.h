// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <fused_kernel/core/execution_model/data_parallel_patterns.h>
#include <fused_kernel/core/execution_model/operation_model/operation_model.h>
#include <fused_kernel/core/execution_model/stream.h>
#include <fused_kernel/core/execution_model/thread_fusion.h>
