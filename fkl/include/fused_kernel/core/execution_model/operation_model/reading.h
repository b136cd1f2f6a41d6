// SPDX-License-Identifier: Apache-2.0
// Reading and writing seen by the executors: a plane, then a row of it, then elements of that row.
// An operation of a user that only has exec(Point, ...) is adapted.
#pragma once
#include <fused_kernel/core/execution_model/operation_model/chain.h>

namespace fk {

template <class Enabler, class... IOps>
struct OperationTuple_;

/// N elements side by side in a row.
template <class T, int N>
struct Packet {
  T at[N];
};

template <class Op>
struct ExecRow {
  const OperationData<Op>& data;
  index_t y, z;
  FK_FN auto at(index_t x) const {
    const Point p{static_cast<int>(x), static_cast<int>(y), static_cast<int>(z)};
    if constexpr (requires { Op::exec(p, data); })
      return Op::exec(p, data);
    else if constexpr (has_back<Op>)
      return Op::exec(p, data.params, data.backIOp);
    else
      return Op::exec(p, data.params);
  }
  template <class V>
  FK_HD FK_INLINE void put(index_t x, const V& v) const {
    const Point p{static_cast<int>(x), static_cast<int>(y), static_cast<int>(z)};
    Op::exec(p, v, data.params);
  }
};
template <class Op>
struct ExecPlane {
  const OperationData<Op>& data;
  index_t z;
  FK_FN ExecRow<Op> row(index_t y) const { return {data, y, z}; }
};

/// A plane of a reading (or writing) operation, with all that depends on z alone already worked
/// out.
template <ParArch PA, class IOp, class Tables>
FK_FN auto plane_of(const IOp& iop, index_t z, const Tables& tables) {
  using Op = typename IOp::Operation;
  if constexpr (requires { Op::template plane<PA>(z, iop, tables); })
    return Op::template plane<PA>(z, iop, tables);
  else
    return ExecPlane<Op>{iop, z};
}

/// Whether a plane got the memory that it works in; most need none.
template <class Plane>
FK_FN bool is_valid(const Plane& plane) {
  if constexpr (requires { plane.valid(); })
    return plane.valid();
  else
    return true;
}

/// Width and height of plane z.
template <class IOp, class Tables>
FK_FN ActiveThreads plane_extent(const IOp& iop, index_t z, const Tables& tables) {
  using Op = typename IOp::Operation;
  const OperationData<Op>& data = iop;
  if constexpr (requires { Op::plane_extent(z, data, tables); }) {
    return Op::plane_extent(z, data, tables);
  } else {
    const Point p{0, 0, static_cast<int>(z)};
    return ActiveThreads(Op::num_elems_x(p, data), Op::num_elems_y(p, data), 1);
  }
}

/// How many planes a reading operation has, without looking at any of them.
template <class IOp>
FK_FN extent_t planes_of_read(const IOp& iop) {
  using Op = typename IOp::Operation;
  const OperationData<Op>& data = iop;
  if constexpr (requires { Op::num_elems_z(Point{}, data); })
    return Op::num_elems_z(Point{}, data);
  else
    return Op::getActiveThreads(data).z;
}

/// FKL's single-element access, from plane, row and element.
template <class Child>
struct ReadsByPlane {
  /// `what` is the operation's data, or its parameters alone.
  template <class What>
  FK_HOST_DEVICE_FUSE auto exec(const Point& p, const What& what) {
    using Data = OperationData<Child>;
    if constexpr (__is_base_of(Data, What))
      return Child::template plane<ParArch::None>(p.z, what, HostTables{}).row(p.y).at(p.x);
    else
      return exec(p, Data(what));
  }
  template <class Params, class Back>
  FK_HOST_DEVICE_FUSE auto exec(const Point& p, const Params& params, const Back& back) {
    return exec(p, OperationData<Child>(params, back));
  }
  template <class Data>
  FK_HOST_DEVICE_FUSE extent_t num_elems_x(const Point& p, const Data& data) {
    return Child::plane_extent(p.z, data, HostTables{}).x;
  }
  template <class Data>
  FK_HOST_DEVICE_FUSE extent_t num_elems_y(const Point& p, const Data& data) {
    return Child::plane_extent(p.z, data, HostTables{}).y;
  }
  template <class Data>
  FK_HOST_DEVICE_FUSE extent_t num_elems_z(const Point&, const Data& data) {
    return Child::getActiveThreads(data).z;
  }
};

template <class T>
inline constexpr bool params_have_tables = is_plane_table<T>;
template <class T>
inline constexpr bool back_has_tables = false;

/// Whether any part of an operation differs from plane to plane, asked of its type.
template <class T>
inline constexpr bool has_tables = false;
template <class A, class B>
inline constexpr bool has_tables<Link<A, B>> = has_tables<A> || has_tables<B>;
template <is_instance IOp>
inline constexpr bool has_tables<IOp> =
    params_have_tables<typename IOp::Operation> || back_has_tables<typename IOp::Operation>;
template <has_params Op>
inline constexpr bool params_have_tables<Op> = params_have_tables<typename Op::ParamsType>;
template <has_back Op>
inline constexpr bool back_has_tables<Op> = has_tables<typename Op::BackIOp>;
template <class... Parts>
inline constexpr bool params_have_tables<OperationTuple_<void, Parts...>> =
    any_v<has_tables<Parts>...>;

/// Planes that the per-plane values of a chain are given for; 1 where they leave it open.
FK_FN extent_t planes_asked(const NoOperation&) { return 1; }
template <class A, class B>
FK_FN extent_t planes_asked(const Link<A, B>& chain) {
  return max_of(planes_asked(chain.first), planes_asked(chain.second));
}
template <is_instance IOp>
FK_FN extent_t planes_asked(const IOp& iop) {
  using Op = typename IOp::Operation;
  if constexpr (requires { Op::planes_of_parts(iop.params); })
    return Op::planes_of_parts(iop.params);
  else if constexpr (has_params<Op>)
    return planes_given(iop.params);
  else
    return 1;
}
/// Planes of a read that a chain follows: a single one serves as many as the chain's values ask
/// for.
template <class ReadIOp, class Chain>
FK_FN extent_t planes_through(const ReadIOp& read, const Chain& chain) {
  const extent_t own = planes_of_read(read);
  if constexpr (has_tables<Chain>) return own == 1 ? planes_asked(chain) : own;
  return own;
}
/// The plane that is read for plane z of the result.
template <class Chain, class ReadIOp>
FK_FN index_t plane_behind(const ReadIOp& read, index_t z) {
  if constexpr (has_tables<Chain>) return planes_of_read(read) == 1 ? 0 : z;
  return z;
}

/// Whether every region that the host knows lies inside what it is cut from; a kernel cannot tell.
template <class IOp>
FK_HOST inline bool regions_fit(const IOp& iop) {
  using Op = typename IOp::Operation;
  if constexpr (requires { Op::regions_fit(iop); }) {
    if (!Op::regions_fit(iop)) return false;
  }
  if constexpr (requires { Op::first(iop); })
    return regions_fit(Op::first(iop));
  else if constexpr (has_back<Op>) {
    if constexpr (is_instance<typename Op::BackIOp>) return regions_fit(iop.backIOp);
  }
  return true;
}

/// Calls f on every per-plane table of an operation, its sources and its parts.
template <class F>
FK_HOST FK_INLINE void visit_tables(NoOperation&, const F&) {}
template <class A, class B, class F>
FK_HOST inline void visit_tables(Link<A, B>& link, const F& f) {
  visit_tables(link.first, f);
  visit_tables(link.second, f);
}
template <class IOp, class F>
  requires is_instance<IOp>
FK_HOST inline void visit_tables(IOp& iop, const F& f) {
  using Op = typename IOp::Operation;
  if constexpr (requires { Op::visit_parts(iop, f); }) {
    Op::visit_parts(iop, f);
  } else {
    if constexpr (has_params<Op>) {
      if constexpr (is_plane_table<typename Op::ParamsType>)
        f(iop.params);
      else if constexpr (requires { iop.params.planes; })
        f(iop.params.planes);
    }
    if constexpr (has_back<Op>) {
      if constexpr (is_instance<typename Op::BackIOp>) visit_tables(iop.backIOp, f);
    }
  }
}

}  // namespace fk
