// SPDX-License-Identifier: Apache-2.0
// The worker pool that C++ programs get by default: FKL_NUM_THREADS is 3 in this process.
#include <fused_kernel/algorithms/basic_ops/arithmetic.h>
#include <fused_kernel/fused_kernel.h>
#include <sys/wait.h>
#include <unistd.h>
#include <mutex>
#include <set>
#include <thread>
#include "../check.h"

using namespace fk;

static std::mutex guard;
static std::set<std::thread::id> seen;

struct Witness : UnaryOperation<float, float, Witness> {
  FK_HOST_STATIC float exec(const float& v) {
    if (v == 0.f) {
      const std::lock_guard<std::mutex> lock(guard);
      seen.insert(std::this_thread::get_id());
    }
    return v;
  }
};

int main() {
  CHECK(cpu::default_runtime()->threads == 3);
  Stream stream;
  Ptr2D<float> img(256, 2048), out(256, 2048);
  setTo(0.f, img, stream);
  const auto run = [&] {
    executeOperations<TransformDPP<>>(img, out, stream, Unary<Witness>{}, Add<float>::build(1));
    int bad = 0;
    for (int i = 0; i < 256 * 2048; ++i) bad += out.ptr().data[i] != 1.f;
    return bad;
  };
  for (int i = 0; i < 20 && seen.size() < 2; ++i) CHECK(run() == 0);
  CHECK(seen.size() >= 2 && seen.size() <= 3);

  // many callers at once share the same few workers
  std::vector<std::thread> callers;
  std::atomic<int> bad{0};
  for (int c = 0; c < 4; ++c)
    callers.emplace_back([&bad] {
      Stream own;
      Ptr2D<int> in(300, 400), result(300, 400);
      setTo(5, in, own);
      for (int i = 0; i < 10; ++i)
        executeOperations<TransformDPP<>>(in, result, own, Mul<int>::build(i));
      for (int i = 0; i < 300 * 400; ++i) bad += result.ptr().data[i] != 45;
    });
  for (std::thread& t : callers) t.join();
  CHECK(bad == 0);

  // a child of this process, which has used the pool, has a pool of its own
  const pid_t child = fork();
  if (child == 0) _exit(run());
  int status = -1;
  waitpid(child, &status, 0);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  return failures;
}
