// SPDX-License-Identifier: Apache-2.0
// 16-bit floats as storage: arithmetic happens in float and is rounded once per operation, so that
// every compiler and target gives the same bits.
#pragma once
#include <fused_kernel/core/utils/traits.h>

namespace fk {
namespace detail {

#if defined(FK_DEVICE_PASS)
// by instruction: what each compiler calls a half on a GPU, and from which version on, differs
FK_DEVICE FK_INLINE float half_to_float(ushort bits) {
  float value;
  asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
  return value;
}
FK_DEVICE FK_INLINE ushort float_to_half(float value) {
  ushort bits;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
  return bits;
}
#elif defined(FK_NATIVE_HALF)
FK_FN float half_to_float(ushort bits) { return static_cast<float>(bit_copy<_Float16>(bits)); }
FK_FN ushort float_to_half(float value) { return bit_copy<ushort>(static_cast<_Float16>(value)); }
#else
// IEEE 754 binary16 <-> binary32 by exponent rebiasing; selects instead of branches, so that loops
// vectorise
FK_FN float half_to_float(ushort bits) {
  const uint magnitude = (bits & 0x7fffu) << 13;
  const float scaled = bit_copy<float>(magnitude) * bit_copy<float>(0x77800000u);  // 2^112
  const uint special = bit_copy<uint>(scaled) | 0x7f800000u;
  const uint finite = bit_copy<uint>(scaled);
  const uint value = magnitude >= 0x0f800000u ? special : finite;
  return bit_copy<float>(value | ((bits & 0x8000u) << 16));
}
FK_FN ushort float_to_half(float value) {
  const uint all = bit_copy<uint>(value);
  const uint sign = (all >> 16) & 0x8000u;
  const uint magnitude = all & 0x7fffffffu;
  const uint nan = 0x7e00u | ((magnitude >> 13) & 0x03ffu);
  // subnormals: adding 0.5 lets the float unit round to a multiple of 2^-24
  const uint tiny = bit_copy<uint>(bit_copy<float>(magnitude) + 0.5f) - 0x3f000000u;
  const uint normal = (magnitude + 0xc8000fffu + ((magnitude >> 13) & 1u)) >> 13;
  const uint finite = magnitude < 0x38800000u ? tiny : normal;
  const uint bounded = magnitude >= 0x47800000u ? 0x7c00u : finite;
  return static_cast<ushort>((magnitude > 0x7f800000u ? nan : bounded) | sign);
}
#endif

FK_FN float bfloat16_to_float(ushort bits) {
  return bit_copy<float>(static_cast<uint>(bits) << 16);
}
FK_FN ushort float_to_bfloat16(float value) {
  const uint all = bit_copy<uint>(value);
  const uint rounded = (all + 0x7fffu + ((all >> 16) & 1u)) >> 16;
  const uint nan = (all >> 16) | 0x40u;
  return static_cast<ushort>((all & 0x7fffffffu) > 0x7f800000u ? nan : rounded);
}

}  // namespace detail

/// IEEE 754 binary16.
struct half {
  ushort bits;
  half() = default;
  FK_HD constexpr FK_INLINE half(float value) : bits(detail::float_to_half(value)) {}
  FK_HD constexpr FK_INLINE operator float() const { return detail::half_to_float(bits); }
};

/// The upper 16 bits of a binary32.
struct bfloat16 {
  ushort bits;
  bfloat16() = default;
  FK_HD constexpr FK_INLINE bfloat16(float value) : bits(detail::float_to_bfloat16(value)) {}
  FK_HD constexpr FK_INLINE operator float() const { return detail::bfloat16_to_float(bits); }
};

template <class T>
inline constexpr bool is_half_v = is_any_of<plain_t<T>, half, bfloat16>;
template <class T>
inline constexpr bool is_floating_v = is_real_v<T> || is_half_v<T>;

}  // namespace fk
