// SPDX-License-Identifier: Apache-2.0
// Channel order, alpha and gray.
#pragma once
#include <fused_kernel/algorithms/basic_ops/vector_ops.h>

namespace fk {

enum class ColorConversionCodes {
  COLOR_BGR2BGRA = 0,
  COLOR_RGB2RGBA = 0,
  COLOR_BGRA2BGR = 1,
  COLOR_RGBA2RGB = 1,
  COLOR_BGR2RGBA = 2,
  COLOR_RGB2BGRA = 2,
  COLOR_RGBA2BGR = 3,
  COLOR_BGRA2RGB = 3,
  COLOR_BGR2RGB = 4,
  COLOR_RGB2BGR = 4,
  COLOR_BGRA2RGBA = 5,
  COLOR_RGBA2BGRA = 5,
  COLOR_BGR2GRAY = 6,
  COLOR_RGB2GRAY = 7,
  COLOR_BGRA2GRAY = 10,
  COLOR_RGBA2GRAY = 11
};

/// How many bits of a channel carry its value; the fn ones are fractions of 1.
enum class ColorDepth { p8bit, p10bit, p12bit, fn8bit, fn10bit, fn12bit };

/// The value of a full channel.
template <class B, ColorDepth CD>
FK_FN B max_depth_value() {
  if constexpr (CD == ColorDepth::p8bit)
    return static_cast<B>(255);
  else if constexpr (CD == ColorDepth::p10bit)
    return static_cast<B>(1023);
  else if constexpr (CD == ColorDepth::p12bit)
    return static_cast<B>(4095);
  else
    return static_cast<B>(1.f);
}

/// Appends a full alpha.
template <class I, ColorDepth CD = ColorDepth::p8bit>
struct AddOpaqueAlpha
    : UnaryOperation<I, VectorType_t<VBase<I>, cn<I> + 1>, AddOpaqueAlpha<I, CD>> {
  using O = VectorType_t<VBase<I>, cn<I> + 1>;
  FK_HOST_DEVICE_FUSE O exec(const I& v) {
    return AddLast<I, O>::exec(v, max_depth_value<VBase<I>, CD>());
  }
};

enum class GrayFormula { CCIR_601 };

/// 0.299 x + 0.587 y + 0.114 z in float (double for double); integers get the nearest value, ties
/// to even.
template <class I, class O = VBase<I>, GrayFormula GF = GrayFormula::CCIR_601>
struct RGB2Gray : UnaryOperation<I, O, RGB2Gray<I, O, GF>> {
  static_assert(cn<I> >= 3, "fkl: gray needs an element of 3 or 4 channels");
  FK_HOST_DEVICE_FUSE O exec(const I& v) {
    using F = conditional_t<is_same_v<VBase<I>, double>, double, float>;
    const F luma = (static_cast<F>(v.x) * static_cast<F>(0.299) +
                    static_cast<F>(v.y) * static_cast<F>(0.587)) +
                   static_cast<F>(v.z) * static_cast<F>(0.114);
    return vector_from<O>(scalar::SaturateTo<VBase<O>>{}(luma));
  }
};

template <ColorConversionCodes CODE, class I, class O, ColorDepth CD>
struct ColorConversionType;
#define FK_COLOR(code, ...)                                                       \
  template <class I, class O, ColorDepth CD>                                      \
  struct ColorConversionType<static_cast<ColorConversionCodes>(code), I, O, CD> { \
    using type = __VA_ARGS__;                                                     \
  };
template <class I>
using BGRSwap = VectorReorder<I, 2, 1, 0>;
template <class I>
using BGRASwap = VectorReorder<I, 2, 1, 0, 3>;
template <class I>
using ThreeOf = VectorType_t<VBase<I>, 3>;
FK_COLOR(0, AddOpaqueAlpha<I, CD>)
FK_COLOR(1, Discard<I, ThreeOf<I>>)
FK_COLOR(2, FusedOperation<Unary<BGRSwap<I>>, Unary<AddOpaqueAlpha<I, CD>>>)
FK_COLOR(3, FusedOperation<Unary<BGRASwap<I>>, Unary<Discard<I, ThreeOf<I>>>>)
FK_COLOR(4, BGRSwap<I>)
FK_COLOR(5, BGRASwap<I>)
FK_COLOR(6, FusedOperation<Unary<BGRSwap<I>>, Unary<RGB2Gray<I, O>>>)
FK_COLOR(7, RGB2Gray<I, O>)
FK_COLOR(10, FusedOperation<Unary<BGRASwap<I>>, Unary<RGB2Gray<I, O>>>)
FK_COLOR(11, RGB2Gray<I, O>)
#undef FK_COLOR

/// The operation that a color code stands for. A float's alpha is 1 unless a depth is named.
template <ColorConversionCodes CODE, class I, class O, ColorDepth CD = ColorDepth::p8bit>
using ColorConversion = typename ColorConversionType<CODE, I, O, CD>::type;

}  // namespace fk

#include <fused_kernel/algorithms/image_processing/pixel_depth.h>
