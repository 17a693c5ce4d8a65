//! Logarithms: `x = 2^e m`, and `log m = -log c + log(1 + r)` with `r = m c - 1`, where `c` is near `1/m` and comes from a table.
//!
//! The cell around 1 has c = 1 and log c = 0, so the relative error stays small there.

use kernels_gen::ir::{BinOp, Elem};
use kernels_gen::ops::Prim;
use kernels_gen::syntax::Expr;

use super::design::{Cell, Design, Limits, Logarithm};
use crate::build::{Builder, add, binary, mul, sub};
use crate::dd::Dd;
use crate::polynomial::{from_square, polynomial};
use crate::spec::Format;

/// The bits, in binary64, of the smallest fraction of a table with `2^t` cells, or without a table.
#[must_use]
pub fn start(t: u32) -> u64 {
    match t {
        // √½
        0 => 0x3fe6_a09e_667f_3bcd,
        // 1 is in the middle of a cell, 10/16 above the start.
        _ => 0x3ff0_0000_0000_0000 - (((10u64 << t) / 16) << (52 - t)) - (1 << (51 - t)),
    }
}

/// The ends of the cells of a table with `2^t` cells: `f64::from_bits` of the start and of each following one.
#[must_use]
pub fn ends(t: u32) -> Vec<(f64, f64)> {
    let at = |j: u64| f64::from_bits(start(t) + (j << (52 - t)));
    (0..1 << t).map(|j| (at(j), at(j + 1))).collect()
}

/// Whether some results are not ordinary numbers.
fn special(limits: Limits) -> bool {
    limits.nan || !(limits.low > 0.0 && limits.high.is_finite())
}

pub fn body(design: &Design, l: &Logarithm, b: &mut Builder, x: Expr) -> Expr {
    let t = l.cells.len().max(1).trailing_zeros();
    let fraction = b.fraction();
    let first = match b.prim {
        Prim::F32 => (start(t) >> 29) - ((1023 - 127) << 23),
        _ => start(t),
    };
    let mut bits = b.bind("bits", b.to_bits(x.clone()));
    if design.format == Format::F64 && design.limits.low < f64::MIN_POSITIVE {
        // A subnormal number has an exponent 52 below that of its product with 2^52.
        let least = b.number("LEAST_NORMAL", f64::MIN_POSITIVE);
        let large = b.number("TWO_52", 2f64.powi(52));
        let normal = b.to_bits(mul(x.clone(), large));
        let below = b.integer("BELOW", 52 << 52);
        let small = binary(BinOp::Lt, x.clone(), least);
        let chosen = b.choose(small, sub(normal, below), bits);
        bits = b.bind("bits", chosen);
    }
    let start = b.integer("START", first as i64);
    let above = b.bind("above", sub(bits.clone(), start));
    let places = b.int_literal(fraction.into());
    let e = b.bind("e", binary(BinOp::Shr, above.clone(), places.clone()));
    let shifted = binary(BinOp::Shl, e.clone(), places);
    let m = b.from_bits(sub(bits, shifted));
    let m = b.bind("m", m);
    // A number of AVX2 is made of 64 bits of an integer by adding it to those of 2^52 + 2^51.
    let exponent = match b.prim {
        Prim::F32 => crate::build::method("to_f32", e, vec![], b.float()),
        _ => {
            let integer = 1.5 * 2f64.powi(52);
            let bits = b.integer("INTEGER_BITS", integer.to_bits() as i64);
            let number = b.from_bits(add(e, bits));
            let integer = b.number("INTEGER", integer);
            sub(number, integer)
        }
    };
    let exponent = b.bind("exponent", exponent);
    let (hi, lo) = match b.prim {
        Prim::F32 => (
            f64::from(l.of_2.hi as f32),
            l.of_2.hi - f64::from(l.of_2.hi as f32),
        ),
        _ if l.two_words => split(l.of_2),
        _ if design.format == Format::F64 => (l.of_2.hi, l.of_2.lo),
        _ => (l.of_2.hi, 0.0),
    };
    let mut below = None;
    let (r, known) = if l.cells.is_empty() {
        let r = sub(m, b.literal(1.0));
        (b.bind("r", r), None)
    } else {
        let down = b.int_literal((fraction - t).into());
        let index = b.bind("index", binary(BinOp::Shr, above, down));
        let elem = match b.prim {
            Prim::F32 => Elem::F32,
            _ => Elem::F64,
        };
        let factors = l.cells.iter().map(|c| b.bits(c.c)).collect();
        let logs = l.cells.iter().map(|c| b.bits(c.log)).collect();
        let factor = b.load("FACTORS", elem, factors, index.clone());
        if l.two_words {
            let logs = l.cells.iter().map(|c| b.bits(c.low)).collect();
            below = Some(b.load("LOGS_LO", elem, logs, index.clone()));
        }
        let log = b.load("LOGS", elem, logs, index);
        let minus = b.literal(-1.0);
        let r = b.fma(m, factor, minus);
        (b.bind("r", r), Some(log))
    };
    let ends = |b: &mut Builder, y| at_the_ends(design, b, x, y);
    if l.two_words {
        let log_2 = [b.number("LOG_2", hi), b.number("LOG_2_LO", lo)];
        let y = in_two_words(b, design, &exponent, &r, log_2, known.zip(below));
        return ends(b, y);
    }
    let p = polynomial(b, design.plan(), &r);
    let p = b.bind("p", p);
    let unit = hi == 1.0 && lo == 0.0;
    let y = match known {
        Some(log) => {
            let whole = if unit {
                add(exponent, log)
            } else {
                let word = b.number("LOG_2", hi);
                b.fma(exponent, word, log)
            };
            add(whole, p)
        }
        None if unit => add(exponent, p),
        None => {
            let mut p = p;
            if lo != 0.0 {
                let word = b.number("LOG_2_LO", lo);
                let sum = b.fma(exponent.clone(), word, p);
                p = b.bind("p", sum);
            }
            let word = b.number("LOG_2", hi);
            b.fma(exponent, word, p)
        }
    };
    ends(b, y)
}

/// The logarithm of 2 in two words. The first word is so short that its product with 2^10 needs no rounding.
fn split(of_2: Dd) -> (f64, f64) {
    let hi = short(of_2.hi);
    (hi, (of_2 - Dd::from(hi)).hi)
}

/// A number rounded to a multiple of 2^-42.
fn short(x: f64) -> f64 {
    let shift = 1.5 * 2f64.powi(10);
    (x + shift) - shift
}

/// The sum of the exponent's logarithm, the cell's logarithm, r, and the rest of the polynomial; the first three have two words.
fn in_two_words(
    b: &mut Builder,
    design: &Design,
    exponent: &Expr,
    r: &Expr,
    log_2: [Expr; 2],
    cell: Option<(Expr, Expr)>,
) -> Expr {
    let [hi, lo] = log_2;
    let (w, low) = match cell {
        Some((log, below)) => (
            b.fma(exponent.clone(), hi, log),
            b.fma(exponent.clone(), lo, below),
        ),
        None => (mul(exponent.clone(), hi), mul(exponent.clone(), lo)),
    };
    let (w, low) = (b.bind("w", w), b.bind("low", low));
    let y = b.bind("y", add(w.clone(), r.clone()));
    let y_lo = add(sub(w, y.clone()), r.clone());
    let y_lo = b.bind("y_lo", add(y_lo, low));
    let (s, p) = from_square(b, design.plan(), r);
    let p = b.bind("p", p);
    let rest = b.fma(s, p, y_lo);
    add(y, rest)
}

/// The result, replaced where it is not an ordinary number.
fn at_the_ends(design: &Design, b: &mut Builder, x: Expr, y: Expr) -> Expr {
    if !special(design.limits) {
        return y;
    }
    let y = b.bind("y", y);
    let zero = binary(BinOp::Eq, x.clone(), b.literal(0.0));
    let infinity = b.number("INFINITY", f64::INFINITY);
    let minus = b.number("MINUS_INFINITY", f64::NEG_INFINITY);
    let nan = b.number("NAN", f64::NAN);
    let top = binary(BinOp::Eq, x.clone(), infinity.clone());
    let other = b.choose(zero, minus, nan);
    let other = b.choose(top, infinity.clone(), other);
    let ordinary = binary(
        BinOp::And,
        binary(BinOp::Gt, x.clone(), b.literal(0.0)),
        binary(BinOp::Lt, x, infinity),
    );
    b.choose(ordinary, y, other)
}

/// The cells of a table with `2^t` cells (no cells for t = 0), and the smallest and the largest `r`.
///
/// # Errors
/// If the logarithm has no reference.
pub fn cells(
    log: &str,
    format: Format,
    prim: Prim,
    t: u32,
    two_words: bool,
) -> Result<(Vec<Cell>, (f64, f64)), String> {
    if t == 0 {
        let root = std::f64::consts::FRAC_1_SQRT_2;
        return Ok((Vec::new(), (root - 1.0, 2.0 * root - 1.0)));
    }
    // A factor of 28 bits times a fraction of 24 is exact.
    let few = |c: f64| match prim {
        Prim::F32 => f64::from(c as f32),
        // Its product with a fraction of 53 bits, less 1, has at most 53 bits.
        _ if format == Format::F64 => {
            let unit = 2f64.powi(-(t as i32) - i32::from(c < 1.0));
            (c / unit).round() * unit
        }
        _ => f64::from_bits((c.to_bits() + (1 << 24)) & !((1 << 25) - 1)),
    };
    let ends = ends(t);
    let factor = |&(low, high): &(f64, f64)| match low <= 1.0 && 1.0 <= high {
        true => 1.0,
        false => few(2.0 / (low + high)),
    };
    let factors: Vec<f64> = ends.iter().map(factor).collect();
    let logs = crate::reference::values(log, &factors)?;
    let cells = factors.iter().zip(&logs).map(|(&c, l)| match c == 1.0 {
        true => Cell {
            c,
            log: 0.0,
            low: 0.0,
        },
        false if two_words => Cell {
            c,
            log: short(-l.hi),
            low: (-*l - Dd::from(short(-l.hi))).hi,
        },
        false => Cell {
            c,
            log: -l.hi,
            low: 0.0,
        },
    });
    let reach = ends.iter().zip(&factors);
    let reach = reach.map(|(&(low, high), &c)| (low * c - 1.0, high * c - 1.0));
    let widest = reach.fold((0.0, 0.0), |(a, b): (f64, f64), (c, d)| {
        (a.min(c), b.max(d))
    });
    Ok((cells.collect(), widest))
}
