// SPDX-License-Identifier: Apache-2.0
// Functions of <cmath> and <utility> that are constexpr, and the same on every target.
#pragma once
#include <fused_kernel/core/constexpr_libs/constexpr_vector_exec.h>

namespace cxp {

namespace detail {

template <class T>
FK_FN bool is_nan(T x) {
  if constexpr (fk::is_floating_v<T>)
    return fk::scalar::widen(x) != fk::scalar::widen(x);
  else
    return false;
}
template <class T>
FK_FN bool is_inf(T x) {
  if constexpr (fk::is_floating_v<T>) {
    const auto w = fk::scalar::widen(x);
    return w > fk::highest<decltype(fk::scalar::widen(x))>() ||
           w < fk::lowest<decltype(fk::scalar::widen(x))>();
  } else {
    return false;
  }
}
template <class T>
FK_FN bool sign_bit(T x) {
  if constexpr (fk::is_same_v<T, float>)
    return (fk::bit_copy<uint>(x) >> 31) != 0;
  else if constexpr (fk::is_same_v<T, double>)
    return (fk::bit_copy<ulonglong>(x) >> 63) != 0;
  else
    return x < T(0);
}
// comparisons of the values, whatever the signedness of the types
template <class A, class B>
FK_FN bool equal(A a, B b) {
  if constexpr (fk::is_integer_v<A> && fk::is_integer_v<B> &&
                fk::is_signed_integer_v<A> != fk::is_signed_integer_v<B>) {
    if constexpr (fk::is_signed_integer_v<A>)
      return a >= 0 && static_cast<ulonglong>(a) == b;
    else
      return b >= 0 && a == static_cast<ulonglong>(b);
  } else {
    return a == b;
  }
}
template <class A, class B>
FK_FN bool less(A a, B b) {
  if constexpr (fk::is_integer_v<A> && fk::is_integer_v<B> &&
                fk::is_signed_integer_v<A> != fk::is_signed_integer_v<B>) {
    if constexpr (fk::is_signed_integer_v<A>)
      return a < 0 || static_cast<ulonglong>(a) < b;
    else
      return b >= 0 && a < static_cast<ulonglong>(b);
  } else {
    return a < b;
  }
}
template <class A, class B>
FK_FN bool not_equal(A a, B b) {
  return !equal(a, b);
}
template <class A, class B>
FK_FN bool greater(A a, B b) {
  return less(b, a);
}
template <class A, class B>
FK_FN bool less_equal(A a, B b) {
  if constexpr (fk::is_floating_v<A> || fk::is_floating_v<B>)
    return a <= b;
  else
    return !less(b, a);
}
template <class A, class B>
FK_FN bool greater_equal(A a, B b) {
  return less_equal(b, a);
}

template <class T>
FK_FN bool even(T x) {
  static_assert(fk::is_integer_v<T>, "fkl: is_even takes integers");
  return (x & 1) == 0;
}
template <class T>
FK_FN T floor_of(T x) {
  if constexpr (!fk::is_floating_v<T>) {
    return x;
  } else {
    constexpr T whole = sizeof(T) == 4 ? T(8388608.0) : T(4503599627370496.0);
    if (!(x < whole && x > -whole)) return x;
    const T down = static_cast<T>(static_cast<longlong>(x));
    return down > x ? down - T(1) : down;
  }
}
/// Halves away from zero.
template <class T>
FK_FN T round_away(T x) {
  if constexpr (!fk::is_floating_v<T>) {
    return x;
  } else {
    const T size = x < T(0) ? -x : x;
    const T down = floor_of(size);
    const T rounded = size - down >= T(0.5) ? down + T(1) : down;
    return x < T(0) ? -rounded : rounded;
  }
}
template <class T>
FK_FN T round_even(T x) {
  if constexpr (fk::is_floating_v<T>)
    return fk::scalar::round_even(x);
  else
    return x;
}
template <class T>
FK_FN T magnitude(T x) {
  if constexpr (fk::is_floating_v<T> || fk::is_signed_integer_v<T>)
    return x < T(0) ? static_cast<T>(-x) : x;
  else
    return x;
}
template <class T, class... Rest>
FK_FN T largest(T first, Rest... rest) {
  static_assert((fk::is_same_v<T, Rest> && ...), "fkl: max takes numbers of one type");
  T m = first;
  ((m = (m < rest) ? rest : m), ...);
  return m;
}
template <class T, class... Rest>
FK_FN T smallest(T first, Rest... rest) {
  static_assert((fk::is_same_v<T, Rest> && ...), "fkl: min takes numbers of one type");
  T m = first;
  ((m = (rest < m) ? rest : m), ...);
  return m;
}
// a NaN on one side gives the other side, as in C
template <class T>
FK_FN T f_max(T a, T b) {
  return is_nan(a) ? b : (a < b) ? b : a;
}
template <class T>
FK_FN T f_min(T a, T b) {
  return is_nan(a) ? b : (b < a) ? b : a;
}
template <class T>
FK_FN T clamped(T x, T low, T high) {
  return x < low ? low : high < x ? high : x;
}

}  // namespace detail

FK_CXP_FUNCTION(isnan, detail::is_nan)
FK_CXP_FUNCTION(isinf, detail::is_inf)
FK_CXP_FUNCTION(signbit, detail::sign_bit)
FK_CXP_FUNCTION(is_even, detail::even)
FK_CXP_FUNCTION(cmp_equal, detail::equal)
FK_CXP_FUNCTION(cmp_not_equal, detail::not_equal)
FK_CXP_FUNCTION(cmp_less, detail::less)
FK_CXP_FUNCTION(cmp_greater, detail::greater)
FK_CXP_FUNCTION(cmp_less_equal, detail::less_equal)
FK_CXP_FUNCTION(cmp_greater_equal, detail::greater_equal)
FK_CXP_FUNCTION(floor, detail::floor_of)
FK_CXP_FUNCTION(round, detail::round_away)
FK_CXP_FUNCTION(nearbyint, detail::round_even)
FK_CXP_FUNCTION(banker_round, detail::round_even)
FK_CXP_FUNCTION(abs, detail::magnitude)
FK_CXP_FUNCTION(max, detail::largest)
FK_CXP_FUNCTION(min, detail::smallest)
FK_CXP_FUNCTION(fmax, detail::f_max)
FK_CXP_FUNCTION(fmin, detail::f_min)
using fmaxf = fmax;
using fminf = fmin;
FK_CXP_FUNCTION(clamp, detail::clamped)

/// Of several values, channel by channel; of one vector, of its channels.
struct sum {
  template <class First, class... Rest>
  FK_HOST_DEVICE_FUSE auto f(const First& first, const Rest&... rest) {
    if constexpr (sizeof...(Rest) == 0)
      return fk::fold_channels([](auto a, auto b) { return a + b; }, first);
    else
      return each_channel([](auto... x) { return (x + ...); }, first, rest...);
  }
};

}  // namespace cxp

#include <fused_kernel/core/constexpr_libs/constexpr_transcendental.h>
