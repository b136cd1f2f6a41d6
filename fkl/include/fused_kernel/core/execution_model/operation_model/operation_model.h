// SPDX-License-Identifier: Apache-2.0
// All that an operation of one's own needs.
#pragma once
#include <fused_kernel/core/execution_model/operation_model/batch_utils.h>
#include <fused_kernel/core/execution_model/operation_model/channelwise.h>
#include <fused_kernel/core/execution_model/operation_model/declare.h>
#include <fused_kernel/core/execution_model/operation_model/fold.h>
