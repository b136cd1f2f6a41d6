// SPDX-License-Identifier: Apache-2.0
// What an operation inherits: its nested names and its builds. FKL's DECLARE_ macros give the same
// without inheriting.
#pragma once
#include <fused_kernel/core/data/point.h>
#include <fused_kernel/core/execution_model/active_threads.h>
#include <fused_kernel/core/execution_model/operation_model/instantiable.h>
#include <fused_kernel/core/execution_model/parallel_architectures.h>

namespace fk {

template <class Child, class Kind>
struct OperationParent {
  using InstanceType = Kind;
  using OperationDataType = OperationData<Child>;
  using InstantiableType = typename InstanceOf<Kind, Child>::type;
};

template <class Child, class Kind, class P>
struct ParamsParent : OperationParent<Child, Kind> {
  using ParamsType = P;
  FK_HOST_DEVICE_FUSE auto build(const OperationData<Child>& data) {
    return typename InstanceOf<Kind, Child>::type{data};
  }
  FK_HOST_DEVICE_FUSE auto build(const P& params) {
    return typename InstanceOf<Kind, Child>::type{OperationData<Child>(params)};
  }
};

template <class Child, class Kind, class P, class B>
struct BackParent : OperationParent<Child, Kind> {
  using ParamsType = P;
  using BackIOp = B;
  FK_HOST_DEVICE_FUSE auto build(const OperationData<Child>& data) {
    return typename InstanceOf<Kind, Child>::type{data};
  }
  FK_HOST_DEVICE_FUSE auto build(const P& params, const B& back) {
    return typename InstanceOf<Kind, Child>::type{OperationData<Child>(params, back)};
  }
};

/// Makes batches of an operation; batch_utils.h defines it.
template <class Op>
struct BatchMaker;

/// Builds from arrays (std::array, fk::Array): element i of each makes operation i of a batch.
template <class Child>
struct ArrayBuilds {
  template <template <class, extent_t> class A, class... Ts, extent_t... Ns>
    requires(sizeof...(Ts) > 0)
  FK_HOST_FUSE auto build(const A<Ts, Ns>&... arrays) {
    return BatchMaker<Child>::batch(arrays...);
  }
  /// Planes from `used_planes` on have `other` everywhere.
  template <class D, template <class, extent_t> class A, class... Ts, extent_t... Ns>
    requires(sizeof...(Ts) > 0)
  FK_HOST_FUSE auto build(int used_planes, const D& other, const A<Ts, Ns>&... arrays) {
    return BatchMaker<Child>::batch_or(used_planes, other, arrays...);
  }
  /// The single operations, not yet joined.
  template <template <class, extent_t> class A, class... Ts, extent_t... Ns>
    requires(sizeof...(Ts) > 0)
  FK_HOST_FUSE auto build_batch(const A<Ts, Ns>&... arrays) {
    return BatchMaker<Child>::each(arrays...);
  }
};

template <class I, class O, class Child, bool FUSED = false>
struct UnaryOperation : OperationParent<Child, UnaryType> {
  using InputType = I;
  using OutputType = O;
  static constexpr bool IS_FUSED_OP = FUSED;
  FK_HOST_DEVICE_FUSE auto build() { return Unary<Child>{}; }
};

template <class I, class P, class O, class Child, bool FUSED = false>
struct BinaryOperation : ParamsParent<Child, BinaryType, P> {
  using InputType = I;
  using OutputType = O;
  static constexpr bool IS_FUSED_OP = FUSED;
};

template <class I, class P, class B, class O, class Child, bool FUSED = false>
struct TernaryOperation : BackParent<Child, TernaryType, P, B> {
  using InputType = I;
  using OutputType = O;
  static constexpr bool IS_FUSED_OP = FUSED;
};

template <class I, class P, class O, class Child>
struct OpenOperationParent : ParamsParent<Child, OpenType, P> {
  using InputType = I;
  using OutputType = O;
  static constexpr bool IS_FUSED_OP = true;
};

template <class P, class Child>
struct ClosedOperation : ParamsParent<Child, ClosedType, P> {
  static constexpr bool IS_FUSED_OP = true;
};

template <class Data, class P, class O, TF FUSION, class Child, bool FUSED = false>
struct ReadOperation : ParamsParent<Child, ReadType, P>, ArrayBuilds<Child> {
  using ParamsParent<Child, ReadType, P>::build;
  using ArrayBuilds<Child>::build;
  using ReadDataType = Data;
  using OutputType = O;
  static constexpr bool IS_FUSED_OP = FUSED;
  static constexpr bool THREAD_FUSION = static_cast<bool>(FUSION);
};

template <class I, class P, class Data, TF FUSION, class Child, bool FUSED = false>
struct WriteOperation : ParamsParent<Child, WriteType, P>, ArrayBuilds<Child> {
  using ParamsParent<Child, WriteType, P>::build;
  using ArrayBuilds<Child>::build;
  using InputType = I;
  using WriteDataType = Data;
  static constexpr bool IS_FUSED_OP = FUSED;
  static constexpr bool THREAD_FUSION = static_cast<bool>(FUSION);
};

template <class Data, class P, class B, class O, class Child>
struct ReadBackOperation : BackParent<Child, ReadBackType, P, B>, ArrayBuilds<Child> {
  using BackParent<Child, ReadBackType, P, B>::build;
  using ArrayBuilds<Child>::build;
  using ReadDataType = Data;
  using OutputType = O;
  static constexpr bool IS_FUSED_OP = false;
  static constexpr bool THREAD_FUSION = false;
};

template <class Data, class P, class B, class O, class Child>
struct IncompleteReadBackOperation : BackParent<Child, IncompleteReadBackType, P, B>,
                                     ArrayBuilds<Child> {
  using ArrayBuilds<Child>::build;
  using ReadDataType = Data;
  using OutputType = O;
  static constexpr bool IS_FUSED_OP = false;
  static constexpr bool THREAD_FUSION = false;
  using BackParent<Child, IncompleteReadBackType, P, B>::build;
  FK_HOST_DEVICE_FUSE auto build(const P& params) {
    return IncompleteReadBack<Child>{OperationData<Child>(params, B{})};
  }
};

}  // namespace fk
