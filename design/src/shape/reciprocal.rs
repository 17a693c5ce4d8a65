//! The arc tangent. For arguments above 1, it uses the arc tangent of the reciprocal.

use kernels_gen::ir::BinOp;
use kernels_gen::syntax::Expr;

use super::design::Design;
use crate::build::{Builder, binary, same, sub};
use crate::polynomial::polynomial;

pub fn body(design: &Design, b: &mut Builder, x: &Expr) -> Expr {
    let one = b.literal(1.0);
    let above = binary(BinOp::Gt, same("abs", x.clone(), vec![]), one);
    let above = b.bind("above", above);
    let chosen = b.choose(above.clone(), same("recip", x.clone(), vec![]), x.clone());
    let v = b.bind("v", chosen);
    let p = polynomial(b, design.plan(), &v);
    let p = b.bind("p", p);
    // atan x = sign(x) pi/2 - atan(1/x)
    let quarter = b.number("HALF_PI", std::f64::consts::FRAC_PI_2);
    let quarter = b.bind("quarter", quarter);
    let signed = same("copysign", quarter, vec![x.clone()]);
    b.choose(above, sub(signed, p.clone()), p)
}
