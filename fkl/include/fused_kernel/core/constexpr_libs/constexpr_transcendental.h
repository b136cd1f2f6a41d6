// SPDX-License-Identifier: Apache-2.0
// exp, log and pow: the target's library at run time, series in double at compile time. Included by
// constexpr_cmath.h.
#pragma once
#include <fused_kernel/core/constexpr_libs/constexpr_cmath.h>

namespace cxp {
namespace detail {

inline constexpr double ln2 = 0.693147180559945309417232121458;

/// x * 2^n without overflowing on the way.
template <class T>
FK_FN T scaled(T x, int n) {
  for (; n > 0 && !is_inf(x); --n) x *= T(2);
  for (; n < 0 && x != T(0); ++n) x *= T(0.5);
  return x;
}
FK_HD constexpr double series_exp(double x) {
  if (x != x) return x;
  if (x > 710) return __builtin_huge_val();
  if (x < -746) return 0;
  const int n = static_cast<int>(round_away(x / ln2));
  const double r = x - n * ln2;
  double term = 1, total = 1;
  for (int i = 1; i < 24; ++i) total += term *= r / i;
  return scaled(total, n);
}
FK_HD constexpr double series_log(double x) {
  if (!(x >= 0)) return __builtin_nan("");
  if (x == 0) return -__builtin_huge_val();
  if (is_inf(x)) return x;
  int n = 0;
  for (; x > 1.5; ++n) x *= 0.5;
  for (; x < 0.75; --n) x *= 2;
  const double s = (x - 1) / (x + 1);
  double power = s, total = 0;
  for (int i = 1; i < 60; i += 2, power *= s * s) total += power / i;
  return 2 * total + n * ln2;
}
FK_HD constexpr double series_pow(double x, double y) {
  if (y == 0 || x == 1) return 1;
  const bool whole = floor_of(y) == y;
  const bool odd = whole && floor_of(y * 0.5) != y * 0.5;
  if (x < 0 && !whole) return __builtin_nan("");
  if (whole && magnitude(y) <= 1024) {
    double result = 1;
    for (int i = 0; i < magnitude(y); ++i) result *= x;
    return y < 0 ? 1 / result : result;
  }
  const double size = series_exp(y * series_log(magnitude(x)));
  return x < 0 && odd ? -size : size;
}

#define FK_CXP_LIBM(name, function, function_f, series, PARAMETERS, ARGUMENTS)      \
  template <class T>                                                                \
  FK_FN T name PARAMETERS {                                                         \
    static_assert(fk::is_real_v<T>, "fkl: this function takes float or double");    \
    if (__builtin_is_constant_evaluated()) return static_cast<T>(series ARGUMENTS); \
    if constexpr (fk::is_same_v<T, float>)                                          \
      return FK_LIBM(function_f) ARGUMENTS;                                         \
    else                                                                            \
      return FK_LIBM(function) ARGUMENTS;                                           \
  }
FK_CXP_LIBM(exp_of, exp, expf, series_exp, (T x), (x))
FK_CXP_LIBM(log_of, log, logf, series_log, (T x), (x))
FK_CXP_LIBM(pow_of, pow, powf, series_pow, (T x, T y), (x, y))
#undef FK_CXP_LIBM

}  // namespace detail

FK_CXP_FUNCTION(exp, detail::exp_of)
FK_CXP_FUNCTION(log, detail::log_of)
FK_CXP_FUNCTION(pow, detail::pow_of)
using expf = exp;
using logf = log;
using powf = pow;

struct ldexpf {
  FK_HOST_DEVICE_FUSE float f(float x, int n) { return detail::scaled(x, n); }
};

}  // namespace cxp
