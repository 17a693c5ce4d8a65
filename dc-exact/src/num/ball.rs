//! A double-double with a radius: the real numbers within `r` of `h + l`.
//!
//! The operations are the accurate double-double algorithms of Joldes, Muller and Popescu, *Tight and rigorous error bounds
//! for basic building blocks of double-word arithmetic* (2017), whose relative errors are below 3u² (sum), 5u² (product)
//! and 15u² (quotient), u = 2^-53. Each operation adds 2^-101 of its result to the radius, which is more than these,
//! and 2^-1000 for underflow; scaling keeps values near 1.

use super::float::{exponent, is_power, power};
use super::interval::Interval;
use super::series::Ring;

/// The numbers within `r` of `h + l`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ball {
    /// First word of the midpoint.
    pub h: f64,
    /// Second word.
    pub l: f64,
    /// Radius.
    pub r: f64,
}

/// A bound of the relative error of an operation, larger than needed.
const RELATIVE: f64 = f64::from_bits((1023 - 101) << 52);
/// A bound of the error of underflow.
const ABSOLUTE: f64 = f64::from_bits((1023 - 1000) << 52);
/// Divisors below this are scaled first.
const SMALL: f64 = f64::from_bits((1023 - 64) << 52);
/// The error of a larger product of doubles is a double: a multiple of 2^-900 with at most 53 bits.
const LEAST_EXACT: f64 = f64::from_bits((1023 - 700) << 52);
/// A sum below this part of an operand is computed exactly, if possible.
const CANCELLED: f64 = 1.0 / 16.0;
/// A radius that is computed in a dozen roundings to nearest, times this, is an upper bound.
const UP: f64 = 1.0 + 32.0 * f64::EPSILON;

fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let s = a + b;
    let seen = s - a;
    (s, (a - (s - seen)) + (b - seen))
}

fn fast_two_sum(a: f64, b: f64) -> (f64, f64) {
    let s = a + b;
    (s, b - (s - a))
}

fn two_prod(a: f64, b: f64) -> (f64, f64) {
    let p = a * b;
    (p, a.mul_add(b, -p))
}

/// The sum of four numbers in two words, the second below the last place of the first. `None` if it needs more. The third and the fourth
/// number are small.
#[cold]
fn exact_sum([a, b, c, d]: [f64; 4]) -> Option<(f64, f64)> {
    let (middle, first) = two_sum(b, c);
    let (high, low) = two_sum(a, middle);
    let (low, second) = two_sum(d, low);
    (first == 0.0 && second == 0.0).then(|| two_sum(high, low))
}

impl Ball {
    /// Zero.
    pub const ZERO: Ball = Ball {
        h: 0.0,
        l: 0.0,
        r: 0.0,
    };

    /// A ball with the midpoint `h + l` and a radius.
    #[must_use]
    pub fn new(h: f64, l: f64, r: f64) -> Ball {
        let (h, l) = two_sum(h, l);
        Ball { h, l, r }
    }

    /// The double nearest to the midpoint.
    #[must_use]
    pub fn mid(self) -> f64 {
        self.h
    }

    /// An upper bound of the absolute values.
    #[must_use]
    pub fn magnitude(self) -> f64 {
        (self.h.abs() + self.l.abs() + self.r) * UP
    }

    /// Times plus or minus a power of two.
    #[cold]
    fn times_power(self, power: f64) -> Ball {
        let scaled = self.scale(exponent(power));
        if power < 0.0 { scaled.neg() } else { scaled }
    }

    fn result(h: f64, l: f64, r: f64) -> Ball {
        Ball {
            h,
            l,
            r: (r + h.abs() * RELATIVE + ABSOLUTE) * UP,
        }
    }

    /// The ball with `more` added to its radius.
    #[must_use]
    pub fn widened(self, more: f64) -> Ball {
        Ball {
            r: (self.r + more) * UP,
            ..self
        }
    }
}

impl Ring for Ball {
    fn number(x: f64) -> Self {
        Ball {
            h: x,
            l: 0.0,
            r: 0.0,
        }
    }
    #[inline]
    fn add(self, b: Self) -> Self {
        let (s, e) = two_sum(self.h, b.h);
        let (t, f) = two_sum(self.l, b.l);
        let (v, w) = fast_two_sum(s, e + t);
        let (h, l) = fast_two_sum(v, f + w);
        // `fast_two_sum` requires the larger operand first; the algorithm's analysis shows that it is. Exact sums stay
        // exact.
        if self.r == 0.0 && b.r == 0.0 && self.l == 0.0 && b.l == 0.0 {
            return Ball { h, l, r: 0.0 };
        }
        // If the first words cancel, the rest may be a small part of them: `(1 + x) - 1` is exactly x.
        if h.abs() < CANCELLED * self.h.abs()
            && let Some((h, l)) = exact_sum([s, e, t, f])
        {
            let r = self.r + b.r;
            return Ball { h, l, r: r * UP };
        }
        Ball::result(h, l, self.r + b.r)
    }
    fn neg(self) -> Self {
        Ball {
            h: -self.h,
            l: -self.l,
            r: self.r,
        }
    }
    #[inline]
    fn mul(self, b: Self) -> Self {
        if self == Ball::ZERO || b == Ball::ZERO {
            return Ball::ZERO;
        }
        // Powers of two, so that an exact number stays exact.
        if self.l == 0.0 && self.r == 0.0 && is_power(self.h) {
            return b.times_power(self.h);
        }
        if b.l == 0.0 && b.r == 0.0 && is_power(b.h) {
            return self.times_power(b.h);
        }
        let (p, e) = two_prod(self.h, b.h);
        // The product of two doubles has two words, unless the second underflows.
        if self.l == 0.0 && b.l == 0.0 && self.r == 0.0 && b.r == 0.0 && p.abs() > LEAST_EXACT {
            return Ball { h: p, l: e, r: 0.0 };
        }
        let t = self.l.mul_add(b.h, self.h.mul_add(b.l, self.l * b.l));
        let (h, l) = fast_two_sum(p, e + t);
        let (a, c) = (self.h.abs() + self.l.abs(), b.h.abs() + b.l.abs());
        Ball::result(h, l, a * b.r + c * self.r + self.r * b.r)
    }
    fn div(self, b: Self) -> Self {
        let least = b.h.abs() - b.l.abs() - b.r * UP;
        if least.is_nan() || least <= 0.0 {
            return Ball {
                h: 0.0,
                l: 0.0,
                r: f64::INFINITY,
            };
        }
        if self == Ball::ZERO {
            return self;
        }
        // What a product loses by underflow is divided by `b`: for these, it stays below the bound of underflow.
        if b.h.abs() < SMALL {
            let e = -exponent(b.h);
            return self.scale(e).div(b.scale(e));
        }
        let (a, m) = (Ball { r: 0.0, ..self }, Ball { r: 0.0, ..b });
        let q1 = a.h / m.h;
        let r1 = a.sub(m.mul(Ball::number(q1)));
        let q2 = r1.h / m.h;
        let r2 = r1.sub(m.mul(Ball::number(q2)));
        let q3 = r2.h / m.h;
        let (h, l) = fast_two_sum(q1, q2);
        let (h, l) = fast_two_sum(h, l + q3);
        // |a/b - q| for a, b in the balls: (ra + |q| rb) / least.
        let r = (self.r + h.abs() * UP * b.r) / (least * (1.0 - 8.0 * f64::EPSILON));
        Ball::result(h, l, r + h.abs() * RELATIVE * 4.0)
    }
    fn root(self) -> Self {
        let least = self.h - self.l.abs() - self.r * UP;
        if least.is_nan() || least <= 0.0 {
            return Ball {
                h: 0.0,
                l: 0.0,
                r: f64::INFINITY,
            };
        }
        // One step of Heron's method from the root of the first word: its relative error is squared.
        let y = self.h.sqrt();
        let m = Ball { r: 0.0, ..self };
        let q = m.div(Ball::number(y));
        let s = Ball::number(y).add(q);
        let (h, l) = (0.5 * s.h, 0.5 * s.l);
        let r = self.r / (2.0 * least.sqrt() * (1.0 - 8.0 * f64::EPSILON));
        Ball::result(h, l, 0.5 * s.r + r + h.abs() * RELATIVE * 16.0)
    }
    fn scale(self, e: i32) -> Self {
        if self == Ball::ZERO {
            return self;
        }
        if e.abs() > 900 {
            let size = self.magnitude();
            if size == 0.0 || exponent(size) + e < -900 {
                // Too small for words to be kept: all of it is radius.
                let r = super::float::scaled_up(size, e);
                return Ball {
                    h: 0.0,
                    l: 0.0,
                    r: r + ABSOLUTE,
                };
            }
            return self.scale(e / 2).scale(e - e / 2);
        }
        let (by, back) = (power(e), power(-e));
        let exact = [self.h, self.l, self.r].iter().all(|w| w * by * back == *w);
        Ball {
            h: self.h * by,
            l: self.l * by,
            r: self.r * by + if exact { 0.0 } else { ABSOLUTE },
        }
    }
    fn is_zero(self) -> bool {
        self == Ball::ZERO
    }
    fn enclosure(self) -> Interval {
        // The small parts are added first, so that the sign of their sum decides on which side of `h` a bound is.
        let small = Interval::point(self.l).add(Interval::symmetric(self.r));
        Interval::point(self.h).add(small)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hundred_bits() {
        let third = Ball::number(1.0).div(Ball::number(3.0));
        let one = third.mul(Ball::number(3.0)).sub(Ball::number(1.0));
        assert!(
            one.magnitude() < 1e-29 && one.enclosure().contains(0.0),
            "{one:?}"
        );
        let two = Ball::number(2.0).root();
        let zero = two.mul(two).sub(Ball::number(2.0));
        assert!(
            zero.magnitude() < 1e-28 && zero.enclosure().contains(0.0),
            "{zero:?}"
        );
        assert!(zero.magnitude() > 0.0);
        let wide = Ball::number(1.0).widened(0.5);
        let inverse = Ball::number(1.0).div(wide).enclosure();
        assert!(
            inverse.contains(2.0) && inverse.contains(1.0 / 1.5),
            "{inverse:?}"
        );
        let root = wide.root().enclosure();
        assert!(
            root.contains(0.5f64.sqrt()) && root.contains(1.5f64.sqrt()),
            "{root:?}"
        );
        assert!(
            Ball::number(1.0)
                .div(Ball::number(0.5).widened(0.5))
                .r
                .is_infinite()
        );
        assert_eq!(
            Ball::number(f64::MAX).scale(-1023).scale(1023),
            Ball {
                r: Ball::number(f64::MAX).scale(-1023).scale(1023).r,
                ..Ball::number(f64::MAX)
            }
        );
        assert!(Ball::number(3.0).scale(-2000).magnitude() < 1e-290);
        // An underflow in a quotient by a tiny number is scaled up by that number.
        let tiny = |x: f64| Ball::number(x * 2f64.powi(-520)).scale(-520);
        let [a, b] = [tiny(3.0), tiny(7.0)];
        let want = Ball::number(3.0).div(Ball::number(7.0)).enclosure();
        let got = a.div(b).enclosure();
        assert!(
            got.lo <= want.hi && want.lo <= got.hi && got.width() < 1e-15,
            "{got:?}"
        );
        let (got, want) = (a.root().scale(520), Ball::number(3.0).root());
        let apart = got.sub(want);
        assert!(apart.enclosure().contains(0.0), "{got:?} {want:?}");
        // A product of two doubles has two words.
        let product = Ball::number(0.1).mul(Ball::number(0.3));
        assert_eq!(
            (product.h, product.l, product.r),
            (0.1 * 0.3, 0.1f64.mul_add(0.3, -(0.1 * 0.3)), 0.0)
        );
        assert!(product.l != 0.0);
        let low = Ball::number(0.1 * 2f64.powi(-500)).mul(Ball::number(0.3 * 2f64.powi(-500)));
        assert!(low.r > 0.0 && third.mul(Ball::number(0.3)).r > 0.0);
        // An operation that loses no bit has no radius: a difference may be 0 exactly.
        assert_eq!(Ball::number(3.0).scale(-7).r, 0.0);
        assert!(Ball::number(1e-300).scale(-70).r > 0.0);
    }
}
