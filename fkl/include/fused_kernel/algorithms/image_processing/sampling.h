// SPDX-License-Identifier: Apache-2.0
// Where a resized image's pixel lies in its source. Positions are exact ratios of integers, so that
// both targets and every image size sample at the same place; FKL's own convention keeps its float
// product.
#pragma once
#include <fused_kernel/core/data/size.h>
#include <fused_kernel/core/execution_model/operation_model/fused.h>
#include <fused_kernel/core/utils/scalar.h>

namespace fk {

enum class InterpolationType { INTER_NEAREST = 0, INTER_LINEAR = 1, NONE = 17 };
enum class AspectRatio {
  PRESERVE_AR = 0,
  IGNORE_AR = 1,
  PRESERVE_AR_RN_EVEN = 2,
  PRESERVE_AR_LEFT = 3
};
/// HALF_PIXEL: centres on centres (OpenCV, PyTorch, Pillow). ASYMMETRIC: corners on corners (FKL).
/// ALIGN_CORNERS: the first and last pixels' centres coincide.
enum class Coordinates { ASYMMETRIC = 0, HALF_PIXEL = 1, ALIGN_CORNERS = 2 };

FK_FN int floor_of(float v) {
  const int toward_zero = static_cast<int>(v);
  return toward_zero - (static_cast<float>(toward_zero) > v ? 1 : 0);
}

/// Two neighbours and the weight of the second.
template <class W>
struct Tap {
  int low, high;
  W weight;
};

/// One axis of a resize: `source` pixels become `target` pixels.
template <Coordinates C, class W>
struct Axis {
  int source, target;
  float factor;          // source pixels per target pixel
  W per_denominator;     // of the exact positions
  float rest_of_factor;  // what the float next to it leaves out
  FK_FN Axis(int source_, int target_, float factor_)
      : source(source_), target(target_), factor(factor_), per_denominator(0), rest_of_factor(0) {}
  FK_FN Axis(int source_, int target_) : source(source_), target(target_) {
    const int steps = C == Coordinates::ALIGN_CORNERS ? max_of(target_ - 1, 1) : target_;
    const int span = C == Coordinates::ALIGN_CORNERS ? source_ - 1 : source_;
    const W per_step = scalar::reciprocal_of(static_cast<W>(steps));
    factor = static_cast<float>(span) * static_cast<float>(per_step);
#if defined(FK_DEVICE_PASS)
    const float left = FK_MATH(fmaf)(-factor, static_cast<float>(steps), static_cast<float>(span));
#else
    const float left = 0.f;  // only a GPU's threads use it
#endif
    rest_of_factor = left * static_cast<float>(per_step);
    per_denominator = C == Coordinates::HALF_PIXEL ? W(0.5) * per_step : per_step;
  }
  FK_FN int inside(int i) const { return max_of(0, min_of(i, source - 1)); }

  /// The float position is only a first guess at floor(numerator / denominator); the remainder
  /// decides.
  FK_FN Tap<W> ratio(index_t numerator, index_t denominator, float guess) const {
    int low = floor_of(guess);
    index_t rest = numerator - denominator * low;
    while (rest < 0) {
      --low;
      rest += denominator;
    }
    while (rest >= denominator) {
      ++low;
      rest -= denominator;
    }
    return {low, low + 1, static_cast<W>(static_cast<int>(rest)) * per_denominator};
  }
  /// On a GPU, where each pixel works out its own: the factor in two floats, and a product that is
  /// rounded only after the whole part has been taken off.
  FK_FN Tap<W> centred(int x) const {
    const float at = static_cast<float>(x) + 0.5f;
    int low = floor_of(at * factor - 0.5f);
    const float whole = static_cast<float>(low) + 0.5f;
    float weight = FK_MATH(fmaf)(at, factor, -whole);
    weight = FK_MATH(fmaf)(at, rest_of_factor, weight);
    if (weight < 0.f) {
      --low;
      weight += 1.f;
    } else if (weight >= 1.f) {
      ++low;
      weight -= 1.f;
    }
    return {low, low + 1, static_cast<W>(weight)};
  }
  /// Sides of millions of pixels: the factor in double from a float's reciprocal, improved twice
  /// (Newton).
  FK_FN Tap<W> far(int x) const {
    const double steps = static_cast<double>(target);
    double per_step = scalar::reciprocal_of(static_cast<float>(target));
    per_step += per_step * (1.0 - steps * per_step);
    per_step += per_step * (1.0 - steps * per_step);
    const double at = (static_cast<double>(x) + 0.5) * source * per_step - 0.5;
    const int toward_zero = static_cast<int>(at);
    const int low = toward_zero - (at < 0 ? 1 : 0);
    return {low, low + 1, static_cast<W>(at - low)};
  }
  /// Up to here a position and its half are floats without error.
  static constexpr int float_sizes = 1 << 22;

  FK_FN Tap<W> exact(int x) const {
#if defined(FK_DEVICE_PASS)
    if constexpr (C == Coordinates::HALF_PIXEL && sizeof(W) == 4) {
      return max_of(source, target) <= float_sizes ? centred(x) : far(x);
    }
#endif
    if constexpr (C == Coordinates::HALF_PIXEL)
      return ratio((2 * static_cast<index_t>(x) + 1) * source - target,
                   2 * static_cast<index_t>(target),
                   (static_cast<float>(x) + 0.5f) * factor - 0.5f);
    else
      return ratio(static_cast<index_t>(x) * (source - 1), max_of(target - 1, 1),
                   static_cast<float>(x) * factor);
  }
  FK_FN Tap<W> linear(int x) const {
    if constexpr (C == Coordinates::ASYMMETRIC) {
      const float at = static_cast<float>(x) * factor;
      const int low = floor_of(at);
      return {inside(low), inside(low + 1), static_cast<W>(at - static_cast<float>(low))};
    } else {
      const Tap<W> tap = exact(x);
      return {inside(tap.low), inside(tap.high), tap.weight};
    }
  }
  FK_FN int nearest(int x) const {
    const index_t s = source;
    const float f = static_cast<float>(x);
    if constexpr (C == Coordinates::HALF_PIXEL)
      return inside(ratio((2 * static_cast<index_t>(x) + 1) * s, 2 * static_cast<index_t>(target),
                          (f + 0.5f) * factor)
                        .low);
    else if constexpr (C == Coordinates::ASYMMETRIC)
      return inside(ratio(x * s, target, f * factor).low);
    else
      return inside(ratio(2 * x * (s - 1) + max_of(target - 1, 1),
                          2 * static_cast<index_t>(max_of(target - 1, 1)), f * factor + 0.5f)
                        .low);
  }
};

/// Where the resized image lies inside the output: columns [x1, x1 + width), rows [y1, y1 +
/// height).
struct Placement {
  int x1, y1, width, height;
};

/// For v >= 0.
FK_FN int round_half_away(float v) { return static_cast<int>(v + 0.5f); }

/// FKL's letterbox arithmetic, in float; a side never vanishes.
template <AspectRatio AR>
FK_FN Placement place(const Size& source, const Size& out) {
  if constexpr (AR == AspectRatio::IGNORE_AR) {
    return {0, 0, out.width, out.height};
  } else {
    constexpr bool even = AR == AspectRatio::PRESERVE_AR_RN_EVEN;
    const float by_height = static_cast<float>(out.height) / static_cast<float>(source.height);
    int height = out.height;
    int width = round_half_away(by_height * static_cast<float>(source.width));
    if (even) width -= width % 2;
    if (width > out.width) {
      const float by_width = static_cast<float>(out.width) / static_cast<float>(source.width);
      width = out.width;
      height = round_half_away(by_width * static_cast<float>(source.height));
      if (even) height -= height % 2;
    }
    width = max_of(width, 1);
    height = max_of(height, 1);
    const int x1 = AR == AspectRatio::PRESERVE_AR_LEFT ? 0 : (out.width - width) / 2;
    return {x1, (out.height - height) / 2, width, height};
  }
}

/// a + w (b - a), channel by channel, in O's base type.
template <class O, class A, class W>
FK_FN O blend(const A& a, const A& b, W w) {
  using B = VBase<O>;
  return map_channels<O>(
      [w](auto p, auto q) {
        const B x = static_cast<B>(scalar::widen(p));
        return x + static_cast<B>(w) * (static_cast<B>(scalar::widen(q)) - x);
      },
      a, b);
}

}  // namespace fk
