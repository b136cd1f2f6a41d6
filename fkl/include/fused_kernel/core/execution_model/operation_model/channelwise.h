// SPDX-License-Identifier: Apache-2.0
// Operations on one number, made to work on every channel of a vector.
#pragma once
#include <fused_kernel/core/execution_model/operation_model/declare.h>

namespace fk {

/// Element c of the input: channel c of a vector, or of each element of a tuple.
template <int C, class V>
FK_FN auto channel_of(const V& v) {
  if constexpr (isTuple_v<V>)
    return [&]<int... I>(IndexSequence<I...>) {
      return make_tuple(channel<C>(leaf<I>(v))...);
    }(make_index_sequence<V::size>{});
  else
    return channel<C>(v);
}

/// `Op` has InputType, OutputType and exec(value) for one channel.
template <class Op, class I, class O>
struct UnaryV : UnaryOperation<I, O, UnaryV<Op, I, O>> {
  FK_HOST_DEVICE_FUSE O exec(const I& v) { return each(v, make_index_sequence<cn<O>>{}); }

 private:
  template <int... C>
  FK_HOST_DEVICE_FUSE O each(const I& v, IndexSequence<C...>) {
    return vector_from<O>(static_cast<VBase<O>>(Op::exec(channel_of<C>(v)))...);
  }
};

/// `Op` has exec(value, parameter) for one channel; a scalar P serves every channel.
template <class Op, class I, class P = I, class O = I>
struct BinaryV : BinaryOperation<I, P, O, BinaryV<Op, I, P, O>> {
  static_assert(cn<I> == cn<O>, "fkl: a channel-wise operation keeps the number of channels");
  FK_HOST_DEVICE_FUSE O exec(const I& v, const P& p) {
    return each(v, p, make_index_sequence<cn<O>>{});
  }

 private:
  template <int... C>
  FK_HOST_DEVICE_FUSE O each(const I& v, const P& p, IndexSequence<C...>) {
    return vector_from<O>(static_cast<VBase<O>>(Op::exec(channel<C>(v), channel<C>(p)))...);
  }
};

}  // namespace fk
