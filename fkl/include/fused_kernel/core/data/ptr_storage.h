// SPDX-License-Identifier: Apache-2.0
// Owned memory of every kind, and the pitches that an allocation gives.
#pragma once
#include <fused_kernel/core/data/rawptr.h>
#include <fused_kernel/core/execution_model/cuda_check.h>
#include <cstdlib>
#include <memory>
#include <new>
#include <stdexcept>

namespace fk {

enum class MemType { Device, Host, HostPinned, DeviceAndPinned };
#if defined(FK_CUDA_RUNTIME)
inline constexpr MemType defaultMemType = MemType::DeviceAndPinned;
#else
inline constexpr MemType defaultMemType = MemType::Host;
#endif
inline constexpr bool has_device(MemType type) {
  return type == MemType::Device || type == MemType::DeviceAndPinned;
}

template <ND D>
inline extent_t bytes_of(const PtrDims<D>& d) {
  if constexpr (D == ND::_1D)
    return d.pitch;
  else if constexpr (D == ND::_2D)
    return d.pitch * d.height;
  else if constexpr (D == ND::_3D)
    return d.plane_pitch * d.color_planes * d.planes;
  else
    return d.color_planes_pitch * d.color_planes;
}
/// Rows, planes and color planes of a memory block, all in one number.
template <ND D>
inline extent_t rows_in_all(const PtrDims<D>& d) {
  if constexpr (D == ND::_1D || D == ND::_2D)
    return rows_of(d);
  else
    return d.height * d.planes * d.color_planes;
}
/// Pitches that were left at 0 become those of packed memory.
template <ND D>
inline PtrDims<D> with_pitches(PtrDims<D> d, extent_t element) {
  if (d.pitch == 0) d.pitch = d.width * element;
  if constexpr (D == ND::_3D) {
    if (d.plane_pitch == 0) d.plane_pitch = d.pitch * d.height;
  }
  if constexpr (D == ND::T3D) {
    if (d.plane_pitch == 0) d.plane_pitch = d.pitch * d.height;
    if (d.color_planes_pitch == 0) d.color_planes_pitch = d.plane_pitch * d.planes;
  }
  return d;
}

/// One allocation; freed when its last handle goes.
struct Storage {
  void* device = nullptr;
  void* host = nullptr;
  bool pinned = false;
  int device_id = 0;

  Storage() = default;
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;
  ~Storage() {
#if defined(FK_CUDA_RUNTIME)
    int current = 0;
    const bool known = cudaGetDevice(&current) == cudaSuccess;
    if (known && current != device_id) cudaSetDevice(device_id);
    if (device) cudaFree(device);
    if (pinned && host) cudaFreeHost(host);
    if (known && current != device_id) cudaSetDevice(current);
#endif
    if (!pinned) std::free(host);
  }

  /// Sets the pitch where the device wants one of its own.
  template <ND D>
  void allocate(PtrDims<D>& dims, extent_t element, MemType type, int device_id_) {
    device_id = device_id_;
    [[maybe_unused]] const bool own_pitch = D == ND::_2D && dims.pitch == 0 && has_device(type);
    dims = with_pitches(dims, element);
#if defined(FK_CUDA_RUNTIME)
    if (type != MemType::Host) gpuErrchk(cudaSetDevice(device_id));
    if (has_device(type)) {
      if constexpr (D == ND::_2D) {
        if (own_pitch)
          gpuErrchk(cudaMallocPitch(&device, &dims.pitch, dims.width * element, dims.height));
      }
      if (!own_pitch) gpuErrchk(cudaMalloc(&device, bytes_of(dims)));
    }
    if (type == MemType::HostPinned || type == MemType::DeviceAndPinned) {
      gpuErrchk(cudaMallocHost(&host, bytes_of(dims)));
      pinned = true;
      return;
    }
    if (type == MemType::Device) return;
#else
    if (type != MemType::Host)
      throw std::runtime_error(
          "fkl: device or pinned memory needs a CUDA compiler; this program can only allocate "
          "MemType::Host");
#endif
    const extent_t bytes = bytes_of(dims);
    host = std::malloc(bytes > 0 ? bytes : 1);
    if (!host) throw std::bad_alloc();
  }
};

}  // namespace fk
