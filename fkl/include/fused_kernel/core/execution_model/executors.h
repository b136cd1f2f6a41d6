// SPDX-License-Identifier: Apache-2.0
// Running pipelines from C++: executeOperations<TransformDPP<>>(stream, read, operations...,
// write).
#pragma once
#include <fused_kernel/algorithms/basic_ops/memory_operations.h>
#include <fused_kernel/core/data/ptr_nd.h>
#include <fused_kernel/core/execution_model/cpu_pool.h>
#include <fused_kernel/core/execution_model/data_parallel_patterns.h>
#include <fused_kernel/core/execution_model/operation_model/batch_utils.h>
#include <fused_kernel/core/execution_model/stream.h>
#include <string>

namespace fk {

/// Throws where the pipeline would write outside its output.
template <class ReadIOp, class WriteIOp>
inline void refuse_small_output(const ReadIOp& read, const WriteIOp& write) {
  using W = typename WriteIOp::Operation;
  static_assert(
      requires { ReadIOp::Operation::getActiveThreads(read); },
      "fkl: an operation that reads first tells its size by getActiveThreads");
  if constexpr (requires { W::plane_extent(0, write, HostTables{}); }) {
    const ActiveThreads grid = ReadIOp::Operation::getActiveThreads(read);
    extent_t planes = 1;
    if constexpr (is_batch<WriteIOp>)
      planes = W::planes(write);
    else
      planes = W::getActiveThreads(write).z;
    bool fits = grid.z <= planes;
    const bool each = is_batch<ReadIOp> || is_batch<WriteIOp>;
    for (extent_t z = 0; fits && z < (each ? grid.z : 1); ++z) {
      const index_t plane = static_cast<index_t>(z);
      const ActiveThreads from = each ? plane_extent(read, plane, HostTables{}) : grid;
      const ActiveThreads to = W::plane_extent(plane, write, HostTables{});
      fits = from.x <= to.x && from.y <= to.y;
    }
    if (!fits)
      throw std::invalid_argument("fkl: the output is smaller than what the pipeline reads (" +
                                  std::to_string(grid.x) + " x " + std::to_string(grid.y) +
                                  " elements, " + std::to_string(grid.z) + " planes)");
  }
}

template <class DPP>
struct Executor {
  static constexpr ParArch PA = DPP::PAR_ARCH;
  using S = Stream_<PA>;
  static constexpr ParArch parArch() { return PA; }

  template <class... IOps>
  static void executeOperations(S& stream, const IOps&... iops) {
    check_pipeline<IOps...>();
    const auto all = BackFuser::fuse_back(iops...);
    constexpr int parts = plain_t<decltype(all)>::size;
    run(stream, all, make_index_sequence<(parts > 2 ? parts - 2 : 0)>{});
  }
  template <ND D, class I, class... IOps>
  static void executeOperations(const Ptr<D, I>& in, S& stream, const IOps&... iops) {
    executeOperations(stream, PerThreadRead<D, I>::build(in.ptr()), iops...);
  }
  template <ND D, class I, class O, class... IOps>
  static void executeOperations(const Ptr<D, I>& in, const Ptr<D, O>& out, S& stream,
                                const IOps&... iops) {
    executeOperations(stream, PerThreadRead<D, I>::build(in.ptr()), iops...,
                      PerThreadWrite<D, O>::build(out.ptr()));
  }
  template <class I, std::size_t N, class... IOps>
  static void executeOperations(const std::array<Ptr2D<I>, N>& in, const int& active,
                                const I& other, S& stream, const IOps&... iops) {
    executeOperations(stream, PerThreadRead<ND::_2D, I>::build(active, other, in), iops...);
  }
  template <class I, std::size_t N, class... IOps>
  static void executeOperations(const std::array<Ptr2D<I>, N>& in, S& stream, const IOps&... iops) {
    executeOperations(stream, PerThreadRead<ND::_2D, I>::build(in), iops...);
  }
  template <class I, std::size_t N, class O, class... IOps>
  static void executeOperations(const std::array<Ptr2D<I>, N>& in, const int& active,
                                const I& other, const Tensor<O>& out, S& stream,
                                const IOps&... iops) {
    executeOperations(stream, PerThreadRead<ND::_2D, I>::build(active, other, in), iops...,
                      PerThreadWrite<ND::_3D, O>::build(out.ptr()));
  }
  template <class I, std::size_t N, class O, class... IOps>
  static void executeOperations(const std::array<Ptr2D<I>, N>& in, const Tensor<O>& out, S& stream,
                                const IOps&... iops) {
    executeOperations(stream, PerThreadRead<ND::_2D, I>::build(in), iops...,
                      PerThreadWrite<ND::_3D, O>::build(out.ptr()));
  }

 private:
  template <class... IOps, class Middle>
  static void run([[maybe_unused]] S& stream, const Tuple<IOps...>& all, Middle middle) {
    refuse_small_output(leaf<0>(all), leaf<static_cast<int>(sizeof...(IOps)) - 1>(all));
    const char* said = "a launch failed";
    void* queue = nullptr;
    const Runtime* runtime = nullptr;
    if constexpr (PA == ParArch::CPU)
      runtime = cpu::default_runtime();
    else
      queue = stream.getCUDAStream();
    const int status = launch_fused<DPP>(runtime, queue, said, all, middle);
    if (status != LAUNCHED) throw std::runtime_error(std::string("fkl: ") + said);
  }
};

/// The forms of `args` are those of Executor::executeOperations.
template <class DPP, class... Args>
inline void executeOperations(Args&&... args) {
  constexpr bool known =
      requires { Executor<DPP>::executeOperations(static_cast<Args&&>(args)...); };
  static_assert(known,
                "fkl: executeOperations takes (stream, operations...), (input, stream, "
                "operations...) or (input, output, "
                "stream, operations...), the stream being a variable of the pattern's own kind");
  if constexpr (known) Executor<DPP>::executeOperations(static_cast<Args&&>(args)...);
}

}  // namespace fk
