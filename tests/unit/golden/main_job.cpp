#include <fused_kernel/core/lean.h>
#include <fused_kernel/algorithms/basic_ops/memory_operations.h>
#include <fused_kernel/algorithms/image_processing/crop.h>
#include <fused_kernel/algorithms/image_processing/resize.h>
#include <fused_kernel/algorithms/image_processing/color_conversion.h>
#include <fused_kernel/algorithms/basic_ops/arithmetic.h>

struct fkl_params {
  fk::RawPtr<fk::ND::_3D, uchar3> in0;
  fk::PlaneTable<fk::Rect> crop1_rects;
  fk::Size resize2_size;
  float3 div4_value;
  float3 sub5_value;
  float3 div6_value;
  fk::RawPtr<fk::ND::T3D, float> out0;
};
static_assert(sizeof(fkl_params) == 184);
static_assert(__builtin_offsetof(fkl_params, in0) == 0);
static_assert(__builtin_offsetof(fkl_params, crop1_rects) == 56);
static_assert(__builtin_offsetof(fkl_params, resize2_size) == 72);
static_assert(__builtin_offsetof(fkl_params, div4_value) == 80);
static_assert(__builtin_offsetof(fkl_params, sub5_value) == 92);
static_assert(__builtin_offsetof(fkl_params, div6_value) == 104);
static_assert(__builtin_offsetof(fkl_params, out0) == 120);
static_assert(fk::yields<fk::ColorConversion<fk::ColorConversionCodes::COLOR_BGR2RGB, float3, float3, fk::ColorDepth::fn8bit>, float3, float3>, "fkl: step 3, ColorConversion, disagrees with its dtype rule");
static_assert(fk::yields<fk::Div<float3>, float3, float3>, "fkl: step 4, Div, disagrees with its dtype rule");
static_assert(fk::yields<fk::Sub<float3>, float3, float3>, "fkl: step 5, Sub, disagrees with its dtype rule");
static_assert(fk::yields<fk::Div<float3>, float3, float3>, "fkl: step 6, Div, disagrees with its dtype rule");

static thread_local char message[512];
extern "C" __attribute__((visibility("default"))) const char* fkl_message() { return message; }
[[gnu::noinline, gnu::cold]] static int fkl_failed(int status, const char* text) {
  for (unsigned i = 0; i + 1 < sizeof message; ++i)
    if (!(message[i] = text[i])) break;
  return status;
}
extern "C" __attribute__((visibility("default"))) int fkl_entry(const fkl_params* p, const fk::Runtime* runtime, void* stream) {
  const auto step0 = fk::TensorRead<uchar3>::build(p->in0);
  const auto step1 = fk::Crop<>::build(p->crop1_rects);
  const auto step2 = fk::Resize<fk::InterpolationType::INTER_LINEAR, fk::AspectRatio::IGNORE_AR, NullType, fk::Coordinates::HALF_PIXEL>::build(p->resize2_size);
  const auto step3 = fk::ColorConversion<fk::ColorConversionCodes::COLOR_BGR2RGB, float3, float3, fk::ColorDepth::fn8bit>::build();
  const auto step4 = fk::Div<float3>::build(p->div4_value);
  const auto step5 = fk::Sub<float3>::build(p->sub5_value);
  const auto step6 = fk::Div<float3>::build(p->div6_value);
  const auto step7 = fk::TensorTSplit<float3>::build(p->out0);
  const char* said = "no message";
  const int status = fk::launch<fk::TransformDPP<fk::ParArch::CPU, fk::TF::ENABLED>>(runtime, stream, said, step0, step1, step2, step3, step4, step5, step6, step7);
  return status ? fkl_failed(status, said) : 0;
}
