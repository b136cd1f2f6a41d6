// SPDX-License-Identifier: Apache-2.0
// libstdc++ 16 specialises traits on __float128, a type that this clang cannot name for NVPTX.
#pragma once
#include_next <bits/c++config.h>
#if defined(__CUDA__)
#undef _GLIBCXX_USE_FLOAT128
#endif
