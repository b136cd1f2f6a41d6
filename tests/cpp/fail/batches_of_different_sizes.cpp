// SPDX-License-Identifier: Apache-2.0
// fkl: two batches of different sizes cannot be joined
#include <fused_kernel/algorithms/algorithms.h>
#include <fused_kernel/fused_kernel.h>
using namespace fk;
using In = PerThreadRead<ND::_2D, uchar3>;
using Out = PerThreadWrite<ND::_2D, uchar3>;
int main() {
  [[maybe_unused]] Stream stream;
  [[maybe_unused]] Ptr2D<uchar3> img(8, 8);
  const std::array<Rect, 2> two{Rect(0, 0, 4, 4), Rect(1, 1, 4, 4)};
  const std::array<Rect, 3> three{Rect(0, 0, 2, 2), Rect(1, 1, 2, 2), Rect(0, 0, 1, 1)};
  (void)In::build(img).then(Crop<>::build(two)).then(Crop<>::build(three));
}
