// SPDX-License-Identifier: Apache-2.0
// Per-plane tables on their way to a kernel: among its parameters where they fit, else in a buffer
// of the launch, which is allocated and freed in stream order. Staging memory is pinned, and taken
// again only once its copy has happened.
#pragma once
#include <fused_kernel/core/execution_model/launch_status.h>
#include <fused_kernel/core/execution_model/operation_model/fused.h>

#if defined(FK_CUDA_LAUNCH)
namespace fk::cuda {

/// Every driver takes this many bytes of parameters.
inline constexpr int parameter_limit = 4096;

template <int BYTES>
struct alignas(16) ParameterBlock {
  uint words[BYTES / 4];
};
struct NoBlock {};

/// A word of device memory, by instruction: were it an ordinary load, a compiler would join it with
/// the one from the parameters, take the parameters' address for that, and copy them all first.
FK_DEVICE FK_INLINE uint device_word(const uint* from) {
  uint word = 0;
#if defined(FK_DEVICE_PASS)
  asm("ld.global.u32 %0, [%1];" : "=r"(word) : "l"(from));
#else
  (void)from;
#endif
  return word;
}

/// How a kernel reaches its tables. Entries are read word by word with plain loads: the compiler
/// then addresses parameter space itself, also where it knows no __grid_constant__.
template <class Block>
struct DeviceTables {
  const Block& block;
  template <class E>
  FK_DEVICE FK_INLINE E entry(const E* data, TableAt where, index_t i) const {
    static_assert(sizeof(E) % 4 == 0, "fkl: a per-plane entry is made of whole words");
    constexpr int words = sizeof(E) / 4;
    struct Words {
      uint word[words];
    } bits;
    if constexpr (!is_same_v<Block, NoBlock>) {
      if (where == TableAt::PARAMETERS) {
        const int first =
            static_cast<int>(reinterpret_cast<extent_t>(data) / 4) + static_cast<int>(i) * words;
        FK_UNROLL
        for (int w = 0; w < words; ++w) bits.word[w] = block.words[first + w];
        return bit_copy<E>(bits);
      }
    }
    const uint* from = reinterpret_cast<const uint*>(data + i);
    FK_UNROLL
    for (int w = 0; w < words; ++w) bits.word[w] = device_word(from + w);
    return bit_copy<E>(bits);
  }
};

/// Pinned memory and its place on the device, for tables that parameters cannot hold; free again
/// once the kernel that reads them has run. A stream has about as many as its launches wait at
/// once; none is given back.
struct Staging {
  Staging* next;
  void* memory;
  void* buffer;
  extent_t bytes;
  cudaEvent_t done;
  cudaStream_t stream;
  int device;
};
/// Those that no launch is filling, in the order of their launches.
inline Staging* first_staging;
inline Staging** last_staging = &first_staging;
inline int staging_lock;

/// Asking for memory, or whether an event has happened, would break the capture of another thread.
struct RelaxedCapture {
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  FK_HOST RelaxedCapture() { cudaThreadExchangeStreamCaptureMode(&mode); }
  FK_HOST ~RelaxedCapture() { cudaThreadExchangeStreamCaptureMode(&mode); }
};

struct StagingLock {
  FK_HOST StagingLock() {
    while (__atomic_exchange_n(&staging_lock, 1, __ATOMIC_ACQUIRE)) {
    }
  }
  FK_HOST ~StagingLock() { __atomic_store_n(&staging_lock, 0, __ATOMIC_RELEASE); }
};

FK_HOST inline Staging* new_staging(extent_t bytes, int device, cudaStream_t stream) {
  Staging* made = static_cast<Staging*>(__builtin_malloc(sizeof(Staging)));
  if (!made) return nullptr;
  *made = Staging{nullptr, nullptr, nullptr, 65536, nullptr, stream, device};
  while (made->bytes < bytes) made->bytes *= 2;
  if (cudaMallocHost(&made->memory, made->bytes) == cudaSuccess) {
    if (cudaMallocAsync(&made->buffer, made->bytes, stream) == cudaSuccess) {
      if (cudaEventCreateWithFlags(&made->done, cudaEventDisableTiming) == cudaSuccess) return made;
      cudaFreeAsync(made->buffer, stream);
    }
    cudaFreeHost(made->memory);
  }
  __builtin_free(made);
  return nullptr;
}

/// The place in the list of one whose launch is over: of this stream, or of another one.
FK_HOST inline Staging** ready_staging(extent_t bytes, int device, cudaStream_t stream, bool own) {
  cudaStream_t waiting = stream;
  int questions = own ? 1 : 2;
  for (Staging** link = &first_staging; *link; link = &(*link)->next) {
    const Staging* s = *link;
    if (s->device != device || s->bytes < bytes || (s->stream == stream) != own) continue;
    // a stream keeps its order: where an older launch waits, a later one need not be asked for
    if (!own && s->stream == waiting) continue;
    if (cudaEventQuery(s->done) == cudaSuccess) return link;
    cudaGetLastError();  // that it waits is no error, but the next launch would take it for its own
    if (--questions == 0) return nullptr;
    waiting = s->stream;
  }
  return nullptr;
}

/// A free place of at least `bytes`, or null where there is no memory for one.
FK_HOST inline Staging* take_staging(extent_t bytes, int device, cudaStream_t stream) {
  const RelaxedCapture relaxed;
  {
    const StagingLock guard;
    Staging** link = ready_staging(bytes, device, stream, true);
    if (!link) link = ready_staging(bytes, device, stream, false);
    if (link) {
      Staging* found = *link;
      *link = found->next;
      if (!*link) last_staging = link;
      return found;
    }
  }
  return new_staging(bytes, device, stream);
}

/// The place is free for others once all that the stream holds now has happened.
FK_HOST inline int leave_staging(Staging* staging, cudaStream_t stream) {
  const int error = static_cast<int>(cudaEventRecord(staging->done, stream));
  // where no event says when, it is in no list: lost, but never overwritten while it is read
  if (error) return error;
  staging->next = nullptr;
  staging->stream = stream;
  const StagingLock guard;
  *last_staging = staging;
  last_staging = &staging->next;
  return 0;
}

template <class... Parts>
FK_HOST inline extent_t table_bytes(Parts&... parts) {
  extent_t bytes = 0;
  const auto add = [&bytes](auto& table) {
    if (table.where == TableAt::HOST) bytes += (table.count * sizeof(*table.data) + 15) / 16 * 16;
  };
  (visit_tables(parts, add), ...);
  return bytes;
}

/// Copies every host table to `to` and makes it point `base` bytes further on, where the kernel
/// will find it.
template <class... Parts>
FK_HOST inline void move_tables(char* to, extent_t base, TableAt where, Parts&... parts) {
  extent_t at = 0;
  const auto move = [&](auto& table) {
    if (table.where != TableAt::HOST) return;
    using E = plain_t<decltype(*table.data)>;
    const extent_t bytes = table.count * sizeof(E);
    __builtin_memcpy(to + at, table.data, bytes);
    table.data = reinterpret_cast<const E*>(base + at);
    table.where = where;
    at += (bytes + 15) / 16 * 16;
  };
  (visit_tables(parts, move), ...);
}

}  // namespace fk::cuda
#endif
