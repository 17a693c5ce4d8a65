//! Cube roots: `x = 2^(3q + s) m`, and the root is `2^q ∛(2^s/c) ∛(m c)`, with `c` near `1/m` from a table.

use kernels_gen::ir::{BinOp, Elem};
use kernels_gen::syntax::Expr;

use super::design::{Cubic, Design};
use crate::build::{Builder, add, binary, mul, same, sub};
use crate::dd::Dd;
use crate::polynomial::polynomial;
use crate::reference::values;

impl Cubic {
    /// A table of `2^t` cells, and the largest distance of `m c` from 1.
    ///
    /// # Errors
    /// If the cube root has no reference.
    pub fn new(t: u32) -> Result<(Cubic, f64), String> {
        let cells = 1 << t;
        let ends = |j: u32| {
            let end = |j| 1.0 + f64::from(j) / f64::from(cells);
            (end(j), end(j + 1))
        };
        // A factor of 28 bits times a fraction of 24 is exact.
        let few = |c: f64| f64::from_bits((c.to_bits() + (1 << 24)) & !((1 << 25) - 1));
        let factor = |j| few(2.0 / (ends(j).0 + ends(j).1));
        let factors: Vec<f64> = (0..cells).map(factor).collect();
        let mut roots = Vec::new();
        for s in [1.0, 0.5, 0.25] {
            let scaled: Vec<f64> = factors.iter().map(|c| c * s).collect();
            let inverse = values("cbrt", &scaled)?;
            roots.extend(inverse.into_iter().map(|r| (Dd::ONE / r).hi));
        }
        let far = |j: u32| {
            let (c, (low, high)) = (factors[j as usize], ends(j));
            (1.0 - low * c).max(high * c - 1.0)
        };
        let reach = (0..cells).map(far).fold(0.0, f64::max);
        Ok((Cubic { factors, roots }, reach))
    }
}

pub fn body(design: &Design, c: &Cubic, b: &mut Builder, x: &Expr) -> Expr {
    let t = c.factors.len().trailing_zeros();
    let shift = 1.5 * 2f64.powi(52);
    let size = b.bind("size", same("abs", x.clone(), vec![]));
    let bits = b.bind("bits", b.to_bits(size.clone()));
    let biased = binary(BinOp::Shr, bits.clone(), b.int_literal(52));
    let start = b.integer("INTEGER_BITS", shift.to_bits() as i64);
    // The exponent less 1, for which rounding a third of it to an integer gives q.
    let biased = b.from_bits(add(biased, start));
    let before = b.number("INTEGER_AND_BIAS", shift + 1024.0);
    let e = b.bind("e", sub(biased, before));
    let third = b.number("THIRD", 1.0 / 3.0);
    let integer = b.number("INTEGER", shift);
    let q = b.fma(e.clone(), third, integer.clone());
    let q = b.bind("q", q);
    let whole = sub(q.clone(), integer);
    let s = b.fma(whole, b.literal(-3.0), e);
    let one = b.number("INTEGER_AND_ONE", shift + 1.0);
    let s = binary(BinOp::And, b.to_bits(add(s, one)), b.int_literal(3));
    let s = binary(BinOp::Shl, s, b.int_literal(t.into()));
    let cell = binary(BinOp::Shr, bits.clone(), b.int_literal((52 - t).into()));
    let cell = binary(BinOp::And, cell, b.int_literal((1 << t) - 1));
    let cell = b.bind("cell", cell);
    let factor = b.load("FACTORS", Elem::F64, each(&c.factors), cell.clone());
    let root = b.load("ROOTS", Elem::F64, each(&c.roots), add(s, cell));
    let fraction = binary(BinOp::And, bits, b.int_literal((1 << 52) - 1));
    let bias = b.integer("ONE_BITS", 1023 << 52);
    let m = b.from_bits(binary(BinOp::Or, fraction, bias));
    // Exact, as its difference from 1 is.
    let v = b.bind("v", mul(m, factor));
    let p = polynomial(b, design.plan(), &v);
    let p = b.bind("p", p);
    let exponent = add(b.to_bits(q), b.int_literal(1023));
    let scale = b.from_bits(binary(BinOp::Shl, exponent, b.int_literal(52)));
    let y = b.bind("y", mul(mul(root, scale), p));
    // A zero, an infinity and a NaN are their own roots.
    let ordinary = binary(
        BinOp::And,
        binary(BinOp::Gt, size.clone(), b.literal(0.0)),
        binary(BinOp::Lt, size, b.number("INFINITY", f64::INFINITY)),
    );
    let signed = same("copysign", y, vec![x.clone()]);
    b.choose(ordinary, signed, x.clone())
}

/// The bits of numbers.
fn each(numbers: &[f64]) -> Vec<u64> {
    numbers.iter().map(|x| x.to_bits()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_and_roots_are_those_of_the_cells() {
        for t in [3, 5] {
            let (cubic, reach) = Cubic::new(t).expect("a reference");
            let cells = 1 << t;
            assert_eq!((cubic.factors.len(), cubic.roots.len()), (cells, 3 * cells));
            assert!(reach < 1.1 / (2.0 * cells as f64), "{reach}");
            for (i, root) in cubic.roots.iter().enumerate() {
                let power = [1.0, 2.0, 4.0][i / cells] / cubic.factors[i % cells];
                assert!((root * root * root / power - 1.0).abs() < 1e-15);
                // Such a factor's product with a fraction of 24 bits is exact.
                assert_eq!(cubic.factors[i % cells].to_bits() & ((1 << 25) - 1), 0);
            }
        }
    }
}
