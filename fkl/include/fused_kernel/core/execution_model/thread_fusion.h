// SPDX-License-Identifier: Apache-2.0
// How many neighbouring elements one thread takes, by type. The executors choose by addresses and
// sizes at each launch; these are the rules as types, for programs that build on them.
#pragma once
#include <fused_kernel/core/execution_model/operation_model/fused.h>

namespace fk {

/// Elements per thread that reading T allows: 4 bytes of 1-byte numbers, 2 of wider scalars,
/// else 1.
template <class T>
inline constexpr int elements_for_read = [] {
  if constexpr (sizeof(VBase<T>) == 1)
    return cn<T> == 1 ? 4 : cn<T> == 2 ? 2 : 1;
  else
    return cn<T> == 1 && sizeof(VBase<T>) <= 4 ? 2 : 1;
}();

/// E elements of O side by side, for a thread that reads T.
template <class T, int E, class O>
using ThreadFusionType =
    conditional_t<E == 1, O, VectorType_t<VBase<O>, (cn<O> * E <= 4 ? cn<O> * E : 4)>>;
template <class T>
using TFBiggerType_t = ThreadFusionType<T, elements_for_read<T>, T>;

template <class ReadT, class WriteT, bool WANTED>
struct ThreadFusionInfo {
  static constexpr bool ENABLED = WANTED && elements_for_read<ReadT> * cn<WriteT> <= 4;
  static constexpr int elems_per_thread = ENABLED ? elements_for_read<ReadT> : 1;
  using BiggerReadType = ThreadFusionType<ReadT, elems_per_thread, ReadT>;
  using BiggerWriteType = ThreadFusionType<ReadT, elems_per_thread, WriteT>;

  /// Element I of what was read.
  template <int I>
  FK_HOST_DEVICE_FUSE ReadT get(const BiggerReadType& big) {
    if constexpr (elems_per_thread == 1)
      return big;
    else
      return part<I * cn<ReadT>>(big, make_index_sequence<cn<ReadT>>{});
  }
  /// What is written, from its elements.
  template <class... V>
  FK_HOST_DEVICE_FUSE BiggerWriteType make(const V&... values) {
    static_assert(sizeof...(V) == elems_per_thread,
                  "fkl: make takes one value per element of a thread");
    if constexpr (elems_per_thread == 1) {
      return (values, ...);
    } else if constexpr (cn<WriteT> == 1) {
      return make_<BiggerWriteType>(channel<0>(values)...);
    } else {
      const VBase<WriteT> all[] = {values.x...,
                                   values.y...};  // only two elements of two channels are left
      return BiggerWriteType{all[0], all[2], all[1], all[3]};
    }
  }

 private:
  template <int From, int... C>
  FK_HOST_DEVICE_FUSE ReadT part(const BiggerReadType& big, IndexSequence<C...>) {
    return vector_from<ReadT>(channel<From + C>(big)...);
  }
};

template <bool WANTED, class... IOps>
FK_FN bool isThreadFusionEnabled() {
  using R = typename TypeAt<0, IOps...>::type::Operation;
  using W = typename TypeAt<static_cast<int>(sizeof...(IOps)) - 1, IOps...>::type::Operation;
  if constexpr (R::THREAD_FUSION && W::THREAD_FUSION)
    return ThreadFusionInfo<typename R::ReadDataType, typename W::WriteDataType, WANTED>::ENABLED;
  else
    return false;
}
/// Whether the rows of the first and of the last operation divide into threads of e elements.
template <bool ENABLED, class... IOps>
FK_FN bool isThreadDivisible(int e, const IOps&... iops) {
  if constexpr (ENABLED) {
    const Tuple<const IOps&...> all{{{iops}...}};
    const auto divides = [e](const auto& iop) {
      return plane_extent(iop, 0, HostTables{}).x % static_cast<extent_t>(e) == 0;
    };
    return divides(leaf<0>(all)) && divides(leaf<static_cast<int>(sizeof...(IOps)) - 1>(all));
  } else {
    return false;
  }
}

}  // namespace fk
