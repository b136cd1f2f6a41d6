// SPDX-License-Identifier: Apache-2.0
// The kinds of operation, as tags, and the questions one can ask of an operation or of its
// instance.
#pragma once
#include <fused_kernel/core/data/vectors.h>

namespace fk {

struct ReadType;
struct WriteType;
struct UnaryType;
struct BinaryType;
struct ReadBackType;
struct IncompleteReadBackType;
struct TernaryType;
struct IncompleteTernaryType;
struct MidWriteType;
struct OpenType;
struct ClosedType;

template <class Op>
concept has_kind = requires { typename plain_t<Op>::InstanceType; };
template <class Op>
inline constexpr bool isOperation = has_kind<Op>;

template <class Kind, class Op>
inline constexpr bool opIs = false;
template <class Kind, has_kind Op>
inline constexpr bool opIs<Kind, Op> = is_same_v<typename plain_t<Op>::InstanceType, Kind>;

template <class Op>
inline constexpr bool isAnyCompleteReadType = opIs<ReadType, Op> || opIs<ReadBackType, Op>;
template <class Op>
inline constexpr bool isAnyReadType = isAnyCompleteReadType<Op> || opIs<IncompleteReadBackType, Op>;
template <class Op>
inline constexpr bool isComputeType =
    opIs<UnaryType, Op> || opIs<BinaryType, Op> || opIs<TernaryType, Op>;
template <class Op>
inline constexpr bool isAnyWriteType = opIs<WriteType, Op> || opIs<MidWriteType, Op>;
template <class Op>
inline constexpr bool isCompleteOperation = isOperation<Op> && !opIs<IncompleteReadBackType, Op>;
/// Several operations of one kind, one a plane.
template <class Op>
inline constexpr bool isBatchOperation = requires {
  typename Op::Operation;
  Op::BATCH;
};
template <class IOp>
inline constexpr bool is_batch =
    requires { requires isBatchOperation<typename plain_t<IOp>::Operation>; };
/// Cannot read before it is given a source.
template <class IOp>
inline constexpr bool is_waiting =
    opIs<IncompleteReadBackType, IOp> || requires { requires plain_t<IOp>::Operation::IS_WAITING; };
template <class Op>
struct is_fused_operation {
  static constexpr bool value = requires { requires plain_t<Op>::IS_FUSED_OP; };
};
/// What may stand between a read and a write.
template <class Op>
inline constexpr bool is_middle = isComputeType<Op> || opIs<MidWriteType, Op> || opIs<OpenType, Op>;

template <class... Ops>
inline constexpr bool allUnaryTypes = all_v<opIs<UnaryType, Ops>...>;
template <class... Ops>
inline constexpr bool allComputeTypes = all_v<isComputeType<Ops>...>;
template <class... Ops>
inline constexpr bool atLeastOneMidWriteType = any_v<opIs<MidWriteType, Ops>...>;
template <class... Ops>
inline constexpr bool noneWriteType = !any_v<opIs<WriteType, Ops>...>;
template <class... Ops>
inline constexpr bool noneMidWriteType = !any_v<opIs<MidWriteType, Ops>...>;
template <class... Ops>
inline constexpr bool noneAnyWriteType = !any_v<isAnyWriteType<Ops>...>;
template <class... Ops>
inline constexpr bool noneReadType = !any_v<opIs<ReadType, Ops>...>;
template <class... Ops>
inline constexpr bool noneReadBackType = !any_v<opIs<ReadBackType, Ops>...>;
template <class... Ops>
inline constexpr bool noneIncompleteReadBackType = !any_v<opIs<IncompleteReadBackType, Ops>...>;
template <class... Ops>
inline constexpr bool noneAnyReadType = !any_v<isAnyReadType<Ops>...>;

template <class Op>
concept has_params = requires { typename Op::ParamsType; };
template <class Op>
concept has_back = requires { typename Op::BackIOp; };
template <class Op>
inline constexpr bool hasParams_v = has_params<Op>;
template <class Op>
inline constexpr bool hasBackIOp_v = has_back<Op>;
template <class Op>
inline constexpr bool hasParamsAndBackIOp_v = has_params<Op> && has_back<Op>;
template <class Op>
inline constexpr bool hasNoBackIOp_v = !has_back<Op>;

/// The run-time parameters of one operation, and the reading operation it pulls from, if it has
/// one.
template <class Op>
struct OperationData {};
template <class Op>
  requires(has_params<Op> && !has_back<Op>)
struct OperationData<Op> {
  typename Op::ParamsType params{};
  FK_HD constexpr OperationData() {}
  FK_HD constexpr OperationData(const typename Op::ParamsType& p) : params(p) {}
};
template <class Op>
  requires(has_params<Op> && has_back<Op>)
struct OperationData<Op> {
  typename Op::ParamsType params{};
  typename Op::BackIOp backIOp{};
  FK_HD constexpr OperationData() {}
  FK_HD constexpr OperationData(const typename Op::ParamsType& p,
                                const typename Op::BackIOp& back = {})
      : params(p), backIOp(back) {}
};

/// Whether an operation takes what the one before it gives.
template <class Op, class V>
concept accepts = requires(const V& v, void (*take)(const typename Op::InputType&)) { take(v); };

}  // namespace fk
