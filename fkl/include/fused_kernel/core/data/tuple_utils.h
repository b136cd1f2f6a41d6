// SPDX-License-Identifier: Apache-2.0
// Joining, extending and unpacking tuples. Included by tuple.h.
#pragma once
#include <fused_kernel/core/data/tuple.h>
#include <fused_kernel/core/data/vectors.h>

namespace fk {

template <class... Ts>
struct TypeList;

template <class T>
inline constexpr bool isTuple_v = false;
template <class... Ts>
inline constexpr bool isTuple_v<Tuple<Ts...>> = true;
template <class T>
inline constexpr bool isTuple_v<const T> = isTuple_v<T>;

template <class T>
struct TupleTypes;
template <class... Ts>
struct TupleTypes<Tuple<Ts...>> {
  using list = TypeList<Ts...>;
  template <int I>
  using at = typename TypeAt<I, Ts...>::type;
};
template <int I, class T>
using get_t = typename TupleTypes<plain_t<T>>::template at<I>;
template <class T>
using ToTypeList = typename TupleTypes<plain_t<T>>::list;

/// Static members on tuples; the free functions below are the same.
struct TupleUtil {
  template <int I, class... Ts>
  FK_HOST_DEVICE_FUSE const auto& get(const Tuple<Ts...>& t) {
    return leaf<I>(t);
  }
  template <int I, class... Ts>
  FK_HOST_DEVICE_FUSE auto& get(Tuple<Ts...>& t) {
    return leaf<I>(t);
  }
  template <class... A, class... B>
  FK_HOST_DEVICE_FUSE auto cat(const Tuple<A...>& a, const Tuple<B...>& b) {
    return joined(a, b, make_index_sequence<sizeof...(A)>{}, make_index_sequence<sizeof...(B)>{});
  }
  template <int I, class T, class... Ts>
  FK_HOST_DEVICE_FUSE auto tuple_insert(const T& element, const Tuple<Ts...>& t) {
    static_assert(I >= 0 && I <= static_cast<int>(sizeof...(Ts)),
                  "fkl: a tuple has no place at this index");
    return cat(cat(part<0>(t, make_index_sequence<I>{}), Tuple<T>{{{element}}}),
               part<I>(t, make_index_sequence<static_cast<int>(sizeof...(Ts)) - I>{}));
  }
  template <class T, class... Ts>
  FK_HOST_DEVICE_FUSE auto tuple_insert_back(const Tuple<Ts...>& t, const T& element) {
    return cat(t, Tuple<T>{{{element}}});
  }
  template <class F, class... Ts>
  FK_HOST_DEVICE_FUSE auto apply(F&& f, const Tuple<Ts...>& t) {
    return call(f, t, make_index_sequence<sizeof...(Ts)>{});
  }

 private:
  template <int... I, class... A, int... J, class... B>
  FK_HOST_DEVICE_FUSE auto joined(const Tuple<A...>& a, const Tuple<B...>& b, IndexSequence<I...>,
                                  IndexSequence<J...>) {
    return Tuple<A..., B...>{{{leaf<I>(a)}..., {leaf<J>(b)}...}};
  }
  template <int From, int... I, class... Ts>
  FK_HOST_DEVICE_FUSE auto part(const Tuple<Ts...>& t, IndexSequence<I...>) {
    return Tuple<typename TypeAt<From + I, Ts...>::type...>{{{leaf<From + I>(t)}...}};
  }
  template <class F, int... I, class... Ts>
  FK_HOST_DEVICE_FUSE auto call(F&& f, const Tuple<Ts...>& t, IndexSequence<I...>) {
    return f(leaf<I>(t)...);
  }
};

template <class... A, class... B>
FK_FN auto tuple_cat(const Tuple<A...>& a, const Tuple<B...>& b) {
  return TupleUtil::cat(a, b);
}
template <int I, class T, class... Ts>
FK_FN auto tuple_insert(const T& element, const Tuple<Ts...>& t) {
  return TupleUtil::tuple_insert<I>(element, t);
}
template <class T, class... Ts>
FK_FN auto tuple_insert_back(const Tuple<Ts...>& t, const T& element) {
  return TupleUtil::tuple_insert_back(t, element);
}
template <class F, int... I, class... Ts>
FK_HOST constexpr auto apply_on_host(F& f, const Tuple<Ts...>& t, IndexSequence<I...>) {
  return f(leaf<I>(t)...);
}
/// f(element, element, ...)
template <class F, class... Ts>
FK_HOST constexpr auto apply(F&& f, const Tuple<Ts...>& t) {
  return apply_on_host(f, t, make_index_sequence<sizeof...(Ts)>{});
}
template <class F, class... Ts>
FK_FN auto apply_d(F&& f, const Tuple<Ts...>& t) {
  return TupleUtil::apply(f, t);
}

template <class T, class... Ts>
FK_FN auto insert_before_last_tup(const T& element, const Tuple<Ts...>& t) {
  return TupleUtil::tuple_insert<static_cast<int>(sizeof...(Ts)) - 1>(element, t);
}
/// The arguments as a tuple with `element` before the last one.
template <class T, class... Ts>
FK_FN auto insert_before_last(const T& element, const Ts&... args) {
  return insert_before_last_tup(element, make_tuple(args...));
}

template <class V, int... I>
FK_FN auto channels_as_tuple(const V& v, IndexSequence<I...>) {
  return make_tuple(channel<I>(v)...);
}
template <class V>
FK_FN auto cudaVectorToTuple(const V& v) {
  return channels_as_tuple(v, make_index_sequence<cn<V>>{});
}

}  // namespace fk
