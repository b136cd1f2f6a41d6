// SPDX-License-Identifier: Apache-2.0
// fkl: the default of a batch has another number of channels than what it stands for
#include <fused_kernel/algorithms/algorithms.h>
#include <fused_kernel/fused_kernel.h>
using namespace fk;
using In = PerThreadRead<ND::_2D, uchar3>;
using Out = PerThreadWrite<ND::_2D, uchar3>;
int main() {
  [[maybe_unused]] Stream stream;
  [[maybe_unused]] Ptr2D<uchar3> img(8, 8);
  const std::array<Ptr2D<uchar3>, 2> images{img, img};
  (void)In::build(1, float2{1, 2}, images);
}
