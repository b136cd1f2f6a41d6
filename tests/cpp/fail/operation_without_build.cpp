// SPDX-License-Identifier: Apache-2.0
// fkl: a pipeline is made of instantiable operations: what build() returns
#include <fused_kernel/algorithms/algorithms.h>
#include <fused_kernel/fused_kernel.h>
using namespace fk;
using In = PerThreadRead<ND::_2D, uchar3>;
using Out = PerThreadWrite<ND::_2D, uchar3>;
int main() {
  [[maybe_unused]] Stream stream;
  [[maybe_unused]] Ptr2D<uchar3> img(8, 8);
  executeOperations<TransformDPP<>>(stream, In::build(img), 5, Out::build(img));
}
