/* Faults of routines for mathematical functions that people have reported, written anew as formulas, and the same functions without
   them: docs/book/src/evidence/gallery.md.

   cc -O2 -ffp-contract=off -shared -fPIC gallery.c -o libgallery.so -lm */
#include <math.h>
#include <stdint.h>
#include <string.h>

static uint32_t bits(float x) { uint32_t u; memcpy(&u, &x, 4); return u; }
static float number(uint32_t u) { float x; memcpy(&x, &u, 4); return x; }

/* 1. Cancels for negative x. */
float asinh_1(float x) { return logf(x + sqrtf(x * x + 1.0f)); }
float asinh_2(float x) { float a = fabsf(x); return copysignf(log1pf(a + a * a / (1.0f + sqrtf(a * a + 1.0f))), x); }

/* 2. A series for 1/sqrt(2) <= 1 + x <= sqrt(2), taken where |x| < sqrt(2) - 1. */
static double series(double x) {
    double s = x / (2.0 + x), q = s * s, sum = 0.0;
    for (int n = 21; n >= 3; n -= 2) sum = q * (2.0 / n + sum);
    return s * (2.0 + sum);
}
double log1p_1(double x) { return fabs(x) < M_SQRT2 - 1.0 ? series(x) : log(1.0 + x); }
double log1p_2(double x) { return x > M_SQRT1_2 - 1.0 && x < M_SQRT2 - 1.0 ? series(x) : log(1.0 + x); }

/* 3. The sum is rounded to 1 before the floor. */
float round_1(float x) { return floorf(x + 0.5f); }
float round_2(float x) { float t = truncf(x); return fabsf(x - t) >= 0.5f ? t + copysignf(1.0f, x) : t; }

/* 4. A quotient of two rounded numbers. */
double log10_1(double x) { return log(x) / log(10.0); }
double log10_2(double x) { return log10(x); }

/* 5. Returns x where ln(1 + e^x) is still above it. */
double softplus_1(double x) { return x > 20.0 ? x : log(1.0 + exp(x)); }
double softplus_2(double x) { return fmax(x, 0.0) + log1p(exp(-fabs(x))); }

/* 6. 1 + e^x is rounded. */
float softplusf_1(float x) { return logf(1.0f + expf(x)); }
float softplusf_2(float x) { return fmaxf(x, 0.0f) + log1pf(expf(-fabsf(x))); }

/* 7. e^x is rounded before 1 is taken off. */
float expm1_1(float x) { return expf(x) - 1.0f; }
float expm1_2(float x) { return expm1f(x); }

/* 8. The squares overflow. */
float hypot_1(float x, float y) { return sqrtf(x * x + y * y); }
float hypot_2(float x, float y) { return (float)sqrt((double)x * x + (double)y * y); }

/* 9. The limit of the straight part is 0.04045. */
float srgb_1(float x) { return x <= 0.4045f ? x / 12.92f : powf((x + 0.055f) / 1.055f, 2.4f); }
float srgb_2(float x) { return x <= 0.04045f ? x / 12.92f : (float)pow((x + 0.055) / 1.055, 2.4); }

/* 10. A multiple of pi in one float is taken off. */
float sin_1(float x) { float n = rintf(x / 3.1415927f); float r = sinf(x - n * 3.1415927f); return fmodf(n, 2.0f) == 0.0f ? r : -r; }
float sin_2(float x) { double n = rint(x / M_PI); double r = sin(x - n * M_PI); return (float)(fmod(n, 2.0) == 0.0 ? r : -r); }

/* 11. A compiler that contracts makes one of the products exact, and the other not. */
double squares_1(double x, double y) { return fma(x, x, -(y * y)); }
double squares_2(double x, double y) { return (x - y) * (x + y); }

/* 12. A multiplication and an addition in binary64, rounded twice. */
float fma_1(float x) { return (float)(4097.0 * 4097.0 + (double)x); }
float fma_2(float x) { return fmaf(4097.0f, 4097.0f, x); }

/* 13. bfloat16 by dropping bits, and rounded to nearest even. */
float bf16_1(float x) { return number(bits(x) & 0xffff0000u); }
float bf16_2(float x) { return x != x ? x : number((bits(x) + 0x7fffu + (bits(x) >> 16 & 1)) & 0xffff0000u); }

/* 14. bfloat16 of a double by way of binary32: rounded twice. */
double bf16_3(double x) { return bf16_2((float)x); }
double bf16_4(double x) {
    float y = (float)x;
    uint32_t u = bits(y);
    /* Rounded to odd: toward zero, and the last bit set where that is not exact. */
    if (y != x) { if (fabs((double)y) > fabs(x)) u--; u |= 1; }
    return bf16_2(number(u));
}

/* 15. An angle wrapped to [0, 360): a small negative one becomes 360. */
float wrap_1(float x) { return x - 360.0f * floorf(x / 360.0f); }
float wrap_2(float x) { float r = wrap_1(x); return r >= 360.0f ? 0.0f : r; }

/* 16. A power without the sign of a negative base. */
float pow_1(float x, float y) { return expf(y * logf(fabsf(x))); }
float pow_2(float x, float y) { return (float)pow(x, y); }

/* 17. e^x by a number whose bits are linear in x: for x far below 0 the integer wraps around. */
float magic_1(float x) { float e = number((uint32_t)(int64_t)(12102203.0f * x + 1064866805.0f)); return logf(1.0f + e); }
float magic_2(float x) { return x < -87.0f ? 0.0f : magic_1(x); }

/* 18. Returns x where it is still above ln(sigmoid x). */
float logsigmoid_1(float x) { return x < -4.0f ? x : -logf(1.0f + expf(-x)); }
float logsigmoid_2(float x) { return fminf(x, 0.0f) - log1pf(expf(-fabsf(x))); }

/* 19. A tanh by its continued fraction, which passes 1. */
float tanh_1(float x) {
    float q = x * x;
    return x * (135135.0f + q * (17325.0f + q * (378.0f + q))) / (135135.0f + q * (62370.0f + q * (3150.0f + q * 28.0f)));
}
float tanh_2(float x) { return fminf(fmaxf(tanh_1(x), -1.0f), 1.0f); }

/* 20. A sigmoid whose parts are rounded to bfloat16. */
float sigmoid_1(float x) { float e = bf16_2(expf(x)); return bf16_2(e / bf16_2(1.0f + e)); }
float sigmoid_2(float x) { return bf16_2((float)(1.0 / (1.0 + exp(-(double)x)))); }

/* 21. Two polynomials of sin that do not meet where they are joined. */
float pieces_1(float x) {
    float q = x * x;
    return x < 0.5f ? x * (1.0f - q / 6.0f * (1.0f - q / 20.0f)) : x * (1.0f - q / 6.0f * (1.0f - q / 20.0f * (1.0f - q / 42.0f)));
}
float pieces_2(float x) {
    float q = x * x;
    return x * (1.0f - q / 6.0f * (1.0f - q / 20.0f * (1.0f - q / 42.0f)));
}

/* 22. The cube root by a power. */
float cbrt_1(float x) { return powf(x, 1.0f / 3.0f); }
float cbrt_2(float x) { return cbrtf(x); }

/* 23. An integer of 64 bits by way of a double. */
float from_u64_1(uint64_t n) { return (float)(double)n; }
float from_u64_2(uint64_t n) { return (float)n; }

/* 24. The bits of bfloat16 of an integer, by way of binary32. */
uint16_t from_i32_1(int32_t n) { return bits(bf16_2((float)n)) >> 16; }
uint16_t from_i32_2(int32_t n) { return bits((float)bf16_4((double)n)) >> 16; }
