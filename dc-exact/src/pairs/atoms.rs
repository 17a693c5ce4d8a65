//! The known properties of each atom: an interval, a size relative to the arguments, and a relation to other atoms.

use std::rc::Rc;

use super::poly::{Atom, Poly, Product};
use crate::num::interval::{add_down, add_up, mul_down, mul_up};
use crate::num::{Interval, Ring};

/// `|value| <= most * s^of[0] * |y|^of[1]`, where s is the scale of the function: √(x² + y²), or |x|. Degrees are in quarters.
///
/// A bound of this kind holds for arguments of all sizes at once. An interval would need a box for each pair of binades.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Size {
    pub most: f64,
    /// A lower bound of the same form, or 0.
    pub least: f64,
    pub of: [i32; 2],
}

impl Size {
    pub fn of_number(x: f64) -> Size {
        Size {
            most: x.abs(),
            least: x.abs(),
            of: [0, 0],
        }
    }

    pub fn times(self, other: Size) -> Size {
        Size {
            most: mul_up(self.most, other.most),
            least: -mul_up(-self.least, other.least),
            of: [self.of[0] + other.of[0], self.of[1] + other.of[1]],
        }
    }

    /// A rounding of it: both bounds, with a relative error of at most `by`.
    pub fn about(self, by: f64) -> Size {
        Size {
            most: mul_up(self.most, add_up(1.0, by)),
            least: mul_down(self.least, add_down(1.0, -by)).max(0.0),
            of: self.of,
        }
    }

    /// Only the upper bound, times a number.
    pub fn part(self, by: f64) -> Size {
        Size {
            most: mul_up(self.most, by),
            least: 0.0,
            of: self.of,
        }
    }

    /// The quotient's upper bound. `None` if the divisor may be 0.
    pub fn by(self, divisor: Size) -> Option<Size> {
        (divisor.least > 0.0).then(|| Size {
            most: (self.most / divisor.least).next_up(),
            least: (self.least / divisor.most).next_down().max(0.0),
            of: [self.of[0] - divisor.of[0], self.of[1] - divisor.of[1]],
        })
    }

    pub fn root(self) -> Option<Size> {
        (self.of.iter().all(|d| d % 2 == 0)).then(|| Size {
            most: self.most.sqrt().next_up(),
            least: self.least.sqrt().next_down().max(0.0),
            of: self.of.map(|d| d / 2),
        })
    }
}

/// The relation of an atom to others. Polynomials are rewritten by these until none applies, so that equal numbers have equal polynomials.
#[derive(Debug, Clone)]
pub(super) enum Relation {
    None,
    /// Its square.
    Square(Rc<Poly>),
    /// Its product with these atoms.
    Product(Product, Rc<Poly>),
}

#[derive(Debug, Clone)]
pub(super) struct Known {
    pub range: Interval,
    pub size: Option<Size>,
    pub relation: Relation,
    /// Whether it is a number of binary64, or also of binary32.
    pub double: bool,
    pub single: bool,
}

/// The atoms of an evaluation.
#[derive(Debug, Clone, Default)]
pub(super) struct Atoms {
    known: Vec<Known>,
    /// The squares of the arguments' magnitudes, if the scale is the root of their sum.
    pub squares: Option<[Product; 2]>,
    /// The numbers of the scale, if the scale is the root of their sum. A fact of the path makes them fewer.
    pub scale: Option<Interval>,
    /// Ranges of polynomials that are facts of the path.
    facts: Vec<(Poly, Interval)>,
}

/// A polynomial as its largest part and the rest, all of one degree.
struct Dominated {
    /// The part: a product of atoms, or both squares, of which no range is known.
    range: Option<Interval>,
    size: Size,
    /// The sizes of the other terms, added.
    others: f64,
}

impl Atoms {
    pub fn add(&mut self, known: Known) -> Option<Atom> {
        let next = Atom::try_from(self.known.len()).ok()?;
        self.known.push(known);
        Some(next)
    }

    pub fn get(&self, a: Atom) -> &Known {
        &self.known[usize::from(a)]
    }

    /// A number about which only an interval is known.
    pub fn opaque(&mut self, range: Interval) -> Option<Atom> {
        self.add(Known {
            range,
            size: None,
            relation: Relation::None,
            double: false,
            single: false,
        })
    }

    /// The product, rewritten.
    pub fn mul(&self, a: &Poly, b: &Poly) -> Option<Poly> {
        let mut sum = Poly::default();
        for (product, by) in a.products(b)? {
            self.reduce(product, by, &mut sum)?;
        }
        Some(sum)
    }

    /// Adds a product to a sum, rewritten by the relations of its atoms.
    fn reduce(&self, product: Product, by: f64, sum: &mut Poly) -> Option<()> {
        let Some((rest, by_poly)) = self.rewritten(&product) else {
            return sum.add_term(product, by);
        };
        let rest = Poly {
            terms: [(rest, by)].into(),
        };
        for (product, by) in rest.products(&by_poly)? {
            self.reduce(product, by, sum)?;
        }
        Some(())
    }

    /// A relation that applies to a product: the remaining product, and the factor. Relations lead to atoms that were made earlier or are
    /// errors of the relation, so rewriting ends. The relations of newer atoms are applied first.
    fn rewritten(&self, product: &Product) -> Option<(Product, Rc<Poly>)> {
        product.iter().enumerate().rev().find_map(|(i, &a)| {
            let (others, poly) = match &self.get(a).relation {
                Relation::None => return None,
                Relation::Square(poly) => (vec![a], poly),
                Relation::Product(others, poly) => (others.clone(), poly),
            };
            let mut rest = product.clone();
            rest.remove(i);
            for other in others {
                let at = rest.iter().position(|&b| b == other)?;
                rest.remove(at);
            }
            Some((rest, Rc::clone(poly)))
        })
    }

    fn range_of_product(&self, product: &Product) -> Interval {
        let (mut range, mut i) = (Interval::ONE, 0);
        while i < product.len() {
            let factor = self.get(product[i]).range;
            let same = product[i..]
                .iter()
                .take_while(|&&a| a == product[i])
                .count();
            let even = factor.abs().mul(factor.abs());
            for _ in 0..same / 2 {
                range = range.mul(even);
            }
            if same % 2 == 1 {
                range = range.mul(factor);
            }
            i += same;
        }
        range
    }

    /// `s^(of / 4)` for the numbers s of the scale. `None` if it is not known, or no whole power.
    fn power_of_scale(&self, of: [i32; 2]) -> Option<Interval> {
        let scale = self.scale?;
        if of[1] != 0 || of[0] % 4 != 0 {
            return None;
        }
        let degree = of[0] / 4;
        let mut power = Interval::ONE;
        for _ in 0..degree.abs() {
            power = Interval {
                lo: mul_down(power.lo, scale.lo).max(0.0),
                hi: mul_up(power.hi, scale.hi),
            };
        }
        if degree < 0 {
            power = Interval {
                lo: (1.0 / power.hi).next_down().max(0.0),
                hi: (1.0 / power.lo).next_up(),
            };
        }
        Some(power)
    }

    /// The size, of this degree, of a number that is at most `most` everywhere.
    pub fn size_of_absolute(&self, most: f64, of: [i32; 2]) -> Option<Size> {
        let least = self.power_of_scale(of)?.lo;
        let part = (most / least).next_up();
        (least > 0.0 && of[0] >= 0 && part.is_finite()).then_some(Size {
            most: part,
            least: 0.0,
            of,
        })
    }

    /// A fact of the path: the number is in this range. It makes the scale's range smaller if the number is a multiple of the scale, but for a bounded factor.
    pub fn narrow(&mut self, a: Atom, range: Interval) {
        let known = &mut self.known[usize::from(a)];
        if let Some(both) = known.range.meet(range) {
            known.range = both;
        }
        let (range, size) = (known.range, known.size);
        self.narrow_scale(range, size);
    }

    /// A fact of the path about a polynomial.
    pub fn note(&mut self, poly: &Poly, range: Interval) {
        let (known, size) = (self.range(poly), self.size(poly));
        let range = known.meet(range).unwrap_or(known);
        self.facts.push((poly.clone(), range));
        self.narrow_scale(range, size);
    }

    fn narrow_scale(&mut self, range: Interval, size: Option<Size>) {
        if let (Some(scale), Some(size)) = (&mut self.scale, size.filter(|s| s.of == [4, 0])) {
            let most = (range.magnitude() / size.least).next_up();
            let least = (range.least() / size.most).next_down().max(0.0);
            let found = Interval {
                lo: least,
                hi: if most.is_nan() { f64::INFINITY } else { most },
            };
            if let Some(both) = scale.meet(found) {
                *scale = both;
            }
        }
    }

    fn range_of_term(&self, product: &Product, by: f64) -> Interval {
        let range = self.range_of_product(product).mul(Interval::point(by));
        let size = match product.is_empty() {
            true => None,
            false => self.size_of_product(product, by),
        };
        let bound = size.and_then(|s| Some(mul_up(s.most, self.power_of_scale(s.of)?.hi)));
        match bound {
            Some(most) if most >= 0.0 => range.meet(Interval::symmetric(most)).unwrap_or(range),
            _ => range,
        }
    }

    /// An interval around a polynomial.
    pub fn range(&self, poly: &Poly) -> Interval {
        let range = self.sum_of_terms(poly, false);
        let better = self.dominated(poly).and_then(Dominated::range);
        let range = better.and_then(|b| range.meet(b)).unwrap_or(range);
        // A fact about some of its terms, and the sum of the others.
        let with_fact = |range: Interval, (part, known): &(Poly, Interval)| {
            let others = poly.sub(part)?;
            let is_part = others.terms.len() + part.terms.len() == poly.terms.len();
            let sum = is_part.then(|| self.sum_of_terms(&others, false).add(*known))?;
            range.meet(sum)
        };
        let facts = self.facts.iter();
        facts.fold(range, |range, fact| with_fact(range, fact).unwrap_or(range))
    }

    /// The sum of the ranges of all terms. The largest are the last, so that the small ones are not lost in the intervals' roundings. Or they are the
    /// first, where large ones cancel exactly.
    pub fn sum_of_terms(&self, poly: &Poly, largest_first: bool) -> Interval {
        let terms = poly.terms.iter();
        let mut ranges: Vec<Interval> = terms.map(|(p, &by)| self.range_of_term(p, by)).collect();
        ranges.sort_by(|a, b| a.magnitude().total_cmp(&b.magnitude()));
        if largest_first {
            ranges.reverse();
        }
        ranges.into_iter().fold(Interval::ZERO, Interval::add)
    }

    pub fn size_of_product(&self, product: &Product, by: f64) -> Option<Size> {
        let mut sizes = product.iter().map(|&a| self.get(a).size);
        sizes.try_fold(Size::of_number(by), |all, size| Some(all.times(size?)))
    }

    fn dominated(&self, poly: &Poly) -> Option<Dominated> {
        let squares = self.squares.as_ref().filter(|[x, y]| {
            let (c, d) = (poly.terms.get(x), poly.terms.get(y));
            c.is_some() && c == d
        });
        let all: Option<Vec<(&Product, f64, Size)>> = (poly.terms.iter())
            .map(|(p, &by)| Some((p, by, self.size_of_product(p, by)?)))
            .collect();
        let all = all?;
        let of = all.first()?.2.of;
        if all.iter().any(|(.., s)| s.of != of) {
            return None;
        }
        // Both squares are that of the scale. Otherwise it is the term with the largest lower bound.
        let (size, range, main): (Size, Option<Interval>, Vec<&Product>) = match squares {
            Some([x, y]) => {
                let size = Size::of_number(poly.terms[x]);
                let of_squares = (of == [8, 0]).then_some(Size { of, ..size })?;
                (of_squares, None, vec![x, y])
            }
            None => {
                let by_least = all.iter().max_by(|a, b| a.2.least.total_cmp(&b.2.least));
                let &(main, by, size) = by_least?;
                (size, Some(self.range_of_term(main, by)), vec![main])
            }
        };
        let others = all.iter().filter(|(p, ..)| !main.contains(p));
        let others = others.fold(0.0, |sum, (.., s)| add_up(sum, s.most));
        Some(Dominated {
            range,
            size,
            others,
        })
    }

    /// The size of a polynomial, if all terms are of the same degree.
    pub fn size(&self, poly: &Poly) -> Option<Size> {
        let Dominated { size, others, .. } = self.dominated(poly)?;
        Some(Size {
            most: add_up(size.most, others),
            least: add_down(size.least, -others).max(0.0),
            of: size.of,
        })
    }
}

impl Dominated {
    /// The range of the polynomial, if its largest part t is positive: between `t (1 - part)` and `t (1 + part)`.
    fn range(self) -> Option<Interval> {
        let range = self.range.filter(|r| r.lo > 0.0 && r.lo.is_finite())?;
        let part = match self.others == 0.0 {
            true => 0.0,
            false => (self.others / self.size.least).next_up(),
        };
        (part < 1.0).then(|| Interval {
            lo: add_down(range.lo, -mul_up(range.lo, part)),
            hi: add_up(range.hi, mul_up(range.hi, part)),
        })
    }
}
