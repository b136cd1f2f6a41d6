// SPDX-License-Identifier: Apache-2.0
// Another size of what another operation reads, worked out inside the read.
#pragma once
#include <fused_kernel/algorithms/basic_ops/memory_operations.h>
#include <fused_kernel/algorithms/image_processing/resize_planes.h>
#include <fused_kernel/core/target/cpu/resize_rows.h>

namespace fk {

/// dstSize, source pixels per target pixel, and what lies outside the image where its aspect ratio
/// is kept.
template <AspectRatio AR, class T>
struct ResizeParams {
  Size dstSize;
  float2 src_conv_factors;
  int x1, y1, x2, y2;
  T defaultValue;
};
template <class T>
struct ResizeParams<AspectRatio::IGNORE_AR, T> {
  Size dstSize;
  float2 src_conv_factors;
};

template <class InterpolateIOp>
struct InterpolationOf;
template <InterpolationType IT, class BackIOp>
struct InterpolationOf<Ternary<InterpolateComplete<IT, BackIOp>>> {
  static constexpr InterpolationType type = IT;
  using Back = BackIOp;
};

/// `InterpolateIOp` names how and from what. A source whose planes differ in size is fitted plane
/// by plane.
template <AspectRatio AR, class InterpolateIOp, Coordinates C = Coordinates::ASYMMETRIC>
struct ResizeComplete
    : ReadBackOperation<
          GetOutputType_t<typename InterpolationOf<InterpolateIOp>::Back>,
          ResizeParams<
              AR, interpolated_t<InterpolationOf<InterpolateIOp>::type,
                                 GetOutputType_t<typename InterpolationOf<InterpolateIOp>::Back>>>,
          typename InterpolationOf<InterpolateIOp>::Back,
          interpolated_t<InterpolationOf<InterpolateIOp>::type,
                         GetOutputType_t<typename InterpolationOf<InterpolateIOp>::Back>>,
          ResizeComplete<AR, InterpolateIOp, C>>,
      ReadsByPlane<ResizeComplete<AR, InterpolateIOp, C>> {
  static constexpr InterpolationType IT = InterpolationOf<InterpolateIOp>::type;
  using Back = typename InterpolationOf<InterpolateIOp>::Back;
  using O = interpolated_t<IT, GetOutputType_t<Back>>;
  using Params = ResizeParams<AR, O>;
  using Data = OperationData<ResizeComplete>;
  using W = conditional_t<is_same_v<VBase<O>, double>, double, float>;

  template <class BackPlane, class Tables>
  FK_HOST_DEVICE_FUSE auto geometry(index_t z, const Data& data, const Tables& tables) {
    const ActiveThreads extent = fk::plane_extent(data.backIOp, z, tables);
    const Size source{static_cast<int>(extent.x), static_cast<int>(extent.y)};
    const Placement p = place<AR>(source, data.params.dstSize);
    O background{};
    if constexpr (AR != AspectRatio::IGNORE_AR) background = data.params.defaultValue;
    if constexpr (C == Coordinates::ASYMMETRIC && !has_tables<Back>) {
      const float2& f = data.params.src_conv_factors;
      return ResizeGeometry<BackPlane, O, C>{Axis<C, W>(source.width, p.width, f.x),
                                             Axis<C, W>(source.height, p.height, f.y), p,
                                             data.params.dstSize, background};
    } else {
      return ResizeGeometry<BackPlane, O, C>{Axis<C, W>(source.width, p.width),
                                             Axis<C, W>(source.height, p.height), p,
                                             data.params.dstSize, background};
    }
  }
  template <ParArch PA, class Tables>
  FK_HOST_DEVICE_FUSE auto plane(index_t z, const Data& data, const Tables& tables) {
    using B = decltype(plane_of<PA>(data.backIOp, z, tables));
    const auto g = geometry<B>(z, data, tables);
    if constexpr (PA == ParArch::CPU)
      return cpu::ResizeRows<IT, B, O, C>([&] { return plane_of<PA>(data.backIOp, z, tables); }, g);
    else if constexpr (IT == InterpolationType::INTER_LINEAR)
      return LinearPlane<B, O, C>{plane_of<PA>(data.backIOp, z, tables), g};
    else
      return NearestPlane<B, O, C>{plane_of<PA>(data.backIOp, z, tables), g};
  }
  template <class Tables>
  FK_HOST_DEVICE_FUSE ActiveThreads plane_extent(index_t, const Data& data, const Tables&) {
    return ActiveThreads(static_cast<extent_t>(data.params.dstSize.width),
                         static_cast<extent_t>(data.params.dstSize.height), 1);
  }
  FK_HOST_DEVICE_FUSE ActiveThreads getActiveThreads(const Data& data) {
    ActiveThreads all = plane_extent(0, data, HostTables{});
    all.z = planes_of_read(data.backIOp);
    return all;
  }
};

template <class T>
struct IncompleteResizeParams {
  Size dstSize;
  T background;
};
template <>
struct IncompleteResizeParams<NullType> {
  Size dstSize;
};

/// Makes resizes. DefaultType is the background's type where the aspect ratio is kept.
template <InterpolationType IT = InterpolationType::INTER_LINEAR,
          AspectRatio AR = AspectRatio::IGNORE_AR, class DefaultType = NullType,
          Coordinates C = Coordinates::ASYMMETRIC>
struct Resize : IncompleteReadBackOperation<NullType, IncompleteResizeParams<DefaultType>, NullType,
                                            NullType, Resize<IT, AR, DefaultType, C>> {
  using ArrayBuilds<Resize>::build;
  template <class Back>
  using Complete = ResizeComplete<AR, Ternary<InterpolateComplete<IT, Back>>, C>;

  FK_HOST_DEVICE_FUSE auto build(const Size& size)
    requires(AR == AspectRatio::IGNORE_AR)
  {
    return IncompleteReadBack<Resize>{
        OperationData<Resize>(IncompleteResizeParams<DefaultType>{size})};
  }
  template <class T>
  FK_HOST_DEVICE_FUSE auto build(const Size& size, const T& background)
    requires(AR != AspectRatio::IGNORE_AR)
  {
    using R = Resize<IT, AR, T, C>;
    return IncompleteReadBack<R>{OperationData<R>(IncompleteResizeParams<T>{size, background})};
  }
  /// A size with a side of 0 is worked out from the factors, ties to even.
  template <class T>
  FK_HOST_DEVICE_FUSE auto build(const RawPtr<ND::_2D, T>& source, const Size& size, double fx,
                                 double fy)
    requires(AR == AspectRatio::IGNORE_AR)
  {
    Size out = size;
    if (size.width == 0 || size.height == 0)
      out = Size{saturate_to<int>(static_cast<double>(source.dims.width) * fx),
                 saturate_to<int>(static_cast<double>(source.dims.height) * fy)};
    return complete(PerThreadRead<ND::_2D, T>::build(source), out, NullType{});
  }
  template <is_instance Back>
  FK_HOST_DEVICE_FUSE auto build(const Back& back, const Size& size)
    requires(AR == AspectRatio::IGNORE_AR)
  {
    return complete(back, size, NullType{});
  }
  template <is_instance Back, class T>
  FK_HOST_DEVICE_FUSE auto build(const Back& back, const Size& size, const T& background)
    requires(AR != AspectRatio::IGNORE_AR)
  {
    return complete(back, size, background);
  }
  template <is_instance Back, class D>
  FK_HOST_DEVICE_FUSE auto build(const Back& back,
                                 const IncompleteReadBack<Resize<IT, AR, D, C>>& self) {
    if constexpr (AR == AspectRatio::IGNORE_AR)
      return complete(back, self.params.dstSize, NullType{});
    else
      return complete(back, self.params.dstSize, self.params.background);
  }

 private:
  template <class Back, class T>
  FK_HOST_DEVICE_FUSE auto complete(const Back& back, const Size& size, const T& background) {
    using O = typename Complete<Back>::O;
    const ActiveThreads extent = source_extent(back);
    const Size source{static_cast<int>(extent.x), static_cast<int>(extent.y)};
    const Placement p = place<AR>(source, size);
    // FKL's rounding: twice in double, then once to float
    const float2 factors{static_cast<float>(1.0 / (static_cast<double>(p.width) / source.width)),
                         static_cast<float>(1.0 / (static_cast<double>(p.height) / source.height))};
    if constexpr (AR == AspectRatio::IGNORE_AR) {
      return Complete<Back>::build(typename Complete<Back>::Params{size, factors}, back);
    } else {
      static_assert(
          is_same_v<T, O>,
          "fkl: a resize's background has the type that the resize gives, such as float3");
      return Complete<Back>::build(
          typename Complete<Back>::Params{size, factors, p.x1, p.y1, p.x1 + p.width - 1,
                                          p.y1 + p.height - 1, background},
          back);
    }
  }
  // tables may lie on the device or be empty: their planes are measured when they are read
  template <class Back>
  FK_HOST_DEVICE_FUSE ActiveThreads source_extent(const Back& back) {
    if constexpr (has_tables<Back>) return ActiveThreads(1, 1, 1);
    const ActiveThreads extent = Back::Operation::getActiveThreads(back);
    return ActiveThreads(max_of<extent_t>(extent.x, 1), max_of<extent_t>(extent.y, 1), extent.z);
  }
};

}  // namespace fk
