/* What the instructions of AMD's devices compute that ocml uses, on the host. Approximations are taken as the nearest numbers, and 2^x and
   the logarithm to base 2 of binary32 as those of musl. */
typedef unsigned int u32;
typedef unsigned long long u64;
double ldexp(double, int);
static u64 bits(double x) { u64 b; __builtin_memcpy(&b, &x, 8); return b; }
static double number(u64 b) { double x; __builtin_memcpy(&x, &b, 8); return x; }
static u32 bitsf(float x) { u32 b; __builtin_memcpy(&b, &x, 4); return b; }
static float numberf(u32 b) { float x; __builtin_memcpy(&x, &b, 4); return x; }

float crunch_amdgcn_rcp_f32(float x) { return 1.0f / x; }
double crunch_amdgcn_rcp_f64(double x) { return 1.0 / x; }
float crunch_amdgcn_rsq_f32(float x) { return 1.0f / __builtin_sqrtf(x); }
double crunch_amdgcn_rsq_f64(double x) { return 1.0 / __builtin_sqrt(x); }
float crunch_amdgcn_sqrt_f32(float x) { return __builtin_sqrtf(x); }

float crunch_amdgcn_canonicalize_f32(float x) { return x; }
double crunch_amdgcn_canonicalize_f64(double x) { return x; }

float crunch_amdgcn_fract_f32(float x) {
  float r = x - __builtin_floorf(x);
  return r >= 1.0f ? 0x1.fffffep-1f : r;
}
double crunch_amdgcn_fract_f64(double x) {
  double r = x - __builtin_floor(x);
  return r >= 1.0 ? 0x1.fffffffffffffp-1 : r;
}

/* Zeros, infinities and NaNs are their own, with the exponent 0. */
float crunch_amdgcn_frexp_mant_f32(float x) {
  u32 b = bitsf(x), e = b >> 23 & 255;
  if (x == 0 || e == 255) return x;
  if (e == 0) b = bitsf(x * 0x1p25f);
  return numberf((b & 0x807fffffu) | 0x3f000000u);
}
int crunch_amdgcn_frexp_exp_i32_f32(float x) {
  u32 e = bitsf(x) >> 23 & 255;
  if (x == 0 || e == 255) return 0;
  if (e == 0) return (int)(bitsf(x * 0x1p25f) >> 23 & 255) - 151;
  return (int)e - 126;
}
double crunch_amdgcn_frexp_mant_f64(double x) {
  u64 b = bits(x), e = b >> 52 & 2047;
  if (x == 0 || e == 2047) return x;
  if (e == 0) b = bits(x * 0x1p54);
  return number((b & 0x800fffffffffffffull) | 0x3fe0000000000000ull);
}
int crunch_amdgcn_frexp_exp_i32_f64(double x) {
  u32 e = (u32)(bits(x) >> 52) & 2047;
  if (x == 0 || e == 2047) return 0;
  if (e == 0) return (int)((u32)(bits(x * 0x1p54) >> 52) & 2047) - 1076;
  return (int)e - 1022;
}

/* 53 bits of 2/pi, from the place of the argument's exponent on. */
static const u64 two_over_pi[43] = {
  0xa2f9836e4e441529u, 0xfc2757d1f534ddc0u, 0xdb6295993c439041u, 0xfe5163abdebbc561u, 0xb7246e3a424dd2e0u,
  0x06492eea09d1921cu, 0xfe1deb1cb129a73eu, 0xe88235f52ebb4484u, 0xe99c7026b45f7e41u, 0x3991d639835339f4u,
  0x9c845f8bbdf9283bu, 0x1ff897ffde05980fu, 0xef2f118b5a0a6d1fu, 0x6d367ecf27cb09b7u, 0x4f463f669e5fea2du,
  0x7527bac7ebe5f17bu, 0x3d0739f78a5292eau, 0x6bfb5fb11f8d5d08u, 0x5600000000000000u};
double crunch_amdgcn_trig_preop_f64(double x, int segment) {
  int e = (int)(bits(x) >> 52 & 2047), shift = (segment & 31) * 53, scale;
  if (e > 1077) shift += e - 1077;
  scale = -53 - shift + (e >= 1968 ? 128 : 0);
  u64 high = two_over_pi[shift >> 6], low = two_over_pi[(shift >> 6) + 1];
  int by = shift & 63;
  u64 word = by ? high << by | low >> (64 - by) : high;
  return ldexp((double)(word >> 11), scale);
}
