//! The time of a value: `map` of this crate, the functions of std one by one, those of the crates `libm` and `pxfm`, and vectors of SLEEF and libmvec,
//! in turn in one run. std calls the C library, but not for all functions. For the others, the C library has a column of its own.
//!
//! `cargo bench -p dc-math --bench math`; with `-- avx2`, `map` and the vectors are of AVX2. The table is Markdown; each time is the median of the rounds, in nanoseconds a value, of
//! slices of 1024. `one` is a call of this crate's function for one number, `double-double` the reference that the function was before it had a kernel. A build with `RUSTFLAGS=-Ctarget-cpu=native` saves the
//! latter the question whether the processor has fused operations.

use std::hint::black_box;
use std::time::Instant;

use dc_math::{f32 as narrow, f64 as wide};
use dc_runtime::builtins::reference::binary64::*;
use dc_runtime::prelude::*;

// The macro names the runtime as its users do.
extern crate dc_runtime as doublecrunch;

mod vectors;

use vectors::{Number, Set, Vectors};

const INPUTS: usize = 1024;
const ROUNDS: usize = 51;
const TURNS: usize = 10;

/// What fills a slice of results, from a slice for each argument.
type Form<'a, T> = Box<dyn FnMut(&[&[T]], &mut [T]) + 'a>;

fn each<'a, T: Copy + 'a>(f: impl Fn(T) -> T + 'a) -> Option<Form<'a, T>> {
    Some(Box::new(move |x, y| {
        for (x, y) in x[0].iter().zip(y) {
            *y = f(black_box(*x));
        }
    }))
}

fn each_pair<'a, T: Copy + 'a>(f: impl Fn(T, T) -> T + 'a) -> Option<Form<'a, T>> {
    Some(Box::new(move |x, z| {
        for ((x, y), z) in x[0].iter().zip(x[1]).zip(z) {
            *z = f(black_box(*x), black_box(*y));
        }
    }))
}

fn map<T: 'static>(f: fn(&[T], &mut [T])) -> Option<Form<'static, T>> {
    Some(Box::new(move |x, y| f(x[0], y)))
}

fn map_pair<T: 'static>(f: fn(&[T], &[T], &mut [T])) -> Option<Form<'static, T>> {
    Some(Box::new(move |x, z| f(x[0], x[1], z)))
}

/// The medians of the forms that are here, in nanoseconds a value.
fn times<T: Copy>(forms: &mut [Option<Form<T>>], x: &[&[T]]) -> Vec<Option<f64>> {
    let mut y = x[0].to_vec();
    let mut found = vec![Vec::new(); forms.len()];
    for _ in 0..ROUNDS {
        for (form, found) in forms.iter_mut().zip(&mut found) {
            let Some(form) = form else {
                continue;
            };
            let begun = Instant::now();
            for _ in 0..TURNS {
                form(black_box(x), black_box(&mut y));
            }
            found.push(begun.elapsed().as_secs_f64() * 1e9 / (TURNS * INPUTS) as f64);
        }
    }
    let median = |mut times: Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times.get(ROUNDS / 2).copied()
    };
    found.into_iter().map(median).collect()
}

/// The forms that are timed, from the third on with the ratio of their time to that of `map`.
const FORMS: [&str; 9] = [
    "map",
    "one",
    "std",
    "C library",
    "libm",
    "pxfm",
    "SLEEF u10",
    "libmvec",
    "double-double",
];

/// For each form, the sum of the logarithms of the ratios, their number, and the rows in which `map` takes more than 1.5 of its time.
#[derive(Default)]
struct Sums([(f64, f64, Vec<&'static str>); FORMS.len()]);

impl Sums {
    fn head() {
        print!("| function");
        FORMS.iter().for_each(|f| print!(" | {f}"));
        FORMS[2..].iter().for_each(|f| print!(" | {f} / map"));
        println!(" |\n|---|{}", "---:|".repeat(2 * FORMS.len() - 2));
    }

    fn row(&mut self, number: &str, name: &'static str, times: &[Option<f64>]) {
        print!("| `{number}::{name}`");
        let map = times[0].expect("this crate is here");
        let cell = |x: Option<f64>| x.map_or(" | –".into(), |x| format!(" | {x:.2}"));
        times.iter().for_each(|t| print!("{}", cell(*t)));
        for (form, time) in times.iter().enumerate().skip(2) {
            let ratio = time.map(|t| t / map);
            print!("{}", cell(ratio));
            let Some(ratio) = ratio else {
                continue;
            };
            let (sum, number, slower) = &mut self.0[form];
            *sum += ratio.ln();
            *number += 1.0;
            if ratio < 1.0 / 1.5 {
                slower.push(name);
            }
        }
        println!(" |");
    }

    fn print(&self, format: &str) {
        println!("\n{format}, geometric means of the ratios:");
        for (form, (sum, number, slower)) in FORMS.iter().zip(&self.0).skip(2) {
            if *number > 0.0 {
                print!(
                    "{form} / map {:.2}, of {number} functions",
                    (sum / number).exp()
                );
                match slower.is_empty() {
                    true => println!(),
                    false => println!(
                        "; `map` takes more than 1.5 of its time in {}",
                        slower.join(", ")
                    ),
                }
            }
        }
        println!();
    }
}

/// Functions of the C library that std does not call.
mod c {
    unsafe extern "C" {
        pub safe fn asinh(x: f64) -> f64;
        pub safe fn acosh(x: f64) -> f64;
        pub safe fn atanh(x: f64) -> f64;
        pub safe fn erf(x: f64) -> f64;
        pub safe fn erfc(x: f64) -> f64;
        pub safe fn tgamma(x: f64) -> f64;
        pub safe fn lgamma(x: f64) -> f64;
    }
}

/// `low` to `high`, evenly.
fn inputs(low: f64, high: f64) -> Vec<f64> {
    let step = (high - low) / INPUTS as f64;
    (0..INPUTS).map(|i| low + (i as f64 + 0.5) * step).collect()
}

/// The same numbers in another order, so that the second number of a pair does not depend on the first.
fn shuffled<T: Copy>(x: &[T]) -> Vec<T> {
    (0..x.len()).map(|i| x[i * 389 % x.len()]).collect()
}

/// `map` of a kernel on the instruction set.
macro_rules! mapped {
    ($vectors:ident $kernel:path) => {
        match $vectors.set {
            Set::Widest => map(<$kernel>::map),
            Set::Avx2 => map(|x, y| on_avx2!($kernel, (x,), y)),
        }
    };
    ($vectors:ident $kernel:path, of two) => {
        match $vectors.set {
            Set::Widest => map_pair(<$kernel>::map),
            Set::Avx2 => map_pair(|x, y, z| on_avx2!($kernel, (x, y), z)),
        }
    };
}

#[cfg(target_arch = "x86_64")]
macro_rules! on_avx2 {
    ($kernel:path, $args:expr, $out:expr) => {{
        let isa = <dc_runtime::isa::Avx2<1> as dc_runtime::isa::Isa>::detect().expect("AVX2");
        dc_runtime::run::map_on::<$kernel, _>(isa, $args, $out)
    }};
}
#[cfg(not(target_arch = "x86_64"))]
macro_rules! on_avx2 {
    ($kernel:path, $args:expr, $out:expr) => {{
        let _: &[_] = $out;
        unreachable!("`main` refuses AVX2 here")
    }};
}

/// The double-double reference of a function, rounded, as it was computed before there was a kernel.
macro_rules! reference {
    ($name:ident $reference:ident) => {{
        #[crunch]
        fn $name(x: DcDouble) -> DcDouble {
            let r = $reference(x);
            if r.lo == 0.0 { r.hi } else { r.hi + r.lo }
        }
        map($name::map)
    }};
    ($name:ident $reference:ident of two) => {{
        #[crunch]
        fn $name(x: DcDouble, y: DcDouble) -> DcDouble {
            let r = $reference(x, y);
            if r.lo == 0.0 { r.hi } else { r.hi + r.lo }
        }
        map_pair($name::map)
    }};
}

/// The given form, or `None` if there is none.
macro_rules! or_none {
    () => {
        None
    };
    ($form:expr) => {
        $form
    };
}

macro_rules! rows {
    ($vectors:ident $module:ident $number:ident $sums:ident; $($name:ident ($($std:expr)? $(; $c:expr)?) ($($libm:ident)?) ($($pxfm:ident)?) ($($reference:ident)?) $low:literal to $high:literal;)+) => {$({
        let x: Vec<$number> = inputs($low, $high).into_iter().map(|x| x as $number).collect();
        let [sleef, libmvec] = $number::rivals(&$vectors, stringify!($name), 1);
        let mut forms: Vec<Option<Form<$number>>> = vec![
            mapped!($vectors $module::$name),
            each($module::$name::<$number>),
            or_none!($(each($std))?),
            or_none!($(each(|x| $c(x)))?),
            or_none!($(each(libm::$libm))?),
            or_none!($(each(pxfm::$pxfm))?),
            sleef,
            libmvec,
            or_none!($(reference!($name $reference))?),
        ];
        $sums.row(stringify!($number), stringify!($name), &times(&mut forms, &[&x]));
    })+};
}

macro_rules! rows_of_two {
    ($vectors:ident $sums:ident; $($name:ident ($($std:expr)?) ($($libm:ident)?) ($($pxfm:ident)?) $reference:ident $low:literal to $high:literal, $second_low:literal to $second_high:literal;)+) => {$({
        let (x, y) = (inputs($low, $high), shuffled(&inputs($second_low, $second_high)));
        let [sleef, libmvec] = f64::rivals(&$vectors, stringify!($name), 2);
        let mut forms: Vec<Option<Form<f64>>> = vec![
            mapped!($vectors wide::$name, of two),
            each_pair(wide::$name::<f64>),
            or_none!($(each_pair($std))?),
            None,
            or_none!($(each_pair(libm::$libm))?),
            or_none!($(each_pair(pxfm::$pxfm))?),
            sleef,
            libmvec,
            reference!($name $reference of two),
        ];
        $sums.row("f64", stringify!($name), &times(&mut forms, &[&x, &y]));
    })+};
}

fn main() {
    let avx2 = std::env::args().any(|a| a == "avx2");
    if avx2 && !cfg!(target_arch = "x86_64") {
        println!("!! there is no AVX2 on this processor");
        return;
    }
    let vectors = Vectors::new(if avx2 { Set::Avx2 } else { Set::Widest });
    Sums::head();
    let mut sums = Sums::default();
    rows! { vectors narrow f32 sums;
        exp (f32::exp) (expf) (f_expf) () -20.0 to 20.0;
        exp2 (f32::exp2) (exp2f) (f_exp2f) () -20.0 to 20.0;
        expm1 (f32::exp_m1) (expm1f) (f_expm1f) () -2.0 to 2.0;
        log (f32::ln) (logf) (f_logf) () 0.01 to 100.0;
        log2 (f32::log2) (log2f) (f_log2f) () 0.01 to 100.0;
        log10 (f32::log10) (log10f) (f_log10f) () 0.01 to 100.0;
        log1p (f32::ln_1p) (log1pf) (f_log1pf) () -0.5 to 2.0;
        sin (f32::sin) (sinf) (f_sinf) () -10.0 to 10.0;
        cos (f32::cos) (cosf) (f_cosf) () -10.0 to 10.0;
        tan (f32::tan) (tanf) (f_tanf) () -10.0 to 10.0;
        asin (f32::asin) (asinf) (f_asinf) () -1.0 to 1.0;
        acos (f32::acos) (acosf) (f_acosf) () -1.0 to 1.0;
        atan (f32::atan) (atanf) (f_atanf) () -10.0 to 10.0;
        sinh (f32::sinh) (sinhf) (f_sinhf) () -10.0 to 10.0;
        cosh (f32::cosh) (coshf) (f_coshf) () -10.0 to 10.0;
        tanh (f32::tanh) (tanhf) (f_tanhf) () -3.0 to 3.0;
        cbrt (f32::cbrt) (cbrtf) (f_cbrtf) () -100.0 to 100.0;
    }
    sums.print("binary32");
    Sums::head();
    let mut sums = Sums::default();
    rows! { vectors wide f64 sums;
        exp (f64::exp) (exp) (f_exp) () -20.0 to 20.0;
        exp2 (f64::exp2) (exp2) (f_exp2) () -20.0 to 20.0;
        expm1 (f64::exp_m1) (expm1) (f_expm1) () -2.0 to 2.0;
        log (f64::ln) (log) (f_log) () 0.01 to 100.0;
        log2 (f64::log2) (log2) (f_log2) () 0.01 to 100.0;
        log10 (f64::log10) (log10) (f_log10) () 0.01 to 100.0;
        log1p (f64::ln_1p) (log1p) (f_log1p) () -0.5 to 2.0;
        sin (f64::sin) (sin) (f_sin) () -10.0 to 10.0;
        cos (f64::cos) (cos) (f_cos) () -10.0 to 10.0;
        tan (f64::tan) (tan) (f_tan) () -10.0 to 10.0;
        asin (f64::asin) (asin) (f_asin) () -1.0 to 1.0;
        acos (f64::acos) (acos) (f_acos) () -1.0 to 1.0;
        atan (f64::atan) (atan) (f_atan) () -10.0 to 10.0;
        sinh (f64::sinh) (sinh) (f_sinh) () -10.0 to 10.0;
        cosh (f64::cosh) (cosh) (f_cosh) () -10.0 to 10.0;
        tanh (f64::tanh) (tanh) (f_tanh) () -3.0 to 3.0;
        asinh (f64::asinh; c::asinh) (asinh) (f_asinh) () -10.0 to 10.0;
        acosh (f64::acosh; c::acosh) (acosh) (f_acosh) () 1.0 to 10.0;
        atanh (f64::atanh; c::atanh) (atanh) (f_atanh) () -1.0 to 1.0;
        cbrt (f64::cbrt) (cbrt) (f_cbrt) () -100.0 to 100.0;
        exp2m1 () () (f_exp2m1) (exp2m1_reference) -2.0 to 2.0;
        exp10m1 () () (f_exp10m1) (exp10m1_reference) -2.0 to 2.0;
        log2p1 () () (f_log2p1) (log2p1_reference) -0.5 to 2.0;
        log10p1 () () (f_log10p1) (log10p1_reference) -0.5 to 2.0;
        sinpi () () (f_sinpi) (sinpi_reference) -10.0 to 10.0;
        cospi () () (f_cospi) (cospi_reference) -10.0 to 10.0;
        tanpi () () (f_tanpi) (tanpi_reference) -10.0 to 10.0;
        asinpi () () (f_asinpi) (asinpi_reference) -1.0 to 1.0;
        acospi () () (f_acospi) (acospi_reference) -1.0 to 1.0;
        atanpi () () (f_atanpi) (atanpi_reference) -10.0 to 10.0;
        sigmoid () () (f_logistic) (sigmoid_reference) -10.0 to 10.0;
        logit () () (f_logit) (logit_reference) 0.0 to 1.0;
        erf (; c::erf) (erf) (f_erf) (erf_reference) -3.0 to 3.0;
        erfc (; c::erfc) (erfc) (f_erfc) (erfc_reference) -3.0 to 10.0;
        tgamma (; c::tgamma) (tgamma) (f_tgamma) (tgamma_reference) 0.5 to 20.0;
        lgamma (; c::lgamma) (lgamma) (f_lgamma) (lgamma_reference) 0.5 to 20.0;
        softplus () () () (softplus_reference) -10.0 to 10.0;
        silu () () () (silu_reference) -10.0 to 10.0;
        gelu () () () (gelu_reference) -10.0 to 10.0;
        mish () () () (mish_reference) -10.0 to 10.0;
        srgb_to_linear () () () (srgb_to_linear_reference) 0.0 to 1.0;
        srgb_from_linear () () () (srgb_from_linear_reference) 0.0 to 1.0;
    }
    rows_of_two! { vectors sums;
        pow (f64::powf) (pow) (f_pow) pow_reference 0.01 to 100.0, -20.0 to 20.0;
        powr () () () powr_reference 0.01 to 100.0, -20.0 to 20.0;
        atan2 (f64::atan2) (atan2) (f_atan2) atan2_reference -10.0 to 10.0, -10.0 to 10.0;
        hypot (f64::hypot) (hypot) (f_hypot) hypot_reference -10.0 to 10.0, -10.0 to 10.0;
    }
    sums.print("binary64");
}
