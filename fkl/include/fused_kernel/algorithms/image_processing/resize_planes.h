// SPDX-License-Identifier: Apache-2.0
// One plane of a resize, pixel by pixel: what a GPU thread does, and what a single-element access
// does.
#pragma once
#include <fused_kernel/algorithms/image_processing/interpolation.h>

namespace fk {

/// What a plane of a resize needs to know, whoever computes it.
template <class Back, class O, Coordinates C>
struct ResizeGeometry {
  using W = conditional_t<is_same_v<VBase<O>, double>, double, float>;
  Axis<C, W> x, y;
  Placement placed;
  Size out;
  O background;
  FK_FN bool has_row(int row) const { return row >= placed.y1 && row < placed.y1 + placed.height; }
  FK_FN bool has_column(int column) const {
    return column >= placed.x1 && column < placed.x1 + placed.width;
  }
};

template <class BackPlane, class O, Coordinates C>
struct LinearPlane {
  using W = typename ResizeGeometry<BackPlane, O, C>::W;
  BackPlane back;
  ResizeGeometry<BackPlane, O, C> g;

  template <class BackRow>
  struct Row {
    BackRow top, bottom;
    W weight;
    bool filled;
    const ResizeGeometry<BackPlane, O, C>& g;
    FK_FN O at(index_t x) const {
      const int column = static_cast<int>(x);
      if (!filled || !g.has_column(column)) return g.background;
      const Tap<W> tap = g.x.linear(column - g.placed.x1);
      return blend<O>(blend<O>(top.at(tap.low), top.at(tap.high), tap.weight),
                      blend<O>(bottom.at(tap.low), bottom.at(tap.high), tap.weight), weight);
    }
  };
  FK_FN auto row(index_t y) {
    const int row = static_cast<int>(y);
    const bool filled = g.has_row(row);
    const Tap<W> tap = g.y.linear(filled ? row - g.placed.y1 : 0);
    using R = decltype(back.row(y));
    return Row<R>{back.row(tap.low), back.row(tap.high), tap.weight, filled, g};
  }
};

template <class BackPlane, class O, Coordinates C>
struct NearestPlane {
  BackPlane back;
  ResizeGeometry<BackPlane, O, C> g;

  template <class BackRow>
  struct Row {
    BackRow source;
    bool filled;
    const ResizeGeometry<BackPlane, O, C>& g;
    FK_FN O at(index_t x) const {
      const int column = static_cast<int>(x);
      if (!filled || !g.has_column(column)) return g.background;
      return source.at(g.x.nearest(column - g.placed.x1));
    }
  };
  FK_FN auto row(index_t y) {
    const int row = static_cast<int>(y);
    const bool filled = g.has_row(row);
    using R = decltype(back.row(y));
    return Row<R>{back.row(g.y.nearest(filled ? row - g.placed.y1 : 0)), filled, g};
  }
};

}  // namespace fk
