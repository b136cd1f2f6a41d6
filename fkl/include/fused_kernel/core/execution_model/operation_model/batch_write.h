// SPDX-License-Identifier: Apache-2.0
// Several writes as one: plane z of the pipeline goes to write z.
#pragma once
#include <fused_kernel/core/execution_model/operation_model/batch_read.h>

namespace fk {

/// Adapts a write that only has exec(Point, value, params).
template <class Op>
struct ExecWritePlane {
  const typename Op::ParamsType& params;
  index_t z;
  struct Row {
    const typename Op::ParamsType& params;
    index_t y, z;
    template <class V>
    FK_HD FK_INLINE void put(index_t x, const V& v) const {
      Op::exec(Point{static_cast<int>(x), static_cast<int>(y), static_cast<int>(z)}, v, params);
    }
  };
  FK_FN Row row(index_t y) const { return {params, y, z}; }
};

template <std::size_t N, class Op>
struct BatchWrite : WriteOperation<typename Op::InputType, Array<typename Op::ParamsType, N>,
                                   typename Op::WriteDataType,
                                   static_cast<TF>(has_thread_fusion<Op>), BatchWrite<N, Op>> {
  using Operation = Op;
  using Data = OperationData<BatchWrite>;
  using Params = Array<typename Op::ParamsType, N>;
  static constexpr int BATCH = static_cast<int>(N);

  FK_HOST_DEVICE_FUSE void exec(const Point& p, const typename Op::InputType& v,
                                const Params& params) {
    const auto& own = params[static_cast<std::size_t>(p.z)];
    Op::exec(Point{p.x, p.y, static_cast<int>(own_plane(OperationData<Op>(own), p.z))}, v, own);
  }
  template <ParArch PA, class Tables>
  FK_HOST_DEVICE_FUSE auto plane(index_t z, const Data& data, const Tables& tables) {
    const auto& own = data.params[static_cast<std::size_t>(z)];
    const OperationData<Op> one(own);
    if constexpr (requires { Op::template plane<PA>(z, one, tables); })
      return Op::template plane<PA>(own_plane(one, z), one, tables);
    else
      return ExecWritePlane<Op>{own, own_plane(one, z)};
  }
  /// How much plane z can take.
  template <class Tables>
  FK_HOST_DEVICE_FUSE ActiveThreads plane_extent(index_t z, const Data& data, const Tables& tables)
    requires requires(const OperationData<Op>& d) { Op::plane_extent(z, d, tables); }
  {
    return Op::plane_extent(0, OperationData<Op>(data.params[static_cast<std::size_t>(z)]), tables);
  }
  FK_HOST_DEVICE_FUSE extent_t planes(const Data&) { return N; }
};

}  // namespace fk
