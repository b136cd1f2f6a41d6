// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <fused_kernel/core/config.h>
#include <fused_kernel/core/runtime/runtime_abi.h>

namespace fk {

using Runtime = fk_runtime;

/// What a launch came to; 0 is success, CUDA's own numbers start at 1000.
enum LaunchStatus : int {
  LAUNCHED = 0,
  OUT_OF_MEMORY = 1,
  BAD_GEOMETRY = 2,
  OUTSIDE = 3,
  CUDA_ERROR = 1000
};

/// Points to why a launch failed: a sentence that nobody frees.
FK_HOST inline int failed(int status, const char*& said, const char* text) {
  said = text;
  return status;
}

}  // namespace fk
