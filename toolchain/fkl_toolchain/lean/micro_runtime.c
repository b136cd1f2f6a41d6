// SPDX-License-Identifier: Apache-2.0
// The runtime entry points that compiled <<<>>> code calls, on top of a libcuda that is opened by the first launch.
// A library that contains this needs no libcudart, and loads on a machine without a driver; a launch there
// returns cudaErrorInsufficientDriver. Everything is hidden: each library has its own, and all of them share the
// caller's context with torch, cudart and each other. Plain C and no header, so that any C compiler will do.
//
// Modules are loaded on first use in each context and stay until their context goes: unloading at exit would run
// after the driver has shut down.
typedef unsigned long size_t_;
typedef struct { unsigned x, y, z; } dim3_;
#define API __attribute__((visibility("hidden")))

extern void *dlopen(const char *, int);
extern void *dlsym(void *, const char *);
extern void *calloc(size_t_, size_t_);
extern int pthread_mutex_lock(void *);
extern int pthread_mutex_unlock(void *);
extern int snprintf(char *, size_t_, const char *, ...);

enum {
  SUCCESS = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, INSUFFICIENT_DRIVER = 35, MISSING_CONFIGURATION = 52,
  INVALID_DEVICE_FUNCTION = 98, NO_DEVICE = 100,
  LAZY_NOW = 2, CAPTURE_RELAXED = 2, MAX_DYNAMIC_SHARED = 8, DEFAULT_SHARED = 48 * 1024,
  JIT_ERROR_LOG = 5, JIT_ERROR_LOG_BYTES = 6, LOG_BYTES = 2048,
};

// Set by the link when the device image was made beside the host object; else the object brings its own.
extern const char fkl_fatbin_image[] __attribute__((weak, visibility("hidden")));

static struct {
  int (*cuInit)(unsigned);
  int (*cuCtxGetCurrent)(void **);
  int (*cuCtxSetCurrent)(void *);
  int (*cuDeviceGet)(int *, int);
  int (*cuDevicePrimaryCtxRetain)(void **, int);
  int (*cuModuleLoadDataEx)(void **, const void *, unsigned, int *, void **);
  int (*cuModuleGetFunction)(void **, void *, const char *);
  int (*cuFuncSetAttribute)(void *, int, int);
  int (*cuLaunchKernel)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **,
                        void **);
  int (*cuGetErrorString)(int, const char **);
  int (*cuGetErrorName)(int, const char **);
  int (*cuThreadExchangeStreamCaptureMode)(int *);
  int (*cuCtxGetId)(void *, unsigned long long *);
  int (*cuCtxGetDevice)(int *);
  int (*cuCtxPushCurrent)(void *);
  int (*cuCtxPopCurrent)(void **);
  void *library;
} driver;

static union { char bytes[64]; long align; } mutex;  // all zeros is an unlocked mutex in glibc and in musl
static int driver_state = -1;                        // -1: not tried; else the status that every call returns
static char log_text[LOG_BYTES];
static int log_status;
static __thread int last_error;

static int keep(int status) {
  if (status) last_error = status;
  return status;
}

static int open_driver(void) {
  void *library = dlopen("libcuda.so.1", LAZY_NOW);
  if (!library) return INSUFFICIENT_DRIVER;
#define NEED(field, name) \
  if (!(*(void **)&driver.field = dlsym(library, name))) return INSUFFICIENT_DRIVER
#define LIKE(field, name) *(void **)&driver.field = dlsym(library, name)
  NEED(cuInit, "cuInit");
  NEED(cuCtxGetCurrent, "cuCtxGetCurrent");
  NEED(cuCtxSetCurrent, "cuCtxSetCurrent");
  NEED(cuDeviceGet, "cuDeviceGet");
  NEED(cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain");
  NEED(cuModuleLoadDataEx, "cuModuleLoadDataEx");
  NEED(cuModuleGetFunction, "cuModuleGetFunction");
  NEED(cuFuncSetAttribute, "cuFuncSetAttribute");
  NEED(cuLaunchKernel, "cuLaunchKernel");
  NEED(cuGetErrorString, "cuGetErrorString");
  NEED(cuGetErrorName, "cuGetErrorName");
  LIKE(cuThreadExchangeStreamCaptureMode, "cuThreadExchangeStreamCaptureMode");
  LIKE(cuCtxGetId, "cuCtxGetId");
  NEED(cuCtxGetDevice, "cuCtxGetDevice");
  NEED(cuCtxPushCurrent, "cuCtxPushCurrent_v2");
  NEED(cuCtxPopCurrent, "cuCtxPopCurrent_v2");
  driver.library = library;
  return driver.cuInit(0);
}

static int driver_ready(void) {
  int state = __atomic_load_n(&driver_state, __ATOMIC_ACQUIRE);
  if (state >= 0) return state;
  pthread_mutex_lock(&mutex);
  if (driver_state < 0) __atomic_store_n(&driver_state, open_driver(), __ATOMIC_RELEASE);
  pthread_mutex_unlock(&mutex);
  return driver_state;
}

// A context is known by its pointer and its id: a new one may get the pointer of one that is gone.
typedef struct { void *pointer; unsigned long long id; } Context;

static int current_context(Context *context) {
  int status = driver.cuCtxGetCurrent(&context->pointer);
  context->id = 0;
  if (!status && !context->pointer) {
    int device;
    if ((status = driver.cuDeviceGet(&device, 0))) return status;
    if ((status = driver.cuDevicePrimaryCtxRetain(&context->pointer, device))) return status;
    status = driver.cuCtxSetCurrent(context->pointer);
  }
  if (!status && driver.cuCtxGetId) driver.cuCtxGetId(context->pointer, &context->id);
  return status;
}

// Lists grow at the head and never shrink, so that readers need no lock.
typedef struct Loaded { struct Loaded *next; Context context; void *handle; } Loaded;
typedef struct Image { const void *data; Loaded *modules; } Image;
typedef struct Kernel { struct Kernel *next; const void *host; const char *name; Image *image; Loaded *functions; } Kernel;
static Kernel *kernels;

static void *lookup(Loaded *const *list, Context context) {
  for (Loaded *entry = __atomic_load_n(list, __ATOMIC_ACQUIRE); entry; entry = entry->next)
    if (entry->context.pointer == context.pointer && entry->context.id == context.id) return entry->handle;
  return 0;
}

static void remember(Loaded **list, Context context, void *handle) {
  Loaded *entry = calloc(1, sizeof *entry);
  if (!entry) return;
  entry->next = *list, entry->context = context, entry->handle = handle;
  __atomic_store_n(list, entry, __ATOMIC_RELEASE);
}

static int load_module(Image *image, Context context, void **module) {
  if ((*module = lookup(&image->modules, context))) return SUCCESS;
  int options[] = {JIT_ERROR_LOG, JIT_ERROR_LOG_BYTES};
  void *values[] = {log_text, (void *)(size_t_)(LOG_BYTES - 1)};
  log_text[0] = 0;
  int status = driver.cuModuleLoadDataEx(module, image->data, 2, options, values);
  log_status = log_text[0] ? status : SUCCESS;
  if (!status) remember(&image->modules, context, *module);
  return status;
}

// Images made from PTX have long kernel names shortened (_ptx.py): FNV-1a of 64 bits. nvcc's keep them, and are not
// asked for the short ones: compute-sanitizer reports each miss as an error.
static int function_of(void **function, void *module, const char *name) {
  unsigned long long hash = 0xcbf29ce484222325ull;
  size_t_ length = 0;
  for (; name[length]; ++length) hash = (hash ^ (unsigned char)name[length]) * 0x100000001b3ull;
  if (fkl_fatbin_image && length > 24) {
    char shortened[24];
    snprintf(shortened, sizeof shortened, "fkl_%016llx", hash);
    if (!driver.cuModuleGetFunction(function, module, shortened)) return SUCCESS;
  }
  return driver.cuModuleGetFunction(function, module, name);
}

static int load_function(Kernel *kernel, Context context, void **function) {
  // Loading allocates, which a thread that captures a stream may not do in the default mode.
  int mode = CAPTURE_RELAXED;
  if (driver.cuThreadExchangeStreamCaptureMode) driver.cuThreadExchangeStreamCaptureMode(&mode);
  pthread_mutex_lock(&mutex);
  int status = SUCCESS;
  if (!(*function = lookup(&kernel->functions, context))) {
    void *module = 0;
    status = load_module(kernel->image, context, &module);
    if (!status) status = function_of(function, module, kernel->name);
    if (!status) remember(&kernel->functions, context, *function);
  }
  pthread_mutex_unlock(&mutex);
  if (driver.cuThreadExchangeStreamCaptureMode) driver.cuThreadExchangeStreamCaptureMode(&mode);
  return status;
}

static Kernel *kernel_of(const void *host) {
  for (Kernel *kernel = __atomic_load_n(&kernels, __ATOMIC_ACQUIRE); kernel; kernel = kernel->next)
    if (kernel->host == host) return kernel;
  return 0;
}

static int launch(Kernel *kernel, dim3_ grid, dim3_ block, void **arguments, size_t_ shared, void *stream) {
  int status = driver_ready();
  if (status) return status;
  if (!kernel) return INVALID_DEVICE_FUNCTION;
  Context context;
  if ((status = current_context(&context))) return status;
  void *function = lookup(&kernel->functions, context);
  if (!function && (status = load_function(kernel, context, &function))) return status;
  if (shared > DEFAULT_SHARED && (status = driver.cuFuncSetAttribute(function, MAX_DYNAMIC_SHARED, (int)shared)))
    return status;
  return driver.cuLaunchKernel(function, grid.x, grid.y, grid.z, block.x, block.y, block.z, (unsigned)shared, stream,
                               arguments, 0);
}

// What clang's and nvcc's objects call when the library is loaded and left.
API void **__cudaRegisterFatBinary(const void *wrapper) {
  struct { int magic, version; const void *data; void *unused; } const *own = wrapper;
  Image *image = calloc(1, sizeof *image);
  if (image) image->data = fkl_fatbin_image ? fkl_fatbin_image : own->data;
  return (void **)image;
}
API void __cudaRegisterFatBinaryEnd(void **image) { (void)image; }
API void __cudaUnregisterFatBinary(void **image) { (void)image; }
API char __cudaInitModule(void **image) { (void)image; return 1; }
API void __cudaRegisterVar(void **image, char *host, char *device, const char *name, int external, size_t_ bytes,
                           int constant, int global) {
  (void)image, (void)host, (void)device, (void)name, (void)external, (void)bytes, (void)constant, (void)global;
}
API int __cudaRegisterFunction(void **image, const void *host, char *device, const char *name, int limit, void *tid,
                               void *bid, void *block, void *grid, int *warp) {
  (void)device, (void)limit, (void)tid, (void)bid, (void)block, (void)grid, (void)warp;
  Kernel *kernel = calloc(1, sizeof *kernel);
  if (!kernel) return OUT_OF_MEMORY;
  kernel->host = host, kernel->name = name, kernel->image = (Image *)image;
  pthread_mutex_lock(&mutex);
  kernel->next = kernels;
  __atomic_store_n(&kernels, kernel, __ATOMIC_RELEASE);
  pthread_mutex_unlock(&mutex);
  return SUCCESS;
}

// <<<>>> stores its four values here, and the kernel's stub takes them; only argument evaluation nests.
typedef struct { dim3_ grid, block; size_t_ shared; void *stream; } Configuration;
static __thread Configuration stack[16];
static __thread unsigned depth;

API unsigned __cudaPushCallConfiguration(dim3_ grid, dim3_ block, size_t_ shared, void *stream) {
  if (depth == sizeof stack / sizeof *stack) return 1;
  stack[depth++] = (Configuration){grid, block, shared, stream};
  return 0;
}
API int __cudaPopCallConfiguration(dim3_ *grid, dim3_ *block, size_t_ *shared, void *stream) {
  if (!depth) return MISSING_CONFIGURATION;
  Configuration top = stack[--depth];
  *grid = top.grid, *block = top.block, *shared = top.shared, *(void **)stream = top.stream;
  return SUCCESS;
}
API int cudaLaunchKernel(const void *host, dim3_ grid, dim3_ block, void **arguments, size_t_ shared, void *stream) {
  return keep(launch(kernel_of(host), grid, block, arguments, shared, stream));
}
// nvcc's spelling: it asks for the kernel first.
API int __cudaGetKernel(void **kernel, const void *host) {
  *kernel = kernel_of(host);
  return keep(*kernel ? SUCCESS : INVALID_DEVICE_FUNCTION);
}
API int __cudaLaunchKernel(void *kernel, dim3_ grid, dim3_ block, void **arguments, size_t_ shared, void *stream) {
  return keep(launch(kernel, grid, block, arguments, shared, stream));
}

API int cudaPeekAtLastError(void) { return last_error; }
API int cudaGetLastError(void) {
  int status = last_error;
  last_error = SUCCESS;
  return status;
}
API const char *cudaGetErrorName(int status) {
  const char *name = 0;
  if (status == INSUFFICIENT_DRIVER) return "cudaErrorInsufficientDriver";
  if (driver.cuGetErrorName) driver.cuGetErrorName(status, &name);
  return name ? name : "cudaErrorUnknown";
}
API const char *cudaGetErrorString(int status) {
  static __thread char text[LOG_BYTES + 128];
  const char *said = 0;
  if (status == SUCCESS) return "no error";
  if (status == INSUFFICIENT_DRIVER)
    return "no usable NVIDIA driver: libcuda.so.1 could not be opened, or it is too old (CUDA 11.8 or newer is needed)";
  if (driver.cuGetErrorString) driver.cuGetErrorString(status, &said);
  if (!said) said = "an unknown CUDA error";
  if (status != log_status) return said;
  snprintf(text, sizeof text, "%s: %s", said, log_text);
  return text;
}

#include "micro_calls.h"
