// SPDX-License-Identifier: Apache-2.0
// A pipeline written out: value | operation | operation, with or without the point where it stands.
#pragma once
#include <fused_kernel/core/data/size.h>
#include <fused_kernel/core/execution_model/operation_model/fused.h>

namespace fk {

/// A value on its way through operations, and where it stands.
template <class V>
struct InputFoldType {
  Point thread;
  V input;
};
template <class V>
FK_FN InputFoldType<V> make_fold(const Point& thread, const V& input) {
  return {thread, input};
}

template <class T>
inline constexpr bool is_fold = is_same_v<plain_t<T>, Point>;
template <class V>
inline constexpr bool is_fold<InputFoldType<V>> = true;

/// The value that a compute operation makes of `input`.
template <class V, is_instance IOp>
FK_FN auto compute(const V& input, const IOp& iop) {
  static_assert(isComputeType<IOp>, "fkl: compute takes an operation that computes");
  const HostTables tables{};
  return apply(iop, input, At<HostTables>{0, 0, 0, tables});
}

template <is_instance IOp>
  requires(isAnyCompleteReadType<IOp>)
FK_FN auto operator|(const Point& thread, const IOp& iop) {
  const HostTables tables{};
  return make_fold(thread,
                   plane_of<ParArch::None>(iop, thread.z, tables).row(thread.y).at(thread.x));
}
/// A Write lets the value pass unwritten: the last operation of a pipeline is executed by itself.
template <class V, is_instance IOp>
FK_FN auto operator|(const InputFoldType<V>& at, const IOp& iop) {
  if constexpr (opIs<WriteType, IOp>) {
    return at;
  } else {
    const HostTables tables{};
    return make_fold(
        at.thread,
        apply(iop, at.input, At<HostTables>{at.thread.x, at.thread.y, at.thread.z, tables}));
  }
}
template <class V, is_instance IOp>
  requires(isComputeType<IOp> && !is_instance<V> && !is_fold<V>)
FK_FN auto operator|(const V& input, const IOp& iop) {
  return compute(input, iop);
}

/// How much an operation that reads has to give.
struct NumElems {
  template <class IOp>
  FK_HOST_DEVICE_FUSE extent_t x(const Point& p, const IOp& iop) {
    return at(p, iop).x;
  }
  template <class IOp>
  FK_HOST_DEVICE_FUSE extent_t y(const Point& p, const IOp& iop) {
    return at(p, iop).y;
  }
  template <class IOp>
  FK_HOST_DEVICE_FUSE extent_t z(const Point&, const IOp& iop) {
    return iop.getActiveThreads().z;
  }
  template <class IOp>
  FK_HOST_DEVICE_FUSE Size size(const Point& p, const IOp& iop) {
    return Size{static_cast<int>(x(p, iop)), static_cast<int>(y(p, iop))};
  }

 private:
  template <class IOp>
  FK_HOST_DEVICE_FUSE ActiveThreads at(const Point& p, const IOp& iop) {
    return plane_extent(iop, p.z, HostTables{});
  }
};

}  // namespace fk
