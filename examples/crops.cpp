// SPDX-License-Identifier: Apache-2.0
// The demo's chain from C++: three regions of an image, resized, swapped, normalised and written
// planar, in one loop. With INCLUDE=$(python -c "import fkl; print(fkl.include_dir())"):
//   c++ -std=c++20 -O3 -pthread -I $INCLUDE crops.cpp -o crops && ./crops
#include <fused_kernel/algorithms/algorithms.h>
#include <fused_kernel/fused_kernel.h>

#include <array>
#include <cstdio>

int main() {
  using namespace fk;
  Stream stream;
  Ptr2D<uchar3> frame(1920, 1080);
  setTo(uchar3{128, 0, 255}, frame, stream);

  const std::array<Rect, 3> regions{Rect(10, 20, 300, 200), Rect(900, 40, 64, 48),
                                    Rect(0, 0, 1920, 1080)};
  Tensor<float> batch(224, 224, 3, 3);  // width, height, planes, color planes
  executeOperations<TransformDPP<>>(
      stream, PerThreadRead<ND::_2D, uchar3>::build(frame), Crop<>::build(regions),
      Resize<InterpolationType::INTER_LINEAR>::build(Size(224, 224)),
      ColorConversion<ColorConversionCodes::COLOR_BGR2RGB, float3, float3>::build(),
      Div<float3>::build({255, 255, 255}), Sub<float3>::build({0.485f, 0.456f, 0.406f}),
      Div<float3>::build({0.229f, 0.224f, 0.225f}), TensorSplit<float3>::build(batch));
  stream.sync();

  const float* pixel = batch.ptr().data;
  const auto plane = 224 * 224;
  std::printf("%.4f %.4f %.4f\n", pixel[0], pixel[plane], pixel[2 * plane]);
}
