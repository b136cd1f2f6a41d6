// SPDX-License-Identifier: Apache-2.0
// Making batches: from arrays of what builds an operation, or from operations.
#pragma once
#include <fused_kernel/core/execution_model/operation_model/batch_write.h>
#include <fused_kernel/core/utils/scalar.h>

namespace fk {

template <class IOp, std::size_t N, int... I>
FK_FN auto data_of(const Array<IOp, N>& iops, IndexSequence<I...>) {
  using Op = typename IOp::Operation;
  return Array<OperationData<Op>, N>{{static_cast<const OperationData<Op>&>(iops[I])...}};
}
/// The largest width and height of the operations, and N planes.
template <class Op, std::size_t N>
FK_FN ActiveThreads widest(const Array<OperationData<Op>, N>& data) {
  ActiveThreads all(0, 0, N);
  for (std::size_t i = 0; i < N; ++i) {
    const ActiveThreads one = extent_of_data(data[i], own_plane(data[i], 0), HostTables{});
    all.x = max_of(all.x, one.x);
    all.y = max_of(all.y, one.y);
  }
  return all;
}
template <class O, class D>
FK_FN O default_as(const D& value) {
  static_assert(
      cn<D> == cn<O> || cn<D> == 1,
      "fkl: the default of a batch has another number of channels than what it stands for");
  if constexpr (is_same_v<O, D>)
    return value;
  else
    return map_channels<O>(scalar::Truncate<VBase<O>>{}, value);
}

template <class IOp, std::size_t N>
FK_FN auto batch_all(const Array<IOp, N>& iops) {
  static_assert(isAnyReadType<IOp> && !is_batch<IOp>,
                "fkl: a batch is made of operations that read, none of them a batch");
  using Op = typename IOp::Operation;
  constexpr PlanePolicy all = PlanePolicy::PROCESS_ALL;
  const auto data = data_of(iops, make_index_sequence<static_cast<int>(N)>{});
  if constexpr (opIs<IncompleteReadBackType, IOp>) {
    using B = BatchRead<all, N, TypeList<Op>>;
    return Read<B>{OperationData<B>(typename B::ParamsType{data})};
  } else {
    using B = BatchRead<all, N, Op>;
    return Read<B>{OperationData<B>(typename B::ParamsType{data, widest(data)})};
  }
}
template <class IOp, std::size_t N, class D>
FK_FN auto batch_or(const Array<IOp, N>& iops, int used_planes, const D& other) {
  static_assert(isAnyReadType<IOp> && !is_batch<IOp>,
                "fkl: a batch is made of operations that read, none of them a batch");
  using Op = typename IOp::Operation;
  constexpr PlanePolicy some = PlanePolicy::CONDITIONAL_WITH_DEFAULT;
  const auto data = data_of(iops, make_index_sequence<static_cast<int>(N)>{});
  if constexpr (opIs<IncompleteReadBackType, IOp>) {
    using B = BatchRead<some, N, TypeList<Op, D>>;
    return Read<B>{OperationData<B>(typename B::ParamsType{data, used_planes, other})};
  } else {
    using B = BatchRead<some, N, Op>;
    return Read<B>{OperationData<B>(typename B::ParamsType{
        data, used_planes, default_as<typename Op::OutputType>(other), widest(data)})};
  }
}
template <class IOp, std::size_t N, int... I>
FK_FN auto batch_of_writes(const Array<IOp, N>& iops, IndexSequence<I...>) {
  using B = BatchWrite<N, typename IOp::Operation>;
  return Write<B>{OperationData<B>(typename B::ParamsType{{iops[I].params...}})};
}
template <class A, std::size_t... I>
FK_HOST constexpr auto as_fk_array(const A& a, std::index_sequence<I...>) {
  return Array<ArrayType<A>, sizeof...(I)>{{a[I]...}};
}
template <class A>
FK_HOST constexpr auto as_fk_array(const A& a) {
  return as_fk_array(a, std::make_index_sequence<arraySize<A>>{});
}

template <class Op>
struct BatchMaker {
  /// Operation i from element i of every array.
  template <class First, class... Rest>
  FK_HOST_FUSE auto each(const First& first, const Rest&... rest) {
    constexpr std::size_t n = arraySize<First>;
    static_assert(allArraysSameSize_v<n, Rest...>,
                  "fkl: the arrays that make a batch have different sizes");
    return each_of(std::make_index_sequence<n>{}, first, rest...);
  }
  template <class... Arrays>
  FK_HOST_FUSE auto batch(const Arrays&... arrays) {
    const auto iops = as_fk_array(each(arrays...));
    using IOp = ArrayType<decltype(iops)>;
    if constexpr (opIs<WriteType, IOp>)
      return batch_of_writes(iops,
                             make_index_sequence<static_cast<int>(arraySize<decltype(iops)>)>{});
    else
      return batch_all(iops);
  }
  template <class D, class... Arrays>
  FK_HOST_FUSE auto batch_or(int used_planes, const D& other, const Arrays&... arrays) {
    return fk::batch_or(as_fk_array(each(arrays...)), used_planes, other);
  }

 private:
  template <std::size_t... I, class... Arrays>
  FK_HOST_FUSE auto each_of(std::index_sequence<I...>, const Arrays&... arrays) {
    return std::array{one(I, arrays...)...};
  }
  template <class... Arrays>
  FK_HOST_FUSE auto one(std::size_t i, const Arrays&... arrays) {
    return Op::build(arrays[i]...);
  }
};

/// Batches from operations that are there already.
template <PlanePolicy PP, std::size_t N>
struct BatchRead<PP, N, TypeList<void>> {
  template <template <class, std::size_t> class A, class IOp, std::size_t M>
    requires(PP == PlanePolicy::PROCESS_ALL)
  FK_HOST_FUSE auto build(const A<IOp, M>& iops) {
    return batch_all(as_fk_array(iops));
  }
  template <template <class, std::size_t> class A, class IOp, std::size_t M, class D>
    requires(PP == PlanePolicy::CONDITIONAL_WITH_DEFAULT)
  FK_HOST_FUSE auto build(const A<IOp, M>& iops, int used_planes, const D& other) {
    return batch_or(as_fk_array(iops), used_planes, other);
  }
};

/// Operation i of a batch.
template <class IOp>
FK_FN auto batch_element(const IOp& batch, std::size_t i) {
  using Op = typename IOp::Operation::Operation;
  if constexpr (opIs<WriteType, IOp>)
    return Write<Op>{OperationData<Op>(batch.params[i])};
  else
    return Instantiable<Op>{batch.params.opData[i]};
}

struct BatchUtils {
  template <class IOp>
  FK_HOST_FUSE auto toArray(const IOp& batch) {
    static_assert(is_batch<IOp>, "fkl: toArray takes a batch");
    return elements(batch,
                    std::make_index_sequence<static_cast<std::size_t>(IOp::Operation::BATCH)>{});
  }
  template <class Op, class... Arrays>
  FK_HOST_FUSE auto build_batch(const Arrays&... arrays) {
    return BatchMaker<Op>::each(arrays...);
  }

 private:
  template <class IOp, std::size_t... I>
  FK_HOST_FUSE auto elements(const IOp& batch, std::index_sequence<I...>) {
    return std::array{batch_element(batch, I)...};
  }
};

}  // namespace fk

#include <fused_kernel/core/execution_model/operation_model/batch_fusion.h>
