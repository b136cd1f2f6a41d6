// SPDX-License-Identifier: Apache-2.0
// Memory of one, two or three dimensions with constructors that name its extents. Included by
// ptr_nd.h.
#pragma once
#include <fused_kernel/core/data/ptr_nd.h>

namespace fk {

template <class T>
class Ptr1D : public Ptr<ND::_1D, T> {
 public:
  using Base = Ptr<ND::_1D, T>;
  using Dims = PtrDims<ND::_1D>;
  Ptr1D() = default;
  Ptr1D(const Base& other) : Base(other) {}
  explicit Ptr1D(extent_t elements, extent_t bytes = 0, MemType type = defaultMemType,
                 int device = 0)
      : Base(Dims(elements, bytes), type, device) {}
  Ptr1D(T* data, const Dims& dims, MemType type = defaultMemType, int device = 0)
      : Base(data, dims, type, device) {}
  Ptr1D crop1D(const Point& origin, const Dims& dims) const { return this->crop(origin, dims); }
};

template <class T>
class Ptr2D : public Ptr<ND::_2D, T> {
 public:
  using Base = Ptr<ND::_2D, T>;
  using Dims = PtrDims<ND::_2D>;
  Ptr2D() = default;
  Ptr2D(const Base& other) : Base(other) {}
  Ptr2D(extent_t width, extent_t height, extent_t pitch = 0, MemType type = defaultMemType,
        int device = 0)
      : Base(Dims(width, height, pitch), type, device) {}
  explicit Ptr2D(const Size& size, extent_t pitch = 0, MemType type = defaultMemType,
                 int device = 0)
      : Ptr2D(static_cast<extent_t>(size.width), static_cast<extent_t>(size.height), pitch, type,
              device) {}
  Ptr2D(T* data, extent_t width, extent_t height, extent_t pitch, MemType type = defaultMemType,
        int device = 0)
      : Base(data, Dims(width, height, pitch), type, device) {}
  Ptr2D(T* data, const Dims& dims, MemType type = defaultMemType, int device = 0)
      : Base(data, dims, type, device) {}
  void Alloc(const Size& size, extent_t pitch = 0, MemType type = defaultMemType, int device = 0) {
    this->allocPtr(
        Dims(static_cast<extent_t>(size.width), static_cast<extent_t>(size.height), pitch), type,
        device);
  }
  Ptr2D crop2D(const Point& origin, const Dims& dims) const { return this->crop(origin, dims); }
};

#define FK_PTR_WITH_PLANES(Name, D)                                                               \
  template <class T>                                                                              \
  class Name : public Ptr<D, T> {                                                                 \
   public:                                                                                        \
    using Base = Ptr<D, T>;                                                                       \
    using Dims = PtrDims<D>;                                                                      \
    Name() = default;                                                                             \
    Name(const Base& other) : Base(other) {}                                                      \
    Name(extent_t width, extent_t height, extent_t planes, extent_t color_planes = 1,             \
         MemType type = defaultMemType, int device = 0)                                           \
        : Base(Dims(width, height, planes, color_planes), type, device) {}                        \
    Name(T* data, extent_t width, extent_t height, extent_t planes, extent_t color_planes = 1,    \
         MemType type = defaultMemType, int device = 0)                                           \
        : Base(data, Dims(width, height, planes, color_planes), type, device) {}                  \
    Name(T* data, const Dims& dims, MemType type = defaultMemType, int device = 0)                \
        : Base(data, dims, type, device) {}                                                       \
    void allocTensor(extent_t width, extent_t height, extent_t planes, extent_t color_planes = 1, \
                     MemType type = defaultMemType, int device = 0) {                             \
      this->release();                                                                            \
      this->allocPtr(Dims(width, height, planes, color_planes), type, device);                    \
    }                                                                                             \
  };
/// Packed images, one after another; with color planes, each image's planes together (NCHW).
FK_PTR_WITH_PLANES(Tensor, ND::_3D)
/// Packed images with the planes of one color of all images together (CNHW).
FK_PTR_WITH_PLANES(TensorT, ND::T3D)
FK_PTR_WITH_PLANES(PtrT3D, ND::T3D)
#undef FK_PTR_WITH_PLANES

/// Images one after another whose rows may have gaps between them.
template <class T>
class Ptr3D : public Ptr<ND::_3D, T> {
 public:
  using Base = Ptr<ND::_3D, T>;
  using Dims = PtrDims<ND::_3D>;
  Ptr3D() = default;
  Ptr3D(const Base& other) : Base(other) {}
  Ptr3D(extent_t width, extent_t height, extent_t planes, extent_t color_planes = 1,
        extent_t pitch = 0, MemType type = defaultMemType, int device = 0)
      : Base(Dims(width, height, planes, color_planes, pitch), type, device) {}
  Ptr3D(T* data, const Dims& dims, MemType type = defaultMemType, int device = 0)
      : Base(data, dims, type, device) {}
};

}  // namespace fk
