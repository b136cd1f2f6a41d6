struct fkl_params {
  fkl_table in0;
  alignas(4) int resize1_size[2];
  fkl_packed out0;
};
static_assert(sizeof(fkl_params) == 80);
static_assert(__builtin_offsetof(fkl_params, in0) == 0);
static_assert(__builtin_offsetof(fkl_params, resize1_size) == 16);
static_assert(__builtin_offsetof(fkl_params, out0) == 24);
static_assert(sizeof(uchar3) == 3, "fkl: step 0, TensorRead: FKL_INCLUDE has another layout of uint8x3");
static_assert(sizeof(float3) == 12, "fkl: step 2, TensorWrite: FKL_INCLUDE has another layout of float32x3");

static thread_local char message[512];
extern "C" __attribute__((visibility("default"))) const char* fkl_message() { return message; }
[[gnu::noinline, gnu::cold]] static int fkl_failed(int status, const char* text) {
  for (unsigned i = 0; i + 1 < sizeof message; ++i)
    if (!(message[i] = text[i])) break;
  return status;
}
extern "C" __attribute__((visibility("default"))) int fkl_entry(const fkl_params* p, const fkl_runtime* runtime, void* stream) {
  try {
    const auto in0_planes = fkl_images<2, uchar3>(p->in0);
    const auto step0 = fk::PerThreadRead<fk::ND::_2D, uchar3>::build(in0_planes);
    const auto step1 = step0.then(fk::Resize<fk::InterpolationType::INTER_LINEAR, fk::AspectRatio::IGNORE_AR>::build(fk::Size{p->resize1_size[0], p->resize1_size[1]}));
    const auto step2 = fk::TensorWrite<float3>::build(fkl_view<float3>(p->out0));
    fk::Stream_<fk::ParArch::CPU> queue;
    fk::executeOperations<fk::TransformDPP<fk::ParArch::CPU>>(queue, step1, step2);
    return 0;
  } catch (const std::exception& error) {
    return fkl_failed(1, error.what());
  } catch (...) {
    return fkl_failed(1, "fkl: the FKL tree threw something unknown");
  }
}
