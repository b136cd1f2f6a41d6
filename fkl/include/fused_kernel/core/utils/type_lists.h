// SPDX-License-Identifier: Apache-2.0
// Lists of types, and questions about them.
#pragma once
#include <fused_kernel/core/utils/template_operations.h>
#include <utility>

namespace fk {

template <class... Ts>
struct TypeList {
  static constexpr int size = sizeof...(Ts);
};
template <class T>
inline constexpr bool isTypeList = false;
template <class... Ts>
inline constexpr bool isTypeList<TypeList<Ts...>> = true;

template <class... Lists>
struct TypeListCat;
template <class... Ts>
struct TypeListCat<TypeList<Ts...>> {
  using type = TypeList<Ts...>;
};
template <class... A, class... B, class... Rest>
struct TypeListCat<TypeList<A...>, TypeList<B...>, Rest...>
    : TypeListCat<TypeList<A..., B...>, Rest...> {};
template <class... Lists>
using TypeListCat_t = typename TypeListCat<Lists...>::type;

/// Element I of TypeList, Tuple or anything else with types as its only arguments.
template <int I, class List>
struct TypeOfList;
template <int I, template <class...> class List, class... Ts>
struct TypeOfList<I, List<Ts...>> : TypeAt<I, Ts...> {
  static_assert(I >= 0 && I < static_cast<int>(sizeof...(Ts)),
                "fkl: a list of types has no element at this index");
};
template <int I, class List>
using TypeAt_t = typename TypeOfList<I, List>::type;
template <int I, class List>
using get_type_t = TypeAt_t<I, List>;

template <class... Ts>
using FirstType_t = typename TypeAt<0, Ts...>::type;
template <class... Ts>
using LastType_t = typename TypeAt<static_cast<int>(sizeof...(Ts)) - 1, Ts...>::type;

/// The list and the type may stand in either order.
template <class A, class B>
struct InsertTypeBack {
  using type = TypeListCat_t<B, TypeList<A>>;
};
template <class... Ts, class T>
struct InsertTypeBack<TypeList<Ts...>, T> {
  using type = TypeList<Ts..., T>;
};
template <class A, class B>
using InsertTypeBack_t = typename InsertTypeBack<A, B>::type;
template <class A, class B>
struct InsertTypeFront {
  using type = TypeListCat_t<TypeList<A>, B>;
};
template <class... Ts, class T>
  requires(!isTypeList<T>)
struct InsertTypeFront<TypeList<Ts...>, T> {
  using type = TypeList<T, Ts...>;
};
template <class A, class B>
using InsertTypeFront_t = typename InsertTypeFront<A, B>::type;

template <int From, class List, class Indexes>
struct Sublist;
template <int From, class List, int... I>
struct Sublist<From, List, IndexSequence<I...>> {
  using type = TypeList<TypeAt_t<From + I, List>...>;
};
template <int From, int Count, class List>
using sublist_t = typename Sublist<From, List, make_index_sequence<Count>>::type;

/// The list with T before what was at index I.
template <int I, class T, class List>
using InsertType_t =
    TypeListCat_t<sublist_t<0, I, List>, TypeList<T>, sublist_t<I, List::size - I, List>>;
/// The list without element I.
template <int I, class List>
using RemoveType_t =
    TypeListCat_t<sublist_t<0, I, List>, sublist_t<I + 1, List::size - I - 1, List>>;

/// Position of the first T in the list; -1 where there is none.
template <class T, class List>
inline constexpr int TypeIndex_v = -1;
template <class T, class... Ts>
inline constexpr int TypeIndex_v<T, TypeList<Ts...>> = [] {
  int found = -1;
  int i = 0;
  ((found = (found < 0 && is_same_v<T, Ts>) ? i : found, ++i), ...);
  return found;
}();
template <class T, class List>
inline constexpr bool one_of_v = TypeIndex_v<T, List> >= 0;
template <class T, class List>
inline constexpr bool all_of_v = false;
template <class T, class... Ts>
inline constexpr bool all_of_v<T, TypeList<Ts...>> = (is_same_v<T, Ts> && ...);

/// The type in `To` that stands where T stands in `From`.
template <class T, class From, class To>
  requires(one_of_v<T, From>)
using EquivalentType_t = TypeAt_t<TypeIndex_v<T, From>, To>;

template <bool KEEP, std::size_t I>
using index_if_t = conditional_t<KEEP, std::index_sequence<I>, std::index_sequence<>>;
template <class... Sequences>
struct JoinSequences {
  using type = std::index_sequence<>;
};
template <std::size_t... I>
struct JoinSequences<std::index_sequence<I...>> {
  using type = std::index_sequence<I...>;
};
template <std::size_t... A, std::size_t... B, class... Rest>
struct JoinSequences<std::index_sequence<A...>, std::index_sequence<B...>, Rest...>
    : JoinSequences<std::index_sequence<A..., B...>, Rest...> {};

/// Indexes of the elements T for which Restriction::complies<T>() holds.
template <class Restriction, class List, class Indexes = std::make_index_sequence<List::size>>
struct FilteredIndexes;
template <class Restriction, class... Ts, std::size_t... I>
struct FilteredIndexes<Restriction, TypeList<Ts...>, std::index_sequence<I...>> {
  using type = typename JoinSequences<index_if_t<Restriction::template complies<Ts>(), I>...>::type;
};
template <class Restriction, class List>
using filtered_index_sequence_t = typename FilteredIndexes<Restriction, List>::type;

}  // namespace fk
