//! No reduction: only the polynomial, or a power of it.

use kernels_gen::syntax::Expr;

use super::design::Design;
use crate::build::{Builder, mul};
use crate::polynomial::polynomial;

pub fn body(design: &Design, b: &mut Builder, x: Expr, squarings: u32) -> Expr {
    let p = polynomial(b, design.plan(), &x);
    squared(b, p, squarings)
}

/// A number squared that often.
pub fn squared(b: &mut Builder, p: Expr, squarings: u32) -> Expr {
    let mut p = p;
    for _ in 0..squarings {
        p = b.bind("p", p);
        p = mul(p.clone(), p);
    }
    p
}
