// SPDX-License-Identifier: Apache-2.0
// N neighbouring elements in the widest words that their bytes divide into; the caller has checked
// the alignment.
#pragma once
#include <fused_kernel/core/execution_model/operation_model/reading.h>

namespace fk {

struct alignas(16) Word16 {
  uint a, b, c, d;
};
template <int BYTES>
using word_t =
    conditional_t<BYTES % 16 == 0, Word16,
                  conditional_t<BYTES % 8 == 0, ulonglong,
                                conditional_t<BYTES % 4 == 0, uint,
                                              conditional_t<BYTES % 2 == 0, ushort, uchar>>>>;

/// Bytes that the address of N elements must divide into for them to be moved at once.
template <class T, int N>
inline constexpr int wide_alignment = sizeof(word_t<sizeof(T) * N>);

template <class T, int N>
union WideBits {
  word_t<sizeof(T) * N> words[sizeof(T) * N / wide_alignment<T, N>];
  Packet<T, N> packet;
};

template <int N, class T>
FK_HD FK_INLINE Packet<T, N> wide_load(const T* from) {
  using W = word_t<sizeof(T) * N>;
  WideBits<T, N> bits;
  const W* words = reinterpret_cast<const W*>(from);
  FK_UNROLL
  for (int i = 0; i < static_cast<int>(sizeof(T) * N / sizeof(W)); ++i) bits.words[i] = words[i];
  return bits.packet;
}
template <int N, class T>
FK_HD FK_INLINE void wide_store(T* to, const Packet<T, N>& packet) {
  using W = word_t<sizeof(T) * N>;
  WideBits<T, N> bits;
  bits.packet = packet;
  W* words = reinterpret_cast<W*>(to);
  FK_UNROLL
  for (int i = 0; i < static_cast<int>(sizeof(T) * N / sizeof(W)); ++i) words[i] = bits.words[i];
}

}  // namespace fk
