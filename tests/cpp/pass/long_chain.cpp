// SPDX-License-Identifier: Apache-2.0
// A thousand operations in one pipeline.
#include <fused_kernel/algorithms/basic_ops/arithmetic.h>
#include <fused_kernel/fused_kernel.h>
#include "../check.h"

using namespace fk;

#define TEN(x) x, x, x, x, x, x, x, x, x, x
#define HUNDRED(x) TEN(x), TEN(x), TEN(x), TEN(x), TEN(x), TEN(x), TEN(x), TEN(x), TEN(x), TEN(x)
#define THOUSAND(x)                                                                               \
  HUNDRED(x), HUNDRED(x), HUNDRED(x), HUNDRED(x), HUNDRED(x), HUNDRED(x), HUNDRED(x), HUNDRED(x), \
      HUNDRED(x), HUNDRED(x)

int main() {
  Stream stream;
  Ptr2D<int> img(5, 2);
  setTo(1, img, stream);
  const auto one = Add<int>::build(1);
  executeOperations<TransformDPP<>>(stream, PerThreadRead<ND::_2D, int>::build(img), THOUSAND(one),
                                    PerThreadWrite<ND::_2D, int>::build(img));
  CHECK(img.at(4, 1) == 1001);
  return failures;
}
