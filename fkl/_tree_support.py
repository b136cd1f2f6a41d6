# SPDX-License-Identifier: Apache-2.0
"""The fixed C++ text before a chain for another FKL tree: from plain structs to FKL's own types.

FKL's sizes are 32-bit and its vectors want their own alignment; both are checked at run time,
because pointers and sizes are in no type.
"""

from __future__ import annotations

SUPPORT = """\
// Experimental: for another FKL tree (FKL_INCLUDE), through FKL's user-level API.
#include <fused_kernel/fused_kernel.h>
#include <fused_kernel/algorithms/algorithms.h>
#include <array>
#include <cstddef>
#include <exception>
#include <stdexcept>
#include <type_traits>

struct fkl_packed {
  void* data;
  unsigned long long width, height, planes, color_planes, pitch, plane_pitch;
};
struct fkl_planar {
  void* data;
  unsigned long long width, height, planes, color_planes, pitch, plane_pitch, color_planes_pitch;
};
struct fkl_image {
  void* data;
  unsigned long long width, height, pitch;
};
struct fkl_table {
  const void* data;
  unsigned count, on_device;
};
struct fkl_region {
  int x, y, width, height;
};
struct fkl_runtime {
  unsigned version, threads;
  void* parallel_for;
  int device;
};

template <class Op, class In, class Out>
constexpr bool fkl_yields = std::is_same_v<typename Op::InputType, In> &&
                            std::is_same_v<typename Op::OutputType, Out>;

inline unsigned fkl_narrow(unsigned long long number) {
  if (number > 0xffffffffull)
    throw std::length_error("fkl: FKL_INCLUDE has sizes of 32 bits; give the array in parts");
  return static_cast<unsigned>(number);
}
template <class T>
T* fkl_aligned(void* data, unsigned long long pitch, unsigned long long plane_pitch) {
  if ((reinterpret_cast<unsigned long long>(data) | pitch | plane_pitch) % alignof(T))
    throw std::invalid_argument("fkl: FKL_INCLUDE reads and writes whole pixels, and these lie "
                                "between two of them; give an aligned copy");
  return static_cast<T*>(data);
}
template <class T>
fk::RawPtr<fk::ND::_2D, T> fkl_view(const fkl_image& m) {
  fk::RawPtr<fk::ND::_2D, T> view;
  view.data = fkl_aligned<T>(m.data, m.pitch, 0);
  view.dims.width = fkl_narrow(m.width);
  view.dims.height = fkl_narrow(m.height);
  view.dims.pitch = fkl_narrow(m.pitch);
  fkl_narrow(m.pitch * m.height);
  return view;
}
template <class T>
fk::RawPtr<fk::ND::_3D, T> fkl_view(const fkl_packed& m) {
  fk::RawPtr<fk::ND::_3D, T> view;
  view.data = fkl_aligned<T>(m.data, m.pitch, m.plane_pitch);
  view.dims.width = fkl_narrow(m.width);
  view.dims.height = fkl_narrow(m.height);
  view.dims.planes = fkl_narrow(m.planes);
  view.dims.color_planes = 1;
  view.dims.pitch = fkl_narrow(m.pitch);
  view.dims.plane_pitch = fkl_narrow(m.plane_pitch);
  return view;
}
template <class T>
auto fkl_planar_view(const fkl_planar& m) {
  using B = decltype(T::x);
  fk::RawPtr<fk::ND::T3D, B> view;
  view.data = fkl_aligned<B>(m.data, m.pitch, m.plane_pitch | m.color_planes_pitch);
  view.dims.width = fkl_narrow(m.width);
  view.dims.height = fkl_narrow(m.height);
  view.dims.planes = fkl_narrow(m.planes);
  view.dims.color_planes = fkl_narrow(m.color_planes);
  view.dims.pitch = fkl_narrow(m.pitch);
  view.dims.plane_pitch = fkl_narrow(m.plane_pitch);
  view.dims.color_planes_pitch = fkl_narrow(m.color_planes_pitch);
  return view;
}
inline void* fkl_moved(void* data, unsigned long long bytes) {
  return static_cast<char*>(data) + bytes;
}
template <std::size_t N, class T>
std::array<fk::RawPtr<fk::ND::_2D, T>, N> fkl_views(const fkl_packed& m) {
  std::array<fk::RawPtr<fk::ND::_2D, T>, N> views;
  for (std::size_t i = 0; i < N; ++i)
    views[i] = fkl_view<T>(
        fkl_image{fkl_moved(m.data, i * m.plane_pitch), m.width, m.height, m.pitch});
  return views;
}
template <std::size_t N, class T>
std::array<fk::RawPtr<fk::ND::_2D, T>, N> fkl_images(const fkl_table& m) {
  std::array<fk::RawPtr<fk::ND::_2D, T>, N> views;
  const auto images = static_cast<const fkl_image*>(m.data);
  for (std::size_t i = 0; i < N; ++i) views[i] = fkl_view<T>(images[i]);
  return views;
}
// Whatever plane number such a view is asked for, it is the one plane that it has.
template <std::size_t N, class T>
auto fkl_planar_views(fkl_planar m) {
  std::array<decltype(fkl_planar_view<T>(m)), N> views;
  const unsigned long long distance = m.plane_pitch;
  m.planes = 1;
  m.plane_pitch = 0;
  for (std::size_t i = 0; i < N; ++i) {
    views[i] = fkl_planar_view<T>(m);
    m.data = fkl_moved(m.data, distance);
  }
  return views;
}
inline fk::Rect fkl_rect(const fkl_table& m, std::size_t i) {
  const fkl_region r = static_cast<const fkl_region*>(m.data)[i];
  return fk::Rect(r.x, r.y, r.width, r.height);
}
template <std::size_t N>
std::array<fk::Rect, N> fkl_rects(const fkl_table& m) {
  std::array<fk::Rect, N> rects;
  for (std::size_t i = 0; i < N; ++i) rects[i] = fkl_rect(m, i);
  return rects;
}
inline fk::ActiveThreads fkl_threads(const unsigned long long (&n)[3]) {
  return fk::ActiveThreads{fkl_narrow(n[0]), fkl_narrow(n[1]), fkl_narrow(n[2])};
}
"""

CPU_SUPPORT = ""

CUDA_SUPPORT = """\
extern "C" int fkl_device_enter(int device);
extern "C" void fkl_device_leave();
// The arrays' device, current for as long as this lives.
struct fkl_device {
  int entered = 0;
  explicit fkl_device(const fkl_runtime* runtime) {
    if (runtime && runtime->device == -2)
      throw std::runtime_error("fkl: this process was forked from one that had used CUDA; "
                               "start it by spawn");
    if (runtime && runtime->device >= 0) entered = fkl_device_enter(runtime->device);
    if (entered < 0) throw std::runtime_error("fkl: the device of the arrays cannot be used");
  }
  ~fkl_device() {
    if (entered > 0) fkl_device_leave();
  }
  fkl_device(const fkl_device&) = delete;
};
"""
