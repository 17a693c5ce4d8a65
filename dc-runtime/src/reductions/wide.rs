//! Numbers in two words with a separate exponent and a bound of their error, for true values that no exact sum gives.

use super::accumulator::{Scaled, exp2};
use crate::builtins::reference::binary64::{dd_exp, dd_log1p};
use crate::prelude::{DoubleDouble, dd_add, dd_div_accurate, dd_square};

/// Bounds of relative errors: of a sum, of a quotient, and of an exponential or a logarithm. The bounds of the kernels themselves are below
/// half of them.
const SUM: f64 = exp2(-102);
const QUOTIENT: f64 = exp2(-99);
const FUNCTION: f64 = exp2(-96);
/// The least argument whose exponential is computed. The exponential of a smaller one is below 2^-1900.
const LEAST: f64 = -1330.0;
const VANISHING: i32 = -1900;
/// From this difference of the exponents on, the second term counts as part of the error.
const FAR: i32 = 900;

/// `(hi + lo)` times 2^`e`, where `hi` is from 1 to 2, or zero. The represented value is within `radius` times 2^`e` of it.
#[derive(Debug, Clone, Copy)]
pub struct Wide {
    words: DoubleDouble,
    e: i32,
    radius: f64,
}

impl Wide {
    /// Zero, exactly.
    pub const ZERO: Wide = Wide {
        words: DoubleDouble { hi: 0.0, lo: 0.0 },
        e: 0,
        radius: 0.0,
    };

    /// A finite number, exactly.
    pub fn of(x: f64) -> Wide {
        let Scaled { m, e } = Scaled::of(x);
        Wide {
            words: DoubleDouble { hi: m, lo: 0.0 },
            e,
            radius: 0.0,
        }
    }

    /// Two words times 2^`e`, with this radius. The first word is zero, or normal and not near either end of the range of doubles.
    pub fn new(words: DoubleDouble, e: i32, radius: f64) -> Wide {
        if words.hi == 0.0 {
            return Wide { words, e, radius };
        }
        let own = ((words.hi.to_bits() >> 52) & 0x7ff) as i32 - 1023;
        let by = exp2(-own);
        Wide {
            words: DoubleDouble {
                hi: words.hi * by,
                lo: words.lo * by,
            },
            e: e + own,
            radius: radius * by,
        }
    }

    /// `e^(a - b)` of finite numbers.
    pub fn exp_of_difference(a: f64, b: f64) -> Wide {
        let hi = a - b;
        if hi < LEAST {
            return Wide {
                words: DoubleDouble { hi: 0.0, lo: 0.0 },
                e: VANISHING,
                radius: 1.0,
            };
        }
        // The difference is exact in two words (Knuth); half of it, too.
        let part = hi - a;
        let lo = (a - (hi - part)) - (b + part);
        let half = dd_exp::eval(DoubleDouble {
            hi: 0.5 * hi,
            lo: 0.5 * lo,
        });
        let half = Wide::new(half, 0, 0.0);
        let words = dd_square::eval(half.words);
        Wide::new(words, 2 * half.e, words.hi * FUNCTION)
    }

    /// The sum.
    pub fn plus(self, other: Wide) -> Wide {
        let (large, small) = match (self.is_exact_zero(), other.is_exact_zero()) {
            (true, _) => return other,
            (_, true) => return self,
            _ if self.e < other.e => (other, self),
            _ => (self, other),
        };
        let far = large.e - small.e;
        if far > FAR {
            // Both words of the small one are below 2, and its radius is far below.
            return Wide {
                radius: large.radius + exp2(2 - FAR),
                ..large
            };
        }
        let by = exp2(-far);
        let words = dd_add::eval(
            large.words,
            DoubleDouble {
                hi: small.words.hi * by,
                lo: small.words.lo * by,
            },
        );
        let own = words.hi.abs() * SUM;
        Wide::new(words, large.e, large.radius + small.radius * by + own)
    }

    /// The quotient by a positive number.
    pub fn over(self, divisor: Wide) -> Wide {
        let words = dd_div_accurate::eval(self.words, divisor.words);
        let size = words.hi.abs();
        let carried =
            (self.radius + 2.0 * size * divisor.radius) / (divisor.words.hi - divisor.radius);
        Wide::new(words, self.e - divisor.e, carried + size * QUOTIENT)
    }

    /// `ln(1 + t)` for a number t that is not negative and below 2^900.
    pub fn log1p(self) -> Wide {
        if self.e < -FAR {
            // t less at most t²/2.
            return Wide {
                radius: self.radius + exp2(-FAR),
                ..self
            };
        }
        if self.is_exact_zero() {
            return self;
        }
        let by = exp2(self.e);
        let words = dd_log1p::eval(DoubleDouble {
            hi: self.words.hi * by,
            lo: self.words.lo * by,
        });
        // The derivative is 1 / (1 + t), which is at most ln(1 + t) / t.
        let carried = 1.001 * self.radius * (words.hi / self.words.hi);
        Wide::new(words, 0, carried + words.hi * FUNCTION)
    }

    /// The number with the opposite sign.
    pub fn negated(self) -> Wide {
        let DoubleDouble { hi, lo } = self.words;
        Wide {
            words: DoubleDouble { hi: -hi, lo: -lo },
            ..self
        }
    }

    /// Whether it is exactly zero.
    pub fn is_exact_zero(self) -> bool {
        self.words.hi == 0.0 && self.radius == 0.0
    }

    /// The number rounded to 53 bits.
    pub fn scaled(self) -> Scaled {
        Scaled {
            m: self.words.hi,
            e: self.e,
        }
    }

    /// The words, and the bound of their error, with their exponents.
    #[cfg(all(test, feature = "mpfr"))]
    pub fn parts(self) -> [(Vec<f64>, i32); 2] {
        [
            (vec![self.words.hi, self.words.lo], self.e),
            (vec![self.radius], self.e),
        ]
    }

    /// The bound of the error.
    pub fn radius(self) -> Scaled {
        Scaled {
            m: self.radius,
            e: self.e,
        }
    }

    /// The largest `e` such that 2^`e` is at most the magnitude; `None` for zero.
    pub fn exponent(self) -> Option<i32> {
        let DoubleDouble { hi, lo } = self.words;
        let below = hi.abs() == 1.0 && (lo < 0.0) == (hi > 0.0) && lo != 0.0;
        (hi != 0.0).then(|| self.e - i32::from(below))
    }
}
