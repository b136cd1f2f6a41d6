// SPDX-License-Identifier: Apache-2.0
// A read, a chain of values and a write as one kernel on an NVIDIA GPU. One __global__ template;
// the library holds its wide and its scalar instance, and the host picks by pointers, pitches and
// sizes at each launch.
#pragma once
#include <fused_kernel/core/target/cuda/tables.h>
#include <fused_kernel/core/target/wide.h>

#if defined(FK_CUDA_LAUNCH)
#if defined(FKL_MICRO_RUNTIME)
extern "C" int fkl_device_enter(int device);
extern "C" void fkl_device_leave();
#endif

namespace fk::cuda {

/// Output extents, and where this launch's part begins. Memory is indexed by 64 bits; what is
/// cropped or resized has sides of 32, and threads that compute with less.
template <class I>
struct Shape {
  I width, height, planes, first_row;
  uint row_blocks;  // of each plane
};
inline constexpr index_t most_blocks = 65535;  // of a grid's y and z

template <class ReadIOp>
inline constexpr bool reads_memory =
    requires(const ReadIOp& read) { ReadIOp::Operation::alignment_bits(read.params); };
template <class ReadIOp>
using shape_t = Shape<conditional_t<reads_memory<ReadIOp>, index_t, uint>>;

template <int N, class ReadRow, class Chain, class WriteRow, class Tables>
FK_DEVICE FK_INLINE void run_packet(const ReadRow& read, const Chain& chain, const WriteRow& write,
                                    index_t x, index_t y, index_t z, const Tables& tables) {
  using In = plain_t<decltype(read.at(x))>;
  using Out = plain_t<decltype(apply(chain, read.at(x), At<Tables>{x, y, z, tables}))>;
  Packet<In, N> in;
  if constexpr (requires { read.template load<N>(x); }) {
    in = read.template load<N>(x);
  } else {
    FK_UNROLL
    for (int i = 0; i < N; ++i) in.at[i] = read.at(x + i);
  }
  Packet<Out, N> out;
  FK_UNROLL
  for (int i = 0; i < N; ++i) out.at[i] = apply(chain, in.at[i], At<Tables>{x + i, y, z, tables});
  write.template store<N>(x, out);
}

/// N elements from x on where they all lie inside the row, else those that do.
template <int N, class ReadRow, class Chain, class WriteRow, class Tables>
FK_DEVICE FK_INLINE void run_some(const ReadRow& read, const Chain& chain, const WriteRow& write,
                                  index_t x, index_t width, index_t y, index_t z,
                                  const Tables& tables) {
  if constexpr (N > 1) {
    if (x + N <= width) return run_packet<N>(read, chain, write, x, y, z, tables);
    FK_NO_UNROLL
    for (index_t i = x; i < width; ++i)
      write.put(i, apply(chain, read.at(i), At<Tables>{i, y, z, tables}));
  } else {
    if (x < width) write.put(x, apply(chain, read.at(x), At<Tables>{x, y, z, tables}));
  }
}

/// One row, however long: the fewest registers, hence the most loads in flight.
template <int N, class ReadIOp, class Chain, class WriteIOp, class Block>
FK_GLOBAL void __launch_bounds__(256, 4)
    row_kernel(FK_GRID_CONSTANT const ReadIOp read, FK_GRID_CONSTANT const Chain chain,
               FK_GRID_CONSTANT const WriteIOp write, FK_GRID_CONSTANT const Block block,
               FK_GRID_CONSTANT const shape_t<ReadIOp> shape) {
  const DeviceTables<Block> tables{block};
  const index_t x = (static_cast<index_t>(blockIdx.x) * 256 + threadIdx.x) * N;
  auto from = plane_of<ParArch::GPU_NVIDIA>(read, 0, tables);
  auto to = plane_of<ParArch::GPU_NVIDIA>(write, 0, tables);
  run_some<N>(from.row(0), chain, to.row(0), x, shape.width, 0, 0, tables);
}

/// Rows and planes. Planes beyond the grid's limit follow in its rows; rows beyond it are another
/// launch.
template <int N, class ReadIOp, class Chain, class WriteIOp, class Block, class I>
FK_GLOBAL void __launch_bounds__(256, 4)
    transform_kernel(FK_GRID_CONSTANT const ReadIOp read, FK_GRID_CONSTANT const Chain chain,
                     FK_GRID_CONSTANT const WriteIOp write, FK_GRID_CONSTANT const Block block,
                     FK_GRID_CONSTANT const Shape<I> shape) {
  const DeviceTables<Block> tables{block};
  uint row_block = blockIdx.y;
  I z = static_cast<I>(blockIdx.z);
  if (gridDim.y != shape.row_blocks) {
    const uint turn = row_block / shape.row_blocks;
    row_block -= turn * shape.row_blocks;
    z += static_cast<I>(turn) * static_cast<I>(gridDim.z);
    if (z >= shape.planes) return;
  }
  const I x = (static_cast<I>(blockIdx.x) * 32 + static_cast<I>(threadIdx.x)) * N;
  const I y = shape.first_row + static_cast<I>(row_block * 8 + threadIdx.y);
  const I source = static_cast<I>(plane_behind<Chain>(read, z));
  const ActiveThreads own = plane_extent(read, source, tables);
  if (y >= min_of(shape.height, static_cast<I>(own.y))) return;
  auto from = plane_of<ParArch::GPU_NVIDIA>(read, source, tables);
  auto to = plane_of<ParArch::GPU_NVIDIA>(write, z, tables);
  run_some<N>(from.row(y), chain, to.row(y), x, min_of(shape.width, static_cast<I>(own.x)), y, z,
              tables);
}

template <class T>
inline constexpr int value_bytes = sizeof(VBase<T>) * (cn<T> == 3 ? 4 : cn<T>);

/// Elements per thread: 16 bytes of the larger side, 4 elements of three channels.
template <class In, class Out>
inline constexpr int packet_of =
    cn<In> == 3 || cn<Out> == 3 ? (sizeof(VBase<In>) > 4 || sizeof(VBase<Out>) > 4 ? 1 : 4)
    : 16 / max_of<int>(value_bytes<In>, value_bytes<Out>) < 1
        ? 1
        : 16 / max_of<int>(value_bytes<In>, value_bytes<Out>);

FK_HOST inline unsigned clamp_grid(index_t blocks, index_t most) {
  return static_cast<unsigned>(blocks < 1 ? 1 : blocks > most ? most : blocks);
}

FK_HOST inline int cuda_failed(int error, const char*& said) {
  return failed(CUDA_ERROR + error, said, cudaGetErrorString(static_cast<cudaError_t>(error)));
}

template <int N, class ReadIOp, class Chain, class WriteIOp, class Block>
FK_HOST inline int start(void* stream, const char*& said, const ReadIOp& read, const Chain& chain,
                         const WriteIOp& write, const Block& block, const ActiveThreads& grid) {
  using I = decltype(shape_t<ReadIOp>::width);
  const index_t width = static_cast<index_t>(grid.x), height = static_cast<index_t>(grid.y);
  const index_t planes = static_cast<index_t>(grid.z), packets = (width + N - 1) / N;
  shape_t<ReadIOp> shape{static_cast<I>(width), static_cast<I>(height), static_cast<I>(planes), 0,
                         1};
  const cudaStream_t s = static_cast<cudaStream_t>(stream);
  index_t row = 0;
  if constexpr (reads_memory<ReadIOp>) {  // only memory is worth a kernel of its own for one row
    if (height == 1 && planes == 1) {
      const dim3 blocks(clamp_grid((packets + 255) / 256, 2147483647));
      row_kernel<N><<<blocks, dim3(256), 0, s>>>(read, chain, write, block, shape);
      row = height;
    }
  }
  const index_t turns = (planes + most_blocks - 1) / most_blocks;
  while (row < height) {
    const unsigned rows = clamp_grid((height - row + 7) / 8, most_blocks / turns);
    const dim3 blocks(clamp_grid((packets + 31) / 32, 2147483647),
                      rows * static_cast<unsigned>(turns), clamp_grid(planes, most_blocks));
    shape.first_row = static_cast<I>(row);
    shape.row_blocks = rows;
    transform_kernel<N><<<blocks, dim3(32, 8), 0, s>>>(read, chain, write, block, shape);
    row += static_cast<index_t>(rows) * 8;
  }
  const int error = static_cast<int>(cudaGetLastError());
  return error ? cuda_failed(error, said) : LAUNCHED;
}

template <int N, class ReadIOp, class WriteIOp>
FK_HOST inline bool wide_fits(const ReadIOp& read, const WriteIOp& write) {
  using R = typename ReadIOp::Operation;
  using W = typename WriteIOp::Operation;
  constexpr extent_t in = wide_alignment<plain_t<decltype(*read.params.data)>, N>;
  constexpr extent_t out = wide_alignment<plain_t<decltype(*write.params.data)>, N>;
  return R::alignment_bits(read.params) % in == 0 && W::alignment_bits(write.params) % out == 0;
}

/// Both sides are memory: wide where every address allows it.
template <bool WIDE, class ReadIOp, class Chain, class WriteIOp, class Block>
FK_HOST inline int pick(void* stream, const char*& said, const ReadIOp& read, const Chain& chain,
                        const WriteIOp& write, const Block& block, const ActiveThreads& grid) {
  using R = typename ReadIOp::Operation;
  using W = typename WriteIOp::Operation;
  if (grid.x == 0 || grid.y == 0 || grid.z == 0) return LAUNCHED;
  if constexpr (WIDE && requires {
                  R::alignment_bits(read.params);
                  W::alignment_bits(write.params);
                } && PositionFree<Chain>::value) {
    using In = typename R::OutputType;
    constexpr int n = packet_of<In, plain_t<chain_result_t<Chain, In>>>;
    if constexpr (n > 1) {
      if (wide_fits<n>(read, write)) return start<n>(stream, said, read, chain, write, block, grid);
    }
  }
  return start<1>(stream, said, read, chain, write, block, grid);
}

/// The tables lie in a buffer of the launch: too large for parameters.
template <bool WIDE, class ReadIOp, class Chain, class WriteIOp>
FK_HOST inline int with_buffer(void* stream, const char*& said, ReadIOp read, Chain chain,
                               WriteIOp write, const ActiveThreads& grid, extent_t bytes) {
  const cudaStream_t s = static_cast<cudaStream_t>(stream);
  cudaStreamCaptureStatus capturing = cudaStreamCaptureStatusNone;
  if (cudaStreamIsCapturing(s, &capturing) != cudaSuccess ||
      capturing != cudaStreamCaptureStatusNone)
    return failed(BAD_GEOMETRY, said,
                  "the per-plane table is larger than a kernel's parameters (about 4 KB) and a "
                  "CUDA graph is being captured; give the table as a device array that outlives "
                  "the graph");
  int device = 0;
  cudaGetDevice(&device);
  Staging* staging = take_staging(bytes, device, s);
  if (!staging) return failed(OUT_OF_MEMORY, said, "no memory for the per-plane table");
  move_tables(static_cast<char*>(staging->memory), reinterpret_cast<extent_t>(staging->buffer),
              TableAt::DEVICE, read, chain, write);
  const int copied = static_cast<int>(
      cudaMemcpyAsync(staging->buffer, staging->memory, bytes, cudaMemcpyHostToDevice, s));
  const int status = copied ? cuda_failed(copied, said)
                            : pick<WIDE>(stream, said, read, chain, write, NoBlock{}, grid);
  const int left = leave_staging(staging, s);
  return status ? status : left ? cuda_failed(left, said) : LAUNCHED;
}

template <bool WIDE, class ReadIOp, class Chain, class WriteIOp>
FK_HOST inline int with_tables(void* stream, const char*& said, ReadIOp read, Chain chain,
                               WriteIOp write, const ActiveThreads& grid) {
  constexpr int used =
      sizeof(ReadIOp) + sizeof(Chain) + sizeof(WriteIOp) + sizeof(Shape<index_t>) + 64;
  using Block = ParameterBlock<max_of((parameter_limit - used) / 16 * 16, 16)>;
  const extent_t bytes = table_bytes(read, chain, write);
  if (bytes > sizeof(Block))
    return with_buffer<WIDE>(stream, said, read, chain, write, grid, bytes);
  Block block;
  move_tables(reinterpret_cast<char*>(block.words), 0, TableAt::PARAMETERS, read, chain, write);
  return pick<WIDE>(stream, said, read, chain, write, block, grid);
}

/// A device number that says: this process was forked from one that had used CUDA.
inline constexpr int after_fork = -2;

/// The arrays' device, current for as long as this lives.
struct DeviceScope {
  int entered = 0;
  FK_HOST explicit DeviceScope([[maybe_unused]] const Runtime* runtime) {
#if defined(FKL_MICRO_RUNTIME)
    if (runtime && runtime->device >= 0) entered = fkl_device_enter(runtime->device);
#endif
  }
  FK_HOST ~DeviceScope() {
#if defined(FKL_MICRO_RUNTIME)
    if (entered > 0) fkl_device_leave();
#endif
  }
};

template <TF FUSION, class ReadIOp, class Chain, class WriteIOp>
FK_HOST inline int transform(const Runtime* runtime, void* stream, const char*& said,
                             const ReadIOp& read, const Chain& given, const WriteIOp& write) {
  using R = typename ReadIOp::Operation;
  using W = typename WriteIOp::Operation;
  constexpr bool wide = FUSION == TF::ENABLED;
  const DeviceScope scope(runtime);
  if (runtime && runtime->device == after_fork)
    return failed(
        CUDA_ERROR, said,
        "CUDA was used in the parent process before the fork, and no driver survives "
        "that: start workers with the \"spawn\" method, or use the GPU only after the fork");
  if (scope.entered < 0) return cuda_failed(-scope.entered, said);
  ActiveThreads grid = R::getActiveThreads(read);
  grid.z = planes_through(read, given);
#if defined(FKL_MICRO_RUNTIME)
  cudaGetLastError();  // what failed before is not this launch's
#endif
  const auto chain = for_kernel(given);
  if constexpr (has_tables<ReadIOp> || has_tables<Chain>) {
    return with_tables<wide>(stream, said, read, chain, write, grid);
  } else {
    if constexpr (requires {
                    R::rows_are_dense(read.params);
                    W::rows_are_dense(write.params);
                  }) {
      if constexpr (PositionFree<Chain>::value) {
        const auto& out = write.params.dims;
        const bool same = rows_of(out) == grid.y && planes_of(out) == grid.z && out.width == grid.x;
        if (same && R::rows_are_dense(read.params) && W::rows_are_dense(write.params)) {
          const bool planes = R::planes_are_dense(read.params) && W::planes_are_dense(write.params);
          ReadIOp flat_read = read;
          WriteIOp flat_write = write;
          flat_read.params = R::flat(read.params, planes);
          flat_write.params = W::flat(write.params, planes);
          return pick<wide>(stream, said, flat_read, chain, flat_write, NoBlock{},
                            R::getActiveThreads(flat_read));
        }
      }
    }
    return pick<wide>(stream, said, read, chain, write, NoBlock{}, grid);
  }
}

}  // namespace fk::cuda
#endif
