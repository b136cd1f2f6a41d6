// SPDX-License-Identifier: Apache-2.0
// Linear algebra on one element.
#pragma once
#include <fused_kernel/core/data/static_matrix.h>
#include <fused_kernel/core/execution_model/operation_model/fused.h>

namespace fk {

FK_FN float3 times(const M3x3Float& m, const float3& v) {
  return {((v.x * m.x.x) + v.y * m.x.y) + v.z * m.x.z, ((v.x * m.y.x) + v.y * m.y.y) + v.z * m.y.z,
          ((v.x * m.z.x) + v.y * m.z.y) + v.z * m.z.z};
}

/// matrix * in, in float.
template <class IT = BinaryType>
struct MxVFloat3;
template <>
struct MxVFloat3<BinaryType> : BinaryOperation<float3, M3x3Float, float3, MxVFloat3<BinaryType>> {
  FK_HOST_DEVICE_FUSE float3 exec(const float3& v, const M3x3Float& m) { return times(m, v); }
};
template <>
struct MxVFloat3<UnaryType>
    : UnaryOperation<Tuple<float3, M3x3Float>, float3, MxVFloat3<UnaryType>> {
  FK_HOST_DEVICE_FUSE float3 exec(const Tuple<float3, M3x3Float>& v) {
    return times(leaf<1>(v), leaf<0>(v));
  }
};

}  // namespace fk
