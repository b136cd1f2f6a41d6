// SPDX-License-Identifier: Apache-2.0
// Instantiable operations: aggregates whose type is the code and whose members are the run-time
// parameters.
#pragma once
#include <fused_kernel/core/execution_model/operation_model/kinds.h>

namespace fk {

template <class Self, class... Continuations>
FK_FN auto fuse(const Self& self, const Continuations&... continuations);

// Aggregates cannot share members through a second base without changing how users brace them:
// hence a macro.
#define FK_INSTANTIABLE(Name, Short, Kind)                                       \
  template <class Op>                                                            \
  struct Name : OperationData<Op> {                                              \
    using Operation = Op;                                                        \
    using InstanceType = Kind;                                                   \
    template <class K>                                                           \
    static constexpr bool is = is_same_v<K, Kind>;                               \
    template <class... C>                                                        \
    FK_FN auto then(const C&... continuations) const {                           \
      return fuse(*this, continuations...);                                      \
    }                                                                            \
    FK_FN auto getActiveThreads() const                                          \
      requires requires(const OperationData<Op>& d) { Op::getActiveThreads(d); } \
    {                                                                            \
      return Op::getActiveThreads(*this);                                        \
    }                                                                            \
  };                                                                             \
  template <class Op>                                                            \
  using Short = Name<Op>;

FK_INSTANTIABLE(ReadInstantiableOperation, Read, ReadType)
FK_INSTANTIABLE(WriteInstantiableOperation, Write, WriteType)
FK_INSTANTIABLE(UnaryInstantiableOperation, Unary, UnaryType)
FK_INSTANTIABLE(BinaryInstantiableOperation, Binary, BinaryType)
FK_INSTANTIABLE(TernaryInstantiableOperation, Ternary, TernaryType)
FK_INSTANTIABLE(ReadBackInstantiableOperation, ReadBack, ReadBackType)
FK_INSTANTIABLE(IncompleteReadBackInstantiableOperation, IncompleteReadBack, IncompleteReadBackType)
FK_INSTANTIABLE(MidWriteInstantiableOperation, MidWrite, MidWriteType)
FK_INSTANTIABLE(OpenInstantiableOperation, Open, OpenType)
FK_INSTANTIABLE(ClosedInstantiableOperation, Closed, ClosedType)
#undef FK_INSTANTIABLE

template <class Kind, class Op>
struct InstanceOf;
#define FK_INSTANCE_OF(Kind, Short) \
  template <class Op>               \
  struct InstanceOf<Kind, Op> {     \
    using type = Short<Op>;         \
  };
FK_INSTANCE_OF(ReadType, Read)
FK_INSTANCE_OF(WriteType, Write)
FK_INSTANCE_OF(UnaryType, Unary)
FK_INSTANCE_OF(BinaryType, Binary)
FK_INSTANCE_OF(TernaryType, Ternary)
FK_INSTANCE_OF(ReadBackType, ReadBack)
FK_INSTANCE_OF(IncompleteReadBackType, IncompleteReadBack)
FK_INSTANCE_OF(OpenType, Open)
FK_INSTANCE_OF(ClosedType, Closed)
#undef FK_INSTANCE_OF

template <class Op>
using Instantiable = typename InstanceOf<typename Op::InstanceType, Op>::type;

template <class IOp>
using GetInputType_t = typename plain_t<IOp>::Operation::InputType;
template <class IOp>
using GetOutputType_t = typename plain_t<IOp>::Operation::OutputType;

template <class T>
concept is_instance = requires { typename plain_t<T>::Operation; } && has_kind<T>;

}  // namespace fk
