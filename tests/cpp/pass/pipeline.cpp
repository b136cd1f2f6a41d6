// SPDX-License-Identifier: Apache-2.0
// Crops of different sizes, resized, normalised and written planar, against the formulas written
// out.
#include <fused_kernel/algorithms/algorithms.h>
#include <fused_kernel/fused_kernel.h>
#include "../check.h"

using namespace fk;

static Ptr2D<uchar3> image(int width, int height) {
  Ptr2D<uchar3> img(width, height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      img.at(x, y) = uchar3{static_cast<uchar>(x * 7 + y), static_cast<uchar>(x + y * 5),
                            static_cast<uchar>(x * y)};
  return img;
}
static float channel_of_pixel(const uchar3& p, int c) { return c == 0 ? p.x : c == 1 ? p.y : p.z; }

// linear sampling of a region, corners on corners, at the given factors
static float sampled(const Ptr2D<uchar3>& img, const Rect& r, float sx, float sy, int c) {
  const int x1 = static_cast<int>(std::floor(sx)), y1 = static_cast<int>(std::floor(sy));
  const int x2 = std::min(x1 + 1, r.width - 1), y2 = std::min(y1 + 1, r.height - 1);
  const float wx = sx - static_cast<float>(x1), wy = sy - static_cast<float>(y1);
  const auto at = [&](int x, int y) { return channel_of_pixel(img.at(r.x + x, r.y + y), c); };
  return at(x1, y1) * (1 - wx) * (1 - wy) + at(x2, y1) * wx * (1 - wy) +
         at(x1, y2) * (1 - wx) * wy + at(x2, y2) * wx * wy;
}

static void five_crops(const Ptr2D<uchar3>& img) {
  constexpr int n = 5;
  constexpr Size size{30, 20};
  constexpr std::array<Rect, n> rects{Rect(0, 0, 34, 34), Rect(40, 40, 70, 15), Rect(5, 6, 1, 1),
                                      Rect(60, 10, 30, 20), Rect(100, 50, 99, 49)};
  const float3 mean{0.485f, 0.456f, 0.406f}, deviation{0.229f, 0.224f, 0.225f};
  Stream stream;
  Tensor<float> planar(size.width, size.height, n, 3);
  const auto read = PerThreadRead<ND::_2D, uchar3>::build(img);
  const auto write = TensorSplit<float3>::build(planar);
  executeOperations<TransformDPP<>>(
      stream, read, Crop<>::build(rects), Resize<>::build(size),
      ColorConversion<ColorConversionCodes::COLOR_BGR2RGB, float3, float3>::build(),
      Mul<float3>::build({1 / 255.f, 1 / 255.f, 1 / 255.f}), Sub<float3>::build(mean),
      Div<float3>::build(deviation), write);
  stream.sync();
  int bad = 0;
  const float means[] = {mean.x, mean.y, mean.z},
              deviations[] = {deviation.x, deviation.y, deviation.z};
  const float* out = planar.ptr().data;
  for (int z = 0; z < n; ++z)
    for (int c = 0; c < 3; ++c)
      for (int y = 0; y < size.height; ++y)
        for (int x = 0; x < size.width; ++x, ++out) {
          const Rect& r = rects[z];
          const float fx = static_cast<float>(1.0 / (static_cast<double>(size.width) / r.width));
          const float fy = static_cast<float>(1.0 / (static_cast<double>(size.height) / r.height));
          const float v = sampled(img, r, x * fx, y * fy, 2 - c);
          bad += !near(*out, (v / 255.f - means[c]) / deviations[c], 2e-5);
        }
  CHECK(bad == 0);

  // the same by .then, by & and by fuse
  Tensor<float> other(size.width, size.height, n, 3);
  const auto whole =
      read.then(Crop<>::build(rects)).then(Resize<>::build(size), Mul<float3>::build({2, 2, 2}));
  static_assert(isBatchOperation<decltype(whole)::Operation> &&
                decltype(whole)::Operation::BATCH == n);
  executeOperations<TransformDPP<>>(stream, whole, TensorSplit<float3>::build(other));
  const float first = other.ptr().data[0];
  setTo(0.f, other, stream);
  executeOperations<TransformDPP<>>(
      stream, read & Crop<>::build(rects) & Resize<>::build(size) & Mul<float3>::build({2, 2, 2}),
      TensorSplit<float3>::build(other));
  CHECK(other.ptr().data[0] == first && first == 2.f * channel_of_pixel(img.at(0, 0), 0));
  const auto fused =
      fuse(read, Crop<>::build(rects), Resize<>::build(size), Mul<float3>::build({2, 2, 2}));
  CHECK(is_same_v<plain_t<decltype(fused)>, plain_t<decltype(whole)>>);
}

template <AspectRatio AR>
static void letterbox(int width, int height, Size out, int x1, int x2, int y1, int y2) {
  Ptr2D<float> img(width, height);
  Stream stream;
  setTo(5.f, img, stream);
  Ptr2D<float> result(out);
  executeOperations<TransformDPP<>>(img, result, stream,
                                    Resize<InterpolationType::INTER_LINEAR, AR>::build(out, -1.f));
  int bad = 0;
  for (int y = 0; y < out.height; ++y)
    for (int x = 0; x < out.width; ++x)
      bad += result.at(x, y) != (x >= x1 && x <= x2 && y >= y1 && y <= y2 ? 5.f : -1.f);
  CHECK(bad == 0);
}

int main() {
  const Ptr2D<uchar3> img = image(200, 100);
  five_crops(img);
  letterbox<AspectRatio::PRESERVE_AR>(200, 100, Size{60, 60}, 0, 59, 15, 44);
  letterbox<AspectRatio::PRESERVE_AR>(70, 15, Size{60, 60}, 0, 59, 23, 35);
  letterbox<AspectRatio::PRESERVE_AR_RN_EVEN>(70, 15, Size{60, 60}, 0, 59, 24, 35);
  letterbox<AspectRatio::PRESERVE_AR_LEFT>(100, 200, Size{60, 61}, 0, 30, 0, 60);

  // integer images through float and back, in one kernel, to every width around the vector lengths
  Stream stream;
  for (int width = 1; width < 40; ++width) {
    Ptr2D<uchar3> small = image(width, 3), out(width, 3);
    executeOperations<TransformDPP<defaultParArch, TF::ENABLED>>(
        small, out, stream, Cast<uchar3, float3>::build(), Mul<float3>::build({1.5f, 1, 0}),
        SaturateCast<float3, uchar3>::build());
    int bad = 0;
    for (int y = 0; y < 3; ++y)
      for (int x = 0; x < width; ++x) {
        const uchar3 in = small.at(x, y), o = out.at(x, y);
        bad += o.x != std::min(255, static_cast<int>(std::nearbyint(in.x * 1.5))) || o.y != in.y ||
               o.z != 0;
      }
    CHECK(bad == 0);
  }

  // enough rows for several threads
  Ptr2D<float> large(1031, 517), doubled(1031, 517);
  for (int y = 0; y < 517; ++y)
    for (int x = 0; x < 1031; ++x) large.at(x, y) = static_cast<float>(x - y);
  executeOperations<TransformDPP<>>(large, doubled, stream, Mul<float>::build(2),
                                    Add<float>::build(1));
  int bad = 0;
  for (int y = 0; y < 517; ++y)
    for (int x = 0; x < 1031; ++x) bad += doubled.at(x, y) != 2.f * static_cast<float>(x - y) + 1.f;
  CHECK(bad == 0);
  return failures;
}
