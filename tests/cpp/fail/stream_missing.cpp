// SPDX-License-Identifier: Apache-2.0
// fkl: executeOperations takes (stream, operations...), (input, stream, operations...) or (input,
// output, stream, operations...), the stream being a variable of the pattern's own kind
#include <fused_kernel/algorithms/algorithms.h>
#include <fused_kernel/fused_kernel.h>
using namespace fk;
using In = PerThreadRead<ND::_2D, uchar3>;
using Out = PerThreadWrite<ND::_2D, uchar3>;
int main() {
  [[maybe_unused]] Stream stream;
  [[maybe_unused]] Ptr2D<uchar3> img(8, 8);
  executeOperations<TransformDPP<>>(In::build(img), Out::build(img));
}
