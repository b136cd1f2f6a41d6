// SPDX-License-Identifier: Apache-2.0
// An aggregate tuple without recursion: one leaf per element, found by its index.
#pragma once
#include <fused_kernel/core/utils/traits.h>

namespace fk {

template <int I, class T>
struct TupleLeaf {
  [[no_unique_address]] T value;
};
template <class Indexes, class... Ts>
struct TupleLeaves;
template <int... I, class... Ts>
struct TupleLeaves<IndexSequence<I...>, Ts...> : TupleLeaf<I, Ts>... {};

template <class... Ts>
struct Tuple : TupleLeaves<make_index_sequence<sizeof...(Ts)>, Ts...> {
  static constexpr int size = sizeof...(Ts);
};
template <class... Ts>
Tuple(Ts...) -> Tuple<Ts...>;

template <int I, class T>
FK_FN const T& leaf(const TupleLeaf<I, T>& l) {
  return l.value;
}
template <int I, class T>
FK_FN T& leaf(TupleLeaf<I, T>& l) {
  return l.value;
}

template <int I, class... Ts>
FK_FN const auto& get(const Tuple<Ts...>& t) {
  return leaf<I>(t);
}
template <int I, class... Ts>
FK_FN auto& get(Tuple<Ts...>& t) {
  return leaf<I>(t);
}

template <class... Ts>
FK_FN Tuple<plain_t<Ts>...> make_tuple(const Ts&... values) {
  return Tuple<plain_t<Ts>...>{{{values}...}};
}

}  // namespace fk

#include <fused_kernel/core/data/tuple_utils.h>
