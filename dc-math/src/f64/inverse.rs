//! Arc tangents, and arc functions divided by π, in binary64, as angles of points (x, y) with y, x >= 0. Arc tangents use (1, |x|); the other functions use √(1
//! - x²) in two words. `half_angle.rs` has asin and acos.
//!
//! With q = y / x, or x / y if that is above 1, and c a multiple of 1/16 near q, the angle is
//!
//! ```text
//! atan c + atan w,    w = (y - c x) / (x + c y),
//! ```
//!
//! or π/2 minus that. The numerator is exact except for the second words, and w has two words. |w| <= 0.0324, so `w³ p(w²)` needs only one.
//! The last sum has an error of half a unit. For c = 0 the sum is w and its polynomial alone.

use super::common::{INTEGER, SUBNORMAL, TINIER, TINY, is_outside, multiple};
use super::tables::{ANGLES_HI, ANGLES_LO, INVERSE_PI_HI, INVERSE_PI_LO, PI_HI, PI_LO};
use dc_runtime::builtins::reference::binary64::{DOWN, UP, by_size};
use dc_runtime::prelude::*;

/// Above this magnitude, atan x is π/2 to 2^-59.
const HUGE: f64 = f64::from_bits((1023 + 60) << 52);
/// Below this, the angle of a quotient is the quotient to 2^-81.
const SMALL: f64 = f64::from_bits((1023 - 40) << 52);
/// See `multiple`.
const LIMIT: f64 = SUBNORMAL / INVERSE_PI_HI;
/// A divisor that replaces 0 where the dividend is 0.
const LEAST: f64 = f64::from_bits((1023 - 600) << 52);

/// (atan w - w) / w³ in w², the lowest power first: `crunch design atan --precision f64 --range=-0.0325..0.0325 --within 0.51ulp`.
const SERIES: [f64; 4] = [
    f64::from_bits(0xbfd5_5555_5555_54c7),
    f64::from_bits(0x3fc9_9999_9971_aa00),
    f64::from_bits(0xbfc2_4922_d475_7df0),
    f64::from_bits(0x3fbc_6273_5cae_1025),
];

/// The angle of the point (x, y), where each coordinate has two words.
#[crunch]
fn angle(y: DcDoubleDouble, x: DcDoubleDouble) -> (DcDouble, DcDouble) {
    let steep = y.hi > x.hi;
    let n = steep.select(x, y);
    let d = steep.select(y, x);
    angle_of_quotient(n, d, n.hi / d.hi, steep)
}

/// The angle of the point (d, n), or of (n, d) if it is steep, for n <= d. `q` is the quotient n / d.
#[crunch]
fn angle_of_quotient(
    n: DcDoubleDouble,
    d: DcDoubleDouble,
    q: DcDouble,
    steep: DcMask,
) -> (DcDouble, DcDouble) {
    let t = q.min(0.96).mul_add(16.0, INTEGER);
    let c = (t - INTEGER) * 0.0625;
    let second: DcLong = steep.select(16, 0);
    let place = (t.to_bits() & 15) + second;

    let over = (-c).mul_add(d.hi, n.hi);
    let over_low = (-c).mul_add(d.lo, n.lo);
    let under = c.mul_add(n.hi, d.hi);
    let under_low = c.mul_add(n.hi, d.hi - under) + c.mul_add(n.lo, d.lo);
    let inverse = under.recip();
    let w = over * inverse;
    let rest = (-w).mul_add(under, over) + (-w).mul_add(under_low, over_low);
    let w_low = rest * inverse;
    let w = if steep { -w } else { w };
    let w_low = if steep { -w_low } else { w_low };

    beside_place(w, w_low, place)
}

/// The table's angle plus `atan(w + w_low)`, for |w| <= 0.0324 and a low word of at most 2^-51 of that.
#[crunch]
fn beside_place(w: DcDouble, w_low: DcDouble, place: DcLong) -> (DcDouble, DcDouble) {
    let square = w * w;
    let p = horner(square, &SERIES);
    let base = ANGLES_HI[place];
    let head = base + w;
    let below = (base - head) + w;
    let tail = (square * w).mul_add(p, ANGLES_LO[place] + w_low) + below;
    (head, tail)
}

/// √(1 - x²) in two words.
#[crunch]
fn other_side(x: DcDouble) -> DcDoubleDouble {
    let square = two_prod(x, x);
    let v = 1.0 - square.hi;
    let v_low = ((1.0 - v) - square.hi) - square.lo;
    let root = v.sqrt();
    let rest = (-root).mul_add(root, v) + v_low;
    fast_two_sum(root, rest * (0.5 / root.max(LEAST)))
}

/// The angle of the point (1, a).
#[crunch]
fn angle_of_slope(a: DcDouble) -> (DcDouble, DcDouble) {
    let y = DcDoubleDouble::new(a.clamp(0.0, HUGE), 0.0);
    angle(y, DcDoubleDouble::new(1.0, 0.0))
}

/// π minus the angle, rounded.
#[crunch]
fn less_than_pi(head: DcDouble, tail: DcDouble) -> DcDouble {
    let s = PI_HI - head;
    s + (((PI_HI - s) - head) + (PI_LO - tail))
}

/// The angle of the point (x, y), error at most 0.55 ULP. A small angle is the quotient, rounded once even if it is subnormal.
#[crunch]
pub fn atan2(y: DcDouble, x: DcDouble) -> DcDouble {
    let (a, b) = (y.abs(), x.abs());
    let steep = a > b;
    let n = steep.select(b, a);
    let d = steep.select(a, b);
    let infinite = d == f64::INFINITY;
    let corner = (n == f64::INFINITY).select(1.0, 0.0);
    let n = if infinite { corner } else { n };
    let d = if infinite | (d == 0.0) { 1.0 } else { d };
    let q = n / d;
    // The bits of n lost here have no effect beside d.
    let scale = by_size(d, UP, DOWN);
    let (head, tail) = angle_of_quotient(
        DcDoubleDouble::new(n * scale, 0.0),
        DcDoubleDouble::new(d * scale, 0.0),
        q,
        steep,
    );
    let behind = x.is_sign_negative();
    let z = if behind {
        less_than_pi(head, tail)
    } else {
        head + tail
    };
    let small = (q < SMALL) & !steep & !behind;
    let z = (if small { q } else { z }).copysign(y);
    let none = (x != x) | (y != y);
    if none { f64::NAN } else { z }
}

/// The last part of `atan2` for x > 0, at one place of the table: its angle plus `atan(w + l)`,
#[crunch]
pub fn right_half<const PLACE: i64>(w: DcDouble, l: DcDouble) -> DcDouble {
    let (head, tail) = beside_place(w, l, PLACE);
    head + tail
}

/// and for x < 0, where w is negated: π less its angle, plus `atan(w + l)`.
#[crunch]
pub fn left_half<const PLACE: i64>(w: DcDouble, l: DcDouble) -> DcDouble {
    let (head, tail) = beside_place(-w, -l, PLACE);
    less_than_pi(head, tail)
}

/// atan x, error at most 0.55 ULP.
#[crunch]
pub fn atan(x: DcDouble) -> DcDouble {
    let a = x.abs();
    let (head, tail) = angle_of_slope(a);
    let y = if a < TINY { a } else { head + tail };
    y.copysign(x)
}

/// Whether the magnitude of x is tiny or huge.
#[crunch]
pub fn is_extreme(x: DcDouble) -> DcMask {
    is_outside(x, TINY, HUGE)
}

/// atan x for numbers that are not extreme: `angle` without the second words, which are 0.
#[crunch]
pub fn atan_short(x: DcDouble) -> DcDouble {
    let a = x.abs();
    let steep = a > 1.0;
    let n = if steep { 1.0 } else { a };
    let d = if steep { a } else { 1.0 };
    let t = (n / d).min(0.96).mul_add(16.0, INTEGER);
    let c = (t - INTEGER) * 0.0625;
    let second: DcLong = steep.select(16, 0);
    let place = (t.to_bits() & 15) + second;

    let over = (-c).mul_add(d, n);
    let under = c.mul_add(n, d);
    let under_low = c.mul_add(n, d - under);
    let inverse = under.recip();
    let w = over * inverse;
    let rest = (-w).mul_add(under, over) + (-w) * under_low;
    let w_low = rest * inverse;
    let w = if steep { -w } else { w };
    let w_low = if steep { -w_low } else { w_low };
    let (head, tail) = beside_place(w, w_low, place);
    (head + tail).copysign(x)
}

/// An angle divided by π, in two words.
#[crunch]
fn part(angle: (DcDouble, DcDouble)) -> (DcDouble, DcDouble) {
    let (head, tail) = angle;
    let y = head * INVERSE_PI_HI;
    let rest = head.mul_add(INVERSE_PI_HI, -y);
    (
        y,
        head.mul_add(INVERSE_PI_LO, tail.mul_add(INVERSE_PI_HI, rest)),
    )
}

/// `y` with the sign of x, or x / π where that is tiny.
#[crunch]
fn odd(x: DcDouble, part: (DcDouble, DcDouble)) -> DcDouble {
    let (head, tail) = part;
    let tiny = x.abs() < TINIER;
    let y = (head + tail).copysign(x);
    if tiny {
        multiple(x, INVERSE_PI_HI, INVERSE_PI_LO, LIMIT)
    } else {
        y
    }
}

/// atan x / π, error at most 0.55 ULP.
#[crunch]
pub fn atanpi(x: DcDouble) -> DcDouble {
    odd(x, part(angle_of_slope(x.abs())))
}

/// asin x / π, error at most 0.55 ULP.
#[crunch]
pub fn asinpi(x: DcDouble) -> DcDouble {
    let a = x.abs();
    odd(x, part(angle(DcDoubleDouble::new(a, 0.0), other_side(a))))
}

/// acos x / π, error at most 0.55 ULP.
#[crunch]
pub fn acospi(x: DcDouble) -> DcDouble {
    let a = x.abs();
    let (head, tail) = part(angle(other_side(a), DcDoubleDouble::new(a, 0.0)));
    let s = 1.0 - head;
    let less = s + (((1.0 - s) - head) - tail);
    if x < 0.0 { less } else { head + tail }
}
