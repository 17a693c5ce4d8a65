//! The time of a value: `map` of this crate, the functions of std one by one, and those of the crate `libm`, in turn in one run.
//!
//! `cargo bench -p dc-math --bench math`. The table is Markdown; each time is the median of the rounds, in nanoseconds a value, of
//! slices of 1000. `one` is a call of this crate's function for one number. A build with `RUSTFLAGS=-Ctarget-cpu=native` saves the
//! latter the question whether the processor has fused operations.

use std::hint::black_box;
use std::time::Instant;

use dc_math::{f32 as narrow, f64 as wide};

const INPUTS: usize = 1000;
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

fn row(name: &str, times: &[f64], sums: &mut Sums) {
    let [map, one, std, libm] = times[..] else {
        unreachable!("four forms")
    };
    println!(
        "| `{name}` | {map:.2} | {one:.1} | {std:.1} | {libm:.1} | {:.1} | {:.1} |",
        std / map,
        libm / map
    );
    sums.0 += (std / map).ln();
    sums.1 += (libm / map).ln();
    sums.2 += 1.0;
}

/// Sums of logarithms of the ratios, and their number.
struct Sums(f64, f64, f64);

/// `low` to `high`, evenly.
fn inputs(low: f64, high: f64) -> Vec<f64> {
    let step = (high - low) / INPUTS as f64;
    (0..INPUTS).map(|i| low + (i as f64 + 0.5) * step).collect()
}

macro_rules! rows {
    ($module:ident $number:ident $sums:ident; $($name:ident $std:expr, $libm:ident, $low:literal to $high:literal;)+) => {$({
        let x: Vec<$number> = inputs($low, $high).into_iter().map(|x| x as $number).collect();
        let mut forms: Vec<Form<$number>> = vec![
            Box::new($module::$name::map),
            each($module::$name::<$number>),
            each($std),
            each(libm::$libm),
        ];
        row(
            concat!(stringify!($number), "::", stringify!($name)),
            &times(&mut forms, &x),
            &mut $sums,
        );
    })+};
}

fn main() {
    println!("| function | map | one | std | libm | std / map | libm / map |");
    println!("|---|---|---|---|---|---|---|");
    let mut sums = Sums(0.0, 0.0, 0.0);
    rows! { narrow f32 sums;
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
    let Sums(std, libm, n) = sums;
    println!(
        "\nbinary32, geometric means: std / map {:.1}, libm / map {:.1}\n",
        (std / n).exp(),
        (libm / n).exp()
    );
    println!("| function | map | one | std | libm | std / map | libm / map |");
    println!("|---|---|---|---|---|---|---|");
    let mut sums = Sums(0.0, 0.0, 0.0);
    rows! { wide f64 sums;
        exp f64::exp, exp, -20.0 to 20.0;
        log f64::ln, log, 0.01 to 100.0;
        sin f64::sin, sin, -10.0 to 10.0;
        tanh f64::tanh, tanh, -3.0 to 3.0;
    }
    let Sums(std, libm, n) = sums;
    println!(
        "\nbinary64, geometric means: std / map {:.1}, libm / map {:.1}",
        (std / n).exp(),
        (libm / n).exp()
    );
}
