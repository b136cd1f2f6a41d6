// SPDX-License-Identifier: Apache-2.0
// Where work is queued. On a CPU work is done when the call returns; on a GPU it follows the work
// queued before it.
#pragma once
#include <fused_kernel/core/execution_model/parallel_architectures.h>
#include <string_view>
#if defined(FK_CUDA_RUNTIME)
#include <cuda_runtime.h>
#include <fused_kernel/core/execution_model/cuda_check.h>
#include <memory>
#endif

namespace fk {

template <ParArch PA>
class Stream_;

template <>
class Stream_<ParArch::CPU> {
 public:
  void sync() const {}
  ParArch getParArch() const { return ParArch::CPU; }
  static constexpr ParArch parArch() { return ParArch::CPU; }
};

#if defined(FK_CUDA_RUNTIME)
/// Copies share one stream; the last of them destroys it if it was created here.
template <>
class Stream_<ParArch::GPU_NVIDIA> {
 public:
  Stream_() {
    cudaStream_t created = nullptr;
    gpuErrchk(cudaStreamCreate(&created));
    owner_.reset(created, [](cudaStream_t s) { cudaStreamDestroy(s); });
    stream_ = created;
  }
  explicit Stream_(cudaStream_t stream) : stream_(stream) {}
  cudaStream_t operator()() const { return stream_; }
  operator cudaStream_t() const { return stream_; }
  cudaStream_t getCUDAStream() const { return stream_; }
  void sync() const { gpuErrchk(cudaStreamSynchronize(stream_)); }
  ParArch getParArch() const { return ParArch::GPU_NVIDIA; }
  static constexpr ParArch parArch() { return ParArch::GPU_NVIDIA; }

 private:
  cudaStream_t stream_ = nullptr;
  std::shared_ptr<CUstream_st> owner_;
};
#endif

using Stream = Stream_<defaultParArch>;

constexpr std::string_view toStrView(ParArch arch) {
  constexpr std::string_view names[] = {
      "CPU",       "GPU_NVIDIA",       "GPU_NVIDIA_JIT",     "GPU_AMD", "CPU_OMP",
      "CPU_OMPSS", "MULTI_GPU_NVIDIA", "CLUSTER_GPU_NVIDIA", "None"};
  return names[static_cast<int>(arch)];
}

}  // namespace fk
