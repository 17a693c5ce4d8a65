//! The vectors of functions of exponentials: sums that are nearly one, exponentials over their whole range, and beyond it on both sides.

use super::{Maker, below, word};
use crate::builtins::reference::binary64::log_reference;
use crate::model::key::Precision;
use crate::prelude::{DoubleDouble, dd_add, dd_exp, dd_from_f64, dd_log1p, dd_neg};

/// The strata, in words.
pub(super) const STRATA: [&str; 16] = [
    "any sign, 2^-8 to 2^8",
    "positive, one binade",
    "any sign, 2^-3 to 2^3",
    "any sign, 2^-60 to 2^60",
    "any sign, every binade",
    "exponentials that add up to nearly one",
    "the whole range of exponentials",
    "positive, ascending",
    "any sign, descending",
    "alternating",
    "next to one number",
    "subnormal, or next to it",
    "exponentials next to the largest number, and beyond",
    "exponentials next to the smallest number, and below",
    "small integers and zeros",
    "an infinity, NaN or zero",
];

/// Integers near the logarithms of the smallest and the largest number.
const fn ends(precision: Precision) -> (i32, i32) {
    match precision {
        Precision::F32 => (-104, 89),
        Precision::F64 => (-746, 710),
    }
}

impl Maker {
    /// A vector of a stratum.
    pub(super) fn exponents(&mut self, stratum: u64) -> Vec<f64> {
        let (least, most) = ends(self.precision);
        match stratum {
            2 => self.around_one(3, true),
            5 => self.nearly_one(),
            6 => self.between(least, most),
            12 => self.between(most - 20, most + 60),
            13 => self.between(least - 60, least + 40),
            other => self.vector(other),
        }
    }

    /// The nearest number of the precision.
    fn rounded(&self, x: f64) -> f64 {
        match self.precision {
            Precision::F32 => f64::from(x as f32),
            Precision::F64 => x,
        }
    }

    /// Numbers between two integers.
    fn between(&mut self, least: i32, most: i32) -> Vec<f64> {
        let one = |maker: &mut Maker| {
            let part = (word(&mut maker.random) >> 11) as f64 * f64::EPSILON / 2.0;
            maker.rounded(f64::from(least) + part * f64::from(most - least))
        };
        (0..self.n).map(|_| one(self)).collect()
    }

    /// Numbers in a random order, one of which is nearly the logarithm of 1 minus the other exponentials. So the logarithm of the sum of all
    /// exponentials is nearly zero.
    fn nearly_one(&mut self) -> Vec<f64> {
        let largest = -log_reference::eval(self.n as f64).hi;
        let mut x = Vec::new();
        let mut sum = DoubleDouble { hi: 0.0, lo: 0.0 };
        for _ in 1..self.n {
            let less = (word(&mut self.random) >> 11) as f64 * f64::EPSILON * 2.0;
            let number = self.rounded(largest - less);
            sum = dd_add::eval(sum, dd_exp::eval(dd_from_f64::eval(number)));
            x.push(number);
        }
        let last = dd_log1p::eval(dd_neg::eval(sum)).hi;
        let depth = 1 + below(60, &mut self.random) as i32;
        x.push(self.rounded(last * (1.0 + 0.5f64.powi(depth))));
        self.shuffle(&mut x, None);
        x
    }
}
