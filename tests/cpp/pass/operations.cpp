// SPDX-License-Identifier: Apache-2.0
// Every operation of one element, against values worked out by hand.
#include <fused_kernel/algorithms/algorithms.h>
#include <fused_kernel/fused_kernel.h>
#include <limits>
#include "../check.h"

using namespace fk;

template <class V>
static bool same(const V& a, const V& b) {
  return cxp::vector_and::f(a == b);
}

template <class T>
static void integers() {
  using T3 = VectorType_t<T, 3>;
  const T3 v = make_<T3>(1, 2, 3);
  CHECK(same(v | Add<T3>::build(make_set<T3>(1)), make_<T3>(2, 3, 4)));
  CHECK(same(v | Mul<T3>::build(make_<T3>(3, 2, 1)), make_<T3>(3, 4, 3)));
  CHECK(
      same(make_set<T3>(maxValue<T>) | Add<T3>::build(make_set<T3>(1)), make_set<T3>(minValue<T>)));
  CHECK(
      same(make_set<T3>(minValue<T>) | Sub<T3>::build(make_set<T3>(1)), make_set<T3>(maxValue<T>)));
  CHECK(same(make_set<T3>(9) | Div<T3>::build(make_<T3>(2, 0, 3)), make_<T3>(4, 0, 3)));
  CHECK((T(100) | Div<T>::build(T(7))) == T(14));
  if constexpr (is_signed_integer_v<T>) {
    CHECK((minValue<T> | Div<T>::build(T(-1))) == minValue<T> &&
          (T(-7) | Div<T>::build(T(2))) == T(-3));
    CHECK((T(-7) | Abs<T>::build()) == T(7) && (minValue<T> | Abs<T>::build()) == minValue<T>);
  }
  CHECK((T(3) | Max<T>::build(T(5))) == T(5) && (T(3) | Min<T>::build(T(5))) == T(3));
  CHECK((T(6) | IsEven<T>::build()) && !(T(7) | IsEven<T>::build()) && !(v | IsEven<T3>::build()));
  CHECK((T(12) | BwAnd<T>::build(T(10))) == T(8) && (T(12) | BwOr<T>::build(T(10))) == T(14) &&
        (T(12) | BwXor<T>::build(T(10))) == T(6));
  CHECK((T(3) | ShiftLeft<T>::build(T(2))) == T(12) &&
        (T(12) | ShiftRight<T>::build(T(2))) == T(3));
  CHECK((T(5) | BwNot<T>::build()) == static_cast<T>(~T(5)) &&
        (T(1) | ShiftLeft<T>::build(T(100))) == T(0));
  CHECK((T(3) | AbsDiff<T>::build(T(5))) == T(2) || !is_signed_integer_v<T>);
  CHECK((v | Cast<T3, float3>::build() | Cast<float3, T3>::build()).z == T(3));
  CHECK((1e30f | SaturateCast<float, T>::build()) == maxValue<T> &&
        (-1e30f | SaturateCast<float, T>::build()) == minValue<T>);
  CHECK((1e30 | Cast<double, T>::build()) == maxValue<T> &&
        (std::nan("") | SaturateCast<double, T>::build()) == T(0));
  CHECK((2.5f | SaturateCast<float, T>::build()) == T(2) &&
        (3.5f | SaturateCast<float, T>::build()) == T(4) &&
        (2.9f | Cast<float, T>::build()) == T(2));
  CHECK((maxValue<ulonglong> | SaturateCast<ulonglong, T>::build()) == maxValue<T>);
  CHECK((minValue<longlong> | SaturateCast<longlong, T>::build()) == minValue<T>);
  CHECK((T(2) | StaticLoop<Add<T>, 5>::build(T(3))) == T(17) &&
        (T(2) | StaticLoop<Add<T>, 0>::build(T(3))) == T(5));
  CHECK((v | VectorReduce<T3, Add<T, T, T, UnaryType>>::build()) == T(6) &&
        (v | VectorReduce<T3, Max<T>>::build()) == T(3));
  CHECK((v | Saturate<T3>::build(make_<VectorType_t<T, 2>>(2, 2))).x == T(2));
}

template <class T>
static void floats(double tolerance) {
  using T2 = VectorType_t<T, 2>;
  const T2 v = make_<T2>(0.25f, 4.f);
  const auto close = [tolerance](auto a, double b) {
    return near(static_cast<double>(a), b, tolerance);
  };
  CHECK(close((v | Div<T2>::build(make_<T2>(3.f, 3.f))).x, 0.25 / 3) &&
        close((v | Mul<T2, T>::build(T(0.1f))).y, 0.4));
  CHECK(close((v | Sqrt<T2>::build()).y, 2) && close((v | Exp<T2>::build()).x, std::exp(0.25)) &&
        close((v | Ln<T2>::build()).y, std::log(4.0)));
  CHECK(close((v | Sqr<T2>::build()).y, 16) && close((T(-2.f) | Abs<T>::build()), 2) &&
        close((T(2.f) | AbsDiff<T>::build(T(5.f))), 3));
  CHECK(close((T(1.5f) | SaturateFloat<T>::build()), 1) &&
        close((T(-1.f) | SaturateFloat<T>::build()), 0));
  const T nan = T(std::nanf(""));
  CHECK(close((nan | SaturateFloat<T>::build()), 0));
  CHECK(std::isnan(static_cast<double>(nan | Max<T>::build(T(1.f)))) &&
        close((T(1.f) | Max<T>::build(nan)), 1));
  CHECK(std::isinf(static_cast<double>(T(1.f) | Div<T>::build(T(0.f)))));
}

int main() {
  integers<uchar>();
  integers<schar>();
  integers<ushort>();
  integers<short>();
  integers<uint>();
  integers<int>();
  integers<ulonglong>();
  integers<longlong>();
  floats<float>(1e-6);
  floats<double>(1e-7);
  floats<half>(2e-3);
  floats<bfloat16>(2e-2);
  CHECK((1e-3 | Exp<double>::build()) == std::exp(1e-3) &&
        (2.0 | Sqrt<double>::build()) == std::sqrt(2.0));

  CHECK(same(float4{1, 2, 3, 4} | VectorReorder<float4, 2, 1, 0, 3>::build(), float4{3, 2, 1, 4}));
  CHECK(same(uchar3{1, 2, 3} | VectorReorderRT<uchar3>::build({1, 0, 9}), uchar3{2, 1, 3}));
  CHECK(same(float4{1, 2, 3, 4} | Discard<float4, float2>::build(), float2{1, 2}) &&
        (float4{7, 2, 3, 4} | Discard<float4, float>::build()) == 7);
  CHECK(same(float3{1, 2, 3} | AddLast<float3, float4>::build(9), float4{1, 2, 3, 9}));
  CHECK(!(int3{1, 0, 2} | VectorAnd<int3>::build()) && (int3{1, 1, 2} | VectorAnd<int3>::build()));
  CHECK((make_tuple(int2{1, 2}, int2{1, 2}) | Equal<int2>::build()) &&
        !(make_tuple(int2{1, 2}, int2{1, 3}) | Equal<int2>::build()));
  CHECK((make_tuple(3.f, 4.f) | Add<float, float, float, UnaryType>::build()) == 7 &&
        (make_tuple(6, 4) | BwAnd<int, int, int, UnaryType>::build()) == 4);
  constexpr M3x3Float rows{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
  CHECK(same(float3{1, 0, 2} | MxVFloat3<>::build(rows), float3{7, 16, 25}));
  CHECK(same(make_tuple(float3{1, 0, 2}, rows * 2.f) | MxVFloat3<UnaryType>::build(),
             float3{14, 32, 50}));
  CHECK(same(uchar3{1, 2, 3} | Mul<uchar3, float3, float3>::build({1.5f, 2.f, 0.f}),
             float3{1.5f, 4.f, 0.f}));
  CHECK((uchar(200) | Mul<uchar>::build(2)) == 144);

  // numbers beyond what a 32-bit integer holds, and the edges of rounding
  CHECK((3e9f | SaturateCast<float, uint>::build()) == 3000000000u &&
        (2147483648.f | SaturateCast<float, int>::build()) == 2147483647);
  CHECK((254.5f | SaturateCast<float, uchar>::build()) == 254 &&
        (-0.5f | SaturateCast<float, uchar>::build()) == 0 &&
        (1e40 | SaturateCast<double, float>::build()) == maxValue<float>);
  CHECK((uchar(7) | SaturateCast<uchar, bool>::build()) &&
        (-3 | SaturateCast<int, ushort>::build()) == 0);
  CHECK((70000.f | SaturateCast<float, half>::build()) == half(65504.f) &&
        (300 | SaturateCast<int, float>::build()) == 300.f);

  // colour
  using CCC = ColorConversionCodes;
  CHECK(same(uchar3{1, 2, 3} | ColorConversion<CCC::COLOR_BGR2BGRA, uchar3, uchar4>::build(),
             uchar4{1, 2, 3, 255}));
  CHECK(same(uchar4{1, 2, 3, 4} | ColorConversion<CCC::COLOR_BGRA2BGR, uchar4, uchar3>::build(),
             uchar3{1, 2, 3}));
  CHECK(same(uchar3{1, 2, 3} | ColorConversion<CCC::COLOR_BGR2RGBA, uchar3, uchar4>::build(),
             uchar4{3, 2, 1, 255}));
  CHECK(same(uchar4{1, 2, 3, 4} | ColorConversion<CCC::COLOR_RGBA2BGR, uchar4, uchar3>::build(),
             uchar3{3, 2, 1}));
  CHECK(
      same(ushort3{1, 2, 3} |
               ColorConversion<CCC::COLOR_BGR2RGBA, ushort3, ushort4, ColorDepth::p10bit>::build(),
           ushort4{3, 2, 1, 1023}));
  CHECK(same(uchar4{1, 2, 3, 4} | ColorConversion<CCC::COLOR_BGRA2RGBA, uchar4, uchar4>::build(),
             uchar4{3, 2, 1, 4}));
  CHECK((uchar3{10, 20, 30} | ColorConversion<CCC::COLOR_RGB2GRAY, uchar3, uchar>::build()) == 18);
  CHECK((uchar3{30, 20, 10} | ColorConversion<CCC::COLOR_BGR2GRAY, uchar3, uchar>::build()) == 18);
  CHECK((uchar4{30, 20, 10, 99} | ColorConversion<CCC::COLOR_BGRA2GRAY, uchar4, uchar>::build()) ==
        18);
  CHECK(near(float3{1.2f, 3.4f, 5.6f} | RGB2Gray<float3>::build(),
             1.2 * 0.299 + 3.4 * 0.587 + 5.6 * 0.114));
  static_assert(is_same_v<ColorConversion<CCC::COLOR_BGR2RGB, uchar3, uchar3>,
                          VectorReorder<uchar3, 2, 1, 0>> &&
                isSuportedCCC<CCC::COLOR_RGBA2GRAY>);
  CHECK(same(uchar3{1, 2, 3} | StaticAddAlpha<uchar3, 50>::build(), uchar4{1, 2, 3, 50}));
  // depth
  CHECK(same(uchar3{0, 51, 255} | NormalizePixel<uchar3, ColorDepth::p8bit>::build(),
             float3{0, 0.2f, 1}));
  CHECK(same(float3{0.5f, 1.5f, -1.f} |
                 SaturateDenormalizePixel<float3, uchar3, ColorDepth::p8bit>::build(),
             uchar3{127, 255, 0}));
  CHECK(same(float3{0.5f, 1.f, 0.f} | DenormalizePixel<ushort3, ColorDepth::p10bit>::build(),
             ushort3{511, 1023, 0}));
  CHECK((ushort(5000) | SaturateDepth<ushort, ColorDepth::p12bit>::build()) == 4095 &&
        maxDepthValue<ColorDepth::p8bit> == 255);

  // interpolation at a point
  Ptr2D<uchar> img(2, 2);
  for (int i = 0; i < 4; ++i) img.ptr().data[i] = static_cast<uchar>(10 * i);
  const auto between = Interpolate<InterpolationType::INTER_LINEAR>::build(
      PerThreadRead<ND::_2D, uchar>::build(img));
  CHECK((float2{0.5f, 0.25f} | between) == 10.f && (float2{1.75f, 1.f} | between) == 30.f);
  return failures;
}
