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
FK_HOST FK_INLINE void gather_any(const Row& source, const int* FK_RESTRICT low,
                                  const int* FK_RESTRICT high, const VBase<O>* FK_RESTRICT weight,
                                  index_t count, VBase<O>* FK_RESTRICT out, index_t stride) {
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

template <int I, class B>
FK_HOST FK_INLINE B byte_of(uint word) {
  return static_cast<B>(static_cast<int>((word >> (8 * I)) & 255u));
}
template <int I, class B>
FK_HOST FK_INLINE void blend_bytes(const uint* FK_RESTRICT a, const uint* FK_RESTRICT b,
                                   const B* FK_RESTRICT weight, index_t count, B* FK_RESTRICT out) {
  FK_INDEPENDENT
  for (index_t x = 0; x < count; ++x) {
    const B from = byte_of<I, B>(a[x]);
    out[x] = from + weight[x] * (byte_of<I, B>(b[x]) - from);
  }
}

/// Neighbouring pixels of bytes: one load of eight bytes into a block of words each, then all else
/// on whole vectors.
template <class O>
FK_HOST FK_INLINE void gather_bytes(const uchar* row, const int* FK_RESTRICT low,
                                    const VBase<O>* FK_RESTRICT weight, index_t count,
                                    VBase<O>* FK_RESTRICT out, index_t stride) {
  constexpr index_t block = 128;
  uint a[block];
  uint b[block];
  for (index_t begin = 0; begin < count; begin += block) {
    const index_t n = min_of(block, count - begin);
    for (index_t x = 0; x < n; ++x) {
      ulonglong both;
      __builtin_memcpy(&both, row + static_cast<index_t>(low[begin + x]) * cn<O>, 8);
      a[x] = static_cast<uint>(both);
      b[x] = static_cast<uint>(both >> (8 * cn<O>));
    }
    blend_bytes<0>(a, b, weight + begin, n, out + begin);
    if constexpr (cn<O> > 1) blend_bytes<1>(a, b, weight + begin, n, out + begin + stride);
    if constexpr (cn<O> > 2) blend_bytes<2>(a, b, weight + begin, n, out + begin + 2 * stride);
    if constexpr (cn<O> > 3) blend_bytes<3>(a, b, weight + begin, n, out + begin + 3 * stride);
  }
}

/// Columns [begin, end) whose two pixels are neighbours and lie in eight bytes of the row.
struct WordColumns {
  index_t begin, end;
  template <int CHANNELS>
  FK_HOST static WordColumns find(const int* low, const int* high, index_t count,
                                  int source_width) {
    WordColumns c{0, count};
    while (c.begin < count && low[c.begin] == high[c.begin]) ++c.begin;
    while (c.end > c.begin && (low[c.end - 1] + 1 != high[c.end - 1] ||
                               (low[c.end - 1] * CHANNELS) + 8 > source_width * CHANNELS))
      --c.end;
    return c;
  }
};

template <class O, class Row>
FK_HOST FK_INLINE void gather_blended(const Row& source, const int* low, const int* high,
                                      const VBase<O>* weight, index_t count,
                                      const WordColumns& words, VBase<O>* out, index_t stride) {
  if constexpr (requires { source.pointer(); }) {
    using Pixel = plain_t<decltype(*source.pointer())>;
    if constexpr (is_same_v<VBase<Pixel>, uchar>) {
      const uchar* row = reinterpret_cast<const uchar*>(source.pointer());
      const index_t from = words.begin;
      const index_t to = words.end;
      gather_any<O>(source, low, high, weight, from, out, stride);
      gather_bytes<O>(row, low + from, weight + from, to - from, out + from, stride);
      gather_any<O>(source, low + to, high + to, weight + to, count - to, out + to, stride);
      return;
    }
  }
  gather_any<O>(source, low, high, weight, count, out, stride);
}

}  // namespace fk::cpu
