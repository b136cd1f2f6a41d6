// SPDX-License-Identifier: Apache-2.0
// The C++ layer on a GPU: memory that moves, streams that are owned or given, batches and masks.
#include <fused_kernel/algorithms/algorithms.h>
#include <fused_kernel/fused_kernel.h>
#include "../check.h"

using namespace fk;

template <class F>
static bool throws(F f) {
  try {
    f();
  } catch (const std::exception&) {
    return true;
  }
  return false;
}

static void batch_of_crops(Stream& stream) {
  Ptr2D<uchar3> img(200, 100);
  for (int y = 0; y < 100; ++y)
    for (int x = 0; x < 200; ++x)
      img.at(x, y) = uchar3{static_cast<uchar>(x), static_cast<uchar>(y), 7};
  img.upload(stream);
  const std::array<Rect, 3> rects{Rect(0, 0, 60, 60), Rect(5, 6, 30, 90), Rect(100, 30, 60, 60)};
  Tensor<float> planar(30, 30, 3, 3);
  executeOperations<TransformDPP<>>(stream, PerThreadRead<ND::_2D, uchar3>::build(img),
                                    Crop<>::build(rects), Resize<>::build(Size{30, 30}),
                                    Mul<float3>::build({2, 2, 2}),
                                    TensorSplit<float3>::build(planar));
  planar.download(stream);
  stream.sync();
  const float* out = planar.ptrPinned().data;
  CHECK(out[0] == 0.f && out[29] == 2.f * 58 && out[2 * 2700 + 29] == 2.f * 158);
  CHECK(out[2700 + 5] == 2.f * 10 && out[2700 + 900 + 30] == 2.f * 9 && out[1800] == 14.f);

  // planes beyond the first hold the default, which flows through the addition
  Tensor<uchar3> some(30, 90, 3);
  setTo(uchar3{200, 200, 200}, some, stream);
  executeOperations<TransformDPP<>>(
      stream, ReadOp::build(img),
      Crop<>::build(1, uchar3{9, 9, 9},
                    std::array<Rect, 3>{Rect(0, 0, 20, 10), Rect(5, 6, 30, 90), Rect(1, 1, 3, 3)}),
      Add<uchar3>::build({1, 1, 1}), WriteOp::build(some));
  some.download(stream);
  stream.sync();
  CHECK(some.at(19, 9, 0).x == 20 && some.at(20, 9, 0).x == 200 && some.at(29, 89, 1).x == 10);
}

int main() {
  static_assert(defaultParArch == ParArch::GPU_NVIDIA);
  Stream stream;
  batch_of_crops(stream);

  // every width around the wide accesses, with and without them
  for (int width = 1; width < 70; ++width) {
    Ptr2D<uchar> in(width, 3), seen(width, 3), out(width, 3);
    for (int y = 0; y < 3; ++y)
      for (int x = 0; x < width; ++x) in.at(x, y) = static_cast<uchar>(x + y);
    in.upload(stream);
    MidWrite<PerThreadWrite<ND::_2D, uchar>> look;
    look.params = seen.ptr();
    executeOperations<TransformDPP<defaultParArch, TF::ENABLED>>(in, out, stream,
                                                                 Add<uchar>::build(1));
    out.download(stream);
    executeOperations<TransformDPP<defaultParArch, TF::ENABLED>>(
        in, out, stream, Add<uchar>::build(2), look, Add<uchar>::build(1));
    seen.download(stream);
    stream.sync();
    int bad = 0;
    for (int y = 0; y < 3; ++y)
      for (int x = 0; x < width; ++x)
        bad += out.at(x, y) != x + y + 1 || seen.at(x, y) != x + y + 2;
    CHECK(bad == 0);
  }

  // a stream of someone else, host memory, and copies of handles
  cudaStream_t theirs = nullptr;
  gpuErrchk(cudaStreamCreate(&theirs));
  {
    Stream given(theirs);
    const Stream again = given;
    Ptr2D<float> host(33, 5, 0, MemType::Host), device(33, 5, 0, MemType::Device),
        back(33, 5, 0, MemType::HostPinned);
    for (int y = 0; y < 5; ++y)
      for (int x = 0; x < 33; ++x) host.at(x, y) = static_cast<float>(10 * y + x);
    host.uploadTo(device, again);
    executeOperations<TransformDPP<>>(device, device, given, Mul<float>::build(2));
    device.downloadTo(back, given);
    given.sync();
    CHECK(back.at(32, 4) == 144.f && device.dims().pitch >= 33 * 4 && device.getRefCount() == 1);
    CHECK(throws([&] { device.at(0, 0); }) && throws([&] { device.uploadTo(host); }));
    CHECK(throws([] { gpuErrchk(cudaErrorInvalidValue); }));
  }
  CHECK(cudaStreamQuery(theirs) == cudaSuccess);  // a stream that is not owned lives on
  gpuErrchk(cudaStreamDestroy(theirs));
  return failures;
}
