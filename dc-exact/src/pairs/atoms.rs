//! The known properties of each atom: an interval, a size relative to the arguments, and a relation to other atoms.

use std::rc::Rc;

use super::poly::{Atom, Poly, Product};
use crate::num::interval::{add_up, mul_up};
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

    /// An interval around a polynomial.
    pub fn range(&self, poly: &Poly) -> Interval {
        let terms = poly.terms.iter();
        terms.fold(Interval::ZERO, |sum, (product, &by)| {
            sum.add(self.range_of_product(product).mul(Interval::point(by)))
        })
    }

    pub fn size_of_product(&self, product: &Product, by: f64) -> Option<Size> {
        let mut sizes = product.iter().map(|&a| self.get(a).size);
        sizes.try_fold(Size::of_number(by), |all, size| Some(all.times(size?)))
    }

    /// The size of a polynomial in which both squares have the same coefficient: together they are the square of the scale.
    fn with_both_squares(&self, poly: &Poly) -> Option<f64> {
        let squares = self.squares.as_ref()?;
        let [c, d] = [0, 1].map(|i| poly.terms.get(&squares[i]).copied());
        let c = c.filter(|_| c == d)?;
        let mut others = (poly.terms.iter()).filter(|(p, _)| !squares.contains(p));
        others.try_fold(c.abs(), |sum, (product, &by)| {
            let size = self.size_of_product(product, by)?;
            (size.of == [8, 0]).then(|| add_up(sum, size.most))
        })
    }

    /// The size of a polynomial, if all terms are of the same degree.
    pub fn size(&self, poly: &Poly) -> Option<Size> {
        let mut terms = poly.terms.iter();
        let (product, &by) = terms.next()?;
        let first = self.size_of_product(product, by)?;
        if poly.terms.len() == 1 {
            return Some(first);
        }
        let most = terms.try_fold(first.most, |sum, (product, &by)| {
            let size = self.size_of_product(product, by)?;
            (size.of == first.of).then(|| add_up(sum, size.most))
        })?;
        let most = self.with_both_squares(poly).map_or(most, |m| m.min(most));
        Some(Size {
            most,
            least: 0.0,
            of: first.of,
        })
    }
}
