// SPDX-License-Identifier: Apache-2.0
// Compile-time logic.
#pragma once
#include <fused_kernel/core/utils/traits.h>

namespace fk {

template <bool... B>
inline constexpr bool and_v = (B && ...);
template <bool... B>
inline constexpr bool or_v = (B || ...);

/// A value of an enum as a type.
template <class Enum, Enum V>
struct EnumType {
  using value_type = Enum;
  static constexpr Enum value = V;
};
template <class Enum, Enum V>
using E_t = EnumType<Enum, V>;

}  // namespace fk
