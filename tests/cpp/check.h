// SPDX-License-Identifier: Apache-2.0
// The little that the C++ test programs share: say what failed, and return how often.
#pragma once
#include <cmath>
#include <cstdio>

inline int failures = 0;

#define CHECK(...)                                                  \
  do {                                                              \
    if (!(__VA_ARGS__)) {                                           \
      std::printf("%s:%d: %s\n", __FILE__, __LINE__, #__VA_ARGS__); \
      ++failures;                                                   \
    }                                                               \
  } while (false)

inline bool near(double a, double b, double relative = 1e-5) {
  return std::fabs(a - b) <= relative * std::fmax(1.0, std::fabs(b));
}
