//! Operations on numbers over a box. The error of a rounding is an atom, or 0 if the exact result is shown to be a number of the format.

use super::atoms::{Known, Range, Size, up};
use super::function::Function;
use super::kept::kept_by_zero;
use super::path::Path;
use super::poly::{Monomial, Poly};
use super::value::{BINARY32, BINARY64, Before, Float, Format, Value};
use crate::number::{Number, exact, exponent, magnitude, negative, power, zero};

/// From this exponent on, the remainders of roots are multiples of the format's least number: see [`Path::root`].
const REMAINDERS: [i32; 2] = [-960, -90];

/// An exact result that is to be rounded.
pub struct Exact<'a> {
    pub poly: Poly,
    /// The result is an integer of at most `bits` bits, times `2^grid` or a larger power of two.
    pub bits: i32,
    pub grid: i32,
    /// The result's range, by the ranges of the operands.
    pub range: Range,
    /// Whether it is a sum of two numbers of the format.
    pub sum: bool,
    /// The numbers of the format that the result may equal.
    pub operands: &'a [&'a Float],
}

/// The bits of a result that may have any number of them.
const ANY: i32 = i32::MAX;

fn scale(c: &Number) -> Option<i32> {
    (magnitude(c) == power(exponent(c))).then(|| exponent(c))
}

impl Path<'_> {
    /// A real number, rounded to nearest.
    pub fn rounded(&mut self, f: Format, exact: &Exact<'_>) -> Value {
        let poly = &exact.poly;
        if poly.is_zero() {
            return Value::Float(Float::number(Number::zero()));
        }
        let Some(range) = self.atoms.range(poly).meet(&exact.range) else {
            return Value::Unknown;
        };
        let before = Some(Before::Real(poly.clone(), range.clone(), exact.sum));
        let most = range.magnitude();
        if most > f.most() {
            return Value::Float(Float::only(before, None));
        }
        let fits = exact.grid >= f.least
            && (exact.bits <= f.precision || most <= power((exact.grid + f.precision).min(2000)));
        if fits || self.is_number(f, exact) {
            return Value::Float(Float {
                poly: Some(poly.clone()),
                range: f.outward(&range),
                bits: exact.bits.min(f.precision),
                grid: exact.grid.max(f.least),
                before,
                steps: None,
            });
        }
        let of_poly = self.atoms.size(poly);
        let size = of_poly.as_ref().map(|s| s.part(&f.half_unit()));
        let normal = exact.sum || range.least() >= f.normal();
        let mut fits = [false; 2];
        // The error of a sum of two numbers is a number of their format; those of binary32 are doubles. A result v of at most 2p bits, `|v| >= 2^e`, is a multiple
        // of `2^(e - 2p + 1)`, and so is its error, which is at most 2^(p-1) times this power if e is the exponent of v.
        let end = power(f.least + 2 * f.precision - 1);
        let error_fits = exact.sum || exact.bits <= 2 * f.precision && range.least() >= end;
        fits[f.index()] = error_fits;
        fits[BINARY64.index()] |= error_fits;
        let mut value = poly.clone();
        // A number of few bits is exact unless it is subnormal.
        if exact.bits > f.precision {
            value = value.add(&self.atoms.add(Known {
                size,
                fits,
                ..Known::within(symmetric(half_unit(f, &most)))
            }));
        }
        if !normal {
            // That of a subnormal result, in place of the other.
            let tiny = power(f.least - 1);
            let size = of_poly.and_then(|s| self.atoms.size_of_absolute(&tiny, s.of));
            value = value.add(&self.atoms.add(Known {
                size,
                ..Known::within(symmetric(tiny))
            }));
        }
        let range = f.outward(&range);
        let grid = grid_of(f, &range);
        Value::Float(Float {
            poly: Some(value),
            range,
            bits: f.precision,
            grid,
            before,
            steps: None,
        })
    }

    /// Whether an exact result is one of the operands, or an error that is a number of the format.
    fn is_number(&self, f: Format, exact: &Exact<'_>) -> bool {
        let (poly, _) = exact.poly.canonical();
        let error = poly
            .only_atom()
            .is_some_and(|a| self.atoms.get(a).fits[f.index()]);
        let operand = |v: &&Float| v.poly.as_ref().is_some_and(|p| p.canonical().0 == poly);
        error || exact.operands.iter().any(operand)
    }

    pub fn sum(&mut self, f: Format, a: &Float, b: &Float) -> Option<Value> {
        if let Some(other) = kept_by_zero(a, b) {
            return Some(Value::Float(other));
        }
        let poly = a.poly.as_ref()?.add(b.poly.as_ref()?);
        let exact = Exact {
            poly,
            bits: ANY,
            grid: a.grid.min(b.grid),
            range: a.range.add(&b.range),
            sum: true,
            operands: &[a, b],
        };
        let mut sum = self.rounded(f, &exact);
        if let Value::Float(v) = &mut sum
            && v.poly.as_ref() == Some(&exact.poly)
            && let Some(near) = self.near(a, b).or_else(|| self.near(b, a))
        {
            v.before = Some(near);
        }
        Some(sum)
    }

    pub fn product(&mut self, f: Format, a: &Float, b: &Float) -> Option<Value> {
        if let Some(scaled) = self.by_power(f, a, b) {
            return Some(Value::Float(scaled));
        }
        let poly = self.atoms.mul(a.poly.as_ref()?, b.poly.as_ref()?)?;
        let bits = match (a.bits, b.bits) {
            // A power of two has one bit, and takes none from the other.
            (1, n) | (n, 1) => n,
            (n, m) => n + m,
        };
        let exact = Exact {
            poly,
            bits,
            grid: a.grid + b.grid,
            range: product_range(a, b),
            sum: false,
            operands: &[a, b],
        };
        Some(self.rounded(f, &exact))
    }

    pub fn fused(&mut self, f: Format, a: &Float, b: &Float, c: &Float) -> Option<Value> {
        let product = self.atoms.mul(a.poly.as_ref()?, b.poly.as_ref()?)?;
        let exact = Exact {
            poly: product.add(c.poly.as_ref()?),
            bits: ANY,
            grid: (a.grid + b.grid).min(c.grid),
            range: product_range(a, b).add(&c.range),
            sum: false,
            operands: &[c],
        };
        Some(self.rounded(f, &exact))
    }

    /// A quotient q. It is an atom with `q b = a - rest`, where `|rest| <= u |a|` if q is normal.
    pub fn quotient(&mut self, f: Format, a: &Float, b: &Float) -> Option<Value> {
        let (p, q) = (a.poly.as_ref()?, b.poly.as_ref()?);
        let range = self.atoms.range(p).div(&self.range_now(b)?)?;
        if p.is_zero() {
            return Some(Value::Float(Float::number(Number::zero())));
        }
        let before = Some(Before::Quotient(p.clone(), q.clone()));
        if range.magnitude() > f.most() {
            return Some(Value::Float(Float::only(before, None)));
        }
        let u = f.half_unit();
        let normal = range.least() >= f.normal();
        let mut most = up(&(&a.range.magnitude() * &u));
        if !normal {
            most = most + up(&(&b.range.magnitude() * &power(f.least - 1)));
        }
        let of_a = self.atoms.size(p).filter(|_| normal);
        let rest = self.atoms.add(Known {
            size: of_a.as_ref().map(|s| s.part(&u)),
            ..Known::within(symmetric(most))
        });
        let mut known = Known::within(f.outward(&range));
        known.fits = [true, f == BINARY32];
        // Divisors that are one product, times a power of two.
        let divisor = q
            .single()
            .and_then(|(m, c)| Some((m.clone(), scale(c)?, negative(c))));
        if let Some((monomial, e, turned)) = divisor {
            let inverse = if turned { -power(-e) } else { power(-e) };
            let by_size = || {
                let quotient = of_a.as_ref()?.over(&self.atoms.size(q)?)?;
                Some(quotient.part(&(exact(1.0) + &u)))
            };
            let by_arguments = of_a.clone();
            let by_arguments = by_arguments.and_then(|s| self.over(s, &monomial, e, &u));
            known.size = by_arguments.or_else(by_size);
            // The atom that is made now.
            let next = self.next_atom();
            let product: Monomial = [&monomial[..], &[next]].concat();
            known.equation = Some((product, p.sub(&rest).times(&inverse)));
        }
        let range = known.range.clone();
        let quotient = self.atoms.add(known);
        Some(Value::Float(Float {
            poly: Some(quotient),
            range,
            bits: f.precision,
            grid: f.least,
            before,
            steps: None,
        }))
    }

    /// The size of a rounded quotient by a product of arguments. Their sizes are exact if the function is a ratio.
    fn over(&self, size: Size, monomial: &[u32], e: i32, u: &Number) -> Option<Size> {
        let exact_sizes = monomial
            .iter()
            .all(|&a| self.atoms.arguments.contains(&Some(a)));
        if !exact_sizes || self.atoms.function != Function::Div {
            return None;
        }
        let by = self.atoms.size_of(monomial)?;
        let most = &(&size.most * &(exact(1.0) + u)) * &power(-e);
        Some(Size {
            most: up(&most),
            least: Number::zero(),
            of: [size.of[0] - by.of[0], size.of[1] - by.of[1]],
        })
    }

    /// A root r. It is an atom with `r² = x - rest`, where `|rest| <= (2u + u²) x`: a root of a number of the format is normal.
    ///
    /// r² is a multiple of `2^(2k - 104)`, and so is x. `|rest| = |√x - r| (√x + r)` is at most `2^(k - 53) 2^(k + 2)`, which is `2^53`
    /// such units: rest is a double if the unit is a double. In binary32 the same holds with 24 bits.
    pub fn root(&mut self, f: Format, x: &Float) -> Option<Value> {
        let p = x.poly.as_ref()?;
        if p.is_zero() {
            return Some(Value::Float(Float::number(Number::zero())));
        }
        if negative(&x.range.lo) {
            return None;
        }
        let u = f.half_unit();
        let twice = &(&u + &u) + &(&u * &u);
        let size = self.atoms.size(p);
        let mut fits = [false; 2];
        fits[f.index()] = x.range.lo >= power(REMAINDERS[f.index()]);
        fits[BINARY64.index()] |= fits[f.index()];
        let rest = self.atoms.add(Known {
            size: size.as_ref().map(|s| s.part(&twice)),
            fits,
            ..Known::within(symmetric(up(&(&x.range.magnitude() * &twice))))
        });
        let mut known = Known::within(f.outward(&x.range.sqrt()?));
        known.fits = [true, f == BINARY32];
        known.size = size.and_then(|s| s.root()).map(|s| s.about(&u));
        let next = self.next_atom();
        known.equation = Some((vec![next, next], p.sub(&rest)));
        if f == BINARY64 && x.range.lo >= f.normal() {
            // What x was rounded from, once; x is normal.
            known.root_of = match &x.before {
                None => Some(p.clone()),
                Some(Before::Real(t, ..)) => Some(t.clone()),
                Some(_) => None,
            };
        }
        let range = known.range.clone();
        let root = self.atoms.add(known);
        Some(Value::Float(Float {
            poly: Some(root),
            range,
            bits: f.precision,
            grid: f.least,
            before: Some(Before::Root(p.clone())),
            steps: None,
        }))
    }

    /// A double rounded to binary32.
    pub fn single(&mut self, x: &Float) -> Option<Value> {
        if let Some(t) = self.odd_root(x) {
            return Some(Value::Float(Float::only(Some(Before::Odd(t)), None)));
        }
        let exact = Exact {
            poly: x.poly.clone()?,
            bits: x.bits,
            grid: x.grid,
            range: x.range.clone(),
            sum: false,
            operands: &[],
        };
        Some(self.rounded(BINARY32, &exact))
    }
}

/// The range of a product; a square is not negative.
fn product_range(a: &Float, b: &Float) -> Range {
    let product = a.range.mul(&b.range);
    match a.poly == b.poly && negative(&product.lo) {
        true => Range {
            lo: Number::zero(),
            hi: product.magnitude(),
        },
        false => product,
    }
}

/// At least the error of a rounding of numbers up to this magnitude: half the unit below the last power of two, and the distance from it beyond, as
/// long as these numbers are rounded to it.
fn half_unit(f: Format, most: &Number) -> Number {
    let above = power(f.place(most) - 1);
    if zero(most) {
        return above;
    }
    let e = exponent(most);
    let below = power((e - f.precision).max(f.least) - 1);
    let beyond = most - &power(e);
    match beyond <= above {
        true => below.max(beyond),
        false => above,
    }
}

/// The grid of numbers of a format in a range.
fn grid_of(f: Format, range: &Range) -> i32 {
    let least = range.least();
    if zero(&least) {
        f.least
    } else {
        f.place(&least)
    }
}

fn symmetric(x: Number) -> Range {
    Range::symmetric(if zero(&x) { x } else { up(&x) })
}
