//! The certificate of a maximum: what is claimed, and the plan of a proof that another program can follow.
//!
//! The crate `crunch-check` reads it. It has the kernel's text, the tiling of its inputs by cells, and of each class the
//! stretches on which the claim was proven, so that a check has nothing to search for.

use std::fmt::Write;

use kernels_gen::program::Program;
use kernels_gen::text::text;

use crate::bound::RangeBound;
use crate::cell::Cell;
use crate::exact::{Closed, Exact, How};
use crate::law::{Law, Truth};

const HEADER: &str = "doublecrunch certificate 1";

/// What a certificate is about.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// The sweep.
    pub sweep: &'a str,
    /// The routine.
    pub program: &'a Program,
    /// The function.
    pub truth: &'a Truth,
    /// Its inputs.
    pub stretches: &'a [Cell],
}

/// Why there is no certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoCertificate {
    /// The maximum is not proven.
    Open,
    /// The checker does not know the function's derivatives: it is a reference kernel's, or a sine, cosine or cube root.
    NoLaw,
}

impl std::fmt::Display for NoCertificate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            NoCertificate::Open => "the maximum is not proven, so there is nothing to certify",
            NoCertificate::NoLaw => {
                "certificates are of exp x, ln x, 1/x, sqrt x and 1/sqrt x (`Sweep::of`), whose derivatives the checker knows"
            }
        })
    }
}

/// What the checker calls a function, if it knows it.
fn name(law: Law) -> Option<&'static str> {
    Some(match law {
        Law::Exp => "exp",
        Law::Ln => "ln",
        Law::Recip => "recip",
        Law::Sqrt => "sqrt",
        Law::RecipSqrt => "recip-sqrt",
        Law::Cbrt => "cbrt",
        Law::Sin => "sin",
        Law::Cos => "cos",
    })
}

/// The certificate that no error of the subject is above `error`, which the proof's worst input attains.
///
/// # Errors
/// Where nothing was proven, or the checker does not know the function.
pub fn certificate(
    subject: Subject<'_>,
    bound: &RangeBound,
    exact: &Exact,
    error: f64,
) -> Result<String, NoCertificate> {
    let function = match subject.truth {
        Truth::Law(law) => name(*law),
        Truth::Program(_) => None,
    };
    let Some(function) = function else {
        return Err(NoCertificate::NoLaw);
    };
    if !exact.open.is_empty() || exact.worst.x.is_nan() {
        return Err(NoCertificate::Open);
    }
    let mut out = format!("{HEADER}\n");
    let bits = |x: f64| format!("{:016x}", x.to_bits());
    let pair = |c: Cell| format!("{} {}", bits(c.lo), bits(c.hi));
    let mut line = |text: String| {
        out.push_str(&text);
        out.push('\n');
    };
    for text in [
        format!(
            "# Theorem. For each double x of the ranges below, the kernel K below and f = {function}:"
        ),
        format!(
            "#     |K(x) - f(x)| <= {error} ulp(f(x)),   ulp(y) = 2^(max(floor(log2 |y|), -1022) - 52),"
        ),
        "# where K's operations are rounded as IEEE 754 says, to nearest, ties to even. Where both overflow there is no error."
            .to_string(),
        "# At `worst` the error is that, but for its last digits. `crunch-check` proves it from this file alone: cells tile the"
            .to_string(),
        "# range, each a constant or of a class (one line of operations); stretches tile each class, and say how each is"
            .to_string(),
        "# proven: by a bound, by lattices, or input by input. docs/exact.md has the mathematics.".to_string(),
        format!("sweep {}", subject.sweep),
        format!("function {function}"),
    ] {
        line(text);
    }
    for stretch in subject.stretches {
        line(format!("range {}", pair(*stretch)));
    }
    line(format!("error {}", bits(error)));
    line(format!("worst {}", bits(exact.worst.x)));
    line("kernel".to_string());
    line(text(subject.program).trim_end().to_string());
    line("end of kernel".to_string());
    for constant in bound.cells.iter().filter(|c| c.class.is_none()) {
        line(format!("cell {} constant", pair(constant.cell)));
    }
    for (i, class) in bound.classes.iter().enumerate() {
        for member in &class.members {
            line(format!("cell {} {i}", pair(member.cell)));
        }
    }
    let mut closed: Vec<Closed> = exact.closed.clone();
    closed.extend(bound.singles.iter().map(|&(class, x)| Closed {
        class,
        cell: Cell { lo: x, hi: x },
        how: How::Inputs,
    }));
    closed.sort_by(|a, b| {
        a.class
            .cmp(&b.class)
            .then(a.cell.lo.total_cmp(&b.cell.lo))
            .then(a.cell.hi.total_cmp(&b.cell.hi))
    });
    closed.dedup();
    let mut rest = closed.iter().peekable();
    for (i, class) in bound.classes.iter().enumerate() {
        let kind = if class.reduced { "reduced" } else { "plain" };
        let _ = writeln!(out, "class {i} {kind}");
        while let Some(c) = rest.next_if(|c| c.class == i) {
            let how = match c.how {
                How::Bound => "bound",
                How::Lattice => "lattice",
                How::Inputs => "inputs",
            };
            let _ = writeln!(out, "{how} {}", pair(c.cell));
        }
    }
    out.push_str("end\n");
    Ok(out)
}
