// SPDX-License-Identifier: Apache-2.0
// What a pool of threads needs of a C library: headers, pthreads, fork handlers.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static atomic_int ran;
static void *work(void *unused) {
  atomic_fetch_add(&ran, 1);
  return unused;
}
static void in_child(void) { atomic_store(&ran, 0); }

__attribute__((visibility("default"))) int run_threads(int count) {
  pthread_t *threads = calloc((size_t)count, sizeof *threads);
  if (!threads || pthread_atfork(0, 0, in_child) || sysconf(_SC_NPROCESSORS_ONLN) < 1) return -1;
  for (int i = 0; i < count; ++i)
    if (pthread_create(&threads[i], 0, work, 0)) return -1;
  for (int i = 0; i < count; ++i) pthread_join(threads[i], 0);
  free(threads);
  return atomic_load(&ran);
}
