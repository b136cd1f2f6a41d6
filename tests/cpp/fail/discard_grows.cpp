// SPDX-License-Identifier: Apache-2.0
// fkl: Discard keeps the base type and fewer channels than it is given
#include <fused_kernel/algorithms/algorithms.h>
#include <fused_kernel/fused_kernel.h>
using namespace fk;
using In = PerThreadRead<ND::_2D, uchar3>;
using Out = PerThreadWrite<ND::_2D, uchar3>;
int main() {
  [[maybe_unused]] Stream stream;
  [[maybe_unused]] Ptr2D<uchar3> img(8, 8);
  (void)(uchar3{1, 2, 3} | Discard<uchar3, uchar4>::build());
}
