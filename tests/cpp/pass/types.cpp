// SPDX-License-Identifier: Apache-2.0
// Data types, their layouts, operators and lists: mostly decided while compiling.
#include <fused_kernel/algorithms/algorithms.h>
#include <fused_kernel/fused_kernel.h>
#include <sstream>
#include "../check.h"

using namespace fk;

// layouts are CUDA's
template <class V, int SIZE, int ALIGN>
inline constexpr bool laid_out = sizeof(V) == SIZE && alignof(V) == ALIGN;
static_assert(laid_out<char2, 2, 2> && laid_out<char3, 3, 1> && laid_out<uchar4, 4, 4>);
static_assert(laid_out<short2, 4, 4> && laid_out<ushort3, 6, 2> && laid_out<short4, 8, 8>);
static_assert(laid_out<float2, 8, 8> && laid_out<int3, 12, 4> && laid_out<float4, 16, 16>);
static_assert(laid_out<double2, 16, 16> && laid_out<double3, 24, 8> && laid_out<double4, 32, 16>);
static_assert(laid_out<long2, 16, 16> && laid_out<longlong3, 24, 8> &&
              laid_out<ulonglong4, 32, 16>);
static_assert(laid_out<bool2, 2, 1> && laid_out<bool3, 3, 1> && laid_out<bool4, 4, 1>);
static_assert(laid_out<half2, 4, 4> && laid_out<half3, 6, 2> && laid_out<half4, 8, 8>);

// channels
static_assert(cn<float3> == 3 && cn<const float3> == 3 && cn<float> == 1 && cn<float1> == 1 &&
              validCUDAVec<float1> && validCUDAVec<const uchar2> && !validCUDAVec<int>);
static_assert(is_same_v<VBase<uchar4>, uchar> && is_same_v<VBase<int>, int> &&
              is_same_v<VBase<char3>, schar>);
static_assert(is_same_v<VectorType_t<char, 3>, char3> && is_same_v<VectorType_t<float, 1>, float> &&
              is_same_v<VectorType<float, 1>::type_v, float1>);
static_assert(is_same_v<float_<3>, float3> && is_same_v<uchar_<1>, uchar> &&
              is_same_v<longlong_<2>, longlong2>);

// operators follow C++ promotion
static_assert(is_same_v<decltype(uchar3{} * uchar3{}), int3> &&
              is_same_v<decltype(int3{} / 1.f), float3> &&
              is_same_v<decltype(float3{} * double3{}), double3>);
static_assert(is_same_v<decltype(2.0 * float2{}), double2> &&
              is_same_v<decltype(float1{} + 1), float1> &&
              is_same_v<decltype(uint2{} - int2{}), uint2>);
static_assert(is_same_v<decltype(float4{} < 1.f), bool4> && is_same_v<decltype(!int2{}), bool2> &&
              is_same_v<decltype(uchar2{} << 1), uchar2> && is_same_v<decltype(-uchar2{}), int2>);
constexpr float3 computed = (float3{1, 2, 3} + 1.f) * float3{2, 2, 2} / 4.f - int3{1, 1, 1};
static_assert(computed.x == 0.f && computed.y == 0.5f && computed.z == 1.f);
constexpr int3 changed = [] {
  int3 v{1, 2, 3};
  v += 1;
  v *= int3{1, 2, 3};
  v -= uchar3{1, 1, 1};
  v |= 8;
  return v;
}();
static_assert(changed.x == 9 && changed.y == 13 && changed.z == 11);
static_assert(bool(int2{1, 2} == int2{1, 2}) && !bool(int2{1, 2} == int2{1, 3}) &&
              bool((int2{1, 4} > 0) && (int2{3, 3} != 2)));
static_assert((~uchar2{1, 0}).x == -2 && (uint2{6, 3} & 2u).y == 2u &&
              (int2{1, 2} ^ int2{3, 3}).x == 2 && (int2{-8, 8} >> 1).x == -4);
static_assert(make_<float3>(1, 2, 3).y == 2.f && make_set<uchar4>(7).w == 7 &&
              static_get<2>(int3{1, 2, 3}) == 3 && make::type<int2>(1.9, 2).x == 1);
static_assert(vector_at::f(1, int3{1, 2, 3}) == 2 && vector_at::f(9, int3{1, 2, 3}) == 3 &&
              vector_at::f(0, 5) == 5);
static_assert(maxValue<uchar3>.z == 255 && minValue<float> < -3e38f &&
              minValue<short2>.x == -32768 && smallestPositiveValue<int> == 1);

// lists
using List = TypeList<int, float, double>;
static_assert(List::size == 3 && TypeIndex_v<double, List> == 2 && TypeIndex_v<char, List> == -1 &&
              one_of_v<float, List> && !one_of_v<char, List>);
static_assert(is_same_v<TypeAt_t<1, List>, float> &&
              is_same_v<TypeListCat_t<List, TypeList<char>>, TypeList<int, float, double, char>>);
static_assert(is_same_v<InsertTypeBack_t<List, char>, TypeList<int, float, double, char>> &&
              is_same_v<InsertTypeFront_t<char, List>, TypeList<char, int, float, double>>);
static_assert(is_same_v<InsertType_t<2, char, List>, TypeList<int, float, char, double>> &&
              is_same_v<RemoveType_t<0, List>, TypeList<float, double>>);
static_assert(is_same_v<EquivalentType_t<float, List, TypeList<int2, float2, double2>>, float2> &&
              is_same_v<LastType_t<int, float>, float>);
struct OnlyReal {
  template <class T>
  static constexpr bool complies() {
    return is_real_v<T>;
  }
};
static_assert(is_same_v<filtered_index_sequence_t<OnlyReal, List>, std::index_sequence<1, 2>>);
static_assert(and_v<true, true> && !and_v<true, false> && or_v<false, true> &&
              VAll::size == 4 * BaseTypes::size && is_same_v<TypeAt_t<11, VThree>, float3>);

// tuples and arrays
constexpr auto tuple = make_tuple(1, 2.5f, 'c');
static_assert(decltype(tuple)::size == 3 && get<1>(tuple) == 2.5f && isTuple_v<decltype(tuple)> &&
              is_same_v<get_t<2, decltype(tuple)>, char>);
static_assert(get<3>(tuple_cat(tuple, make_tuple(7))) == 7 &&
              get<1>(tuple_insert<1>(9, tuple)) == 9 && get<3>(tuple_insert_back(tuple, 4)) == 4);
static_assert(get<1>(insert_before_last(5, 1, 2)) == 5 &&
              fk::apply([](auto... x) { return (x + ...); }, make_tuple(1, 2, 3)) == 6 &&
              get<2>(cudaVectorToTuple(int3{1, 2, 3})) == 3);
static_assert(is_same_v<ToTypeList<Tuple<int, float>>, TypeList<int, float>> &&
              get_arg<1>(1, 2, 3) == 2 && ppFirst(4, 5) == 4 && ppLast(4, 5) == 5);
constexpr auto doubled = transformArray(std::array<int, 3>{1, 2, 3}, [](int x) { return 2.5 * x; });
static_assert(doubled[2] == 7.5 && arraySize<decltype(doubled)> == 3 &&
              allValuesAre(4, make_set_std_array<5>(4)) && makeIndexArray<4>()[3] == 3);
static_assert(toArray(int3{1, 2, 3}).at[2] == 3 && toVector(toArray(int3{1, 2, 3})).y == 2 &&
              allArraysSameSize_v<2, std::array<int, 2>, Array<float, 2>>);

// geometry
constexpr Rect rect(Point_<int, ND::_2D>{1, 2}, Size{3, 4});
static_assert(rect.x == 1 && rect.y == 2 && rect.width == 3 && rect.height == 4 &&
              Rect().width == 0 && Rect(1, 2, 3, 4).height == 4);

static_assert(toStrView(defaultParArch) == "CPU" && toStrView(ParArch::None) == "None");
static_assert(
    is_fused_operation<FusedOperation<Unary<Cast<int, float>>, Unary<Cast<float, int>>>>::value &&
    !is_fused_operation<Cast<int, float>>::value);
constexpr auto by_factors =
    Resize<>::build(RawPtr<ND::_2D, uchar>{nullptr, {5, 7, 5}}, Size{0, 0}, 0.5, 0.5);
static_assert(by_factors.params.dstSize == Size{2, 4} &&
              by_factors.params.src_conv_factors.x == 2.5f);

// strings
constexpr String hello("hello");
static_assert(hello.size() == 5 && hello[1] == 'e' && (hello + " world") == "hello world" &&
              String("abc") < String("abd") && hello.substr(1, 3) == "ell");

// functions that are known while compiling
static_assert(cxp::round::f(2.5f) == 3.f && cxp::round::f(-2.5) == -3. &&
              cxp::round::f(1e12) == 1e12 && cxp::nearbyint::f(2.5f) == 2.f &&
              cxp::nearbyint::f(-3.5) == -4. && cxp::floor::f(-0.5f) == -1.f);
static_assert(cxp::isnan::f(__builtin_nanf("")) && !cxp::isnan::f(1) &&
              cxp::isinf::f(__builtin_huge_val()) && cxp::signbit::f(-0.f) && cxp::is_even::f(4u) &&
              !cxp::is_even::f(3));
static_assert(cxp::cmp_less::f(-1, 1u) && cxp::cmp_greater::f(1u, -1) &&
              !cxp::cmp_equal::f(-1, ~0u) && cxp::cmp_less_equal::f(2, 2ull) &&
              cxp::cmp_greater_equal::f(0u, -5) && cxp::cmp_not_equal::f(-1, ~0u));
static_assert(cxp::max::f(1, 5, 3) == 5 && cxp::min::f(4.f) == 4.f && cxp::abs::f(-3) == 3 &&
              cxp::clamp::f(9, 0, 5) == 5 && cxp::sum::f(1, 2, 3) == 6 &&
              cxp::sum::f(int4{1, 2, 3, 4}) == 10);
static_assert(cxp::max::f(int2{1, 9}, int2{5, 3}).y == 9 &&
              cxp::fmax::f(__builtin_nanf(""), 2.f) == 2.f && cxp::fminf::f(3.f, 2.f) == 2.f);
static_assert(cxp::cast<int>::f(2.9f) == 2 &&
              cxp::saturate_cast<uchar3>::f(float3{-4, 2.5f, 999}).z == 255 &&
              cxp::saturate_float::f(float2{7, -1}).x == 1.f &&
              cxp::saturate_float::f(__builtin_nanf("")) == 0.f);
static_assert(cxp::vector_and::f(int3{1, 2, 3}) &&
              cxp::vector_reorder<2, 0, 1>::f(int3{1, 2, 3}).x == 3 &&
              is_same_v<decltype(cxp::discard<2>::f(int3{})), int2>);
static_assert(cxp::maxValue<int> == 2147483647 && cxp::minValue<schar> == -128 &&
              cxp::smallestPositiveValue<float> > 0);
constexpr double e = cxp::exp::f(1.0);
static_assert(e > 2.718281828459 && e < 2.718281828460 && cxp::pow::f(2., 10.) == 1024. &&
              cxp::log::f(1.f) == 0.f && cxp::ldexpf::f(1.5f, 3) == 12.f);

// elements per thread
using Info = ThreadFusionInfo<uchar, float, true>;
static_assert(Info::ENABLED && Info::elems_per_thread == 4 &&
              is_same_v<Info::BiggerReadType, uchar4> && is_same_v<Info::BiggerWriteType, float4>);
static_assert(Info::get<2>(uchar4{1, 2, 3, 4}) == 3 && Info::make(1.f, 2.f, 3.f, 4.f).w == 4.f &&
              !ThreadFusionInfo<uchar, uchar3, true>::ENABLED);
static_assert(ThreadFusionInfo<float, float2, true>::elems_per_thread == 2 &&
              ThreadFusionInfo<float, float2, true>::make(float2{1, 2}, float2{3, 4}).z == 3.f);
static_assert(!ThreadFusionInfo<uchar, float, false>::ENABLED &&
              ThreadFusionInfo<double, double, true>::elems_per_thread == 1 &&
              is_same_v<TFBiggerType_t<uchar2>, uchar4>);
using R = Read<PerThreadRead<ND::_2D, uchar>>;
using W = Write<PerThreadWrite<ND::_2D, float>>;
static_assert(isThreadFusionEnabled<true, R, Unary<Cast<uchar, float>>, W>() &&
              !isThreadFusionEnabled<true, Read<ReadSet<uchar>>, W>());
static_assert(isThreadDivisible<true>(4, R{{{nullptr, {8, 2, 8}}}}, W{{{nullptr, {8, 2, 32}}}}) &&
              !isThreadDivisible<true>(4, R{{{nullptr, {9, 2, 9}}}}, W{{{nullptr, {9, 2, 36}}}}));

std::string name_in_another_file();

template <class T>
static void copied() {
  Stream stream;
  Ptr2D<T> in(5, 3), out(5, 3);
  for (int i = 0; i < 15; ++i) in.ptr().data[i] = make_set<T>(i % 2 == 0 ? 1 : 0);
  executeOperations<TransformDPP<>>(in, out, stream);
  bool equal = true;
  for (unsigned i = 0; i < 15 * sizeof(T); ++i)
    equal = equal &&
            reinterpret_cast<char*>(out.ptr().data)[i] == reinterpret_cast<char*>(in.ptr().data)[i];
  CHECK(equal);
}
template <class... Ts>
static void all_copied(TypeList<Ts...>) {
  (copied<Ts>(), ...);
}

int main() {
  all_copied(BaseTypes{});
  all_copied(VThree{});
  all_copied(TypeList<uchar4, float4, double4>{});
  all_copied(TypeList<float1, uchar2, half, half3, bfloat16>{});
  CHECK(typeToString<float3>() == "float3" && typeToString<char2>() == "char2" &&
        typeToString<ulonglong>() == "ulonglong");
  CHECK(name_in_another_file() == typeToString<Read<PerThreadRead<ND::_2D, uchar3>>>());
  std::ostringstream text;
  text << hello + String("!");
  CHECK(text.str() == "hello!" && hello() == "hello");
  CHECK(std::fabs(cxp::exp::f(1.5f) - std::exp(1.5f)) < 1e-6f &&
        near(cxp::pow::f(float2{2, 3}, 0.5f).y, std::sqrt(3.0)));
  return failures;
}
