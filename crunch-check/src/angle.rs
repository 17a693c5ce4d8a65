//! The line `plus`: an angle that is added to a function.

use std::fmt;
use std::sync::OnceLock;

use crate::number::Interval;
use crate::series::Series;

/// The largest arc tangent is that of 1, and an angle has at most a whole turn.
const MOST: [i32; 2] = [16, 4];

/// The precision of arc tangents that are kept.
const COMMON: usize = 256;

fn arc_tangent<const P: usize>(sixteenths: u32) -> Interval<P> {
    let tangent = Interval::double(f64::from(sixteenths));
    tangent.scale(-4).atan()
}

/// `atan(k/16) + n π/2`
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Angle {
    sixteenths: i32,
    quarters: i32,
}

/// An integer of at most this magnitude, written in one way.
fn integer(word: &str, most: i32) -> Result<i32, String> {
    let n = word.parse::<i32>().ok().filter(|n| n.to_string() == word);
    (n.filter(|n| n.abs() <= most))
        .ok_or_else(|| format!("`{word}` is no integer from -{most} to {most}"))
}

impl Angle {
    /// The angle of these words, k and n.
    ///
    /// # Errors
    /// If one is not an integer, or too large.
    pub fn parse(sixteenths: &str, quarters: &str) -> Result<Angle, String> {
        Ok(Angle {
            sixteenths: integer(sixteenths, MOST[0])?,
            quarters: integer(quarters, MOST[1])?,
        })
    }

    /// Its value.
    pub fn value<const P: usize>(self) -> Interval<P> {
        let quarter = Interval::pi().scale(-1);
        let turned = quarter.mul(&Interval::double(f64::from(self.quarters)));
        self.arc_tangent().add(&turned)
    }

    /// `atan(k/16)`, which is computed once for most precisions.
    fn arc_tangent<const P: usize>(self) -> Interval<P> {
        static ALL: [OnceLock<Interval<COMMON>>; 17] = [const { OnceLock::new() }; 17];
        let size = self.sixteenths.unsigned_abs();
        let arc = match ALL.get(size as usize) {
            Some(one) if P <= COMMON => one.get_or_init(|| arc_tangent(size)).to(),
            _ => arc_tangent(size),
        };
        if self.sixteenths < 0 { arc.neg() } else { arc }
    }

    /// A function's coefficients, with the angle in the first one.
    pub fn added<const P: usize>(self, mut to: Series<P>) -> Series<P> {
        if let Some(first) = to.first_mut() {
            *first = first.add(&self.value());
        }
        to
    }
}

/// As in the words of a theorem.
impl fmt::Display for Angle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "atan({}/16) + {} pi/2", self.sixteenths, self.quarters)
    }
}
