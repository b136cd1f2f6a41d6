// SPDX-License-Identifier: Apache-2.0
// A region of what another operation reads: nothing is copied, coordinates are shifted inside the
// read.
#pragma once
#include <fused_kernel/core/data/rect.h>
#include <fused_kernel/core/execution_model/operation_model/fused.h>
#include <fused_kernel/core/utils/scalar.h>

namespace fk {

template <class BackPlane>
struct CropPlane {
  BackPlane back;
  Rect rect;
  template <class BackRow>
  struct Row {
    BackRow back;
    index_t left;
    FK_FN auto at(index_t x) const { return back.at(x + left); }
    FK_FN auto pointer() const
      requires requires(const BackRow& b) { b.pointer(); }
    {
      return back.pointer() + left;
    }
  };
  FK_FN auto row(index_t y) {
    using R = decltype(back.row(y));
    return Row<R>{back.row(y + rect.y), rect.x};
  }
  FK_FN bool valid() const { return is_valid(back); }
};

FK_FN Rect as_rect(const Rect& rect) { return rect; }
/// An empty region becomes one pixel: no error can be told from a device.
template <class T, RectFormat F>
FK_FN Rect as_rect(const Box<T, F>& box) {
  const scalar::SaturateTo<int> whole;
  const int x = whole(box.a);
  const int y = whole(box.b);
  const index_t width = static_cast<index_t>(whole(box.c)) - (F == RectFormat::XYWH ? 0 : x);
  const index_t height = static_cast<index_t>(whole(box.d)) - (F == RectFormat::XYWH ? 0 : y);
  const auto side = [](index_t v) {
    return static_cast<int>(max_of<index_t>(1, min_of<index_t>(v, 2147483647)));
  };
  return Rect(x, y, side(width), side(height));
}

/// A crop that nobody has checked: what lies outside the source is 0.
template <class BackPlane, class O>
struct CheckedCropPlane {
  BackPlane back;
  Rect rect;
  index_t width, height;  // of the source
  template <class BackRow>
  struct Row {
    BackRow back;
    index_t left, width;
    bool inside;
    FK_FN O at(index_t x) const {
      const index_t column = x + left;
      const bool there = inside && column >= 0 && column < width;
      return there ? O(back.at(column)) : O{};
    }
  };
  FK_FN auto row(index_t y) {
    using R = decltype(back.row(y));
    const index_t line = y + rect.y;
    const bool inside = line >= 0 && line < height;
    return Row<R>{back.row(inside ? line : 0), rect.x, width, inside};
  }
};

template <class Region>
inline constexpr bool is_checked_region = false;
template <class T, RectFormat F>
inline constexpr bool is_checked_region<PlaneTable<Box<T, F>>> = true;

/// Reads BackIOp at (x + rect.x, y + rect.y). Region is one Rect, or a PlaneTable of them: one
/// image out per rect.
template <class BackIOp = NullType, class Region = Rect>
struct Crop : ReadBackOperation<GetOutputType_t<BackIOp>, Region, BackIOp, GetOutputType_t<BackIOp>,
                                Crop<BackIOp, Region>>,
              ReadsByPlane<Crop<BackIOp, Region>> {
  using Parent =
      ReadBackOperation<GetOutputType_t<BackIOp>, Region, BackIOp, GetOutputType_t<BackIOp>, Crop>;
  using Data = OperationData<Crop>;
  using Parent::build;
  template <ParArch PA, class Tables>
  FK_HOST_DEVICE_FUSE auto plane(index_t z, const Data& data, const Tables& tables) {
    using B = decltype(plane_of<PA>(data.backIOp, z, tables));
    const index_t from = source_plane(z, data);
    const Rect rect = as_rect(plane_value(data.params, z, tables));
    if constexpr (is_checked_region<Region>) {
      const ActiveThreads source = fk::plane_extent(data.backIOp, from, tables);
      return CheckedCropPlane<B, GetOutputType_t<BackIOp>>{plane_of<PA>(data.backIOp, from, tables),
                                                           rect, static_cast<index_t>(source.x),
                                                           static_cast<index_t>(source.y)};
    } else {
      return CropPlane<B>{plane_of<PA>(data.backIOp, from, tables), rect};
    }
  }
  template <class Tables>
  FK_HOST_DEVICE_FUSE ActiveThreads plane_extent(index_t z, const Data& data,
                                                 const Tables& tables) {
    const Rect r = as_rect(plane_value(data.params, z, tables));
    return ActiveThreads(static_cast<extent_t>(r.width), static_cast<extent_t>(r.height), 1);
  }
  FK_HOST_DEVICE_FUSE ActiveThreads getActiveThreads(const Data& data) {
    if constexpr (is_plane_table<Region>) {
      ActiveThreads all(0, 0, num_elems_z(Point{}, data));
      if (data.params.where != TableAt::HOST) return all;
      for (uint z = 0; z < data.params.count; ++z) {
        const ActiveThreads one = plane_extent(z, data, HostTables{});
        all.x = max_of(all.x, one.x);
        all.y = max_of(all.y, one.y);
      }
      return all;
    } else {
      return plane_extent(0, data, HostTables{});
    }
  }
  FK_HOST_DEVICE_FUSE extent_t num_elems_z(const Point&, const Data& data) {
    return is_plane_table<Region> ? max_of(planes_given(data.params), source_planes(data)) : 1;
  }
  /// Whether there is a rect for each plane of the source, or one of either, and every rect has
  /// pixels, all in its source; what lies on a device nobody knows.
  FK_HOST static bool regions_fit(const Data& data) {
    bool fit = true;
    if constexpr (is_same_v<Region, PlaneTable<Rect>>) {
      const extent_t rects = data.params.count, sources = source_planes(data);
      if (rects != sources && rects != 1 && sources != 1) return false;
      bool known = data.params.where == TableAt::HOST;
      auto behind = data.backIOp;
      visit_tables(behind, [&known](const auto& table) { known &= table.where == TableAt::HOST; });
      const index_t planes = known && rects ? static_cast<index_t>(num_elems_z(Point{}, data)) : 0;
      for (index_t z = 0; z < planes; ++z) {
        const ActiveThreads source =
            fk::plane_extent(data.backIOp, source_plane(z, data), HostTables{});
        const Rect r = data.params.at(z, HostTables{});
        // no branch: a thousand rects are checked at every launch
        fit &= (r.x >= 0) & (r.y >= 0) & (r.width > 0) & (r.height > 0) &
               (index_t{r.x} + r.width <= static_cast<index_t>(source.x)) &
               (index_t{r.y} + r.height <= static_cast<index_t>(source.y));
      }
    }
    return fit;
  }

 private:
  FK_HOST_DEVICE_FUSE extent_t source_planes(const Data& data) {
    return planes_of_read(data.backIOp);
  }
  // one rect reads plane 0, as FKL has it; a table pairs with the planes of its source, if that has
  // any
  FK_HOST_DEVICE_FUSE index_t source_plane(index_t z, const Data& data) {
    if constexpr (is_plane_table<Region>)
      return source_planes(data) == 1 ? 0 : z;
    else
      return 0;
  }
};

template <class Region>
struct Crop<NullType, Region>
    : IncompleteReadBackOperation<NullType, Region, NullType, NullType, Crop<NullType, Region>> {
  using Parent = IncompleteReadBackOperation<NullType, Region, NullType, NullType, Crop>;
  using ArrayBuilds<Crop>::build;
  FK_HOST_DEVICE_FUSE auto build(const Rect& rect) {
    return IncompleteReadBack<Crop<NullType, Rect>>{OperationData<Crop<NullType, Rect>>(rect)};
  }
  template <class R>
  FK_HOST_DEVICE_FUSE auto build(const PlaneTable<R>& rects) {
    using Op = Crop<NullType, PlaneTable<R>>;
    return IncompleteReadBack<Op>{OperationData<Op>(rects)};
  }
  template <class Back>
  FK_HOST_DEVICE_FUSE auto build(const Back& back, const Rect& rect) {
    return Crop<Back, Rect>::build(rect, back);
  }
  template <class Back, class R>
  FK_HOST_DEVICE_FUSE auto build(const Back& back,
                                 const IncompleteReadBack<Crop<NullType, R>>& self) {
    return Crop<Back, R>::build(self.params, back);
  }
};

}  // namespace fk
