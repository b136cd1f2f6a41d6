#include <fused_kernel/core/lean.h>
#include <fused_kernel/algorithms/basic_ops/set.h>
#include <fused_kernel/algorithms/basic_ops/vector_ops.h>
#include <fused_kernel/algorithms/basic_ops/arithmetic.h>
#include <fused_kernel/algorithms/image_processing/saturate.h>
#include <fused_kernel/algorithms/basic_ops/memory_operations.h>

struct fkl_params {
  fk::half3 read_set0_value;
  fk::ActiveThreads read_set0_size;
  fk::half add_last2_value;
  fk::RawPtr<fk::ND::_3D, uchar> out0;
};
static_assert(sizeof(fkl_params) == 96);
static_assert(__builtin_offsetof(fkl_params, read_set0_value) == 0);
static_assert(__builtin_offsetof(fkl_params, read_set0_size) == 8);
static_assert(__builtin_offsetof(fkl_params, add_last2_value) == 32);
static_assert(__builtin_offsetof(fkl_params, out0) == 40);
static_assert(fk::yields<fk::VectorReduce<fk::half3, fk::Max<fk::half, fk::half, fk::half, fk::UnaryType>>, fk::half3, fk::half>, "fkl: step 1, VectorReduce, disagrees with its dtype rule");
static_assert(fk::yields<fk::AddLast<fk::half, fk::half2>, fk::half, fk::half2>, "fkl: step 2, AddLast, disagrees with its dtype rule");
static_assert(fk::yields<fk::SaturateCast<fk::half2, uchar2>, fk::half2, uchar2>, "fkl: step 3, SaturateCast, disagrees with its dtype rule");
static_assert(fk::yields<fk::VectorReorder<uchar2, 1, 0>, uchar2, uchar2>, "fkl: step 4, VectorReorder, disagrees with its dtype rule");
static_assert(fk::yields<fk::Discard<uchar2, uchar>, uchar2, uchar>, "fkl: step 5, Discard, disagrees with its dtype rule");

static thread_local char message[512];
extern "C" __attribute__((visibility("default"))) const char* fkl_message() { return message; }
[[gnu::noinline, gnu::cold]] static int fkl_failed(int status, const char* text) {
  for (unsigned i = 0; i + 1 < sizeof message; ++i)
    if (!(message[i] = text[i])) break;
  return status;
}
extern "C" __attribute__((visibility("default"))) int fkl_entry(const fkl_params* p, const fk::Runtime* runtime, void* stream) {
  const auto step0 = fk::ReadSet<fk::half3>::build(p->read_set0_value, p->read_set0_size);
  const auto step1 = fk::VectorReduce<fk::half3, fk::Max<fk::half, fk::half, fk::half, fk::UnaryType>>::build();
  const auto step2 = fk::AddLast<fk::half, fk::half2>::build(p->add_last2_value);
  const auto step3 = fk::SaturateCast<fk::half2, uchar2>::build();
  const auto step4 = fk::VectorReorder<uchar2, 1, 0>::build();
  const auto step5 = fk::Discard<uchar2, uchar>::build();
  const auto step6 = fk::TensorWrite<uchar>::build(p->out0);
  const char* said = "no message";
  const int status = fk::launch<fk::TransformDPP<fk::ParArch::CPU, fk::TF::ENABLED>>(runtime, stream, said, step0, step1, step2, step3, step4, step5, step6);
  return status ? fkl_failed(status, said) : 0;
}
