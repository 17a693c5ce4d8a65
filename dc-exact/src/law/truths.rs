//! Enclosures contain the functions' values, which `truths.py` computed with mpmath: at the numbers of `truths.txt`, and over cells around
//! and between them.

use std::collections::BTreeMap;

use dashu_int::IBig;
use dashu_int::ops::BitTest as _;

use super::{Enclosed, Law, NoTruth};
use crate::cell::Cell;
use crate::num::containment::within;
use crate::num::dyadic::{Dyadic, Random};
use crate::num::{Ball, Ring};

/// A number with the value of a function there: at least the first, and at most the second.
struct Known {
    x: f64,
    value: [Dyadic; 2],
}

impl Known {
    /// Whether a ball contains the value, divided by `2^e`. If the ball is narrower than the known interval, either end of that may be the
    /// nearer one.
    fn is_near(&self, ball: Ball, e: i32) -> bool {
        let [first, last] = &self.value;
        let most = Dyadic::of(ball.r).plus(&last.minus(first).size().scaled(-e));
        let middle = Dyadic::of(ball.h).plus(&Dyadic::of(ball.l));
        let near = |v: &Dyadic| v.scaled(-e).minus(&middle).size().at_most(&most);
        near(first) && near(last)
    }
}

fn known() -> BTreeMap<&'static str, Vec<Known>> {
    let mut all: BTreeMap<&str, Vec<Known>> = BTreeMap::new();
    for line in include_str!("truths.txt").lines() {
        let [law, x, relation, m, q] = line.split(' ').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let bits = u64::from_str_radix(x, 16).expect("bits");
        let m = IBig::from_str_radix(m, 16).expect("an integer");
        let q = q.parse().expect("an exponent");
        let exact = relation == "=";
        let above = &m + IBig::from(u8::from(!exact));
        all.entry(law).or_default().push(Known {
            x: f64::from_bits(bits),
            value: [Dyadic(m, q), Dyadic(above, q)],
        });
    }
    all
}

/// The exponent of a value's magnitude, or 0 for 0.
fn size(value: &Dyadic) -> i32 {
    let Dyadic(m, q) = value.size();
    let bits = m.bit_len() as i64;
    if bits == 0 { 0 } else { (q + bits - 1) as i32 }
}

const K: usize = 8;

/// The Taylor polynomial with Lagrange's remainder at a number.
fn at(enclosed: &Enclosed<K>, cell: Cell, c: f64, w: f64, x: f64) -> Ball {
    let over = enclosed.over.0[K - 1];
    if !over.magnitude().is_finite() {
        return Ball::ZERO.widened(f64::INFINITY);
    }
    assert!(cell.lo <= x && x <= cell.hi);
    let last = Ball::number(over.lo).widened(over.width());
    if w == 0.0 {
        return enclosed.at.0[0];
    }
    let t = Ball::number(x).sub(Ball::number(c)).div(Ball::number(w));
    let rest = enclosed.at.0[..K - 1].iter().rev();
    rest.fold(last, |sum, a| sum.mul(t).add(*a))
}

/// Whether a value is beyond the range of words, so that nothing is known about it.
fn vague(ball: Ball) -> bool {
    [ball.h, ball.l, ball.r].iter().any(|x| !x.is_finite())
}

/// A cell's claims about the numbers in it.
fn compare(law: Law, cell: Cell, c: f64, all: &[Known], e: i32) -> Result<u32, NoTruth> {
    let w = cell.radius(c);
    let enclosed = law.enclose::<K>(cell, c, w, e)?;
    let (values, range) = (enclosed.over.0[0], enclosed.range());
    let mut count = 0;
    for k in all {
        if !(cell.lo <= k.x && k.x <= cell.hi) {
            continue;
        }
        count += 1;
        let context = format!(
            "{law:?} at {:e} of {:e} to {:e} / 2^{e}",
            k.x, cell.lo, cell.hi
        );
        let place = at(&enclosed, cell, c, w, k.x);
        for value in &k.value {
            let value = value.scaled(-e);
            assert!(
                within(values.lo, &value, values.hi),
                "{context}: {values:?}"
            );
            assert!(
                within(range.lo, &value, range.hi),
                "{context}: range {range:?}"
            );
            assert!(
                vague(place) || k.is_near(place, e),
                "{context}: polynomial {place:?}"
            );
            if k.x == c {
                let center = enclosed.at.0[0];
                assert!(
                    vague(center) || k.is_near(center, e),
                    "{context}: center {center:?}"
                );
            }
        }
        // The coefficients at this number are between those over the cell; for some numbers, to save time.
        if count % 4 != 1 {
            continue;
        }
        let Ok(here) = law.enclose::<K>(Cell { lo: k.x, hi: k.x }, k.x, w, e) else {
            continue;
        };
        for (i, (here, over)) in here.at.0.iter().zip(enclosed.over.0).enumerate() {
            let here = here.enclosure();
            assert!(
                here.lo.is_nan() || here.hi.is_nan() || here.lo <= over.hi && over.lo <= here.hi,
                "{context}: coefficient {i} is {here:?}, not in {over:?}"
            );
        }
    }
    Ok(count)
}

#[test]
fn enclosures_hold_the_values() {
    let mut random = Random(3);
    let truths = known();
    assert_eq!(truths.len(), Law::ALL.len());
    for &law in Law::ALL {
        let all = &truths[law.name()];
        let (mut cells, mut refused) = (0, 0);
        for (i, k) in all.iter().enumerate() {
            let e = size(&k.value[0]);
            // The value at the number itself, to 94 bits, and exactly where it is exact.
            let point = Cell { lo: k.x, hi: k.x };
            let sole = law.enclose::<K>(point, k.x, 0.0, e);
            let sole = sole.unwrap_or_else(|_| panic!("{law:?} at {:e}", k.x)).at.0[0];
            let context = format!("{law:?} at {:e} is {sole:?}", k.x);
            // Next to 3/2 and its negative zeros, ln |Γ| is a difference of larger numbers.
            let lost = if law == Law::LnGamma { 3.max(-e) } else { 0 };
            assert!(sole.r < 2f64.powi(lost - 90), "{context}");
            assert!(k.is_near(sole, e), "{context}");
            for width in [0.0, 1e-15, 1e-3, 0.3, 40.0] {
                let (a, b) = (random.below(1 << 20) as f64, random.below(1 << 20) as f64);
                let size = width * 2f64.powi(-20) * if width < 1.0 { k.x.abs() } else { 1.0 };
                let cell = Cell {
                    lo: (k.x - a * size).max(-f64::MAX),
                    hi: (k.x + b * size).min(f64::MAX),
                };
                let others = all[(i + random.below(all.len() as u64) as usize) % all.len()].x;
                let until = Cell {
                    lo: k.x.min(others),
                    hi: k.x.max(others),
                };
                let one_sided = match random.below(2) {
                    0 => Cell { lo: k.x, ..cell },
                    _ => Cell { hi: k.x, ..cell },
                };
                for cell in [cell, until, one_sided] {
                    let c = match random.below(3) {
                        0 => cell.lo + (cell.hi - cell.lo) * 0.37,
                        1 => k.x,
                        _ => cell.center(),
                    }
                    .clamp(cell.lo, cell.hi);
                    let e = e + random.below(9) as i32 - 4;
                    match compare(law, cell, c, all, e) {
                        Ok(n) => {
                            assert!(n > 0);
                            cells += 1;
                        }
                        Err(_) => refused += 1,
                    }
                }
            }
        }
        // A refused interval has a pole, or is out of reach.
        assert!(
            cells > 200 && refused < 2 * cells,
            "{law:?}: {cells} {refused}"
        );
    }
}
