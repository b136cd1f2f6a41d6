// SPDX-License-Identifier: Apache-2.0
// fkl: VectorReorder takes one index per channel
#include <fused_kernel/algorithms/algorithms.h>
#include <fused_kernel/fused_kernel.h>
using namespace fk;
using In = PerThreadRead<ND::_2D, uchar3>;
using Out = PerThreadWrite<ND::_2D, uchar3>;
int main() {
  [[maybe_unused]] Stream stream;
  [[maybe_unused]] Ptr2D<uchar3> img(8, 8);
  (void)(uchar3{1, 2, 3} | VectorReorder<uchar3, 1, 0>::build());
}
