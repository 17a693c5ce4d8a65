// The arithmetic of the CUDA built-ins that emitted text uses, for a host's C or C++ compiler. Build with -ffp-contract=off: GCC
// ignores the STDC pragma and contracts through inlined functions, these included.
#define __device__
#define __forceinline__ inline __attribute__((always_inline))

// GCC (12.2) makes one instruction of -fma(a, b, c), -(a * b) - c: +0 where the sum is an exact zero, and -0 is due. What
// comes out of an assembly statement it leaves alone. Clang of late believes that fma(x, x, c) is never -0; nor does that
// pass.
#if defined(__x86_64__)
#define DC_KEEP(x) __asm__("" : "+x"(x))
#elif defined(__aarch64__)
#define DC_KEEP(x) __asm__("" : "+w"(x))
#else
#define DC_KEEP(x) __asm__("" : "+m"(x))
#endif

#define DC_SHIM static inline __attribute__((always_inline, unused))
DC_SHIM double __dadd_rn(double a, double b) { return a + b; }
DC_SHIM double __dsub_rn(double a, double b) { return a - b; }
DC_SHIM double __dmul_rn(double a, double b) { return a * b; }
DC_SHIM double __ddiv_rn(double a, double b) { return a / b; }
DC_SHIM double __fma_rn(double a, double b, double c) { double r = __builtin_fma(a, b, c); DC_KEEP(r); return r; }
DC_SHIM double __dsqrt_rn(double a) { return __builtin_sqrt(a); }
DC_SHIM double __drcp_rn(double a) { return 1.0 / a; }
DC_SHIM float __fadd_rn(float a, float b) { return a + b; }
DC_SHIM float __fsub_rn(float a, float b) { return a - b; }
DC_SHIM float __fmul_rn(float a, float b) { return a * b; }
DC_SHIM float __fdiv_rn(float a, float b) { return a / b; }
DC_SHIM float __fmaf_rn(float a, float b, float c) { float r = __builtin_fmaf(a, b, c); DC_KEEP(r); return r; }
DC_SHIM float __fsqrt_rn(float a) { return __builtin_sqrtf(a); }
DC_SHIM float __frcp_rn(float a) { return 1.0f / a; }

// Directed roundings: the processor's own, by its rounding mode. A mode is nothing a compiler knows of, so operands and
// result are volatile: their reads stay behind the first call and the write before the second, hence also the one
// operation between them; and nothing is known of the operands, so nothing is computed beforehand. GCC has to be told not
// to make a copy of the function for an operand that is constant in every call: `x - 0.0` is `x` to it then, and the sign of
// zero that the mode gives is lost.
#if defined(__GNUC__) && !defined(__clang__)
#define DC_ALONE __attribute__((noipa))
#else
#define DC_ALONE
#endif
#define DC_MODE(type, name, params, read, value, mode) \
    static DC_ALONE __attribute__((noinline, unused)) type name params { \
        volatile type result; \
        fesetround(mode); \
        { read result = value; } \
        fesetround(FE_TONEAREST); \
        return result; \
    }
#define DC_MODES(type, name, params, read, value) \
    DC_MODE(type, name##_rz, params, read, value, FE_TOWARDZERO) \
    DC_MODE(type, name##_ru, params, read, value, FE_UPWARD) \
    DC_MODE(type, name##_rd, params, read, value, FE_DOWNWARD)
#define DC_DIRECTED1(type, name, value) DC_MODES(type, name, (volatile type x), const type a = x;, value)
#define DC_DIRECTED2(type, name, value) \
    DC_MODES(type, name, (volatile type x, volatile type y), const type a = x; const type b = y;, value)
#define DC_DIRECTED3(type, name, value) \
    DC_MODES(type, name, (volatile type x, volatile type y, volatile type z), \
             const type a = x; const type b = y; const type c = z;, value)
DC_DIRECTED2(double, __dadd, a + b)
DC_DIRECTED2(double, __dsub, a - b)
DC_DIRECTED2(double, __dmul, a * b)
DC_DIRECTED2(double, __ddiv, a / b)
DC_DIRECTED3(double, __fma, __builtin_fma(a, b, c))
DC_DIRECTED1(double, __dsqrt, __builtin_sqrt(a))
DC_DIRECTED1(double, __drcp, 1.0 / a)
DC_DIRECTED2(float, __fadd, a + b)
DC_DIRECTED2(float, __fsub, a - b)
DC_DIRECTED2(float, __fmul, a * b)
DC_DIRECTED2(float, __fdiv, a / b)
DC_DIRECTED3(float, __fmaf, __builtin_fmaf(a, b, c))
DC_DIRECTED1(float, __fsqrt, __builtin_sqrtf(a))
DC_DIRECTED1(float, __frcp, 1.0f / a)

DC_SHIM double __longlong_as_double(long long a) { double x; memcpy(&x, &a, sizeof x); return x; }
DC_SHIM long long __double_as_longlong(double a) { long long x; memcpy(&x, &a, sizeof x); return x; }
DC_SHIM float __int_as_float(int a) { float x; memcpy(&x, &a, sizeof x); return x; }
DC_SHIM int __float_as_int(float a) { int x; memcpy(&x, &a, sizeof x); return x; }

DC_SHIM float __double2float_rn(double a) { return (float)a; }
DC_SHIM double __ll2double_rn(long long a) { return (double)a; }
DC_SHIM float __ll2float_rn(long long a) { return (float)a; }
DC_SHIM double __int2double_rn(int a) { return (double)a; }
DC_SHIM float __int2float_rn(int a) { return (float)a; }
DC_SHIM long long __double2ll_rz(double a) { return (long long)a; }
DC_SHIM int __double2int_rz(double a) { return (int)a; }
DC_SHIM long long __float2ll_rz(float a) { return (long long)a; }
DC_SHIM int __float2int_rz(float a) { return (int)a; }

