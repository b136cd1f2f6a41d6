// SPDX-License-Identifier: Apache-2.0
// probe (c): texture objects through the public header path
#include <cuda_runtime.h>
__global__ void sample(float4* out, cudaTextureObject_t tex, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x < w && y < h) {
    float4 t = tex2D<float4>(tex, x + 0.5f, y + 0.5f);
    uchar4 u = tex2D<uchar4>(tex, x + 0.5f, y + 0.5f);
    t.x += tex1Dfetch<float>(tex, x) + u.y + tex2DLod<float4>(tex, x, y, 1.f).z;
    out[y * w + x] = t;
  }
}
extern "C" __attribute__((visibility("default"))) int launch_tex(float4* out, unsigned long long t, int w, int h) {
  sample<<<dim3((w + 127) / 128, h), 128>>>(out, t, w, h);
  return (int)cudaGetLastError();
}
