//! No reduction: only the polynomial, or a power of it.

use kernels_gen::ir::BinOp;
use kernels_gen::syntax::Expr;

use super::design::{Design, Of};
use crate::build::{Builder, binary, mul, same};
use crate::polynomial::{Form, polynomial};
use crate::spec::Format;

pub fn body(design: &Design, b: &mut Builder, x: Expr, squarings: u32) -> Expr {
    if let Some(u) = &design.approximation.variable {
        let u = u.build(b, &x);
        let p = polynomial(b, design.plan(), &u);
        return match design.approximation.of {
            Of::ByX => {
                let p = b.bind("p", p);
                mul(x, p)
            }
            _ => p,
        };
    }
    let p = polynomial(b, design.plan(), &x);
    // Near 0 the result is the argument. Powers of that would lose their last places among subnormal numbers, and `-0 + 0` is 0.
    let across = design.limits.low <= 0.0 && design.limits.high >= 0.0;
    if design.format == Format::F64 && design.form.one() == Some(1) && across {
        let p = b.bind("p", p);
        let exponent = match design.form {
            Form::FromSquare => -54,
            _ => -27,
        };
        let tiny = b.number("TINY", 2f64.powi(exponent));
        let small = binary(BinOp::Lt, same("abs", x.clone(), vec![]), tiny);
        return b.choose(small, x, p);
    }
    squared(b, p, squarings)
}

/// A number squared this often.
pub fn squared(b: &mut Builder, p: Expr, squarings: u32) -> Expr {
    let mut p = p;
    for _ in 0..squarings {
        p = b.bind("p", p);
        p = mul(p.clone(), p);
    }
    p
}
