// SPDX-License-Identifier: Apache-2.0
// CUDA's error numbers as exceptions.
#pragma once
#include <fused_kernel/core/config.h>
#if defined(FK_CUDA_RUNTIME)
#include <cuda_runtime.h>
#include <stdexcept>
#include <string>

namespace fk {

inline void throw_on_cuda_error(cudaError_t error, const char* file, int line) {
  if (error != cudaSuccess)
    throw std::runtime_error(std::string("fkl: CUDA: ") + cudaGetErrorString(error) + " (" + file +
                             ":" + std::to_string(line) + ")");
}

}  // namespace fk

#define gpuErrchk(expression) ::fk::throw_on_cuda_error((expression), __FILE__, __LINE__)
#endif
