// SPDX-License-Identifier: Apache-2.0
// Two images read side by side, for operations on two values.
#pragma once
#include <fused_kernel/algorithms/basic_ops/memory_operations.h>

namespace fk {

template <ND D, class T>
struct DualSourceParams {
  RawPtr<D, T> first, second;
};

/// The elements of both at each position; the size is the first one's.
template <ND D, class T>
struct DualSourceRead
    : ReadOperation<T, DualSourceParams<D, T>, Tuple<T, T>, TF::DISABLED, DualSourceRead<D, T>>,
      ReadsByPlane<DualSourceRead<D, T>> {
  using Parent =
      ReadOperation<T, DualSourceParams<D, T>, Tuple<T, T>, TF::DISABLED, DualSourceRead<D, T>>;
  using Data = OperationData<DualSourceRead>;
  using Parent::build;
  FK_HOST_DEVICE_FUSE auto build(const RawPtr<D, T>& first, const RawPtr<D, T>& second) {
    return Parent::build(DualSourceParams<D, T>{first, second});
  }
  struct Row {
    MemoryRow<T> first, second;
    FK_FN Tuple<T, T> at(index_t x) const { return {{{first.at(x)}, {second.at(x)}}}; }
  };
  struct Plane {
    DualSourceParams<D, T> params;
    index_t z;
    FK_FN Row row(index_t y) const {
      return {{row_pointer(params.first, y, z)}, {row_pointer(params.second, y, z)}};
    }
  };
  template <ParArch PA, class Tables>
  FK_HOST_DEVICE_FUSE Plane plane(index_t z, const Data& data, const Tables&) {
    return {data.params, z};
  }
  template <class Tables>
  FK_HOST_DEVICE_FUSE ActiveThreads plane_extent(index_t, const Data& data, const Tables&) {
    return ActiveThreads(data.params.first.dims.width, rows_of(data.params.first.dims), 1);
  }
  FK_HOST_DEVICE_FUSE ActiveThreads getActiveThreads(const Data& data) {
    const auto& d = data.params.first.dims;
    return ActiveThreads(d.width, rows_of(d), planes_of(d));
  }
};

}  // namespace fk
