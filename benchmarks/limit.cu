// SPDX-License-Identifier: Apache-2.0
// Kernels written by hand for one purpose each: what a fused kernel of fkl can reach, and is
// measured against. Built by `python -m benchmarks.device` with nvcc; nothing else uses them.
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

namespace {

struct Chain {
  float mul1, add1, mul2, sub, div, add2;
};
struct Normalise {
  float scale[3], mean[3], deviation[3];
};
constexpr int CROPS = 50;
struct Rects {
  int4 rect[CROPS];  // x, y, width, height
};

__device__ __forceinline__ float six(float x, const Chain& p) {
  x = x * p.mul1;
  x = x + p.add1;
  x = x * p.mul2;
  x = x - p.sub;
  x = x / p.div;
  return x + p.add2;
}

__device__ __forceinline__ float normalised(float x, int channel, const Normalise& p) {
  return (x * p.scale[channel] - p.mean[channel]) / p.deviation[channel];
}

/// Six operations, one float a thread.
__global__ void chain_by_one(const float* __restrict__ in, float* __restrict__ out, size_t count,
                             Chain p) {
  const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) out[i] = six(in[i], p);
}

/// Six operations, four floats a thread.
__global__ void chain_by_four(const float4* __restrict__ in, float4* __restrict__ out, size_t count,
                              Chain p) {
  const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const float4 v = in[i];
  out[i] = make_float4(six(v.x, p), six(v.y, p), six(v.z, p), six(v.w, p));
}

/// Bytes of three channels to normalised planes, four pixels a thread: three words in, one float4
/// out for each plane.
__global__ void planes_by_four(const uint32_t* __restrict__ in, float* __restrict__ out,
                               size_t pixels, Normalise p) {
  const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (4 * i >= pixels) return;
  const uint32_t words[3] = {in[3 * i], in[3 * i + 1], in[3 * i + 2]};
  float bytes[12];
#pragma unroll
  for (int k = 0; k < 12; ++k) bytes[k] = static_cast<float>((words[k / 4] >> (8 * (k % 4))) & 255);
#pragma unroll
  for (int c = 0; c < 3; ++c)
    *reinterpret_cast<float4*>(out + c * pixels + 4 * i) =
        make_float4(normalised(bytes[c], c, p), normalised(bytes[3 + c], c, p),
                    normalised(bytes[6 + c], c, p), normalised(bytes[9 + c], c, p));
}

/// Fifty crops: bilinear at half-pixel centres, channels swapped, normalised, to planes.
__global__ void crops(const uchar3* __restrict__ in, int pitch, float* __restrict__ out, int width,
                      int height, const __grid_constant__ Rects rects, Normalise p) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const int4 r = rects.rect[blockIdx.z];
  const float at_x = fmaxf((x + 0.5f) * (r.z / static_cast<float>(width)) - 0.5f, 0.f);
  const float at_y = fmaxf((y + 0.5f) * (r.w / static_cast<float>(height)) - 0.5f, 0.f);
  const int left = min(static_cast<int>(at_x), r.z - 1), right = min(left + 1, r.z - 1);
  const int top = min(static_cast<int>(at_y), r.w - 1), bottom = min(top + 1, r.w - 1);
  const float across = at_x - left, down = at_y - top;
  const uchar3* from = in + static_cast<size_t>(r.y) * pitch + r.x;
  const uchar3 a = from[static_cast<size_t>(top) * pitch + left];
  const uchar3 b = from[static_cast<size_t>(top) * pitch + right];
  const uchar3 c = from[static_cast<size_t>(bottom) * pitch + left];
  const uchar3 d = from[static_cast<size_t>(bottom) * pitch + right];
  const auto blended = [&](float a, float b, float c, float d) {
    return (a * (1 - across) + b * across) * (1 - down) + (c * (1 - across) + d * across) * down;
  };
  const size_t plane = static_cast<size_t>(width) * height;
  float* to = out + blockIdx.z * 3 * plane + static_cast<size_t>(y) * width + x;
  to[0] = normalised(blended(a.z, b.z, c.z, d.z), 0, p);
  to[plane] = normalised(blended(a.y, b.y, c.y, d.y), 1, p);
  to[2 * plane] = normalised(blended(a.x, b.x, c.x, d.x), 2, p);
}

__global__ void empty(float*) {}

constexpr Chain CHAIN{1.01f, 0.5f, 0.99f, 0.25f, 1.1f, 0.125f};
constexpr Normalise NORMALISE{
    {1.f / 255, 1.f / 255, 1.f / 255}, {0.485f, 0.456f, 0.406f}, {0.229f, 0.224f, 0.225f}};
constexpr unsigned THREADS = 256;

unsigned blocks(size_t count) { return static_cast<unsigned>((count + THREADS - 1) / THREADS); }

}  // namespace

extern "C" {

int limit_chain_by_one(const float* in, float* out, size_t count, cudaStream_t stream) {
  chain_by_one<<<blocks(count), THREADS, 0, stream>>>(in, out, count, CHAIN);
  return cudaGetLastError();
}

/// `count` is a multiple of 4, both pointers are aligned to 16 bytes.
int limit_chain(const float* in, float* out, size_t count, cudaStream_t stream) {
  chain_by_four<<<blocks(count / 4), THREADS, 0, stream>>>(
      reinterpret_cast<const float4*>(in), reinterpret_cast<float4*>(out), count / 4, CHAIN);
  return cudaGetLastError();
}

/// `pixels` is a multiple of 4.
int limit_planes(const void* in, float* out, size_t pixels, cudaStream_t stream) {
  planes_by_four<<<blocks(pixels / 4), THREADS, 0, stream>>>(static_cast<const uint32_t*>(in), out,
                                                             pixels, NORMALISE);
  return cudaGetLastError();
}

/// `rects` holds 50 times x, y, width, height, on the host.
int limit_crops(const void* in, int frame_width, float* out, int width, int height,
                const int* rects, cudaStream_t stream) {
  Rects table;
  for (int i = 0; i < CROPS; ++i)
    table.rect[i] = make_int4(rects[4 * i], rects[4 * i + 1], rects[4 * i + 2], rects[4 * i + 3]);
  const dim3 threads(32, 8), grid((width + 31) / 32, (height + 7) / 8, CROPS);
  crops<<<grid, threads, 0, stream>>>(static_cast<const uchar3*>(in), frame_width, out, width,
                                      height, table, NORMALISE);
  return cudaGetLastError();
}

/// What any launch from Python costs.
int limit_empty(float* p, cudaStream_t stream) {
  empty<<<1, 32, 0, stream>>>(p);
  return 0;
}

/// What any call from Python costs.
int limit_nothing(float*, cudaStream_t) { return 0; }
}
