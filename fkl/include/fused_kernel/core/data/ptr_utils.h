// SPDX-License-Identifier: Apache-2.0
// Filling memory with one value.
#pragma once
#include <fused_kernel/algorithms/basic_ops/set.h>
#include <fused_kernel/core/execution_model/executors.h>

namespace fk {

/// All rows of all planes and color planes of a memory block, as planes of one kind.
template <ND D, class T>
inline RawPtr<ND::_3D, T> all_planes(const RawPtr<D, T>& raw) {
  PtrDims<ND::_3D> dims(raw.dims.width, rows_of(raw.dims), planes_of(raw.dims));
  dims.pitch = raw.dims.pitch;
  dims.plane_pitch = raw.dims.pitch * rows_of(raw.dims);
  if constexpr (D == ND::_3D || D == ND::T3D) {
    dims.planes *= raw.dims.color_planes;
    dims.plane_pitch = raw.dims.plane_pitch;
  }
  return RawPtr<ND::_3D, T>{raw.data, dims};
}

/// Asynchronous on a GPU; the host's copy of the memory, if it has one, is filled at once.
template <ParArch PA = defaultParArch, ND D, class T>
inline void setTo(const T& value, const Ptr<D, T>& ptr, Stream_<PA>& stream) {
  const auto fill = [&value](auto& queue, const RawPtr<D, T>& raw) {
    const RawPtr<ND::_3D, T> planes = all_planes(raw);
    executeOperations<TransformDPP<plain_t<decltype(queue)>::parArch()>>(
        queue, ReadSet<T>::build(value, planes.dims), PerThreadWrite<ND::_3D, T>::build(planes));
  };
  fill(stream, PA == ParArch::CPU ? ptr.ptrPinned() : ptr.ptr());
  if (PA != ParArch::CPU && ptr.getMemType() == MemType::DeviceAndPinned) {
    Stream_<ParArch::CPU> here;
    fill(here, ptr.ptrPinned());
  }
}

}  // namespace fk
