struct fkl_params {
  alignas(8) int read_set0_value[2];
  alignas(8) unsigned long long read_set0_size[3];
  alignas(4) int add_last1_value[1];
  fkl_packed out0;
};
static_assert(sizeof(fkl_params) == 96);
static_assert(__builtin_offsetof(fkl_params, read_set0_value) == 0);
static_assert(__builtin_offsetof(fkl_params, read_set0_size) == 8);
static_assert(__builtin_offsetof(fkl_params, add_last1_value) == 32);
static_assert(__builtin_offsetof(fkl_params, out0) == 40);
static_assert(fkl_yields<fk::AddLast<int2, int3>, int2, int3>, "fkl: step 1, AddLast, disagrees with its dtype rule");
static_assert(sizeof(int3) == 12, "fkl: step 2, TensorWrite: FKL_INCLUDE has another layout of int32x3");

static thread_local char message[512];
extern "C" __attribute__((visibility("default"))) const char* fkl_message() { return message; }
[[gnu::noinline, gnu::cold]] static int fkl_failed(int status, const char* text) {
  for (unsigned i = 0; i + 1 < sizeof message; ++i)
    if (!(message[i] = text[i])) break;
  return status;
}
extern "C" __attribute__((visibility("default"))) int fkl_entry(const fkl_params* p, const fkl_runtime* runtime, void* stream) {
  try {
    const auto step0 = fk::ReadSet<int2>::build(int2{p->read_set0_value[0], p->read_set0_value[1]}, fkl_threads(p->read_set0_size));
    const auto step1 = fk::AddLast<int2, int3>::build(p->add_last1_value[0]);
    const auto step2 = fk::TensorWrite<int3>::build(fkl_view<int3>(p->out0));
    fk::Stream_<fk::ParArch::CPU> queue;
    fk::executeOperations<fk::TransformDPP<fk::ParArch::CPU>>(queue, step0, step1, step2);
    return 0;
  } catch (const std::exception& error) {
    return fkl_failed(1, error.what());
  } catch (...) {
    return fkl_failed(1, "fkl: the FKL tree threw something unknown");
  }
}
