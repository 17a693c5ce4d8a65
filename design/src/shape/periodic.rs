//! Sines and cosines: `x = k + r` half turns, exactly, or `x = k pi + r` by words of pi. A cosine is the sine a quarter of a turn later.

use kernels_gen::ir::BinOp;
use kernels_gen::syntax::Expr;

use super::design::{Design, Periodic};
use crate::build::{Builder, add, binary, mul, same, sub};
use crate::polynomial::polynomial;

/// pi in words of 53 bits.
const PI: [f64; 3] = [
    std::f64::consts::PI,
    1.224_646_799_147_353_2e-16,
    -2.994_769_809_718_339_7e-33,
];

pub fn body(design: &Design, p: Periodic, b: &mut Builder, x: Expr) -> Expr {
    let shift = 1.5 * 2f64.powi(b.fraction() as i32);
    let mut x = x;
    if p.words == 0 && design.limits.largest() >= 2f64.powi(b.fraction() as i32 - 2) {
        // From 2^24 on numbers of binary32 are even; an infinity becomes a NaN.
        let even = b.number("EVEN", 16_777_216.0);
        let small = binary(BinOp::Lt, same("abs", x.clone(), vec![]), even);
        let zero = mul(x.clone(), b.literal(0.0));
        let chosen = b.choose(small, x.clone(), zero);
        x = b.bind("x", chosen);
    }
    let integer = b.number("INTEGER", shift);
    let half = b.literal(0.5);
    let (t, r) = if p.words == 0 {
        if p.cosine {
            // Exact but for tiny numbers, whose cosine is 1.
            x = b.bind("x", add(x, half));
        }
        let t = b.bind("t", add(x.clone(), integer.clone()));
        let r = sub(x.clone(), sub(t.clone(), integer));
        (t, b.bind("r", r))
    } else {
        let inverse = b.number("ONE_OVER_PI", std::f64::consts::FRAC_1_PI);
        let t = if p.cosine {
            add(b.fma(x.clone(), inverse, half.clone()), integer.clone())
        } else {
            b.fma(x.clone(), inverse, integer.clone())
        };
        let t = b.bind("t", t);
        let k = sub(t.clone(), integer);
        let k = b.bind("k", if p.cosine { sub(k, half) } else { k });
        let mut r = x.clone();
        for (word, name) in PI
            .iter()
            .zip(["PI_HI", "PI_MID", "PI_LO"])
            .take(p.words as usize)
        {
            let word = b.number(&format!("MINUS_{name}"), -word);
            let next = b.fma(k.clone(), word, r);
            r = b.bind("r", next);
        }
        (t, r)
    };
    let y = polynomial(b, design.plan(), &r);
    let y = b.bind("y", y);
    // An odd number of half turns changes the sign.
    let top = b.int_literal(if b.fraction() == 52 { 63 } else { 31 });
    let sign = binary(BinOp::Shl, b.to_bits(t), top);
    let bits = binary(BinOp::Xor, b.to_bits(y), sign);
    let y = b.from_bits(bits);
    let y = b.bind("y", y);
    let zero = binary(BinOp::Eq, y.clone(), b.literal(0.0));
    if p.cosine {
        return b.choose(zero, b.literal(0.0), y);
    }
    // At an integer the zero has the sign of x.
    let signed = same("copysign", y.clone(), vec![x]);
    b.choose(zero, signed, y)
}
