// SPDX-License-Identifier: Apache-2.0
// Handles on memory: copies share it, and the last one frees it.
#pragma once
#include <fused_kernel/core/data/ptr_accessor.h>
#include <fused_kernel/core/data/ptr_storage.h>
#include <fused_kernel/core/data/size.h>
#include <fused_kernel/core/execution_model/stream.h>

namespace fk {

template <ND D, class T>
class Ptr {
 public:
  using Type = T;
  using At = PtrAccessor<D>;
  using Dims = PtrDims<D>;
  static constexpr ND nd = D;

  Ptr() = default;
  explicit Ptr(const Dims& dims, MemType type = defaultMemType, int device = 0) {
    allocPtr(dims, type, device);
  }
  /// Memory that someone else owns.
  Ptr(T* data, const Dims& dims, MemType type = defaultMemType, int device = 0)
      : type_(type), device_(device) {
    if (type == MemType::DeviceAndPinned)
      throw std::runtime_error(
          "fkl: MemType::DeviceAndPinned needs two pointers: say which kind of memory this one is");
    raw_ = RawPtr<D, T>{data, with_pitches(dims, sizeof(T))};
    pinned_ = type == MemType::Device ? RawPtr<D, T>{} : raw_;
  }
  Ptr(const RawPtr<D, T>& raw, MemType type, int device = 0)
      : Ptr(raw.data, raw.dims, type, device) {}
  Ptr(T* on_device, T* pinned, const Dims& dims, MemType type, int device = 0)
      : raw_{on_device, with_pitches(dims, sizeof(T))},
        pinned_{pinned, raw_.dims},
        type_(type),
        device_(device) {}

  void allocPtr(const Dims& dims, MemType type = defaultMemType, int device = 0) {
    if (raw_.data) throw std::runtime_error("fkl: allocPtr: this handle has memory already");
    Dims placed = dims;
    auto storage = std::make_shared<Storage>();
    storage->allocate(placed, sizeof(T), type, device);
    pinned_ = RawPtr<D, T>{static_cast<T*>(storage->host), placed};
    raw_ = has_device(type) ? RawPtr<D, T>{static_cast<T*>(storage->device), placed} : pinned_;
    type_ = type;
    device_ = device;
    storage_ = storage;
  }

  RawPtr<D, T> ptr() const { return raw_; }
  RawPtr<D, T> ptrPinned() const { return pinned_; }
  operator RawPtr<D, T>() const { return raw_; }
  const Dims& dims() const { return raw_.dims; }
  MemType getMemType() const { return type_; }
  int getDeviceID() const { return device_; }
  extent_t sizeInBytes() const { return bytes_of(raw_.dims); }
  extent_t getNumElements() const { return raw_.dims.width * rows_in_all(raw_.dims); }
  /// Handles on this memory; 0 where someone else owns it.
  int getRefCount() const { return static_cast<int>(storage_.use_count()); }

  /// A part of the same memory, beginning at `origin`; a pitch of 0 is this memory's own.
  Ptr crop(const Point& origin, const Dims& dims) const {
    Dims part = dims;
    if (part.pitch == 0) part.pitch = raw_.dims.pitch;
    if constexpr (D == ND::_3D || D == ND::T3D) part.plane_pitch = raw_.dims.plane_pitch;
    if constexpr (D == ND::T3D) part.color_planes_pitch = raw_.dims.color_planes_pitch;
    return view<Ptr>(origin, part);
  }
  /// Image i as a 2D handle on the same memory.
  Ptr<ND::_2D, T> getPlane(extent_t i) const
    requires(D == ND::_3D || D == ND::T3D)
  {
    if (i >= raw_.dims.planes) throw std::out_of_range("fkl: getPlane: there is no such plane");
    return view<Ptr<ND::_2D, T>>(
        Point{0, 0, static_cast<int>(i)},
        PtrDims<ND::_2D>(raw_.dims.width, raw_.dims.height, raw_.dims.pitch));
  }

  T& at(const Point& p) { return *At::point(p, on_host()); }
  T at(const Point& p) const { return *At::cr_point(p, on_host()); }
  T& at(int x)
    requires(D == ND::_1D)
  {
    return at(Point{x, 0, 0});
  }
  T at(int x) const
    requires(D == ND::_1D)
  {
    return at(Point{x, 0, 0});
  }
  T& at(int x, int y)
    requires(D == ND::_2D)
  {
    return at(Point{x, y, 0});
  }
  T at(int x, int y) const
    requires(D == ND::_2D)
  {
    return at(Point{x, y, 0});
  }
  T& at(int x, int y, int z)
    requires(D == ND::_3D)
  {
    return at(Point{x, y, z});
  }
  T at(int x, int y, int z) const
    requires(D == ND::_3D)
  {
    return at(Point{x, y, z});
  }

#if defined(FK_CUDA_RUNTIME)
  void upload(const Stream_<ParArch::GPU_NVIDIA>& stream) {
    if (type_ == MemType::DeviceAndPinned) copy(raw_, pinned_, cudaMemcpyHostToDevice, stream);
  }
  void download(const Stream_<ParArch::GPU_NVIDIA>& stream) {
    if (type_ == MemType::DeviceAndPinned) copy(pinned_, raw_, cudaMemcpyDeviceToHost, stream);
  }
  void uploadTo(Ptr& other, cudaStream_t stream = 0) const {
    if (has_device(type_) || !has_device(other.type_))
      throw std::runtime_error("fkl: uploadTo copies host memory to memory that has a device side");
    copy(other.raw_, raw_, cudaMemcpyHostToDevice, stream);
  }
  void downloadTo(Ptr& other, cudaStream_t stream = 0) const {
    if (!has_device(type_) || has_device(other.type_))
      throw std::runtime_error(
          "fkl: downloadTo copies memory that has a device side to host memory");
    copy(other.raw_, raw_, cudaMemcpyDeviceToHost, stream);
  }
#endif
  /// Nothing to move: on a CPU the memory is where the work is done.
  void upload(const Stream_<ParArch::CPU>&) {}
  void download(const Stream_<ParArch::CPU>&) {}

 protected:
  template <ND E, class U>
  friend class Ptr;

  /// The side that this program can touch.
  const RawPtr<D, T>& on_host() const {
    if (type_ == MemType::Device)
      throw std::runtime_error("fkl: at: this memory is on the device only; download it first");
    return pinned_;
  }
  template <class View, ND E = View::nd>
  View view(const Point& origin, const PtrDims<E>& dims) const {
    View v;
    if (raw_.data) v.raw_ = RawPtr<E, T>{At::point(origin, raw_), dims};
    if (pinned_.data) v.pinned_ = RawPtr<E, T>{At::point(origin, pinned_), dims};
    v.type_ = type_;
    v.device_ = device_;
    v.storage_ = storage_;
    return v;
  }
  void release() { *this = Ptr(); }

#if defined(FK_CUDA_RUNTIME)
  static void copy(const RawPtr<D, T>& to, const RawPtr<D, T>& from, cudaMemcpyKind kind,
                   cudaStream_t stream) {
    if (to.dims.width != from.dims.width || rows_in_all(to.dims) != rows_in_all(from.dims))
      throw std::runtime_error("fkl: a copy between memories of different extents");
    const extent_t row = from.dims.width * sizeof(T);
    if constexpr (D == ND::_1D) {
      gpuErrchk(cudaMemcpyAsync(to.data, from.data, row, kind, stream));
    } else {
      if constexpr (D != ND::_2D) {
        if (bytes_of(to.dims) != to.dims.pitch * rows_in_all(to.dims) ||
            bytes_of(from.dims) != from.dims.pitch * rows_in_all(from.dims))
          throw std::runtime_error(
              "fkl: only 2D memory can be copied with gaps between its planes");
      }
      gpuErrchk(cudaMemcpy2DAsync(to.data, to.dims.pitch, from.data, from.dims.pitch, row,
                                  rows_in_all(from.dims), kind, stream));
    }
  }
#endif

  RawPtr<D, T> raw_;
  RawPtr<D, T> pinned_;  // what the host can touch
  MemType type_ = defaultMemType;
  int device_ = 0;
  std::shared_ptr<Storage> storage_;
};

}  // namespace fk

#include <fused_kernel/core/data/ptr_kinds.h>
