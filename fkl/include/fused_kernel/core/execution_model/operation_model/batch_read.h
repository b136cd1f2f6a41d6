// SPDX-License-Identifier: Apache-2.0
// Several reads as one: plane z of the batch is read by operation z.
#pragma once
#include <fused_kernel/core/data/array.h>
#include <fused_kernel/core/execution_model/operation_model/fused.h>
#include <fused_kernel/core/utils/type_lists.h>

namespace fk {

/// CONDITIONAL_WITH_DEFAULT: only the first `usedPlanes` planes are read, the others hold a
/// default.
enum class PlanePolicy { PROCESS_ALL = 0, CONDITIONAL_WITH_DEFAULT = 1 };

template <PlanePolicy PP, std::size_t N, class Op>
struct BatchReadParams {
  Array<OperationData<Op>, N> opData;
  ActiveThreads activeThreads;
};
template <std::size_t N, class Op>
struct BatchReadParams<PlanePolicy::CONDITIONAL_WITH_DEFAULT, N, Op> {
  Array<OperationData<Op>, N> opData;
  int usedPlanes;
  typename Op::OutputType default_value;
  ActiveThreads activeThreads;
};

/// What plane_of and plane_extent are for an instance, for an operation's data alone.
template <ParArch PA, class Op, class Tables>
FK_FN auto plane_of_data(const OperationData<Op>& data, index_t z, const Tables& tables) {
  if constexpr (requires { Op::template plane<PA>(z, data, tables); })
    return Op::template plane<PA>(z, data, tables);
  else
    return ExecPlane<Op>{data, z};
}
template <class Op, class Tables>
FK_FN ActiveThreads extent_of_data(const OperationData<Op>& data, index_t z, const Tables& tables) {
  if constexpr (requires { Op::plane_extent(z, data, tables); }) {
    return Op::plane_extent(z, data, tables);
  } else {
    const Point p{0, 0, static_cast<int>(z)};
    return ActiveThreads(Op::num_elems_x(p, data), Op::num_elems_y(p, data), 1);
  }
}
/// An element with one plane of its own is read there, whatever its place in the batch.
template <class Op>
FK_FN index_t own_plane(const OperationData<Op>& data, index_t z) {
  if constexpr (requires { Op::getActiveThreads(data); })
    return Op::getActiveThreads(data).z > 1 ? z : 0;
  else
    return z;
}

template <class R>
union RowOrNone {
  char none;
  R row;
  FK_FN RowOrNone() : none(0) {}
  FK_FN explicit RowOrNone(const R& r) : row(r) {}
};

/// A plane that is read, or one value everywhere.
template <class Plane, class T>
struct ConditionalPlane {
  Plane plane;
  bool used;
  T other;
  template <class R>
  struct Row {
    RowOrNone<R> source;
    bool used;
    T other;
    FK_FN T at(index_t x) const { return used ? T(source.row.at(x)) : other; }
  };
  FK_FN auto row(index_t y) {
    using R = decltype(plane.row(y));
    return used ? Row<R>{RowOrNone<R>(plane.row(y)), true, other}
                : Row<R>{RowOrNone<R>(), false, other};
  }
  FK_FN bool valid() const {
    if constexpr (requires { plane.valid(); })
      return plane.valid();
    else
      return true;
  }
};

template <class Op>
inline constexpr bool has_thread_fusion = [] {
  if constexpr (requires { Op::THREAD_FUSION; })
    return static_cast<bool>(Op::THREAD_FUSION);
  else
    return false;
}();

template <PlanePolicy PP = PlanePolicy::PROCESS_ALL, std::size_t N = 1, class Op = TypeList<void>>
struct BatchRead
    : ReadOperation<typename Op::ReadDataType, BatchReadParams<PP, N, Op>, typename Op::OutputType,
                    static_cast<TF>(PP == PlanePolicy::PROCESS_ALL && has_thread_fusion<Op>),
                    BatchRead<PP, N, Op>>,
      ReadsByPlane<BatchRead<PP, N, Op>> {
  using Operation = Op;
  using Data = OperationData<BatchRead>;
  static constexpr int BATCH = static_cast<int>(N);
  static constexpr PlanePolicy PLANE_POLICY = PP;
  static constexpr bool conditional = PP == PlanePolicy::CONDITIONAL_WITH_DEFAULT;

  template <ParArch PA, class Tables>
  FK_HOST_DEVICE_FUSE auto plane(index_t z, const Data& data, const Tables& tables) {
    if constexpr (conditional) {
      const bool used = z < data.params.usedPlanes;
      // the entries of unused planes may hold anything
      const auto& own = data.params.opData[static_cast<std::size_t>(used ? z : 0)];
      using P = decltype(plane_of_data<PA>(own, z, tables));
      return ConditionalPlane<P, typename Op::OutputType>{
          plane_of_data<PA>(own, own_plane(own, z), tables), used, data.params.default_value};
    } else {
      const auto& own = data.params.opData[static_cast<std::size_t>(z)];
      return plane_of_data<PA>(own, own_plane(own, z), tables);
    }
  }
  template <class Tables>
  FK_HOST_DEVICE_FUSE ActiveThreads plane_extent(index_t z, const Data& data,
                                                 const Tables& tables) {
    if constexpr (conditional) {
      if (z >= data.params.usedPlanes)
        return ActiveThreads(data.params.activeThreads.x, data.params.activeThreads.y, 1);
    }
    const auto& own = data.params.opData[static_cast<std::size_t>(z)];
    return extent_of_data(own, own_plane(own, z), tables);
  }
  FK_HOST_DEVICE_FUSE ActiveThreads getActiveThreads(const Data& data) {
    return data.params.activeThreads;
  }
};

template <std::size_t N, class Op>
struct WaitingBatchParams {
  Array<OperationData<Op>, N> opData;
};
template <std::size_t N, class Op, class D>
struct WaitingBatchOrParams {
  Array<OperationData<Op>, N> opData;
  int usedPlanes;
  D default_value;
};

/// A batch of operations that still wait for their source: it can be fused, not run.
template <class Child, PlanePolicy PP, std::size_t N, class Op, class Params>
struct WaitingBatch : ParamsParent<Child, ReadType, Params> {
  using Operation = Op;
  using ReadDataType = NullType;
  using OutputType = NullType;
  static constexpr int BATCH = static_cast<int>(N);
  static constexpr PlanePolicy PLANE_POLICY = PP;
  static constexpr bool conditional = PP == PlanePolicy::CONDITIONAL_WITH_DEFAULT;
  static constexpr bool IS_WAITING = true;
  static constexpr bool IS_FUSED_OP = false;
  static constexpr bool THREAD_FUSION = false;
};
template <PlanePolicy PP, std::size_t N, class Op>
struct BatchRead<PP, N, TypeList<Op>>
    : WaitingBatch<BatchRead<PP, N, TypeList<Op>>, PP, N, Op, WaitingBatchParams<N, Op>> {};
template <PlanePolicy PP, std::size_t N, class Op, class D>
struct BatchRead<PP, N, TypeList<Op, D>>
    : WaitingBatch<BatchRead<PP, N, TypeList<Op, D>>, PP, N, Op, WaitingBatchOrParams<N, Op, D>> {};

}  // namespace fk
