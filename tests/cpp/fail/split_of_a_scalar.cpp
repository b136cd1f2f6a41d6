// SPDX-License-Identifier: Apache-2.0
// fkl: splitting needs an element of 2 to 4 channels
#include <fused_kernel/algorithms/algorithms.h>
#include <fused_kernel/fused_kernel.h>
using namespace fk;
using In = PerThreadRead<ND::_2D, uchar3>;
using Out = PerThreadWrite<ND::_2D, uchar3>;
int main() {
  [[maybe_unused]] Stream stream;
  [[maybe_unused]] Ptr2D<uchar3> img(8, 8);
  Tensor<float> planes(8, 8, 1);
  (void)TensorSplit<float>::build(planes);
}
