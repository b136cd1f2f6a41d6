// SPDX-License-Identifier: Apache-2.0
// crt/math_functions.hpp of CUDA 13.2 and later uses a macro that only crt/math_functions.h defines, which
// clang's wrapper skips. The wrapper includes host_config.h early enough to define it here.
#pragma once
#include_next <host_config.h>
#ifndef _NV_RSQRT_SPECIFIER
#include <features.h>
#if defined(__GLIBC_PREREQ)
#if __GLIBC_PREREQ(2, 42)
// From glibc 2.42 on math.h declares rsqrt itself, as noexcept.
#define _NV_RSQRT_SPECIFIER noexcept(true)
#endif
#endif
#ifndef _NV_RSQRT_SPECIFIER
#define _NV_RSQRT_SPECIFIER
#endif
#endif
