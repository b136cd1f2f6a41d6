// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <fused_kernel/core/config.h>

namespace fk {

enum class ParArch {
  CPU,
  GPU_NVIDIA,
  GPU_NVIDIA_JIT,
  GPU_AMD,
  CPU_OMP,
  CPU_OMPSS,
  MULTI_GPU_NVIDIA,
  CLUSTER_GPU_NVIDIA,
  None
};

#if defined(FK_CUDA)
inline constexpr ParArch defaultParArch = ParArch::GPU_NVIDIA;
#else
inline constexpr ParArch defaultParArch = ParArch::CPU;
#endif

/// Several x-elements per thread, with wide loads and stores.
enum class TF : bool { ENABLED = true, DISABLED = false };

}  // namespace fk
