// SPDX-License-Identifier: Apache-2.0
// A read, a chain of values and a write over all rows and planes, on the cores of a CPU.
#pragma once
#include <fused_kernel/core/execution_model/launch_status.h>
#include <fused_kernel/core/execution_model/operation_model/fused.h>

// a row that cannot be vectorised is no news to who compiles it
#if defined(FK_COMPILER_CLANG)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpass-failed"
#endif
namespace fk::cpu {

/// Below this many elements waking another thread costs more than it brings.
inline constexpr extent_t elements_worth_a_thread = 16384;

template <class ReadRow, class Chain, class WriteRow>
FK_HOST FK_INLINE void run_row(const ReadRow& read, const Chain& chain, const WriteRow& write,
                               index_t begin, index_t end, index_t y, index_t z) {
  // local copies: the compiler sees that no store can change them
  const auto from = read;
  const auto values = chain;
  const auto to = write;
  const HostTables tables{};
  FK_INDEPENDENT
  for (index_t x = begin; x < end; ++x)
    to.put(x, apply(values, from.at(x), At<HostTables>{x, y, z, tables}));
}

template <class ReadIOp, class Chain, class WriteIOp>
struct Job {
  const ReadIOp& read;
  const Chain& chain;
  const WriteIOp& write;
  index_t width, height;

  /// Rows [begin, end), counted through all planes.
  FK_HOST static int rows(void* context, index_t begin, index_t end) {
    const Job& job = *static_cast<const Job*>(context);
    const HostTables tables{};
    for (index_t at = begin; at < end;) {
      const index_t z = at / job.height;
      const index_t first = at - z * job.height;
      const index_t left = end - at;
      const index_t last = first + left < job.height ? first + left : job.height;
      const index_t from = plane_behind<Chain>(job.read, z);
      const ActiveThreads own = plane_extent(job.read, from, tables);
      const index_t width = min_of(job.width, static_cast<index_t>(own.x));
      const index_t height = min_of(last, static_cast<index_t>(own.y));
      auto read = plane_of<ParArch::CPU>(job.read, from, tables);
      auto write = plane_of<ParArch::CPU>(job.write, z, tables);
      if (!is_valid(read)) return OUT_OF_MEMORY;
      for (index_t y = first; y < height; ++y)
        run_row(read.row(y), job.chain, write.row(y), 0, width, y, z);
      at += last - first;
    }
    return LAUNCHED;
  }
  /// Columns [begin, end) of the only row.
  FK_HOST static int columns(void* context, index_t begin, index_t end) {
    const Job& job = *static_cast<const Job*>(context);
    const HostTables tables{};
    auto read = plane_of<ParArch::CPU>(job.read, 0, tables);
    auto write = plane_of<ParArch::CPU>(job.write, 0, tables);
    if (!is_valid(read)) return OUT_OF_MEMORY;
    run_row(read.row(0), job.chain, write.row(0), begin, end, 0, 0);
    return LAUNCHED;
  }
};

template <class ReadIOp, class Chain, class WriteIOp>
FK_HOST inline int run(const Runtime* runtime, const ReadIOp& read, const Chain& chain,
                       const WriteIOp& write, const ActiveThreads& grid) {
  using J = Job<ReadIOp, Chain, WriteIOp>;
  const index_t width = static_cast<index_t>(grid.x);
  const index_t height = static_cast<index_t>(grid.y);
  const index_t rows = height * static_cast<index_t>(grid.z);
  if (width == 0 || rows == 0) return LAUNCHED;
  J job{read, chain, write, width, height};
  const bool one_row = rows == 1;
  const index_t count = one_row ? width : rows;
  const index_t grain = one_row ? elements_worth_a_thread : 1 + elements_worth_a_thread / width;
  const auto body = one_row ? &J::columns : &J::rows;
  const bool wakes =
      runtime && count > grain &&
      static_cast<extent_t>(width) * static_cast<extent_t>(rows) > 2 * elements_worth_a_thread;
  return wakes ? runtime->parallel_for(&job, count, grain, body) : body(&job, 0, count);
}

/// Dense memory on both sides and values that do not ask where they stand: one long row.
template <class ReadIOp, class Chain, class WriteIOp>
FK_HOST inline int transform(const Runtime* runtime, const ReadIOp& read, const Chain& chain,
                             const WriteIOp& write) {
  using R = typename ReadIOp::Operation;
  using W = typename WriteIOp::Operation;
  ActiveThreads grid = R::getActiveThreads(read);
  grid.z = planes_through(read, chain);
  if constexpr (requires {
                  R::rows_are_dense(read.params);
                  W::rows_are_dense(write.params);
                }) {
    if constexpr (PositionFree<Chain>::value && requires { W::flat(write.params, true); }) {
      const auto& out = write.params.dims;
      const bool same = rows_of(out) == grid.y && planes_of(out) == grid.z && out.width == grid.x;
      if (same && R::rows_are_dense(read.params) && W::rows_are_dense(write.params)) {
        const bool planes = R::planes_are_dense(read.params) && W::planes_are_dense(write.params);
        ReadIOp flat_read = read;
        WriteIOp flat_write = write;
        flat_read.params = R::flat(read.params, planes);
        flat_write.params = W::flat(write.params, planes);
        return run(runtime, flat_read, chain, flat_write, R::getActiveThreads(flat_read));
      }
    }
  }
  return run(runtime, read, chain, write, grid);
}

}  // namespace fk::cpu
#if defined(FK_COMPILER_CLANG)
#pragma clang diagnostic pop
#endif
