// SPDX-License-Identifier: Apache-2.0
// Values that differ from plane to plane, for any operation with a parameter.
#pragma once
#include <fused_kernel/core/execution_model/operation_model/chain.h>

namespace fk {

/// A binary operation whose parameter differs from plane to plane.
template <class Op>
struct PerPlane : OpenOperationParent<typename Op::InputType, PlaneTable<typename Op::ParamsType>,
                                      typename Op::OutputType, PerPlane<Op>> {
  using Params = PlaneTable<typename Op::ParamsType>;
  using Input = typename Op::InputType;
  template <class Tables>
  FK_HOST_DEVICE_FUSE auto exec_at(const At<Tables>& at, const Input& v, const Params& params) {
    return Op::exec(v, params.at(at.z, at.tables));
  }
};

}  // namespace fk
