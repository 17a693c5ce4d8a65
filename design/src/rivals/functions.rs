//! Functions of libraries: Rust's standard library, the crate `libm`, and the C library, value by value; SLEEF and libmvec, in vectors.

use std::hint::black_box;

use libloading::Library;

use crate::compare::error;
use crate::double::error_of;
use crate::judge::{Case, Problem};
use crate::spec::Format;
use crate::target::Target;
use crate::time::{Timed, VALUES, spread};
use crate::vectors::{Fill, Vectors};

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

/// A call for all values.
fn whole<'a, T: Copy + 'a>(xs: Vec<T>, fill: &'a Fill<T>) -> Timed<'a> {
    let mut ys = xs.clone();
    Timed {
        values: xs.len(),
        run: Box::new(move || {
            fill(black_box(&xs), &mut ys);
            black_box(&mut ys);
        }),
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

/// A function in one of both types, of a value or of vectors.
enum Typed {
    F32(Call<f32>),
    F64(Call<f64>),
    F32s(Fill<f32>),
    F64s(Fill<f64>),
}

impl Typed {
    /// The results at doubles.
    fn results(&self, xs: &[f64]) -> Vec<f64> {
        let narrow = || xs.iter().map(|&x| x as f32);
        let mut ys = xs.to_vec();
        match self {
            Typed::F32(call) => narrow().map(|x| call.of(x).into()).collect(),
            Typed::F64(call) => xs.iter().map(|&x| call.of(x)).collect(),
            Typed::F32s(fill) => {
                let xs: Vec<f32> = narrow().collect();
                let mut ys = xs.clone();
                fill(&xs, &mut ys);
                ys.into_iter().map(f64::from).collect()
            }
            Typed::F64s(fill) => {
                fill(xs, &mut ys);
                ys
            }
        }
    }
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
    /// Descriptions of missing functions.
    pub missing: Vec<String>,
    /// The libraries, which stay open as long as their functions are called.
    _library: Option<Library>,
    _vectors: Vectors,
}

impl Functions {
    /// The functions of a name, with vectors of that instruction set.
    pub fn new(name: &str, format: Format, target: Target) -> Functions {
        let mut all = of_rust(name, format);
        if format.stored().is_some() {
            return Functions::default();
        }
        let mut vectors = Vectors::of(target);
        let mut missing = std::mem::take(&mut vectors.missing);
        match format {
            Format::F64 => all.extend(vectors.function(name).into_iter().map(named(Typed::F64s))),
            _ => all.extend(vectors.function(name).into_iter().map(named(Typed::F32s))),
        }
        let mut library = None;
        if let Some(file) = C_LIBRARY {
            // SAFETY: the C library is loaded already, or has no initialisers that matter.
            match unsafe { Library::new(file) } {
                Ok(open) => {
                    all.extend(of_c(&open, file, name, format));
                    library = Some(open);
                }
                Err(e) => missing.push(format!("the C library's function is not timed: {e}")),
            }
        }
        Functions {
            all,
            missing,
            _library: library,
            _vectors: vectors,
        }
    }

    /// Loops over inputs.
    pub fn timed(&self, inputs: &[f64]) -> Vec<Timed<'_>> {
        let xs = spread(inputs, VALUES);
        let narrow = || xs.iter().map(|&x| x as f32).collect();
        let mut all = Vec::new();
        for (_, f) in &self.all {
            all.push(match f {
                Typed::F64(call) => call.timed(xs.clone()),
                Typed::F32(call) => call.timed(narrow()),
                Typed::F64s(fill) => whole(xs.clone(), fill),
                Typed::F32s(fill) => whole(narrow(), fill),
            });
        }
        all
    }

    /// The functions, with their names, that are fast enough to be judged at all inputs: the vector functions of binary32.
    pub fn fast(&self) -> impl Iterator<Item = (&str, &Fill<f32>)> {
        self.all.iter().filter_map(|f| match &f.1 {
            Typed::F32s(fill) => Some((&*f.0, fill)),
            _ => None,
        })
    }

    /// The functions' names, their largest errors on the sample, and their index among [`Functions::fast`], if they are there.
    pub fn errors(&self, problem: &Problem, cases: &[Case]) -> Vec<(String, f64, Option<usize>)> {
        let unit = problem.tolerance.unit();
        let xs: Vec<f64> = cases.iter().map(|c| c.x).collect();
        let mut fast = 0..;
        let largest = |(name, f): &(String, Typed)| {
            let of = |(c, y): (&Case, f64)| match f {
                Typed::F64(_) | Typed::F64s(_) => error_of(unit, y, c.value, c.low),
                Typed::F32(_) | Typed::F32s(_) => error(unit, Format::F32, y, c.value),
            };
            let errors = cases.iter().zip(f.results(&xs));
            let errors = errors.map(|e| of(e).unwrap_or(f64::INFINITY));
            let number = match f {
                Typed::F32s(_) => fast.next(),
                _ => None,
            };
            (name.clone(), errors.fold(0.0, f64::max), number)
        };
        self.all.iter().map(largest).collect()
    }
}

/// A function with its name.
fn named<T>(typed: fn(Fill<T>) -> Typed) -> impl Fn((String, Fill<T>)) -> (String, Typed) {
    move |(name, fill)| (name, typed(fill))
}

/// The C library's function. C reserves the names of the references for these types.
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
