//! Exponentials: `b^x = 2^(k/n) b^r`, with the powers `2^(j/n)` from a table.

use kernels_gen::ir::{BinOp, Elem};
use kernels_gen::ops::Prim;
use kernels_gen::syntax::Expr;

use super::design::{Design, Exponential, Finish};
use crate::build::{Builder, add, at_least, at_most, binary, div, mul, neg, same, sub};
use crate::dd::Dd;
use crate::polynomial::polynomial;
use crate::spec::Format;

pub fn body(design: &Design, e: &Exponential, b: &mut Builder, x: Expr) -> Expr {
    let input = x.clone();
    let limits = design.limits;
    let (x, low, high) = match e.finish {
        Finish::Power | Finish::LessOne => (x, limits.low, limits.high),
        Finish::Sigmoid { .. } => (b.bind("x", neg(x)), -limits.high, -limits.low),
        Finish::Tanh => {
            let twice = mul(same("abs", x, vec![]), b.literal(-2.0));
            (b.bind("x", twice), -2.0 * limits.largest(), 0.0)
        }
    };
    let mut x = clamped(design, e, b, x, low, high);
    if e.halved {
        x = b.bind("x", mul(x, b.literal(0.5)));
    }
    let once = e.halved || matches!(e.finish, Finish::Sigmoid { .. });
    let scaled = !once && design.format != Format::F16 && split(design, e, low, high);
    let (power, q) = reduced(design, e, b, x, scaled);
    match e.finish {
        Finish::Power if scaled => {
            // Half of the exponent is multiplied in at the end, so that a subnormal result is rounded once.
            let first = b.fma(power.0.clone(), q, power.0);
            let second = power.1.unwrap_or_else(|| b.literal(1.0));
            mul(second, first)
        }
        Finish::Power => whole(e, b, power.0, q),
        Finish::LessOne => {
            let one = sub(power.0.clone(), b.literal(1.0));
            let y = b.fma(power.0, q, one);
            let y = b.bind("y", y);
            let zero = binary(BinOp::Eq, input.clone(), b.literal(0.0));
            b.choose(zero, input, y)
        }
        Finish::Sigmoid { ties } => {
            let y = whole(e, b, power.0, q);
            let one = add(y, b.literal(1.0));
            let y = same("recip", one, vec![]);
            match ties {
                true => near_half(b, input, y),
                false => y,
            }
        }
        Finish::Tanh => {
            let one = sub(power.0.clone(), b.literal(1.0));
            let u = b.fma(power.0, q, one);
            let u = b.bind("u", u);
            let y = div(neg(u.clone()), add(u, b.literal(2.0)));
            same("copysign", y, vec![input])
        }
    }
}

/// The sigmoid's values. Those next to 0 are replaced by a number of binary64 that lies on the same side of every middle between two
/// results of binary32.
///
/// `1/2 + x/4 - x^3/48` is so close to `1/2 + x/4` that both round to the same number of binary64, which may be a middle. Below 2^-14 the
/// sum has only the bits of x, so that it is either a middle or at least 2^-39 away from one. `x^3/48` is smaller. So a last place of 1/2,
/// used in place of `x^3/48`, does not pass a middle.
fn near_half(b: &mut Builder, x: Expr, y: Expr) -> Expr {
    let small = binary(
        BinOp::Lt,
        same("abs", x.clone(), vec![]),
        b.number("SMALL", NEAR_HALF),
    );
    let half = b.fma(x.clone(), b.literal(0.25), b.literal(0.5));
    let place = same("copysign", b.number("PLACE", 2f64.powi(-53)), vec![x]);
    let near = sub(half, place);
    let y = b.bind("y", y);
    b.choose(small, near, y)
}

/// For magnitudes below this, the sigmoid takes the side of `1/2 + x/4` that is towards 1/2.
pub const NEAR_HALF: f64 = 1.0 / 16384.0;

/// `b^x` of a number that needs no special treatment: its power of two is a normal number in the precision of the computation.
pub fn simple(design: &Design, e: &Exponential, b: &mut Builder, x: Expr) -> Expr {
    let (power, q) = reduced(design, e, b, x, false);
    whole(e, b, power.0, q)
}

/// The power times `1 + q`, squared if the argument was halved.
fn whole(e: &Exponential, b: &mut Builder, power: Expr, q: Expr) -> Expr {
    let y = b.fma(power.clone(), q, power);
    if !e.halved {
        return y;
    }
    let y = b.bind("y", y);
    mul(y.clone(), y)
}

/// The power of two in one factor or in two, and the polynomial's value for the rest.
fn reduced(
    design: &Design,
    e: &Exponential,
    b: &mut Builder,
    x: Expr,
    scaled: bool,
) -> ((Expr, Option<Expr>), Expr) {
    let n = f64::from(1u32 << e.table);
    let fraction = b.fraction();
    // With the bias of exponents in it, its lower bits are those of the power of two.
    let bias = if biased(e, scaled) { bias(b.prim) } else { 0 };
    let integer = b.number("INTEGER", 1.5 * 2f64.powi(fraction as i32) + bias as f64);
    let per = b.number("STEPS_PER_UNIT", n * e.base.log2);
    let t = b.fma(x.clone(), per, integer.clone());
    let t = b.bind("t", t);
    let k = b.bind("k", sub(t.clone(), integer));
    let step = e.base.of_2.scaled(1.0 / n);
    let (hi, lo) = match b.prim {
        Prim::F32 => {
            let hi = f64::from(step.hi as f32);
            (hi, step.hi - hi)
        }
        _ => (step.hi, step.lo),
    };
    let word = b.number("MINUS_STEP", -hi);
    let r = b.fma(k.clone(), word, x);
    let mut r = b.bind("r", r);
    if e.two_words && lo != 0.0 {
        let word = b.number("MINUS_STEP_LO", -lo);
        let next = b.fma(k, word, r);
        r = b.bind("r", next);
    }
    let bits = b.bind("bits", b.to_bits(t));
    let q = polynomial(b, design.plan(), &r);
    let mut q = b.bind("q", q);
    if e.tails {
        let tails = b.load("TAILS", Elem::F64, tails(e), bits.clone());
        q = b.bind("q", add(q, tails));
    }
    (power(e, b, &bits, scaled), q)
}

/// The bias of exponents.
fn bias(prim: Prim) -> i64 {
    match prim {
        Prim::F32 => 127,
        _ => 1023,
    }
}

/// Whether the integer includes the bias already. Then nothing needs to be added from a table.
fn biased(e: &Exponential, scaled: bool) -> bool {
    e.table == 0 && !scaled
}

/// Whether the power of two is applied in two factors: it may be beyond the exponents of the format.
fn split(design: &Design, e: &Exponential, low: f64, high: f64) -> bool {
    let limits = e.limits(design.prim);
    // Results of binary32 are normal numbers of a computation in binary64.
    let same = design.prim == design.format.prim();
    same && (low * e.base.log2 < limits.0 || high * e.base.log2 > limits.1)
}

/// The power of 2 whose half has the exponent of zero.
pub const LAST_HALVED: f64 = 254.0;

/// `x`, limited to arguments whose power is neither too large nor too small for the computation. A NaN stays.
fn clamped(
    design: &Design,
    e: &Exponential,
    b: &mut Builder,
    x: Expr,
    low: f64,
    high: f64,
) -> Expr {
    // Beyond these powers of 2 the result is the same: infinite, 0, or the limit of the function.
    let (least, most) = match design.format {
        Format::F16 => (-28.0, 18.0),
        Format::Bf16 => (-136.0, 129.0),
        Format::F64 => (-1080.0, 1026.0),
        _ => (-152.0, 129.0),
    };
    let least = match e.finish {
        Finish::Power if e.vanishes(b.prim) => -LAST_HALVED,
        _ => least,
    };
    // The reciprocal of a power is subnormal where the power is above all numbers of the format, but not of the computation.
    let most = match (e.finish, design.format, b.prim) {
        (Finish::Sigmoid { .. }, Format::F64, _) => 1022.0,
        (Finish::Sigmoid { .. }, _, Prim::F64) => -least,
        (Finish::Sigmoid { .. }, ..) => f64::min(most, 126.0),
        _ => most,
    };
    let (least, most) = (least / e.base.log2, most / e.base.log2);
    let (least, most) = (least.round(), most.round());
    let chosen = match (low < least, high > most) {
        (true, true) => {
            let (least, most) = (b.number("LOW", least), b.number("HIGH", most));
            same("clamp", x, vec![least, most])
        }
        (false, true) => at_most(b.number("HIGH", most), x),
        (true, false) => at_least(b.number("LOW", least), x),
        (false, false) => return x,
    };
    b.bind("x", chosen)
}

/// `2^(j/n) - h`, relative to the rounded power h.
fn tails(e: &Exponential) -> Vec<u64> {
    let n = 1u32 << e.table;
    // Square roots in two words, from 2 downwards.
    let mut roots = vec![Dd::from(2.0)];
    while roots.len() <= e.table as usize {
        roots.push(roots[roots.len() - 1].sqrt());
    }
    let power = |j: u32| {
        let bit = |i: u32| j >> i & 1 == 1;
        let factors = (0..e.table).filter(|&i| bit(i));
        factors.fold(Dd::ONE, |p, i| p * roots[(e.table - i) as usize])
    };
    let tail = |j: u32| {
        let h = Dd::from((f64::from(j) / f64::from(n)).exp2());
        ((power(j) - h) / h).hi.to_bits()
    };
    (0..n).map(tail).collect()
}

/// `2^(k/n)`, in two factors if asked.
fn power(e: &Exponential, b: &mut Builder, bits: &Expr, scaled: bool) -> (Expr, Option<Expr>) {
    let fraction = match b.prim {
        Prim::F32 => 23,
        _ => 52,
    };
    if biased(e, scaled) {
        let exponent = binary(BinOp::Shl, bits.clone(), b.int_literal(fraction));
        let power = b.from_bits(exponent);
        return (b.bind("power", power), None);
    }
    let places = |b: &Builder, n: i64| b.int_literal(n);
    let one = (bias(b.prim) as u64) << fraction;
    let whole = match e.table {
        0 => bits.clone(),
        t => binary(BinOp::Shr, bits.clone(), places(b, t.into())),
    };
    let entry = if e.table == 0 {
        b.integer("ONE", one as i64)
    } else {
        let n = 1u64 << e.table;
        let entries = (0..n)
            .map(|j| b.bits((j as f64 / n as f64).exp2()))
            .collect();
        let elem = match b.prim {
            Prim::F32 => Elem::U32,
            _ => Elem::U64,
        };
        b.load("POWERS", elem, entries, bits.clone())
    };
    if !scaled {
        let exponent = binary(BinOp::Shl, whole, places(b, fraction));
        let sum = add(exponent, entry);
        let power = b.from_bits(sum);
        return (b.bind("power", power), None);
    }
    // The bits of INTEGER are a multiple of 2n but for the top ones, which are cut off by the shifts.
    let shift = b.integer(
        "INTEGER_BITS",
        (b.bits(1.5 * 2f64.powi(fraction as i32)) >> e.table) as i64,
    );
    let whole = b.bind("whole", sub(whole, shift));
    let half = b.bind("half", binary(BinOp::Shr, whole.clone(), places(b, 1)));
    let first = add(binary(BinOp::Shl, half.clone(), places(b, fraction)), entry);
    let power = b.from_bits(first);
    let first = b.bind("power", power);
    let rest = binary(BinOp::Shl, sub(whole, half), places(b, fraction));
    let unit = b.integer("ONE", one as i64);
    let second = b.from_bits(add(rest, unit));
    (first, Some(b.bind("rest", second)))
}
