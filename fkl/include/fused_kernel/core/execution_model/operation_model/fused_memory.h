// SPDX-License-Identifier: Apache-2.0
// Fused operations that read or write memory. Included by fused.h.
#pragma once
#include <fused_kernel/core/execution_model/operation_model/fused.h>

namespace fk {

template <class... IOps>
  requires(is_same_v<typename FusedKind<IOps...>::type, ReadType>)
struct FusedOperation_<void, IOps...>
    : ParamsParent<FusedOperation_<void, IOps...>, ReadType, OperationTuple<IOps...>>,
      ReadsByPlane<FusedOperation_<void, IOps...>> {
  using Data = OperationData<FusedOperation_>;
  using First = typename TypeAt<0, IOps...>::type;
  using ReadDataType = typename First::Operation::ReadDataType;
  using Rest = decltype(chain_from<1>(declval<Tuple<IOps...>>(),
                                      make_index_sequence<sizeof...(IOps) - 1>{}));
  using OutputType = plain_t<chain_result_t<Rest, GetOutputType_t<First>>>;
  static constexpr bool IS_FUSED_OP = true;
  static constexpr bool THREAD_FUSION = false;

  FK_HOST_DEVICE_FUSE const First& first(const Data& data) {
    return leaf<0>(data.params.instances);
  }
  FK_HOST_DEVICE_FUSE Rest rest(const Data& data) {
    return chain_from<1>(data.params.instances, make_index_sequence<sizeof...(IOps) - 1>{});
  }
  template <ParArch PA, class Tables>
  FK_HOST_DEVICE_FUSE auto plane(index_t z, const Data& data, const Tables& tables) {
    using FirstPlane = decltype(plane_of<PA>(first(data), z, tables));
    const index_t from = plane_behind<Rest>(first(data), z);
    return FusedPlane<FirstPlane, Rest, Tables>{plane_of<PA>(first(data), from, tables), rest(data),
                                                z, tables};
  }
  template <class Tables>
  FK_HOST_DEVICE_FUSE ActiveThreads plane_extent(index_t z, const Data& data,
                                                 const Tables& tables) {
    return fk::plane_extent(first(data), plane_behind<Rest>(first(data), z), tables);
  }
  FK_HOST_DEVICE_FUSE ActiveThreads getActiveThreads(const Data& data) {
    ActiveThreads all = First::Operation::getActiveThreads(first(data));
    all.z = num_elems_z(Point{}, data);
    return all;
  }
  FK_HOST_DEVICE_FUSE extent_t num_elems_z(const Point&, const Data& data) {
    return planes_through(first(data), rest(data));
  }
  template <class D, class F>
  FK_HOST static void visit_parts(D& data, const F& f) {
    visit_each(data.params.instances, f, make_index_sequence<sizeof...(IOps)>{});
  }
  template <class T, class F, int... I>
  FK_HOST static void visit_each(T& parts, const F& f, IndexSequence<I...>) {
    [[maybe_unused]] const int visited[] = {(visit_tables(leaf<I>(parts), f), 0)...};
  }
};

// compute operations before a write, or a whole pipeline as one operation
template <class... IOps>
  requires(is_any_of<typename FusedKind<IOps...>::type, WriteType, ClosedType>)
struct FusedOperation_<void, IOps...>
    : ParamsParent<FusedOperation_<void, IOps...>, typename FusedKind<IOps...>::type,
                   OperationTuple<IOps...>> {
  static constexpr int n = sizeof...(IOps);
  using First = typename TypeAt<0, IOps...>::type;
  using Last = typename TypeAt<n - 1, IOps...>::type;
  static constexpr bool IS_FUSED_OP = true;
  static constexpr bool THREAD_FUSION = false;
  using Params = OperationTuple<IOps...>;

  template <class V>
  FK_HOST_DEVICE_FUSE void exec(const Point& p, const V& v, const Params& params) {
    const HostTables tables{};
    const auto chain = chain_from<0>(params.instances, make_index_sequence<n - 1>{});
    const auto& write = leaf<n - 1>(params.instances);
    Last::Operation::exec(p, apply(chain, v, At<HostTables>{p.x, p.y, p.z, tables}), write.params);
  }
  FK_HOST_DEVICE_FUSE void exec(const Point& p, const Params& params)
    requires(isAnyCompleteReadType<First>)
  {
    const HostTables tables{};
    const auto chain = chain_from<1>(params.instances, make_index_sequence<n - 2>{});
    const auto& write = leaf<n - 1>(params.instances);
    const auto v = plane_of<ParArch::None>(leaf<0>(params.instances), p.z, tables).row(p.y).at(p.x);
    Last::Operation::exec(p, apply(chain, v, At<HostTables>{p.x, p.y, p.z, tables}), write.params);
  }
};

/// Joins where one side is a batch; batch_fusion.h defines it.
template <class Self, class Next>
struct BatchFuser;

/// Backwards: the continuation reads through self. Forwards: one operation after the other.
struct Fuser {
  template <class Self, class Next>
  FK_HOST_DEVICE_FUSE auto fuse(const Self& self, const Next& next) {
    static_assert(!is_waiting<Self>,
                  "fkl: nothing can follow an operation that still waits for its source");
    static_assert(
        !isAnyCompleteReadType<Next> || is_waiting<Next>,
        "fkl: a complete read cannot follow another operation; build it without a source");
    if constexpr (is_batch<Self> || is_batch<Next>)
      return BatchFuser<Self, Next>::fuse(self, next);
    else if constexpr (opIs<IncompleteReadBackType, Next>)
      return Next::Operation::build(self, next);
    else
      return FusedOperation<>::build(self, next);
  }
};

template <class Self, class Next, class... Rest>
FK_FN auto fuse_all(const Self& self, const Next& next, const Rest&... rest) {
  if constexpr (sizeof...(Rest) == 0)
    return Fuser::fuse(self, next);
  else
    return fuse_all(Fuser::fuse(self, next), rest...);
}
template <class Self, class... Continuations>
FK_FN auto fuse(const Self& self, const Continuations&... continuations) {
  if constexpr (sizeof...(Continuations) == 0)
    return self;
  else
    return fuse_all(self, continuations...);
}
template <is_instance A, is_instance B>
FK_FN auto operator&(const A& a, const B& b) {
  return Fuser::fuse(a, b);
}

/// Position of the last operation that reads through another one; 0 where there is none.
template <class... IOps>
FK_FN int last_read_back() {
  const bool through[] = {(opIs<ReadBackType, IOps> || is_waiting<IOps>)...};
  int last = 0;
  for (int i = 0; i < static_cast<int>(sizeof...(IOps)); ++i) last = through[i] ? i : last;
  return last;
}

struct BackFuser {
  template <int... I, class... Ts>
  FK_HOST_DEVICE_FUSE auto fuse_range(const Tuple<Ts...>& t, IndexSequence<I...>) {
    return fuse(leaf<I>(t)...);
  }
  template <int From, int... I, class First, class... Ts>
  FK_HOST_DEVICE_FUSE auto prepend(const First& first, const Tuple<Ts...>& t, IndexSequence<I...>) {
    return make_tuple(first, leaf<From + I>(t)...);
  }
  /// The operations as a tuple whose first element is the whole of what reads.
  template <class... IOps>
  FK_HOST_DEVICE_FUSE auto fuse_back(const IOps&... iops) {
    constexpr int last = last_read_back<IOps...>();
    const Tuple<IOps...> all{{{iops}...}};
    if constexpr (last == 0)
      return all;
    else
      return prepend<last + 1>(fuse_range(all, make_index_sequence<last + 1>{}), all,
                               make_index_sequence<static_cast<int>(sizeof...(IOps)) - last - 1>{});
  }
};

}  // namespace fk
