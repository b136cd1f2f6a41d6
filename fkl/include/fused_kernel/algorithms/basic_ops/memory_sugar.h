// SPDX-License-Identifier: Apache-2.0
// Reads and writes that learn their types from the memory handle, and writes to channels of their
// own.
#pragma once
#include <fused_kernel/algorithms/basic_ops/dual_source.h>
#include <fused_kernel/core/data/ptr_nd.h>
#include <fused_kernel/core/execution_model/operation_model/batch_utils.h>
#include <vector>

namespace fk {

struct ReadOp {
  template <class P>
  FK_HOST_STATIC auto build(const P& ptr) {
    return PerThreadRead<P::nd, typename P::Type>::build(ptr.ptr());
  }
  template <class P, std::size_t N>
  FK_HOST_STATIC auto build(const std::array<P, N>& ptrs) {
    return PerThreadRead<P::nd, typename P::Type>::build(ptrs);
  }
};
struct WriteOp {
  template <class P>
  FK_HOST_STATIC auto build(const P& ptr) {
    return PerThreadWrite<P::nd, typename P::Type>::build(ptr.ptr());
  }
  template <class P, std::size_t N>
  FK_HOST_STATIC auto build(const std::array<P, N>& ptrs) {
    return PerThreadWrite<P::nd, typename P::Type>::build(ptrs);
  }
};

template <ND D, class T, int N = cn<T>>
struct SplitWriteParams;
template <ND D, class T>
struct SplitWriteParams<D, T, 2> {
  RawPtr<D, VBase<T>> x, y;
};
template <ND D, class T>
struct SplitWriteParams<D, T, 3> {
  RawPtr<D, VBase<T>> x, y, z;
};
template <ND D, class T>
struct SplitWriteParams<D, T, 4> {
  RawPtr<D, VBase<T>> x, y, z, w;
};

/// Channel k to memory k.
template <ND D, class T>
struct SplitWrite
    : WriteOperation<T, SplitWriteParams<D, T>, VBase<T>, TF::DISABLED, SplitWrite<D, T>> {
  static_assert(cn<T> >= 2, "fkl: splitting needs an element of 2 to 4 channels");
  using Parent =
      WriteOperation<T, SplitWriteParams<D, T>, VBase<T>, TF::DISABLED, SplitWrite<D, T>>;
  using Parent::build;
  using Params = SplitWriteParams<D, T>;
  FK_HOST_DEVICE_FUSE void exec(const Point& p, const T& v, const Params& params) {
    put(p, v.x, params.x);
    put(p, v.y, params.y);
    if constexpr (cn<T> > 2) put(p, v.z, params.z);
    if constexpr (cn<T> > 3) put(p, v.w, params.w);
  }
  FK_HOST_STATIC auto build(const std::vector<Ptr2D<VBase<T>>>& out)
    requires(D == ND::_2D)
  {
    Params params;
    params.x = out.at(0).ptr();
    params.y = out.at(1).ptr();
    if constexpr (cn<T> > 2) params.z = out.at(2).ptr();
    if constexpr (cn<T> > 3) params.w = out.at(3).ptr();
    return Parent::build(params);
  }

 private:
  FK_HOST_DEVICE_FUSE void put(const Point& p, VBase<T> v, const RawPtr<D, VBase<T>>& to) {
    row_pointer(to, p.y, p.z)[p.x] = v;
  }
};

}  // namespace fk
