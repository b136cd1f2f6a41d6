// SPDX-License-Identifier: Apache-2.0
// Per-plane entries whose number is a run-time value.
#pragma once
#include <fused_kernel/core/utils/traits.h>

namespace fk {

/// Where a table's entries lie for the code that reads them.
enum class TableAt : uint { HOST = 0, DEVICE = 1, PARAMETERS = 2 };

/// Tables on this side of the launch: plain pointers.
struct HostTables {};

/// One entry per plane, or one for all. `data` is a byte offset where the entries travel as kernel
/// parameters.
template <class E>
struct PlaneTable {
  const E* data{nullptr};
  uint count{0};
  TableAt where{TableAt::HOST};

  FK_FN index_t index(index_t z) const { return count == 1 ? 0 : z; }
  template <class Tables>
  FK_FN E at(index_t z, const Tables& tables) const {
    if constexpr (is_same_v<Tables, HostTables>)
      return data[index(z)];
    else
      return tables.template entry<E>(data, where, index(z));
  }
};

template <class T>
inline constexpr bool is_plane_table = false;
template <class E>
inline constexpr bool is_plane_table<PlaneTable<E>> = true;

/// Planes that a value is given for: a table's count, else no opinion.
template <class T>
FK_FN extent_t planes_given(const T& value) {
  if constexpr (is_plane_table<T>)
    return value.count;
  else
    return 1;
}
template <class Tables, class T>
FK_FN auto plane_value(const T& value, index_t z, const Tables& tables) {
  if constexpr (is_plane_table<T>)
    return value.at(z, tables);
  else
    return value;
}

}  // namespace fk
