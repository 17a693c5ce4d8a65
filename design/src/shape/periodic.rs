//! Sines and cosines: `x = k + r` half turns, exactly, or `x = k pi + r` by words of pi, or `x/pi = k + r` by words of 1/pi from a table. A cosine
//! is the sine a quarter of a turn later.

use kernels_gen::ir::{BinOp, Elem};
use kernels_gen::syntax::Expr;

use super::design::{Design, Periodic, Turns};
use crate::build::{Builder, add, binary, mul, same, sub};
use crate::polynomial::polynomial;

/// pi in words of 53 bits.
const PI: [f64; 3] = [
    std::f64::consts::PI,
    1.224_646_799_147_353_2e-16,
    -2.994_769_809_718_339_7e-33,
];

/// The bits of 1/pi after the point.
const INVERSE_PI: [u64; 5] = [
    0x517c_c1b7_2722_0a94,
    0xfe13_abe8_fa9a_6ee0,
    0x6db1_4acc_9e21_c820,
    0xff28_b1d5_ef5d_e2b0,
    0xdb92_371d_2126_e970,
];

/// The last exponent for which all of 1/pi is needed, and the number of exponents of binary32 from it on.
const FIRST: i64 = 24;
const EXPONENTS: u32 = 104;
/// The number of bits of the first two words: their products with numbers of 24 bits are exact.
const WORD: u32 = 28;

/// Bits of 1/pi as an integer.
fn inverse(from: u32, count: u32) -> u64 {
    let bit = |i: u32| INVERSE_PI[(i / 64) as usize] >> (63 - i % 64) & 1;
    (from..from + count).fold(0, |all, i| 2 * all + bit(i))
}

/// For each exponent from [`FIRST`] on, three words of 1/pi, without the bits that give multiples of 2 in the product with a number of 24
/// bits.
fn words() -> [Vec<u64>; 3] {
    let word = |skipped: u32, count: u32| {
        let each = |e: u32| {
            let bits = inverse(e + skipped, count) as f64;
            (bits * 2f64.powi(-((e + skipped + count) as i32))).to_bits()
        };
        (0..EXPONENTS).map(each).collect()
    };
    [word(0, WORD), word(WORD, WORD), word(2 * WORD, 64)]
}

pub fn body(design: &Design, p: Periodic, b: &mut Builder, x: Expr) -> Expr {
    let shift = 1.5 * 2f64.powi(b.fraction() as i32);
    let mut x = x;
    if p.turns == Turns::Exact && design.limits.largest() >= 2f64.powi(b.fraction() as i32 - 2) {
        // From 2^24 on numbers of binary32 are even; an infinity becomes a NaN.
        let even = b.number("EVEN", 16_777_216.0);
        let small = binary(BinOp::Lt, same("abs", x.clone(), vec![]), even);
        let zero = mul(x.clone(), b.literal(0.0));
        let chosen = b.choose(small, x.clone(), zero);
        x = b.bind("x", chosen);
    }
    let integer = b.number("INTEGER", shift);
    let half = b.literal(0.5);
    let (turns, r) = match p.turns {
        Turns::Exact => {
            if p.cosine {
                // Exact but for tiny numbers, whose cosine is 1.
                x = b.bind("x", add(x, half));
            }
            let t = b.bind("t", add(x.clone(), integer.clone()));
            let r = sub(x.clone(), sub(t.clone(), integer));
            (b.to_bits(t), b.bind("r", r))
        }
        Turns::Words(words) => {
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
            let words = PI.iter().take(words as usize);
            for (word, name) in words.zip(["PI_HI", "PI_MID", "PI_LO"]) {
                let word = b.number(&format!("MINUS_{name}"), -word);
                let next = b.fma(k.clone(), word, r);
                r = b.bind("r", next);
            }
            (b.to_bits(t), r)
        }
        Turns::Table => by_table(b, &x, p.cosine),
    };
    let y = polynomial(b, design.plan(), &r);
    let y = b.bind("y", y);
    // An odd number of half turns changes the sign.
    let top = b.int_literal(if b.fraction() == 52 { 63 } else { 31 });
    let sign = binary(BinOp::Shl, turns, top);
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

/// An integer whose last bit is that of the number of half turns, and the rest. The product with the first word is exact. So is its sum with the
/// product of the second word, if the rest is small.
fn by_table(b: &mut Builder, x: &Expr, cosine: bool) -> (Expr, Expr) {
    let shift = b.number("INTEGER", 1.5 * 2f64.powi(52));
    let size = same("abs", x.clone(), vec![]);
    let exponent = binary(BinOp::Shr, b.to_bits(size), b.int_literal(52));
    let first = b.integer("FIRST", 1023 + FIRST);
    let e = b.bind("e", sub(exponent, first));
    let none = b.int_literal(0);
    let low = b.choose(binary(BinOp::Lt, e.clone(), none.clone()), none, e);
    let low = b.bind("e", low);
    // The exponent of infinities and NaNs is another one.
    let last = b.integer("LAST", i64::from(EXPONENTS) - 1);
    let high = binary(BinOp::Gt, low.clone(), last.clone());
    let index = b.choose(high, last, low);
    let index = b.bind("index", index);
    let [hi, mid, lo] = words();
    let hi = b.load("TURNS_HI", Elem::F64, hi, index.clone());
    let mid = b.load("TURNS_MID", Elem::F64, mid, index.clone());
    let lo = b.load("TURNS_LO", Elem::F64, lo, index);
    let h = mul(x.clone(), hi);
    let h = b.bind("h", if cosine { add(h, b.literal(0.5)) } else { h });
    let first = b.bind("first", add(h.clone(), shift.clone()));
    let f = b.bind("f", sub(h, sub(first.clone(), shift.clone())));
    let u = b.fma(x.clone(), mid, f);
    let u = b.bind("u", u);
    let second = b.bind("second", add(u.clone(), shift.clone()));
    let v = sub(u, sub(second.clone(), shift));
    let v = b.bind("v", v);
    let r = b.fma(x.clone(), lo, v);
    let r = b.bind("r", r);
    (add(b.to_bits(first), b.to_bits(second)), r)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words of an exponent are 1/pi, apart from bits that give even numbers of half turns.
    #[test]
    fn words_are_those_of_the_inverse() {
        let words = words();
        let word = |w: usize, e: usize| f64::from_bits(words[w][e]);
        let sum = word(0, 0) + word(1, 0) + word(2, 0);
        assert!((sum - std::f64::consts::FRAC_1_PI).abs() < 1e-16);
        for e in 0..EXPONENTS as usize {
            // The least number of this exponent has 2^e as its unit in the last place, after the first.
            let unit = 2f64.powi(e as i32 + 1);
            assert!(word(0, e) * unit < 2.0, "{e}");
            assert_eq!(word(0, e).to_bits() & ((1 << 25) - 1), 0);
            assert_eq!(word(1, e).to_bits() & ((1 << 25) - 1), 0);
            assert!(word(1, e) * unit < 2f64.powi(1 - WORD as i32));
        }
        assert_eq!(inverse(0, 64), INVERSE_PI[0]);
        assert_eq!(inverse(60, 8), 0x4f);
    }
}
