// SPDX-License-Identifier: Apache-2.0
// The name of a type, as a person would write it.
#pragma once
#include <fused_kernel/core/data/vectors.h>
#include <string>
#include <string_view>

namespace fk {

template <class T>
inline std::string_view compilers_name() {
  // "... [with T = NAME; ...]" in g++, "... [T = NAME]" in clang
  const std::string_view all = __PRETTY_FUNCTION__;
  const std::size_t from = all.find("T = ") + 4;
  const std::size_t end = all.find(';', from);
  return all.substr(from, (end == std::string_view::npos ? all.rfind(']') : end) - from);
}

template <class T>
inline std::string typeToString() {
#define FK_NAMED(name) \
  if constexpr (is_same_v<T, name>) return #name
  FK_NAMED(bool);
  FK_NAMED(char);
  FK_NAMED(schar);
  FK_NAMED(uchar);
  FK_NAMED(short);
  FK_NAMED(ushort);
  FK_NAMED(int);
  FK_NAMED(uint);
  FK_NAMED(long);
  FK_NAMED(ulong);
  FK_NAMED(longlong);
  FK_NAMED(ulonglong);
  FK_NAMED(float);
  FK_NAMED(double);
  FK_NAMED(half);
  FK_NAMED(bfloat16);
#undef FK_NAMED
  if constexpr (validCUDAVec<T>) {
    const std::string base = is_same_v<VBase<T>, schar> ? "char" : typeToString<VBase<T>>();
    return base + std::to_string(cn<T>);
  }
  return std::string(compilers_name<T>());
}

}  // namespace fk
