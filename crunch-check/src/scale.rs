//! The line `scale`: a function times a power of two. A kernel's numbers may be scaled so where the function is larger than every double.

use std::fmt;

use crate::number::Interval;
use crate::series::Series;

/// The largest magnitude of an exponent.
const MOST: i32 = 1000;

/// `2^k`
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scale(i32);

impl Scale {
    /// The power with this exponent.
    ///
    /// # Errors
    /// If it is no integer, 0, too large, or written in another way.
    pub fn parse(exponent: &str) -> Result<Scale, String> {
        let k = exponent.parse::<i32>().ok();
        let k = k.filter(|k| k.to_string() == exponent && *k != 0 && k.abs() <= MOST);
        k.map(Scale).ok_or_else(|| {
            format!("`{exponent}` is no integer from -{MOST} to {MOST} other than 0")
        })
    }

    /// A value times the power.
    pub fn of<const P: usize>(self, value: &Interval<P>) -> Interval<P> {
        value.scale(self.0)
    }

    /// A function's coefficients times the power.
    pub fn of_all<const P: usize>(self, series: &Series<P>) -> Series<P> {
        series.iter().map(|c| c.scale(self.0)).collect()
    }
}

/// As in the words of a theorem.
impl fmt::Display for Scale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "2^{}", self.0)
    }
}
