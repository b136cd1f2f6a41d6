// SPDX-License-Identifier: Apache-2.0
// probe (b): std headers in device code, fp16/bf16, vector types, grid constants, libdevice math
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>
#include <cuda_runtime.h>
#include <cuda_fp16.h>
#include <cuda_bf16.h>

#ifndef CUDART_VERSION
#error no CUDART_VERSION
#endif
#if CUDART_VERSION >= 13000
using dbl4a = double4_16a; using dbl4b = double4_32a;
#else
using dbl4a = double4; using dbl4b = double4;
#endif

struct Params { float a, b; int n; std::array<float, 4> w; };

template <class T> struct Vec3 { T x, y, z; };
template <class T> __host__ __device__ inline T dot(Vec3<T> p, Vec3<T> q) { return p.x * q.x + p.y * q.y + p.z * q.z; }
template <class... F> struct Chain;
template <class F, class... R> struct Chain<F, R...> {
  template <class T> static __host__ __device__ inline T run(T v) { return Chain<R...>::run(F::op(v)); }
};
template <> struct Chain<> { template <class T> static __host__ __device__ inline T run(T v) { return v; } };
struct Mul2 { template <class T> static __host__ __device__ inline T op(T v) { return v * T(2); } };
struct Add1 { template <class T> static __host__ __device__ inline T op(T v) { return v + T(1); } };
constexpr int ipow(int b, int e) { return e == 0 ? 1 : b * ipow(b, e - 1); }

template <class Tup, std::size_t... I>
__host__ __device__ constexpr float sum_tuple(const Tup& t, std::index_sequence<I...>) { return (0.f + ... + float(std::get<I>(t))); }

__global__ void __launch_bounds__(256) rich(float* __restrict__ out, const float* __restrict__ in, const uchar3* px,
                                            const __grid_constant__ Params p) {
  __shared__ float tile[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= p.n) return;
  float v = __ldg(in + i);
  tile[threadIdx.x] = v;
  __syncthreads();
  float3 f = make_float3(v, v + 1.f, v + 2.f);
  uchar3 c = px[i];
  std::array<float, 3> arr{f.x, f.y, f.z};
  std::tuple<float, int, double> t{v, 3, 2.0};
  auto [q0, q1] = std::make_pair(v, i);
  float s = sum_tuple(t, std::make_index_sequence<3>{});
  s += std::min(v, 4.f) + std::max(arr[1], arr[2]) + std::sqrt(v) + std::abs(v) + std::get<1>(t) + q0 + q1;
  s += sinf(v) + powf(v, 1.7f) + rsqrtf(v + 1.f) + __expf(v) + fmaf(v, 2.f, 1.f) + std::pow(v, 2.5f) + std::exp(v) + std::floor(v) + fminf(v, 3.f) + tanhf(v) + erff(v);
  double d = sin(double(v)) + std::sqrt(double(v)) + pow(double(v), 1.5);
  __half h = __float2half(v); h = __hfma(h, h, h); __half2 h2 = __halves2half2(h, h); h2 = __hadd2(h2, h2);
  __nv_bfloat16 bf = __float2bfloat16(v); bf = __hadd(bf, bf); __nv_bfloat162 b2 = __floats2bfloat162_rn(v, s);
  s += __half2float(h) + __low2float(h2) + __bfloat162float(bf) + __low2float(b2);
  dbl4a q; q.x = d; q.y = d; q.z = d; q.w = d; dbl4b q2; q2.x = q.w;
  s += float(q.x + q2.x) + dot(Vec3<float>{f.x, f.y, f.z}, Vec3<float>{p.a, p.b, float(c.x)});
  s += Chain<Mul2, Add1>::run(v) + Chain<Mul2>::run(float(c.y)) + ipow(2, 5) + std::numeric_limits<float>::epsilon();
  if constexpr (std::is_same_v<std::decay_t<const float&>, float>) s += 1.f;
  s += __shfl_xor_sync(0xffffffffu, s, 1) + __popc(i) + __float_as_int(v) + __clz(i);
  if (std::isnan(s) || isinf(s)) printf("bad %d %f\n", i, double(s));
  atomicAdd(out, s);
  out[i] = s + tile[(threadIdx.x + 1) & 255] + p.w[i & 3];
}

extern "C" __attribute__((visibility("default"))) int launch_rich(float* out, const float* in, const void* px, int n, void* stream) {
  std::vector<int> grid{(n + 255) / 256};
  Params p{2.f, 3.f, n, {1, 2, 3, 4}};
  rich<<<grid[0], 256, 0, (cudaStream_t)stream>>>(out, in, (const uchar3*)px, p);
  return (int)cudaGetLastError();
}
extern "C" __attribute__((visibility("default"))) float host_rich(float v) { return Chain<Mul2, Add1>::run(v) + ipow(2, 3) + __half2float(__float2half(v)); }
