// SPDX-License-Identifier: Apache-2.0
// Operations of one's own, by FKL's macros and by inheriting, of every kind.
#include <fused_kernel/algorithms/algorithms.h>
#include <fused_kernel/fused_kernel.h>
#include "../check.h"

using namespace fk;

// by macro
struct Halve {
 private:
  using SelfType = Halve;

 public:
  FK_STATIC_STRUCT(Halve, SelfType)
  using Parent = UnaryOperation<float, float, Halve>;
  DECLARE_UNARY_PARENT
  FK_HOST_DEVICE_FUSE OutputType exec(const InputType& input) { return input * 0.5f; }
};
template <class T>
struct Axpy {
 private:
  using SelfType = Axpy<T>;

 public:
  FK_STATIC_STRUCT(Axpy, SelfType)
  using Parent = BinaryOperation<T, Tuple<T, T>, T, Axpy<T>>;
  DECLARE_BINARY_PARENT
  FK_HOST_DEVICE_FUSE OutputType exec(const InputType& input, const ParamsType& params) {
    return input * get<0>(params) + get<1>(params);
  }
};
struct ChequerParams {
  int width, height, cell;
};
struct Chequer {
  FK_STATIC_STRUCT(Chequer, Chequer)
  using Parent = ReadOperation<float, ChequerParams, float, TF::DISABLED, Chequer>;
  DECLARE_READ_PARENT
  FK_HOST_DEVICE_FUSE float exec(const Point& thread, const ParamsType& params) {
    return static_cast<float>((thread.x / params.cell + thread.y / params.cell + thread.z) % 2);
  }
  FK_HOST_DEVICE_FUSE uint num_elems_x(const Point&, const OperationDataType& data) {
    return data.params.width;
  }
  FK_HOST_DEVICE_FUSE uint num_elems_y(const Point&, const OperationDataType& data) {
    return data.params.height;
  }
  FK_HOST_DEVICE_FUSE uint num_elems_z(const Point&, const OperationDataType&) { return 1; }
  FK_HOST_DEVICE_FUSE ActiveThreads getActiveThreads(const OperationDataType& data) {
    return {num_elems_x(Point{}, data), num_elems_y(Point{}, data), 1};
  }
};
struct WriteNegated {
  FK_STATIC_STRUCT(WriteNegated, WriteNegated)
  using Parent = WriteOperation<float, RawPtr<ND::_2D, float>, float, TF::DISABLED, WriteNegated>;
  DECLARE_WRITE_PARENT
  FK_HOST_DEVICE_FUSE void exec(const Point& thread, const InputType& input,
                                const ParamsType& params) {
    *PtrAccessor<ND::_2D>::point(thread, params) = -input;
  }
};
// reads through another operation: the image mirrored left to right
template <class Back = NullType>
struct Mirror;
template <>
struct Mirror<NullType> {
  FK_STATIC_STRUCT(Mirror, Mirror)
  using Parent =
      IncompleteReadBackOperation<NullType, NullType, NullType, NullType, Mirror<NullType>>;
  DECLARE_INCOMPLETEREADBACK_PARENT
  FK_HOST_DEVICE_FUSE auto build() { return Parent::build(NullType{}); }
  template <class Back>
  FK_HOST_DEVICE_FUSE auto build(const Back& back, const IncompleteReadBack<Mirror<NullType>>&) {
    return Mirror<Back>::build(NullType{}, back);
  }
};
template <class Back>
struct Mirror {
  FK_STATIC_STRUCT(Mirror, Mirror)
  using Parent =
      ReadBackOperation<GetOutputType_t<Back>, NullType, Back, GetOutputType_t<Back>, Mirror<Back>>;
  DECLARE_READBACK_PARENT
  FK_HOST_DEVICE_FUSE OutputType exec(const Point& thread, const ParamsType&, const BackIOp& back) {
    const int width = static_cast<int>(NumElems::x(thread, back));
    return Back::Operation::exec(Point{width - 1 - thread.x, thread.y, thread.z}, back);
  }
  FK_HOST_DEVICE_FUSE uint num_elems_x(const Point& p, const OperationDataType& d) {
    return NumElems::x(p, d.backIOp);
  }
  FK_HOST_DEVICE_FUSE uint num_elems_y(const Point& p, const OperationDataType& d) {
    return NumElems::y(p, d.backIOp);
  }
  FK_HOST_DEVICE_FUSE uint num_elems_z(const Point& p, const OperationDataType& d) {
    return NumElems::z(p, d.backIOp);
  }
  FK_HOST_DEVICE_FUSE ActiveThreads getActiveThreads(const OperationDataType& d) {
    return d.backIOp.getActiveThreads();
  }
};

// by inheriting
struct Twice : UnaryOperation<float, float, Twice> {
  FK_HOST_DEVICE_FUSE float exec(const float& v) { return v * 2; }
};
// exec may take all of an operation's data
struct Offset : BinaryOperation<float, float, float, Offset> {
  FK_HOST_DEVICE_FUSE float exec(const float& v, const OperationData<Offset>& data) {
    return v + data.params;
  }
};
struct ScalarInvert : UnaryOperation<uchar, uchar, ScalarInvert> {
  FK_HOST_DEVICE_FUSE uchar exec(const uchar& v) { return static_cast<uchar>(255 - v); }
};
struct ScalarMix : BinaryOperation<uchar, float, float, ScalarMix> {
  FK_HOST_DEVICE_FUSE float exec(const uchar& v, const float& p) { return v * p; }
};
struct ScalarTotal : UnaryOperation<Tuple<int, int>, int, ScalarTotal> {
  FK_HOST_DEVICE_FUSE int exec(const Tuple<int, int>& v) { return get<0>(v) + get<1>(v); }
};

static_assert(opIs<UnaryType, Halve> && opIs<BinaryType, Binary<Axpy<float>>> &&
              !opIs<ReadType, Halve>);
static_assert(isCompleteOperation<Chequer> && !isCompleteOperation<Mirror<>> &&
              isAnyReadType<Mirror<>>);
static_assert(hasParams_v<Offset> && !hasParams_v<Halve> && hasParamsAndBackIOp_v<Mirror<>>);
static_assert(is_same_v<Halve::InstantiableType, Unary<Halve>> &&
              is_same_v<Instantiable<WriteNegated>, Write<WriteNegated>>);
constexpr auto constant = Offset::build(3.f);
static_assert(constant.params == 3.f && decltype(constant)::is<BinaryType>);

int main() {
  Stream stream;
  Ptr2D<float> out(9, 5);
  const auto board = Chequer::build({9, 5, 2});
  executeOperations<TransformDPP<>>(stream, board, Axpy<float>::build(make_tuple(6.f, 1.f)),
                                    Halve::build(), Offset::build(0.25f), Twice::build(),
                                    PerThreadWrite<ND::_2D, float>::build(out));
  CHECK(out.at(0, 0) == 1.5f && out.at(2, 0) == 7.5f && out.at(2, 2) == 1.5f &&
        out.at(8, 4) == 1.5f);
  executeOperations<TransformDPP<>>(stream, board, WriteNegated::build(out));
  CHECK(out.at(0, 0) == 0.f && out.at(2, 1) == -1.f);

  // a custom read under geometry of the library and of one's own
  executeOperations<TransformDPP<>>(stream, board, Mirror<>::build(),
                                    PerThreadWrite<ND::_2D, float>::build(out));
  CHECK(out.at(8, 0) == 0.f && out.at(6, 0) == 1.f && out.at(0, 0) == 0.f);
  Ptr2D<float> region(3, 3);
  executeOperations<TransformDPP<>>(stream, board, Halve::build(), Crop<>::build(Rect(1, 1, 3, 3)),
                                    Mirror<>::build(),
                                    PerThreadWrite<ND::_2D, float>::build(region));
  CHECK(region.at(2, 0) == 0.f && region.at(1, 0) == 0.5f && region.at(0, 0) == 0.5f &&
        region.at(2, 1) == 0.5f);
  Ptr2D<float> enlarged(18, 10);
  executeOperations<TransformDPP<>>(stream, board, Resize<>::build(Size{18, 10}),
                                    PerThreadWrite<ND::_2D, float>::build(enlarged));
  CHECK(enlarged.at(3, 0) == 0.5f && enlarged.at(4, 0) == 1.f);
  // batches of custom operations
  const std::array<ChequerParams, 2> boards{ChequerParams{9, 5, 1}, ChequerParams{4, 2, 3}};
  Tensor<float> planes(9, 5, 2);
  setTo(7.f, planes, stream);
  executeOperations<TransformDPP<>>(stream, Chequer::build(boards),
                                    TensorWrite<float>::build(planes));
  CHECK(planes.at(1, 0, 0) == 1.f && planes.at(0, 0, 1) == 0.f && planes.at(3, 1, 1) == 1.f &&
        planes.at(4, 0, 1) == 7.f);
  const std::array<Ptr2D<float>, 2> two{Ptr2D<float>(9, 5), Ptr2D<float>(4, 2)};
  executeOperations<TransformDPP<>>(
      stream, Chequer::build(boards),
      WriteNegated::build(std::array<RawPtr<ND::_2D, float>, 2>{two[0].ptr(), two[1].ptr()}));
  CHECK(two[0].at(1, 0) == -1.f && two[1].at(3, 1) == -1.f);

  // channel by channel
  CHECK((uchar3{1, 2, 255} | UnaryV<ScalarInvert, uchar3, uchar3>::build()).z == 0);
  const float2 mixed = uchar2{4, 8} | BinaryV<ScalarMix, uchar2, float, float2>::build(0.5f);
  CHECK(mixed.x == 2.f && mixed.y == 4.f);
  const int2 total =
      UnaryV<ScalarTotal, Tuple<int2, int2>, int2>::exec(make_tuple(int2{1, 2}, int2{10, 20}));
  CHECK(total.x == 11 && total.y == 22);

  // what operations look like when they are put together by hand
  const Read<PerThreadRead<ND::_2D, float>> read{{region.ptr()}};
  Binary<Mul<uint>> times{4u};
  MidWrite<PerThreadWrite<ND::_2D, float>> look;
  Ptr2D<float> seen(3, 3), last(3, 3);
  look.params = seen;
  executeOperations<TransformDPP<>>(stream, read, Unary<Twice>{}, look, Unary<Twice>{},
                                    Write<PerThreadWrite<ND::_2D, float>>{{last.ptr()}});
  CHECK(seen.at(1, 0) == 1.f && last.at(1, 0) == 2.f && compute(5u, times) == 20u);

  // fused compute operations, and their kinds
  const auto unary = fuse(Unary<Halve>{}, Unary<Twice>{});
  static_assert(is_same_v<decltype(unary)::Operation, FusedOperation<Unary<Halve>, Unary<Twice>>> &&
                opIs<UnaryType, decltype(unary)>);
  const auto binary = unary.then(Offset::build(1)).then(fuse(Unary<Twice>{}, Offset::build(2)));
  static_assert(is_same_v<plain_t<decltype(binary)>::Operation,
                          FusedOperation<Unary<Halve>, Unary<Twice>, Binary<Offset>, Unary<Twice>,
                                         Binary<Offset>>>);
  static_assert(opIs<BinaryType, decltype(binary)>);
  CHECK((3.f | binary) == 10.f);
  const auto reads = read.then(binary);
  static_assert(opIs<ReadType, decltype(reads)> &&
                opIs<WriteType, decltype(Unary<Twice>{}.then(
                                    Write<PerThreadWrite<ND::_2D, float>>{{last.ptr()}}))>);
  static_assert(
      opIs<OpenType, decltype(Unary<Twice>{}.then(look))> &&
      opIs<ClosedType, decltype(reads.then(Write<PerThreadWrite<ND::_2D, float>>{{last.ptr()}}))>);
  executeOperations<TransformDPP<>>(
      stream, reads, Unary<Twice>{}.then(Write<PerThreadWrite<ND::_2D, float>>{{last.ptr()}}));
  CHECK(last.at(1, 0) == 2 * (2 * (0.5f + 1) + 2));
  executeOperations<TransformDPP<>>(stream, read, Unary<Twice>{}.then(look),
                                    Write<PerThreadWrite<ND::_2D, float>>{{last.ptr()}});
  CHECK(seen.at(1, 0) == 1.f && last.at(1, 0) == 1.f);
  const auto value =
      Point{1, 0, 0} | read | Unary<Twice>{} | Write<PerThreadWrite<ND::_2D, float>>{{last.ptr()}};
  CHECK(value.input == 1.f && value.thread.x == 1);
  return failures;
}
