//! Polynomials in atoms, with coefficients that are exact doubles.
//!
//! An atom is a number that is not known exactly: an argument, a rounding error, a rounded root or quotient. Two equal polynomials are
//! equal for all values of their atoms. This is how identities are proved here: nothing is compared with a tolerance.

use std::collections::BTreeMap;

use crate::num::float::{grid, scaled_up};

/// The number of an atom.
pub(super) type Atom = u16;
/// A product of atoms, sorted. An atom occurs as often as it is a factor.
pub(super) type Product = Vec<Atom>;

/// A polynomial with more terms than this is not kept.
const TERMS: usize = 400;

/// A sum of products with coefficients that are not 0.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Poly {
    pub terms: BTreeMap<Product, f64>,
}

/// `a + b` if it is a double.
fn exact_sum(a: f64, b: f64) -> Option<f64> {
    let s = a + b;
    let seen = s - a;
    let lost = (a - (s - seen)) + (b - seen);
    (lost == 0.0 && s.is_finite()).then_some(s)
}

/// `a * b` if it is a double.
fn exact_product(a: f64, b: f64) -> Option<f64> {
    let p = a * b;
    // Below 2^-960 the error could underflow; there only powers of two are taken.
    let exact = match p.abs() > 1e-289 {
        true => a.mul_add(b, -p) == 0.0,
        false => p != 0.0 && power_apart(a, b, p),
    };
    (exact && p.is_finite()).then_some(p)
}

/// Whether a product with a power of two kept all bits: then its grid is that of the operands.
fn power_apart(a: f64, b: f64, p: f64) -> bool {
    let power = |x: f64| crate::num::float::is_power(x);
    (power(a) || power(b)) && grid(a) + grid(b) == grid(p)
}

impl Poly {
    /// A constant.
    pub fn number(x: f64) -> Poly {
        let mut terms = BTreeMap::new();
        if x != 0.0 {
            terms.insert(Vec::new(), x);
        }
        Poly { terms }
    }

    /// An atom.
    pub fn atom(a: Atom) -> Poly {
        Poly {
            terms: BTreeMap::from([(vec![a], 1.0)]),
        }
    }

    pub fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// Adds a term; `None` if the coefficient would not be exact.
    pub fn add_term(&mut self, product: Product, by: f64) -> Option<()> {
        let old = self.terms.get(&product).copied().unwrap_or(0.0);
        let new = exact_sum(old, by)?;
        match new == 0.0 {
            true => self.terms.remove(&product),
            false => self.terms.insert(product, new),
        };
        (self.terms.len() <= TERMS).then_some(())
    }

    pub fn add(&self, other: &Poly) -> Option<Poly> {
        let mut sum = self.clone();
        for (product, &by) in &other.terms {
            sum.add_term(product.clone(), by)?;
        }
        Some(sum)
    }

    pub fn neg(&self) -> Poly {
        let terms = self.terms.iter().map(|(p, c)| (p.clone(), -c)).collect();
        Poly { terms }
    }

    pub fn sub(&self, other: &Poly) -> Option<Poly> {
        self.add(&other.neg())
    }

    /// Times a number.
    pub fn times(&self, by: f64) -> Option<Poly> {
        let times = |(p, &c): (&Product, &f64)| Some((p.clone(), exact_product(c, by)?));
        let terms = self.terms.iter().map(times).collect::<Option<_>>()?;
        Some(Poly { terms })
    }

    /// The products of all terms with those of another one, before any relation of atoms is applied.
    pub fn products(&self, other: &Poly) -> Option<Vec<(Product, f64)>> {
        let mut all = Vec::with_capacity(self.terms.len() * other.terms.len());
        for (p, &c) in &self.terms {
            for (q, &d) in &other.terms {
                let mut product = [p.as_slice(), q.as_slice()].concat();
                product.sort_unstable();
                all.push((product, exact_product(c, d)?));
            }
        }
        Some(all)
    }

    /// The term of a polynomial with a single term.
    pub fn single(&self) -> Option<(&Product, f64)> {
        match self.terms.len() {
            1 => self.terms.iter().next().map(|(p, &c)| (p, c)),
            _ => None,
        }
    }

    /// The value of a constant.
    pub fn constant(&self) -> Option<f64> {
        match self.single() {
            None if self.is_zero() => Some(0.0),
            Some((product, x)) if product.is_empty() => Some(x),
            _ => None,
        }
    }

    /// Times `2^e`.
    pub fn scaled(&self, e: i32) -> Option<Poly> {
        let times = |(p, &c): (&Product, &f64)| {
            let scaled = scaled_up(c.abs(), e);
            (scaled.is_finite() && grid(c) + e == grid(scaled))
                .then(|| (p.clone(), scaled.copysign(c)))
        };
        let terms = self.terms.iter().map(times).collect::<Option<_>>()?;
        Some(Poly { terms })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coefficients_are_exact_or_there_is_no_polynomial() {
        let third = Poly::number(1.0 / 3.0);
        assert_eq!(third.times(3.0), None);
        assert_eq!(third.times(0.5), Some(Poly::number(1.0 / 6.0)));
        assert_eq!(Poly::number(1.0).add(&Poly::number(1e-30)), None);
        let x = Poly::atom(0);
        assert!(x.sub(&x).is_some_and(|zero| zero.is_zero()));
        assert_eq!(x.times(f64::MAX).and_then(|p| p.times(2.0)), None);
        let least = Poly::number(f64::from_bits(3));
        assert_eq!(least.times(0.5), None);
        assert_eq!(least.scaled(-1), None);
        assert_eq!(least.scaled(60).and_then(|p| p.scaled(-60)), Some(least));
    }
}
