// SPDX-License-Identifier: Apache-2.0
// fkl: a resize's background has the type that the resize gives, such as float3
#include <fused_kernel/algorithms/algorithms.h>
#include <fused_kernel/fused_kernel.h>
using namespace fk;
using In = PerThreadRead<ND::_2D, uchar3>;
using Out = PerThreadWrite<ND::_2D, uchar3>;
int main() {
  [[maybe_unused]] Stream stream;
  [[maybe_unused]] Ptr2D<uchar3> img(8, 8);
  const auto resized =
      In::build(img).then(Resize<InterpolationType::INTER_LINEAR, AspectRatio::PRESERVE_AR>::build(
          Size{4, 4}, uchar3{0, 0, 0}));
  (void)resized;
}
