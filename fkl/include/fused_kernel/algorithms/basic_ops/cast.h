// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <fused_kernel/core/execution_model/operation_model/fused.h>
#include <fused_kernel/core/utils/scalar.h>

namespace fk {

/// static_cast per channel; a float becomes an integer by truncation, saturating, NaN as 0.
template <class I, class O>
struct Cast : UnaryOperation<I, O, Cast<I, O>> {
  static_assert(cn<I> == cn<O>, "fkl: a cast keeps the number of channels");
  FK_HOST_DEVICE_FUSE O exec(const I& v) { return truncate_to<O>(v); }
};

}  // namespace fk
