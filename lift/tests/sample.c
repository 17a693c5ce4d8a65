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
