// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <fused_kernel/core/execution_model/operation_model/fused.h>

namespace fk {

/// Op applied N times, once at least, always with the same parameter.
template <class Op, int N>
struct StaticLoop : BinaryOperation<typename Op::InputType, typename Op::ParamsType,
                                    typename Op::OutputType, StaticLoop<Op, N>> {
  using T = typename Op::InputType;
  static_assert(
      opIs<BinaryType, Op> && is_same_v<T, typename Op::OutputType>,
      "fkl: StaticLoop repeats a binary operation whose input and output are of one type");
  FK_HOST_DEVICE_FUSE T exec(const T& v, const typename Op::ParamsType& p) {
    T x = Op::exec(v, p);
    for (int i = 1; i < N; ++i) x = Op::exec(x, p);
    return x;
  }
};

}  // namespace fk
