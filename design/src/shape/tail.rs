//! Computes a function from its values at `-|x|`, where it falls to 0 and needs relative accuracy: `f(x) = 1 - f(-x)`.

use kernels_gen::ir::BinOp;
use kernels_gen::ops::Prim;
use kernels_gen::syntax::Expr;

use super::design::{Design, Falling, Tail};
use super::exponential;
use super::plain::squared;
use crate::build::{Builder, add, at_least, at_most, binary, mul, neg, same, sub};
use crate::polynomial::{Form, Plan, Scheme, polynomial};
use crate::spec::Format;

pub fn body(design: &Design, tail: Tail, b: &mut Builder, x: Expr) -> Expr {
    let size = b.bind("t", same("abs", x.clone(), vec![]));
    // On the other side the argument was cut off already.
    let inside = design.cut.high.is_some_and(|h| h <= tail.most);
    let vanishing = vanishes(design, tail, b.prim);
    let summed = tail.product && b.prim == Prim::F32 && design.format.stored().is_some();
    let end = match (vanishing, summed) {
        (true, true) => Some(tail.beyond()),
        (false, true) => Some(tail.most),
        _ => Some(tail.most).filter(|_| !inside && !vanishing),
    };
    let t = match end {
        None => size,
        Some(end) => {
            let end = b.number("END", end);
            b.bind("t", at_most(end, size))
        }
    };
    let p = match tail.falling {
        Falling::Power(squarings) => {
            let mut p = polynomial(b, design.plan(), &t);
            if vanishing {
                p = b.bind("p", p);
                let most = b.number("MOST", tail.most);
                let beyond = binary(BinOp::Gt, t.clone(), most);
                p = b.choose(beyond, b.literal(0.0), p);
            }
            squared(b, p, squarings)
        }
        Falling::Exponential(e) => {
            let x = match e.halved {
                true => mul(t.clone(), b.literal(-0.5)),
                false => neg(t.clone()),
            };
            let x = b.bind("v", x);
            let u = exponential::simple(design, &e, b, x);
            let u = b.bind("u", u);
            let p = second(design, b, &u);
            mul(u, p)
        }
        Falling::Gaussian(e) => {
            // The square of a number of 16 bits is exact, and in binary64 that of one of 24 bits.
            let square = mul(t.clone(), t.clone());
            let half = b.literal(if e.halved { -0.25 } else { -0.5 });
            let x = b.bind("v", mul(square, half));
            let u = exponential::simple(design, &e, b, x);
            let u = b.bind("u", u);
            let p = second(design, b, &t);
            mul(u, p)
        }
    };
    let mut p = b.bind("p", p);
    for (i, &(at, value)) in design.corrections.iter().enumerate() {
        let at = b.number(&format!("SIZE_{i}"), at.into());
        let value = b.number(&format!("FALLING_{i}"), value.into());
        let is = binary(BinOp::Eq, t.clone(), at);
        let chosen = b.choose(is, value, p);
        p = b.bind("p", chosen);
    }
    if summed {
        // `x - |x| p`, or `-|x| p`: x is no factor, so an infinite one needs no limit.
        let positive = at_least(b.number("ZERO", -0.0), x);
        return b.fma(neg(t), p, positive);
    }
    let negative = binary(BinOp::Lt, x.clone(), b.literal(0.0));
    let other = sub(b.literal(1.0), p.clone());
    let y = b.choose(negative, p, other);
    // The product with a subnormal number is a middle of two results, or beyond it by less than the polynomials are accurate to: the factor's
    // side of 1/2 decides. Results of larger numbers are no nearer to a middle than this moves them.
    // Those of 16 bits are rounded to binary32 first, where they have to stay beside the middle.
    let side = if design.format.stored().is_some() {
        -14
    } else {
        -30
    };
    let y = match tail.product && b.prim == Prim::F64 {
        true => {
            let y = b.bind("y", y);
            let size = same("abs", x.clone(), vec![]);
            let small = binary(BinOp::Lt, size, b.number("SMALL", 2f64.powi(-27)));
            let side = same(
                "copysign",
                b.number("SIDE", 2f64.powi(side)),
                vec![x.clone()],
            );
            let half = add(side, b.literal(0.5));
            b.choose(small, half, y)
        }
        false => y,
    };
    match tail.product {
        true => {
            let y = b.bind("y", y);
            mul(x, y)
        }
        false => y,
    }
}

/// Whether the falling side is set to 0 where its results are 0, as in [`Exponential::vanishes`](super::Exponential): the power of a root would be
/// subnormal there.
fn vanishes(design: &Design, tail: Tail, prim: Prim) -> bool {
    matches!(tail.falling, Falling::Power(_)) && design.format == Format::Bf16 && prim == Prim::F32
}

/// The second polynomial of a design.
fn second(design: &Design, b: &mut Builder, v: &Expr) -> Expr {
    let second = design.second.as_ref();
    let v = match second.and_then(|s| s.approximation.variable.as_ref()) {
        Some(u) => &u.build(b, v),
        None => v,
    };
    let plan = Plan {
        form: Form::All,
        scheme: match design.scheme {
            // Few powers differ only in their order.
            Scheme::Horner => Scheme::Horner,
            _ => Scheme::EvenOdd,
        },
        terms: second.map_or(0, |s| s.terms),
        center: 0.0,
        denominator: 0,
    };
    let p = polynomial(b, plan, v);
    b.bind("p", p)
}
