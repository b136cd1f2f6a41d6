// SPDX-License-Identifier: Apache-2.0
// clang's CUDA wrapper includes this cuRAND header unconditionally; the toolkit wheels carry no cuRAND.
#pragma once
#if __has_include_next(<curand_mtgp32_kernel.h>)
#include_next <curand_mtgp32_kernel.h>
#endif
