// SPDX-License-Identifier: Apache-2.0
// The largest, the lowest and the smallest positive value of a type, channel by channel for
// vectors.
#pragma once
#include <fused_kernel/core/utils/scalar.h>

namespace fk {

template <class T>
inline constexpr T maxValue = make_set<T>(highest<VBase<T>>());
template <class T>
inline constexpr T minValue = make_set<T>(lowest<VBase<T>>());

/// 1 for integers, the smallest normal number for floats.
template <class B>
FK_FN B smallest_positive() {
  if constexpr (is_same_v<B, float>)
    return __FLT_MIN__;
  else if constexpr (is_same_v<B, double>)
    return __DBL_MIN__;
  else if constexpr (is_same_v<B, half>)
    return half(6.103515625e-05f);
  else if constexpr (is_same_v<B, bfloat16>)
    return bfloat16(__FLT_MIN__);
  else
    return B(1);
}
template <class T>
inline constexpr T smallestPositiveValue = make_set<T>(smallest_positive<VBase<T>>());

}  // namespace fk
