// The CUDA built-ins that emitted text uses, for a host C++ compiler: the text runs on the CPU, one simulated
// thread after the other. Build with -ffp-contract=off: g++ ignores the STDC pragma and contracts through inlined
// functions, these included.
#include <math.h>
#include <string.h>

#define __device__
#define __global__
#define __forceinline__ inline __attribute__((always_inline))

struct dc_dim { unsigned int x; };
static thread_local dc_dim blockIdx, threadIdx, blockDim, gridDim;

#define DC_SHIM static inline __attribute__((always_inline, unused))
DC_SHIM double __dadd_rn(double a, double b) { return a + b; }
DC_SHIM double __dsub_rn(double a, double b) { return a - b; }
DC_SHIM double __dmul_rn(double a, double b) { return a * b; }
DC_SHIM double __ddiv_rn(double a, double b) { return a / b; }
DC_SHIM double __fma_rn(double a, double b, double c) { return __builtin_fma(a, b, c); }
DC_SHIM double __dsqrt_rn(double a) { return __builtin_sqrt(a); }
DC_SHIM double __drcp_rn(double a) { return 1.0 / a; }
DC_SHIM float __fadd_rn(float a, float b) { return a + b; }
DC_SHIM float __fsub_rn(float a, float b) { return a - b; }
DC_SHIM float __fmul_rn(float a, float b) { return a * b; }
DC_SHIM float __fdiv_rn(float a, float b) { return a / b; }
DC_SHIM float __fmaf_rn(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
DC_SHIM float __fsqrt_rn(float a) { return __builtin_sqrtf(a); }
DC_SHIM float __frcp_rn(float a) { return 1.0f / a; }

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

