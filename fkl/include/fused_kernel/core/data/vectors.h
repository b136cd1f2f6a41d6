// SPDX-License-Identifier: Apache-2.0
// Channels of a value: counting, reaching, making and mapping them, scalars and vectors alike.
#pragma once
#include <fused_kernel/core/data/vector_types.h>

namespace fk {

template <class V>
inline constexpr int cn = VecInfo<V>::channels;
template <class V>
using VBase = typename VecInfo<V>::base;
template <class V>
inline constexpr bool validCUDAVec = VecInfo<V>::is_vector;

template <class T, int N>
struct VectorType {
  using type = conditional_t<N == 1, T, typename VectorOf<T, N>::type>;
  using type_v = typename VectorOf<T, N>::type;
};
template <class T, int N>
using VectorType_t = typename VectorType<T, N>::type;

/// The same shape with another base type: a scalar stays a scalar, float1 stays a one-channel
/// vector.
template <class V, class B>
struct Rebase {
  using type = B;
};
template <class V, class B>
  requires(validCUDAVec<V>)
struct Rebase<V, B> {
  using type = typename VectorOf<B, cn<V>>::type;
};
template <class V, class B>
using rebase_t = typename Rebase<plain_t<V>, B>::type;

/// Channel I; a scalar answers for every I.
template <int I, class V>
FK_FN auto channel(const V& v) {
  if constexpr (!validCUDAVec<V>) {
    return v;
  } else {
    static_assert(I < cn<V>, "fkl: this value has fewer channels than asked for");
    if constexpr (I == 0) return v.x;
    if constexpr (I == 1) return v.y;
    if constexpr (I == 2) return v.z;
    if constexpr (I == 3) return v.w;
  }
}

template <class V, class... C>
FK_FN V vector_from(C... c) {
  if constexpr (validCUDAVec<V>) {
    return V{c...};
  } else {
    return (c, ...);
  }
}

/// f(channel, channel, ...) over every channel; scalars among the arguments broadcast.
template <class O, class F, class... V>
FK_FN O map_channels(F f, const V&... v) {
  if constexpr (cn<O> == 1)
    return vector_from<O>(static_cast<VBase<O>>(f(channel<0>(v)...)));
  else if constexpr (cn<O> == 2)
    return O{f(channel<0>(v)...), f(channel<1>(v)...)};
  else if constexpr (cn<O> == 3)
    return O{f(channel<0>(v)...), f(channel<1>(v)...), f(channel<2>(v)...)};
  else
    return O{f(channel<0>(v)...), f(channel<1>(v)...), f(channel<2>(v)...), f(channel<3>(v)...)};
}

/// Every channel the same.
template <class V, class S>
FK_FN V make_set(const S& s) {
  if constexpr (is_same_v<plain_t<V>, plain_t<S>>) {
    return s;
  } else {
    return map_channels<V>([](auto c) { return static_cast<VBase<V>>(c); }, s);
  }
}

/// A vector from its channels; each is cast to the base type.
template <class V, class... C>
FK_FN V make_(const C&... c) {
  static_assert(sizeof...(C) == cn<V>, "fkl: make_ takes one number per channel");
  return vector_from<V>(static_cast<VBase<V>>(c)...);
}

/// Left fold of f over the channels.
template <class F, class V>
FK_FN auto fold_channels(F f, const V& v) {
  if constexpr (cn<V> == 1)
    return channel<0>(v);
  else if constexpr (cn<V> == 2)
    return f(v.x, v.y);
  else if constexpr (cn<V> == 3)
    return f(f(v.x, v.y), v.z);
  else
    return f(f(f(v.x, v.y), v.z), v.w);
}

}  // namespace fk
