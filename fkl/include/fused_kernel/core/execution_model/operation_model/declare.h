// SPDX-License-Identifier: Apache-2.0
// For operations that name a parent instead of inheriting it: `using Parent =
// BinaryOperation<...>;` and the macro of that kind give the operation its nested names and its
// builds. BASIC ones give names only.
#pragma once
#include <fused_kernel/core/execution_model/operation_model/batch_utils.h>

#define FK_DECLARE_COMMON                                       \
  using InstanceType = typename Parent::InstanceType;           \
  using OperationDataType = typename Parent::OperationDataType; \
  using InstantiableType = typename Parent::InstantiableType;   \
  static constexpr bool IS_FUSED_OP = Parent::IS_FUSED_OP;
#define FK_DECLARE_PARAMS using ParamsType = typename Parent::ParamsType;
#define FK_DECLARE_BACK using BackIOp = typename Parent::BackIOp;
#define FK_DECLARE_INPUT using InputType = typename Parent::InputType;
#define FK_DECLARE_OUTPUT using OutputType = typename Parent::OutputType;
#define FK_DECLARE_READ_DATA                          \
  using ReadDataType = typename Parent::ReadDataType; \
  static constexpr bool THREAD_FUSION = Parent::THREAD_FUSION;
// builds with exact parameter types, so that braced lists reach them
#define FK_DECLARE_BUILD_DATA \
  FK_HOST_DEVICE_FUSE auto build(const OperationDataType& data) { return Parent::build(data); }
#define FK_DECLARE_BUILD_PARAMS \
  FK_HOST_DEVICE_FUSE auto build(const ParamsType& params) { return Parent::build(params); }
#define FK_DECLARE_BUILD_BACK                                                     \
  FK_HOST_DEVICE_FUSE auto build(const ParamsType& params, const BackIOp& back) { \
    return Parent::build(params, back);                                           \
  }

// exec on all of an operation's data, beside the one on its parameters that the operation itself
// has
#define FK_DECLARE_EXEC_BINARY                                                                 \
  FK_HOST_DEVICE_FUSE OutputType exec(const InputType& input, const OperationDataType& data) { \
    return exec(input, data.params);                                                           \
  }
#define FK_DECLARE_EXEC_TERNARY                                                                \
  FK_HOST_DEVICE_FUSE OutputType exec(const InputType& input, const OperationDataType& data) { \
    return exec(input, data.params, data.backIOp);                                             \
  }
#define FK_DECLARE_EXEC_READ                                                                      \
  FK_HOST_DEVICE_FUSE OutputType exec(const ::fk::Point& thread, const OperationDataType& data) { \
    return exec(thread, data.params);                                                             \
  }
#define FK_DECLARE_EXEC_READBACK                                                                  \
  FK_HOST_DEVICE_FUSE OutputType exec(const ::fk::Point& thread, const OperationDataType& data) { \
    return exec(thread, data.params, data.backIOp);                                               \
  }
#define FK_DECLARE_EXEC_WRITE                                                      \
  FK_HOST_DEVICE_FUSE void exec(const ::fk::Point& thread, const InputType& input, \
                                const OperationDataType& data) {                   \
    exec(thread, input, data.params);                                              \
  }
#define FK_DECLARE_EXEC_OPEN                                                             \
  FK_HOST_DEVICE_FUSE OutputType exec(const ::fk::Point& thread, const InputType& input, \
                                      const OperationDataType& data) {                   \
    return exec(thread, input, data.params);                                             \
  }
#define FK_DECLARE_EXEC_CLOSED                                                              \
  FK_HOST_DEVICE_FUSE void exec(const ::fk::Point& thread, const OperationDataType& data) { \
    exec(thread, data.params);                                                              \
  }

// from arrays: one operation per element
#define DECLARE_PARENT_BATCH_BUILDER                                                           \
  template <template <class, ::fk::extent_t> class FkA, class... FkTs, ::fk::extent_t... FkNs> \
    requires(sizeof...(FkTs) > 0)                                                              \
  FK_HOST_FUSE auto build_batch(const FkA<FkTs, FkNs>&... arrays) {                            \
    return Parent::build_batch(arrays...);                                                     \
  }                                                                                            \
  template <template <class, ::fk::extent_t> class FkA, class... FkTs, ::fk::extent_t... FkNs> \
    requires(sizeof...(FkTs) > 0)                                                              \
  FK_HOST_FUSE auto build(const FkA<FkTs, FkNs>&... arrays) {                                  \
    return Parent::build(arrays...);                                                           \
  }
#define BATCHREAD_BUILDERS                                                                       \
  template <class FkD, template <class, ::fk::extent_t> class FkA, class... FkTs,                \
            ::fk::extent_t... FkNs>                                                              \
    requires(sizeof...(FkTs) > 0)                                                                \
  FK_HOST_FUSE auto build(int used_planes, const FkD& other, const FkA<FkTs, FkNs>&... arrays) { \
    return Parent::build(used_planes, other, arrays...);                                         \
  }
#define DECLARE_PARENT_READBATCH_BUILDERS DECLARE_PARENT_BATCH_BUILDER BATCHREAD_BUILDERS
#define DECLARE_WRITE_PARENT_BATCH DECLARE_PARENT_BATCH_BUILDER

#define DECLARE_UNARY_PARENT                                                              \
  FK_DECLARE_COMMON FK_DECLARE_INPUT FK_DECLARE_OUTPUT FK_HOST_DEVICE_FUSE auto build() { \
    return Parent::build();                                                               \
  }
#define FK_DECLARE_WITH_PARAMS                                                                 \
  FK_DECLARE_COMMON FK_DECLARE_INPUT FK_DECLARE_OUTPUT FK_DECLARE_PARAMS FK_DECLARE_BUILD_DATA \
      FK_DECLARE_BUILD_PARAMS
#define DECLARE_BINARY_PARENT FK_DECLARE_WITH_PARAMS FK_DECLARE_EXEC_BINARY
#define DECLARE_OPEN_PARENT FK_DECLARE_WITH_PARAMS FK_DECLARE_EXEC_OPEN
#define DECLARE_TERNARY_PARENT                                                           \
  FK_DECLARE_COMMON FK_DECLARE_INPUT FK_DECLARE_OUTPUT FK_DECLARE_PARAMS FK_DECLARE_BACK \
      FK_DECLARE_BUILD_DATA FK_DECLARE_BUILD_BACK FK_DECLARE_EXEC_TERNARY
#define DECLARE_READ_PARENT_DEVICE_BASIC \
  FK_DECLARE_COMMON FK_DECLARE_OUTPUT FK_DECLARE_PARAMS FK_DECLARE_READ_DATA FK_DECLARE_EXEC_READ
#define DECLARE_READ_PARENT_BASIC \
  DECLARE_READ_PARENT_DEVICE_BASIC FK_DECLARE_BUILD_DATA FK_DECLARE_BUILD_PARAMS
#define DECLARE_READ_PARENT DECLARE_READ_PARENT_BASIC DECLARE_PARENT_READBATCH_BUILDERS
#define DECLARE_WRITE_PARENT_BASIC                                           \
  FK_DECLARE_COMMON FK_DECLARE_INPUT FK_DECLARE_PARAMS using WriteDataType = \
      typename Parent::WriteDataType;                                        \
  static constexpr bool THREAD_FUSION = Parent::THREAD_FUSION;               \
  FK_DECLARE_BUILD_DATA FK_DECLARE_BUILD_PARAMS FK_DECLARE_EXEC_WRITE
#define DECLARE_WRITE_PARENT DECLARE_WRITE_PARENT_BASIC DECLARE_WRITE_PARENT_BATCH
#define FK_DECLARE_WITH_BACK                                                                 \
  FK_DECLARE_COMMON FK_DECLARE_OUTPUT FK_DECLARE_PARAMS FK_DECLARE_BACK FK_DECLARE_READ_DATA \
      FK_DECLARE_BUILD_DATA FK_DECLARE_BUILD_BACK
#define DECLARE_READBACK_PARENT_BASIC FK_DECLARE_WITH_BACK FK_DECLARE_EXEC_READBACK
#define DECLARE_READBACK_PARENT DECLARE_READBACK_PARENT_BASIC DECLARE_PARENT_READBATCH_BUILDERS
#define DECLARE_INCOMPLETEREADBACK_PARENT_BASIC FK_DECLARE_WITH_BACK
#define DECLARE_INCOMPLETEREADBACK_PARENT \
  DECLARE_INCOMPLETEREADBACK_PARENT_BASIC DECLARE_PARENT_READBATCH_BUILDERS
#define DECLARE_CLOSED_PARENT                                                       \
  FK_DECLARE_COMMON FK_DECLARE_PARAMS FK_DECLARE_BUILD_DATA FK_DECLARE_BUILD_PARAMS \
      FK_DECLARE_EXEC_CLOSED
