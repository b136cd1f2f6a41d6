// SPDX-License-Identifier: Apache-2.0
// What is done in parallel: one value per position, through all operations.
#pragma once
#include <fused_kernel/core/execution_model/launch_status.h>
#include <fused_kernel/core/execution_model/operation_model/fused.h>
#include <fused_kernel/core/target/cpu/transform.h>
#if defined(FK_CUDA_LAUNCH)
#include <fused_kernel/core/target/cuda/transform.h>
#endif

namespace fk {

template <ParArch PA = defaultParArch, TF TFEN = TF::DISABLED, class DPPDetails = void,
          bool THREAD_DIVISIBLE = true, class Enabler = void>
struct TransformDPP {
  static constexpr ParArch PAR_ARCH = PA;
  static constexpr TF THREAD_FUSION = TFEN;
  static_assert(PA == ParArch::CPU || PA == ParArch::GPU_NVIDIA,
                "fkl: TransformDPP runs on ParArch::CPU and ParArch::GPU_NVIDIA");
};

template <class DPP, class... IOps, int... I>
FK_HOST inline int launch_fused([[maybe_unused]] const Runtime* runtime,
                                [[maybe_unused]] void* stream, const char*& said,
                                const Tuple<IOps...>& all, IndexSequence<I...>) {
  constexpr int n = sizeof...(IOps);
  const auto& read = leaf<0>(all);
  const auto& write = leaf<n - 1>(all);
  const auto chain = chain_of(make_tuple(leaf<I + 1>(all)...));
  using Value = GetOutputType_t<plain_t<decltype(read)>>;
  using Out = plain_t<chain_result_t<plain_t<decltype(chain)>, Value>>;
  using W = typename plain_t<decltype(write)>::Operation;
  if constexpr (requires { typename W::InputType; })
    static_assert(accepts<W, Out>, "fkl: the write cannot take what the chain gives");
  if (!regions_fit(read)) return failed(OUTSIDE, said, "a rect does not lie inside its image");
  if constexpr (DPP::PAR_ARCH == ParArch::CPU) {
    const int status = cpu::transform(runtime, read, chain, write);
    if (status == OUT_OF_MEMORY)
      return failed(status, said, "no memory for the rows that a resize keeps");
    return status;
  } else {
#if defined(FK_CUDA_LAUNCH)
    return cuda::transform<DPP::THREAD_FUSION>(runtime, stream, said, read, chain, write);
#else
    static_assert(DPP::PAR_ARCH == ParArch::CPU,
                  "fkl: ParArch::GPU_NVIDIA needs a CUDA compiler (clang -x cuda, or nvcc)");
#endif
  }
}

/// The sentences for a list of operations that is no pipeline.
template <class... IOps>
FK_HOST constexpr void check_pipeline() {
  static_assert(sizeof...(IOps) >= 2, "fkl: a pipeline needs a read and a write");
  static_assert(all_v<is_instance<IOps>...>,
                "fkl: a pipeline is made of instantiable operations: what build() returns");
  using First = typename TypeAt<0, IOps...>::type;
  using Last = typename TypeAt<sizeof...(IOps) - 1, IOps...>::type;
  static_assert(!is_waiting<First>,
                "fkl: the first operation still waits for its source: put a read before it");
  static_assert(isAnyCompleteReadType<First>,
                "fkl: a pipeline starts with an operation that reads");
  static_assert(opIs<WriteType, Last>, "fkl: a pipeline ends with an operation that writes");
  static_assert(how_many<opIs<WriteType, IOps>...>() == 1,
                "fkl: only the last operation is a Write; one before it is written MidWrite<...>");
}

/// Runs the operations as one kernel: everything up to the last geometry becomes the read.
/// Asynchronous on a GPU. `said` becomes a sentence that stays, where the status is not 0.
template <class DPP, class... IOps>
FK_HOST inline int launch([[maybe_unused]] const Runtime* runtime, [[maybe_unused]] void* stream,
                          const char*& said, const IOps&... iops) {
  check_pipeline<IOps...>();
  const auto all = BackFuser::fuse_back(iops...);
  constexpr int middle = plain_t<decltype(all)>::size - 2;
  return launch_fused<DPP>(runtime, stream, said, all, make_index_sequence<middle>{});
}

/// Whether an operation makes O of I, for generated code to check its plan with.
template <class Op, class I, class O>
inline constexpr bool yields = accepts<Op, I> && is_same_v<typename Op::OutputType, O>;

}  // namespace fk
