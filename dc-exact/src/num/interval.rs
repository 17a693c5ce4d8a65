//! Intervals of real numbers with doubles as bounds.
//!
//! Every operation gives an interval that contains all exact results for operands in the given intervals. A bound that the processor
//! rounded is moved outward by one double (the rounding error is at most half of that), unless the result is known to be exact.

use super::float::power;
use super::series::Ring;

/// The real numbers from `lo` to `hi`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The lower bound.
    pub lo: f64,
    /// The upper bound.
    pub hi: f64,
}

/// Error of a rounded sum: Knuth's `two_sum`.
fn sum(a: f64, b: f64) -> (f64, f64) {
    let s = a + b;
    let seen = s - a;
    (s, (a - (s - seen)) + (b - seen))
}

fn down(x: f64) -> f64 {
    if x.is_nan() {
        f64::NEG_INFINITY
    } else {
        x.next_down()
    }
}

fn up(x: f64) -> f64 {
    if x.is_nan() {
        f64::INFINITY
    } else {
        x.next_up()
    }
}

/// `a + b`, rounded down.
#[must_use]
pub fn add_down(a: f64, b: f64) -> f64 {
    let (s, e) = sum(a, b);
    if e > 0.0 || e == 0.0 && s.is_finite() {
        s
    } else {
        down(s)
    }
}

/// `a + b`, rounded up.
#[must_use]
pub fn add_up(a: f64, b: f64) -> f64 {
    -add_down(-a, -b)
}

/// `a * b`, rounded down.
#[must_use]
pub fn mul_down(a: f64, b: f64) -> f64 {
    if a == 0.0 || b == 0.0 {
        return 0.0;
    }
    let p = a * b;
    if exact_product(a, b, p) { p } else { down(p) }
}

/// `a * b`, rounded up.
#[must_use]
pub fn mul_up(a: f64, b: f64) -> f64 {
    -mul_down(-a, b)
}

/// Whether a product is certainly exact: a factor is ±1, or both have at most 26 significant bits.
fn exact_product(a: f64, b: f64, p: f64) -> bool {
    let short = |x: f64| x.to_bits() << 37 == 0;
    a.abs() == 1.0 || b.abs() == 1.0 || (short(a) && short(b) && p.abs() > 1e-290 && p.is_finite())
}

impl Interval {
    /// All real numbers.
    pub const ALL: Interval = Interval {
        lo: f64::NEG_INFINITY,
        hi: f64::INFINITY,
    };
    /// Zero.
    pub const ZERO: Interval = Interval { lo: 0.0, hi: 0.0 };
    /// One.
    pub const ONE: Interval = Interval { lo: 1.0, hi: 1.0 };

    /// From `lo` to `hi`.
    #[must_use]
    pub fn new(lo: f64, hi: f64) -> Interval {
        debug_assert!(lo <= hi, "{lo:e} {hi:e}");
        Interval { lo, hi }
    }
    /// One number.
    #[must_use]
    pub fn point(x: f64) -> Interval {
        Interval { lo: x, hi: x }
    }
    /// The interval `±r`.
    #[must_use]
    pub fn symmetric(r: f64) -> Interval {
        Interval { lo: -r, hi: r }
    }
    /// The largest absolute value.
    #[must_use]
    pub fn magnitude(self) -> f64 {
        self.lo.abs().max(self.hi.abs())
    }
    /// The smallest absolute value.
    #[must_use]
    pub fn least(self) -> f64 {
        if self.contains(0.0) {
            0.0
        } else {
            self.lo.abs().min(self.hi.abs())
        }
    }
    /// Whether a number is in it.
    #[must_use]
    pub fn contains(self, x: f64) -> bool {
        self.lo <= x && x <= self.hi
    }
    /// `hi - lo`, rounded up.
    #[must_use]
    pub fn width(self) -> f64 {
        add_up(self.hi, -self.lo)
    }
    /// The smallest interval that contains both.
    #[must_use]
    pub fn hull(self, other: Interval) -> Interval {
        Interval {
            lo: self.lo.min(other.lo),
            hi: self.hi.max(other.hi),
        }
    }
    /// The intersection; `None` if it is empty.
    #[must_use]
    pub fn meet(self, other: Interval) -> Option<Interval> {
        // If both ends are zeros, it keeps its own.
        let lo = if other.lo > self.lo {
            other.lo
        } else {
            self.lo
        };
        let hi = if other.hi < self.hi {
            other.hi
        } else {
            self.hi
        };
        (lo <= hi).then_some(Interval { lo, hi })
    }
    /// The square root of the part that is not negative.
    #[must_use]
    pub fn sqrt(self) -> Interval {
        let root = |x: f64| x.max(0.0).sqrt();
        Interval {
            lo: down(root(self.lo)).max(0.0),
            hi: up(root(self.hi)),
        }
    }
    /// The interval of the absolute values.
    #[must_use]
    pub fn abs(self) -> Interval {
        Interval {
            lo: self.least(),
            hi: self.magnitude(),
        }
    }
    /// Multiplied by `2^e`.
    #[must_use]
    pub fn scaled(self, e: i32) -> Interval {
        let (mut x, mut left) = (self, e);
        while left != 0 {
            let step = left.clamp(-1000, 1000);
            let factor = power(step);
            let by = |x: f64, toward: fn(f64) -> f64| {
                let y = x * factor;
                if y * power(-step) == x { y } else { toward(y) }
            };
            x = Interval {
                lo: by(x.lo, down),
                hi: by(x.hi, up),
            };
            left -= step;
        }
        x
    }
}

impl Ring for Interval {
    fn number(x: f64) -> Self {
        Interval::point(x)
    }
    fn add(self, b: Self) -> Self {
        Interval {
            lo: add_down(self.lo, b.lo),
            hi: add_up(self.hi, b.hi),
        }
    }
    fn neg(self) -> Self {
        Interval {
            lo: -self.hi,
            hi: -self.lo,
        }
    }
    fn mul(self, b: Self) -> Self {
        let a = self;
        let of = |[w, x]: [f64; 2], [y, z]: [f64; 2]| Interval {
            lo: mul_down(w, x),
            hi: mul_up(y, z),
        };
        // The corners with the least and the largest product, by signs. A bound that is no number has none of these.
        let (above, below) = (a.lo >= 0.0, a.hi <= 0.0);
        if b.lo >= 0.0 && b.hi >= 0.0 {
            if above {
                return of([a.lo, b.lo], [a.hi, b.hi]);
            }
            if below {
                return of([a.lo, b.hi], [a.hi, b.lo]);
            }
            if a.lo < 0.0 && a.hi > 0.0 {
                return of([a.lo, b.hi], [a.hi, b.hi]);
            }
        } else if b.hi <= 0.0 && b.lo <= 0.0 {
            if above {
                return of([a.hi, b.lo], [a.lo, b.hi]);
            }
            if below {
                return of([a.hi, b.hi], [a.lo, b.lo]);
            }
            if a.lo < 0.0 && a.hi > 0.0 {
                return of([a.hi, b.lo], [a.lo, b.lo]);
            }
        } else if b.lo < 0.0 && b.hi > 0.0 {
            if above {
                return of([a.hi, b.lo], [a.hi, b.hi]);
            }
            if below {
                return of([a.lo, b.hi], [a.lo, b.lo]);
            }
        }
        let (mut lo, mut hi) = (f64::INFINITY, f64::NEG_INFINITY);
        for (x, y) in [(a.lo, b.lo), (a.lo, b.hi), (a.hi, b.lo), (a.hi, b.hi)] {
            lo = lo.min(mul_down(x, y));
            hi = hi.max(mul_up(x, y));
        }
        Interval { lo, hi }
    }
    fn div(self, b: Self) -> Self {
        if b.contains(0.0) {
            return Interval::ALL;
        }
        let a = self;
        let corners = [a.lo / b.lo, a.lo / b.hi, a.hi / b.lo, a.hi / b.hi];
        if corners.iter().any(|c| c.is_nan()) {
            return Interval::ALL;
        }
        let lo = corners.into_iter().fold(f64::INFINITY, f64::min);
        let hi = corners.into_iter().fold(f64::NEG_INFINITY, f64::max);
        // A quotient by a power of two is exact, but where it is subnormal or overflows.
        let power = b.lo == b.hi && super::float::is_power(b.lo);
        let exact = |end: f64| power && end.abs() > 1e-290 && end.is_finite();
        // An end that is 0 is exact if it is that of a numerator of 0; other quotients underflow to it.
        let (lower, upper) = if b.lo > 0.0 {
            (a.lo, a.hi)
        } else {
            (a.hi, a.lo)
        };
        Interval {
            lo: if exact(lo) || lower == 0.0 {
                lo
            } else {
                down(lo)
            },
            hi: if exact(hi) || upper == 0.0 {
                hi
            } else {
                up(hi)
            },
        }
    }
    fn root(self) -> Self {
        self.sqrt()
    }
    fn scale(self, e: i32) -> Self {
        self.scaled(e)
    }
    fn is_zero(self) -> bool {
        self.lo == 0.0 && self.hi == 0.0
    }
    fn enclosure(self) -> Interval {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers of 25 to 29 significant bits: products of two of 27 are not always exact.
    #[test]
    fn products_of_short_numbers_are_inside() {
        let mut state = 1u64;
        let mut number = || {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            let bits = 25 + (state >> 60) % 5;
            f64::from_bits((1023 << 52) | ((state >> 12) >> (53 - bits) << (53 - bits)))
        };
        let longest = 2.0 - 2f64.powi(-26);
        let pairs = (0..10_000).map(|_| (number(), number()));
        let mut exact = 0;
        for (a, b) in pairs.chain([(longest, longest)]) {
            let product = Interval::point(a).mul(Interval::point(b));
            exact += u32::from(product.lo == product.hi);
            assert!(a.mul_add(b, -product.lo) >= 0.0, "{a:e} {b:e}: {product:?}");
            assert!(a.mul_add(b, -product.hi) <= 0.0, "{a:e} {b:e}: {product:?}");
        }
        assert!((400..6000).contains(&exact), "{exact} stay exact");
    }

    #[test]
    fn quotients_by_powers_at_the_ends_of_the_format_are_inside() {
        let least = f64::from_bits(1);
        let half = |lo: f64, hi: f64| Interval::new(lo, hi).div(Interval::point(2.0));
        assert!(half(-1.0, -3.0 * least).hi >= -least);
        assert!(half(-1.0, least).hi >= least);
        let twice = Interval::point(f64::MAX).div(Interval::point(0.5));
        assert_eq!(twice.lo, f64::MAX);
        assert_eq!(half(-3.0, 5.0), Interval::new(-1.5, 2.5));
    }

    #[test]
    fn bounds_are_outward_and_exact_results_stay() {
        let third = Interval::ONE.div(Interval::point(3.0));
        assert!(third.lo < third.hi && third.mul(Interval::point(3.0)).contains(1.0));
        assert_eq!(
            Interval::point(0.5).add(Interval::point(0.25)),
            Interval::point(0.75)
        );
        assert_eq!(
            Interval::new(-1.0, 2.0).mul(Interval::new(-3.0, 4.0)),
            Interval::new(-6.0, 8.0)
        );
        assert!(Interval::point(2.0).sqrt().width() > 0.0);
        assert_eq!(Interval::ONE.div(Interval::new(-1.0, 1.0)), Interval::ALL);
        let sum = Interval::point(1.0).add(Interval::point(1e-30));
        assert!(sum.lo == 1.0 && sum.hi > 1.0, "{sum:?}");
        let tiny = Interval::point(3.0).scaled(-1075);
        assert!(tiny.lo <= 5e-324 && tiny.hi >= 1e-323, "{tiny:?}");
        assert_eq!(Interval::new(-1.0, 1.0).least(), 0.0);
    }
}
