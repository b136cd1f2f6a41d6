// SPDX-License-Identifier: Apache-2.0
// Conversions between number types, and their limits.
#pragma once
#include <fused_kernel/core/constexpr_libs/constexpr_cmath.h>
#include <fused_kernel/core/utils/vlimits.h>

namespace cxp {

template <class T>
inline constexpr T maxValue = fk::highest<T>();
template <class T>
inline constexpr T minValue = fk::lowest<T>();
template <class T>
inline constexpr T smallestPositiveValue = fk::smallest_positive<T>();

/// static_cast per channel; a float becomes an integer by truncation, saturating.
template <class O>
struct cast {
  template <class I>
  FK_HOST_DEVICE_FUSE O f(const I& v) {
    return fk::truncate_to<O>(v);
  }
};
/// The nearest value of O per channel, halves to even; NaN becomes 0 in an integer.
template <class O>
struct saturate_cast {
  template <class I>
  FK_HOST_DEVICE_FUSE O f(const I& v) {
    return fk::saturate_to<O>(v);
  }
};
/// Clamps to [0, 1]; NaN becomes 0.
struct saturate_float {
  template <class V>
  FK_HOST_DEVICE_FUSE V f(const V& v) {
    static_assert(fk::is_real_v<fk::VBase<V>>, "fkl: saturate_float takes floats");
    return each_channel(
        [](auto x) {
          using T = decltype(x);
          const T low = x > T(0) ? x : T(0);
          return low < T(1) ? low : T(1);
        },
        v);
  }
};

}  // namespace cxp
