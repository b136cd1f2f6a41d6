// SPDX-License-Identifier: Apache-2.0
// A kernel that any of the three ways of building takes; outside lean mode it looks into the toolkit's headers too.
#ifndef FKL_LEAN_CUDA
#include <cuda_fp16.h>
#include <cuda/std/array>
static_assert(sizeof(cuda::std::array<__half, 2>) == 4);
#endif

__global__ void scale_kernel(float *data, unsigned count, float factor) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) data[i] *= factor;
}

extern "C" __attribute__((visibility("default"))) int scale(float *data, unsigned count, float factor, void *stream) {
  scale_kernel<<<(count + 255) / 256, 256, 0, static_cast<cudaStream_t>(stream)>>>(data, count, factor);
  return static_cast<int>(cudaGetLastError());
}
