// SPDX-License-Identifier: Apache-2.0
// Values between pixels.
#pragma once
#include <fused_kernel/algorithms/image_processing/sampling.h>

namespace fk {

template <InterpolationType IT>
struct InterpolationParameters {};

/// float per channel, double where the source is double; the source's own type where no value is
/// mixed.
template <InterpolationType IT, class T>
using interpolated_t =
    conditional_t<IT == InterpolationType::INTER_LINEAR,
                  rebase_t<T, conditional_t<is_same_v<VBase<plain_t<T>>, double>, double, float>>,
                  plain_t<T>>;

/// The value of BackIOp at a fractional position; the last row and column repeat.
template <InterpolationType IT, class BackIOp = NullType>
struct InterpolateComplete : TernaryOperation<float2, InterpolationParameters<IT>, BackIOp,
                                              interpolated_t<IT, GetOutputType_t<BackIOp>>,
                                              InterpolateComplete<IT, BackIOp>> {
  using O = interpolated_t<IT, GetOutputType_t<BackIOp>>;
  using Params = InterpolationParameters<IT>;
  FK_HOST_DEVICE_FUSE O exec(const float2& at, const Params&, const BackIOp& back) {
    static_assert(IT == InterpolationType::INTER_LINEAR,
                  "fkl: only linear interpolation takes a fractional position");
    const HostTables tables{};
    const ActiveThreads size = plane_extent(back, 0, tables);
    const int x = floor_of(at.x);
    const int y = floor_of(at.y);
    const int right = min_of(x + 1, static_cast<int>(size.x) - 1);
    const int below = min_of(y + 1, static_cast<int>(size.y) - 1);
    auto plane = plane_of<ParArch::None>(back, 0, tables);
    const auto top = plane.row(y);
    const auto bottom = plane.row(below);
    const float wx = at.x - static_cast<float>(x);
    return blend<O>(blend<O>(top.at(x), top.at(right), wx),
                    blend<O>(bottom.at(x), bottom.at(right), wx), at.y - static_cast<float>(y));
  }
};
template <InterpolationType IT>
struct InterpolateComplete<IT, NullType> {
  using InstanceType = IncompleteTernaryType;
};

template <InterpolationType IT>
struct Interpolate {
  using InstanceType = IncompleteTernaryType;
  using ParamsType = InterpolationParameters<IT>;
  template <class BackIOp>
  FK_HOST_DEVICE_FUSE auto build(const BackIOp& back) {
    return InterpolateComplete<IT, BackIOp>::build(ParamsType{}, back);
  }
  template <class BackIOp>
  FK_HOST_DEVICE_FUSE auto build(const ParamsType& params, const BackIOp& back) {
    return InterpolateComplete<IT, BackIOp>::build(params, back);
  }
};

}  // namespace fk
