// SPDX-License-Identifier: Apache-2.0
// Functions of one number, channel by channel; computed in float, in double for double.
#pragma once
#include <fused_kernel/algorithms/basic_ops/arithmetic.h>

namespace fk {
namespace scalar {

#define FK_ROOT_LIKE(Name, function, function_f)           \
  struct Name {                                            \
    template <class T>                                     \
    FK_FN auto operator()(T x) const {                     \
      if constexpr (is_same_v<T, double>)                  \
        return FK_LIBM(function)(x);                       \
      else                                                 \
        return FK_LIBM(function_f)(static_cast<float>(x)); \
    }                                                      \
  };
FK_ROOT_LIKE(SquareRoot, sqrt, sqrtf)
FK_ROOT_LIKE(NaturalLog, log, logf)
FK_ROOT_LIKE(Exponential, exp, expf)
#undef FK_ROOT_LIKE

/// The lowest integer has no positive: it stays.
struct Magnitude {
  template <class T>
  FK_FN auto operator()(T x) const {
    if constexpr (is_signed_integer_v<T>)
      return x < 0 ? Minus{}(T(0), x) : Minus{}(x, T(0));
    else if constexpr (is_real_v<T>)
      return x < 0 ? -x : x;
    else
      return x;
  }
};
struct Square {
  template <class T>
  FK_FN auto operator()(T x) const {
    return Times{}(x, x);
  }
};
struct Distance {
  template <class A, class B>
  FK_FN auto operator()(A a, B b) const {
    return Magnitude{}(Minus{}(a, b));
  }
};

}  // namespace scalar

#define FK_FUNCTION(Name, Function)                                                    \
  template <class I, class O = I>                                                      \
  struct Name : UnaryOperation<I, O, Name<I, O>> {                                     \
    FK_HOST_DEVICE_FUSE O exec(const I& v) {                                           \
      return map_channels<O>(                                                          \
          [](auto x) {                                                                 \
            return scalar::Truncate<VBase<O>>{}(scalar::Function{}(scalar::widen(x))); \
          },                                                                           \
          v);                                                                          \
    }                                                                                  \
  };
/// |in|
FK_FUNCTION(Abs, Magnitude)
/// in * in
FK_FUNCTION(Sqr, Square)
FK_FUNCTION(Sqrt, SquareRoot)
FK_FUNCTION(Ln, NaturalLog)
FK_FUNCTION(Exp, Exponential)
#undef FK_FUNCTION

/// |in - p|
template <class I1, class I2 = I1, class O = I1, class IT = BinaryType>
struct AbsDiff;
template <class I1, class I2, class O>
struct AbsDiff<I1, I2, O, BinaryType> : BinaryOperation<I1, I2, O, AbsDiff<I1, I2, O, BinaryType>> {
  FK_HOST_DEVICE_FUSE O exec(const I1& x, const I2& p) {
    return Channelwise<O, scalar::Distance>::f(x, p);
  }
};
template <class I1, class I2, class O>
struct AbsDiff<I1, I2, O, UnaryType>
    : UnaryOperation<Tuple<I1, I2>, O, AbsDiff<I1, I2, O, UnaryType>> {
  FK_HOST_DEVICE_FUSE O exec(const Tuple<I1, I2>& v) {
    return Channelwise<O, scalar::Distance>::f(leaf<0>(v), leaf<1>(v));
  }
};

}  // namespace fk
