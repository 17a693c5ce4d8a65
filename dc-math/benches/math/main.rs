//! The time of a value: `map` of this crate, the functions of std one by one, those of the crate `libm`, and vectors of SLEEF and libmvec,
//! in turn in one run.
//!
//! `cargo bench -p dc-math --bench math`. The table is Markdown; each time is the median of the rounds, in nanoseconds a value, of
//! slices of 1024. `one` is a call of this crate's function for one number. A build with `RUSTFLAGS=-Ctarget-cpu=native` saves the
//! latter the question whether the processor has fused operations.

use std::hint::black_box;
use std::time::Instant;

use dc_math::{f32 as narrow, f64 as wide};

use dc_design::target::Target;
use dc_design::vectors::Vectors;

const INPUTS: usize = 1024;
const ROUNDS: usize = 51;
const TURNS: usize = 10;

/// What fills a slice of results.
type Form<'a, T> = Box<dyn FnMut(&[T], &mut [T]) + 'a>;

fn each<'a, T: Copy + 'a>(f: impl Fn(T) -> T + 'a) -> Form<'a, T> {
    Box::new(move |x, y| {
        for (x, y) in x.iter().zip(y) {
            *y = f(black_box(*x));
        }
    })
}

/// The medians of the forms, in nanoseconds a value.
fn times<T: Copy>(forms: &mut [Form<T>], x: &[T]) -> Vec<f64> {
    let mut y = x.to_vec();
    let mut found = vec![Vec::new(); forms.len()];
    for _ in 0..ROUNDS {
        for (form, found) in forms.iter_mut().zip(&mut found) {
            let begun = Instant::now();
            for _ in 0..TURNS {
                form(black_box(x), black_box(&mut y));
            }
            found.push(begun.elapsed().as_secs_f64() * 1e9 / (TURNS * INPUTS) as f64);
        }
    }
    let median = |mut times: Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times[ROUNDS / 2]
    };
    found.into_iter().map(median).collect()
}

/// The forms that are timed, from the third on with the ratio of their time to that of `map`.
const FORMS: [&str; 6] = ["map", "one", "std", "libm", "SLEEF u10", "libmvec"];

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

/// `low` to `high`, evenly.
fn inputs(low: f64, high: f64) -> Vec<f64> {
    let step = (high - low) / INPUTS as f64;
    (0..INPUTS).map(|i| low + (i as f64 + 0.5) * step).collect()
}

macro_rules! rows {
    ($vectors:ident $module:ident $number:ident $sums:ident; $($name:ident $std:expr, $libm:ident, $low:literal to $high:literal;)+) => {$({
        let x: Vec<$number> = inputs($low, $high).into_iter().map(|x| x as $number).collect();
        let mut forms: Vec<Form<$number>> = vec![
            Box::new($module::$name::map),
            each($module::$name::<$number>),
            each($std),
            each(libm::$libm),
        ];
        let rivals = $vectors.both::<$number>(stringify!($name));
        let here = [true, true, true, true, rivals[0].is_some(), rivals[1].is_some()];
        for rival in rivals.into_iter().flatten() {
            forms.push(Box::new(move |x, y| rival(x, y)));
        }
        let mut found = times(&mut forms, &x).into_iter();
        let times: Vec<Option<f64>> = here.iter().map(|h| if *h { found.next() } else { None }).collect();
        $sums.row(stringify!($number), stringify!($name), &times);
    })+};
}

fn main() {
    let vectors = Vectors::of(Target::Widest);
    vectors.missing.iter().for_each(|why| println!("!! {why}"));
    Sums::head();
    let mut sums = Sums::default();
    rows! { vectors narrow f32 sums;
        exp f32::exp, expf, -20.0 to 20.0;
        exp2 f32::exp2, exp2f, -20.0 to 20.0;
        expm1 f32::exp_m1, expm1f, -2.0 to 2.0;
        log f32::ln, logf, 0.01 to 100.0;
        log2 f32::log2, log2f, 0.01 to 100.0;
        log10 f32::log10, log10f, 0.01 to 100.0;
        log1p f32::ln_1p, log1pf, -0.5 to 2.0;
        sin f32::sin, sinf, -10.0 to 10.0;
        cos f32::cos, cosf, -10.0 to 10.0;
        tan f32::tan, tanf, -10.0 to 10.0;
        asin f32::asin, asinf, -1.0 to 1.0;
        acos f32::acos, acosf, -1.0 to 1.0;
        atan f32::atan, atanf, -10.0 to 10.0;
        sinh f32::sinh, sinhf, -10.0 to 10.0;
        cosh f32::cosh, coshf, -10.0 to 10.0;
        tanh f32::tanh, tanhf, -3.0 to 3.0;
        cbrt f32::cbrt, cbrtf, -100.0 to 100.0;
    }
    sums.print("binary32");
    Sums::head();
    let mut sums = Sums::default();
    rows! { vectors wide f64 sums;
        exp f64::exp, exp, -20.0 to 20.0;
        exp2 f64::exp2, exp2, -20.0 to 20.0;
        expm1 f64::exp_m1, expm1, -2.0 to 2.0;
        log f64::ln, log, 0.01 to 100.0;
        log2 f64::log2, log2, 0.01 to 100.0;
        log10 f64::log10, log10, 0.01 to 100.0;
        log1p f64::ln_1p, log1p, -0.5 to 2.0;
        sin f64::sin, sin, -10.0 to 10.0;
        cos f64::cos, cos, -10.0 to 10.0;
        tan f64::tan, tan, -10.0 to 10.0;
        asin f64::asin, asin, -1.0 to 1.0;
        acos f64::acos, acos, -1.0 to 1.0;
        atan f64::atan, atan, -10.0 to 10.0;
        sinh f64::sinh, sinh, -10.0 to 10.0;
        cosh f64::cosh, cosh, -10.0 to 10.0;
        tanh f64::tanh, tanh, -3.0 to 3.0;
        asinh f64::asinh, asinh, -10.0 to 10.0;
        acosh f64::acosh, acosh, 1.0 to 10.0;
        atanh f64::atanh, atanh, -1.0 to 1.0;
        cbrt f64::cbrt, cbrt, -100.0 to 100.0;
    }
    sums.print("binary64");
}
