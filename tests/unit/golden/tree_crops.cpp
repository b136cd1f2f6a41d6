struct fkl_params {
  fkl_packed in0;
  fkl_table crop1_rects;
  alignas(4) int resize2_size[2];
  alignas(4) float resize2_background[3];
  alignas(4) float div4_value[3];
  fkl_planar out0;
};
static_assert(sizeof(fkl_params) == 168);
static_assert(__builtin_offsetof(fkl_params, in0) == 0);
static_assert(__builtin_offsetof(fkl_params, crop1_rects) == 56);
static_assert(__builtin_offsetof(fkl_params, resize2_size) == 72);
static_assert(__builtin_offsetof(fkl_params, resize2_background) == 80);
static_assert(__builtin_offsetof(fkl_params, div4_value) == 92);
static_assert(__builtin_offsetof(fkl_params, out0) == 104);
static_assert(sizeof(uchar3) == 3, "fkl: step 0, TensorRead: FKL_INCLUDE has another layout of uint8x3");
static_assert(fkl_yields<fk::ColorConversion<fk::ColorConversionCodes::COLOR_BGR2RGB, float3, float3>, float3, float3>, "fkl: step 3, ColorConversion, disagrees with its dtype rule");
static_assert(fkl_yields<fk::Div<float3>, float3, float3>, "fkl: step 4, Div, disagrees with its dtype rule");

static thread_local char message[512];
extern "C" __attribute__((visibility("default"))) const char* fkl_message() { return message; }
[[gnu::noinline, gnu::cold]] static int fkl_failed(int status, const char* text) {
  for (unsigned i = 0; i + 1 < sizeof message; ++i)
    if (!(message[i] = text[i])) break;
  return status;
}
extern "C" __attribute__((visibility("default"))) int fkl_entry(const fkl_params* p, const fkl_runtime* runtime, void* stream) {
  try {
    const auto step0 = fk::TensorRead<uchar3>::build(fkl_view<uchar3>(p->in0));
    const auto crop1_rects_planes = fkl_rects<3>(p->crop1_rects);
    const auto step1 = step0.then(fk::Crop<>::build(crop1_rects_planes));
    const auto step2 = step1.then(fk::Resize<fk::InterpolationType::INTER_LINEAR, fk::AspectRatio::PRESERVE_AR>::build(fk::Size{p->resize2_size[0], p->resize2_size[1]}, float3{p->resize2_background[0], p->resize2_background[1], p->resize2_background[2]}));
    const auto step3 = fk::ColorConversion<fk::ColorConversionCodes::COLOR_BGR2RGB, float3, float3>::build();
    const auto step4 = fk::Div<float3>::build(float3{p->div4_value[0], p->div4_value[1], p->div4_value[2]});
    const auto step5 = fk::TensorTSplit<float3>::build(fkl_planar_view<float3>(p->out0));
    fk::Stream_<fk::ParArch::CPU> queue;
    fk::executeOperations<fk::TransformDPP<fk::ParArch::CPU>>(queue, step2, step3, step4, step5);
    return 0;
  } catch (const std::exception& error) {
    return fkl_failed(1, error.what());
  } catch (...) {
    return fkl_failed(1, "fkl: the FKL tree threw something unknown");
  }
}
