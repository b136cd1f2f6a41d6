// SPDX-License-Identifier: Apache-2.0
// Memory as pointer, extents and byte pitches; 64-bit throughout.
#pragma once
#include <fused_kernel/core/data/nd.h>
#include <fused_kernel/core/data/point.h>
#include <fused_kernel/core/utils/traits.h>

namespace fk {

template <ND D>
struct PtrDims;
template <>
struct PtrDims<ND::_1D> {
  extent_t width{0}, pitch{0};
  FK_HD constexpr PtrDims() {}
  FK_HD constexpr PtrDims(extent_t width_, extent_t pitch_ = 0) : width(width_), pitch(pitch_) {}
};
template <>
struct PtrDims<ND::_2D> {
  extent_t width{0}, height{0}, pitch{0};
  FK_HD constexpr PtrDims() {}
  FK_HD constexpr PtrDims(extent_t width_, extent_t height_, extent_t pitch_ = 0)
      : width(width_), height(height_), pitch(pitch_) {}
};
template <>
struct PtrDims<ND::_3D> {
  extent_t width{0}, height{0}, planes{0}, color_planes{1}, pitch{0}, plane_pitch{0};
  FK_HD constexpr PtrDims() {}
  FK_HD constexpr PtrDims(extent_t width_, extent_t height_, extent_t planes_,
                          extent_t color_planes_ = 1, extent_t pitch_ = 0)
      : width(width_),
        height(height_),
        planes(planes_),
        color_planes(color_planes_),
        pitch(pitch_),
        plane_pitch(pitch_ * height_) {}
};
template <>
struct PtrDims<ND::T3D> {
  extent_t width{0}, height{0}, planes{0}, color_planes{1}, pitch{0}, plane_pitch{0},
      color_planes_pitch{0};
  FK_HD constexpr PtrDims() {}
  FK_HD constexpr PtrDims(extent_t width_, extent_t height_, extent_t planes_,
                          extent_t color_planes_ = 1)
      : width(width_), height(height_), planes(planes_), color_planes(color_planes_) {}
};

template <ND D, class T>
struct RawPtr {
  static constexpr ND NDim = D;
  using type = T;
  T* data{nullptr};
  PtrDims<D> dims;
};

/// Rows, planes and byte distances of any memory block, as the executors see it.
template <ND D>
FK_FN extent_t rows_of(const PtrDims<D>& d) {
  if constexpr (D == ND::_1D)
    return 1;
  else
    return d.height;
}
template <ND D>
FK_FN extent_t planes_of(const PtrDims<D>& d) {
  if constexpr (D == ND::_1D || D == ND::_2D)
    return 1;
  else
    return d.planes;
}
template <ND D>
FK_FN extent_t plane_stride_of(const PtrDims<D>& d) {
  if constexpr (D == ND::_1D || D == ND::_2D)
    return 0;
  else if constexpr (D == ND::_3D)
    return d.plane_pitch * d.color_planes;
  else
    return d.plane_pitch;
}
template <class T>
FK_FN T* byte_offset(T* base, extent_t bytes) {
  if constexpr (is_same_v<T, const plain_t<T>>)
    return reinterpret_cast<T*>(reinterpret_cast<const char*>(base) + bytes);
  else
    return reinterpret_cast<T*>(reinterpret_cast<char*>(base) + bytes);
}
/// First element of row y of plane z.
template <ND D, class T>
FK_FN T* row_pointer(const RawPtr<D, T>& p, index_t y, index_t z) {
  if constexpr (D == ND::_1D)
    return p.data;
  else
    return byte_offset(p.data, static_cast<extent_t>(z) * plane_stride_of(p.dims) +
                                   static_cast<extent_t>(y) * p.dims.pitch);
}

}  // namespace fk
