// SPDX-License-Identifier: Apache-2.0
// Joining operations where one side, or both, is a batch. Included by batch_utils.h.
#pragma once
#include <fused_kernel/core/execution_model/operation_model/batch_utils.h>

namespace fk {

template <class IOp>
FK_FN auto element_or_self(const IOp& iop, [[maybe_unused]] std::size_t i) {
  if constexpr (is_batch<IOp>)
    return batch_element(iop, i);
  else
    return iop;
}
template <class IOp>
inline constexpr bool is_conditional_batch = false;
template <class IOp>
  requires(is_batch<IOp>)
inline constexpr bool is_conditional_batch<IOp> = IOp::Operation::conditional;

template <class Self, class Next>
struct BatchFuser {
  FK_HOST_DEVICE_FUSE auto fuse(const Self& self, const Next& next) {
    // what asks for its position keeps the batch whole, or it would lose the plane that it is in
    constexpr bool whole =
        opIs<WriteType, Next> || opIs<MidWriteType, Next> || opIs<OpenType, Next>;
    if constexpr (whole) {
      return FusedOperation<>::build(self, next);
    } else {
      if constexpr (is_batch<Next>)
        static_assert(
            is_waiting<Next>,
            "fkl: a batch that reads cannot follow another operation; build it without a source");
      if constexpr (is_batch<Self> && is_batch<Next>)
        static_assert(Self::Operation::BATCH == Next::Operation::BATCH,
                      "fkl: two batches of different sizes cannot be joined");
      constexpr int n = batch_size();
      return with_policy(self, next, each(self, next, make_index_sequence<n>{}));
    }
  }

 private:
  FK_HOST_DEVICE_FUSE int batch_size() {
    if constexpr (is_batch<Self>)
      return Self::Operation::BATCH;
    else
      return Next::Operation::BATCH;
  }
  template <int... I>
  FK_HOST_DEVICE_FUSE auto each(const Self& self, const Next& next, IndexSequence<I...>) {
    using R = decltype(Fuser::fuse(element_or_self(self, 0), element_or_self(next, 0)));
    return Array<R, sizeof...(I)>{
        {Fuser::fuse(element_or_self(self, I), element_or_self(next, I))...}};
  }
  template <class Iops>
  FK_HOST_DEVICE_FUSE auto with_policy(const Self& self, const Next& next, const Iops& iops) {
    if constexpr (is_conditional_batch<Next>)
      return batch_or(iops, next.params.usedPlanes, next.params.default_value);
    else if constexpr (is_conditional_batch<Self>)
      return batch_or(iops, self.params.usedPlanes, default_after(self, next));
    else
      return batch_all(iops);
  }
  /// The default flows through computation as every other value does.
  FK_HOST_DEVICE_FUSE auto default_after(const Self& self, const Next& next) {
    if constexpr (isComputeType<Next>) {
      const HostTables tables{};
      return apply(next, self.params.default_value, At<HostTables>{0, 0, 0, tables});
    } else {
      return self.params.default_value;
    }
  }
};

}  // namespace fk
