// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <fused_kernel/core/data/rawptr.h>
#include <fused_kernel/core/execution_model/operation_model/fused.h>

namespace fk {

template <class T>
struct ReadSetParams {
  T value;
  ActiveThreads size;
};

/// The same value at every position.
template <class T>
struct ReadSet : ReadOperation<T, ReadSetParams<T>, T, TF::DISABLED, ReadSet<T>>,
                 ReadsByPlane<ReadSet<T>> {
  using Parent = ReadOperation<T, ReadSetParams<T>, T, TF::DISABLED, ReadSet<T>>;
  using Data = OperationData<ReadSet>;
  using Parent::build;
  FK_HOST_DEVICE_FUSE auto build(const T& value, const ActiveThreads& size) {
    return Parent::build(ReadSetParams<T>{value, size});
  }
  template <ND D>
  FK_HOST_DEVICE_FUSE auto build(const T& value, const PtrDims<D>& dims) {
    return build(value, ActiveThreads(dims.width, rows_of(dims), planes_of(dims)));
  }
  struct Row {
    T value;
    FK_FN T at(index_t) const { return value; }
  };
  struct Plane {
    T value;
    FK_FN Row row(index_t) const { return {value}; }
  };
  template <ParArch PA, class Tables>
  FK_HOST_DEVICE_FUSE Plane plane(index_t, const Data& data, const Tables&) {
    return {data.params.value};
  }
  template <class Tables>
  FK_HOST_DEVICE_FUSE ActiveThreads plane_extent(index_t, const Data& data, const Tables&) {
    return ActiveThreads(data.params.size.x, data.params.size.y, 1);
  }
  FK_HOST_DEVICE_FUSE ActiveThreads getActiveThreads(const Data& data) { return data.params.size; }
};

}  // namespace fk
