// SPDX-License-Identifier: Apache-2.0
// Addresses of single elements, and memory that travels by value.
#pragma once
#include <fused_kernel/core/data/rawptr.h>

namespace fk {

/// The element at a point, seen as BiggerType if that is given.
template <ND D>
struct PtrAccessor {
  template <class T, class BiggerType = T>
  FK_HOST_DEVICE_FUSE BiggerType* point(const Point& p, const RawPtr<D, T>& ptr,
                                        extent_t color = 0) {
    T* row = row_pointer(ptr, p.y, p.z);
    if constexpr (D == ND::T3D) row = byte_offset(row, color * ptr.dims.color_planes_pitch);
    if constexpr (is_same_v<T, BiggerType>)
      return row + p.x;
    else
      return reinterpret_cast<BiggerType*>(row) + p.x;
  }
  template <class T, class BiggerType = T>
  FK_HOST_DEVICE_FUSE const BiggerType* cr_point(const Point& p, const RawPtr<D, T>& ptr,
                                                 extent_t color = 0) {
    return point<T, BiggerType>(p, ptr, color);
  }
};

template <int W>
struct StaticPtrDims1D {
  static constexpr ND nd = ND::_1D;
  static constexpr int width = W;
};
template <int W, int H>
struct StaticPtrDims2D {
  static constexpr ND nd = ND::_2D;
  static constexpr int width = W, height = H;
};
template <int W, int H, int P>
struct StaticPtrDims3D {
  static constexpr ND nd = ND::_3D;
  static constexpr int width = W, height = H, planes = P;
};

/// Elements by value, row first: data[y][x].
template <class Dims, class T>
struct StaticRawPtr;
template <int W, class T>
struct StaticRawPtr<StaticPtrDims1D<W>, T> {
  using type = T;
  using Dims = StaticPtrDims1D<W>;
  T data[W];
};
template <int W, int H, class T>
struct StaticRawPtr<StaticPtrDims2D<W, H>, T> {
  using type = T;
  using Dims = StaticPtrDims2D<W, H>;
  T data[H][W];
};
template <int W, int H, int P, class T>
struct StaticRawPtr<StaticPtrDims3D<W, H, P>, T> {
  using type = T;
  using Dims = StaticPtrDims3D<W, H, P>;
  T data[P][H][W];
};

template <ND D>
struct StaticPtrAccessor {
  template <class Raw>
  FK_HOST_DEVICE_FUSE typename Raw::type read(const Point& p, const Raw& raw) {
    return at(p, raw);
  }
  template <class Raw, class T>
  FK_HOST_DEVICE_FUSE void write(const Point& p, Raw& raw, const T& value) {
    at(p, raw) = value;
  }

 private:
  template <class Raw>
  FK_HOST_DEVICE_FUSE auto& at(const Point& p, Raw& raw) {
    if constexpr (D == ND::_1D)
      return raw.data[p.x];
    else if constexpr (D == ND::_2D)
      return raw.data[p.y][p.x];
    else
      return raw.data[p.z][p.y][p.x];
  }
};

template <class Raw>
struct StaticPtr {
  Raw raw;
  using Type = typename Raw::type;
  static constexpr ND nd = Raw::Dims::nd;
  FK_HD constexpr const Raw& ptr() const { return raw; }
  FK_HD constexpr operator Raw() const { return raw; }
  FK_HD constexpr Type at(const Point& p) const { return StaticPtrAccessor<nd>::read(p, raw); }
  FK_HD constexpr void set(const Point& p, const Type& value) {
    StaticPtrAccessor<nd>::write(p, raw, value);
  }
};

}  // namespace fk
