// SPDX-License-Identifier: Apache-2.0
// The few functions that a C compiler expects beside libc.so.6 but that are no part of it: glibc keeps
// them in libc_nonshared.a, a development file, and compilers keep the half conversions in a support
// library that the wheels lack. Weak and hidden: a real one wins, and none of these leaks.
// Includes no header, so that a machine without C headers can compile it.
#define QUIET __attribute__((weak, visibility("hidden")))

__attribute__((visibility("hidden"))) void *__dso_handle = &__dso_handle;

extern int __cxa_atexit(void (*)(void *), void *, void *);
extern int __register_atfork(void (*)(void), void (*)(void), void (*)(void), void *);

QUIET int atexit(void (*handler)(void)) {
  return __cxa_atexit((void (*)(void *))handler, (void *)0, __dso_handle);
}

QUIET int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void)) {
  return __register_atfork(prepare, parent, child, __dso_handle);
}

#if defined(__clang__)
#if defined(__x86_64__) && !defined(__F16C__)
// Without F16C a half travels through these: round to nearest even, as the hardware does.
static unsigned bits_of(float value) {
  unsigned bits;
  __builtin_memcpy(&bits, &value, sizeof bits);
  return bits;
}

static float float_of(unsigned bits) {
  float value;
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}

static _Float16 half_of(unsigned short bits) {
  _Float16 value;
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}

QUIET float __extendhfsf2(_Float16 half) {
  unsigned short bits;
  __builtin_memcpy(&bits, &half, sizeof bits);
  unsigned sign = (unsigned)(bits & 0x8000u) << 16, rest = bits & 0x7fffu;
  if (rest >= 0x7c00u) return float_of(sign | 0x7f800000u | (rest & 0x3ffu) << 13 | (rest > 0x7c00u) << 22);
  if (rest >= 0x400u) return float_of(sign | ((rest << 13) + 0x38000000u));
  float small = (float)rest * 0x1p-24f;
  return float_of(sign | bits_of(small));
}

static unsigned short half_bits(double value) {
  unsigned long long bits;
  __builtin_memcpy(&bits, &value, sizeof bits);
  unsigned short sign = (unsigned short)(bits >> 48 & 0x8000u);
  unsigned long long rest = bits & 0x7fffffffffffffffull;
  if (rest > 0x7ff0000000000000ull) return sign | 0x7e00u;
  int exponent = (int)(rest >> 52) - 1023;
  if (exponent > 15) return sign | 0x7c00u;
  if (exponent < -25) return sign;
  unsigned long long mantissa = (rest & 0xfffffffffffffull) | 1ull << 52;
  int drop = exponent < -14 ? 42 + (-14 - exponent) : 42;
  unsigned long long kept = mantissa >> drop, lost = mantissa & ((1ull << drop) - 1), tie = 1ull << (drop - 1);
  kept += lost > tie || (lost == tie && (kept & 1));
  // A carry out of the mantissa walks into the exponent, up to infinity: that is the right rounding.
  unsigned result = exponent < -14 ? (unsigned)kept : (unsigned)kept + ((unsigned)(exponent + 14) << 10);
  return sign | (unsigned short)result;
}

QUIET _Float16 __truncdfhf2(double value) { return half_of(half_bits(value)); }
QUIET _Float16 __truncsfhf2(float value) { return half_of(half_bits((double)value)); }
#endif
#if defined(__x86_64__)
QUIET __bf16 __truncsfbf2(float value) {
  unsigned bits;
  __builtin_memcpy(&bits, &value, sizeof bits);
  unsigned short high = (unsigned short)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
  if ((bits & 0x7fffffffu) > 0x7f800000u) high = (unsigned short)(bits >> 16 | 0x40u);
  __bf16 result;
  __builtin_memcpy(&result, &high, sizeof result);
  return result;
}
#endif
#endif
