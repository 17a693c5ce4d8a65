//! What a path of selections says about its pairs.

use std::rc::Rc;

use kernels_gen::ops::Op;

use super::domain::Pairs;
use super::poly::Poly;
use super::value::{Argument, Before, Float, Mask, NOT_FINITE, Result};
use crate::num::Interval;
use crate::num::float::{exponent, is_power};

impl Pairs<'_> {
    /// The range of a number, with the facts that were found after it was computed.
    pub(super) fn range_now(&self, v: &Float) -> Interval {
        let found = v.poly.as_ref().map(|p| self.atoms.range(p));
        found.and_then(|r| r.meet(v.range)).unwrap_or(v.range)
    }

    /// The larger of both magnitudes, or of both times a power of two.
    pub(super) fn longer(&mut self, a: &Float, b: &Float) -> Result<Option<Rc<Float>>> {
        let (Some(p), Some(q)) = (&a.poly, &b.poly) else {
            return Err(NOT_FINITE);
        };
        let ((Some((_, c)), Some((_, d))), Some(i), Some(j)) = (
            (p.single(), q.single()),
            self.argument_of(a),
            self.argument_of(b),
        ) else {
            return Ok(None);
        };
        let of_magnitudes = a.range.lo >= 0.0 && b.range.lo >= 0.0;
        if i == j || c != d || c < 0.0 || !is_power(c) || !of_magnitudes {
            return Ok(None);
        }
        let range = Interval {
            lo: a.range.lo.max(b.range.lo),
            hi: a.range.hi.max(b.range.hi),
        };
        let Some(atom) = self.atoms.opaque(range) else {
            return Ok(None);
        };
        self.longest.push((atom, exponent(c)));
        Ok(Some(Rc::new(Float {
            poly: Some(Poly::atom(atom)),
            ..Float::of_range(range)
        })))
    }

    /// The power of two at which a box is split if it does not decide a comparison of an argument, or of the larger of both, with a constant.
    pub(super) fn cut(&self, a: &Float, b: &Float) -> Option<Mask> {
        let limit = b.constant().filter(|&x| x > 0.0 && is_power(x))?;
        let (product, by) = a.poly.as_ref()?.single()?;
        let longest = self.longest.iter().find(|(a, _)| *product == [*a]);
        // It is a multiple of an argument, or of the larger of both, divided by the scale.
        let (arguments, e): (Vec<Argument>, i32) = match longest {
            Some((_, e)) => (vec![0, 1], *e),
            None => (vec![self.argument_of(a)?], 0),
        };
        if !is_power(by) {
            return None;
        }
        let at = exponent(limit) - (e + exponent(by) - self.pairs.scale());
        let found = arguments.into_iter().find(|&i| self.pairs.can_cut(i, at));
        found.map(|i| Mask::Cut(i, at))
    }

    /// The outcome of a comparison with a constant that the facts decide.
    pub(super) fn by_facts(&self, mask: &Mask) -> Option<bool> {
        let Mask::Compared(op, v, limit) = mask else {
            return None;
        };
        let Interval { lo, hi } = self.range_now(v);
        match op {
            Op::Lt | Op::Ge if hi < *limit => Some(*op == Op::Lt),
            Op::Lt | Op::Ge if lo >= *limit => Some(*op == Op::Ge),
            Op::Le | Op::Gt if hi <= *limit => Some(*op == Op::Le),
            Op::Le | Op::Gt if lo > *limit => Some(*op == Op::Gt),
            _ => None,
        }
    }

    /// Notes the outcome of a selection.
    pub(super) fn note(&mut self, mask: &Mask, outcome: bool) {
        let Mask::Compared(op, v, limit) = mask else {
            return;
        };
        let all = Interval::ALL;
        let below = |hi: f64| Interval { hi, ..all };
        let above = |lo: f64| Interval { lo, ..all };
        // Both are the ends of the numbers of binary64.
        let range = match (op, outcome) {
            (Op::Lt, true) | (Op::Ge, false) => below(limit.next_down()),
            (Op::Le, true) | (Op::Gt, false) => below(*limit),
            (Op::Gt, true) | (Op::Le, false) => above(limit.next_up()),
            (Op::Ge, true) | (Op::Lt, false) => above(*limit),
            _ => return,
        };
        if let (Some(poly), Some((Before::Sum(exact), _))) = (&v.poly, &v.before) {
            self.atoms.note(poly, range);
            // What is rounded to at most a number is less than the next one.
            let exact_range = Interval {
                lo: range.lo.next_down(),
                hi: range.hi.next_up(),
            };
            self.atoms.note(exact, exact_range);
        }
        let atom = v.poly.as_ref().and_then(|p| match p.single() {
            Some((product, 1.0)) if product.len() == 1 => Some(product[0]),
            _ => None,
        });
        // An atom that is a number of binary64: the next number is the next possible one.
        let Some(atom) = atom.filter(|&a| self.atoms.get(a).double) else {
            return;
        };
        self.atoms.narrow(atom, range);
    }
}
