// SPDX-License-Identifier: Apache-2.0
// CUDA's vector types (float3, uchar4, ...) for every compiler, in CUDA's layout.
#pragma once
#include <fused_kernel/core/data/half.h>

#if defined(FK_CUDA_VECTOR_TYPES)
#include <vector_types.h>
#endif

namespace fk {

template <class T, int N>
struct VectorAlign {
  static constexpr unsigned wide = sizeof(T) * N < 16 ? sizeof(T) * N : 16;
  static constexpr unsigned value = (N == 2 || N == 4) && !is_same_v<T, bool> ? wide : alignof(T);
};

template <class T>
struct Vec1 {
  T x;
};
template <class T>
struct alignas(VectorAlign<T, 2>::value) Vec2 {
  T x, y;
};
template <class T>
struct Vec3 {
  T x, y, z;
};
template <class T>
struct alignas(VectorAlign<T, 4>::value) Vec4 {
  T x, y, z, w;
};

// booleans read as one condition: true where every channel is
struct Bool1 {
  bool x;
  FK_HD constexpr operator bool() const { return x; }
};
struct Bool2 {
  bool x, y;
  FK_HD constexpr operator bool() const { return x && y; }
};
struct Bool3 {
  bool x, y, z;
  FK_HD constexpr operator bool() const { return x && y && z; }
};
struct Bool4 {
  bool x, y, z, w;
  FK_HD constexpr operator bool() const { return x && y && z && w; }
};

template <class T, int N>
struct VectorOf;
#define FK_VECTORS_OF(T, V1, V2, V3, V4) \
  template <>                            \
  struct VectorOf<T, 1> {                \
    using type = V1;                     \
  };                                     \
  template <>                            \
  struct VectorOf<T, 2> {                \
    using type = V2;                     \
  };                                     \
  template <>                            \
  struct VectorOf<T, 3> {                \
    using type = V3;                     \
  };                                     \
  template <>                            \
  struct VectorOf<T, 4> {                \
    using type = V4;                     \
  };

/// Base type and channel count of a value; const is stripped, a scalar has one channel.
template <class V>
struct VecInfo {
  using base = V;
  static constexpr int channels = 1;
  static constexpr bool is_vector = false;
};
template <class V>
struct VecInfo<const V> : VecInfo<V> {};
#define FK_VECTOR_INFO(V, T, N)             \
  template <>                               \
  struct VecInfo<V> {                       \
    using base = T;                         \
    static constexpr int channels = N;      \
    static constexpr bool is_vector = true; \
  };
#define FK_VECTOR_FAMILY(T, V1, V2, V3, V4) \
  FK_VECTORS_OF(T, V1, V2, V3, V4)          \
  FK_VECTOR_INFO(V1, T, 1)                  \
  FK_VECTOR_INFO(V2, T, 2) FK_VECTOR_INFO(V3, T, 3) FK_VECTOR_INFO(V4, T, 4)

#if defined(FK_CUDA_VECTOR_TYPES)
// CUDA 13 deprecates double4 and longlong4 by name; their layout is the one that is meant here
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#define FK_CUDA_FAMILY(T, name) FK_VECTOR_FAMILY(T, ::name##1, ::name##2, ::name##3, ::name##4)
FK_CUDA_FAMILY(schar, char)
FK_CUDA_FAMILY(uchar, uchar)
FK_CUDA_FAMILY(short, short)
FK_CUDA_FAMILY(ushort, ushort)
FK_CUDA_FAMILY(int, int)
FK_CUDA_FAMILY(uint, uint)
FK_CUDA_FAMILY(long, long)
FK_CUDA_FAMILY(ulong, ulong)
FK_CUDA_FAMILY(longlong, longlong)
FK_CUDA_FAMILY(ulonglong, ulonglong)
FK_CUDA_FAMILY(float, float)
FK_CUDA_FAMILY(double, double)
#undef FK_CUDA_FAMILY
#pragma GCC diagnostic pop
#else
template <class T, int N>
struct VectorOf {
  using type =
      conditional_t<N == 1, Vec1<T>,
                    conditional_t<N == 2, Vec2<T>, conditional_t<N == 3, Vec3<T>, Vec4<T>>>>;
};
#define FK_NAMES_OF(T, Name) \
  using Name##1 = Vec1<T>;   \
  using Name##2 = Vec2<T>;   \
  using Name##3 = Vec3<T>;   \
  using Name##4 = Vec4<T>;
FK_NAMES_OF(schar, Char)
FK_NAMES_OF(uchar, Uchar)
FK_NAMES_OF(short, Short)
FK_NAMES_OF(ushort, Ushort)
FK_NAMES_OF(int, Int)
FK_NAMES_OF(uint, Uint)
FK_NAMES_OF(long, Long)
FK_NAMES_OF(ulong, Ulong)
FK_NAMES_OF(longlong, Longlong)
FK_NAMES_OF(ulonglong, Ulonglong)
FK_NAMES_OF(float, Float)
FK_NAMES_OF(double, Double)
#undef FK_NAMES_OF
#endif

#define FK_VEC_INFO(N)                      \
  template <class T>                        \
  struct VecInfo<Vec##N<T>> {               \
    using base = T;                         \
    static constexpr int channels = N;      \
    static constexpr bool is_vector = true; \
  };
FK_VEC_INFO(1)
FK_VEC_INFO(2)
FK_VEC_INFO(3)
FK_VEC_INFO(4)
#undef FK_VEC_INFO
FK_VECTOR_FAMILY(bool, Bool1, Bool2, Bool3, Bool4)
#if defined(FK_CUDA_VECTOR_TYPES)
FK_VECTORS_OF(half, Vec1<half>, Vec2<half>, Vec3<half>, Vec4<half>)
FK_VECTORS_OF(bfloat16, Vec1<bfloat16>, Vec2<bfloat16>, Vec3<bfloat16>, Vec4<bfloat16>)
#endif
#undef FK_VECTOR_FAMILY
#undef FK_VECTOR_INFO

using half2 = Vec2<half>;
using half3 = Vec3<half>;
using half4 = Vec4<half>;
using bfloat162 = Vec2<bfloat16>;
using bfloat163 = Vec3<bfloat16>;
using bfloat164 = Vec4<bfloat16>;

}  // namespace fk

using bool1 = fk::Bool1;
using bool2 = fk::Bool2;
using bool3 = fk::Bool3;
using bool4 = fk::Bool4;

#if !defined(FK_CUDA_VECTOR_TYPES)
#define FK_GLOBAL_NAMES(name, Name) \
  using name##1 = fk::Name##1;      \
  using name##2 = fk::Name##2;      \
  using name##3 = fk::Name##3;      \
  using name##4 = fk::Name##4;
FK_GLOBAL_NAMES(char, Char)
FK_GLOBAL_NAMES(uchar, Uchar)
FK_GLOBAL_NAMES(short, Short)
FK_GLOBAL_NAMES(ushort, Ushort)
FK_GLOBAL_NAMES(int, Int)
FK_GLOBAL_NAMES(uint, Uint)
FK_GLOBAL_NAMES(long, Long)
FK_GLOBAL_NAMES(ulong, Ulong)
FK_GLOBAL_NAMES(longlong, Longlong)
FK_GLOBAL_NAMES(ulonglong, Ulonglong)
FK_GLOBAL_NAMES(float, Float)
FK_GLOBAL_NAMES(double, Double)
#undef FK_GLOBAL_NAMES
#endif

namespace fk {
// plain char is a third type to C++; its vectors are the signed ones
FK_VECTORS_OF(char, ::char1, ::char2, ::char3, ::char4)
#undef FK_VECTORS_OF
}  // namespace fk
