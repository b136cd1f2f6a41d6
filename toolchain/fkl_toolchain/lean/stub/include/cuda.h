// SPDX-License-Identifier: Apache-2.0
// All that clang's driver reads of a toolkit in lean mode: a version, which picks the launch ABI.
#define CUDA_VERSION 11080
