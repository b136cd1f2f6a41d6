// SPDX-License-Identifier: Apache-2.0
// Arithmetic with a constant, channel by channel, or between the two values of a tuple.
#pragma once
#include <fused_kernel/core/execution_model/operation_model/fused.h>
#include <fused_kernel/core/utils/scalar.h>

namespace fk {

/// The scalar function per channel; a float result reaches an integer type by truncation.
template <class O, class F>
struct Channelwise {
  template <class A, class B>
  FK_HOST_DEVICE_FUSE O f(const A& a, const B& b) {
    static_assert((cn<A> == cn<O> || cn<A> == 1) && (cn<B> == cn<O> || cn<B> == 1),
                  "fkl: the two operands and the result have different numbers of channels");
    return map_channels<O>(
        [](auto x, auto y) {
          return scalar::Truncate<VBase<O>>{}(F{}(scalar::widen(x), scalar::widen(y)));
        },
        a, b);
  }
};

#define FK_ARITHMETIC(Name, Function, Uniform)                                                   \
  template <class I1, class I2 = I1, class O = I1, class IT = BinaryType>                        \
  struct Name;                                                                                   \
  template <class I1, class I2, class O>                                                         \
  struct Name<I1, I2, O, BinaryType> : BinaryOperation<I1, I2, O, Name<I1, I2, O, BinaryType>> { \
    FK_HOST_DEVICE_FUSE O exec(const I1& x, const I2& p) {                                       \
      return Channelwise<O, scalar::Uniform>::f(x, p);                                           \
    }                                                                                            \
  };                                                                                             \
  template <class I1, class I2, class O>                                                         \
  struct Name<I1, I2, O, UnaryType>                                                              \
      : UnaryOperation<Tuple<I1, I2>, O, Name<I1, I2, O, UnaryType>> {                           \
    FK_HOST_DEVICE_FUSE O exec(const Tuple<I1, I2>& v) {                                         \
      return Channelwise<O, scalar::Function>::f(leaf<0>(v), leaf<1>(v));                        \
    }                                                                                            \
  };

/// in + p
FK_ARITHMETIC(Add, Plus, Plus)
/// in - p
FK_ARITHMETIC(Sub, Minus, Minus)
/// in * p
FK_ARITHMETIC(Mul, Times, Times)
/// in / p; for integers x / 0 is 0 and lowest / -1 is lowest
FK_ARITHMETIC(Div, Divide, DivideUniform)
/// (in < p) ? p : in
FK_ARITHMETIC(Max, Larger, Larger)
/// (p < in) ? p : in
FK_ARITHMETIC(Min, Smaller, Smaller)
#undef FK_ARITHMETIC

/// Divisors and their reciprocals.
template <class P>
struct Divisors {
  P divisor, reciprocal;
};
/// Div as a GPU's kernel has it.
template <class I, class P, class O>
struct DivPrepared : BinaryOperation<I, Divisors<P>, O, DivPrepared<I, P, O>> {
  FK_HOST_DEVICE_FUSE O exec(const I& x, const Divisors<P>& p) {
    return map_channels<O>(
        [](auto v, auto divisor, auto reciprocal) {
          using R = decltype(divisor);
          return scalar::Truncate<VBase<O>>{}(scalar::DivideUniform::corrected(
              static_cast<R>(scalar::widen(v)), divisor, reciprocal));
        },
        x, p.divisor, p.reciprocal);
  }
};
#if !defined(FKL_FP_STRICT)
template <class I, class P, class O>
  requires is_same_v<VBase<P>,
                     scalar::promoted_t<decltype(scalar::widen(declval<VBase<I>>())), VBase<P>>> &&
           is_real_v<VBase<P>>
FK_HOST inline auto for_kernel(const Binary<Div<I, P, O, BinaryType>>& iop) {
  const P reciprocal = map_channels<P>([](auto d) { return 1 / d; }, iop.params);
  return DivPrepared<I, P, O>::build(Divisors<P>{iop.params, reciprocal});
}
#endif

}  // namespace fk
