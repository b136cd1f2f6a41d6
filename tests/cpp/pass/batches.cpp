// SPDX-License-Identifier: Apache-2.0
// Batches: conditional planes, planes of different sizes, the rules by which batches join, builds
// at compile time.
#include <fused_kernel/algorithms/algorithms.h>
#include <fused_kernel/fused_kernel.h>
#include "../check.h"

using namespace fk;
using Img = PerThreadRead<ND::_2D, uchar>;

// everything that build() makes is known at compile time
namespace at_compile_time {
constexpr std::array<Rect, 3> rects{Rect(0, 0, 4, 4), Rect(1, 2, 2, 3), Rect(3, 3, 1, 1)};
constexpr auto waiting = Crop<>::build(rects);
constexpr auto read = Img::build(RawPtr<ND::_2D, uchar>{nullptr, {10, 10, 10}});
constexpr auto crops = read.then(waiting);
static_assert(is_same_v<decltype(waiting)::Operation,
                        BatchRead<PlanePolicy::PROCESS_ALL, 3, TypeList<Crop<>>>>);
static_assert(
    is_same_v<decltype(crops)::Operation, BatchRead<PlanePolicy::PROCESS_ALL, 3, Crop<Read<Img>>>>);
static_assert(decltype(crops)::Operation::BATCH == 3 &&
              isBatchOperation<decltype(crops)::Operation>);
static_assert(!isBatchOperation<Img> && !isBatchOperation<Crop<>>);
static_assert(crops.getActiveThreads().x == 4 && crops.getActiveThreads().y == 4 &&
              crops.getActiveThreads().z == 3);
static_assert(NumElems::x(Point{0, 0, 1}, crops) == 2 &&
              NumElems::size(Point{0, 0, 1}, crops) == Size{2, 3});
constexpr auto resized = crops.then(Resize<>::build(Size{8, 8}));
static_assert(is_same_v<decltype(resized)::Operation::OutputType, float> &&
              resized.getActiveThreads().x == 8);
constexpr auto some = Crop<>::build(2, 9, rects);
static_assert(
    is_same_v<decltype(some)::Operation,
              BatchRead<PlanePolicy::CONDITIONAL_WITH_DEFAULT, 3, TypeList<Crop<>, int>>>);
constexpr auto some_crops = read.then(some);
static_assert(some_crops.params.usedPlanes == 2 &&
              is_same_v<decltype(some_crops.params.default_value), uchar>);
constexpr auto letterboxed = read.then(waiting).then(
    Resize<InterpolationType::INTER_LINEAR, AspectRatio::PRESERVE_AR>::build(Size{8, 8}, 1.f));
static_assert(letterboxed.params.opData[1].params.x2 == 5);
}  // namespace at_compile_time

static Stream stream;
static Ptr2D<uchar> ramp(int width, int height) {
  Ptr2D<uchar> img(width, height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) img.at(x, y) = static_cast<uchar>(10 * y + x);
  return img;
}

static void conditional_planes() {
  const Ptr2D<uchar> img = ramp(10, 10);
  constexpr std::array<Rect, 3> rects{Rect(0, 0, 4, 4), Rect(1, 2, 4, 4), Rect(3, 3, 4, 4)};
  Tensor<uchar> out(4, 4, 3);
  // the default flows through what follows
  executeOperations<TransformDPP<>>(stream, Img::build(img), Crop<>::build(1, 7, rects),
                                    Add<uchar>::build(1), TensorWrite<uchar>::build(out));
  CHECK(out.at(1, 1, 0) == 12 && out.at(0, 0, 1) == 8 && out.at(3, 3, 2) == 8);
  // and so it does where the addition was fused first
  const auto fused = Img::build(img).then(Crop<>::build(1, 7, rects)).then(Add<uchar>::build(1));
  static_assert(decltype(fused)::Operation::conditional);
  setTo<defaultParArch>(uchar(0), out, stream);
  executeOperations<TransformDPP<>>(stream, fused, TensorWrite<uchar>::build(out));
  CHECK(out.at(1, 1, 0) == 12 && out.at(0, 0, 1) == 8 && out.at(3, 3, 2) == 8);
  // a resize after it keeps the condition, its default in the new type
  const auto resized = fused.then(Resize<>::build(Size{2, 2}));
  static_assert(is_same_v<decltype(resized)::Operation::OutputType, float>);
  CHECK(resized.params.usedPlanes == 1 && resized.params.default_value == 8.f);
  Tensor<float> small(2, 2, 3);
  executeOperations<TransformDPP<>>(stream, resized, TensorWrite<float>::build(small));
  CHECK(small.at(0, 0, 0) == 1.f && small.at(1, 1, 0) == 23.f && small.at(1, 1, 1) == 8.f);
  // no plane at all is used
  executeOperations<TransformDPP<>>(stream, Img::build(img), Crop<>::build(0, 3, rects),
                                    Resize<>::build(Size{2, 2}), TensorWrite<float>::build(small));
  CHECK(small.at(0, 0, 0) == 3.f && small.at(1, 1, 2) == 3.f);
  // a handle array with its own executor forms
  const std::array<Ptr2D<uchar>, 3> images{ramp(4, 4), ramp(4, 4), ramp(4, 4)};
  executeOperations<TransformDPP<>>(images, 2, uchar(50), out, stream, Add<uchar>::build(1));
  CHECK(out.at(2, 1, 1) == 13 && out.at(2, 1, 2) == 51);
  executeOperations<TransformDPP<>>(images, out, stream, Add<uchar>::build(2));
  CHECK(out.at(2, 1, 2) == 14);
  executeOperations<TransformDPP<>>(images, stream, Add<uchar>::build(3),
                                    TensorWrite<uchar>::build(out));
  CHECK(out.at(2, 1, 2) == 15);
  executeOperations<TransformDPP<>>(images, 1, uchar(60), stream, TensorWrite<uchar>::build(out));
  CHECK(out.at(2, 1, 0) == 12 && out.at(2, 1, 1) == 60);
}

static void planes_of_different_sizes() {
  const std::array<Ptr2D<uchar>, 2> in{ramp(5, 2), ramp(3, 4)};
  Tensor<uchar> out(5, 4, 2);
  setTo(uchar(200), out, stream);
  executeOperations<TransformDPP<>>(stream, Img::build(in), TensorWrite<uchar>::build(out));
  int bad = 0;
  for (int z = 0; z < 2; ++z)
    for (int y = 0; y < 4; ++y)
      for (int x = 0; x < 5; ++x) {
        const bool inside = z == 0 ? y < 2 : x < 3;
        bad += out.at(x, y, z) != (inside ? 10 * y + x : 200);
      }
  CHECK(bad == 0);
  // each plane into memory of its own size
  const std::array<Ptr2D<uchar>, 2> each{Ptr2D<uchar>(5, 2), Ptr2D<uchar>(3, 4)};
  executeOperations<TransformDPP<>>(stream, Img::build(in), Add<uchar>::build(1),
                                    PerThreadWrite<ND::_2D, uchar>::build(each));
  CHECK(each[0].at(4, 1) == 15 && each[1].at(2, 3) == 33);
  const auto singles = BatchUtils::toArray(Img::build(in));
  static_assert(is_same_v<plain_t<decltype(singles)>, std::array<Read<Img>, 2>>);
  CHECK(singles[1].params.data == in[1].ptr().data);
  static_assert(is_same_v<decltype(Img::build_batch(in)), std::array<Read<Img>, 2>>);
  const auto again = BatchRead<PlanePolicy::CONDITIONAL_WITH_DEFAULT>::build(singles, 1, 3.9f);
  CHECK(again.params.default_value == 3 && again.params.usedPlanes == 1);
  bool refused = false;
  try {
    Tensor<uchar> too_low(5, 3, 2);
    executeOperations<TransformDPP<>>(stream, Img::build(in), TensorWrite<uchar>::build(too_low));
  } catch (const std::invalid_argument&) {
    refused = true;
  }
  CHECK(refused);
}

static void joining_rules() {
  const Ptr2D<uchar> img = ramp(10, 10);
  constexpr std::array<Rect, 2> rects{Rect(0, 0, 8, 8), Rect(1, 1, 8, 8)};
  constexpr std::array<Rect, 2> inner{Rect(0, 0, 2, 2), Rect(2, 3, 2, 2)};
  const auto read = Img::build(img);
  const auto all = read.then(Crop<>::build(rects));
  const auto some = read.then(Crop<>::build(1, 5, rects));
  const auto all_all = all.then(Crop<>::build(inner));
  const auto all_some = all.then(Crop<>::build(1, 6, inner));
  const auto some_some = some.then(Crop<>::build(2, 7, inner));
  const auto some_all = some.then(Crop<>::build(inner));
  static_assert(!decltype(all_all)::Operation::conditional);
  CHECK(all_some.params.usedPlanes == 1 && all_some.params.default_value == 6);
  CHECK(some_some.params.usedPlanes == 2 && some_some.params.default_value == 7);
  CHECK(some_all.params.usedPlanes == 1 && some_all.params.default_value == 5);
  Tensor<uchar> out(2, 2, 2);
  executeOperations<TransformDPP<>>(stream, all_all, TensorWrite<uchar>::build(out));
  CHECK(out.at(0, 0, 0) == 0 && out.at(1, 1, 1) == 10 * (1 + 3 + 1) + 1 + 2 + 1);
  executeOperations<TransformDPP<>>(stream, some_all, TensorWrite<uchar>::build(out));
  CHECK(out.at(1, 1, 0) == 11 && out.at(1, 1, 1) == 5);
  // a value of the chain written on the way keeps its plane
  Tensor<uchar> seen(8, 8, 2), last(8, 8, 2);
  const MidWrite<TensorWrite<uchar>> look{{seen.ptr()}};
  executeOperations<TransformDPP<>>(stream, all.then(look), Add<uchar>::build(1),
                                    TensorWrite<uchar>::build(last));
  CHECK(seen.at(2, 0, 1) == 13 && last.at(2, 0, 1) == 14 && seen.at(2, 0, 0) == 2);
  executeOperations<TransformDPP<>>(stream, all, look, Add<uchar>::build(1),
                                    TensorWrite<uchar>::build(last));
  CHECK(seen.at(7, 7, 1) == 88 && last.at(7, 7, 1) == 89);
  // different sizes per plane
  const std::array<Size, 2> sizes{Size{4, 4}, Size{2, 2}};
  Tensor<float> resized(4, 4, 2);
  setTo(-1.f, resized, stream);
  executeOperations<TransformDPP<>>(stream, read, Resize<>::build(sizes),
                                    TensorWrite<float>::build(resized));
  CHECK(resized.at(1, 0, 0) == 2.5f && resized.at(1, 0, 1) == 5.f && resized.at(2, 0, 1) == -1.f);
}

int main() {
  conditional_planes();
  planes_of_different_sizes();
  joining_rules();
  return failures;
}
