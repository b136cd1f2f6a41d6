// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <fused_kernel/core/utils/traits.h>

namespace fk {

/// How many elements a pipeline covers: columns, rows, planes.
struct ActiveThreads {
  extent_t x{1}, y{1}, z{1};
  FK_HD constexpr ActiveThreads() {}
  FK_HD constexpr ActiveThreads(extent_t x_, extent_t y_ = 1, extent_t z_ = 1)
      : x(x_), y(y_), z(z_) {}
};

}  // namespace fk
