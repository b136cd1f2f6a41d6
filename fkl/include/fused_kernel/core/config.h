// SPDX-License-Identifier: Apache-2.0
// The only header that asks which compiler this is. Everything else is written against its macros.
#pragma once

#if defined(__clang__)
#define FK_COMPILER_CLANG 1
#if __clang_major__ < 16
#error "fkl: clang 16 or newer is needed"
#endif
#elif defined(__GNUC__)
#define FK_COMPILER_GCC 1
#if __GNUC__ < 12
#error "fkl: g++ 12 or newer is needed"
#endif
#else
#error "fkl: unknown compiler; g++ >= 12, clang >= 16 or nvcc over one of them is needed"
#endif

#if __cplusplus < 202002L
#error "fkl: the headers are C++20; compile with -std=c++20"
#endif

// nvcc (both of its passes) or clang reading CUDA source
#if defined(__NVCC__)
#define FK_NVCC 1
#endif
#if defined(__NVCC__) || defined(__CUDA__)
#define FK_CUDA 1
#endif
#if defined(__CUDA_ARCH__)
#define FK_DEVICE_PASS 1
#endif

// something has declared the launch ABI: the lean prelude, or the toolkit's headers
#if defined(FK_CUDA) && (defined(FKL_LEAN_CUDA) || defined(FK_NVCC) || defined(__CUDA_RUNTIME_H__))
#define FK_CUDA_LAUNCH 1
#endif
// and the whole CUDA runtime is there: what allocates and owns streams needs it
#if defined(FK_CUDA_LAUNCH) && !defined(FKL_LEAN_CUDA)
#define FK_CUDA_RUNTIME 1
#endif

// clang's attributes rather than the toolkit's macros: the headers then need no CUDA header at all
#if defined(__CUDA__) && defined(__clang__)
#define FK_HOST __attribute__((host))
#define FK_DEVICE __attribute__((device))
#define FK_GLOBAL __attribute__((global))
#define FK_HD __attribute__((host)) __attribute__((device))
#elif defined(FK_NVCC)
#define FK_HOST __host__
#define FK_DEVICE __device__
#define FK_GLOBAL __global__
#define FK_HD __host__ __device__
#else
#define FK_HOST
#define FK_DEVICE
#define FK_HD
#endif

// clang before 20 ignores grid_constant with a warning: it is spelled only where it is known
#if defined(FK_NVCC)
#define FK_GRID_CONSTANT __grid_constant__
#elif defined(FK_CUDA) && __clang_major__ >= 20
#define FK_GRID_CONSTANT __attribute__((grid_constant))
#else
#define FK_GRID_CONSTANT
#endif

#define FK_INLINE inline __attribute__((always_inline))
#define FK_FN FK_HD constexpr FK_INLINE
#define FK_RESTRICT __restrict__

// FKL's spellings, for operations written by users
#define FK_HOST_DEVICE_FUSE FK_HD static constexpr FK_INLINE
#define FK_DEVICE_FUSE FK_DEVICE static constexpr FK_INLINE
#define FK_HOST_FUSE FK_HOST static constexpr FK_INLINE
#define FK_HOST_DEVICE_CNST FK_HD constexpr FK_INLINE
#define FK_DEVICE_CNST FK_DEVICE constexpr FK_INLINE
#define FK_HOST_CNST FK_HOST constexpr FK_INLINE
#define FK_HOST_DEVICE_STATIC FK_HD static FK_INLINE
#define FK_DEVICE_STATIC FK_DEVICE static FK_INLINE
#define FK_HOST_STATIC FK_HOST static FK_INLINE
#define FK_HOST_INLINE FK_HOST FK_INLINE
#define FK_STATIC_STRUCT(name, alias)    \
  name() = delete;                       \
  name(const name&) = delete;            \
  name(name&&) = delete;                 \
  name& operator=(const name&) = delete; \
  name& operator=(name&&) = delete;

// no loop-carried dependence: outputs that overlap inputs are refused before a kernel runs
#if defined(FK_COMPILER_CLANG)
#define FK_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define FK_INDEPENDENT _Pragma("GCC ivdep")
#endif
#define FK_UNROLL _Pragma("unroll")
#if defined(FK_NVCC)
#define FK_NO_UNROLL _Pragma("unroll 1")
#else
#define FK_NO_UNROLL _Pragma("nounroll")
#endif
#if defined(FK_COMPILER_GCC) && !defined(FK_CUDA)
#undef FK_UNROLL
#define FK_UNROLL _Pragma("GCC unroll 16")
#endif

// builtins reach hardware instructions without <cmath>; nvcc's device code knows the plain names
#if defined(FK_NVCC)
#define FK_MATH(name) ::name
#else
#define FK_MATH(name) __builtin_##name
#endif
// functions that are no single instruction: device code has no builtin for them, only a library
#if defined(FK_CUDA_LAUNCH)
#define FK_LIBM(name) ::name
#else
#define FK_LIBM(name) __builtin_##name
#endif

// the compiler converts half itself where the instruction is certain to be there
#if defined(FK_COMPILER_CLANG) && defined(__F16C__) && !defined(FK_CUDA)
#define FK_NATIVE_HALF 1
#elif defined(FK_COMPILER_GCC) && __GNUC__ >= 13 && defined(__F16C__) && !defined(FK_CUDA)
#define FK_NATIVE_HALF 1
#endif

// CUDA's own vector types are taken where its headers came first; ours have the same names and
// layout
#if defined(FK_NVCC) || defined(__VECTOR_TYPES_H__)
#define FK_CUDA_VECTOR_TYPES 1
#endif
