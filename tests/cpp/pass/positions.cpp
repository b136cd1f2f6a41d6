// SPDX-License-Identifier: Apache-2.0
// Positions of a resize whose sides have millions of pixels: a GPU works them out in double, a CPU
// by exact ratios.
#include <fused_kernel/algorithms/algorithms.h>
#include <fused_kernel/fused_kernel.h>
#include "../check.h"

using namespace fk;

int main() {
  const int sizes[][2] = {
      {30000001, 7000003}, {5000000, 12345678}, {2147483647, 1000}, {4194305, 3}};
  for (const auto& size : sizes) {
    const Axis<Coordinates::HALF_PIXEL, float> axis(size[0], size[1]);
    for (int i = 0; i < 1000; ++i) {
      const int x = static_cast<int>(static_cast<index_t>(i) * (size[1] - 1) / 999);
      const auto exact = axis.exact(x);
      const auto far = axis.far(x);
      const double difference =
          (far.low - exact.low) + (static_cast<double>(far.weight) - exact.weight);
      CHECK(difference < 1e-5 && difference > -1e-5);
      CHECK(far.weight >= 0.f && far.weight <= 1.f && far.high == far.low + 1);
    }
  }
  return failures;
}
