// SPDX-License-Identifier: Apache-2.0
// Operations on the channels of one element.
#pragma once
#include <fused_kernel/core/execution_model/operation_model/fused.h>
#include <fused_kernel/core/utils/scalar.h>

namespace fk {

/// Keeps the first channels.
template <class I, class O>
struct Discard : UnaryOperation<I, O, Discard<I, O>> {
  static_assert(is_same_v<VBase<I>, VBase<O>> && cn<O> < cn<I>,
                "fkl: Discard keeps the base type and fewer channels than it is given");
  FK_HOST_DEVICE_FUSE O exec(const I& v) { return keep(v, make_index_sequence<cn<O>>{}); }

 private:
  template <int... K>
  FK_HOST_DEVICE_FUSE O keep(const I& v, IndexSequence<K...>) {
    return vector_from<O>(channel<K>(v)...);
  }
};

/// out[k] = in[Idx_k]
template <class T, int... Idx>
struct VectorReorder : UnaryOperation<T, T, VectorReorder<T, Idx...>> {
  static_assert(sizeof...(Idx) == cn<T> && cn<T> >= 2,
                "fkl: VectorReorder takes one index per channel");
  static_assert(((Idx >= 0 && Idx < cn<T>) && ...), "fkl: a VectorReorder index names no channel");
  FK_HOST_DEVICE_FUSE T exec(const T& v) { return T{channel<Idx>(v)...}; }
};

/// Left fold over the channels with an operation on two of them.
template <class T, class Op>
struct VectorReduce : UnaryOperation<T, typename Op::OutputType, VectorReduce<T, Op>> {
  using O = typename Op::OutputType;
  FK_HOST_DEVICE_FUSE O exec(const T& v) {
    if constexpr (cn<T> == 1) {
      return channel<0>(v);
    } else {
      return fold_channels(
          [](const auto& a, const auto& b) {
            if constexpr (opIs<UnaryType, Op>)
              return Op::exec(typename Op::InputType{{{a}, {b}}});
            else
              return Op::exec(a, b);
          },
          v);
    }
  }
};

/// Appends one channel.
template <class I, class O>
struct AddLast : BinaryOperation<I, VBase<I>, O, AddLast<I, O>> {
  static_assert(cn<O> == cn<I> + 1 && is_same_v<VBase<I>, VBase<O>>,
                "fkl: AddLast keeps the base type and adds one channel");
  FK_HOST_DEVICE_FUSE O exec(const I& v, const VBase<I>& last) {
    return append(v, last, make_index_sequence<cn<I>>{});
  }

 private:
  template <int... K>
  FK_HOST_DEVICE_FUSE O append(const I& v, const VBase<I>& last, IndexSequence<K...>) {
    return O{channel<K>(v)..., last};
  }
};

/// out[k] = in[p[k]]; an index that names no channel gives the last one.
template <class T>
struct VectorReorderRT : BinaryOperation<T, rebase_t<T, int>, T, VectorReorderRT<T>> {
  static_assert(cn<T> >= 2, "fkl: reordering needs an element of 2 to 4 channels");
  using Indexes = rebase_t<T, int>;
  FK_HOST_DEVICE_FUSE T exec(const T& v, const Indexes& indexes) {
    return map_channels<T>([v](int i) { return pick(i, v); }, indexes);
  }

 private:
  FK_HOST_DEVICE_FUSE VBase<T> pick(int i, const T& v) {
    VBase<T> c = channel<cn<T> - 1>(v);
    if (i == 0) c = v.x;
    if constexpr (cn<T> > 2) c = i == 1 ? v.y : c;
    if constexpr (cn<T> > 3) c = i == 2 ? v.z : c;
    return c;
  }
};

/// Whether every channel is non-zero.
template <class T>
struct VectorAnd : UnaryOperation<T, bool, VectorAnd<T>> {
  FK_HOST_DEVICE_FUSE bool exec(const T& v) {
    return fold_channels([](auto a, auto b) { return a && b; },
                         map_channels<rebase_t<T, bool>>([](auto x) { return x != 0; }, v));
  }
};

}  // namespace fk
