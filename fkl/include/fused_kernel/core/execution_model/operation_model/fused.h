// SPDX-License-Identifier: Apache-2.0
// Several instantiable operations as one, and the rules by which they become one.
#pragma once
#include <fused_kernel/core/execution_model/operation_model/per_plane.h>
#include <fused_kernel/core/execution_model/operation_model/reading.h>

namespace fk {

template <class Enabler, class... IOps>
struct OperationTuple_ {
  static constexpr int size = sizeof...(IOps);
  Tuple<IOps...> instances;
};
template <class... IOps>
using OperationTuple = OperationTuple_<void, IOps...>;

template <int I, class... IOps>
FK_FN const auto& get_opt(const OperationTuple<IOps...>& t) {
  return leaf<I>(t.instances);
}

template <class... IOps>
struct FusedKind {
  using First = typename TypeAt<0, IOps...>::type;
  using Last = typename TypeAt<sizeof...(IOps) - 1, IOps...>::type;
  static constexpr bool reads = isAnyCompleteReadType<First>;
  static constexpr bool writes = opIs<WriteType, Last>;
  static constexpr bool places = any_v<(opIs<MidWriteType, IOps> || opIs<OpenType, IOps>)...>;
  using type = conditional_t<
      reads && writes, ClosedType,
      conditional_t<reads, ReadType,
                    conditional_t<writes, WriteType,
                                  conditional_t<places, OpenType,
                                                conditional_t<allUnaryTypes<IOps...>, UnaryType,
                                                              BinaryType>>>>>;
};

template <class Enabler, class... IOps>
struct FusedOperation_;
template <class... IOps>
using FusedOperation = FusedOperation_<void, IOps...>;

template <class T>
inline constexpr bool is_fused_instance = false;
template <template <class> class I, class... IOps>
inline constexpr bool is_fused_instance<I<FusedOperation_<void, IOps...>>> = sizeof...(IOps) > 0;

// nested fusions are laid flat, so that fused-of-fused is one list
template <class IOp>
FK_FN auto parts_of(const IOp& iop) {
  if constexpr (is_fused_instance<plain_t<IOp>>) {
    if constexpr (has_params<typename IOp::Operation>)
      return iop.params.instances;
    else
      return typename IOp::Operation::Parts{};
  } else {
    return Tuple<IOp>{{{iop}}};
  }
}
template <int... I, class... A, int... J, class... B>
FK_FN auto joined(const Tuple<A...>& a, const Tuple<B...>& b, IndexSequence<I...>,
                  IndexSequence<J...>) {
  return Tuple<A..., B...>{{{leaf<I>(a)}..., {leaf<J>(b)}...}};
}
template <class... A>
FK_FN Tuple<A...> join(const Tuple<A...>& a) {
  return a;
}
template <class... A, class... B, class... Rest>
FK_FN auto join(const Tuple<A...>& a, const Tuple<B...>& b, const Rest&... rest) {
  return join(
      joined(a, b, make_index_sequence<sizeof...(A)>{}, make_index_sequence<sizeof...(B)>{}),
      rest...);
}
template <class... IOps>
FK_FN auto fused_from(const Tuple<IOps...>& parts) {
  using Op = FusedOperation<IOps...>;
  if constexpr (has_params<Op>)
    return Instantiable<Op>{OperationData<Op>(OperationTuple<IOps...>{parts})};
  else
    return Instantiable<Op>{};
}

template <class FirstPlane, class Chain, class Tables>
struct FusedPlane {
  FirstPlane first;
  Chain chain;
  index_t z;
  const Tables& tables;
  template <class FirstRow>
  struct Row {
    FirstRow first;
    Chain chain;
    index_t y, z;
    const Tables& tables;
    FK_FN auto at(index_t x) const {
      return apply(chain, first.at(x), At<Tables>{x, y, z, tables});
    }
  };
  FK_FN auto row(index_t y) {
    using R = decltype(first.row(y));
    return Row<R>{first.row(y), chain, y, z, tables};
  }
  FK_FN bool valid() const { return is_valid(first); }
};

template <>
struct FusedOperation_<void> {
  template <class... IOps>
  FK_HOST_DEVICE_FUSE auto build(const IOps&... iops) {
    return fused_from(join(parts_of(iops)...));
  }
};

template <class... IOps>
  requires(is_same_v<typename FusedKind<IOps...>::type, UnaryType>)
struct FusedOperation_<void, IOps...>
    : UnaryOperation<GetInputType_t<typename TypeAt<0, IOps...>::type>,
                     GetOutputType_t<typename TypeAt<sizeof...(IOps) - 1, IOps...>::type>,
                     FusedOperation_<void, IOps...>, true> {
  using Parts = Tuple<IOps...>;
  template <class V>
  FK_HOST_DEVICE_FUSE auto exec(const V& v) {
    return apply(chain_of(Parts{}), v, At<HostTables>{0, 0, 0, HostTables{}});
  }
};

template <class... IOps>
  requires(is_any_of<typename FusedKind<IOps...>::type, BinaryType, OpenType>)
struct FusedOperation_<void, IOps...>
    : ParamsParent<FusedOperation_<void, IOps...>, typename FusedKind<IOps...>::type,
                   OperationTuple<IOps...>> {
  using InputType = GetInputType_t<typename TypeAt<0, IOps...>::type>;
  using Last = typename TypeAt<sizeof...(IOps) - 1, IOps...>::type;
  static constexpr bool IS_FUSED_OP = true;
  using OutputType = chain_result_t<decltype(chain_of(declval<Tuple<IOps...>>())), InputType>;
  FK_HOST_DEVICE_FUSE auto exec(const InputType& v, const OperationTuple<IOps...>& params) {
    return apply(chain_of(params.instances), v, At<HostTables>{0, 0, 0, HostTables{}});
  }
  template <class Tables>
  FK_HOST_DEVICE_FUSE auto exec_at(const At<Tables>& at, const InputType& v,
                                   const OperationTuple<IOps...>& params) {
    return apply(chain_of(params.instances), v, at);
  }
  FK_HOST_DEVICE_FUSE extent_t planes_of_parts(const OperationTuple<IOps...>& params) {
    return planes_asked(chain_of(params.instances));
  }
  template <class Data, class F>
  FK_HOST static void visit_parts(Data& data, const F& f) {
    visit_each(data.params.instances, f, make_index_sequence<sizeof...(IOps)>{});
  }
  template <class T, class F, int... I>
  FK_HOST static void visit_each(T& parts, const F& f, IndexSequence<I...>) {
    [[maybe_unused]] const int visited[] = {(visit_tables(leaf<I>(parts), f), 0)...};
  }
};
}  // namespace fk

#include <fused_kernel/core/execution_model/operation_model/fused_memory.h>
