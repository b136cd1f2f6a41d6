// SPDX-License-Identifier: Apache-2.0
// Pixels whose channels use a part of their type's range.
#pragma once
#include <fused_kernel/algorithms/image_processing/color_conversion.h>
#include <fused_kernel/core/utils/template_operations.h>

namespace fk {

template <ColorDepth CD>
using ColorDepthPixelBaseType = conditional_t<
    CD == ColorDepth::p8bit, uchar,
    conditional_t<CD == ColorDepth::p10bit || CD == ColorDepth::p12bit, ushort, float>>;
template <ColorDepth CD>
using ColorDepthPixelType = VectorType_t<ColorDepthPixelBaseType<CD>, 3>;
template <ColorDepth CD>
inline constexpr ColorDepthPixelBaseType<CD> maxDepthValue =
    max_depth_value<ColorDepthPixelBaseType<CD>, CD>();

/// The same base type with one more channel.
template <class I>
using VOneMore = VectorType_t<VBase<I>, cn<I> + 1>;

/// Appends an alpha known at compile time.
template <class I, VBase<I> alpha>
struct StaticAddAlpha : UnaryOperation<I, VOneMore<I>, StaticAddAlpha<I, alpha>> {
  FK_HOST_DEVICE_FUSE VOneMore<I> exec(const I& v) {
    return AddLast<I, VOneMore<I>>::exec(v, alpha);
  }
};

/// Clamps to [0, the depth's largest value].
template <class T, ColorDepth CD>
struct SaturateDepth : UnaryOperation<T, T, SaturateDepth<T, CD>> {
  FK_HOST_DEVICE_FUSE T exec(const T& v) {
    return map_channels<T>(
        [](auto x) {
          constexpr float high = static_cast<float>(maxDepthValue<CD>);
          const float f = static_cast<float>(x);
          return scalar::Truncate<VBase<T>>{}(f < 0.f ? 0.f : f > high ? high : f);
        },
        v);
  }
};
/// in / the depth's largest value.
template <class I, ColorDepth CD>
struct NormalizePixel : UnaryOperation<I, rebase_t<I, float>, NormalizePixel<I, CD>> {
  using O = rebase_t<I, float>;
  FK_HOST_DEVICE_FUSE O exec(const I& v) {
    return map_channels<O>(
        [](auto x) { return static_cast<float>(x) / static_cast<float>(maxDepthValue<CD>); }, v);
  }
};
/// in * the depth's largest value, truncated.
template <class O, ColorDepth CD>
struct DenormalizePixel : UnaryOperation<rebase_t<O, float>, O, DenormalizePixel<O, CD>> {
  FK_HOST_DEVICE_FUSE O exec(const rebase_t<O, float>& v) {
    return map_channels<O>(
        [](float x) {
          return scalar::Truncate<VBase<O>>{}(x * static_cast<float>(maxDepthValue<CD>));
        },
        v);
  }
};
/// As DenormalizePixel, of what is in [0, 1] after clamping.
template <class I, class O, ColorDepth CD>
struct SaturateDenormalizePixel : UnaryOperation<I, O, SaturateDenormalizePixel<I, O, CD>> {
  static_assert(is_same_v<VBase<I>, float>, "fkl: SaturateDenormalizePixel takes floats");
  FK_HOST_DEVICE_FUSE O exec(const I& v) {
    return map_channels<O>(
        [](float x) {
          const float in = x > 0.f ? (x < 1.f ? x : 1.f) : 0.f;
          return scalar::Truncate<VBase<O>>{}(in * static_cast<float>(maxDepthValue<CD>));
        },
        v);
  }
};

template <ColorConversionCodes CODE>
using CCC_t = E_t<ColorConversionCodes, CODE>;
template <ColorConversionCodes CODE>
inline constexpr bool isSuportedCCC =
    (static_cast<int>(CODE) >= 0 && static_cast<int>(CODE) <= 7) || static_cast<int>(CODE) == 10 ||
    static_cast<int>(CODE) == 11;

}  // namespace fk
