//! What is known about each function, for its documentation. `scripts/about.py` writes this file.

/// The documentation of a function after its first line.
macro_rules! about {
    (F64 acos) => {
        "\n\nLargest error found: 0.5121 ULP, at 0.55664. Certified: at most 0.55 ULP for all finite arguments in the domain, 0.5329 ULP for -1 to 1 (`cargo xtask math --bounds --only f64::acos`). Time: 1.02 ns per number in slices, 4.39 ns for a single number (Intel Xeon with AVX-512; `cargo bench -p dc-math --bench math`)."
    };
    (F64 acosh) => {
        "\n\nLargest error found: 0.5017 ULP, at 1. Certified: at most 0.55 ULP for all finite arguments in the domain, 0.5497 ULP for 1 to largest (`cargo xtask math --bounds --only f64::acosh`). Time: 1.68 ns per number in slices, 7.03 ns for a single number (Intel Xeon with AVX-512; `cargo bench -p dc-math --bench math`)."
    };
    (F64 acospi) => {
        "\n\nLargest error found: 0.5002 ULP, at 0.81323. Certified: at most 0.55 ULP for all finite arguments in the domain, 0.5015 ULP for -0.99 to 0.99 (`cargo xtask math --bounds --only f64::acospi`). Time: 2.77 ns per number in slices, 14.32 ns for a single number (Intel Xeon with AVX-512; `cargo bench -p dc-math --bench math`)."
    };
    (F64 asin) => {
        "\n\nLargest error found: 0.5159 ULP, at -0.50537. Certified: at most 0.55 ULP for all finite arguments in the domain, 0.5419 ULP for -1 to 1 (`cargo xtask math --bounds --only f64::asin`). Time: 0.99 ns per number in slices, 4.09 ns for a single number (Intel Xeon with AVX-512; `cargo bench -p dc-math --bench math`)."
    };
    (F64 asinh) => {
        "\n\nLargest error found: 0.5104 ULP, at -0.038757. Certified: at most 0.55 ULP for all finite arguments in the domain, 0.5498 ULP for -largest to largest (`cargo xtask math --bounds --only f64::asinh`). Time: 1.71 ns per number in slices, 7.37 ns for a single number (Intel Xeon with AVX-512; `cargo bench -p dc-math --bench math`)."
    };
    (F64 asinpi) => {
        "\n\nLargest error found: 0.5002 ULP, at -0.010388. Certified: at most 0.55 ULP for all finite arguments in the domain, 0.5088 ULP for 1e-10 to 1 (`cargo xtask math --bounds --only f64::asinpi`). Time: 2.94 ns per number in slices, 14.97 ns for a single number (Intel Xeon with AVX-512; `cargo bench -p dc-math --bench math`)."
    };
    (F64 atan) => {
        "\n\nLargest error found: 0.5020 ULP, at -0.026602. Certified: at most 0.55 ULP for all finite arguments in the domain, 0.5051 ULP for -largest to largest (`cargo xtask math --bounds --only f64::atan`). Time: 1.42 ns per number in slices, 6.21 ns for a single number (Intel Xeon with AVX-512; `cargo bench -p dc-math --bench math`)."
    };
    (F64 atan2) => {
        "\n\nLargest error found: 0.5010 ULP, at (0.82176, 32.442). Certified: at most 0.51 ULP for all pairs (`cargo xtask math --bounds --only f64::atan2`). Time: 1.85 ns per number in slices, 11.56 ns for a single number (Intel Xeon with AVX-512; `cargo bench -p dc-math --bench math`)."
    };
    (F64 atanh) => {
        "\n\nLargest error found: 0.5129 ULP, at -0.011838. Certified: at most 0.55 ULP for all finite arguments in the domain, 0.5498 ULP for -0.9999999999999999 to 0.9999999999999999 (`cargo xtask math --bounds --only f64::atanh`). Time: 1.46 ns per number in slices, 7.73 ns for a single number (Intel Xeon with AVX-512; `cargo bench -p dc-math --bench math`)."
    };
    (F64 atanpi) => {
        "\n\nLargest error found: 0.5016 ULP, at -0.035317. Certified: at most 0.55 ULP for all finite arguments in the domain, 0.5036 ULP for -largest to largest (`cargo xtask math --bounds --only f64::atanpi`). Time: 1.73 ns per number in slices, 10.20 ns for a single number (Intel Xeon with AVX-512; `cargo bench -p dc-math --bench math`)."
    };
    (F64 cbrt) => {
        "\n\nLargest error found: 0.5151 ULP, at 2765.5. Certified: at most 0.55 ULP for all finite arguments in the domain, 0.5288 ULP for 5e-324 to largest (`cargo xtask math --bounds --only f64::cbrt`). Time: 1.11 ns per number in slices, 8.28 ns for a single number (Intel Xeon with AVX-512; `cargo bench -p dc-math --bench math`)."
    };
    (F64 cos) => {
        "\n\nLargest error found: 0.5261 ULP, at 3.5079e+187. Certified: at most 0.55 ULP for all finite arguments in the domain, 0.5324 ULP for -10 to 200 (`cargo xtask math --bounds --only f64::cos`). Time: 0.94 ns per number in slices, 3.75 ns for a single number (Intel Xeon with AVX-512; `cargo bench -p dc-math --bench math`)."
    };
    (F64 cosh) => {
        "\n\nLargest error found: 0.5002 ULP, at 218.14. Certified: at most 0.55 ULP for all finite arguments in the domain, 0.5031 ULP for -710 to 710 (`cargo xtask math --bounds --only f64::cosh`). Time: 0.96 ns per number in slices, 5.26 ns for a single number (Intel Xeon with AVX-512; `cargo bench -p dc-math --bench math`)."
    };
    (F64 cospi) => {
        "\n\nLargest error found: 0.5185 ULP, at 2454.5. Certified: at most 0.55 ULP for all finite arguments in the domain, 0.5312 ULP for -1 to 1 (`cargo xtask math --bounds --only f64::cospi`). Time: 1.03 ns per number in slices, 5.64 ns for a single number (Intel Xeon with AVX-512; `cargo bench -p dc-math --bench math`)."
    };
    (F64 erf) => {
        "\n\nLargest error found: 0.5024 ULP, at -0.37427. Certified: at most 0.55 ULP for all finite arguments in the domain, 0.5201 ULP for 1e-10 to 5.9 (`cargo xtask math --bounds --only f64::erf`). Time: 1.41 ns per number in slices, 7.64 ns for a single number (Intel Xeon with AVX-512; `cargo bench -p dc-math --bench math`)."
    };
    (F64 erfc) => {
        "\n\nLargest error found: 0.5113 ULP, at 0.01468. Certified: at most 0.55 ULP for all finite arguments in the domain, 0.5192 ULP for -5.9 to 27.2 (`cargo xtask math --bounds --only f64::erfc`). Time: 2.18 ns per number in slices, 10.98 ns for a single number (Intel Xeon with AVX-512; `cargo bench -p dc-math --bench math`)."
    };
    (F64 exp) => {
        "\n\nLargest error found: 0.5330 ULP, at -0.061346. Certified: at most 0.55 ULP for all finite arguments in the domain, 0.5465 ULP for -largest to largest (`cargo xtask math --bounds --only f64::exp`). Time: 0.46 ns per number in slices, 2.33 ns for a single number (Intel Xeon with AVX-512; `cargo bench -p dc-math --bench math`)."
    };
    (F64 exp10) => {
        "\n\nLargest error found: 0.5330 ULP, at 77.656. Certified: at most 0.55 ULP for all finite arguments in the domain, 0.5468 ULP for -largest to largest (`cargo xtask math --bounds --only f64::exp10`)."
    };
    (F64 exp10m1) => {
        "\n\nLargest error found: 0.5122 ULP, at 0.011667. Certified: at most 0.55 ULP for all finite arguments in the domain, 0.5353 ULP for -largest to largest (`cargo xtask math --bounds --only f64::exp10m1`). Time: 0.90 ns per number in slices, 4.56 ns for a single number (Intel Xeon with AVX-512; `cargo bench -p dc-math --bench math`)."
    };
    (F64 exp2) => {
        "\n\nLargest error found: 0.5341 ULP, at -13.032. Certified: at most 0.55 ULP for all finite arguments in the domain, 0.5479 ULP for -1100 to 1100 (`cargo xtask math --bounds --only f64::exp2`). Time: 0.47 ns per number in slices, 2.50 ns for a single number (Intel Xeon with AVX-512; `cargo bench -p dc-math --bench math`)."
    };
    (F64 exp2m1) => {
        "\n\nLargest error found: 0.5155 ULP, at -0.02584. Certified: at most 0.55 ULP for all finite arguments in the domain, 0.5353 ULP for -largest to largest (`cargo xtask math --bounds --only f64::exp2m1`). Time: 0.88 ns per number in slices, 4.41 ns for a single number (Intel Xeon with AVX-512; `cargo bench -p dc-math --bench math`)."
    };
    (F64 expm1) => {
        "\n\nLargest error found: 0.5166 ULP, at 0.022109. Certified: at most 0.55 ULP for all finite arguments in the domain, 0.5311 ULP for -largest to largest (`cargo xtask math --bounds --only f64::expm1`). Time: 0.84 ns per number in slices, 4.02 ns for a single number (Intel Xeon with AVX-512; `cargo bench -p dc-math --bench math`)."
    };
    (F64 gelu) => {
        "\n\nLargest error found: 0.5032 ULP, at -0.028469. Certified: at most 0.55 ULP for all finite arguments in the domain, 0.5096 ULP for -largest to -1e-10 and 40 to largest (`cargo xtask math --bounds --only f64::gelu`). Time: 2.39 ns per number in slices, 12.33 ns for a single number (Intel Xeon with AVX-512; `cargo bench -p dc-math --bench math`)."
    };
    (F64 hypot) => {
        "\n\nLargest error found: 0.5000 ULP, at (1.0838, 8221.3). Certified: at most 0.50000000000001 ULP for all pairs of finite numbers (`crunch bound hypot`). Time: 1.32 ns per number in slices, 2.78 ns for a single number (Intel Xeon with AVX-512; `cargo bench -p dc-math --bench math`)."
    };
    (F64 lgamma) => {
        "\n\nLargest error found: 0.5023 ULP, at 0.49087. Certified: at most 0.55 ULP, 0.5193 ULP for 1e-10 to 1e15 (`cargo xtask math --bounds --only f64::lgamma`). Time: 3.30 ns per positive number in slices, 20.64 ns for a single number (AMD EPYC with AVX-512; `cargo bench -p dc-math --bench math`)."
    };
    (F64 log) => {
        "\n\nLargest error found: 0.5189 ULP, at 0.97773. Certified: at most 0.55 ULP for all finite arguments in the domain, 0.5498 ULP for 5e-324 to largest (`cargo xtask math --bounds --only f64::log`). Time: 0.67 ns per number in slices, 3.48 ns for a single number (Intel Xeon with AVX-512; `cargo bench -p dc-math --bench math`)."
    };
    (F64 log10) => {
        "\n\nLargest error found: 0.5123 ULP, at 1.0288. Certified: at most 0.55 ULP for all finite arguments in the domain, 0.5440 ULP for 5e-324 to largest (`cargo xtask math --bounds --only f64::log10`). Time: 0.72 ns per number in slices, 3.83 ns for a single number (Intel Xeon with AVX-512; `cargo bench -p dc-math --bench math`)."
    };
    (F64 log10p1) => {
        "\n\nLargest error found: 0.5173 ULP, at -0.034705. Certified: at most 0.55 ULP for all finite arguments in the domain, 0.5440 ULP for -0.9999999999999999 to largest (`cargo xtask math --bounds --only f64::log10p1`). Time: 1.05 ns per number in slices, 5.57 ns for a single number (Intel Xeon with AVX-512; `cargo bench -p dc-math --bench math`)."
    };
    (F64 log1p) => {
        "\n\nLargest error found: 0.5185 ULP, at 0.031311. Certified: at most 0.55 ULP for all finite arguments in the domain, 0.5498 ULP for -0.9999999999999999 to largest (`cargo xtask math --bounds --only f64::log1p`). Time: 1.02 ns per number in slices, 5.09 ns for a single number (Intel Xeon with AVX-512; `cargo bench -p dc-math --bench math`)."
    };
    (F64 log2) => {
        "\n\nLargest error found: 0.5215 ULP, at 0.95762. Certified: at most 0.55 ULP for all finite arguments in the domain, 0.5446 ULP for 5e-324 to largest (`cargo xtask math --bounds --only f64::log2`). Time: 0.70 ns per number in slices, 3.56 ns for a single number (Intel Xeon with AVX-512; `cargo bench -p dc-math --bench math`)."
    };
    (F64 log2p1) => {
        "\n\nLargest error found: 0.5181 ULP, at -0.040405. Certified: at most 0.55 ULP for all finite arguments in the domain, 0.5446 ULP for -0.9999999999999999 to largest (`cargo xtask math --bounds --only f64::log2p1`). Time: 1.03 ns per number in slices, 5.45 ns for a single number (Intel Xeon with AVX-512; `cargo bench -p dc-math --bench math`)."
    };
    (F64 logit) => {
        "\n\nLargest error found: 0.5251 ULP, at 0.48895. Certified: at most 0.55 ULP for all finite arguments in the domain, 0.5499 ULP for 1e-300 to 0.9999999999999999 (`cargo xtask math --bounds --only f64::logit`). Time: 1.34 ns per number in slices, 6.59 ns for a single number (Intel Xeon with AVX-512; `cargo bench -p dc-math --bench math`)."
    };
    (F64 mish) => {
        "\n\nLargest error found: 0.5002 ULP, at -8.5181. Certified: at most 0.55 ULP for all finite arguments in the domain, 0.5013 ULP for -largest to -1e-10 and 700 to largest (`cargo xtask math --bounds --only f64::mish`). Time: 1.55 ns per number in slices, 10.16 ns for a single number (Intel Xeon with AVX-512; `cargo bench -p dc-math --bench math`)."
    };
    (F64 pow) => {
        "\n\nLargest error found: 0.5238 ULP, at (1, 9.3455e+09). Certified: at most 0.55 ULP for all pairs but those next to the limit of infinite results (`cargo xtask math --bounds --only f64::pow`). Time: 1.54 ns per number in slices, 9.79 ns for a single number (Intel Xeon with AVX-512; `cargo bench -p dc-math --bench math`)."
    };
    (F64 powr) => {
        "\n\nLargest error found: 0.5238 ULP, at (1, 9.3455e+09). Certified: at most 0.55 ULP for all pairs but those next to the limit of infinite results (`cargo xtask math --bounds --only f64::powr`). Time: 1.54 ns per number in slices, 10.37 ns for a single number (Intel Xeon with AVX-512; `cargo bench -p dc-math --bench math`)."
    };
    (F64 rsqrt) => {
        "\n\nLargest error found: 0.5000 ULP, at 3171.9. Certified: at most 0.55 ULP for all finite arguments in the domain, 0.5001 ULP for 5e-324 to largest (`cargo xtask math --bounds --only f64::rsqrt`)."
    };
    (F64 sigmoid) => {
        "\n\nLargest error found: 0.5001 ULP, at -2.2433. Certified: at most 0.55 ULP for all finite arguments in the domain, 0.5011 ULP for -largest to largest (`cargo xtask math --bounds --only f64::sigmoid`). Time: 1.05 ns per number in slices, 6.29 ns for a single number (Intel Xeon with AVX-512; `cargo bench -p dc-math --bench math`)."
    };
    (F64 silu) => {
        "\n\nLargest error found: 0.5003 ULP, at -6.0492. Certified: at most 0.55 ULP for all finite arguments in the domain, 0.5014 ULP for -largest to largest (`cargo xtask math --bounds --only f64::silu`). Time: 1.24 ns per number in slices, 7.18 ns for a single number (Intel Xeon with AVX-512; `cargo bench -p dc-math --bench math`)."
    };
    (F64 sin) => {
        "\n\nLargest error found: 0.5305 ULP, at 7.4888e+268. Certified: at most 0.55 ULP for all finite arguments in the domain, 0.5325 ULP for -200 to 200 (`cargo xtask math --bounds --only f64::sin`). Time: 0.96 ns per number in slices, 4.16 ns for a single number (Intel Xeon with AVX-512; `cargo bench -p dc-math --bench math`)."
    };
    (F64 sinh) => {
        "\n\nLargest error found: 0.5050 ULP, at -0.022522. Certified: at most 0.55 ULP for all finite arguments in the domain, 0.5062 ULP for -710 to 710 (`cargo xtask math --bounds --only f64::sinh`). Time: 1.09 ns per number in slices, 5.79 ns for a single number (Intel Xeon with AVX-512; `cargo bench -p dc-math --bench math`)."
    };
    (F64 sinpi) => {
        "\n\nLargest error found: 0.5155 ULP, at -1074. Certified: at most 0.55 ULP for all finite arguments in the domain, 0.5312 ULP for -1 to 1 (`cargo xtask math --bounds --only f64::sinpi`). Time: 1.35 ns per number in slices, 9.38 ns for a single number (Intel Xeon with AVX-512; `cargo bench -p dc-math --bench math`)."
    };
    (F64 softplus) => {
        "\n\nLargest error found: 0.5001 ULP, at -16.75. Certified: at most 0.55 ULP for all finite arguments in the domain, 0.5011 ULP for -41 to 100 (`cargo xtask math --bounds --only f64::softplus`). Time: 1.96 ns per number in slices, 20.46 ns for a single number (Intel Xeon with AVX-512; `cargo bench -p dc-math --bench math`)."
    };
    (F64 srgb_from_linear) => {
        "\n\nLargest error found: 0.5002 ULP, at 9.0622e+256. Certified: at most 0.55 ULP for all finite arguments in the domain (`cargo xtask math --bounds --only f64::srgb_from_linear`). Time: 2.48 ns per number in slices, 26.48 ns for a single number (Intel Xeon with AVX-512; `cargo bench -p dc-math --bench math`)."
    };
    (F64 srgb_to_linear) => {
        "\n\nLargest error found: 0.5238 ULP, at 3394.8. Certified: at most 0.55 ULP for all finite arguments in the domain (`cargo xtask math --bounds --only f64::srgb_to_linear`). Time: 2.63 ns per number in slices, 22.55 ns for a single number (Intel Xeon with AVX-512; `cargo bench -p dc-math --bench math`)."
    };
    (F64 tan) => {
        "\n\nLargest error found: 0.5124 ULP, at 251.43. Certified: at most 0.55 ULP for all finite arguments in the domain, 0.5233 ULP for -1.5 to 4.5 (`cargo xtask math --bounds --only f64::tan`). Time: 1.49 ns per number in slices, 7.03 ns for a single number (Intel Xeon with AVX-512; `cargo bench -p dc-math --bench math`)."
    };
    (F64 tanh) => {
        "\n\nLargest error found: 0.5123 ULP, at -0.011572. Certified: at most 0.55 ULP for all finite arguments in the domain, 0.5305 ULP for -largest to largest (`cargo xtask math --bounds --only f64::tanh`). Time: 1.25 ns per number in slices, 7.37 ns for a single number (Intel Xeon with AVX-512; `cargo bench -p dc-math --bench math`)."
    };
    (F64 tanpi) => {
        "\n\nLargest error found: 0.5082 ULP, at -0.032471. Certified: at most 0.55 ULP for all finite arguments in the domain, 0.5222 ULP for -1 to 1 (`cargo xtask math --bounds --only f64::tanpi`). Time: 1.90 ns per number in slices, 15.39 ns for a single number (Intel Xeon with AVX-512; `cargo bench -p dc-math --bench math`)."
    };
    (F64 tgamma) => {
        "\n\nLargest error found: 0.5058 ULP, at -1.1595. Certified: at most 0.55 ULP for all finite arguments in the domain, 0.5051 ULP for 1e-9 to 20 (`cargo xtask math --bounds --only f64::tgamma`). Time: 5.18 ns per number in slices, 33.42 ns for a single number (Intel Xeon with AVX-512; `cargo bench -p dc-math --bench math`)."
    };
    (F32 acos) => {
        "\n\nNone of the 2^32 inputs is misrounded (`cargo xtask math --quick --only f32::acos`). Time: 0.78 ns per number in slices, 2.94 ns for a single number (Intel Xeon with AVX-512; `cargo bench -p dc-math --bench math`)."
    };
    (F32 asin) => {
        "\n\nNone of the 2^32 inputs is misrounded (`cargo xtask math --quick --only f32::asin`). Time: 0.78 ns per number in slices, 3.19 ns for a single number (Intel Xeon with AVX-512; `cargo bench -p dc-math --bench math`)."
    };
    (F32 atan) => {
        "\n\nNone of the 2^32 inputs is misrounded (`cargo xtask math --quick --only f32::atan`). Time: 0.88 ns per number in slices, 4.03 ns for a single number (Intel Xeon with AVX-512; `cargo bench -p dc-math --bench math`)."
    };
    (F32 cbrt) => {
        "\n\nNone of the 2^32 inputs is misrounded (`cargo xtask math --quick --only f32::cbrt`). Time: 0.49 ns per number in slices, 3.49 ns for a single number (Intel Xeon with AVX-512; `cargo bench -p dc-math --bench math`)."
    };
    (F32 cos) => {
        "\n\nNone of the 2^32 inputs is misrounded (`cargo xtask math --quick --only f32::cos`). Time: 0.52 ns per number in slices, 3.06 ns for a single number (Intel Xeon with AVX-512; `cargo bench -p dc-math --bench math`)."
    };
    (F32 cosh) => {
        "\n\nNone of the 2^32 inputs is misrounded (`cargo xtask math --quick --only f32::cosh`). Time: 0.48 ns per number in slices, 3.58 ns for a single number (Intel Xeon with AVX-512; `cargo bench -p dc-math --bench math`)."
    };
    (F32 exp) => {
        "\n\nNone of the 2^32 inputs is misrounded (`cargo xtask math --quick --only f32::exp`). Time: 0.40 ns per number in slices, 2.19 ns for a single number (Intel Xeon with AVX-512; `cargo bench -p dc-math --bench math`)."
    };
    (F32 exp2) => {
        "\n\nNone of the 2^32 inputs is misrounded (`cargo xtask math --quick --only f32::exp2`). Time: 0.38 ns per number in slices, 2.16 ns for a single number (Intel Xeon with AVX-512; `cargo bench -p dc-math --bench math`)."
    };
    (F32 expm1) => {
        "\n\nNone of the 2^32 inputs is misrounded (`cargo xtask math --quick --only f32::expm1`). Time: 0.40 ns per number in slices, 2.31 ns for a single number (Intel Xeon with AVX-512; `cargo bench -p dc-math --bench math`)."
    };
    (F32 log) => {
        "\n\nNone of the 2^32 inputs is misrounded (`cargo xtask math --quick --only f32::log`). Time: 0.53 ns per number in slices, 2.44 ns for a single number (Intel Xeon with AVX-512; `cargo bench -p dc-math --bench math`)."
    };
    (F32 log10) => {
        "\n\nNone of the 2^32 inputs is misrounded (`cargo xtask math --quick --only f32::log10`). Time: 0.53 ns per number in slices, 2.44 ns for a single number (Intel Xeon with AVX-512; `cargo bench -p dc-math --bench math`)."
    };
    (F32 log1p) => {
        "\n\nNone of the 2^32 inputs is misrounded (`cargo xtask math --quick --only f32::log1p`). Time: 0.67 ns per number in slices, 3.29 ns for a single number (Intel Xeon with AVX-512; `cargo bench -p dc-math --bench math`)."
    };
    (F32 log2) => {
        "\n\nNone of the 2^32 inputs is misrounded (`cargo xtask math --quick --only f32::log2`). Time: 0.54 ns per number in slices, 2.47 ns for a single number (Intel Xeon with AVX-512; `cargo bench -p dc-math --bench math`)."
    };
    (F32 sin) => {
        "\n\nNone of the 2^32 inputs is misrounded (`cargo xtask math --quick --only f32::sin`). Time: 0.47 ns per number in slices, 2.75 ns for a single number (Intel Xeon with AVX-512; `cargo bench -p dc-math --bench math`)."
    };
    (F32 sinh) => {
        "\n\nNone of the 2^32 inputs is misrounded (`cargo xtask math --quick --only f32::sinh`). Time: 0.51 ns per number in slices, 3.58 ns for a single number (Intel Xeon with AVX-512; `cargo bench -p dc-math --bench math`)."
    };
    (F32 tan) => {
        "\n\nNone of the 2^32 inputs is misrounded (`cargo xtask math --quick --only f32::tan`). Time: 0.71 ns per number in slices, 2.88 ns for a single number (Intel Xeon with AVX-512; `cargo bench -p dc-math --bench math`)."
    };
    (F32 tanh) => {
        "\n\nNone of the 2^32 inputs is misrounded (`cargo xtask math --quick --only f32::tanh`). Time: 0.66 ns per number in slices, 4.34 ns for a single number (Intel Xeon with AVX-512; `cargo bench -p dc-math --bench math`)."
    };
    (F32 atan2) => {
        "\n\nThe error is at most 0.5 + 2^-26 ULP."
    };
    (F32 pow) => {
        "\n\nThe error is at most 0.5 + 2^-26 ULP."
    };
    (F32 powr) => {
        "\n\nThe error is at most 0.5 + 2^-26 ULP."
    };
    (F32 div) => {
        "\n\nCorrectly rounded."
    };
    (F32 hypot) => {
        "\n\nCorrectly rounded."
    };
    (F32 recip) => {
        "\n\nCorrectly rounded."
    };
    (F32 sqrt) => {
        "\n\nCorrectly rounded."
    };
    (F64 div) => {
        "\n\nCorrectly rounded."
    };
    (F64 recip) => {
        "\n\nCorrectly rounded."
    };
    (F64 sqrt) => {
        "\n\nCorrectly rounded."
    };
    (F64 $name:ident) => {
        ""
    };
    (F32 $name:ident) => {
        concat!("\n\nNo input is misrounded (`cargo xtask math --quick --only f32::", stringify!($name), "`).")
    };
    ($kind:ident $name:ident) => {
        "\n\nCorrectly rounded at all inputs."
    };
}
pub(crate) use about;
