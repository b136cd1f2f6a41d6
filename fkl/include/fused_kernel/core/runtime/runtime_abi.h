/* SPDX-License-Identifier: Apache-2.0
 * The worker pool as kernels see it: a C structure handed in by pointer, so that no kernel contains
 * a pool. */
#ifndef FKL_RUNTIME_ABI_H
#define FKL_RUNTIME_ABI_H

#define FKL_RUNTIME_VERSION 1u

#ifdef __cplusplus
extern "C" {
#endif

typedef struct fk_runtime {
  unsigned version; /* FKL_RUNTIME_VERSION of the pool */
  unsigned threads; /* how many threads a loop may use, the caller's included */
  /* Runs body over [0, count) in pieces of at least grain, on the caller and on idle workers;
   * returns when all is done. 0, or the first non-zero value that a body returned. */
  int (*parallel_for)(void* context, long long count, long long grain,
                      int (*body)(void* context, long long begin, long long end));
  int device; /* CUDA: the device that the arrays lie on; negative: the current one. Unused on a CPU
               */
} fk_runtime;

#ifdef __cplusplus
}
#endif
#endif
