// SPDX-License-Identifier: Apache-2.0
// libstdc++ 15 and later: constexpr container members name a host function when they run on the GPU.
#pragma once
#include_next <bits/c++config.h>
#if defined(__CUDA__)
namespace std {
__attribute__((device, noreturn)) inline void __glibcxx_assert_fail(const char *, int, const char *,
                                                                    const char *) noexcept {
  __builtin_trap();
}
__attribute__((device, always_inline)) inline void __glibcxx_assert_fail() { __builtin_trap(); }
} // namespace std
#endif
