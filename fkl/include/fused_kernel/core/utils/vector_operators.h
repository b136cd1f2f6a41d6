// SPDX-License-Identifier: Apache-2.0
// C++ operators on vectors, channel by channel; a number on either side stands for every channel.
// The result's base type follows C++ promotion: uchar3 * uchar3 is int3, int3 / float is float3.
#pragma once
#include <fused_kernel/core/data/vectors.h>

namespace fk {

template <class T>
inline constexpr bool is_number = is_integer_v<T> || is_floating_v<T>;
template <class A, class B>
concept vector_operands = (validCUDAVec<A> && validCUDAVec<B> && cn<A> == cn<B>) ||
                          (validCUDAVec<A> && is_number<B>) || (is_number<A> && validCUDAVec<B>);
template <class A, class B>
concept integer_operands =
    vector_operands<A, B> && is_integer_v<VBase<A>> && is_integer_v<VBase<B>>;
template <class A, class B, class R>
using operand_result_t = rebase_t<conditional_t<validCUDAVec<A>, A, B>, R>;

#define FK_VECTOR_BINARY(op, operands)                                                           \
  template <class A, class B>                                                                    \
    requires operands<A, B>                                                                      \
  FK_FN auto operator op(const A& a, const B& b) {                                               \
    using R = plain_t<decltype(declval<VBase<A>>() op declval<VBase<B>>())>;                     \
    return map_channels<operand_result_t<A, B, R>>([](auto x, auto y) { return x op y; }, a, b); \
  }
FK_VECTOR_BINARY(+, vector_operands)
FK_VECTOR_BINARY(-, vector_operands)
FK_VECTOR_BINARY(*, vector_operands)
FK_VECTOR_BINARY(/, vector_operands)
FK_VECTOR_BINARY(==, vector_operands)
FK_VECTOR_BINARY(!=, vector_operands)
FK_VECTOR_BINARY(<, vector_operands)
FK_VECTOR_BINARY(>, vector_operands)
FK_VECTOR_BINARY(<=, vector_operands)
FK_VECTOR_BINARY(>=, vector_operands)
FK_VECTOR_BINARY(&&, vector_operands)
FK_VECTOR_BINARY(||, vector_operands)
FK_VECTOR_BINARY(&, integer_operands)
FK_VECTOR_BINARY(|, integer_operands)
FK_VECTOR_BINARY(^, integer_operands)
#undef FK_VECTOR_BINARY

// a shift keeps the type of what is shifted
#define FK_VECTOR_SHIFT(op)                                                                     \
  template <class A, class B>                                                                   \
    requires(integer_operands<A, B> && validCUDAVec<A>)                                         \
  FK_FN A operator op(const A& a, const B& b) {                                                 \
    return map_channels<A>([](auto x, auto y) { return static_cast<VBase<A>>(x op y); }, a, b); \
  }
FK_VECTOR_SHIFT(<<)
FK_VECTOR_SHIFT(>>)
#undef FK_VECTOR_SHIFT

#define FK_VECTOR_UNARY(op, condition)                                                   \
  template <class A>                                                                     \
    requires(validCUDAVec<A> && condition)                                               \
  FK_FN auto operator op(const A& a) {                                                   \
    using R = plain_t<decltype(op declval<VBase<A>>())>;                                 \
    return map_channels<rebase_t<A, R>>([](auto x) { return static_cast<R>(op x); }, a); \
  }
FK_VECTOR_UNARY(-, true)
FK_VECTOR_UNARY(!, true)
FK_VECTOR_UNARY(~, is_integer_v<VBase<A>>)
#undef FK_VECTOR_UNARY

// as FKL has them: the left side changes, and a copy of it is the result
#define FK_VECTOR_ASSIGN(op, operands)                                                       \
  template <class A, class B>                                                                \
    requires(operands<A, B> && validCUDAVec<A>)                                              \
  FK_FN A operator op## = (A & a, const B& b) {                                              \
    a = map_channels<A>([](auto x, auto y) { return static_cast<VBase<A>>(x op y); }, a, b); \
    return a;                                                                                \
  }
FK_VECTOR_ASSIGN(+, vector_operands)
FK_VECTOR_ASSIGN(-, vector_operands)
FK_VECTOR_ASSIGN(*, vector_operands)
FK_VECTOR_ASSIGN(/, vector_operands)
FK_VECTOR_ASSIGN(&, integer_operands)
FK_VECTOR_ASSIGN(|, integer_operands)
#undef FK_VECTOR_ASSIGN

}  // namespace fk

// CUDA's own vector types live in the global namespace
using fk::operator+;
using fk::operator-;
using fk::operator*;
using fk::operator/;
using fk::operator==;
using fk::operator!=;
using fk::operator<;
using fk::operator>;
using fk::operator<=;
using fk::operator>=;
using fk::operator&&;
using fk::operator||;
using fk::operator&;
using fk::operator|;
using fk::operator^;
using fk::operator<<;
using fk::operator>>;
using fk::operator!;
using fk::operator~;
using fk::operator+=;
using fk::operator-=;
using fk::operator*=;
using fk::operator/=;
using fk::operator&=;
using fk::operator|=;
