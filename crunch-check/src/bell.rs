//! The error function near numbers at which its value is known.
//!
//! Let D be the error function, `d = D'` and `a + h` a number, with `D(a + h) = Σ D_n h^n`. Then `d' = -2 x d` gives `(n + 1) d_(n+1) = -2 (a d_n + d_(n-1))`
//! for the coefficients `d_n` of d, and `D_(n+1) = d_n / (n + 1)`. The remainder after n terms is coefficient n at a number between a and `a + h`, times `h^n`
//! (Lagrange). The same recurrence bounds it, in intervals, from the hull of both numbers.

use std::sync::OnceLock;

use crate::number::{
    Coarse, Fine, Interval, Number, exact, exponent, floor, magnitude, power, zero,
};

/// The numbers at which the value is known are multiples of `2^-APART`.
const APART: i32 = 2;
/// The largest of them, times `2^APART`.
const LAST: usize = 110;
/// The largest number of terms that are summed: no number needs more.
const TERMS: usize = 400;
/// The error function and its complement at a multiple of `2^-APART`.
fn known(k: usize) -> Option<&'static (Fine, Fine)> {
    static ALL: [OnceLock<Option<(Fine, Fine)>>; LAST + 1] = [const { OnceLock::new() }; LAST + 1];
    let at = || exact(k as f64) * power(-APART);
    ALL.get(k)?
        .get_or_init(|| Fine::of(at()).erf_erfc_summed())
        .as_ref()
}

/// `2/√π e^(-x²)`
fn density<const P: usize>(x: &Interval<P>) -> Option<Interval<P>> {
    let at = |x: Number| {
        let x = Interval::of(x);
        x.mul(&x).neg().exp()
    };
    let all = at(x.least()).hull(&at(x.magnitude()));
    all.scale(1).div(&Interval::pi().sqrt()?)
}

/// The derivatives of the error function in turn: coefficient n of `D(x + h τ)` from `d_(n-1)`, for n from 1 on.
struct Terms<const P: usize> {
    x: Interval<P>,
    h: Interval<P>,
    /// `d_n h^n` and the one before it.
    last: [Interval<P>; 2],
    n: u32,
}

impl<const P: usize> Terms<P> {
    fn new(x: Interval<P>, h: Interval<P>) -> Option<Self> {
        let last = [density(&x)?, Interval::zero()];
        Some(Terms { x, h, last, n: 0 })
    }

    fn next(&mut self) -> Interval<P> {
        let [now, before] = &self.last;
        self.n += 1;
        let term = now.mul(&self.h).div_by(self.n);
        let sum = self.x.mul(now).add(&before.mul(&self.h));
        let next = sum.mul(&self.h).scale(1).neg().div_by(self.n);
        let [now, _] = std::mem::replace(&mut self.last, [next, Interval::zero()]);
        self.last[1] = now;
        term
    }
}

/// The error function and its complement, `1 - erf x`, at a number, with Q bits in its steps; `None` beyond ±27.5.
fn near_known<const Q: usize>(x: &Number) -> Option<(Interval<Q>, Interval<Q>)> {
    // The omitted part is below the sum by this many bits.
    let bits = Q as i32 - 12;
    let one = Interval::double(1.0);
    let size = magnitude(x);
    if size > exact(27.5) {
        return None;
    }
    let k = usize::try_from(floor(&(&size + &power(-APART - 1)), APART)).ok()?;
    let (erf, rest) = known(k)?;
    let a = Interval::of(exact(k as f64) * power(-APART));
    let h = Interval::of(size.clone()).sub(&a);
    let (mut erf, mut rest) = (erf.to(), rest.to());
    if !zero(&h.lo) || !zero(&h.hi) {
        let hull: Coarse = a.hull(&Interval::of(size)).to();
        let mut left = Terms::new(hull, h.to())?;
        let mut terms = Terms::new(a, h)?;
        let below = |x: &Coarse, of: &Interval<Q>| {
            exponent(&x.magnitude()) < exponent(&of.least()) - bits || zero(&x.magnitude())
        };
        let enough = (0..TERMS).any(|_| {
            let all = left.next();
            // The rest is one of these.
            if below(&all, &erf) && below(&all, &rest) {
                (erf, rest) = (erf.add(&all.to()), rest.sub(&all.to()));
                return true;
            }
            let term = terms.next();
            (erf, rest) = (erf.add(&term), rest.sub(&term));
            false
        });
        if !enough {
            return None;
        }
    }
    Some(if crate::number::negative(x) {
        let beyond = one.add(&erf);
        (erf.neg(), beyond)
    } else {
        (erf, rest)
    })
}

impl<const P: usize> Interval<P> {
    /// The error function and its complement, `1 - erf x`; `None` beyond ±27.5. Both are monotonic.
    pub fn erf_erfc(&self) -> Option<(Self, Self)> {
        if P > 192 {
            return self.erf_erfc_summed();
        }
        match P {
            0..=64 => self.by_ends(near_known::<128>),
            _ => self.by_ends(near_known::<192>),
        }
    }

    /// Both functions over an interval, from their values at the ends.
    fn by_ends<const Q: usize>(
        &self,
        at: impl Fn(&Number) -> Option<(Interval<Q>, Interval<Q>)>,
    ) -> Option<(Self, Self)> {
        let lo = at(&self.lo)?;
        if self.lo == self.hi {
            return Some((lo.0.to(), lo.1.to()));
        }
        let hi = at(&self.hi)?;
        Some((lo.0.hull(&hi.0).to(), lo.1.hull(&hi.1).to()))
    }
}

impl<const P: usize> Interval<P> {
    /// The error function at a number.
    pub(crate) fn erf_at(x: &Number) -> Self {
        let root = Self::pi().sqrt().expect("π is positive");
        let factor = Self::double(2.0).div(&root).expect("its root, too");
        Self::erf_sum(x).mul(&factor)
    }

    /// The error function times `√π / 2`, by its alternating series. Its remainder is smaller than its first term once the terms fall.
    pub(crate) fn erf_sum(x: &Number) -> Self {
        let x = Self::of(x.clone());
        if x.holds_zero() {
            return x;
        }
        let square = x.mul(&x);
        // (-1)^n x^(2n+1) / n!
        let mut power = x;
        let mut sum = power.clone();
        let mut n = 0;
        loop {
            n += 1;
            power = power.mul(&square).div_by(n).neg();
            let term = power.div_by(2 * n + 1);
            if square.hi < exact(f64::from(n))
                && exponent(&term.magnitude()) < exponent(&sum.magnitude()) - P as i32
            {
                return sum.add(&Self::symmetric(term.magnitude()));
            }
            sum = sum.add(&term);
        }
    }

    /// The error function and its complement, `1 - erf x`, from the series at 0; `None` beyond ±27.5. Both are monotonic.
    pub fn erf_erfc_summed(&self) -> Option<(Self, Self)> {
        let one = |erf: Interval<2560>| (erf.to(), Interval::double(1.0).sub(&erf).to());
        let small = |erf: Interval<512>| (erf.to(), Interval::double(1.0).sub(&erf).to());
        // The terms are up to e^(x²), and 1 - erf x is down to e^(-x²).
        let at = |x: &Number| -> Option<(Self, Self)> {
            let size = magnitude(x);
            if size <= exact(6.0) {
                Some(small(Interval::erf_at(x)))
            } else if size <= exact(27.5) {
                Some(one(Interval::erf_at(x)))
            } else {
                None
            }
        };
        let (lo, hi) = (at(&self.lo)?, at(&self.hi)?);
        Some((lo.0.hull(&hi.0), lo.1.hull(&hi.1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::Words;

    /// Compares the values with the series at 0, which shares no code with them, to some 150 bits.
    #[test]
    fn sums_near_known_numbers_are_those_of_the_series_at_zero() {
        let mut random = Words(1);
        for k in 0..60 {
            let part = random.below(1 << 40) as f64 * 2f64.powi(-40);
            let x = match k % 6 {
                0 => part * 27.5,
                1 => part * 2f64.powi(-20 * (k / 6)),
                2 => (part * 27.0).round() / 8.0,
                3 => (part * 80.0).round() / 4.0,
                _ => part * 6.0,
            };
            let x = exact(if random.below(3) == 0 { -x } else { x });
            let got = near_known::<192>(&x).expect("defined");
            let due = Interval::<300>::of(x.clone()).erf_erfc_summed();
            let due = due.expect("defined");
            for (got, due) in [(&got.0, due.0), (&got.1, due.1)] {
                let due: Fine = due.to();
                assert!(got.meet(&due).is_some(), "{x:?}: {got:?} {due:?}");
                let wide = exponent(&(&got.hi - &got.lo));
                assert!(wide < exponent(&got.magnitude()) - 150, "{x:?} {got:?}");
            }
            let few = Coarse::of(x.clone()).erf_erfc().expect("defined");
            for (got, due) in [(few.0, got.0), (few.1, got.1)] {
                assert!(
                    got.lo <= due.lo && due.hi <= got.hi,
                    "{x:?}: {got:?} {due:?}"
                );
                let wide = exponent(&(&got.hi - &got.lo));
                assert!(wide < exponent(&got.magnitude()) - 60, "{x:?} {got:?}");
            }
        }
        assert!(near_known::<192>(&exact(27.6)).is_none());
        assert_eq!(
            near_known::<192>(&exact(0.0)).expect("defined").0.ends(),
            (0.0, 0.0)
        );
    }

    /// The enclosure excludes a sum that lacks a term, and the value at a neighbour of the known number.
    #[test]
    fn enclosures_are_narrow() {
        let x = exact(3.1);
        let (erf, rest) = near_known::<192>(&x).expect("defined");
        let h = Fine::of(x.clone()).sub(&Fine::double(3.0));
        let mut terms = Terms::new(Fine::double(3.0), h).expect("defined");
        let mut last = terms.next();
        for _ in 0..20 {
            last = terms.next();
        }
        for (wrong, due) in [(erf.add(&last), erf), (rest.sub(&last), rest)] {
            assert!(wrong.meet(&due).is_none());
        }
    }
}
