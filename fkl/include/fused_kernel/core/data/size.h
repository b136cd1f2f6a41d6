// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <fused_kernel/core/config.h>

namespace fk {

template <class T>
struct Size_ {
  T width{0}, height{0};
  FK_HD constexpr bool operator==(const Size_& o) const {
    return width == o.width && height == o.height;
  }
};
/// Width and height in elements.
using Size = Size_<int>;

}  // namespace fk
