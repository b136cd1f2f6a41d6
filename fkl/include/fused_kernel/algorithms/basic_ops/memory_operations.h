// SPDX-License-Identifier: Apache-2.0
// Reading and writing arrays. Rows are reached by byte pitches; channels are moved one by one on
// the CPU, so that no alignment beyond the number's own is assumed, and in the widest words that
// alignment allows on the GPU.
#pragma once
#include <fused_kernel/core/data/rawptr.h>
#include <fused_kernel/core/execution_model/operation_model/fused.h>
#include <fused_kernel/core/target/wide.h>

namespace fk {

template <class T>
struct MemoryRow {
  using Base = VBase<T>;
  T* FK_RESTRICT data;
  FK_FN T at(index_t x) const {
    const Base* c = reinterpret_cast<const Base*>(data) + x * cn<T>;
    if constexpr (cn<T> == 1)
      return vector_from<T>(c[0]);
    else if constexpr (cn<T> == 2)
      return T{c[0], c[1]};
    else if constexpr (cn<T> == 3)
      return T{c[0], c[1], c[2]};
    else
      return T{c[0], c[1], c[2], c[3]};
  }
  FK_HD FK_INLINE void put(index_t x, const T& v) const {
    Base* c = reinterpret_cast<Base*>(data) + x * cn<T>;
    c[0] = channel<0>(v);
    if constexpr (cn<T> > 1) c[1] = channel<1>(v);
    if constexpr (cn<T> > 2) c[2] = channel<2>(v);
    if constexpr (cn<T> > 3) c[3] = channel<3>(v);
  }
  template <int N>
  FK_HD FK_INLINE Packet<T, N> load(index_t x) const {
    return wide_load<N>(data + x);
  }
  template <int N>
  FK_HD FK_INLINE void store(index_t x, const Packet<T, N>& p) const {
    wide_store<N>(data + x, p);
  }
  FK_FN const T* pointer() const { return data; }
};
template <ND D, class T>
struct MemoryPlane {
  RawPtr<D, T> ptr;
  index_t z;
  FK_FN MemoryRow<T> row(index_t y) const { return {row_pointer(ptr, y, z)}; }
};

/// What every operation on one block of memory answers about it.
template <class Child, ND D, class T>
struct MemoryGeometry {
  using Ptr = RawPtr<D, T>;
  template <class Data, class Tables>
  FK_HOST_DEVICE_FUSE ActiveThreads plane_extent(index_t, const Data& data, const Tables&) {
    return ActiveThreads(data.params.dims.width, rows_of(data.params.dims), 1);
  }
  template <class Data>
  FK_HOST_DEVICE_FUSE ActiveThreads getActiveThreads(const Data& data) {
    const auto& d = data.params.dims;
    return ActiveThreads(d.width, rows_of(d), planes_of(d));
  }
  template <class Data>
  FK_HOST_DEVICE_FUSE extent_t pitch(const Point&, const Data& data) {
    return data.params.dims.pitch;
  }
  /// Bits of every address and pitch that a wide access depends on.
  FK_HOST_DEVICE_FUSE extent_t alignment_bits(const Ptr& p) {
    extent_t bits = reinterpret_cast<extent_t>(p.data);
    if (rows_of(p.dims) > 1) bits |= p.dims.pitch;
    if constexpr (D == ND::T3D) bits |= p.dims.color_planes_pitch;
    if (planes_of(p.dims) > 1) bits |= plane_stride_of(p.dims);
    return bits;
  }
  FK_HOST_DEVICE_FUSE bool rows_are_dense(const Ptr& p) {
    return rows_of(p.dims) <= 1 || p.dims.pitch == p.dims.width * sizeof(T);
  }
  FK_HOST_DEVICE_FUSE bool planes_are_dense(const Ptr& p) {
    if constexpr (D == ND::T3D)
      return planes_of(p.dims) <= 1;
    else
      return planes_of(p.dims) <= 1 ||
             plane_stride_of(p.dims) == p.dims.width * rows_of(p.dims) * sizeof(T);
  }
  /// The same memory with all its rows (and planes) as one row.
  FK_HOST_DEVICE_FUSE Ptr flat(const Ptr& p, bool planes) {
    Ptr one = p;
    one.dims.width = p.dims.width * rows_of(p.dims) * (planes ? planes_of(p.dims) : 1);
    if constexpr (D != ND::_1D) {
      one.dims.height = 1;
      one.dims.pitch = one.dims.width * sizeof(T);
    }
    if constexpr (D == ND::_3D || D == ND::T3D) one.dims.planes = planes ? 1 : p.dims.planes;
    return one;
  }
};

/// Reads the element at each position.
template <ND D, class T>
struct PerThreadRead : ReadOperation<T, RawPtr<D, T>, T, TF::ENABLED, PerThreadRead<D, T>>,
                       ReadsByPlane<PerThreadRead<D, T>>,
                       MemoryGeometry<PerThreadRead<D, T>, D, T> {
  using Parent = ReadOperation<T, RawPtr<D, T>, T, TF::ENABLED, PerThreadRead<D, T>>;
  using Parent::build;
  using PlaneParams = RawPtr<D, T>;
  template <ParArch PA, class Tables>
  FK_HOST_DEVICE_FUSE auto plane(index_t z, const OperationData<PerThreadRead>& data,
                                 const Tables&) {
    return MemoryPlane<D, T>{data.params, z};
  }
};

/// Writes each element at its position.
template <ND D, class T>
struct PerThreadWrite : WriteOperation<T, RawPtr<D, T>, T, TF::ENABLED, PerThreadWrite<D, T>>,
                        MemoryGeometry<PerThreadWrite<D, T>, D, T> {
  using Parent = WriteOperation<T, RawPtr<D, T>, T, TF::ENABLED, PerThreadWrite<D, T>>;
  using Parent::build;
  template <ParArch PA, class Tables>
  FK_HOST_DEVICE_FUSE auto plane(index_t z, const OperationData<PerThreadWrite>& data,
                                 const Tables&) {
    return MemoryPlane<D, T>{data.params, z};
  }
  FK_HOST_DEVICE_FUSE void exec(const Point& p, const T& v, const RawPtr<D, T>& params) {
    MemoryRow<T>{row_pointer(params, p.y, p.z)}.put(p.x, v);
  }
};

template <class T>
using TensorRead = PerThreadRead<ND::_3D, T>;
template <class T>
using TensorWrite = PerThreadWrite<ND::_3D, T>;

/// Images of different sizes, one a plane; how many is a run-time value.
template <class Op>
struct RuntimeBatch : ReadOperation<typename Op::ReadDataType, PlaneTable<typename Op::PlaneParams>,
                                    typename Op::OutputType, TF::DISABLED, RuntimeBatch<Op>>,
                      ReadsByPlane<RuntimeBatch<Op>> {
  using Data = OperationData<RuntimeBatch>;
  template <ParArch PA, class Tables>
  FK_HOST_DEVICE_FUSE auto plane(index_t z, const Data& data, const Tables& tables) {
    return Op::template plane<PA>(0, OperationData<Op>(data.params.at(z, tables)), tables);
  }
  template <class Tables>
  FK_HOST_DEVICE_FUSE ActiveThreads plane_extent(index_t z, const Data& data,
                                                 const Tables& tables) {
    return Op::plane_extent(0, OperationData<Op>(data.params.at(z, tables)), tables);
  }
  FK_HOST_DEVICE_FUSE extent_t num_elems_z(const Point&, const Data& data) {
    return data.params.count;
  }
  /// The widest plane's columns and the highest plane's rows; only for tables on the host.
  FK_HOST_DEVICE_FUSE ActiveThreads getActiveThreads(const Data& data) {
    ActiveThreads all(0, 0, data.params.count);
    for (uint z = 0; z < data.params.count; ++z) {
      const ActiveThreads one = plane_extent(z, data, HostTables{});
      all.x = max_of(all.x, one.x);
      all.y = max_of(all.y, one.y);
    }
    return all;
  }
};

}  // namespace fk

#include <fused_kernel/algorithms/basic_ops/planar_memory.h>
