// SPDX-License-Identifier: Apache-2.0
// Memory handles, their views and layouts, and the operations that read and write them.
#include <fused_kernel/algorithms/algorithms.h>
#include <fused_kernel/fused_kernel.h>
#include "../check.h"

using namespace fk;
static Stream stream;

template <class F>
static bool throws(F f) {
  try {
    f();
  } catch (const std::exception&) {
    return true;
  }
  return false;
}

static void handles() {
  Ptr2D<int> a(7, 5);
  CHECK(a.getRefCount() == 1 && a.sizeInBytes() == 7 * 5 * 4 && a.getNumElements() == 35 &&
        a.dims().pitch == 28);
  CHECK(a.getMemType() == MemType::Host && a.getDeviceID() == 0);
  {
    const Ptr2D<int> b = a;
    const Ptr<ND::_2D, int> c = b;
    CHECK(a.getRefCount() == 3 && c.ptr().data == a.ptr().data);
    const Ptr2D<int> view = a.crop2D(Point{2, 1}, PtrDims<ND::_2D>(3, 2));
    CHECK(a.getRefCount() == 4 && view.dims().pitch == 28);
    setTo(9, view, stream);
  }
  CHECK(a.getRefCount() == 1);
  CHECK(a.at(2, 1) == 9 && a.at(4, 2) == 9 && a.at(Point{4, 2, 0}) == 9);
  Tensor<float> t(4, 3, 2, 3);
  CHECK(t.sizeInBytes() == 4 * 3 * 2 * 3 * 4 && t.getNumElements() == 72);
  {
    const auto plane = t.getPlane(1);
    CHECK(t.getRefCount() == 2 && plane.ptr().data == t.ptr().data + 4 * 3 * 3);
  }
  CHECK(t.getRefCount() == 1 && throws([&] { t.getPlane(2); }));
  setTo(2.5f, t, stream);
  int bad = 0;
  for (int i = 0; i < 72; ++i) bad += t.ptr().data[i] != 2.5f;
  TensorT<float> tt(4, 3, 2, 3);
  setTo(1.5f, tt, stream);
  for (int i = 0; i < 72; ++i) bad += tt.ptr().data[i] != 1.5f;
  CHECK(bad == 0 && tt.dims().color_planes_pitch == 4 * 3 * 2 * 4);
  CHECK(throws([&] { t.allocPtr(PtrDims<ND::_3D>(1, 1, 1)); }));
  t.allocTensor(2, 2, 2);
  CHECK(t.getNumElements() == 8);
  CHECK(throws([] { Ptr1D<float> device(5, 0, MemType::Device); }));
  CHECK(throws([] { Ptr1D<float> pinned(5, 0, MemType::HostPinned); }));
  // memory of others: a pitch of 0 is that of packed rows, and nothing is counted
  float raw[24];
  Ptr2D<float> outer(raw, 4, 6, 0);
  CHECK(outer.dims().pitch == 16 && outer.getRefCount() == 0);
  outer.at(1, 2) = 3.f;
  CHECK(raw[9] == 3.f);
  TensorT<float> planar(raw, 2, 3, 2, 2);
  CHECK(planar.dims().pitch == 8 && planar.dims().plane_pitch == 24 &&
        planar.dims().color_planes_pitch == 48);
  CHECK(*PtrAccessor<ND::T3D>::point(Point{1, 0, 1}, planar.ptr(), 0) == raw[7] &&
        PtrAccessor<ND::T3D>::cr_point(Point{0, 0, 0}, planar.ptr(), 1) == raw + 12);
  CHECK(PtrAccessor<ND::_2D>::point<float, float2>(Point{1, 1, 0}, outer.ptr()) ==
        reinterpret_cast<float2*>(raw + 4) + 1);
  Ptr1D<int> line(10);
  line.at(3) = 4;
  CHECK(line.crop1D(Point{3}, PtrDims<ND::_1D>(2)).at(0) == 4);
  constexpr StaticRawPtr<StaticPtrDims2D<3, 2>, float> matrix{{{1, 2, 3}, {4, 5, 6}}};
  static_assert(StaticPtrAccessor<ND::_2D>::read(Point{2, 1, 0}, matrix) == 6.f &&
                matrix.data[1][0] == 4.f);
  StaticPtr<StaticRawPtr<StaticPtrDims2D<3, 2>, float>> own{matrix};
  own.set(Point{0, 1, 0}, 8.f);
  CHECK(own.at(Point{0, 1, 0}) == 8.f);
}

template <ND D, class P>
static void in_and_out(const P& in, const P& out) {
  setTo(3, in, stream);
  executeOperations<TransformDPP<>>(in, out, stream, Add<int>::build(4));
  CHECK(out.ptr().data[0] == 7 && out.ptr().data[out.getNumElements() - 1] == 7);
  executeOperations<TransformDPP<>>(in, stream, Add<int>::build(5),
                                    PerThreadWrite<D, int>::build(out));
  executeOperations<TransformDPP<>>(stream, ReadOp::build(out), Mul<int>::build(2),
                                    WriteOp::build(out));
  CHECK(out.ptr().data[0] == 16 && out.ptr().data[out.getNumElements() - 1] == 16);
}

static void planar() {
  Ptr2D<uchar3> img(5, 4);
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 5; ++x)
      img.at(x, y) = uchar3{static_cast<uchar>(x), static_cast<uchar>(10 + y),
                            static_cast<uchar>(100 + x + y)};
  Tensor<uchar> split(5, 4, 1, 3);
  TensorT<uchar> t_split(5, 4, 1, 3);
  std::vector<Ptr2D<uchar>> channels{Ptr2D<uchar>(5, 4), Ptr2D<uchar>(5, 4), Ptr2D<uchar>(5, 4)};
  executeOperations<TransformDPP<>>(img, stream, TensorSplit<uchar3>::build(split));
  executeOperations<TransformDPP<>>(img, stream, TensorTSplit<uchar3>::build(t_split));
  executeOperations<TransformDPP<>>(img, stream, SplitWrite<ND::_2D, uchar3>::build(channels));
  int bad = 0;
  for (int c = 0; c < 3; ++c)
    for (int y = 0; y < 4; ++y)
      for (int x = 0; x < 5; ++x) {
        const uchar v = vector_at::f(c, img.at(x, y));
        bad += split.ptr().data[(c * 4 + y) * 5 + x] != v ||
               t_split.ptr().data[(c * 4 + y) * 5 + x] != v || channels[c].at(x, y) != v;
      }
  CHECK(bad == 0);
  Ptr2D<uchar3> back(5, 4);
  executeOperations<TransformDPP<>>(stream, TensorPack<uchar3>::build(split),
                                    PerThreadWrite<ND::_2D, uchar3>::build(back));
  CHECK(back.at(4, 3).z == 107 && back.at(4, 3).y == 13);
  executeOperations<TransformDPP<>>(stream, TensorTPack<uchar3>::build(t_split),
                                    PerThreadWrite<ND::_2D, uchar3>::build(back));
  CHECK(back.at(0, 1).z == 101 && back.at(0, 1).y == 11);
  CHECK(throws([&] { SplitWrite<ND::_2D, uchar3>::build(std::vector<Ptr2D<uchar>>(2)); }));
  Ptr2D<uchar3> doubled(5, 4);
  executeOperations<TransformDPP<>>(stream, DualSourceRead<ND::_2D, uchar3>::build(img, back),
                                    Add<uchar3, uchar3, uchar3, UnaryType>::build(),
                                    WriteOp::build(doubled));
  CHECK(doubled.at(4, 3).z == 214 && doubled.at(2, 1).x == 4);
  // a written value keeps its place where several elements are moved at a time
  Ptr2D<uchar> gray(13, 3), seen(13, 3), last(13, 3);
  for (int i = 0; i < 39; ++i) gray.ptr().data[i] = static_cast<uchar>(i);
  MidWrite<PerThreadWrite<ND::_2D, uchar>> look;
  look.params = seen.ptr();
  executeOperations<TransformDPP<defaultParArch, TF::ENABLED>>(
      gray, last, stream, Add<uchar>::build(1), look, Add<uchar>::build(1));
  for (int i = 0; i < 39; ++i) bad += seen.ptr().data[i] != i + 1 || last.ptr().data[i] != i + 2;
  CHECK(bad == 0);
  CHECK(throws([&] {
    Ptr2D<uchar> small(12, 3);
    executeOperations<TransformDPP<>>(gray, small, stream);
  }));
  CHECK(throws([&] {
    Ptr2D<uchar3> flat(5, 4);
    Tensor<uchar3> many(5, 4, 2);
    executeOperations<TransformDPP<>>(many, stream, WriteOp::build(flat));
  }));
  // nothing to do is not an error
  executeOperations<TransformDPP<>>(Ptr2D<uchar>(0, 3), last, stream);
}

int main() {
  handles();
  in_and_out<ND::_1D>(Ptr1D<int>(11), Ptr1D<int>(11));
  in_and_out<ND::_2D>(Ptr2D<int>(11, 3), Ptr2D<int>(11, 3));
  in_and_out<ND::_3D>(Ptr3D<int>(11, 3, 2), Ptr3D<int>(11, 3, 2));
  in_and_out<ND::_3D>(Tensor<int>(11, 3, 2), Tensor<int>(11, 3, 2));
  planar();
  return failures;
}
