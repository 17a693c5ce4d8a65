//! Inverse functions at one number: one step from the double nearest to the value, by an addition theorem.

use super::value::{artanh_small, half_pi, ln, ln_1p, ln_of, ln2_times, sin_cos};
use crate::num::{Ball, Ring};

/// Larger numbers have a square whose inverse is below 2^-200.
const LARGE: f64 = f64::from_bits((1023 + 100) << 52);

/// `√(1 - x²)` for `|x| < 1`.
fn other_leg(x: f64) -> Ball {
    let (one, x) = (Ball::number(1.0), Ball::number(x));
    one.sub(x).mul(one.add(x)).root()
}

/// An angle from a nearby one, y, and the sine of their difference, which is small, so that the angle's quarter is known.
fn beside(y: f64, sine: Ball) -> Ball {
    let d = sine.magnitude();
    assert!(d < 2f64.powi(-40), "{y} is not near the angle");
    // asin d = d + d³/6 + …, below d³/4.
    Ball::number(y).add(sine.widened(d * d * d))
}

/// The inverse sine for `|x| <= 1`.
pub(super) fn asin(x: f64) -> Ball {
    if x.abs() == 1.0 {
        return half_pi().mul(Ball::number(x));
    }
    let y = x.asin();
    let (sin, cos) = sin_cos(y);
    // Both angles are between 0 and ±π/2, so that the difference is as well.
    assert!(x == 0.0 || x.signum() == y.signum() && y.abs() <= std::f64::consts::FRAC_PI_2);
    let sine = Ball::number(x).mul(cos).sub(other_leg(x).mul(sin));
    beside(y, sine)
}

/// The inverse cosine for `|x| <= 1`.
pub(super) fn acos(x: f64) -> Ball {
    if x == 1.0 {
        return Ball::ZERO;
    }
    if x == -1.0 {
        return half_pi().scale(1);
    }
    let y = x.acos();
    let (sin, cos) = sin_cos(y);
    let (leg, x) = (other_leg(x), Ball::number(x));
    // The cosine of the difference is positive, so that its sine determines it.
    let cosine = x.mul(cos).add(leg.mul(sin));
    assert!(cosine.enclosure().lo > 0.0, "acos {x:?}");
    beside(y, leg.mul(cos).sub(x.mul(sin)))
}

/// The inverse tangent.
pub(super) fn atan(x: f64) -> Ball {
    let one = Ball::number(1.0);
    if x.abs() > LARGE {
        // ±π/2 - 1/x + 1/(3 x³) - …
        let right = half_pi()
            .sub(one.div(Ball::number(x.abs())))
            .widened(2f64.powi(-300));
        return if x < 0.0 { right.neg() } else { right };
    }
    let y = x.atan();
    let (sin, cos) = sin_cos(y);
    assert!(x == 0.0 || x.signum() == y.signum() && y.abs() < 1.571);
    // Both angles are between 0 and ±π/2: the tangent of the difference determines it.
    let x = Ball::number(x);
    let tangent = x.mul(cos).sub(sin).div(cos.add(x.mul(sin)));
    let d = tangent.magnitude();
    assert!(d < 2f64.powi(-40), "{y} is not near atan {x:?}");
    // atan d = d - d³/3 + …
    Ball::number(y).add(tangent.widened(d * d * d))
}

/// The inverse hyperbolic sine.
pub(super) fn asinh(x: f64) -> Ball {
    let (a, one) = (Ball::number(x.abs()), Ball::number(1.0));
    let y = if x.abs() > LARGE {
        // ln(2 a) + 1/(4 a²) - …
        ln(x.abs()).add(ln2_times(1)).widened(2f64.powi(-200))
    } else {
        // a + √(1 + a²) = 1 + a + a²/(1 + √(1 + a²))
        let square = a.mul(a);
        ln_1p(a.add(square.div(square.add(one).root().add(one))))
    };
    if x < 0.0 { y.neg() } else { y }
}

/// The inverse hyperbolic cosine for `x >= 1`.
pub(super) fn acosh(x: f64) -> Ball {
    if x == 1.0 {
        return Ball::ZERO;
    }
    if x > LARGE {
        // ln(2 x) - 1/(4 x²) - …
        return ln(x).add(ln2_times(1)).widened(2f64.powi(-199));
    }
    // x + √(x² - 1) = 1 + t + √(t (t + 2))
    let t = Ball::number(x).sub(Ball::number(1.0));
    ln_1p(t.add(t.mul(t.add(Ball::number(2.0))).root()))
}

/// The inverse hyperbolic tangent for `|x| < 1`.
pub(super) fn atanh(x: f64) -> Ball {
    if x.abs() <= 2f64.powi(-7) {
        return artanh_small(Ball::number(x));
    }
    let (a, one) = (Ball::number(x.abs()), Ball::number(1.0));
    let y = ln_of(one.add(a).div(one.sub(a))).scale(-1);
    if x < 0.0 { y.neg() } else { y }
}

/// `ln(x / (1 - x))` for `0 < x < 1`.
pub(super) fn logit(x: f64) -> Ball {
    let (one, y) = (Ball::number(1.0), Ball::number(x));
    if x < 0.25 {
        return ln(x).sub(ln_1p(y.neg()));
    }
    // x / (1 - x) = 1 + (2 x - 1) / (1 - x), and 2 x - 1 is exact.
    ln_1p(y.scale(1).sub(one).div(one.sub(y)))
}
