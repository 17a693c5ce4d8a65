//! Roots rounded to odd.
//!
//! Let `X = RN(T)`, `R = RN(√X)` in binary64, and let `rest` have the sign of `T - R²`. If `rest` is not 0 and the last bit of R is 0, it is
//! set, by a step towards the root of T. Then the number is √T, or its last bit is 1 and there is no even double between it and √T.
//!
//! *Proof.* Let √X be in `[2^k, 2^(k+1))` and u the spacing of doubles there, `2^(k-52)`. R is within u/2 of √X. `|T - X|` is at most half the
//! spacing at X, `2^(2k-53)` for X below `2^(2k+1)` and twice that above, so that `|√T - √X|` is at most `2^(k-54)`, u/4, or
//! `2^(2k-52) / (2 √2 2^k)`, 0.36 u, and a little. So √T is less than u from R. If R is odd, it is no power of two, and the doubles next to it,
//! which are even, are u away. If R is even and not a power of two, the double next to it in the direction of √T is u away, and odd. If R is `2^k` and √T
//! below it, X is `2^2k`: the root of a double below is rounded to a double below. T is then at least `2^2k - 2^(2k-54)`, and
//! √T less than half the spacing there, `2^(k-53)`, below R. R cannot be `2^(k+1)` for an X below `2^(2k+2)` for the same reason.
//!
//! A number of at most 51 bits, or a midpoint between two of these, is an even double. So √T and the number are on the same side of each of
//! these, or equal: rounding the number to fewer bits gives the number nearest to √T, ties to even, subnormal and infinite results included.

use super::domain::Pairs;
use super::poly::Poly;
use super::value::{Before, Float};

impl Pairs<'_> {
    /// T, if a step from `root` towards the sign of `rest`, if needed, gives the root of T rounded to odd.
    pub(super) fn rounded_to_odd(&self, root: &Float, rest: &Float) -> Option<Poly> {
        let Some((Before::Root(x), _)) = &root.before else {
            return None;
        };
        let r = root.poly.as_ref()?;
        // It is a root of binary64, whose atom is its own, and not one of binary32.
        if root.bits != 53 || root.range.lo < f64::MIN_POSITIVE {
            return None;
        }
        // What was rounded to give X, once, by an addition, so that half of its last place is the largest error.
        let t = self.sum_of(x)?;
        // A sum has the sign of the exact one, and is 0 where that is.
        let Some((Before::Sum(sign), true)) = &rest.before else {
            return None;
        };
        let square = self.atoms.mul(r, r)?;
        (t.sub(&square)? == *sign).then_some(t)
    }
}
