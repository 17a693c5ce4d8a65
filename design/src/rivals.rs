//! The function of Rust's standard library beside the designs: its time, and its error on the same sample.

use std::hint::black_box;
use std::time::Instant;

use crate::compare::error;
use crate::double::error_of;
use crate::judge::{Case, Problem};
use crate::spec::Format;
use crate::time::{ROUNDS, VALUES};

/// A function that exists.
#[derive(Debug, Clone)]
pub struct Rival {
    /// Its name.
    pub name: String,
    /// Nanoseconds for each value.
    pub time: f64,
    /// The largest error on the sample, in the tolerance's unit; infinite, if a result is wrong.
    pub error: f64,
}

/// The methods of both types, by the function's name in C.
macro_rules! methods {
    ($($c:literal $method:ident,)*) => {
        fn double(name: &str) -> Option<(&'static str, fn(f64) -> f64)> {
            match name {
                $($c => Some((concat!("f64::", stringify!($method)), f64::$method)),)*
                _ => None,
            }
        }
        fn single(name: &str) -> Option<(&'static str, fn(f32) -> f32)> {
            match name {
                $($c => Some((concat!("f32::", stringify!($method)), f32::$method)),)*
                _ => None,
            }
        }
    };
}
methods! {
    "exp" exp, "exp2" exp2, "expm1" exp_m1, "log" ln, "log2" log2, "log10" log10, "log1p" ln_1p, "sin" sin, "cos" cos, "tan" tan,
    "asin" asin, "acos" acos, "atan" atan, "sinh" sinh, "cosh" cosh, "tanh" tanh, "asinh" asinh, "acosh" acosh, "atanh" atanh,
    "cbrt" cbrt, "sqrt" sqrt,
}

/// Nanoseconds for each value of a function in a loop.
fn time<T: Copy + Default>(f: fn(T) -> T, xs: &[T]) -> f64 {
    let mut ys = vec![T::default(); xs.len()];
    let round = |_: usize| {
        let start = Instant::now();
        for (y, &x) in ys.iter_mut().zip(black_box(xs)) {
            *y = f(x);
        }
        black_box(&mut ys);
        start.elapsed().as_nanos() as f64 / xs.len() as f64
    };
    (0..ROUNDS).map(round).fold(f64::INFINITY, f64::min)
}

/// The standard library's function, if it has one in the format.
#[must_use]
pub fn rivals(problem: &Problem, cases: &[Case]) -> Vec<Rival> {
    let unit = problem.tolerance.unit();
    let step = (cases.len() / VALUES).max(1);
    let spread = cases.iter().step_by(step).take(VALUES).map(|c| c.x);
    let largest = |error: &dyn Fn(&Case) -> Option<f64>| {
        let errors = cases.iter().map(|c| error(c).unwrap_or(f64::INFINITY));
        errors.fold(0.0, f64::max)
    };
    let name = problem.function.name;
    let rival = match problem.format {
        Format::F64 => double(name).map(|(name, f)| Rival {
            name: name.into(),
            time: time(f, &spread.collect::<Vec<_>>()),
            error: largest(&|c| error_of(unit, f(c.x), c.value, c.low).ok()),
        }),
        Format::F32 => single(name).map(|(name, f)| Rival {
            name: name.into(),
            time: time(f, &spread.map(|x| x as f32).collect::<Vec<_>>()),
            error: largest(&|c| {
                let y = f(c.x as f32).into();
                error(unit, Format::F32, y, c.value).ok()
            }),
        }),
        Format::F16 | Format::Bf16 => None,
    };
    rival.into_iter().collect()
}
