//! Operations on floating-point numbers over a box: each result is a polynomial, and each rounding an atom.

use std::rc::Rc;

use kernels_gen::ops::Prim;

use super::atoms::{Known, Relation};
use super::domain::Pairs;
use super::poly::Poly;
use super::value::{Before, Float, NOT_FINITE, Refusal, Result, Val};
use crate::num::float::{BINARY32, BINARY64, Format, exponent, is_power, power};
use crate::num::interval::mul_up;
use crate::num::{Interval, Ring};

const NO_POLYNOMIAL: Refusal = Refusal::No("a polynomial has too many terms");
const ZERO_DIVISOR: Refusal = Refusal::No("a divisor may be 0");
/// From here on, the errors of products, of quotients and of the squares of roots are numbers of binary64, or of binary32.
const ERRORS_ARE_DOUBLES: f64 = f64::from_bits((1023 - 900) << 52);
const ERRORS_ARE_SINGLES: f64 = f64::from_bits((1023 - 96) << 52);

pub(super) fn format(ty: Prim) -> Format {
    match ty {
        Prim::F32 => BINARY32,
        _ => BINARY64,
    }
}

/// `2^-p`, half a unit of 1: the largest relative error of a rounding.
pub(super) fn half_unit(f: Format) -> f64 {
    power(-f.precision)
}

fn least_normal(f: Format) -> f64 {
    power(f.least + f.precision - 1)
}

/// At least half the spacing of subnormal numbers.
fn tiny(f: Format) -> f64 {
    power((f.least - 1).max(-1074))
}

/// The rounded numbers of an interval.
fn rounded(f: Format, range: Interval) -> Interval {
    Interval {
        lo: f.round(range.lo),
        hi: f.round(range.hi),
    }
}

/// A result that is infinite for some pairs. It has no polynomial. It can only be the kernel's result; other uses of it are refused.
fn overflowing(before: Before) -> Rc<Float> {
    Rc::new(Float {
        before: Some((before, false)),
        ..Float::of_range(Interval::ALL)
    })
}

/// The operation whose result is rounded.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A sum of two numbers: its error is always a number of the format, and it does not underflow.
    Sum,
    /// A product of two numbers.
    Product,
    Other,
}

impl Pairs<'_> {
    fn poly(v: &Float) -> Result<&Poly> {
        v.poly.as_ref().ok_or(NOT_FINITE)
    }

    pub(super) fn atom(&mut self, known: Known) -> Result<Poly> {
        let atom = self.atoms.add(known).ok_or(NO_POLYNOMIAL)?;
        Ok(Poly::atom(atom))
    }

    pub(super) fn opaque(&mut self, range: Interval) -> Result<Rc<Float>> {
        let atom = self.atoms.opaque(range).ok_or(NO_POLYNOMIAL)?;
        Ok(Rc::new(Float {
            poly: Some(Poly::atom(atom)),
            ..Float::of_range(range)
        }))
    }

    /// A rounded number whose polynomial has a coefficient that is not a double. Only its range is known.
    fn undescribed(&mut self, ty: Prim, range: Interval) -> Result<Rc<Float>> {
        let f = format(ty);
        if range.magnitude() > f.max() {
            return Err(NOT_FINITE);
        }
        self.opaque(rounded(f, range))
    }

    /// Whether a polynomial is known to be a number of the format: that of an operand, or an error that is such a number.
    fn is_exact(&self, f: Format, exact: &Poly, operands: &[&Float]) -> bool {
        let single = exact.single().is_some_and(|(product, by)| {
            let known = product.first().map(|&a| self.atoms.get(a));
            let fits = known.is_some_and(|k| match f == BINARY32 {
                true => k.single,
                false => k.double,
            });
            product.len() == 1 && by.abs() == 1.0 && fits
        });
        let minus = exact.neg();
        // A number that is added to itself.
        let half = exact.times(0.5);
        single
            || operands.iter().any(|v| {
                v.poly.as_ref().is_some_and(|p| {
                    *p == *exact || *p == minus || half.as_ref().is_some_and(|h| h == p)
                }) && v.bits <= f.precision as u32
            })
    }

    /// A polynomial, rounded to nearest.
    pub(super) fn rounded(
        &mut self,
        ty: Prim,
        exact: Poly,
        (kind, bits, grid): (Kind, u32, i32),
        range: Interval,
        operands: &[&Float],
    ) -> Result<Rc<Float>> {
        let f = format(ty);
        if exact.is_zero() {
            return Ok(Rc::new(Float::number(0.0)));
        }
        let range = (range.meet(self.atoms.range(&exact)))
            .ok_or(Refusal::No("an interval is empty: no pair leads here"))?;
        let magnitude = range.magnitude();
        if magnitude > f.max() {
            return Ok(overflowing(Before::Sum(exact)));
        }
        let normal = range.least() >= least_normal(f);
        let may_underflow = kind != Kind::Sum && !normal;
        let fits = bits <= f.precision as u32;
        let before = Some((Before::Sum(exact.clone()), kind == Kind::Sum));
        let mut result = Float {
            before,
            bits: bits.min(f.precision as u32),
            ..Float::of_range(rounded(f, range))
        };
        if result.range.least() > 0.0 {
            result.grid = (f.ulp(result.range.least())).max(f.least);
        }
        if (fits && !may_underflow) || self.is_exact(f, &exact, operands) {
            result.poly = Some(exact);
            result.grid = result.grid.max(grid);
            return Ok(Rc::new(result));
        }
        let size = self.atoms.size(&exact);
        let mut poly = exact.clone();
        if !fits {
            let normal = |least: f64| kind == Kind::Product && range.least() >= least;
            let error = self.atom(Known {
                range: Interval::symmetric(self.half_unit_below(f, &exact, range)),
                size: size.map(|s| s.part(half_unit(f))),
                relation: Relation::None,
                double: kind == Kind::Sum || normal(ERRORS_ARE_DOUBLES),
                single: f == BINARY32 && (kind == Kind::Sum || normal(ERRORS_ARE_SINGLES)),
            })?;
            poly = poly.add(&error).ok_or(NO_POLYNOMIAL)?;
        }
        if may_underflow {
            // The error of a subnormal result, in place of the other one.
            let error = self.atom(Known {
                range: Interval::symmetric(tiny(f)),
                size: size.and_then(|s| self.atoms.size_of_absolute(tiny(f), s.of)),
                relation: Relation::None,
                double: false,
                single: false,
            })?;
            poly = poly.add(&error).ok_or(NO_POLYNOMIAL)?;
        }
        result.poly = Some(poly);
        Ok(Rc::new(result))
    }

    pub(super) fn sum(&mut self, ty: Prim, a: &Float, b: &Float) -> Result<Rc<Float>> {
        // The number itself, and what was rounded to give it.
        for (addend, other) in [(a, b), (b, a)] {
            if addend.constant() == Some(0.0)
                && let Some(poly) = &other.poly
            {
                if ty == Prim::F64 {
                    self.note_sum(poly.clone(), poly.clone());
                }
                // An exact number has the sign of its polynomial.
                let before = match &other.before {
                    Some((Before::Sum(exact), false)) if exact == poly => {
                        Some((Before::Sum(exact.clone()), true))
                    }
                    before => before.clone(),
                };
                return Ok(Rc::new(Float {
                    before,
                    ..other.clone()
                }));
            }
        }
        let range = a.range.add(b.range);
        let Some(exact) = Self::poly(a)?.add(Self::poly(b)?) else {
            return self.undescribed(ty, range);
        };
        // Both are multiples of a power of two: the sum is exact if it has few of them.
        let grid = a.grid.min(b.grid);
        let bits = match range.magnitude() {
            0.0 => 1,
            most if most.is_finite() => (exponent(most) - grid + 1).max(1) as u32,
            _ => u32::MAX,
        };
        if ty == Prim::F64 && bits <= 53 {
            let kind = (Kind::Sum, bits, grid);
            let sum = self.rounded(ty, exact, kind, range, &[a, b])?;
            let near = self.near(a, b).or_else(|| self.near(b, a));
            return Ok(match near {
                Some(near) => Rc::new(Float {
                    before: Some((near, false)),
                    ..(*sum).clone()
                }),
                None => sum,
            });
        }
        let kind = (Kind::Sum, u32::MAX, -1074);
        let sum = self.rounded(ty, exact.clone(), kind, range, &[a, b])?;
        if let (Prim::F64, Some(poly)) = (ty, &sum.poly) {
            self.note_sum(poly.clone(), exact);
        }
        Ok(sum)
    }

    pub(super) fn negative(a: &Float) -> Rc<Float> {
        Rc::new(Float {
            poly: a.poly.as_ref().map(Poly::neg),
            bits: a.bits,
            grid: a.grid,
            ..Float::of_range(a.range.neg())
        })
    }

    pub(super) fn product(&mut self, ty: Prim, a: &Float, b: &Float) -> Result<Rc<Float>> {
        let (p, q) = (Self::poly(a)?, Self::poly(b)?);
        if ty == Prim::F64
            && let Some(scaled) = self.scaled(a, b).or_else(|| self.scaled(b, a))
        {
            return Ok(scaled);
        }
        let range = match p == q {
            true => a.range.abs().mul(a.range.abs()),
            false => a.range.mul(b.range),
        };
        let Some(exact) = self.atoms.mul(p, q) else {
            return self.undescribed(ty, range);
        };
        // A power of two that is at least 1 takes no bits away.
        let power = |x: &Float, y: &Float| {
            (x.constant().filter(|&c| is_power(c))).map(|c| (y.bits, c.abs() >= 1.0))
        };
        let (bits, grows) = power(a, b)
            .or(power(b, a))
            .unwrap_or((a.bits + b.bits, false));
        // Exact, as a sum of two numbers without an error would be: it does not underflow.
        let kind = match grows && bits <= format(ty).precision as u32 {
            true => Kind::Sum,
            false => Kind::Product,
        };
        self.rounded(ty, exact, (kind, bits, -1074), range, &[a, b])
    }

    pub(super) fn fused(&mut self, ty: Prim, [a, b, c]: [&Float; 3]) -> Result<Rc<Float>> {
        let (p, q) = (Self::poly(a)?, Self::poly(b)?);
        let range = match p == q {
            true => a.range.abs().mul(a.range.abs()),
            false => a.range.mul(b.range),
        };
        let range = range.add(c.range);
        let addend = Self::poly(c)?;
        let Some(exact) = (self.atoms.mul(p, q)).and_then(|product| product.add(addend)) else {
            return self.undescribed(ty, range);
        };
        self.rounded(ty, exact, (Kind::Other, u32::MAX, -1074), range, &[c])
    }

    pub(super) fn quotient(&mut self, ty: Prim, a: &Float, b: &Float) -> Result<Rc<Float>> {
        let f = format(ty);
        let (p, q) = (Self::poly(a)?.clone(), Self::poly(b)?.clone());
        if b.range.contains(0.0) {
            return Err(ZERO_DIVISOR);
        }
        if p.is_zero() {
            return Ok(Rc::new(Float::number(0.0)));
        }
        let range = a.range.div(self.range_now(b));
        if range.magnitude() > f.max() {
            return Ok(overflowing(Before::Quotient(p, q)));
        }
        let may_underflow = range.least() < least_normal(f);
        let u = half_unit(f);
        let normal = |least| !may_underflow && a.range.least() >= least;
        let mut most = mul_up(a.range.magnitude(), u);
        if may_underflow {
            most += mul_up(b.range.magnitude(), tiny(f));
            most = most.next_up();
        }
        let [of_p, of_q] = [&p, &q].map(|p| self.atoms.size(p));
        let rest = self.atom(Known {
            range: Interval::symmetric(most),
            size: of_p.filter(|_| !may_underflow).map(|s| s.part(u)),
            relation: Relation::None,
            double: normal(ERRORS_ARE_DOUBLES) && f == BINARY64,
            single: false,
        })?;
        // The quotient times the divisor is the numerator minus the remainder.
        let relation = q.single().and_then(|(product, by)| {
            let by = is_power(by).then(|| 1.0 / by)?;
            let left = p.sub(&rest)?.times(by)?;
            Some(Relation::Product(product.clone(), Rc::new(left)))
        });
        let size = of_p.zip(of_q).and_then(|(p, q)| p.by(q));
        let range = rounded(f, range);
        let quotient = self.atom(Known {
            range,
            size: size
                .filter(|_| !may_underflow)
                .map(|s| s.part(1.0 + 2.0 * u)),
            relation: relation.unwrap_or(Relation::None),
            double: true,
            single: f == BINARY32,
        })?;
        Ok(Rc::new(Float {
            poly: Some(quotient),
            before: Some((Before::Quotient(p, q), false)),
            bits: f.precision as u32,
            ..Float::of_range(range)
        }))
    }

    pub(super) fn root(&mut self, ty: Prim, a: &Float) -> Result<Rc<Float>> {
        let f = format(ty);
        let p = Self::poly(a)?.clone();
        if p.is_zero() {
            return Ok(Rc::new(Float::number(0.0)));
        }
        if a.range.lo < 0.0 {
            return Err(Refusal::No("a root may be of a negative number"));
        }
        let u = half_unit(f);
        let twice = (2.0 * u) * (1.0 + u);
        let size = self.atoms.size(&p);
        let rest = self.atom(Known {
            range: Interval::symmetric(mul_up(a.range.magnitude(), twice)),
            size: size.map(|s| s.part(twice)),
            relation: Relation::None,
            double: f == BINARY64 && a.range.lo >= ERRORS_ARE_DOUBLES,
            single: false,
        })?;
        let square = p.sub(&rest).ok_or(NO_POLYNOMIAL)?;
        let range = rounded(f, a.range.sqrt());
        let root = self.atom(Known {
            range,
            size: size.and_then(|s| s.root()).map(|s| s.about(2.0 * u)),
            relation: Relation::Square(Rc::new(square)),
            double: true,
            single: f == BINARY32,
        })?;
        Ok(Rc::new(Float {
            poly: Some(root),
            before: Some((Before::Root(p), false)),
            bits: f.precision as u32,
            ..Float::of_range(range)
        }))
    }

    /// A number of binary64, rounded to binary32.
    pub(super) fn single(&mut self, a: &Float) -> Result<Rc<Float>> {
        let exact = Self::poly(a)?.clone();
        let kind = (Kind::Other, a.bits, -1074);
        let rounded = self.rounded(Prim::F32, exact, kind, a.range, &[])?;
        Ok(match &a.odd_root_of {
            None => rounded,
            Some(of) => Rc::new(Float {
                before: Some((Before::OddRoot(of.clone()), false)),
                ..(*rounded).clone()
            }),
        })
    }

    /// The results of `two_sum`: the sum and its error.
    pub(super) fn two_sum(&mut self, a: &Float, b: &Float) -> Result<Vec<Val>> {
        let sum = self.sum(Prim::F64, a, b)?;
        let exact = Self::poly(a)?.add(Self::poly(b)?).ok_or(NO_POLYNOMIAL)?;
        let error = exact.sub(Self::poly(&sum)?).ok_or(NO_POLYNOMIAL)?;
        let error = match error.is_zero() {
            true => Float::number(0.0),
            false => {
                let range = self.atoms.range(&error);
                Float {
                    poly: Some(error),
                    ..Float::of_range(range)
                }
            }
        };
        Ok(vec![Val::Float(sum), Val::Float(Rc::new(error))])
    }
}
