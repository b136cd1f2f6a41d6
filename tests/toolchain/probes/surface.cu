// SPDX-License-Identifier: Apache-2.0
// probe (d): surface objects
#include <cuda_runtime.h>
__global__ void store(cudaSurfaceObject_t s, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < w) { float4 v; surf2Dread(&v, s, x * (int)sizeof(float4), 0); v.x += 1; surf2Dwrite(v, s, x * (int)sizeof(float4), 0); }
}
extern "C" __attribute__((visibility("default"))) int launch_surf(unsigned long long s, int w) { store<<<(w + 127) / 128, 128>>>(s, w); return (int)cudaGetLastError(); }
