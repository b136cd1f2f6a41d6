// SPDX-License-Identifier: Apache-2.0
// Bits of integers, channel by channel.
#pragma once
#include <fused_kernel/algorithms/basic_ops/arithmetic.h>

namespace fk {
namespace scalar {
struct BitAnd {
  template <class A, class B>
  FK_FN auto operator()(A a, B b) const {
    return a & b;
  }
};
struct BitOr {
  template <class A, class B>
  FK_FN auto operator()(A a, B b) const {
    return a | b;
  }
};
struct BitXor {
  template <class A, class B>
  FK_FN auto operator()(A a, B b) const {
    return a ^ b;
  }
};
// a shift keeps the type of what is shifted; one by its width or more leaves nothing (or the sign)
struct ShiftUp {
  template <class A, class B>
  FK_FN A operator()(A a, B b) const {
    const bool inside = b >= 0 && static_cast<ulonglong>(b) < sizeof(A) * 8;
    return inside ? static_cast<A>(static_cast<ulonglong>(a) << b) : A(0);
  }
};
struct ShiftDown {
  template <class A, class B>
  FK_FN A operator()(A a, B b) const {
    const bool inside = b >= 0 && static_cast<ulonglong>(b) < sizeof(A) * 8;
    return static_cast<A>(a >>
                          (inside ? static_cast<int>(b) : static_cast<int>(sizeof(A) * 8 - 1))) *
           static_cast<A>(inside || a < A(0));
  }
};
}  // namespace scalar

#define FK_BITWISE(Name, Function)                                                               \
  template <class I1, class I2 = I1, class O = I1, class IT = BinaryType>                        \
  struct Name;                                                                                   \
  template <class I1, class I2, class O>                                                         \
  struct Name<I1, I2, O, BinaryType> : BinaryOperation<I1, I2, O, Name<I1, I2, O, BinaryType>> { \
    static_assert(is_integer_v<VBase<I1>> && is_integer_v<VBase<I2>>,                            \
                  "fkl: " #Name " takes integers");                                              \
    FK_HOST_DEVICE_FUSE O exec(const I1& x, const I2& p) {                                       \
      return Channelwise<O, scalar::Function>::f(x, p);                                          \
    }                                                                                            \
  };                                                                                             \
  template <class I1, class I2, class O>                                                         \
  struct Name<I1, I2, O, UnaryType>                                                              \
      : UnaryOperation<Tuple<I1, I2>, O, Name<I1, I2, O, UnaryType>> {                           \
    static_assert(is_integer_v<VBase<I1>> && is_integer_v<VBase<I2>>,                            \
                  "fkl: " #Name " takes integers");                                              \
    FK_HOST_DEVICE_FUSE O exec(const Tuple<I1, I2>& v) {                                         \
      return Channelwise<O, scalar::Function>::f(leaf<0>(v), leaf<1>(v));                        \
    }                                                                                            \
  };
FK_BITWISE(BwAnd, BitAnd)
FK_BITWISE(BwOr, BitOr)
FK_BITWISE(BwXor, BitXor)
#undef FK_BITWISE

#define FK_SHIFT(Name, Function)                                    \
  template <class I, class P = I, class O = I>                      \
  struct Name : BinaryOperation<I, P, O, Name<I, P, O>> {           \
    static_assert(is_integer_v<VBase<I>> && is_integer_v<VBase<P>>, \
                  "fkl: " #Name " takes integers");                 \
    FK_HOST_DEVICE_FUSE O exec(const I& x, const P& p) {            \
      return Channelwise<O, scalar::Function>::f(x, p);             \
    }                                                               \
  };
FK_SHIFT(ShiftLeft, ShiftUp)
FK_SHIFT(ShiftRight, ShiftDown)
#undef FK_SHIFT

template <class I, class O = I>
struct BwNot : UnaryOperation<I, O, BwNot<I, O>> {
  static_assert(is_integer_v<VBase<I>>, "fkl: BwNot takes integers");
  FK_HOST_DEVICE_FUSE O exec(const I& v) {
    return map_channels<O>([](auto x) { return static_cast<VBase<O>>(~x); }, v);
  }
};

}  // namespace fk
