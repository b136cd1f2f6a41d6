// SPDX-License-Identifier: Apache-2.0
// Arrays of a number known at compile time, and vectors seen as arrays.
#pragma once
#include <array>
#include <fused_kernel/core/data/vectors.h>

namespace fk {

template <class T, std::size_t N>
struct Array {
  T values[N];
  static constexpr std::size_t size = N;
  FK_HD constexpr T& operator[](std::size_t i) { return values[i]; }
  FK_HD constexpr const T& operator[](std::size_t i) const { return values[i]; }
};

/// The same numbers by index (`at`) and by name (x, y, z, w).
template <class T, int N>
union ArrayVector;
#define FK_ARRAY_VECTOR(N, ...)                                        \
  template <class T>                                                   \
  union ArrayVector<T, N> {                                            \
    static constexpr int size = N;                                     \
    T at[N];                                                           \
    __extension__ struct {                                             \
      T __VA_ARGS__;                                                   \
    };                                                                 \
    FK_HD constexpr T& operator[](int i) { return at[i]; }             \
    FK_HD constexpr const T& operator[](int i) const { return at[i]; } \
    FK_HD constexpr const T& operator()(int i) const { return at[i]; } \
  };
FK_ARRAY_VECTOR(1, x)
FK_ARRAY_VECTOR(2, x, y)
FK_ARRAY_VECTOR(3, x, y, z)
FK_ARRAY_VECTOR(4, x, y, z, w)
#undef FK_ARRAY_VECTOR

template <class V>
using ToArray = ArrayVector<VBase<V>, cn<V>>;

template <class V, int... I>
FK_FN ToArray<V> channels_as_array(const V& v, IndexSequence<I...>) {
  return {{channel<I>(v)...}};
}
template <class V>
FK_FN ToArray<V> toArray(const V& v) {
  return channels_as_array(v, make_index_sequence<cn<V>>{});
}
template <class T, int N, int... I>
FK_FN auto array_as_vector(const ArrayVector<T, N>& a, IndexSequence<I...>) {
  return typename VectorOf<T, N>::type{a.at[I]...};
}
template <class T, int N>
FK_FN auto toVector(const ArrayVector<T, N>& a) {
  return array_as_vector(a, make_index_sequence<N>{});
}

/// What std::array, fk::Array and the like have in common: an element type and a number.
template <class A>
struct ArrayInfo;
template <template <class, std::size_t> class A, class T, std::size_t N>
struct ArrayInfo<A<T, N>> {
  using type = T;
  static constexpr std::size_t size = N;
  template <class U>
  using rebind = A<U, N>;
};
template <class T, int N>
struct ArrayInfo<ArrayVector<T, N>> {
  using type = T;
  static constexpr std::size_t size = N;
  template <class U>
  using rebind = ArrayVector<U, N>;
};
template <class A>
inline constexpr std::size_t arraySize = ArrayInfo<plain_t<A>>::size;
template <class A>
using ArrayType = typename ArrayInfo<plain_t<A>>::type;
template <std::size_t N, class... Arrays>
inline constexpr bool allArraysSameSize_v = ((arraySize<Arrays> == N) && ...);

template <class A, class F>
FK_HOST constexpr auto transformArray(const A& array, F&& f) {
  using R = plain_t<decltype(f(array[0]))>;
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return typename ArrayInfo<A>::template rebind<R>{{f(array[I])...}};
  }(std::make_index_sequence<arraySize<A>>{});
}
template <std::size_t N, class T>
FK_HOST constexpr std::array<T, N> make_set_std_array(const T& value) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return std::array<T, N>{{(static_cast<void>(I), value)...}};
  }(std::make_index_sequence<N>{});
}
/// 0, 1, 2, ...
template <std::size_t N>
FK_HOST constexpr std::array<std::size_t, N> makeIndexArray() {
  return []<std::size_t... I>(std::index_sequence<I...>) {
    return std::array<std::size_t, N>{{I...}};
  }(std::make_index_sequence<N>{});
}
template <class A>
FK_HOST constexpr auto getIndexArray(const A&) {
  return makeIndexArray<arraySize<A>>();
}

template <class T, class A>
FK_HOST constexpr bool allValuesAre(const T& value, const A& array) {
  for (std::size_t i = 0; i < arraySize<A>; ++i)
    if (!(array[i] == value)) return false;
  return true;
}

}  // namespace fk
