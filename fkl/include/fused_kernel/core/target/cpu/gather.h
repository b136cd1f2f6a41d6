// SPDX-License-Identifier: Apache-2.0
// Two source pixels per output column, blended, each channel into a row of its own.
#pragma once
#include <fused_kernel/algorithms/image_processing/sampling.h>

namespace fk::cpu {

template <int I, class O, class Pixel>
FK_HOST FK_INLINE VBase<O> blend_channel(const Pixel& a, const Pixel& b, VBase<O> w) {
  using B = VBase<O>;
  const B x = static_cast<B>(scalar::widen(channel<I>(a)));
  return x + w * (static_cast<B>(scalar::widen(channel<I>(b))) - x);
}

template <class O, class Row>
FK_HOST FK_INLINE void gather_blended(const Row& source, const int* FK_RESTRICT low, const int* FK_RESTRICT high,
                                      const VBase<O>* FK_RESTRICT weight, index_t count, int /*source_width*/,
                                      VBase<O>* FK_RESTRICT out, index_t stride) {
  for (index_t x = 0; x < count; ++x) {
    const auto a = source.at(low[x]);
    const auto b = source.at(high[x]);
    const VBase<O> w = weight[x];
    out[x] = blend_channel<0, O>(a, b, w);
    if constexpr (cn<O> > 1) out[x + stride] = blend_channel<1, O>(a, b, w);
    if constexpr (cn<O> > 2) out[x + 2 * stride] = blend_channel<2, O>(a, b, w);
    if constexpr (cn<O> > 3) out[x + 3 * stride] = blend_channel<3, O>(a, b, w);
  }
}

}  // namespace fk::cpu
