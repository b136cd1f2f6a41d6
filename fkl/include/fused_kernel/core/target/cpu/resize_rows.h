// SPDX-License-Identifier: Apache-2.0
// Resizing on a CPU: columns once per row, then rows. A source row is resampled once and kept while
// the output still needs it; column positions are worked out once per plane; each channel lies in a
// row of its own, so that loops vectorise. Outside the placed image the rows hold the background,
// which needs no test then.
#pragma once
#include <fused_kernel/algorithms/image_processing/resize_planes.h>
#include <fused_kernel/core/target/cpu/gather.h>

namespace fk::cpu {

/// Owned scratch memory; null where there was none to be had.
struct Scratch {
  char* data;
  FK_HOST explicit Scratch(extent_t bytes) : data(static_cast<char*>(__builtin_malloc(bytes))) {}
  FK_HOST ~Scratch() { __builtin_free(data); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
};

template <InterpolationType IT, class BackPlane, class O, Coordinates C>
struct ResizeRows;

template <class BackPlane, class O, Coordinates C>
struct ResizeRows<InterpolationType::INTER_LINEAR, BackPlane, O, C> {
  using B = VBase<O>;
  using Geometry = ResizeGeometry<BackPlane, O, C>;
  static constexpr int channels = cn<O>;

  BackPlane back;
  Geometry g;
  index_t stride;  // columns from one channel's row to the next
  Scratch memory;
  int *low, *high;
  B *weight, *kept[2], *outside;
  WordColumns words{0, 0};
  int holds[2] = {-1, -1};  // which source row each kept row comes from
  int next = 0;

  /// `make` gives the source's plane, which may itself be one that cannot be copied.
  template <class Make>
  FK_HOST ResizeRows(const Make& make, const Geometry& g_)
      : back(make()),
        g(g_),
        stride((g.out.width + 15) / 16 * 16),
        memory(static_cast<extent_t>(stride) * (2 * sizeof(int) + sizeof(B) * (1 + 3 * channels))) {
    if (!memory.data) return;
    low = reinterpret_cast<int*>(memory.data);
    high = low + stride;
    weight = reinterpret_cast<B*>(high + stride);
    kept[0] = weight + stride;
    kept[1] = kept[0] + stride * channels;
    outside = kept[1] + stride * channels;
    for (int x = 0; x < g.placed.width; ++x) {
      const auto tap = g.x.linear(x);
      low[x] = tap.low;
      high[x] = tap.high;
      weight[x] = static_cast<B>(tap.weight);
    }
    words = WordColumns::find<channels>(low, high, g.placed.width, g.x.source);
    fill(outside);
    fill(kept[0]);
    fill(kept[1]);
  }
  FK_HOST bool valid() const { return memory.data != nullptr && is_valid(back); }
  FK_HOST void fill(B* row) const {
    put_channel<0>(row);
    if constexpr (channels > 1) put_channel<1>(row);
    if constexpr (channels > 2) put_channel<2>(row);
    if constexpr (channels > 3) put_channel<3>(row);
  }
  template <int I>
  FK_HOST void put_channel(B* row) const {
    for (index_t x = 0; x < g.out.width; ++x) row[I * stride + x] = channel<I>(g.background);
  }

  struct Row {
    const B *above, *below;
    index_t stride;
    B weight;
    template <int I>
    FK_HOST FK_INLINE B one(index_t x) const {
      const B a = above[I * stride + x];
      return a + weight * (below[I * stride + x] - a);
    }
    FK_HOST FK_INLINE O at(index_t x) const {
      if constexpr (channels == 1)
        return vector_from<O>(one<0>(x));
      else if constexpr (channels == 2)
        return O{one<0>(x), one<1>(x)};
      else if constexpr (channels == 3)
        return O{one<0>(x), one<1>(x), one<2>(x)};
      else
        return O{one<0>(x), one<1>(x), one<2>(x), one<3>(x)};
    }
  };
  FK_HOST Row row(index_t y) {
    const int out = static_cast<int>(y);
    if (!g.has_row(out)) return {outside, outside, stride, B(0)};
    const auto tap = g.y.linear(out - g.placed.y1);
    const B* above = resampled(tap.low, tap.high);
    const B* below = tap.weight == 0 ? above : resampled(tap.high, tap.low);
    return {above, below, stride, static_cast<B>(tap.weight)};
  }

 private:
  /// Source row `source`, one value per output column; the kept row of `other` is not the one to
  /// give up.
  FK_HOST const B* resampled(int source, int other) {
    if (holds[0] == source) return kept[0];
    if (holds[1] == source) return kept[1];
    if (holds[next] == other) next = 1 - next;
    const int slot = next;
    next = 1 - next;
    holds[slot] = source;
    gather_blended<O>(back.row(source), low, high, weight, g.placed.width, words,
                      kept[slot] + g.placed.x1, stride);
    return kept[slot];
  }
};

template <class BackPlane, class O, Coordinates C>
struct ResizeRows<InterpolationType::INTER_NEAREST, BackPlane, O, C> {
  using Geometry = ResizeGeometry<BackPlane, O, C>;
  BackPlane back;
  Geometry g;
  Scratch memory;
  int* column;  // the source column, or -1 outside the image

  template <class Make>
  FK_HOST ResizeRows(const Make& make, const Geometry& g_)
      : back(make()),
        g(g_),
        memory(static_cast<extent_t>(g.out.width) * sizeof(int)),
        column(reinterpret_cast<int*>(memory.data)) {
    if (!memory.data) return;
    for (int x = 0; x < g.out.width; ++x)
      column[x] = g.has_column(x) ? g.x.nearest(x - g.placed.x1) : -1;
  }
  FK_HOST bool valid() const { return memory.data != nullptr && is_valid(back); }

  template <class BackRow>
  struct Row {
    BackRow source;
    const int* column;
    O background;
    bool filled;
    FK_HOST FK_INLINE O at(index_t x) const {
      const int c = column[x];
      return filled && c >= 0 ? O(source.at(c)) : background;
    }
  };
  FK_HOST auto row(index_t y) {
    const int out = static_cast<int>(y);
    const bool filled = g.has_row(out);
    using R = decltype(back.row(y));
    return Row<R>{back.row(g.y.nearest(filled ? out - g.placed.y1 : 0)), column, g.background,
                  filled};
  }
};

}  // namespace fk::cpu
