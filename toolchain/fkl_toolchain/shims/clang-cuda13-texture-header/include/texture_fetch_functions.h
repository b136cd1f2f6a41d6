// SPDX-License-Identifier: Apache-2.0
// Removed in CUDA 13; this clang's CUDA wrapper still includes it.
#pragma once
#if __has_include_next(<texture_fetch_functions.h>)
#include_next <texture_fetch_functions.h>
#endif
