// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <fused_kernel/core/execution_model/operation_model/fused.h>
#include <fused_kernel/core/utils/scalar.h>

namespace fk {

/// The nearest value of O, halves to even; NaN becomes 0 in an integer.
template <class I, class O>
struct SaturateCast : UnaryOperation<I, O, SaturateCast<I, O>> {
  static_assert(cn<I> == cn<O>, "fkl: a cast keeps the number of channels");
  FK_HOST_DEVICE_FUSE O exec(const I& v) { return saturate_to<O>(v); }
};

/// Clamps every channel to [p.x, p.y].
template <class T>
struct Saturate : BinaryOperation<T, VectorType_t<VBase<T>, 2>, T, Saturate<T>> {
  FK_HOST_DEVICE_FUSE T exec(const T& v, const VectorType_t<VBase<T>, 2>& bounds) {
    return map_channels<T>(
        [](auto x, auto low, auto high) {
          return scalar::Smaller{}(scalar::Larger{}(x, low), high);
        },
        v, bounds.x, bounds.y);
  }
};

/// Clamps every channel to [0, 1]; NaN becomes 0.
template <class T>
struct SaturateFloat : UnaryOperation<T, T, SaturateFloat<T>> {
  static_assert(is_floating_v<VBase<T>>, "fkl: SaturateFloat works on floats");
  FK_HOST_DEVICE_FUSE T exec(const T& v) {
    return map_channels<T>(
        [](auto x) {
          using B = decltype(scalar::widen(x));
          const B low = x > B(0) ? B(x) : B(0);
          return VBase<T>(low < B(1) ? low : B(1));
        },
        v);
  }
};

}  // namespace fk
