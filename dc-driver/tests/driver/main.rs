//! The driver with backends that are made to be right, wrong or missing. Tests of the real program are among the facade's
//! tests.
//!
//! | file | what |
//! |---|---|
//! | `arguments` | refusals of bad input; help |
//! | `blessing` | `bless` |
//! | `certifying` | `bound`, `hunt`, `exact` |
//! | `claiming` | `run --shards` |
//! | `comparing` | `compare` |
//! | `designing` | `design` where files, the compiler or designs are missing |
//! | `device` | functions of devices |
//! | `differing` | `verify --differ`: causes |
//! | `exactly` | results that are exactly numbers |
//! | `every_input` | `hunt`, `exact` for binary32 and for 16 bits |
//! | `files` | `run`, `resume`, `merge`, `format`, `status`, `plot` |
//! | `host` | functions of the host |
//! | `improving` | `improve` |
//! | `looking` | `doctor`, `emit`, `estimate` |
//! | `maxima` | `--measure maxima` |
//! | `pairs` | routines of two arguments |
//! | `properties` | properties of a routine alone |
//! | `proving` | forged records of proofs; certificates that are proven again; time limits of bounds |
//! | `reducing` | `reduce` |
//! | `report` | the HTML report, also in a browser |
//! | `submit` | `submit`; `run --continue`; nodes that are not all alike |
//! | `trust` | attacks that once succeeded |
//! | `verifying` | `verify`, also with MPFR; `trace` |

// The macro uses the library's name in users' programs.
extern crate dc_runtime as doublecrunch;

/// The words of a command line: `words!("run test --range {RANGE} -o {}", text(&out))`. No value has a space.
macro_rules! words {
    ($($line:tt)*) => {
        std::fmt::format(format_args!($($line)*)).split(' ').collect::<Vec<_>>()
    };
}

/// Checks that a text contains others; otherwise it is printed.
macro_rules! contains {
    ($text:expr, $($part:expr),+ $(; $about:literal)?) => {{
        let text = &$text;
        let about = String::new() $(+ &format!($about) + ": ")?;
        $(assert!(text.contains($part), "{about}no `{}` in:\n{text}", $part);)+
    }};
}

mod arguments;
#[cfg(feature = "suite")]
mod blessing;
mod certifying;
mod claiming;
mod comparing;
mod designing;
mod device;
mod differing;
mod errors;
mod every_input;
mod exactly;
mod files;
mod host;
mod improving;
mod looking;
mod maxima;
mod pairs;
mod properties;
mod proving;
mod reducing;
mod report;
mod submit;
mod trust;
mod verifying;

use std::ffi::OsString;

use serde_json::Value;

use dc_driver::{Backends, Program, run_with};
use dc_runtime::backend::{Absent, BackendError, Discovery, Filter};
use dc_runtime::kernel::Kernels;
use dc_runtime::search::testing::{Fake, SWEEP};
use dc_runtime::sweep::Sweep;

const WRONG: i64 = 0x3ff0_0000_0000_1234;

const RANGE: &str = "1.0..=0x1.00000001p0";

/// `scalar` and `avx2` are right, `interpreter` is wrong at one input, `opencl` is refused, the others are missing.
fn discover(filter: &Filter) -> Discovery {
    let wrong = Fake {
        wrong: Some(WRONG),
        ..Fake::new("interpreter")
    };
    let mut d = Discovery::default();
    for fake in [Fake::new("scalar"), Fake::new("avx2"), wrong] {
        if filter.matches(&fake.id) {
            d.backends.push(fake.shared());
        }
    }
    if filter.wants("opencl") {
        d.refused.push((
            "opencl:odd/0".into(),
            BackendError::Refused {
                backend: "opencl:odd/0".into(),
                reason: "fp64 is missing".into(),
            },
        ));
    }
    if filter.wants("cuda") {
        d.absent.push(Absent {
            id: "cuda".into(),
            reason: "no libcuda".into(),
            remedy: "Install the driver.".into(),
        });
    }
    d
}

/// The words of a command line without quotes.
fn words(line: &str) -> Vec<&str> {
    line.split(' ').collect()
}

struct Ended {
    code: u8,
    out: String,
    err: String,
}

fn crunch_of(sweeps: &[Sweep], args: &[&str]) -> Ended {
    crunch_on(sweeps, &discover, args)
}

/// With those backends of this machine that need no device.
fn on_processors(sweeps: &[Sweep], args: &[&str]) -> Ended {
    crunch_on(sweeps, &processors, args)
}

/// Those backends.
fn processors(filter: &Filter) -> Discovery {
    let all = "scalar,avx2,avx512,interpreter".parse().expect("a list");
    let mut found = dc_runtime::backend::discover(&all);
    found.backends.retain(|b| filter.matches(b.id()));
    found
}

fn crunch_on(sweeps: &[Sweep], discover: &dyn Fn(&Filter) -> Discovery, args: &[&str]) -> Ended {
    crunch_with(sweeps, &[], discover, args)
}

fn crunch_with(
    sweeps: &[Sweep],
    kernels: Kernels,
    discover: &dyn Fn(&Filter) -> Discovery,
    args: &[&str],
) -> Ended {
    let program = Program {
        sweeps,
        kernels,
        ..Program::default()
    };
    crunch_program(&program, discover, args)
}

fn crunch_program(
    program: &Program,
    discover: &dyn Fn(&Filter) -> Discovery,
    args: &[&str],
) -> Ended {
    let mut out = Vec::new();
    let mut err = Vec::new();
    let args: Vec<OsString> = std::iter::once("crunch")
        .chain(args.iter().copied())
        .map(OsString::from)
        .collect();
    // The requirements of this process do not apply, because these backends are fakes.
    let backends = Backends {
        discover,
        required: &|_| Ok(()),
    };
    let code = run_with(args, program, &backends, &mut out, &mut err);
    let text = |v| String::from_utf8(v).expect("UTF-8");
    Ended {
        code,
        out: text(out),
        err: text(err),
    }
}

fn crunch(args: &[&str]) -> Ended {
    crunch_of(&[SWEEP], args)
}

fn json(args: &[&str]) -> (u8, Value) {
    let mut all = vec!["--json"];
    all.extend(args);
    let e = crunch(&all);
    let value = serde_json::from_str(&e.out).unwrap_or_else(|_| panic!("{}{}", e.out, e.err));
    (e.code, value)
}
