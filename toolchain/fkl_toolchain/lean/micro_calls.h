// SPDX-License-Identifier: Apache-2.0
// The second half of micro_runtime.c: which device is current, and the calls around a launch.

// The primary context of a device, retained once: giving it back could tear down what others use.
enum { MOST_DEVICES = 64 };
static void *primary[MOST_DEVICES];

static int primary_context(int device, void **context) {
  if (device < 0 || device >= MOST_DEVICES) return INVALID_VALUE;
  if ((*context = __atomic_load_n(&primary[device], __ATOMIC_ACQUIRE))) return SUCCESS;
  int handle;
  int status = driver.cuDeviceGet(&handle, device);
  if (!status) status = driver.cuDevicePrimaryCtxRetain(context, handle);
  if (!status) __atomic_store_n(&primary[device], *context, __ATOMIC_RELEASE);
  return status;
}

// Makes `device` current. 0: it was; 1: fkl_device_leave must follow; else minus the status.
API int fkl_device_enter(int device) {
  int status = driver_ready();
  if (status) return -keep(status);
  int current;
  if (!driver.cuCtxGetDevice(&current) && current == device) return 0;
  void *context;
  if ((status = primary_context(device, &context))) return -keep(status);
  if ((status = driver.cuCtxPushCurrent(context))) return -keep(status);
  return 1;
}
API void fkl_device_leave(void) {
  void *left;
  driver.cuCtxPopCurrent(&left);
}

// What host code around a launch asks for. Each name is resolved when it is first called.
static int missing(void) { return INSUFFICIENT_DRIVER; }
static void *driver_function(const char *name) {
  void *found = driver_ready() ? 0 : dlsym(driver.library, name);
  return found ? found : (void *)missing;
}
static int with_context(void) {
  Context context;
  int status = driver_ready();
  return status ? status : current_context(&context);
}
// A pointer that two threads may both store: they store the same.
#define RESOLVED(types, name)                                   \
  static int(*resolved_) types;                                 \
  int(*function_) types = __atomic_load_n(&resolved_, __ATOMIC_RELAXED); \
  if (!function_) {                                             \
    function_ = (int(*) types)driver_function(name);            \
    __atomic_store_n(&resolved_, function_, __ATOMIC_RELAXED);  \
  }
#define CALL(types, name, ...)            \
  int status_ = with_context();           \
  if (!status_) {                         \
    RESOLVED(types, name)                 \
    status_ = function_(__VA_ARGS__);     \
  }                                       \
  return keep(status_)
typedef unsigned long long address;
API int cudaMalloc(void **memory, size_t_ bytes) { CALL((void **, size_t_), "cuMemAlloc_v2", memory, bytes); }
API int cudaFree(void *memory) { CALL((void *), "cuMemFree_v2", memory); }
API int cudaMallocAsync(void **memory, size_t_ bytes, void *stream) {
  CALL((void **, size_t_, void *), "cuMemAllocAsync", memory, bytes, stream);
}
API int cudaFreeAsync(void *memory, void *stream) { CALL((void *, void *), "cuMemFreeAsync", memory, stream); }
API int cudaMallocHost(void **memory, size_t_ bytes) {
  CALL((void **, size_t_, unsigned), "cuMemHostAlloc", memory, bytes, 1u);  // 1: for every context
}
API int cudaFreeHost(void *memory) { CALL((void *), "cuMemFreeHost", memory); }
API int cudaMemcpyAsync(void *to, const void *from, size_t_ bytes, int kind, void *stream) {
  (void)kind;  // the driver knows by the addresses
  CALL((address, address, size_t_, void *), "cuMemcpyAsync", (address)to, (address)from, bytes, stream);
}
API int cudaMemsetAsync(void *to, int value, size_t_ bytes, void *stream) {
  CALL((address, unsigned char, size_t_, void *), "cuMemsetD8Async", (address)to, (unsigned char)value, bytes, stream);
}
API int cudaStreamSynchronize(void *stream) { CALL((void *), "cuStreamSynchronize", stream); }
API int cudaStreamIsCapturing(void *stream, int *state) {
  CALL((void *, int *), "cuStreamIsCapturing", stream, state);
}
API int cudaThreadExchangeStreamCaptureMode(int *mode) { CALL((int *), "cuThreadExchangeStreamCaptureMode", mode); }
API int cudaEventCreateWithFlags(void **event, unsigned flags) {
  CALL((void **, unsigned), "cuEventCreate", event, flags);
}
API int cudaEventRecord(void *event, void *stream) { CALL((void *, void *), "cuEventRecord", event, stream); }
API int cudaEventDestroy(void *event) { CALL((void *), "cuEventDestroy_v2", event); }
API int cudaEventSynchronize(void *event) { CALL((void *), "cuEventSynchronize", event); }
// Not kept as an error: cudaErrorNotReady is an answer.
API int cudaEventQuery(void *event) {
  int status = with_context();
  if (status) return keep(status);
  RESOLVED((void *), "cuEventQuery")
  return function_(event);
}
API int cudaGetDevice(int *device) { CALL((int *), "cuCtxGetDevice", device); }
API int cudaDeviceGetAttribute(int *value, int attribute, int device) {
  CALL((int *, int, int), "cuDeviceGetAttribute", value, attribute, device);
}
