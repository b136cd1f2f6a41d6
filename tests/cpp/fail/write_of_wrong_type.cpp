// SPDX-License-Identifier: Apache-2.0
// fkl: the write cannot take what the chain gives
#include <fused_kernel/algorithms/algorithms.h>
#include <fused_kernel/fused_kernel.h>
using namespace fk;
using In = PerThreadRead<ND::_2D, uchar3>;
using Out = PerThreadWrite<ND::_2D, uchar3>;
int main() {
  [[maybe_unused]] Stream stream;
  [[maybe_unused]] Ptr2D<uchar3> img(8, 8);
  executeOperations<TransformDPP<>>(stream, In::build(img), Cast<uchar3, float3>::build(),
                                    Out::build(img));
}
