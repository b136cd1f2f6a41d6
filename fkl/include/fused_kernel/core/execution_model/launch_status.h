// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <fused_kernel/core/config.h>
#include <fused_kernel/core/runtime/runtime_abi.h>

namespace fk {

using Runtime = fk_runtime;

/// What a launch came to; 0 is success, CUDA's own numbers start at 1000.
enum LaunchStatus : int { LAUNCHED = 0, OUT_OF_MEMORY = 1, BAD_GEOMETRY = 2, CUDA_ERROR = 1000 };

/// Copies a sentence into the caller's buffer, cut to fit.
FK_HOST inline int failed(int status, char* message, int capacity, const char* text) {
  int i = 0;
  for (; text[i] && i + 1 < capacity; ++i) message[i] = text[i];
  if (capacity > 0) message[i] = 0;
  return status;
}

}  // namespace fk
