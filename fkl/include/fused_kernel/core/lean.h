// SPDX-License-Identifier: Apache-2.0
// All that generated code needs besides the operations it names; no std header, no allocation, no
// exception.
#pragma once
#include <fused_kernel/core/data/rect.h>
#include <fused_kernel/core/execution_model/data_parallel_patterns.h>
