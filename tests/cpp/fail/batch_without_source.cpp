// SPDX-License-Identifier: Apache-2.0
// fkl: the first operation still waits for its source: put a read before it
#include <fused_kernel/algorithms/algorithms.h>
#include <fused_kernel/fused_kernel.h>
using namespace fk;
using In = PerThreadRead<ND::_2D, uchar3>;
using Out = PerThreadWrite<ND::_2D, uchar3>;
int main() {
  [[maybe_unused]] Stream stream;
  [[maybe_unused]] Ptr2D<uchar3> img(8, 8);
  constexpr std::array<Rect, 2> rects{Rect(0, 0, 4, 4), Rect(1, 1, 4, 4)};
  executeOperations<TransformDPP<>>(stream, Crop<>::build(rects), Out::build(img));
}
