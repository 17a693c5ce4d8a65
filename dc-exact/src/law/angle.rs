//! Angles that are added to a function: arc tangents of multiples of 1/16, and quarter turns.

use super::Enclosed;
use super::inverse::atan;
use super::value::half_pi;
use crate::num::{Ball, Ring};

/// `atan(k/16) + n π/2`
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Angle {
    /// k
    pub sixteenths: i32,
    /// n
    pub quarters: i32,
}

impl Angle {
    /// 0
    pub const ZERO: Self = Self {
        sixteenths: 0,
        quarters: 0,
    };

    /// Its value.
    #[must_use]
    pub fn value(self) -> Ball {
        let tangent = f64::from(self.sixteenths) / 16.0;
        let turns = Ball::number(f64::from(self.quarters)).mul(half_pi());
        atan(tangent).add(turns)
    }

    /// A function that is divided by `2^e`, plus the angle.
    pub(super) fn added<const K: usize>(self, mut to: Enclosed<K>, e: i32) -> Enclosed<K> {
        if self == Self::ZERO {
            return to;
        }
        let angle = self.value().scale(-e);
        to.at.0[0] = to.at.0[0].add(angle);
        to.over.0[0] = to.over.0[0].add(angle.enclosure());
        to
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::Cell;
    use crate::law::{Law, Stage, Truth};

    /// Two doubles of each angle, from Machin's formula and series of 400 bits.
    const KNOWN: [(i32, i32, f64, f64); 6] = [
        (5, 0, 0.3028848683749714, -1.1010827903001369e-17),
        (-5, 1, 1.2679114584199251, 7.224316786036903e-17),
        (-15, 2, 2.388441372627599, 3.569931211140173e-17),
        (8, 1, 2.0344439357957027, 2.841996617907152e-17),
        (0, 2, std::f64::consts::PI, 1.2246467991473532e-16),
        (1, 0, 0.06241880999595735, -1.5490756308295046e-18),
    ];

    #[test]
    fn angles_are_those_of_another_computation() {
        for (sixteenths, quarters, h, l) in KNOWN {
            let angle = Angle {
                sixteenths,
                quarters,
            };
            let apart = angle.value().sub(Ball::number(h)).sub(Ball::number(l));
            let off = l.abs() * f64::EPSILON;
            assert!(apart.widened(off).enclosure().contains(0.0), "{angle:?}");
            assert!(apart.magnitude() < 2f64.powi(-96), "{angle:?}: {apart:?}");
        }
        assert_eq!(Angle::ZERO.value().mid(), 0.0);
    }

    /// The angle is in the value alone, in the scale of the function, and such a sum has none of the function's identities.
    #[test]
    fn a_sum_has_the_functions_derivatives() {
        let stage = |plus| {
            Truth::Stage(Stage {
                law: Law::Atan,
                plus,
                turn: 0,
                zero: 0,
                scale: 0,
                low: None,
                slack: 0.0,
                words: false,
            })
        };
        let angle = Angle {
            sixteenths: -5,
            quarters: 1,
        };
        let (alone, sum) = (stage(Angle::ZERO), stage(angle));
        assert_eq!((alone.law(), sum.law()), (Some(Law::Atan), None));
        let cell = Cell { lo: 0.01, hi: 0.02 };
        for e in [0, 1, -3] {
            let [a, b] = [&alone, &sum].map(|of| {
                of.enclose::<4>(cell, 0.015, 0.005, e)
                    .expect("it is defined")
            });
            let apart = b.at.0[0].sub(a.at.0[0]).sub(angle.value().scale(-e));
            assert!(apart.enclosure().contains(0.0) && apart.magnitude() < 1e-28);
            let apart = b.over.0[0].sub(a.over.0[0]);
            assert!(apart.contains(angle.value().mid() * 2f64.powi(-e)));
            assert!(
                b.range()
                    .contains((0.015f64.atan() + 1.2679114584199251) * 2f64.powi(-e))
            );
            for k in 1..4 {
                assert_eq!(a.at.0[k].mid(), b.at.0[k].mid());
                assert_eq!(a.over.0[k].lo, b.over.0[k].lo);
            }
        }
    }
}
