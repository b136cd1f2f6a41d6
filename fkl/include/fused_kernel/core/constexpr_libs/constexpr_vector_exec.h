// SPDX-License-Identifier: Apache-2.0
// A function of numbers applied to every channel of vectors; scalars among the arguments serve
// every channel.
#pragma once
#include <fused_kernel/core/utils/scalar.h>

namespace cxp {

template <class F, class First, class... Rest>
FK_FN auto each_channel(F f, const First& first, const Rest&... rest) {
  if constexpr ((fk::validCUDAVec<First> || ... || fk::validCUDAVec<Rest>)) {
    using Shape = fk::conditional_t<fk::validCUDAVec<First>, First,
                                    fk::plain_t<decltype((first, ..., rest))>>;
    using R = fk::plain_t<decltype(f(fk::channel<0>(first), fk::channel<0>(rest)...))>;
    return fk::map_channels<fk::rebase_t<Shape, R>>(f, first, rest...);
  } else {
    return f(first, rest...);
  }
}

}  // namespace cxp

/// A struct `name` with f(...), working on scalars and channel by channel on vectors.
#define FK_CXP_FUNCTION(name, call)                                    \
  struct name {                                                        \
    template <class... V>                                              \
    FK_HOST_DEVICE_FUSE auto f(const V&... v) {                        \
      return each_channel([](auto... x) { return call(x...); }, v...); \
    }                                                                  \
  };
