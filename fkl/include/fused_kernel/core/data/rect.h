// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <fused_kernel/core/data/point.h>
#include <fused_kernel/core/data/size.h>

namespace fk {

template <class P, class S = P>
struct Rect_ {
  P x{0}, y{0};
  S width{0}, height{0};
  FK_HD constexpr Rect_() {}
  FK_HD constexpr Rect_(const Point_<P, ND::_2D>& origin, const Size_<S>& size)
      : x(origin.x), y(origin.y), width(size.width), height(size.height) {}
  FK_HD constexpr Rect_(P x_, P y_, S width_, S height_)
      : x(x_), y(y_), width(width_), height(height_) {}
};
/// A region: left column, top row, width and height in elements. Origins may be negative.
using Rect = Rect_<int, int>;

/// What the four numbers of a region in somebody's array mean.
enum class RectFormat { XYWH, XYXY };

/// A region as it lies in an array of four numbers a row; floats are rounded, halves to even.
template <class T, RectFormat F>
struct Box {
  T a, b, c, d;
};

}  // namespace fk
