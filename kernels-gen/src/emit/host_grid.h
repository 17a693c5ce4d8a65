// The grid of the CUDA built-ins, for a host C++ compiler: the text runs on the CPU, one simulated thread after the other.
#include <fenv.h>
#include <math.h>
#include <string.h>

#define __global__
#define __shared__ static thread_local
#define __launch_bounds__(threads)

struct dc_dim { unsigned int x; };
static thread_local dc_dim blockIdx, threadIdx, blockDim, gridDim;

// One simulated thread comes after the other, so nothing comes between.
static inline __attribute__((unused)) unsigned long long atomicAdd(unsigned long long *at, unsigned long long x) {
    const unsigned long long before = *at;
    *at += x;
    return before;
}

