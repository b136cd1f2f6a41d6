// SPDX-License-Identifier: Apache-2.0
// probe (a): one kernel, one extern "C" launcher using <<<>>>
#if !defined(FKL_LEAN_CUDA)
#include <cuda_runtime.h>
#endif
__global__ void axpb(float* y, const float* x, float a, float b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + b;
}
extern "C" __attribute__((visibility("default"))) int launch_axpb(float* y, const float* x, float a, float b, int n, void* stream) {
  axpb<<<(n + 255) / 256, 256, 0, (cudaStream_t)stream>>>(y, x, a, b, n);
  return (int)cudaGetLastError();
}
