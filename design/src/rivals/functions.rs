//! Functions of libraries: Rust's standard library, the crate `libm`, and the C library.

use std::hint::black_box;

use libloading::Library;

use crate::compare::error;
use crate::double::error_of;
use crate::judge::{Case, Problem};
use crate::spec::Format;
use crate::time::{Timed, VALUES, spread};

/// A function of a number.
#[derive(Clone, Copy)]
enum Call<T> {
    Rust(fn(T) -> T),
    C(unsafe extern "C" fn(T) -> T),
}

impl<T: Copy> Call<T> {
    fn of(self, x: T) -> T {
        match self {
            Call::Rust(f) => f(x),
            // SAFETY: the C library has a function of this type by this name.
            Call::C(f) => unsafe { f(x) },
        }
    }

    fn timed<'a>(self, xs: Vec<T>) -> Timed<'a>
    where
        T: 'a,
    {
        match self {
            Call::Rust(f) => each(xs, f),
            // SAFETY: as above.
            Call::C(f) => each(xs, move |x| unsafe { f(x) }),
        }
    }
}

/// A loop over values.
fn each<'a, T: Copy + 'a>(xs: Vec<T>, f: impl Fn(T) -> T + 'a) -> Timed<'a> {
    let mut ys = xs.clone();
    Timed {
        values: xs.len(),
        run: Box::new(move || {
            for (y, &x) in ys.iter_mut().zip(black_box(&xs)) {
                *y = f(x);
            }
            black_box(&mut ys);
        }),
    }
}

/// A function in one of both types.
enum Typed {
    F32(Call<f32>),
    F64(Call<f64>),
}

/// The functions, by their names in C: the method of both types, if there is one, and the crate's functions.
macro_rules! functions {
    ($($c:literal ($($method:ident)?) $double:ident $single:ident,)*) => {
        fn of_rust(name: &str, format: Format) -> Vec<(String, Typed)> {
            match (name, format) {
                $(
                    ($c, Format::F64) => vec![
                        $((concat!("f64::", stringify!($method)).into(), Typed::F64(Call::Rust(f64::$method))),)?
                        (concat!("libm::", stringify!($double)).into(), Typed::F64(Call::Rust(libm::$double))),
                    ],
                    ($c, Format::F32) => vec![
                        $((concat!("f32::", stringify!($method)).into(), Typed::F32(Call::Rust(f32::$method))),)?
                        (concat!("libm::", stringify!($single)).into(), Typed::F32(Call::Rust(libm::$single))),
                    ],
                )*
                _ => Vec::new(),
            }
        }
    };
}
functions! {
    "acos" (acos) acos acosf, "acosh" (acosh) acosh acoshf, "asin" (asin) asin asinf, "asinh" (asinh) asinh asinhf,
    "atan" (atan) atan atanf, "atanh" (atanh) atanh atanhf, "cbrt" (cbrt) cbrt cbrtf, "cos" (cos) cos cosf,
    "cosh" (cosh) cosh coshf, "erf" () erf erff, "erfc" () erfc erfcf, "exp" (exp) exp expf, "exp10" () exp10 exp10f,
    "exp2" (exp2) exp2 exp2f, "expm1" (exp_m1) expm1 expm1f, "lgamma" () lgamma lgammaf, "log" (ln) log logf,
    "log10" (log10) log10 log10f, "log1p" (ln_1p) log1p log1pf, "log2" (log2) log2 log2f, "sin" (sin) sin sinf,
    "sinh" (sinh) sinh sinhf, "sqrt" (sqrt) sqrt sqrtf, "tan" (tan) tan tanf, "tanh" (tanh) tanh tanhf,
    "tgamma" () tgamma tgammaf,
}

/// The file of the C library's functions.
const C_LIBRARY: Option<&str> = if cfg!(target_os = "linux") {
    Some("libm.so.6")
} else if cfg!(target_os = "macos") {
    Some("libSystem.B.dylib")
} else {
    None
};

/// The functions of a request.
#[derive(Default)]
pub struct Functions {
    all: Vec<(String, Typed)>,
    /// It is open as long as its functions are called.
    _library: Option<Library>,
}

impl Functions {
    /// Those of a name, and why one is not here.
    pub fn new(name: &str, format: Format) -> (Functions, Option<String>) {
        let mut all = of_rust(name, format);
        let (mut library, mut missing) = (None, None);
        if let (Some(file), false) = (C_LIBRARY, format.stored().is_some()) {
            // SAFETY: the C library is loaded already, or has no initialisers that matter.
            match unsafe { Library::new(file) } {
                Ok(open) => {
                    all.extend(of_c(&open, file, name, format));
                    library = Some(open);
                }
                Err(e) => missing = Some(format!("the C library's function is not timed: {e}")),
            }
        }
        let functions = Functions {
            all,
            _library: library,
        };
        (functions, missing)
    }

    /// Loops over inputs.
    pub fn timed(&self, inputs: &[f64]) -> Vec<Timed<'_>> {
        let xs = spread(inputs, VALUES);
        let timed = |f: &(String, Typed)| match f.1 {
            Typed::F64(call) => call.timed(xs.clone()),
            Typed::F32(call) => call.timed(xs.iter().map(|&x| x as f32).collect()),
        };
        self.all.iter().map(timed).collect()
    }

    /// Their names and their largest errors on the sample.
    pub fn errors(&self, problem: &Problem, cases: &[Case]) -> Vec<(String, f64)> {
        let unit = problem.tolerance.unit();
        let largest = |f: &(String, Typed)| {
            let of = |c: &Case| match f.1 {
                Typed::F64(call) => error_of(unit, call.of(c.x), c.value, c.low),
                Typed::F32(call) => {
                    let y = call.of(c.x as f32).into();
                    error(unit, Format::F32, y, c.value)
                }
            };
            let errors = cases.iter().map(|c| of(c).unwrap_or(f64::INFINITY));
            (f.0.clone(), errors.fold(0.0, f64::max))
        };
        self.all.iter().map(largest).collect()
    }
}

/// The C library's function: the names of the references are reserved by C for these types.
fn of_c(library: &Library, file: &str, name: &str, format: Format) -> Option<(String, Typed)> {
    let name = match format {
        Format::F64 => name.to_string(),
        _ => format!("{name}f"),
    };
    let shown = format!("{name} ({file})");
    // SAFETY: so C declares functions of these names.
    unsafe {
        Some(match format {
            Format::F64 => (
                shown,
                Typed::F64(Call::C(*library.get(name.as_bytes()).ok()?)),
            ),
            _ => (
                shown,
                Typed::F32(Call::C(*library.get(name.as_bytes()).ok()?)),
            ),
        })
    }
}
