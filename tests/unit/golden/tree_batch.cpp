struct fkl_params {
  fkl_planar in0;
  alignas(4) float mul1_value[3];
  alignas(4) int resize2_size[2];
  fkl_packed out0;
};
static_assert(sizeof(fkl_params) == 144);
static_assert(__builtin_offsetof(fkl_params, in0) == 0);
static_assert(__builtin_offsetof(fkl_params, mul1_value) == 64);
static_assert(__builtin_offsetof(fkl_params, resize2_size) == 76);
static_assert(__builtin_offsetof(fkl_params, out0) == 88);
static_assert(fkl_yields<fk::Mul<float3>, float3, float3>, "fkl: step 1, Mul, disagrees with its dtype rule");
static_assert(sizeof(float3) == 12, "fkl: step 3, TensorWrite: FKL_INCLUDE has another layout of float32x3");

static thread_local char message[512];
extern "C" __attribute__((visibility("default"))) const char* fkl_message() { return message; }
[[gnu::noinline, gnu::cold]] static int fkl_failed(int status, const char* text) {
  for (unsigned i = 0; i + 1 < sizeof message; ++i)
    if (!(message[i] = text[i])) break;
  return status;
}
extern "C" __attribute__((visibility("default"))) int fkl_entry(const fkl_params* p, const fkl_runtime* runtime, void* stream) {
  try {
    const auto in0_planes = fkl_planar_views<4, float3>(p->in0);
    const auto step0 = fk::TensorTPack<float3>::build(in0_planes);
    const auto step1 = step0.then(fk::Mul<float3>::build(float3{p->mul1_value[0], p->mul1_value[1], p->mul1_value[2]}));
    const auto step2 = step1.then(fk::Resize<fk::InterpolationType::INTER_LINEAR, fk::AspectRatio::IGNORE_AR>::build(fk::Size{p->resize2_size[0], p->resize2_size[1]}));
    const auto step3 = fk::TensorWrite<float3>::build(fkl_view<float3>(p->out0));
    fk::Stream_<fk::ParArch::CPU> queue;
    fk::executeOperations<fk::TransformDPP<fk::ParArch::CPU>>(queue, step2, step3);
    return 0;
  } catch (const std::exception& error) {
    return fkl_failed(1, error.what());
  } catch (...) {
    return fkl_failed(1, "fkl: the FKL tree threw something unknown");
  }
}
