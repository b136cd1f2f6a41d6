// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <fused_kernel/algorithms/basic_ops/basic_ops.h>
#include <fused_kernel/algorithms/image_processing/image_processing.h>
