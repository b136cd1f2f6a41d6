// SPDX-License-Identifier: Apache-2.0
// A 3 x 3 matrix by value.
#pragma once
#include <fused_kernel/core/utils/vector_operators.h>

namespace fk {

/// Rows.
struct M3x3Float {
  const float3 x, y, z;
};

FK_FN M3x3Float operator*(const M3x3Float& m, float s) { return {m.x * s, m.y * s, m.z * s}; }
FK_FN M3x3Float operator*(float s, const M3x3Float& m) { return m * s; }
/// Element by element.
FK_FN M3x3Float operator*(const M3x3Float& a, const M3x3Float& b) {
  return {a.x * b.x, a.y * b.y, a.z * b.z};
}

}  // namespace fk
