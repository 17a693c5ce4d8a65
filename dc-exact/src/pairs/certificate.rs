//! The certificate of a bound over pairs: the claim, and the boxes in which another program can prove it.

use kernels_gen::program::Program;
use kernels_gen::text::text;

use super::space::{PairBox, Sign, Span};
use super::{Function, PairsBound};

const HEADER: &str = "doublecrunch certificate of pairs 1";

/// The subject of a certificate.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// The sweep.
    pub sweep: &'a str,
    /// The routine.
    pub program: &'a Program,
    /// The function.
    pub function: Function,
    /// The pairs that were to be bounded.
    pub boxes: &'a [PairBox],
}

/// Two spans without an order.
type Rectangle = [Span; 2];

fn holds(outer: &Span, inner: &Span) -> bool {
    outer.lo <= inner.lo
        && inner.hi <= outer.hi
        && (outer.sign == Sign::Any || outer.sign == inner.sign)
}

fn inside(outer: &PairBox, inner: &Rectangle) -> bool {
    (outer.spans.iter().zip(inner)).all(|(o, i)| holds(o, i))
}

/// The boxes that have a bound, as rectangles. Two boxes that differ only in the order of the arguments are one.
fn rectangles(closed: &[PairBox]) -> Vec<Rectangle> {
    let key = |b: &PairBox| (b.spans).map(|s| (s.lo.to_bits(), s.hi.to_bits(), s.sign as u8));
    let (mut whole, mut halves): (Vec<&PairBox>, Vec<&PairBox>) =
        (closed.iter()).partition(|b| b.first_is_larger.is_none());
    halves.sort_by_key(|b| (key(b), b.first_is_larger));
    let both = halves.chunk_by(|a, b| key(a) == key(b));
    whole.extend(both.filter(|pair| pair.len() == 2).map(|pair| pair[0]));
    whole.iter().map(|b| b.spans).collect()
}

fn words(r: &Rectangle) -> String {
    let side = |s: &Span| {
        let sign = match s.sign {
            Sign::Plus => "plus",
            Sign::Minus => "minus",
            Sign::Any => "both",
        };
        format!("{sign} {:016x} {:016x}", s.lo.to_bits(), s.hi.to_bits())
    };
    format!("{} {}", side(&r[0]), side(&r[1]))
}

/// The certificate of what is proven: for each box of the subject all pairs, or those of its parts that have a bound. `None` if nothing is proven,
/// or no number bounds the errors.
#[must_use]
pub fn certificate(subject: Subject<'_>, bound: &PairsBound) -> Option<String> {
    let verdict = bound.verdict.filter(|v| v.bound.is_finite())?;
    let (function, formula) = match subject.function {
        Function::Hypot => ("hypot", "sqrt(x^2 + y^2)"),
        Function::Div => ("div", "x / y"),
    };
    let boxes = rectangles(&bound.closed);
    let left: Vec<&PairBox> = bound.left_out.values().flat_map(|(_, b)| b).collect();
    let mut claims: Vec<Rectangle> = Vec::new();
    for of in subject.boxes {
        let parts = boxes.iter().filter(|r| inside(of, r));
        match left.iter().any(|b| inside(of, &b.spans)) {
            false => claims.push(of.spans),
            true => claims.extend(parts),
        }
    }
    let mut lines = vec![
        HEADER.to_string(),
        format!("# Theorem. For all pairs (x, y) of `pairs` below, the kernel K below and f(x, y) = {formula}:"),
        format!("#     |K(x, y) - f(x, y)| <= {} ulp(f(x, y)),", verdict.bound),
        "# where K's operations are rounded as IEEE 754 says, to nearest, ties to even, and K(x, y) is finite. Where it is infinite, f(x, y) is within".into(),
        "# that distance of a number that is rounded to this infinity. A unit is ulp(v) = 2^(max(floor(log2 |v|), e) - p + 1), where K's results have p bits".into(),
        "# and least normal numbers 2^e. `pairs` and `box` name the numbers of x, then of y: those with magnitudes from one double to another, with one sign".into(),
        "# or both. `crunch-check` proves it from this file alone: each pair of `pairs` is in a `box`, and in each box a polynomial identity bounds".into(),
        "# the distance. docs/book/src/understand/pairs.md has the mathematics.".into(),
        format!("sweep {}", subject.sweep),
        format!("function {function}"),
        format!("error {:016x}", verdict.bound.to_bits()),
    ];
    if verdict.nearest {
        lines.push("# Each of these K(x, y) is f(x, y), rounded to nearest, ties to even: also subnormal and infinite ones.".into());
        lines.push("rounding nearest".into());
    }
    lines.extend(claims.iter().map(|r| format!("pairs {}", words(r))));
    lines.extend(boxes.iter().map(|r| format!("box {}", words(r))));
    lines.push("kernel".into());
    lines.push(text(subject.program).trim_end().to_string());
    lines.extend(["end of kernel".into(), "end".into()]);
    Some(lines.join("\n") + "\n")
}
