#include <fused_kernel/core/lean.h>
#include <fused_kernel/algorithms/basic_ops/memory_operations.h>
#include <fused_kernel/algorithms/image_processing/resize.h>
#include <fused_kernel/algorithms/basic_ops/arithmetic.h>

struct fkl_params {
  fk::RawPtr<fk::ND::T3D, double> in0;
  fk::Size resize1_size;
  fk::PlaneTable<double3> mul2_value;
  fk::RawPtr<fk::ND::_3D, double3> out0;
};
static_assert(sizeof(fkl_params) == 144);
static_assert(__builtin_offsetof(fkl_params, in0) == 0);
static_assert(__builtin_offsetof(fkl_params, resize1_size) == 64);
static_assert(__builtin_offsetof(fkl_params, mul2_value) == 72);
static_assert(__builtin_offsetof(fkl_params, out0) == 88);
static_assert(fk::yields<fk::Mul<double3>, double3, double3>, "fkl: step 2, Mul, disagrees with its dtype rule");

static thread_local char message[512];
extern "C" __attribute__((visibility("default"))) const char* fkl_message() { return message; }
[[gnu::noinline, gnu::cold]] static int fkl_failed(int status, const char* text) {
  for (unsigned i = 0; i + 1 < sizeof message; ++i)
    if (!(message[i] = text[i])) break;
  return status;
}
extern "C" __attribute__((visibility("default"))) int fkl_entry(const fkl_params* p, const fk::Runtime* runtime, void* stream) {
  const auto step0 = fk::TensorTPack<double3>::build(p->in0);
  const auto step1 = fk::Resize<fk::InterpolationType::INTER_NEAREST, fk::AspectRatio::IGNORE_AR, NullType, fk::Coordinates::ASYMMETRIC>::build(p->resize1_size);
  const auto step2 = fk::PerPlane<fk::Mul<double3>>::build(p->mul2_value);
  const auto step3 = fk::TensorWrite<double3>::build(p->out0);
  const char* said = "no message";
  const int status = fk::launch<fk::TransformDPP<fk::ParArch::CPU, fk::TF::DISABLED>>(runtime, stream, said, step0, step1, step2, step3);
  return status ? fkl_failed(status, said) : 0;
}
