// SPDX-License-Identifier: Apache-2.0
// Operations that follow each other, as a balanced tree: types stay small and nothing recurses
// deeply.
#pragma once
#include <fused_kernel/core/data/tuple.h>
#include <fused_kernel/core/execution_model/operation_model/parents.h>
#include <fused_kernel/core/execution_model/operation_model/plane_table.h>

namespace fk {

/// Where a value stands, and where per-plane tables are to be read.
template <class Tables>
struct At {
  index_t x, y, z;
  const Tables& tables;
  FK_FN Point point() const {
    return Point{static_cast<int>(x), static_cast<int>(y), static_cast<int>(z)};
  }
};

struct NoOperation {};
template <class A, class B>
struct Link {
  [[no_unique_address]] A first;
  [[no_unique_address]] B second;
};

template <class A, class B>
FK_FN Link<A, B> link(const A& a, const B& b) {
  return {a, b};
}

template <class V, class T>
FK_FN V apply(const NoOperation&, const V& v, const At<T>&) {
  return v;
}

/// One middle operation on one value.
template <is_instance IOp, class V, class T>
FK_FN auto apply(const IOp& iop, const V& v, const At<T>& at) {
  using Op = typename IOp::Operation;
  static_assert(is_middle<IOp>, "fkl: only compute operations may follow the last read");
  static_assert(accepts<Op, V>, "fkl: an operation cannot take what the one before it gives");
  if constexpr (opIs<UnaryType, IOp>) {
    return Op::exec(v);
  } else if constexpr (opIs<BinaryType, IOp>) {
    if constexpr (requires { Op::exec(v, iop.params); })
      return Op::exec(v, iop.params);
    else
      return Op::exec(v, static_cast<const OperationData<Op>&>(iop));
  } else if constexpr (opIs<TernaryType, IOp>) {
    return Op::exec(v, iop.params, iop.backIOp);
  } else if constexpr (opIs<OpenType, IOp>) {
    if constexpr (requires { Op::exec_at(at, v, iop.params); })
      return Op::exec_at(at, v, iop.params);
    else
      return Op::exec(at.point(), v, iop.params);
  } else if constexpr (opIs<MidWriteType, IOp>) {
    Op::exec(at.point(), v, iop.params);
    return v;
  } else {
    static_assert(dependent_false<IOp>, "fkl: only compute operations may follow the last read");
  }
}

template <class A, class B, class V, class T>
FK_FN auto apply(const Link<A, B>& chain, const V& v, const At<T>& at) {
  return apply(chain.second, apply(chain.first, v, at), at);
}

/// A chain as a GPU's kernel takes it: what depends on the parameters alone, worked out once a
/// launch. Operations that have such a form overload this.
template <class IOp>
FK_HOST inline IOp for_kernel(const IOp& iop) {
  return iop;
}
template <class A, class B>
FK_HOST inline auto for_kernel(const Link<A, B>& chain) {
  return link(for_kernel(chain.first), for_kernel(chain.second));
}

template <int... I, class... Ts>
FK_FN auto paired(const Tuple<Ts...>& t, IndexSequence<I...>) {
  constexpr int n = sizeof...(Ts);
  if constexpr (n % 2 == 0)
    return make_tuple(link(leaf<2 * I>(t), leaf<2 * I + 1>(t))...);
  else
    return make_tuple(link(leaf<2 * I>(t), leaf<2 * I + 1>(t))..., leaf<n - 1>(t));
}
template <class... Ts>
FK_FN auto chain_of(const Tuple<Ts...>& t) {
  if constexpr (sizeof...(Ts) == 0)
    return NoOperation{};
  else if constexpr (sizeof...(Ts) == 1)
    return leaf<0>(t);
  else
    return chain_of(paired(t, make_index_sequence<sizeof...(Ts) / 2>{}));
}
template <int From, int... I, class... Ts>
FK_FN auto chain_from(const Tuple<Ts...>& t, IndexSequence<I...>) {
  return chain_of(make_tuple(leaf<From + I>(t)...));
}

/// Whether values are all that matters: such a chain may run over a block of memory as one long
/// row.
template <class C>
struct PositionFree {
  static constexpr bool value = !opIs<OpenType, C> && !opIs<MidWriteType, C>;
};
template <class A, class B>
struct PositionFree<Link<A, B>> {
  static constexpr bool value = PositionFree<A>::value && PositionFree<B>::value;
};

/// The type that a chain makes of V.
template <class C, class V>
using chain_result_t =
    decltype(apply(declval<const C&>(), declval<const V&>(), declval<const At<HostTables>&>()));

}  // namespace fk
