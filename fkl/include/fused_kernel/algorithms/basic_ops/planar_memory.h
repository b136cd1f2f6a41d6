// SPDX-License-Identifier: Apache-2.0
// Planar memory: each channel of the element in a plane of its own. Included by
// memory_operations.h.
#pragma once
#include <fused_kernel/algorithms/basic_ops/memory_operations.h>

namespace fk {

template <class T>
struct PlanarRow {
  using Base = VBase<T>;
  Base* FK_RESTRICT c0;
  extent_t pitch;  // bytes from one channel's plane to the next
  template <int I>
  FK_FN Base* plane() const {
    return byte_offset(c0, I * pitch);
  }
  FK_FN T at(index_t x) const {
    if constexpr (cn<T> == 1)
      return vector_from<T>(c0[x]);
    else if constexpr (cn<T> == 2)
      return T{c0[x], plane<1>()[x]};
    else if constexpr (cn<T> == 3)
      return T{c0[x], plane<1>()[x], plane<2>()[x]};
    else
      return T{c0[x], plane<1>()[x], plane<2>()[x], plane<3>()[x]};
  }
  FK_HD FK_INLINE void put(index_t x, const T& v) const {
    c0[x] = channel<0>(v);
    if constexpr (cn<T> > 1) plane<1>()[x] = channel<1>(v);
    if constexpr (cn<T> > 2) plane<2>()[x] = channel<2>(v);
    if constexpr (cn<T> > 3) plane<3>()[x] = channel<3>(v);
  }
  template <int N>
  FK_HD FK_INLINE Packet<T, N> load(index_t x) const {
    Packet<T, N> p;
    load_channel<0, N>(x, p);
    if constexpr (cn<T> > 1) load_channel<1, N>(x, p);
    if constexpr (cn<T> > 2) load_channel<2, N>(x, p);
    if constexpr (cn<T> > 3) load_channel<3, N>(x, p);
    return p;
  }
  template <int N>
  FK_HD FK_INLINE void store(index_t x, const Packet<T, N>& p) const {
    store_channel<0, N>(x, p);
    if constexpr (cn<T> > 1) store_channel<1, N>(x, p);
    if constexpr (cn<T> > 2) store_channel<2, N>(x, p);
    if constexpr (cn<T> > 3) store_channel<3, N>(x, p);
  }

 private:
  template <int C, int N>
  FK_HD FK_INLINE void load_channel(index_t x, Packet<T, N>& p) const {
    const Packet<Base, N> one = wide_load<N>(plane<C>() + x);
    FK_UNROLL
    for (int i = 0; i < N; ++i) reinterpret_cast<Base*>(&p.at[i])[C] = one.at[i];
  }
  template <int C, int N>
  FK_HD FK_INLINE void store_channel(index_t x, const Packet<T, N>& p) const {
    Packet<Base, N> one;
    FK_UNROLL
    for (int i = 0; i < N; ++i) one.at[i] = channel<C>(p.at[i]);
    wide_store<N>(plane<C>() + x, one);
  }
};
template <class T>
struct PlanarPlane {
  RawPtr<ND::T3D, VBase<T>> ptr;
  index_t z;
  FK_FN PlanarRow<T> row(index_t y) const {
    return {row_pointer(ptr, y, z), ptr.dims.color_planes_pitch};
  }
};

/// FKL's packed tensor, plane-of-image major, in the general form.
template <class T>
FK_FN RawPtr<ND::T3D, VBase<T>> as_planar(const RawPtr<ND::_3D, VBase<T>>& p) {
  RawPtr<ND::T3D, VBase<T>> out;
  out.data = p.data;
  out.dims = PtrDims<ND::T3D>(p.dims.width, p.dims.height, p.dims.planes, p.dims.color_planes);
  out.dims.pitch = p.dims.width * sizeof(VBase<T>);
  out.dims.color_planes_pitch = out.dims.pitch * p.dims.height;
  out.dims.plane_pitch = out.dims.color_planes_pitch * cn<T>;
  return out;
}

#define FK_PLANAR_WRITE(Name, D, TO_PLANAR)                                                     \
  template <class T>                                                                            \
  struct Name : WriteOperation<T, RawPtr<D, VBase<T>>, VBase<T>, TF::DISABLED, Name<T>>,        \
                MemoryGeometry<Name<T>, ND::T3D, VBase<T>> {                                    \
    using Params = RawPtr<D, VBase<T>>;                                                         \
    static_assert(cn<T> >= 2, "fkl: splitting needs an element of 2 to 4 channels");            \
    template <ParArch PA, class Tables>                                                         \
    FK_HOST_DEVICE_FUSE auto plane(index_t z, const OperationData<Name>& data, const Tables&) { \
      return PlanarPlane<T>{TO_PLANAR(data.params), z};                                         \
    }                                                                                           \
    FK_HOST_DEVICE_FUSE void exec(const Point& p, const T& v, const Params& params) {           \
      PlanarPlane<T>{TO_PLANAR(params), p.z}.row(p.y).put(p.x, v);                              \
    }                                                                                           \
  };
#define FK_PLANAR_READ(Name, D, TO_PLANAR)                                                      \
  template <class T>                                                                            \
  struct Name : ReadOperation<T, RawPtr<D, VBase<T>>, T, TF::DISABLED, Name<T>>,                \
                ReadsByPlane<Name<T>>,                                                          \
                MemoryGeometry<Name<T>, ND::T3D, VBase<T>> {                                    \
    static_assert(cn<T> >= 2, "fkl: packing needs an element of 2 to 4 channels");              \
    template <ParArch PA, class Tables>                                                         \
    FK_HOST_DEVICE_FUSE auto plane(index_t z, const OperationData<Name>& data, const Tables&) { \
      return PlanarPlane<T>{TO_PLANAR(data.params), z};                                         \
    }                                                                                           \
  };
/// Channel c to color plane c of a packed tensor, image by image.
FK_PLANAR_WRITE(TensorSplit, ND::_3D, as_planar<T>)
/// Channel c to color plane c, by the pitches given.
FK_PLANAR_WRITE(TensorTSplit, ND::T3D, )
/// The inverse of TensorSplit.
FK_PLANAR_READ(TensorPack, ND::_3D, as_planar<T>)
/// The inverse of TensorTSplit.
FK_PLANAR_READ(TensorTPack, ND::T3D, )
#undef FK_PLANAR_WRITE
#undef FK_PLANAR_READ

}  // namespace fk
