// SPDX-License-Identifier: Apache-2.0
// CUDA's front matter for clang in lean mode, force-included in front of every source: attributes, launch ABI, built-in
// variables, synchronisation, and (prelude_math.h) math by libdevice. Includes no NVIDIA header, no __clang_cuda_*
// header and no standard header, so that no pairing of versions can go wrong and `zig clang` will do.
#pragma once
#define FKL_LEAN_CUDA 1

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(n) __attribute__((aligned(n)))
#if __clang_major__ >= 20
#define __grid_constant__ __attribute__((grid_constant))
#else
#define __grid_constant__
#endif

struct dim3 {
  unsigned x, y, z;
  constexpr __host__ __device__ dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
};

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef int cudaError_t;
enum : int { cudaSuccess = 0, cudaErrorInsufficientDriver = 35, cudaErrorNotReady = 600 };
enum cudaMemcpyKind : int { cudaMemcpyHostToDevice = 1, cudaMemcpyDeviceToHost = 2, cudaMemcpyDeviceToDevice = 3,
                            cudaMemcpyDefault = 4 };
enum cudaStreamCaptureStatus : int { cudaStreamCaptureStatusNone = 0, cudaStreamCaptureStatusActive = 1,
                                     cudaStreamCaptureStatusInvalidated = 2 };
enum cudaStreamCaptureMode : int { cudaStreamCaptureModeGlobal = 0, cudaStreamCaptureModeThreadLocal = 1,
                                   cudaStreamCaptureModeRelaxed = 2 };
enum : unsigned { cudaEventDefault = 0, cudaEventDisableTiming = 2 };
enum cudaDeviceAttr : int { cudaDevAttrMaxGridDimY = 6, cudaDevAttrMaxGridDimZ = 7, cudaDevAttrMultiProcessorCount = 16,
                            cudaDevAttrComputeCapabilityMajor = 75, cudaDevAttrComputeCapabilityMinor = 76 };

// micro_runtime.c has these
extern "C" {
unsigned __cudaPushCallConfiguration(dim3, dim3, decltype(sizeof 0) = 0, void * = nullptr);
cudaError_t cudaLaunchKernel(const void *, dim3, dim3, void **, decltype(sizeof 0), cudaStream_t);
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
const char *cudaGetErrorName(cudaError_t);
const char *cudaGetErrorString(cudaError_t);
cudaError_t cudaMalloc(void **, decltype(sizeof 0));
cudaError_t cudaFree(void *);
cudaError_t cudaMallocAsync(void **, decltype(sizeof 0), cudaStream_t);
cudaError_t cudaFreeAsync(void *, cudaStream_t);
cudaError_t cudaMallocHost(void **, decltype(sizeof 0));
cudaError_t cudaFreeHost(void *);
cudaError_t cudaMemcpyAsync(void *, const void *, decltype(sizeof 0), cudaMemcpyKind, cudaStream_t = nullptr);
cudaError_t cudaMemsetAsync(void *, int, decltype(sizeof 0), cudaStream_t = nullptr);
cudaError_t cudaStreamSynchronize(cudaStream_t);
cudaError_t cudaStreamIsCapturing(cudaStream_t, cudaStreamCaptureStatus *);
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode *);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *, unsigned);
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t = nullptr);
cudaError_t cudaEventQuery(cudaEvent_t);
cudaError_t cudaEventSynchronize(cudaEvent_t);
cudaError_t cudaEventDestroy(cudaEvent_t);
cudaError_t cudaGetDevice(int *);
cudaError_t cudaDeviceGetAttribute(int *, cudaDeviceAttr, int);
}

// threadIdx.x reads a register: the members are properties, the variables are never defined
#define FKL_REGISTER(axis, read)                                    \
  __declspec(property(get = read_##axis)) unsigned axis;            \
  static __device__ __forceinline__ unsigned read_##axis() { return read(); }
#define FKL_REGISTERS(name, register)                               \
  struct fkl_##name {                                               \
    FKL_REGISTER(x, __nvvm_read_ptx_sreg_##register##_x)            \
    FKL_REGISTER(y, __nvvm_read_ptx_sreg_##register##_y)            \
    FKL_REGISTER(z, __nvvm_read_ptx_sreg_##register##_z)            \
    fkl_##name() = delete;                                          \
    fkl_##name(const fkl_##name &) = delete;                        \
    void operator=(const fkl_##name &) = delete;                    \
    __device__ operator dim3() const { return dim3(x, y, z); }      \
  };                                                                \
  extern const __device__ __attribute__((weak)) fkl_##name name;
FKL_REGISTERS(threadIdx, tid)
FKL_REGISTERS(blockIdx, ctaid)
FKL_REGISTERS(blockDim, ntid)
FKL_REGISTERS(gridDim, nctaid)
#undef FKL_REGISTERS
#undef FKL_REGISTER
enum : int { warpSize = 32 };

// __syncthreads is clang's own
__device__ __forceinline__ void __syncwarp(unsigned mask = 0xffffffffu) { __nvvm_bar_warp_sync(mask); }
__device__ __forceinline__ void __threadfence() { __nvvm_membar_gl(); }
__device__ __forceinline__ void __threadfence_block() { __nvvm_membar_cta(); }

#define FKL_SHUFFLE(name, mode, clamp)                                                                              \
  __device__ __forceinline__ int name(unsigned mask, int value, int lane, int width = 32) {                         \
    return __nvvm_shfl_sync_##mode##_i32(mask, value, lane, ((32 - width) << 8) | clamp);                           \
  }                                                                                                                 \
  __device__ __forceinline__ unsigned name(unsigned mask, unsigned value, int lane, int width = 32) {               \
    return static_cast<unsigned>(name(mask, static_cast<int>(value), lane, width));                                 \
  }                                                                                                                 \
  __device__ __forceinline__ float name(unsigned mask, float value, int lane, int width = 32) {                     \
    return __builtin_bit_cast(float, name(mask, __builtin_bit_cast(int, value), lane, width));                      \
  }
FKL_SHUFFLE(__shfl_sync, idx, 31)
FKL_SHUFFLE(__shfl_up_sync, up, 0)
FKL_SHUFFLE(__shfl_down_sync, down, 31)
FKL_SHUFFLE(__shfl_xor_sync, bfly, 31)
#undef FKL_SHUFFLE

#define FKL_ATOMIC(type)                                                                                            \
  __device__ __forceinline__ type atomicAdd(type *to, type value) {                                                 \
    return __atomic_fetch_add(to, value, __ATOMIC_RELAXED);                                                         \
  }                                                                                                                 \
  __device__ __forceinline__ type atomicExch(type *to, type value) {                                                \
    return __atomic_exchange_n(to, value, __ATOMIC_RELAXED);                                                        \
  }
FKL_ATOMIC(int)
FKL_ATOMIC(unsigned)
FKL_ATOMIC(unsigned long long)
#undef FKL_ATOMIC
__device__ __forceinline__ float atomicAdd(float *to, float value) { return __nvvm_atom_add_gen_f(to, value); }

template <class T>
__device__ __forceinline__ T __ldg(const T *from) { return *from; }

#include "prelude_math.h"
