// SPDX-License-Identifier: Apache-2.0
// Worker threads for C++ programs that bring none: the same rules as core/runtime/cpu_pool.c.
// Threads start at first use, are forgotten after fork, and a worker joins a loop only while fewer
// than the limit are busy.
#pragma once
#include <fused_kernel/core/runtime/runtime_abi.h>
#include <pthread.h>
#include <sched.h>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace fk::cpu {

struct Pool {
  struct Loop {
    Loop* next;
    void* context;
    int (*body)(void*, long long, long long);
    long long count, piece;
    std::atomic<long long> taken{0};
    std::atomic<int> status{0};
    int workers = 0;
  };
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t work = PTHREAD_COND_INITIALIZER;
  pthread_cond_t done = PTHREAD_COND_INITIALIZER;
  Loop* loops = nullptr;
  int started = 0, busy = 0, sleeping = 0, limit = 1;
  fk_runtime runtime{};

  static Pool& instance() {
    // never destroyed: workers may outlive main's statics
    static Pool* pool = new Pool();
    return *pool;
  }

 private:
  Pool() {
    limit = wanted_threads();
    pthread_atfork([] { pthread_mutex_lock(&instance().lock); },
                   [] { pthread_mutex_unlock(&instance().lock); }, [] { instance().forget(); });
    runtime.version = FKL_RUNTIME_VERSION;
    runtime.threads = static_cast<unsigned>(limit);
    runtime.parallel_for = parallel_for;
    runtime.device = -1;
  }

  /// The child of a fork has none of the threads and must not inherit a held lock.
  void forget() {
    const pthread_mutex_t new_lock = PTHREAD_MUTEX_INITIALIZER;
    const pthread_cond_t new_condition = PTHREAD_COND_INITIALIZER;
    lock = new_lock;
    work = new_condition;
    done = new_condition;
    loops = nullptr;
    started = busy = sleeping = 0;
  }

  static int number_in(const char* variable) {
    const char* text = std::getenv(variable);
    const int n = text ? std::atoi(text) : 0;
    return n > 1024 ? 1024 : n;
  }
  /// CPUs' worth of time that a container may use; 0 where nothing limits it.
  static int cgroup_limit() {
    std::FILE* file = std::fopen("/sys/fs/cgroup/cpu.max", "r");
    if (!file) return 0;
    char quota[32] = "";
    long long period = 0;
    const int fields = std::fscanf(file, "%31s %lld", quota, &period);
    std::fclose(file);
    if (fields != 2 || period <= 0 || std::strcmp(quota, "max") == 0) return 0;
    return static_cast<int>((std::atoll(quota) + period - 1) / period);
  }
  /// FKL_NUM_THREADS, else OMP_NUM_THREADS, else the CPUs that this process may run on.
  static int wanted_threads() {
    int n = number_in("FKL_NUM_THREADS");
    if (n < 1) n = number_in("OMP_NUM_THREADS");
    if (n >= 1) return n;
    cpu_set_t set;
    n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    const int most = cgroup_limit();
    return most >= 1 && most < n ? most : n < 1 ? 1 : n;
  }

  static void run_pieces(Loop& loop) {
    for (;;) {
      const long long begin = loop.taken.fetch_add(loop.piece);
      if (begin >= loop.count) return;
      const long long end = begin + loop.piece < loop.count ? begin + loop.piece : loop.count;
      const int status = loop.body(loop.context, begin, end);
      int none = 0;
      if (status != 0) loop.status.compare_exchange_strong(none, status);
    }
  }
  Loop* open_loop() {
    for (Loop* l = loops; l; l = l->next)
      if (l->taken.load() < l->count) return l;
    return nullptr;
  }
  static void* worker(void*) {
    Pool& pool = instance();
    pthread_mutex_lock(&pool.lock);
    for (;;) {
      Loop* loop = pool.busy < pool.limit ? pool.open_loop() : nullptr;
      if (!loop) {
        ++pool.sleeping;
        pthread_cond_wait(&pool.work, &pool.lock);
        --pool.sleeping;
        continue;
      }
      ++pool.busy;
      ++loop->workers;
      pthread_mutex_unlock(&pool.lock);
      run_pieces(*loop);
      pthread_mutex_lock(&pool.lock);
      --pool.busy;
      if (--loop->workers == 0) pthread_cond_broadcast(&pool.done);
    }
    return nullptr;
  }
  /// With the lock held. Fewer threads than wanted are slower, not wrong.
  void start_workers() {
    for (; started < limit - 1; ++started) {
      pthread_t thread;
      if (pthread_create(&thread, nullptr, worker, nullptr) != 0) return;
      pthread_detach(thread);
    }
  }
  static int parallel_for(void* context, long long count, long long grain,
                          int (*body)(void*, long long, long long)) {
    return instance().loop_over(context, count, grain < 1 ? 1 : grain, body);
  }
  int loop_over(void* context, long long count, long long grain,
                int (*body)(void*, long long, long long)) {
    if (count <= 0) return 0;
    if (limit < 2 || count <= grain) return body(context, 0, count);
    constexpr long long pieces_per_thread = 4;
    const long long pieces = limit * pieces_per_thread;
    const long long piece = (count + pieces - 1) / pieces;
    Loop loop{nullptr, context, body, count, piece < grain ? grain : piece};

    pthread_mutex_lock(&lock);
    start_workers();
    ++busy;
    loop.next = loops;
    loops = &loop;
    long long wanted = (count + loop.piece - 1) / loop.piece - 1;
    if (wanted > limit - busy) wanted = limit - busy;
    if (wanted > sleeping) wanted = sleeping;
    for (; wanted > 0; --wanted) pthread_cond_signal(&work);
    pthread_mutex_unlock(&lock);

    run_pieces(loop);

    pthread_mutex_lock(&lock);
    --busy;
    for (Loop** at = &loops; *at; at = &(*at)->next) {
      if (*at != &loop) continue;
      *at = loop.next;
      break;
    }
    while (loop.workers > 0) pthread_cond_wait(&done, &lock);
    if (loops && sleeping > 0) pthread_cond_signal(&work);  // the place that this caller frees
    pthread_mutex_unlock(&lock);
    return loop.status.load();
  }
};

/// The pool of C++ programs, one per process.
inline const fk_runtime* default_runtime() { return &Pool::instance().runtime; }

}  // namespace fk::cpu
