//! Injected faults: one backend made wrong in one way, to see that the difference is found and made small.
//!
//! | file | what |
//! |---|---|
//! | `text` | emitted CUDA C and OpenCL C, rewritten before the compiler reads it |
//! | `rust` | Rust source of which one instruction set is given another than the rest |
//!
//! The faults are those that such programs are known for: contraction, operations that mean something else on another
//! device, conversions rounded twice, a NaN that shows what it is.

mod rust;
mod text;

use std::sync::Arc;

use dc_runtime::backend::fault_injection::{Fault as Wrong, inject};
use dc_runtime::backend::testing::faulty;
use doublecrunch::backend::Backend;
use kernels_gen::ops::Prim;

use crate::ast::{Expr, Unit};
use crate::cpu;

/// A fault.
#[derive(Debug)]
pub struct Fault {
    /// What it is called: the backend, and what.
    pub name: &'static str,
    /// In words.
    pub what: &'static str,
    /// Where and how.
    pub way: Way,
}

/// Where and how.
#[derive(Debug)]
pub enum Way {
    /// The text of a backend whose id begins so.
    Text(&'static str, fn(&str) -> String),
    /// The interpreter, with one operation wrong.
    Interpreter(Wrong),
    /// What expressions become in the form for one instruction set.
    Rust(&'static str, fn(&Expr) -> Option<Expr>),
}

const fn interpreter(name: &'static str, what: &'static str, wrong: Wrong) -> Fault {
    Fault {
        name,
        what,
        way: Way::Interpreter(wrong),
    }
}

/// All faults.
pub const ALL: &[Fault] = &[
    text::cuda(
        "cuda-host/contraction",
        "`a * b + c` in one rounding",
        text::contracted,
    ),
    text::cuda("cuda-host/shift", "`>>` brings zeros in", |t| {
        t.replace("((long long)", "((unsigned long long)")
            .replace("((int)", "((unsigned int)")
    }),
    text::cuda(
        "cuda-host/min",
        "`min` gives the first of equal numbers",
        text::loose_min,
    ),
    text::cuda(
        "cuda-host/ties",
        "`round_ties_even` takes ties away from 0",
        |t| t.replace("rint(", "round(").replace("rintf(", "roundf("),
    ),
    text::cuda("cuda-host/nan", "NaNs are looked at as they are", |t| {
        t.replace(
            "return x != x ? 0x7ff8000000000000ull : raw;",
            "return raw;",
        )
        .replace("return x != x ? 0x7fc00000u : raw;", "return raw;")
    }),
    text::cuda(
        "cuda-host/saturation",
        "too large a number is no largest integer",
        |t| {
            t.replace("= high ? 0x7fffffffffffffffull : whole;", "= whole;")
                .replace("= high ? 0x7fffffffu : whole;", "= whole;")
        },
    ),
    text::cuda(
        "cuda-host/amount",
        "shift amounts modulo half the width",
        |t| {
            t.replace("& 63ull)", "& 31ull)")
                .replace("& 31u)", "& 15u)")
        },
    ),
    text::cuda(
        "cuda-host/twice",
        "64-bit integers to binary32 through binary64",
        |t| {
            text::in_lines(t, |line| {
                let twice = line.replace("__ll2float_rn(", "__double2float_rn(__ll2double_rn(");
                if twice == line {
                    twice
                } else {
                    twice.replace(';', ");")
                }
            })
        },
    ),
    text::cuda(
        "cuda-host/index",
        "an index is wrapped where it is to be clamped",
        |t| {
            t.replace(
                "return low > last ? last : low;",
                "return index % (last + 1);",
            )
        },
    ),
    text::cuda("cuda-host/negation", "`-a` is `0 - a`", |t| {
        text::in_lines(t, |line| line.replace(" = -", " = 0 - "))
    }),
    text::opencl("opencl/contraction", "`a * b + c` in one rounding", |t| {
        text::contracted(t)
    }),
    text::opencl("opencl/shift", "`>>` brings zeros in", |t| {
        text::in_lines(t, |line| {
            if line.contains(" >> ") {
                line.replace("((long)", "((ulong)")
                    .replace("((int)", "((uint)")
                    .replace("((as_long", "((as_ulong")
                    .replace("((as_int", "((as_uint")
            } else {
                line.to_string()
            }
        })
    }),
    text::opencl(
        "opencl/min",
        "`min` gives the first of equal numbers",
        text::loose_min,
    ),
    text::opencl(
        "opencl/ties",
        "`round_ties_even` takes ties away from 0",
        |t| t.replace("rint(", "round("),
    ),
    text::opencl("opencl/nan", "NaNs are looked at as they are", |t| {
        text::in_lines(t, |line| {
            if line.contains("return x != x ? ") && line.contains(" : raw;") {
                "    return raw;".into()
            } else {
                line.to_string()
            }
        })
    }),
    text::opencl(
        "opencl/saturation",
        "too large a number is no largest integer",
        |t| {
            text::in_lines(t, |line| match line.split_once(" = ") {
                Some((name, value)) if name.ends_with(" capped") && value.contains("high") => {
                    format!("{name} = whole;")
                }
                _ => line.to_string(),
            })
        },
    ),
    text::opencl(
        "opencl/amount",
        "shift amounts modulo half the width",
        |t| t.replace("& 63UL)", "& 31UL)").replace("& 31U)", "& 15U)"),
    ),
    text::opencl("opencl/negation", "`-a` is `0 - a`", |t| {
        text::in_lines(t, |line| {
            if line.contains("double") || line.contains("float") {
                line.replace(" = -", " = 0.0f - ")
            } else {
                line.to_string()
            }
        })
    }),
    interpreter(
        "interpreter/fma",
        "`mul_add` in two roundings",
        Wrong::FmaUnfused(Prim::F64),
    ),
    interpreter(
        "interpreter/min",
        "`min` gives the number beside a NaN",
        Wrong::MinOfIeee(Prim::F64),
    ),
    interpreter(
        "interpreter/subnormal",
        "binary64 to binary32 without subnormals",
        Wrong::NarrowFlushes,
    ),
    interpreter(
        "interpreter/unsigned",
        "32-bit integers compared as unsigned ones",
        Wrong::Unsigned(Prim::I32),
    ),
    rust::avx2(
        "avx2/contraction",
        "`a * b + c` in one rounding",
        rust::contracted,
    ),
    rust::avx2("avx2/shift", "`>>` brings zeros in", rust::logical),
    rust::avx2("avx2/comparison", "`!(a < b)` is `a >= b`", rust::not_less),
    rust::avx2("avx2/zero", "`a * 0.0` is `a - a`", rust::times_zero),
    rust::scalar(
        "scalar/contraction",
        "`a * b + c` in one rounding",
        rust::contracted,
    ),
    rust::scalar("scalar/min", "`a.min(b)` is `b.min(a)`", rust::swapped_min),
];

/// The fault of that name.
#[must_use]
pub fn named(name: &str) -> Option<&'static Fault> {
    ALL.iter().find(|f| f.name == name)
}

/// The backends with the fault in one of them.
#[must_use]
pub fn with_fault(
    mut backends: Vec<Arc<dyn Backend>>,
    fault: Option<&'static Fault>,
) -> Vec<Arc<dyn Backend>> {
    match fault.map(|f| &f.way) {
        Some(Way::Text(begins, alter)) => {
            if let Some(backend) = backends.iter().find(|b| b.id().starts_with(begins)) {
                inject(backend.id(), *alter);
            }
        }
        Some(Way::Interpreter(wrong)) => {
            if let Some(first) = backends.first_mut() {
                *first = faulty(*wrong);
            }
        }
        Some(Way::Rust(..)) | None => {}
    }
    backends
}

/// What one instruction set is given in a kernel's place; nothing where the fault makes no difference to the source.
#[must_use]
pub fn in_rust(unit: &Unit, fault: Option<&'static Fault>) -> Option<cpu::InjectedFault> {
    match fault?.way {
        Way::Rust(backend, change) => Some(cpu::InjectedFault {
            backend: backend.into(),
            unit: rust::changed(unit, change)?,
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::ALL;

    #[test]
    fn names_are_told_apart() {
        for (n, fault) in ALL.iter().enumerate() {
            assert!(ALL[..n].iter().all(|f| f.name != fault.name), "{fault:?}");
        }
    }
}
