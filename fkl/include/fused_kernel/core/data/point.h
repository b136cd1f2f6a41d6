// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <fused_kernel/core/config.h>
#include <fused_kernel/core/data/nd.h>

namespace fk {

template <class T, ND D>
struct Point_;
template <class T>
struct Point_<T, ND::_1D> {
  T x{0};
};
template <class T>
struct Point_<T, ND::_2D> {
  T x{0}, y{0};
};
template <class T>
struct Point_<T, ND::_3D> {
  T x{0}, y{0}, z{0};
};

/// Column, row and plane of one element.
using Point = Point_<int, ND::_3D>;

}  // namespace fk
