/* SPDX-License-Identifier: Apache-2.0
 * Worker threads for every kernel of a process: pthreads only, so that any C compiler will do.
 * Threads start at first use, are forgotten after fork, and never number more than the limit even
 * when many callers come at once: a worker joins a loop only while fewer than `limit` threads are
 * busy. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include "runtime_abi.h"

#define MAX_THREADS 1024
#define PIECES_PER_THREAD 4

typedef struct loop {
  struct loop* next;
  void* context;
  int (*body)(void*, long long, long long);
  long long count, piece;
  atomic_llong taken; /* first index that nobody has */
  atomic_int status;
  int workers; /* inside the loop besides the caller; guarded by lock */
} loop;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER;
static pthread_cond_t done = PTHREAD_COND_INITIALIZER;
static loop* loops;
static int started, busy, sleeping;
static int limit = 1;
static fk_runtime runtime;

static void run_pieces(loop* l) {
  for (;;) {
    const long long begin = atomic_fetch_add(&l->taken, l->piece);
    if (begin >= l->count) return;
    const long long end = begin + l->piece < l->count ? begin + l->piece : l->count;
    const int status = l->body(l->context, begin, end);
    if (status != 0) {
      int none = 0;
      atomic_compare_exchange_strong(&l->status, &none, status);
    }
  }
}

static loop* open_loop(void) {
  for (loop* l = loops; l; l = l->next)
    if (atomic_load(&l->taken) < l->count) return l;
  return NULL;
}

static void* worker(void* unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  for (;;) {
    loop* l = busy < limit ? open_loop() : NULL;
    if (!l) {
      ++sleeping;
      pthread_cond_wait(&work, &lock);
      --sleeping;
      continue;
    }
    ++busy;
    ++l->workers;
    pthread_mutex_unlock(&lock);
    run_pieces(l);
    pthread_mutex_lock(&lock);
    --busy;
    if (--l->workers == 0) pthread_cond_broadcast(&done);
  }
  return NULL;
}

/* with lock held */
static void start_workers(void) {
  while (started < limit - 1) {
    pthread_t thread;
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) break;
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    const int failed = pthread_create(&thread, &attributes, worker, NULL);
    pthread_attr_destroy(&attributes);
    if (failed) break; /* fewer threads are slower, not wrong */
    ++started;
  }
}

static int parallel_for(void* context, long long count, long long grain,
                        int (*body)(void*, long long, long long)) {
  if (count <= 0) return 0;
  if (grain < 1) grain = 1;
  if (limit < 2 || count <= grain) return body(context, 0, count);
  loop l = {NULL, context, body, count, 0, 0, 0, 0};
  const long long pieces = (long long)limit * PIECES_PER_THREAD;
  l.piece = (count + pieces - 1) / pieces;
  if (l.piece < grain) l.piece = grain;

  pthread_mutex_lock(&lock);
  start_workers();
  ++busy;
  l.next = loops;
  loops = &l;
  long long wanted = (count + l.piece - 1) / l.piece - 1;
  if (wanted > limit - busy) wanted = limit - busy;
  if (wanted > sleeping) wanted = sleeping;
  for (; wanted > 0; --wanted) pthread_cond_signal(&work);
  pthread_mutex_unlock(&lock);

  run_pieces(&l);

  pthread_mutex_lock(&lock);
  --busy;
  for (loop** at = &loops; *at; at = &(*at)->next)
    if (*at == &l) {
      *at = l.next;
      break;
    }
  while (l.workers > 0) pthread_cond_wait(&done, &lock);
  if (loops && sleeping > 0) pthread_cond_signal(&work); /* the place that this caller frees */
  pthread_mutex_unlock(&lock);
  return atomic_load(&l.status);
}

/* A fork in the middle of a loop would copy a held lock and threads that are not there. */
static void before_fork(void) { pthread_mutex_lock(&lock); }
static void parent_after_fork(void) { pthread_mutex_unlock(&lock); }
static void child_after_fork(void) {
  const pthread_mutex_t new_lock = PTHREAD_MUTEX_INITIALIZER;
  const pthread_cond_t new_condition = PTHREAD_COND_INITIALIZER;
  lock = new_lock;
  work = new_condition;
  done = new_condition;
  loops = NULL;
  started = busy = sleeping = 0;
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static void prepare(void) {
  pthread_atfork(before_fork, parent_after_fork, child_after_fork);
  runtime.version = FKL_RUNTIME_VERSION;
  runtime.threads = (unsigned)limit;
  runtime.parallel_for = parallel_for;
  runtime.device = -1;
}

/* The pool; threads only start with the first loop. */
__attribute__((visibility("default"))) const fk_runtime* fkl_runtime(void) {
  pthread_once(&once, prepare);
  return &runtime;
}

/* At most this many threads from the next loop on. */
__attribute__((visibility("default"))) void fkl_runtime_configure(int threads) {
  pthread_once(&once, prepare);
  pthread_mutex_lock(&lock);
  limit = threads < 1 ? 1 : threads > MAX_THREADS ? MAX_THREADS : threads;
  runtime.threads = (unsigned)limit;
  pthread_mutex_unlock(&lock);
}

/* Threads that the pool has started in this process, for tests. */
__attribute__((visibility("default"))) int fkl_runtime_started(void) {
  pthread_mutex_lock(&lock);
  const int n = started;
  pthread_mutex_unlock(&lock);
  return n;
}
