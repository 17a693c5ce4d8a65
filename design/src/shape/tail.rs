//! A function by the one of `-|x|`, which falls to 0 and needs relative accuracy: `f(x) = 1 - f(-x)`.

use kernels_gen::ir::BinOp;
use kernels_gen::syntax::Expr;

use super::design::{Design, Falling, Tail};
use super::exponential;
use super::plain::squared;
use crate::build::{Builder, binary, mul, neg, same, sub};
use crate::polynomial::{Form, Plan, Scheme, polynomial};

pub fn body(design: &Design, tail: Tail, b: &mut Builder, x: Expr) -> Expr {
    let size = b.bind("t", same("abs", x.clone(), vec![]));
    // On the other side the argument was cut off already.
    let t = match design.cut.high.is_some_and(|h| h <= tail.most) {
        true => size,
        false => {
            let most = b.number("MOST", tail.most);
            let above = binary(BinOp::Gt, size.clone(), most.clone());
            let chosen = b.choose(above, most, size);
            b.bind("t", chosen)
        }
    };
    let p = match tail.falling {
        Falling::Power(squarings) => {
            let p = polynomial(b, design.plan(), &t);
            squared(b, p, squarings)
        }
        Falling::Exponential(e) => {
            let x = match e.halved {
                true => mul(t, b.literal(-0.5)),
                false => neg(t),
            };
            let x = b.bind("v", x);
            let u = exponential::simple(design, &e, b, x);
            let u = b.bind("u", u);
            let p = second(design, b, &u);
            mul(u, p)
        }
        Falling::Gaussian(e) => {
            // The square of a number of 16 bits is exact.
            let square = mul(t.clone(), t.clone());
            let half = b.literal(if e.halved { -0.25 } else { -0.5 });
            let x = b.bind("v", mul(square, half));
            let u = exponential::simple(design, &e, b, x);
            let u = b.bind("u", u);
            let p = second(design, b, &t);
            mul(u, p)
        }
    };
    let p = b.bind("p", p);
    let negative = binary(BinOp::Lt, x.clone(), b.literal(0.0));
    let other = sub(b.literal(1.0), p.clone());
    let y = b.choose(negative, p, other);
    match tail.product {
        true => {
            let y = b.bind("y", y);
            mul(x, y)
        }
        false => y,
    }
}

/// The second polynomial of a design.
fn second(design: &Design, b: &mut Builder, v: &Expr) -> Expr {
    let plan = Plan {
        form: Form::All,
        scheme: match design.scheme {
            // Few powers differ only in their order.
            Scheme::Horner => Scheme::Horner,
            _ => Scheme::EvenOdd,
        },
        terms: design.second.as_ref().map_or(0, |s| s.terms),
        center: 0.0,
    };
    let p = polynomial(b, plan, v);
    b.bind("p", p)
}
