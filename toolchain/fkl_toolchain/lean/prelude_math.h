// SPDX-License-Identifier: Apache-2.0
// C's math names for host and device code under clang, in lean mode: the host's come from libm; the device's
// from instructions where there is one, else from libdevice. Without libdevice a device call that needs it is
// an error of the compiler that says so; code that is never called costs nothing.
#pragma once

#if defined(FKL_HAS_LIBDEVICE)
#define FKL_LIBDEVICE
#else
#define FKL_LIBDEVICE \
  __attribute__((error("fkl: this function needs libdevice.10.bc, a part of the CUDA toolkit: python -m fkl_toolchain says where it was looked for")))
#endif

#define FKL_DEVICE static __device__ __forceinline__

// name: in C and, behind __nv_, in libdevice
#define FKL_UNARY(name)                                             \
  extern "C" float name##f(float) noexcept;                         \
  extern "C" double name(double) noexcept;                          \
  FKL_UNARY_DEVICE(name)
#define FKL_UNARY_DEVICE(name)                                      \
  extern "C" __device__ FKL_LIBDEVICE float __nv_##name##f(float);  \
  extern "C" __device__ FKL_LIBDEVICE double __nv_##name(double);   \
  FKL_DEVICE float name##f(float x) { return __nv_##name##f(x); }   \
  FKL_DEVICE double name(double x) { return __nv_##name(x); }
#define FKL_BINARY(name)                                                          \
  extern "C" float name##f(float, float) noexcept;                                \
  extern "C" double name(double, double) noexcept;                                \
  extern "C" __device__ FKL_LIBDEVICE float __nv_##name##f(float, float);         \
  extern "C" __device__ FKL_LIBDEVICE double __nv_##name(double, double);         \
  FKL_DEVICE float name##f(float x, float y) { return __nv_##name##f(x, y); }     \
  FKL_DEVICE double name(double x, double y) { return __nv_##name(x, y); }

FKL_UNARY(acos)
FKL_UNARY(acosh)
FKL_UNARY(asin)
FKL_UNARY(asinh)
FKL_UNARY(atan)
FKL_UNARY(atanh)
FKL_UNARY(cbrt)
FKL_UNARY(cos)
FKL_UNARY(cosh)
FKL_UNARY(erf)
FKL_UNARY(erfc)
FKL_UNARY(exp)
FKL_UNARY(exp2)
FKL_UNARY(expm1)
FKL_UNARY(lgamma)
FKL_UNARY(log)
FKL_UNARY(log10)
FKL_UNARY(log1p)
FKL_UNARY(log2)
FKL_UNARY(round)
FKL_UNARY(sin)
FKL_UNARY(sinh)
FKL_UNARY(tan)
FKL_UNARY(tanh)
FKL_UNARY(tgamma)
FKL_UNARY_DEVICE(cospi)
FKL_UNARY_DEVICE(exp10)
FKL_UNARY_DEVICE(sinpi)
FKL_BINARY(atan2)
FKL_BINARY(fdim)
FKL_BINARY(fmod)
FKL_BINARY(hypot)
FKL_BINARY(nextafter)
FKL_BINARY(pow)
FKL_BINARY(remainder)

// one instruction each: no libdevice needed
#define FKL_INSTRUCTION(name)                                         \
  extern "C" float name##f(float) noexcept;                           \
  extern "C" double name(double) noexcept;                            \
  FKL_DEVICE float name##f(float x) { return __builtin_##name##f(x); }\
  FKL_DEVICE double name(double x) { return __builtin_##name(x); }
FKL_INSTRUCTION(ceil)
FKL_INSTRUCTION(fabs)
FKL_INSTRUCTION(floor)
FKL_INSTRUCTION(nearbyint)
FKL_INSTRUCTION(rint)
FKL_INSTRUCTION(trunc)
#define FKL_INSTRUCTION_2(name)                                       \
  extern "C" float name##f(float, float) noexcept;                    \
  extern "C" double name(double, double) noexcept;                    \
  FKL_DEVICE float name##f(float x, float y) { return __builtin_##name##f(x, y); }\
  FKL_DEVICE double name(double x, double y) { return __builtin_##name(x, y); }
FKL_INSTRUCTION_2(copysign)
FKL_INSTRUCTION_2(fmax)
FKL_INSTRUCTION_2(fmin)

extern "C" float sqrtf(float) noexcept;
extern "C" double sqrt(double) noexcept;
extern "C" float fmaf(float, float, float) noexcept;
extern "C" double fma(double, double, double) noexcept;
FKL_DEVICE float sqrtf(float x) { return __nvvm_sqrt_rn_f(x); }
FKL_DEVICE double sqrt(double x) { return __nvvm_sqrt_rn_d(x); }
FKL_DEVICE float fmaf(float x, float y, float z) { return __nvvm_fma_rn_f(x, y, z); }
FKL_DEVICE double fma(double x, double y, double z) { return __nvvm_fma_rn_d(x, y, z); }
// no C function: the host computes it, and one body for both sides suits clang 16's precompiled headers
static inline __host__ __device__ float rsqrtf(float x) {
#if defined(__CUDA_ARCH__)
  return __nvvm_rsqrt_approx_f(x);
#else
  return 1.0f / __builtin_sqrtf(x);
#endif
}
static inline __host__ __device__ double rsqrt(double x) {
#if defined(__CUDA_ARCH__)
  return 1.0 / __nvvm_sqrt_rn_d(x);
#else
  return 1.0 / __builtin_sqrt(x);
#endif
}

// CUDA's fast intrinsics, by the approximate instructions
FKL_DEVICE float __exp2f(float x) { return __nvvm_ex2_approx_f(x); }
FKL_DEVICE float __expf(float x) { return __nvvm_ex2_approx_f(x * 1.4426950408889634f); }
FKL_DEVICE float __log2f(float x) { return __nvvm_lg2_approx_f(x); }
FKL_DEVICE float __logf(float x) { return __nvvm_lg2_approx_f(x) * 0.6931471805599453f; }
FKL_DEVICE float __sinf(float x) { return __nvvm_sin_approx_f(x); }
FKL_DEVICE float __cosf(float x) { return __nvvm_cos_approx_f(x); }
FKL_DEVICE float __powf(float x, float y) { return __nvvm_ex2_approx_f(y * __nvvm_lg2_approx_f(x)); }
FKL_DEVICE float __fdividef(float x, float y) { return __nvvm_div_approx_f(x, y); }
FKL_DEVICE float __fsqrt_rn(float x) { return __nvvm_sqrt_rn_f(x); }
FKL_DEVICE float __frcp_rn(float x) { return __nvvm_rcp_rn_f(x); }
FKL_DEVICE int __float2int_rn(float x) { return __nvvm_f2i_rn(x); }
FKL_DEVICE unsigned __float2uint_rn(float x) { return __nvvm_f2ui_rn(x); }

#undef FKL_UNARY
#undef FKL_UNARY_DEVICE
#undef FKL_BINARY
#undef FKL_INSTRUCTION
#undef FKL_INSTRUCTION_2
#undef FKL_DEVICE
#undef FKL_LIBDEVICE
