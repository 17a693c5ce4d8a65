//! The functions of one and two numbers in the languages of devices. Similar names are suggested from them for a misspelt one. The device's
//! compiler decides whether a function exists.

use crate::model::family::Family;

/// The functions in the language of the backend with that name.
pub(super) fn of(backend: &str) -> Vec<&'static str> {
    let names = match Family::of(backend) {
        Some(Family::OpenCl) => OPENCL,
        Some(Family::Cuda) => CUDA,
        _ => "",
    };
    names.split_whitespace().collect()
}

/// OpenCL C, sections "Math Functions" and "Common Functions".
const OPENCL: &str = "acos acosh acospi asin asinh asinpi atan atan2 atan2pi atanh atanpi cbrt ceil copysign cos \
    cosh cospi degrees erf erfc exp exp10 exp2 expm1 fabs fdim floor fmax fmin fmod half_cos \
    half_divide half_exp half_exp10 half_exp2 half_log half_log10 half_log2 half_powr half_recip \
    half_rsqrt half_sin half_sqrt half_tan hypot lgamma log log10 log1p log2 logb maxmag minmag \
    native_cos native_divide native_exp native_exp10 native_exp2 native_log native_log10 \
    native_log2 native_powr native_recip native_rsqrt native_sin native_sqrt native_tan \
    nextafter pow powr radians remainder rint round rsqrt sign sin sinh sinpi sqrt tan tanh \
    tanpi tgamma trunc";

/// CUDA, chapter "Mathematical Functions" and the intrinsics.
const CUDA: &str = "__cosf __exp10f __expf __fdividef __frcp_rd __frcp_rn __frcp_ru __frcp_rz __frsqrt_rn \
    __fsqrt_rd __fsqrt_rn __fsqrt_ru __fsqrt_rz __log10f __log2f __logf __powf __saturatef \
    __sinf __tanf __tanhf __dsqrt_rn __drcp_rn acos acosf acosh acoshf asin asinf asinh asinhf \
    atan atan2 atan2f atanf atanh atanhf cbrt cbrtf ceil ceilf copysign copysignf cos cosf cosh \
    coshf cospi cospif erf erfc erfcf erfcinv erfcinvf erfcx erfcxf erff erfinv erfinvf exp \
    exp10 exp10f exp2 exp2f expf expm1 expm1f fabs fabsf fdim fdimf fdividef floor floorf fmax \
    fmaxf fmin fminf fmod fmodf hypot hypotf j0 j0f j1 j1f lgamma lgammaf log log10 log10f log1p \
    log1pf log2 log2f logf nextafter nextafterf normcdf normcdff pow powf rcbrt rcbrtf remainder \
    remainderf rhypot rhypotf rint rintf round roundf rsqrt rsqrtf sin sinf sinh sinhf sinpi \
    sinpif sqrt sqrtf tan tanf tanh tanhf tgamma tgammaf trunc truncf y0 y0f y1 y1f";
