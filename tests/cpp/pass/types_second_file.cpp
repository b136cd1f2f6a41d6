// SPDX-License-Identifier: Apache-2.0
// The headers in a second translation unit: everything in them must be inline.
#include <fused_kernel/algorithms/algorithms.h>
#include <fused_kernel/fused_kernel.h>

std::string name_in_another_file() {
  fk::Stream stream;
  fk::Ptr2D<uchar3> img(2, 2);
  fk::setTo(uchar3{1, 2, 3}, img, stream);
  return fk::typeToString<fk::Read<fk::PerThreadRead<fk::ND::_2D, uchar3>>>();
}
