//! Exponentials in binary64.
//!
//! `x = k s + r`, where s is the logarithm of 2^(1/16). `b^x = 2^e 2^(j/16) e^r` with `k = 16 e + j` and `|r| <= ln 2 / 32`. The power P = 2^(j/16)
//! comes from a table, with its relative error `tail`. `e^r` is a polynomial, and
//!
//! ```text
//! b^x = 2^e (P + P (r + (r² p(r) + tail))).
//! ```
//!
//! Only the last sum has an error of half a unit. The product with r adds 2^-6 units, and so does r itself.
//!
//! A subnormal result is rounded once. Its unit is 2^-1074, so the number C whose last place is 2^(-1074 - e) is added to P before the rest,
//! and subtracted after it. The part d of P that is lost in that sum is exact. Normal results have C = 0.

use super::common::{INTEGER, SIXTEENTH};
use super::tables::{
    LEAST, LEAST_10, LN_2_HI, LN_2_LO, LN_10_HI, LN_10_LO, POWERS, STEP_10_HI, STEP_10_LO, STEP_HI,
    STEP_LO, STEPS, STEPS_10, TAILS,
};
use dc_runtime::prelude::*;

/// (e^r - 1 - r) / r², the lowest power first: `crunch design expm1 --precision f64 --range=-0.02168..0.02168 --within 0.53ulp`.
pub const SERIES: [f64; 6] = [
    f64::from_bits(0x3fe0_0000_0000_0003),
    f64::from_bits(0x3fc5_5555_5555_554f),
    f64::from_bits(0x3fa5_5555_554a_ce39),
    f64::from_bits(0x3f81_1111_1118_4c33),
    f64::from_bits(0x3f56_c181_fb86_9d2b),
    f64::from_bits(0x3f2a_01a2_2076_6721),
];

/// The bits of 2^(j/16), minus j 2^48. Adding k 2^48, with k = 16 e + j, gives the bits of 2^(k/16).
static STEPPED: [u64; 16] = {
    let mut powers = POWERS;
    let mut j = 0;
    while j < powers.len() {
        powers[j] -= (j as u64) << 48;
        j += 1;
    }
    powers
};

/// 2^(k/16) times 2^-rest; and rest, half of the exponent. Neither factor is subnormal or infinite. `n` holds the bits of the sum of `INTEGER` and
/// k.
#[crunch]
pub fn power(n: DcLong) -> (DcDouble, DcLong) {
    let e = (n >> 4) - SIXTEENTH;
    let half = e >> 1;
    (DcDouble::from_bits(POWERS[n] + (half << 52)), e - half)
}

/// `2^(k/16) e^r (1 + below)`, rounded once. `t` is the sum of `INTEGER` and k.
#[crunch]
pub fn grown(t: DcDouble, r: DcDouble, below: DcDouble, subnormal: DcMask) -> DcDouble {
    let (power, rest) = power(t.to_bits());
    let unit = subnormal.select(DcDouble::from_bits((1 - rest) << 52), 0.0);
    summed(power, rest, unit, r, below, horner(r, &SERIES))
}

/// `P e^r (1 + below) 2^rest`, rounded in `unit` or, if that is 0, in its own last place. `p` is the polynomial.
#[crunch]
pub fn summed(
    power: DcDouble,
    rest: DcLong,
    unit: DcDouble,
    r: DcDouble,
    below: DcDouble,
    p: DcDouble,
) -> DcDouble {
    let head = unit + power;
    let d = power - (head - unit);

    let small = (r * r).mul_add(p, below);
    let tail = power.mul_add(r, power.mul_add(small, d));
    let y = head + tail;
    (y - unit) * DcDouble::from_bits((rest + 1023) << 52)
}

/// Below these magnitudes, all intermediate results of the short kernels are normal numbers.
pub const MODERATE: f64 = 350.0;
const MODERATE_2: f64 = 500.0;
pub const MODERATE_10: f64 = 150.0;

/// Whether x is not moderate.
#[crunch]
pub fn is_extreme(x: DcDouble) -> DcMask {
    !(x.abs() < MODERATE)
}

/// The same for powers of 2
#[crunch]
pub fn is_extreme_2(x: DcDouble) -> DcMask {
    !(x.abs() < MODERATE_2)
}

/// and of 10.
#[crunch]
pub fn is_extreme_10(x: DcDouble) -> DcMask {
    !(x.abs() < MODERATE_10)
}

/// 2^(k/16) for a moderate result. `n` holds the bits of the sum of `INTEGER` and k.
#[crunch]
pub fn power_short(n: DcLong) -> DcDouble {
    DcDouble::from_bits(STEPPED[n] + (n << 48))
}

/// `grown` for a moderate result. Instead of the result, its power is multiplied by all of 2^e: the bits are the same, because no number is subnormal.
/// Nothing is added to the power first.
#[crunch]
fn grown_short(t: DcDouble, r: DcDouble, below: DcDouble) -> DcDouble {
    summed_short(t, r, below, horner(r, &SERIES))
}

/// The same, with the polynomial p.
#[crunch]
pub fn summed_short(t: DcDouble, r: DcDouble, below: DcDouble, p: DcDouble) -> DcDouble {
    let n = t.to_bits();
    let power = power_short(n);
    let small = (r * r).mul_add(p, below);
    power + power.mul_add(r, power * small)
}

/// e^x of a moderate number.
#[crunch]
pub fn exp_short(x: DcDouble) -> DcDouble {
    let t = x.mul_add(STEPS, INTEGER);
    let k = t - INTEGER;
    let r = (-k).mul_add(STEP_LO, (-k).mul_add(STEP_HI, x));
    grown_short(t, r, TAILS[t.to_bits()])
}

/// 2^x of a moderate number.
#[crunch]
pub fn exp2_short(x: DcDouble) -> DcDouble {
    let t = x.mul_add(16.0, INTEGER);
    let rest = (t - INTEGER).mul_add(-0.0625, x);
    let below = rest.mul_add(LN_2_LO, TAILS[t.to_bits()]);
    grown_short(t, rest * LN_2_HI, below)
}

/// 10^x of a moderate number.
#[crunch]
pub fn exp10_short(x: DcDouble) -> DcDouble {
    let t = x.mul_add(STEPS_10, INTEGER);
    let k = t - INTEGER;
    let rest = (-k).mul_add(STEP_10_HI, x);
    let r = rest.mul_add(LN_10_HI, -(k * STEP_10_LO));
    let below = rest.mul_add(LN_10_LO, TAILS[t.to_bits()]);
    grown_short(t, r, below)
}

/// e^x, error at most 0.55 ULP.
#[crunch]
pub fn exp(x: DcDouble) -> DcDouble {
    let x = x.clamp(-746.0, 710.0);
    let t = x.mul_add(STEPS, INTEGER);
    let k = t - INTEGER;
    // The product with 37 bits is exact, and so is the difference.
    let r = (-k).mul_add(STEP_LO, (-k).mul_add(STEP_HI, x));
    grown(t, r, TAILS[t.to_bits()], x < LEAST)
}

/// 2^x, error at most 0.55 ULP.
#[crunch]
pub fn exp2(x: DcDouble) -> DcDouble {
    let x = x.clamp(-1077.0, 1024.5);
    let t = x.mul_add(16.0, INTEGER);
    // Exact.
    let rest = (t - INTEGER).mul_add(-0.0625, x);
    let below = rest.mul_add(LN_2_LO, TAILS[t.to_bits()]);
    grown(t, rest * LN_2_HI, below, x < -1022.0)
}

/// 10^x, error at most 0.55 ULP.
#[crunch]
pub fn exp10(x: DcDouble) -> DcDouble {
    let x = x.clamp(-325.0, 309.0);
    let t = x.mul_add(STEPS_10, INTEGER);
    let k = t - INTEGER;
    // Exact, as in `exp`.
    let rest = (-k).mul_add(STEP_10_HI, x);
    let r = rest.mul_add(LN_10_HI, -(k * STEP_10_LO));
    let below = rest.mul_add(LN_10_LO, TAILS[t.to_bits()]);
    // At LEAST_10 itself, the power is below 2^-1022.
    grown(t, r, below, x <= LEAST_10)
}
