#include <fused_kernel/core/lean.h>
#include <fused_kernel/algorithms/basic_ops/memory_operations.h>
#include <fused_kernel/algorithms/image_processing/resize.h>

struct fkl_params {
  fk::PlaneTable<fk::RawPtr<fk::ND::_2D, uchar3>> in0;
  fk::Size resize1_size;
  float3 resize1_background;
  fk::RawPtr<fk::ND::_3D, float3> out0;
};
static_assert(sizeof(fkl_params) == 96);
static_assert(__builtin_offsetof(fkl_params, in0) == 0);
static_assert(__builtin_offsetof(fkl_params, resize1_size) == 16);
static_assert(__builtin_offsetof(fkl_params, resize1_background) == 24);
static_assert(__builtin_offsetof(fkl_params, out0) == 40);

static thread_local char message[512];
extern "C" __attribute__((visibility("default"))) const char* fkl_message() { return message; }
[[gnu::noinline, gnu::cold]] static int fkl_failed(int status, const char* text) {
  for (unsigned i = 0; i + 1 < sizeof message; ++i)
    if (!(message[i] = text[i])) break;
  return status;
}
extern "C" __attribute__((visibility("default"))) int fkl_entry(const fkl_params* p, const fk::Runtime* runtime, void* stream) {
  const auto step0 = fk::RuntimeBatch<fk::PerThreadRead<fk::ND::_2D, uchar3>>::build(p->in0);
  const auto step1 = fk::Resize<fk::InterpolationType::INTER_LINEAR, fk::AspectRatio::PRESERVE_AR, float3, fk::Coordinates::HALF_PIXEL>::build(p->resize1_size, p->resize1_background);
  const auto step2 = fk::PerThreadWrite<fk::ND::_3D, float3>::build(p->out0);
  const char* said = "no message";
  const int status = fk::launch<fk::TransformDPP<fk::ParArch::CPU, fk::TF::ENABLED>>(runtime, stream, said, step0, step1, step2);
  return status ? fkl_failed(status, said) : 0;
}
