// SPDX-License-Identifier: Apache-2.0
// Questions about a value, or about two.
#pragma once
#include <fused_kernel/algorithms/basic_ops/arithmetic.h>

namespace fk {

/// Whether every channel is even.
template <class I>
struct IsEven : UnaryOperation<I, bool, IsEven<I>> {
  static_assert(is_integer_v<VBase<I>>, "fkl: IsEven takes integers");
  FK_HOST_DEVICE_FUSE bool exec(const I& v) {
    return fold_channels([](auto a, auto b) { return a && b; },
                         map_channels<rebase_t<I, bool>>([](auto x) { return (x & 1) == 0; }, v));
  }
};

/// Whether all channels of the two are equal.
template <class I1, class I2 = I1>
struct Equal : UnaryOperation<Tuple<I1, I2>, bool, Equal<I1, I2>> {
  static_assert(cn<I1> == cn<I2>, "fkl: Equal compares values of the same number of channels");
  FK_HOST_DEVICE_FUSE bool exec(const Tuple<I1, I2>& v) {
    return fold_channels([](auto a, auto b) { return a && b; },
                         map_channels<rebase_t<I1, bool>>([](auto a, auto b) { return a == b; },
                                                          leaf<0>(v), leaf<1>(v)));
  }
};

}  // namespace fk
