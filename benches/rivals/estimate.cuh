/* ARM's VRECPE: fraction from a table of 256, exponent 253 - e, specials as Advanced SIMD has them. */
#define E1(i) ((((1u << 19) / (2 * (256 + (i)) + 1) + 1) >> 1 & 255) << 15)
#define E4(i) E1(i), E1(i + 1), E1(i + 2), E1(i + 3)
#define E16(i) E4(i), E4(i + 4), E4(i + 8), E4(i + 12)
#define E64(i) E16(i), E16(i + 16), E16(i + 32), E16(i + 48)
static __device__ const unsigned estimates[256] = {E64(0), E64(64), E64(128), E64(192)};

INLINE float estimate(float x) {
    unsigned b = (unsigned)__float_as_int(x), e = b & 0x7f800000u;
    unsigned r = (0x7e800000u - e) | estimates[b >> 15 & 255];
    r = e == 0 ? 0x7f800000u : r;
    r = e >= 0x7e800000u ? 0u : r;
    r |= b & 0x80000000u;
    return __int_as_float((int)(x != x ? 0x7fc00000u : r));
}
