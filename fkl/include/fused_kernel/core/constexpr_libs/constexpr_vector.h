// SPDX-License-Identifier: Apache-2.0
// Whole vectors: reordering, reducing and cutting their channels.
#pragma once
#include <fused_kernel/core/constexpr_libs/constexpr_vector_exec.h>

namespace cxp {

/// Whether every channel is non-zero.
struct vector_and {
  template <class V>
  FK_HOST_DEVICE_FUSE bool f(const V& v) {
    if constexpr (fk::cn<V> == 1)
      return fk::channel<0>(v) != 0;
    else
      return fk::fold_channels([](auto a, auto b) { return a != 0 && b != 0; }, v);
  }
};
template <int... Index>
struct vector_reorder {
  template <class V>
  FK_HOST_DEVICE_FUSE V f(const V& v) {
    static_assert(sizeof...(Index) == fk::cn<V>, "fkl: vector_reorder takes one index per channel");
    return fk::vector_from<V>(fk::channel<Index>(v)...);
  }
};
/// Left fold with Op::f(a, b).
template <class Op>
struct vector_reduce {
  template <class V>
  FK_HOST_DEVICE_FUSE auto f(const V& v) {
    return fk::fold_channels([](auto a, auto b) { return Op::f(a, b); }, v);
  }
};
/// The first N channels.
template <int N>
struct discard {
  template <class V>
  FK_HOST_DEVICE_FUSE auto f(const V& v) {
    static_assert(N >= 1 && N < fk::cn<V>, "fkl: discard keeps fewer channels than it is given");
    return keep(v, fk::make_index_sequence<N>{});
  }

 private:
  template <int... I, class V>
  FK_HOST_DEVICE_FUSE auto keep(const V& v, fk::IndexSequence<I...>) {
    return fk::vector_from<fk::VectorType_t<fk::VBase<V>, N>>(fk::channel<I>(v)...);
  }
};

}  // namespace cxp
