//! Operations after which it is still known what was rounded.

use super::atoms::Range;
use super::path::Path;
use super::poly::Poly;
use super::value::{Before, Float, Format};
use crate::number::{Number, exponent, magnitude, negative, power, zero};

/// The sum, if one operand is 0: the other one, with what was rounded to give it.
pub fn kept_by_zero(a: &Float, b: &Float) -> Option<Float> {
    let is_zero = |v: &Float| v.poly.as_ref().is_some_and(Poly::is_zero);
    match (is_zero(a), is_zero(b)) {
        (_, true) if a.poly.is_some() => Some(a.clone()),
        (true, _) if b.poly.is_some() => Some(b.clone()),
        _ => None,
    }
}

/// The product of a number and a power of two, if it is exact or infinite, and if it is known what was rounded.
///
/// A normal number `RN(v)` times c is `RN(v c)` if it is normal, too, and infinite where v c is rounded to infinity. A subnormal sum is exact, and
/// so is its product.
fn scaled(f: Format, a: &Float, own: &Range, factor: &Float) -> Option<Float> {
    let c = factor.poly.as_ref()?.value()?;
    if zero(&c) || negative(&c) || magnitude(&c) != power(exponent(&c)) {
        return None;
    }
    let e = exponent(&c);
    let poly = a.poly.as_ref()?.times(&c);
    if e == 0 {
        return Some(a.clone());
    }
    let range = own.mul(&Range::of(c.clone()));
    if a.grid + e < f.least && range.least() < f.normal() {
        return None;
    }
    let before = match &a.before {
        None => None,
        Some(Before::Real(v, r, sum)) if *sum || own.least() >= f.normal() => {
            let r = r.mul(&Range::of(c.clone()));
            Some(Before::Real(v.times(&c), r, false))
        }
        Some(Before::Near(v, error)) => Some(Before::Near(v.times(&c), error * &c)),
        Some(_) => return None,
    };
    if range.magnitude() > f.most() {
        return match before {
            Some(Before::Real(..)) => Some(Float::only(before, None)),
            _ => None,
        };
    }
    Some(Float {
        poly: Some(poly),
        range,
        bits: a.bits,
        grid: (a.grid + e).max(f.least),
        before,
        steps: None,
    })
}

impl Path<'_> {
    /// The product of two numbers, one of which is a power of two: see [`scaled`].
    pub fn by_power(&self, f: Format, a: &Float, b: &Float) -> Option<Float> {
        let of = |a: &Float, factor: &Float| scaled(f, a, &self.range_now(a)?, factor);
        of(a, b).or_else(|| of(b, a))
    }

    /// What is known about the exact sum of a rounded number and a constant.
    pub fn near(&self, a: &Float, constant: &Float) -> Option<Before> {
        let c = constant.poly.as_ref()?.value()?;
        let Some(Before::Real(v, ..)) = &a.before else {
            return None;
        };
        let error = a.poly.as_ref()?.sub(v);
        if error.is_zero() {
            return None;
        }
        let error = self.atoms.range(&error).magnitude();
        Some(Before::Near(v.add(&Poly::constant(c)), error))
    }

    /// The range of a number, with the facts that were found after it was computed.
    pub fn range_now(&self, v: &Float) -> Option<Range> {
        let found = self.atoms.range(v.poly.as_ref()?);
        Some(found.meet(&v.range).unwrap_or_else(|| v.range.clone()))
    }

    /// Notes the order of two numbers, if one of them is a constant.
    pub fn note(&mut self, a: &Float, b: &Float, order: i32) {
        let (Some(p), Some(q)) = (&a.poly, &b.poly) else {
            return;
        };
        for (v, p, limit, order) in [(a, p, q, order), (b, q, p, -order)] {
            if let Some(limit) = limit.value() {
                self.note_order(v, p, &limit, order);
            }
        }
        let mut difference = p.sub(q);
        let constant = difference.coefficient(&[]);
        difference.plus(Vec::new(), -constant.clone());
        let Some((monomial, c)) = difference.single() else {
            return;
        };
        let &[atom] = monomial.as_slice() else {
            return;
        };
        let Some(limit) = Range::of(-constant).div(&Range::of(c.clone())) else {
            return;
        };
        let known = self.atoms.get(atom);
        let order = if negative(c) { -order } else { order };
        // The next double, if the atom is one.
        let next = |up: bool| -> Option<Number> {
            let x = crate::number::double_below(&limit.lo);
            let is_double = known.fits[0] && crate::number::exact(x) == limit.lo;
            let x = if up { x.next_up() } else { x.next_down() };
            (is_double && limit.lo == limit.hi && x.is_finite()).then(|| crate::number::exact(x))
        };
        let range = known.range.clone();
        let found = match order {
            0 => limit,
            1 => Range {
                lo: next(true).unwrap_or(limit.lo),
                hi: range.hi,
            },
            _ => Range {
                lo: range.lo,
                hi: next(false).unwrap_or(limit.hi),
            },
        };
        if found.lo <= found.hi {
            self.atoms.narrow(atom, &found);
        }
    }

    /// What is rounded to less than a number of the format is less than it.
    fn note_order(&mut self, v: &Float, p: &Poly, limit: &Number, order: i32) {
        let Some(Before::Real(exact, ..)) = &v.before else {
            return;
        };
        for (of, is_exact) in [(p, false), (exact, true)] {
            let Range { mut lo, mut hi } = self.atoms.range(of);
            if order > 0 || order == 0 && !is_exact {
                lo = lo.max(limit.clone());
            }
            if order < 0 || order == 0 && !is_exact {
                hi = hi.min(limit.clone());
            }
            if lo <= hi {
                self.atoms.note(of, Range { lo, hi });
            }
        }
    }

    /// The larger of two numbers, and only its range if the box does not decide which one this is.
    pub fn larger(&mut self, f: Format, a: &Float, b: &Float) -> Option<Float> {
        let (p, q) = (self.range_now(a)?, self.range_now(b)?);
        if p.lo >= q.hi {
            return Some(a.clone());
        }
        if q.lo >= p.hi {
            return Some(b.clone());
        }
        let range = Range {
            lo: p.lo.max(q.lo),
            hi: p.hi.max(q.hi),
        };
        let mut known = super::atoms::Known::within(range.clone());
        known.fits[f.index()] = true;
        Some(Float {
            poly: Some(self.atoms.add(known)),
            range,
            bits: f.precision,
            grid: f.least,
            before: None,
            steps: None,
        })
    }
}
