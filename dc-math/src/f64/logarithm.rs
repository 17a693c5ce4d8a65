//! Logarithms in binary64.
//!
//! `x = 2^e m`, and `log m = log(m c) - log c` with a factor c near 1/m from a table of 16 cells of m: `r = m c - 1` is exact, and below 2^-4.4. The
//! sum of `e log 2 - log c` and the first term of log(1 + r) has two words; the rest is r² p(r). Near 1, c is 1 and e is 0, so the relative error
//! stays small.
//!
//! The last sum has an error of half a unit. The rounding errors of r² and of p, which is near -1/2, add at most r/2 units each where e and log
//! c are 0.

use super::common::{INTEGER, INTEGER_BITS, SUBNORMAL, TINIER, led, multiple};
use super::tables::{
    FACTORS, FINE_FACTORS, FINE_HI, FINE_LO, LN_HI, LN_LO, LN_SERIES, LOG2_E_HI, LOG2_E_LO,
    LOG2_HI, LOG2_LO, LOG2_SERIES, LOG10_2_HI, LOG10_2_LO, LOG10_E_HI, LOG10_E_LO, LOG10_HI,
    LOG10_LO, LOG10_SERIES, TWO_HI, TWO_LO,
};
use dc_runtime::prelude::*;

/// The bits of the first number in the first cell.
const START: i64 = 0x3ff0_0000_0000_0000 - (10 << 48) - (1 << 47);
/// 2^52, and the amount by which it raises the exponent bits.
const TWO_52: f64 = 4_503_599_627_370_496.0;
const BELOW: i64 = 52 << 52;

/// Added to the bits of numbers, it makes the bits of positive normal numbers the least integers, in order.
const ORDER: i64 = 0x7ff0_0000_0000_0000;
/// The places of infinity and of 2^1000 in this order.
const INFINITY: i64 = -0x0020_0000_0000_0000;
const LARGE: i64 = -0x01a0_0000_0000_0000;

/// See `multiple`.
const LIMIT_2: f64 = SUBNORMAL / LOG2_E_HI;
const LIMIT_10: f64 = SUBNORMAL / LOG10_E_HI;

/// The bits of a positive number; for a subnormal one, the bits that it would have with a longer exponent.
#[crunch]
pub fn bits_of(x: DcDouble) -> DcLong {
    let small = x < f64::MIN_POSITIVE;
    small.select((x * TWO_52).to_bits() - BELOW, x.to_bits())
}

/// e, m, and an integer whose last four bits are the cell, from the bits of a number.
#[crunch]
pub fn place(bits: DcLong) -> (DcLong, DcDouble, DcLong) {
    let above = bits - START;
    let e = above >> 52;
    (e, DcDouble::from_bits(bits - (e << 52)), above >> 48)
}

/// e, r and the cell.
#[crunch]
fn split(x: DcDouble) -> (DcLong, DcDouble, DcLong) {
    parts(bits_of(x))
}

/// The same, from the bits of a number.
#[crunch]
fn parts(bits: DcLong) -> (DcLong, DcDouble, DcLong) {
    let (e, m, cell) = place(bits);
    (e, m.mul_add(FACTORS[cell], -1.0), cell)
}

/// An exponent as a number.
#[crunch]
pub fn number(e: DcLong) -> DcDouble {
    DcDouble::from_bits(e + INTEGER_BITS) - INTEGER
}

/// The sum of `head`, `y`, `below` and `r² p(r)`, where y is `r` times a constant. `head` is 0, or has no bits below those of `y`.
#[crunch]
fn summed(head: DcDouble, y: DcDouble, below: DcDouble, r: DcDouble, series: &[f64]) -> DcDouble {
    let sum = head + y;
    let low = (head - sum) + y + below;
    let p = horner(r, series);
    sum + (r * r).mul_add(p, low)
}

/// `y` where `x` is positive and finite; infinities where it is 0 or infinite; NaN elsewhere.
#[crunch]
fn domain(x: DcDouble, y: DcDouble) -> DcDouble {
    let other = if x == 0.0 {
        f64::NEG_INFINITY
    } else {
        f64::NAN
    };
    let other = if x == f64::INFINITY {
        f64::INFINITY
    } else {
        other
    };
    let inside = (x > 0.0) & (x < f64::INFINITY);
    if inside { y } else { other }
}

/// ln of the number with these parts.
#[crunch]
fn ln_of_parts(e: DcDouble, r: DcDouble, cell: DcLong) -> DcDouble {
    let head = e.mul_add(TWO_HI, LN_HI[cell]);
    let below = e.mul_add(TWO_LO, LN_LO[cell]);
    summed(head, r, below, r, &LN_SERIES)
}

/// ln x, error at most 0.55 ULP.
#[crunch]
pub fn log(x: DcDouble) -> DcDouble {
    let (e, r, cell) = split(x);
    domain(x, ln_of_parts(number(e), r, cell))
}

/// Whether x is not positive, normal and finite.
#[crunch]
pub fn is_special(x: DcDouble) -> DcMask {
    x.to_bits() + ORDER >= INFINITY
}

/// ln x of a positive normal number.
#[crunch]
pub fn log_short(x: DcDouble) -> DcDouble {
    let (e, r, cell) = parts(x.to_bits());
    ln_of_parts(number(e), r, cell)
}

/// e, r, the cell, and the effect of the second word l of r on log(1 + r), for a normal number in two words: l (1 - r + r²).
#[crunch]
fn split_words(u: DcDoubleDouble) -> (DcDouble, DcDouble, DcLong, DcDouble) {
    let (e, r, cell) = parts(u.hi.to_bits());
    // If 2^-e is subnormal, the second word has no effect.
    let down = DcDouble::from_bits((1023 - e.min(1023)) << 52);
    let r = fast_two_sum(r, u.lo * down * FACTORS[cell]);
    let slope = r.hi.mul_add(r.hi, -r.hi);
    (number(e), r.hi, cell, r.lo.mul_add(slope, r.lo))
}

/// ln of the number with these parts, and the effect of its second word.
#[crunch]
fn ln_of_parts_of_words(e: DcDouble, r: DcDouble, cell: DcLong, second: DcDouble) -> DcDouble {
    let head = e.mul_add(TWO_HI, LN_HI[cell]);
    let below = e.mul_add(TWO_LO, LN_LO[cell]) + second;
    summed(head, r, below, r, &LN_SERIES)
}

/// ln(2^-halvings u) for a normal number in two words; the results of `domain` for other values of the first word.
#[crunch]
pub fn log_of_words(u: DcDoubleDouble, halvings: DcDouble) -> DcDouble {
    let (e, r, cell, second) = split_words(u);
    domain(u.hi, ln_of_parts_of_words(e - halvings, r, cell, second))
}

/// `split_words` for a first word below 2^1023.
#[crunch]
fn split_words_short(u: DcDoubleDouble) -> (DcDouble, DcDouble, DcLong, DcDouble) {
    let (e, r, cell) = parts(u.hi.to_bits());
    let down = DcDouble::from_bits((1023 - e) << 52);
    let r = fast_two_sum(r, u.lo * down * FACTORS[cell]);
    let slope = r.hi.mul_add(r.hi, -r.hi);
    (number(e), r.hi, cell, r.lo.mul_add(slope, r.lo))
}

/// ln u for a number in two words, the first one normal and below 2^1023.
#[crunch]
pub fn log_of_words_short(u: DcDoubleDouble) -> DcDouble {
    let (e, r, cell, second) = split_words_short(u);
    ln_of_parts_of_words(e, r, cell, second)
}

/// r, and the effect of the second word of a number that is not within 2^-29 of 1. This word is far below r, so it is not added to r, and r does not wait for
/// it. `down` is 2^-e. The factors are those for which r is smaller.
#[crunch]
fn split_far(u: DcDoubleDouble, m: DcDouble, cell: DcLong, down: DcDouble) -> (DcDouble, DcDouble) {
    let r = m.mul_add(FINE_FACTORS[cell], -1.0);
    let low = u.lo * (down * FINE_FACTORS[cell]);
    // -r + r² - r³
    let slope = r.mul_add(r.mul_add(-r, r), -r);
    (r, low.mul_add(slope, low))
}

/// ln of the number with these parts, and the effect of its second word, by a shorter chain of operations than `ln_of_parts_of_words`.
#[crunch]
fn ln_of_far_parts(e: DcDouble, r: DcDouble, cell: DcLong, second: DcDouble) -> DcDouble {
    let head = e.mul_add(TWO_HI, FINE_HI[cell]);
    let below = e.mul_add(TWO_LO, FINE_LO[cell]) + second;
    let sum = head + r;
    let low = (head - sum) + r + below;
    sum + (r * r).mul_add(led(r, &LN_SERIES), low)
}

/// `log_of_words` for numbers that are not within 2^-29 of 1.
#[crunch]
pub fn log_of_far(u: DcDoubleDouble, halvings: DcDouble) -> DcDouble {
    let (e, m, cell) = place(u.hi.to_bits());
    let down = DcDouble::from_bits((1023 - e.min(1023)) << 52);
    let (r, second) = split_far(u, m, cell, down);
    domain(u.hi, ln_of_far_parts(number(e) - halvings, r, cell, second))
}

/// `log_of_words_short` for numbers that are not within 2^-29 of 1.
#[crunch]
pub fn log_of_far_short(u: DcDoubleDouble) -> DcDouble {
    let (e, m, cell) = place(u.hi.to_bits());
    let down = DcDouble::from_bits((1023 - e) << 52);
    let (r, second) = split_far(u, m, cell, down);
    ln_of_far_parts(number(e), r, cell, second)
}

/// Up to this magnitude, ln(1 + x) = x - x²/2 + … rounds to x. x²/2 is at most half of the last place, even of the smaller last place below a power of
/// two. It is half of that smaller one only at 2^-53 itself, where x³/3 decides.
const NO_SQUARE: f64 = f64::from_bits((1023 - 53) << 52);

/// ln(1 + x), error at most 0.55 ULP. `1 + x` has two words.
#[crunch]
pub fn log1p(x: DcDouble) -> DcDouble {
    let y = log_of_words(two_sum(1.0, x), 0.0);
    let tiny = x.abs() <= NO_SQUARE;
    if tiny { x } else { y }
}

/// Whether 1 + x is not positive, or from 2^1000 on, or x tiny.
#[crunch]
pub fn is_special_p1(x: DcDouble) -> DcMask {
    ((x + 1.0).to_bits() + ORDER >= LARGE) | (x.abs() <= NO_SQUARE)
}

/// ln(1 + x) for numbers that are not special.
#[crunch]
pub fn log1p_short(x: DcDouble) -> DcDouble {
    log_of_words_short(two_sum(1.0, x))
}

/// log2 of the number with these parts, and the effect of its second word.
#[crunch]
fn log2_of_parts_of_words(e: DcDouble, r: DcDouble, cell: DcLong, second: DcDouble) -> DcDouble {
    let y = r * LOG2_E_HI;
    let rest = second.mul_add(LOG2_E_HI, r.mul_add(LOG2_E_LO, r.mul_add(LOG2_E_HI, -y)));
    let head = e + LOG2_HI[cell];
    summed(head, y, LOG2_LO[cell] + rest, r, &LOG2_SERIES)
}

/// log2(1 + x) for numbers that are not special.
#[crunch]
pub fn log2p1_short(x: DcDouble) -> DcDouble {
    let (e, r, cell, second) = split_words_short(two_sum(1.0, x));
    log2_of_parts_of_words(e, r, cell, second)
}

/// log10 of the number with these parts, and the effect of its second word.
#[crunch]
fn log10_of_parts_of_words(e: DcDouble, r: DcDouble, cell: DcLong, second: DcDouble) -> DcDouble {
    let y = r * LOG10_E_HI;
    let rest = second.mul_add(LOG10_E_HI, r.mul_add(LOG10_E_LO, r.mul_add(LOG10_E_HI, -y)));
    let head = e.mul_add(LOG10_2_HI, LOG10_HI[cell]);
    let below = e.mul_add(LOG10_2_LO, LOG10_LO[cell] + rest);
    summed(head, y, below, r, &LOG10_SERIES)
}

/// log10(1 + x) for numbers that are not special.
#[crunch]
pub fn log10p1_short(x: DcDouble) -> DcDouble {
    let (e, r, cell, second) = split_words_short(two_sum(1.0, x));
    log10_of_parts_of_words(e, r, cell, second)
}

/// log2(1 + x), error at most 0.55 ULP.
#[crunch]
pub fn log2p1(x: DcDouble) -> DcDouble {
    let u = two_sum(1.0, x);
    let (e, r, cell, second) = split_words(u);
    let y = domain(u.hi, log2_of_parts_of_words(e, r, cell, second));
    let tiny = x.abs() < TINIER;
    if tiny {
        multiple(x, LOG2_E_HI, LOG2_E_LO, LIMIT_2)
    } else {
        y
    }
}

/// log10(1 + x), error at most 0.55 ULP.
#[crunch]
pub fn log10p1(x: DcDouble) -> DcDouble {
    let u = two_sum(1.0, x);
    let (e, r, cell, second) = split_words(u);
    let y = domain(u.hi, log10_of_parts_of_words(e, r, cell, second));
    let tiny = x.abs() < TINIER;
    if tiny {
        multiple(x, LOG10_E_HI, LOG10_E_LO, LIMIT_10)
    } else {
        y
    }
}

/// log2 of the number with these parts.
#[crunch]
fn log2_of_parts(e: DcDouble, r: DcDouble, cell: DcLong) -> DcDouble {
    let y = r * LOG2_E_HI;
    let rest = r.mul_add(LOG2_E_LO, r.mul_add(LOG2_E_HI, -y));
    summed(e + LOG2_HI[cell], y, LOG2_LO[cell] + rest, r, &LOG2_SERIES)
}

/// log2 x of a positive normal number.
#[crunch]
pub fn log2_short(x: DcDouble) -> DcDouble {
    let (e, r, cell) = parts(x.to_bits());
    log2_of_parts(number(e), r, cell)
}

/// log10 of the number with these parts.
#[crunch]
fn log10_of_parts(e: DcDouble, r: DcDouble, cell: DcLong) -> DcDouble {
    let y = r * LOG10_E_HI;
    let rest = r.mul_add(LOG10_E_LO, r.mul_add(LOG10_E_HI, -y));
    let head = e.mul_add(LOG10_2_HI, LOG10_HI[cell]);
    let below = e.mul_add(LOG10_2_LO, LOG10_LO[cell] + rest);
    summed(head, y, below, r, &LOG10_SERIES)
}

/// log10 x of a positive normal number.
#[crunch]
pub fn log10_short(x: DcDouble) -> DcDouble {
    let (e, r, cell) = parts(x.to_bits());
    log10_of_parts(number(e), r, cell)
}

/// log2 x, error at most 0.55 ULP.
#[crunch]
pub fn log2(x: DcDouble) -> DcDouble {
    let (e, r, cell) = split(x);
    domain(x, log2_of_parts(number(e), r, cell))
}

/// log10 x, error at most 0.55 ULP.
#[crunch]
pub fn log10(x: DcDouble) -> DcDouble {
    let (e, r, cell) = split(x);
    domain(x, log10_of_parts(number(e), r, cell))
}
