//! The arc sine. Above 1/2 it is `pi/2 - 2 asin v`, with `v = √((1 - |x|)/2)`. Here v is the sine of half the angle to the pole.

use kernels_gen::ir::BinOp;
use kernels_gen::syntax::Expr;

use super::design::Design;
use crate::build::{Builder, binary, same};
use crate::polynomial::polynomial;

pub fn body(design: &Design, b: &mut Builder, x: &Expr) -> Expr {
    let size = b.bind("size", same("abs", x.clone(), vec![]));
    let above = binary(BinOp::Gt, size.clone(), b.literal(0.5));
    let above = b.bind("above", above);
    // Exact. The root of what is negative is the NaN for arguments beyond 1.
    let rest = b.fma(size.clone(), b.literal(-0.5), b.literal(0.5));
    let chosen = b.choose(above.clone(), same("sqrt", rest, vec![]), size);
    let v = b.bind("v", chosen);
    let p = polynomial(b, design.plan(), &v);
    let p = b.bind("p", p);
    let quarter = b.number("HALF_PI", std::f64::consts::FRAC_PI_2);
    let other = b.fma(p.clone(), b.literal(-2.0), quarter);
    let chosen = b.choose(above, other, p);
    let y = b.bind("y", chosen);
    same("copysign", y, vec![x.clone()])
}
