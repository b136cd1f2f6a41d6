// SPDX-License-Identifier: Apache-2.0
// Reaching into a list of function arguments.
#pragma once
#include <fused_kernel/core/data/tuple.h>

namespace fk {

/// The arguments by reference; nothing is copied.
template <class... Ts>
FK_FN Tuple<Ts&&...> forward_as_tuple(Ts&&... values) {
  return Tuple<Ts&&...>{{{static_cast<Ts&&>(values)}...}};
}
template <class... Ts>
FK_FN Tuple<Ts&...> tie(Ts&... values) {
  return Tuple<Ts&...>{{{values}...}};
}

template <int I, class... Ts>
FK_FN const auto& get_arg(const Ts&... args) {
  static_assert(I >= 0 && I < static_cast<int>(sizeof...(Ts)),
                "fkl: there is no argument at this index");
  return leaf<I>(Tuple<const Ts&...>{{{args}...}});
}
template <class... Ts>
FK_FN const auto& ppFirst(const Ts&... args) {
  return get_arg<0>(args...);
}
template <class... Ts>
FK_FN const auto& ppLast(const Ts&... args) {
  return get_arg<static_cast<int>(sizeof...(Ts)) - 1>(args...);
}

}  // namespace fk
