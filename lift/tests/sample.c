// Functions of every kind that is lifted, for the tests.
#include <stdint.h>
#include <string.h>

static const double table[8] = {1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 5.0};

static uint32_t bits(float x) {
  uint32_t u;
  memcpy(&u, &x, 4);
  return u;
}

// Branches, an early return, a comparison without sign, a loop, a table.
float sample(float x) {
  if (x < 0)
    return -x * 2;
  if (bits(x) > 0x7f000000u)
    return x / 3.0f;
  double y = x;
  for (int i = 0; i < 4; i++)
    y = y * table[i] + 1.0;
  return (float)(y + table[bits(x) & 7]);
}

// Ordered without sign: negative floats are above.
float above(float x) { return bits(x) > 0x40000000u ? 1.0f : x; }

// Halves until it is small: how often depends on the input.
float halved(float x) {
  uint32_t n = bits(x) >> 28;
  while (n > 0) {
    x = x * 0.5f + 1.0f;
    n--;
  }
  return x;
}

// Results through pointers.
void parts(float x, float *whole, int32_t *exponent) {
  *whole = x * 3.0f;
  *exponent = (int32_t)(bits(x) >> 23 & 255) - 127;
}

// A product and a sum that may be fused.
float fused(float x) { return x * x + x * 0.1f; }

float endless(float x) {
  while (x > 1.0f)
    x = x * 0.75f;
  return x;
}

// Elements that are computed where they are stored: all of the array is known, also what was never written.
double scattered(double x, uint32_t n) {
  double a[6];
  for (int i = 0; i < 3; i++)
    a[(n + i) % 6] = x + i;
  a[(n + 3) % 6] = x * 2.0;
  return a[(n + 2) % 6] - a[(n + 3) % 6];
}

// Division of 64-bit integers, with signs and without.
// Zeros are stored by eights, numbers by fours and by eights: on some paths, and at computed places.
uint32_t cleared(uint32_t x) {
    uint32_t s[6] = {0};
    double d[3] = {0};
    if (x & 1) s[(x >> 1) % 6] = x;
    if (x & 0x100) d[(x >> 9) % 3] = x;
    for (uint32_t i = 0; i < (x >> 30); i++) s[i + 1] ^= x >> i;
    return s[0] ^ (s[1] << 3) ^ (s[2] << 5) ^ (s[3] << 7) ^ (s[5] << 11) ^ (d[0] + d[2] > 1e6);
}

int64_t divided(int64_t a, int64_t b) { return b == 0 || b == -1 ? a : a / b; }
uint64_t remaining(uint64_t a, uint64_t b) { return b == 0 ? a : a % b; }

// Vectors: operations, one element from elsewhere, a table, bits.
typedef float pair __attribute__((vector_size(8)));
static const pair pairs[4] = {{1.0f, 2.0f}, {3.0f, 5.0f}, {7.0f, 11.0f}, {13.0f, 17.0f}};
float vectors(float x) {
  pair p = {x, x * 0.5f};
  pair q = p * pairs[bits(x) & 3] + pairs[1];
  pair r = __builtin_shufflevector(p, q, 2, 1);
  r = p[0] > 1.0f ? r : q;
  uint64_t u;
  memcpy(&u, &r, 8);
  return r[0] - r[1] + (float)(u >> 60);
}

// The exponent by C's functions: of subnormal numbers, of powers beyond the format's, in either direction.
double ldexp(double, int);
double frexp(double, int *);
float scalbnf(float, int);
float frexpf(float, int *);
double scaled(double x, uint32_t n) { return ldexp(x, (int32_t)n >> (n & 31)); }
double taken(double x, uint32_t n) {
  int e = 0;
  double m = frexp(x, &e);
  return x - x != 0 ? m : ldexp(m + (int32_t)(n & 3), e - (int32_t)(n >> 20));
}
float scaledf(float x) {
  int e = 0;
  float m = frexpf(x, &e);
  return x - x != 0 ? m : scalbnf(m, e / 2 - 75);
}

// Calls: two functions share a table; one is called at two places, one has two results and calls another, one stores, one is small.
static const double shared[4] = {0.5, 1.5, -2.5, 3.5};
struct both { double sum, product; };
static double step(double x, uint32_t n) { return x * shared[n & 3] + shared[n >> 30]; }
static double twice(double x) { return x + x; }
static struct both both(double x, double y, int unused) {
  struct both b = {step(x + y, bits((float)x)), twice(x * y)};
  return b;
}
static void halve(double *x) { *x *= 0.5; }
static int64_t rank(double x, int8_t n, int above) { return above ? (x > n) - (x < n) : n; }
double calls(double x, uint32_t n) {
  double step_2 = step(x, n);
  halve(&step_2);
  struct both b = both(step_2, x, 3);
  return x > 1.0 ? b.sum / b.product : b.sum + (double)rank(x, (int8_t)n, 1) * shared[n & 1];
}

float shown(float x) { return __builtin_copysignf(1.5f, x); }
