// SPDX-License-Identifier: Apache-2.0
// libdevice math, in every mode
#if !defined(FKL_LEAN_CUDA)
#include <cuda_runtime.h>
#endif
__global__ void math(float* y, const float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = sinf(x[i]) + powf(x[i], 1.5f) + sqrtf(x[i]) + fmaf(x[i], 2.0f, 1.0f) + expf(-x[i]);
}
extern "C" __attribute__((visibility("default"))) int launch_math(float* y, const float* x, int n, void* stream) {
  math<<<(n + 255) / 256, 256, 0, (cudaStream_t)stream>>>(y, x, n);
  return (int)cudaGetLastError();
}
