// SPDX-License-Identifier: Apache-2.0
// Arithmetic and conversions of one number, defined for every input on every target.
#pragma once
#include <fused_kernel/core/data/vectors.h>

namespace fk {

/// Largest and lowest finite value; half types answer in their own type.
template <class T>
FK_FN T highest() {
  if constexpr (is_same_v<T, float>)
    return __FLT_MAX__;
  else if constexpr (is_same_v<T, double>)
    return __DBL_MAX__;
  else if constexpr (is_same_v<T, half>)
    return half(65504.f);
  else if constexpr (is_same_v<T, bfloat16>)
    return bfloat16(3.3895313892515355e38f);
  else if constexpr (is_same_v<T, bool>)
    return true;
  else if constexpr (is_signed_integer_v<T>)
    return static_cast<T>((1ull << (sizeof(T) * 8 - 1)) - 1);
  else
    return static_cast<T>(~0ull);
}
template <class T>
FK_FN T lowest() {
  if constexpr (is_same_v<T, bool>)
    return false;
  else if constexpr (is_floating_v<T>)
    return static_cast<T>(-static_cast<conditional_t<is_half_v<T>, float, T>>(highest<T>()));
  else if constexpr (is_signed_integer_v<T>)
    return static_cast<T>(-highest<T>() - 1);
  else
    return 0;
}

namespace scalar {

// integers wrap: signed overflow is computed in the unsigned type of the promoted result
template <class A, class B>
using promoted_t = decltype(declval<A>() + declval<B>());

#define FK_WRAPPING(name, sign)                                          \
  struct name {                                                          \
    template <class A, class B>                                          \
    FK_FN auto operator()(A a, B b) const {                              \
      using R = promoted_t<A, B>;                                        \
      if constexpr (is_integer_v<R>) {                                   \
        using U = wrapping_t<R>;                                         \
        return static_cast<R>(static_cast<U>(a) sign static_cast<U>(b)); \
      } else {                                                           \
        return a sign b;                                                 \
      }                                                                  \
    }                                                                    \
  };
FK_WRAPPING(Plus, +)
FK_WRAPPING(Minus, -)
FK_WRAPPING(Times, *)
#undef FK_WRAPPING

/// Integers: x / 0 is 0 and lowest / -1 is lowest. Floats: IEEE.
struct Divide {
  template <class A, class B>
  FK_FN auto operator()(A a, B b) const {
    using R = promoted_t<A, B>;
    if constexpr (is_integer_v<R>) {
      const R x = static_cast<R>(a);
      const R y = static_cast<R>(b);
      if constexpr (is_signed_integer_v<R>) {
        if (y == -1) return static_cast<R>(wrapping_t<R>(0) - static_cast<wrapping_t<R>>(x));
      }
      return y == 0 ? R(0) : static_cast<R>(x / (y == 0 ? R(1) : y));
    } else {
      return a / b;
    }
  }
};

/// 1 / d of a normal d below 2^126, to the last bit or so: one instruction on a GPU.
FK_HD FK_INLINE constexpr double reciprocal_of(double d) { return 1.0 / d; }
FK_HD FK_INLINE constexpr float reciprocal_of(float d) {
#if defined(FK_DEVICE_PASS)
  if (!__builtin_is_constant_evaluated()) {
    float r = 0.f;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(d));
    return r;
  }
#endif
  return 1.f / d;
}

/// Division by a number that is the same for every element. On a GPU its reciprocal is worked out
/// once, roughly, and each quotient corrected by its remainder (Markstein): as near as a division
/// for all but tiny operands, at a third of its price. A subnormal divisor counts as 0, unless
/// rounding is strict.
struct DivideUniform {
  template <class A, class B>
  FK_FN auto operator()(A a, B b) const {
#if defined(FK_DEVICE_PASS) && !defined(FKL_FP_STRICT)
    using R = promoted_t<A, B>;
    if constexpr (is_real_v<R>) {
      const R divisor = static_cast<R>(b);
      return corrected(static_cast<R>(a), divisor, scaled_reciprocal(divisor));
    } else {
      return Divide{}(a, b);
    }
#else
    return Divide{}(a, b);
#endif
  }
  template <class R>
  FK_HOST_DEVICE_FUSE R corrected(R x, R divisor, R reciprocal) {
    const R guess = x * reciprocal;
    const R quotient = fma(fma(-guess, divisor, x), reciprocal, guess);
    return quotient == quotient ? quotient : guess;
  }

 private:
  FK_HD FK_INLINE static double scaled_reciprocal(double d) { return reciprocal_of(d); }
  /// A huge number's would be flushed to 0.
  FK_HD FK_INLINE static float scaled_reciprocal(float d) {
    const float scale = d > 8e37f || d < -8e37f ? 0.25f : 1.f;
    return reciprocal_of(d * scale) * scale;
  }
  FK_HD FK_INLINE static float fma(float a, float b, float c) { return FK_MATH(fmaf)(a, b, c); }
  FK_HD FK_INLINE static double fma(double a, double b, double c) { return FK_MATH(fma)(a, b, c); }
};

/// (a < b) ? b : a, so that a NaN on the left stays and a NaN on the right is dropped.
struct Larger {
  template <class A, class B>
  FK_FN auto operator()(A a, B b) const {
    return (a < b) ? b : a;
  }
};
struct Smaller {
  template <class A, class B>
  FK_FN auto operator()(A a, B b) const {
    return (b < a) ? b : a;
  }
};

/// A float that is already whole (or is to be truncated) to an integer: saturates, NaN is 0.
template <class O, class F>
FK_FN O to_integer(F x) {
  constexpr F low = static_cast<F>(lowest<O>());
  constexpr F high = static_cast<F>(highest<O>());
  if constexpr (sizeof(O) < 4 || (sizeof(O) == 4 && is_same_v<F, double>)) {
    x = x == x ? x : F(0);
    x = x < low ? low : x;
    x = x > high ? high : x;
    return static_cast<O>(static_cast<conditional_t<sizeof(O) < 4, int, longlong>>(x));
  } else {
    // high rounds up to a power of two here: the comparison, not the cast, decides at the edge
    return x >= high ? highest<O>() : x <= low ? lowest<O>() : x == x ? static_cast<O>(x) : O(0);
  }
}

template <class F>
FK_FN F round_even(F x) {
  if (__builtin_is_constant_evaluated()) {
    constexpr F whole = sizeof(F) == 4 ? F(8388608.0) : F(4503599627370496.0);
    if (!(x < whole && x > -whole)) return x;
    const longlong down = static_cast<longlong>(x) - (x < F(static_cast<longlong>(x)) ? 1 : 0);
    const F rest = x - static_cast<F>(down);
    const bool up = rest > F(0.5) || (rest == F(0.5) && (down & 1));
    return static_cast<F>(down + (up ? 1 : 0));
  }
  if constexpr (sizeof(F) == 4)
    return FK_MATH(rintf)(x);
  else
    return FK_MATH(rint)(x);
}

/// The value of a half as float; every other number as it is.
template <class T>
FK_FN auto widen(T x) {
  if constexpr (is_half_v<T>)
    return static_cast<float>(x);
  else
    return x;
}

/// static_cast, with float to integer truncating and saturating instead of undefined.
template <class O>
struct Truncate {
  template <class I>
  FK_FN O operator()(I x) const {
    if constexpr (is_same_v<I, O>)
      return x;
    else if constexpr (is_same_v<O, bool>)
      return widen(x) != 0;
    else if constexpr (is_floating_v<I> && is_integer_v<O>)
      return to_integer<O>(widen(x));
    else if constexpr (is_half_v<O>)
      return O(static_cast<float>(widen(x)));
    else
      return static_cast<O>(widen(x));
  }
};

/// Nearest value of the target type: halves to even, clamped to its finite range, NaN to an integer
/// is 0.
template <class O>
struct SaturateTo {
  template <class I>
  FK_FN O operator()(I x) const {
    if constexpr (is_same_v<I, O> || is_same_v<O, bool> || is_same_v<I, bool>) {
      return Truncate<O>{}(x);
    } else if constexpr (is_floating_v<I> && is_integer_v<O>) {
      return to_integer<O>(round_even(widen(x)));
    } else if constexpr (is_integer_v<I> && is_integer_v<O>) {
      // 128 bits would be simplest; comparing by sign keeps every pair of types in registers
      if constexpr (is_signed_integer_v<I> && !is_signed_integer_v<O>) {
        if (x < 0) return O(0);
        return static_cast<ulonglong>(x) > highest<O>() ? highest<O>() : static_cast<O>(x);
      } else if constexpr (!is_signed_integer_v<I>) {
        return x > static_cast<ulonglong>(highest<O>()) ? highest<O>() : static_cast<O>(x);
      } else {
        const longlong wide = x;
        return wide > highest<O>() ? highest<O>() : wide < lowest<O>() ? lowest<O>() : O(x);
      }
    } else if constexpr (is_floating_v<I> && is_floating_v<O> && sizeof(O) < sizeof(I)) {
      const auto wide = widen(x);
      const decltype(wide) high = static_cast<decltype(wide)>(widen(highest<O>()));
      return Truncate<O>{}(wide > high ? high : wide < -high ? -high : wide);
    } else {
      return Truncate<O>{}(x);
    }
  }
};

}  // namespace scalar

/// Per-channel conversion by FKL's Cast and SaturateCast rules.
template <class O, class I>
FK_FN O truncate_to(const I& v) {
  static_assert(cn<O> == cn<I>, "fkl: a cast keeps the number of channels");
  return map_channels<O>(scalar::Truncate<VBase<O>>{}, v);
}
template <class O, class I>
FK_FN O saturate_to(const I& v) {
  static_assert(cn<O> == cn<I>, "fkl: a cast keeps the number of channels");
  return map_channels<O>(scalar::SaturateTo<VBase<O>>{}, v);
}

}  // namespace fk
