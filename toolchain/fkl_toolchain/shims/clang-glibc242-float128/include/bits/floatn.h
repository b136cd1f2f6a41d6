// SPDX-License-Identifier: Apache-2.0
// glibc 2.42 switches _Float128 on for every clang; this one cannot name it in an NVPTX compilation.
#pragma once
#if defined(__CUDA__)
#include <features.h>
#pragma push_macro("__glibc_clang_prereq")
#undef __glibc_clang_prereq
#define __glibc_clang_prereq(major, minor) 0
#include_next <bits/floatn.h>
#pragma pop_macro("__glibc_clang_prereq")
#else
#include_next <bits/floatn.h>
#endif
