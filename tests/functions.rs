//! The references of functions on every backend of this machine, bit for bit.

#[path = "support/same_bits.rs"]
mod same_bits;
mod support;

use std::collections::BTreeSet;

use doublecrunch::backend::{CpuPoint, KernelRef, PointFn, Speed};
use doublecrunch::builtins::reference::REFERENCES;
use doublecrunch::builtins::reference::binary32::*;
use doublecrunch::builtins::reference::binary64::*;
use doublecrunch::kernel::CrunchFn;
use doublecrunch::prelude::*;
use doublecrunch::search::key::Precision;
use doublecrunch::search::points::Points;
use kernels_gen::lower::lower;
use same_bits::same_bits;

/// The kernel of a reference, as `dc-references` has it compiled.
fn compiled(kernel: &str) -> CpuPoint {
    let (function, precision) = match kernel.strip_suffix("_f32_reference") {
        Some(function) => (function, Precision::F32),
        None => (kernel.trim_end_matches("_reference"), Precision::F64),
    };
    let found = dc_references::reference(function, precision).unwrap_or_else(|| panic!("{kernel}"));
    found.kernel().expect("it is a kernel").cpu
}

/// The results of several kernels of one argument beside each other.
fn beside(kernels: &[&str], of: fn(CpuPoint) -> PointFn, x: &[&[u64]], out: &mut [Vec<u64>]) {
    let words = out.len() / kernels.len();
    for (kernel, out) in kernels.iter().zip(out.chunks_mut(words)) {
        of(compiled(kernel))(x, out);
    }
}

/// Combines several references into one kernel, so that compilers are started less often. On the processor it is
/// the references themselves, which are not compiled here again.
macro_rules! together {
    ($($name:ident: $($kernel:ident -> $result:ident)+;)+) => {
        $(
            #[crunch]
            fn $name(x: DcDouble) -> ($($result),+) {
                ($($kernel(x)),+)
            }
        )+
        /// All of them, prepared.
        fn kernels() -> Vec<KernelRef> {
            vec![$(KernelRef {
                kernel: <$name as CrunchFn>::KERNEL,
                cpu: CpuPoint {
                    scalar: |x, out| beside(&[$(stringify!($kernel)),+], |c| c.scalar, x, out),
                    avx2: |x, out| beside(&[$(stringify!($kernel)),+], |c| c.avx2, x, out),
                    avx512: |x, out| beside(&[$(stringify!($kernel)),+], |c| c.avx512, x, out),
                },
                written: None,
            }),+]
        }
    };
}
together! {
    exponentials:
        exp_f32_reference -> DcDouble  exp2_f32_reference -> DcDouble
        exp10_f32_reference -> DcDouble  expm1_f32_reference -> DcDouble
        exp2m1_f32_reference -> DcDouble  exp10m1_f32_reference -> DcDouble;
    logarithms:
        log_f32_reference -> DcDouble  log2_f32_reference -> DcDouble
        log10_f32_reference -> DcDouble  log1p_f32_reference -> DcDouble
        log2p1_f32_reference -> DcDouble  log10p1_f32_reference -> DcDouble;
    trigonometric:
        sin_f32_reference -> DcDouble  cos_f32_reference -> DcDouble  tan_f32_reference -> DcDouble
        sinpi_f32_reference -> DcDouble  cospi_f32_reference -> DcDouble
        tanpi_f32_reference -> DcDouble;
    inverses:
        asin_f32_reference -> DcDouble  acos_f32_reference -> DcDouble
        atan_f32_reference -> DcDouble  asinpi_f32_reference -> DcDouble
        acospi_f32_reference -> DcDouble  atanpi_f32_reference -> DcDouble;
    hyperbolic:
        sinh_f32_reference -> DcDouble  cosh_f32_reference -> DcDouble
        tanh_f32_reference -> DcDouble  asinh_f32_reference -> DcDouble
        acosh_f32_reference -> DcDouble  atanh_f32_reference -> DcDouble;
    roots:
        cbrt_f32_reference -> DcDouble  sqrt_f32_reference -> DcDouble
        rsqrt_f32_reference -> DcDouble  recip_f32_reference -> DcDouble;
    errors:
        erf_f32_reference -> DcDouble  erfc_f32_reference -> DcDouble
        tgamma_f32_reference -> DcDouble  lgamma_f32_reference -> DcDouble;
    networks:
        sigmoid_f32_reference -> DcDouble  logit_f32_reference -> DcDouble
        softplus_f32_reference -> DcDouble  silu_f32_reference -> DcDouble
        gelu_f32_reference -> DcDouble  mish_f32_reference -> DcDouble
        srgb_to_linear_f32_reference -> DcDouble  srgb_from_linear_f32_reference -> DcDouble;
    exponentials_64:
        exp_reference -> DcDoubleDouble  exp2_reference -> DcDoubleDouble
        exp10_reference -> DcDoubleDouble  expm1_reference -> DcDoubleDouble
        exp2m1_reference -> DcDoubleDouble  exp10m1_reference -> DcDoubleDouble;
    logarithms_64:
        log_reference -> DcDoubleDouble  log2_reference -> DcDoubleDouble
        log10_reference -> DcDoubleDouble  log1p_reference -> DcDoubleDouble
        log2p1_reference -> DcDoubleDouble  log10p1_reference -> DcDoubleDouble;
    trigonometric_64:
        sin_reference -> DcDoubleDouble  cos_reference -> DcDoubleDouble
        tan_reference -> DcDoubleDouble  sinpi_reference -> DcDoubleDouble
        cospi_reference -> DcDoubleDouble  tanpi_reference -> DcDoubleDouble;
    inverses_64:
        asin_reference -> DcDoubleDouble  acos_reference -> DcDoubleDouble
        atan_reference -> DcDoubleDouble  asinpi_reference -> DcDoubleDouble
        acospi_reference -> DcDoubleDouble  atanpi_reference -> DcDoubleDouble;
    hyperbolic_64:
        sinh_reference -> DcDoubleDouble  cosh_reference -> DcDoubleDouble
        tanh_reference -> DcDoubleDouble  asinh_reference -> DcDoubleDouble
        acosh_reference -> DcDoubleDouble  atanh_reference -> DcDoubleDouble;
    roots_64:
        cbrt_reference -> DcDoubleDouble  sqrt_reference -> DcDoubleDouble
        rsqrt_reference -> DcDoubleDouble  recip_reference -> DcDoubleDouble;
    errors_64:
        erf_reference -> DcDoubleDouble  erfc_reference -> DcDoubleDouble
        tgamma_reference -> DcDoubleDouble  lgamma_reference -> DcDoubleDouble
        gelu_reference -> DcDoubleDouble;
    networks_64:
        sigmoid_reference -> DcDoubleDouble  logit_reference -> DcDoubleDouble
        softplus_reference -> DcDoubleDouble  silu_reference -> DcDoubleDouble
        mish_reference -> DcDoubleDouble;
    colours_64:
        srgb_to_linear_reference -> DcDoubleDouble  srgb_from_linear_reference -> DcDoubleDouble;
}

/// The functions of double-doubles that are not called in the other kernels.
#[crunch]
fn of_double_doubles(
    x: DcDoubleDouble,
) -> (
    (
        DcDoubleDouble,
        DcDoubleDouble,
        DcDoubleDouble,
        DcDoubleDouble,
        DcDoubleDouble,
        DcDoubleDouble,
    ),
    (
        DcDoubleDouble,
        DcDoubleDouble,
        DcDoubleDouble,
        DcDoubleDouble,
        DcDoubleDouble,
    ),
) {
    (
        (
            dd_exp(x),
            dd_expm1(x),
            dd_log(x),
            dd_log1p(x),
            dd_sin(x),
            dd_cos(x),
        ),
        (dd_tan(x), dd_atan(x), dd_sinh(x), dd_tanh(x), dd_pow(x, x)),
    )
}

/// Binary32 numbers, widened: special ones, powers of two, halves; numbers of moderate size; numbers of all bit patterns.
fn inputs() -> Vec<u64> {
    let mut all = vec![
        0.0,
        f64::INFINITY,
        f64::NAN,
        f64::from(f32::MAX),
        f64::from(f32::MIN_POSITIVE),
    ];
    all.extend((-149..128).map(|e| 2f64.powi(e)));
    all.extend((0..200).map(|n| f64::from(n) / 2.0));
    let mut all: Vec<f64> = all.iter().flat_map(|&x| [x, -x]).collect();
    let mut word = 1u64;
    for i in 0..6000 {
        word = word.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(1);
        let bits = (word >> 32) as u32;
        all.push(f64::from(match i % 3 {
            0 => f32::from_bits(bits),
            1 => f32::from_bits(bits & 0x807f_ffff | 0x3f80_0000),
            _ => bits as f32 / 4_294_967_296.0 * 100.0 - 50.0,
        }));
    }
    all.into_iter().map(f64::to_bits).collect()
}

#[test]
fn every_backend_gives_the_same_bits() {
    let backends = support::backends("functions", "all");
    let inputs = inputs();
    // References of binary64 also get doubles with all their bits, and the largest.
    let mut doubles = inputs.clone();
    let full = |(i, &x): (usize, &u64)| {
        if i % 2 == 0 {
            x ^ (x << 29 >> 35)
        } else {
            x.rotate_left(7)
        }
    };
    doubles.extend(inputs.iter().enumerate().map(full));
    // A simulator takes minutes for all of them: it gets a part, with zeros, infinities, NaNs and the largest.
    let few: Vec<u64> = (doubles[..10].iter())
        .chain(doubles[10..].iter().step_by(61))
        .copied()
        .collect();
    let (simulated, others): (Vec<_>, Vec<_>) =
        (backends.into_iter()).partition(|b| b.speed() == Speed::Simulated);
    let first = others[0].clone();
    let compare = |kernel: &KernelRef, columns: &dyn Fn(&[u64]) -> Vec<Vec<u64>>| {
        let points = |of: &[u64]| Points::given(kernel, columns(of)).expect("a kernel");
        same_bits(kernel, &points(&doubles), &others);
        for other in &simulated {
            same_bits(kernel, &points(&few), &[first.clone(), other.clone()]);
        }
    };
    for kernel in kernels() {
        compare(&kernel, &|of| vec![of.to_vec()]);
    }
    let low = |&x: &u64| (f64::from_bits(x) * 1e-17).to_bits();
    compare(&KernelRef::of::<of_double_doubles>(), &|of| {
        vec![of.to_vec(), of.iter().map(low).collect()]
    });
}

/// Every reference is called above.
#[test]
fn none_is_left_out() {
    let mut called = BTreeSet::new();
    for kernel in kernels() {
        let program =
            lower(kernel.kernel).unwrap_or_else(|e| panic!("{}: {e}", kernel.kernel.name));
        called.extend(program.funcs.iter().map(|f| f.origin.name.clone()));
    }
    for r in REFERENCES {
        assert!(
            called.contains(r.binary32.kernel.name),
            "{} is not compared",
            r.name
        );
        if let Some(t) = r.binary64 {
            let name = t.kernel.name;
            assert!(called.contains(name), "{name} is not compared");
        }
    }
}
