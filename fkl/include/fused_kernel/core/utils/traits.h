// SPDX-License-Identifier: Apache-2.0
// The few type traits that the lean core needs, from compiler builtins: no std header on its path.
#pragma once
#include <fused_kernel/core/config.h>

using uchar = unsigned char;
using schar = signed char;
using ushort = unsigned short;
using uint = unsigned int;
using ulong = unsigned long;
using longlong = long long;
using ulonglong = unsigned long long;

/// Stands where a type is wanted and there is none.
struct NullType {};

namespace fk {

using index_t = long long;
using extent_t = decltype(sizeof 0);

template <class A, class B>
inline constexpr bool is_same_v = __is_same(A, B);

template <bool C, class A, class B>
struct Conditional {
  using type = A;
};
template <class A, class B>
struct Conditional<false, A, B> {
  using type = B;
};
template <bool C, class A, class B>
using conditional_t = typename Conditional<C, A, B>::type;

template <class T>
struct RemoveCvRef {
  using type = T;
};
template <class T>
struct RemoveCvRef<const T> {
  using type = T;
};
template <class T>
struct RemoveCvRef<T&> : RemoveCvRef<T> {};
template <class T>
struct RemoveCvRef<T&&> : RemoveCvRef<T> {};
template <class T>
using plain_t = typename RemoveCvRef<T>::type;

template <class T>
T&& declval() noexcept;

template <class... Ts>
inline constexpr bool dependent_false = false;

template <class T, class... Ts>
inline constexpr bool is_any_of = (is_same_v<T, Ts> || ...);

template <class T>
inline constexpr bool is_integer_v = is_any_of<plain_t<T>, bool, char, schar, uchar, short, ushort,
                                               int, uint, long, ulong, longlong, ulonglong>;
template <class T>
inline constexpr bool is_real_v = is_any_of<plain_t<T>, float, double>;
template <class T>
inline constexpr bool is_signed_integer_v = is_integer_v<T> && (T(-1) < T(0));

/// The unsigned type in which a promoted integer's arithmetic wraps.
template <class T>
using wrapping_t = conditional_t<(sizeof(T) <= 4), uint, ulonglong>;

template <int... I>
struct IndexSequence {};
#if defined(__has_builtin)
#if __has_builtin(__make_integer_seq)
#define FK_MAKE_INTEGER_SEQ 1
#endif
#if __has_builtin(__type_pack_element)
#define FK_TYPE_PACK_ELEMENT 1
#endif
#endif
#if defined(FK_MAKE_INTEGER_SEQ)
template <class, int... I>
using index_sequence_of = IndexSequence<I...>;
template <int N>
using make_index_sequence = __make_integer_seq<index_sequence_of, int, N>;
#else
template <int N>
struct MakeIndexSequence {
  using type = IndexSequence<__integer_pack(N)...>;
};
template <int N>
using make_index_sequence = typename MakeIndexSequence<N>::type;
#endif

#if defined(FK_TYPE_PACK_ELEMENT)
template <int I, class... Ts>
struct TypeAt {
  using type = __type_pack_element<I, Ts...>;
};
#else
template <int I, class T>
struct IndexedType {
  using type = T;
};
template <class Indexes, class... Ts>
struct IndexedTypes;
template <int... I, class... Ts>
struct IndexedTypes<IndexSequence<I...>, Ts...> : IndexedType<I, Ts>... {};
template <int I, class T>
IndexedType<I, T> type_at_index(const IndexedType<I, T>&);
template <int I, class... Ts>
struct TypeAt : decltype(type_at_index<I>(
                    declval<IndexedTypes<make_index_sequence<sizeof...(Ts)>, Ts...>>())) {};
#endif

// loops, not folds: a pipeline may have more operations than compilers nest in one expression
template <bool... B>
FK_FN int how_many() {
  const bool all[] = {false, B...};
  int n = 0;
  for (const bool b : all) n += b ? 1 : 0;
  return n;
}
template <bool... B>
inline constexpr bool any_v = how_many<B...>() > 0;
template <bool... B>
inline constexpr bool all_v = how_many<B...>() == static_cast<int>(sizeof...(B));

template <class T>
FK_FN T max_of(T a, T b) {
  return a < b ? b : a;
}
template <class T>
FK_FN T min_of(T a, T b) {
  return b < a ? b : a;
}

template <class To, class From>
FK_FN To bit_copy(const From& from) {
  return __builtin_bit_cast(To, from);
}

}  // namespace fk
