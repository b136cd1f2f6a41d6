// SPDX-License-Identifier: Apache-2.0
// Names, lists and access for vector types.
#pragma once
#include <fused_kernel/core/utils/type_lists.h>
#include <fused_kernel/core/utils/vector_operators.h>

namespace fk {

using BaseTypes = TypeList<bool, uchar, schar, ushort, short, uint, int, ulong, long, ulonglong,
                           longlong, float, double>;
using StandardTypes = TypeListCat_t<
    TypeList<bool, uchar, schar, char>,
    TypeList<ushort, short, uint, int, ulong, long, ulonglong, longlong, float, double>>;
using IntegralBaseTypes =
    TypeList<uchar, schar, ushort, short, uint, int, ulong, long, ulonglong, longlong>;
using IntegralTypes = TypeListCat_t<IntegralBaseTypes, TypeList<char>>;
using FloatingTypes = TypeList<float, double>;

template <int N, class List>
struct VectorList;
template <int N, class... Ts>
struct VectorList<N, TypeList<Ts...>> {
  using type = TypeList<typename VectorOf<Ts, N>::type...>;
};
// CUDA 13 deprecates double4 and its like by name; their layout is the one that is meant here
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
using VOne = VectorList<1, BaseTypes>::type;
using VTwo = VectorList<2, BaseTypes>::type;
using VThree = VectorList<3, BaseTypes>::type;
using VFour = VectorList<4, BaseTypes>::type;
using VAll = TypeListCat_t<VOne, VTwo, VThree, VFour>;
#pragma GCC diagnostic pop

template <class T>
using IsCudaVector = E_t<bool, validCUDAVec<T>>;

template <class V>
struct VectorTraits {
  using base = VBase<V>;
  static constexpr int bytes = sizeof(V);
};

#define FK_ALIAS_OF(T, name) \
  template <int N>           \
  using name##_ = VectorType_t<T, N>;
FK_ALIAS_OF(bool, bool)
FK_ALIAS_OF(uchar, uchar)
FK_ALIAS_OF(char, char)
FK_ALIAS_OF(ushort, ushort)
FK_ALIAS_OF(short, short)
FK_ALIAS_OF(uint, uint)
FK_ALIAS_OF(int, int)
FK_ALIAS_OF(ulong, ulong)
FK_ALIAS_OF(long, long)
FK_ALIAS_OF(ulonglong, ulonglong)
FK_ALIAS_OF(longlong, longlong)
FK_ALIAS_OF(float, float)
FK_ALIAS_OF(double, double)
FK_ALIAS_OF(half, half)
#undef FK_ALIAS_OF

struct make {
  template <class V, class... C>
  FK_HOST_DEVICE_FUSE V type(const C&... c) {
    return make_<V>(c...);
  }
};

/// Channel I of a vector; a scalar is its own channel.
template <int I, class V>
FK_FN auto static_get(const V& v) {
  return channel<I>(v);
}
/// Channel i, chosen at run time; an index that names no channel gives the last one.
struct vector_at {
  template <class V>
  FK_HOST_DEVICE_FUSE VBase<V> f(int i, const V& v) {
    if constexpr (cn<V> == 1)
      return channel<0>(v);
    else if constexpr (cn<V> == 2)
      return i == 0 ? v.x : v.y;
    else if constexpr (cn<V> == 3)
      return i == 0 ? v.x : i == 1 ? v.y : v.z;
    else
      return i == 0 ? v.x : i == 1 ? v.y : i == 2 ? v.z : v.w;
  }
};

template <class A, class B>
using AreSS = E_t<bool, !validCUDAVec<A> && !validCUDAVec<B>>;
template <class A, class B>
using AreVS = E_t<bool, validCUDAVec<A> && !validCUDAVec<B>>;
template <class A, class B>
using AreSV = E_t<bool, !validCUDAVec<A> && validCUDAVec<B>>;
template <class A, class B>
using AreVVEqCN = E_t<bool, validCUDAVec<A> && validCUDAVec<B> && cn<A> == cn<B>>;

}  // namespace fk
