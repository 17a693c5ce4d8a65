//! Polynomials in atoms, with exact coefficients. An atom is an unknown number: an argument's magnitude, a root, a quotient, or the error of
//! a rounding.

use std::collections::BTreeMap;

use crate::number::{Number, exact, negative, zero};

/// An atom, by its number.
pub type Atom = u32;
/// A product of atoms, in order.
pub type Monomial = Vec<Atom>;

/// A polynomial: nonzero coefficients, by their products of atoms.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Poly(BTreeMap<Monomial, Number>);

impl Poly {
    pub fn constant(x: Number) -> Poly {
        let mut p = Poly::default();
        p.plus(Vec::new(), x);
        p
    }

    pub fn atom(a: Atom) -> Poly {
        let mut p = Poly::default();
        p.plus(vec![a], exact(1.0));
        p
    }

    pub fn terms(&self) -> impl Iterator<Item = (&Monomial, &Number)> {
        self.0.iter()
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// The polynomial's value, if it is constant.
    pub fn value(&self) -> Option<Number> {
        match self.single() {
            None if self.is_zero() => Some(Number::zero()),
            Some((monomial, c)) if monomial.is_empty() => Some(c.clone()),
            _ => None,
        }
    }

    /// The polynomial's only term, if it has one term.
    pub fn single(&self) -> Option<(&Monomial, &Number)> {
        match self.0.len() {
            1 => self.0.first_key_value(),
            _ => None,
        }
    }

    /// The atom that the polynomial equals, if it equals one.
    pub fn only_atom(&self) -> Option<Atom> {
        match self.single() {
            Some((monomial, c)) if *c == exact(1.0) => match monomial[..] {
                [a] => Some(a),
                _ => None,
            },
            _ => None,
        }
    }

    pub fn coefficient(&self, monomial: &[Atom]) -> Number {
        self.0.get(monomial).cloned().unwrap_or_else(Number::zero)
    }

    /// Adds a term.
    pub fn plus(&mut self, monomial: Monomial, c: Number) {
        let sum = &self.coefficient(&monomial) + &c;
        if zero(&sum) {
            self.0.remove(&monomial);
        } else {
            self.0.insert(monomial, sum);
        }
    }

    pub fn add(&self, other: &Poly) -> Poly {
        let mut sum = self.clone();
        for (monomial, c) in &other.0 {
            sum.plus(monomial.clone(), c.clone());
        }
        sum
    }

    pub fn neg(&self) -> Poly {
        let minus = |(m, c): (&Monomial, &Number)| (m.clone(), -c.clone());
        Poly(self.0.iter().map(minus).collect())
    }

    pub fn sub(&self, other: &Poly) -> Poly {
        self.add(&other.neg())
    }

    pub fn times(&self, by: &Number) -> Poly {
        let mut product = Poly::default();
        for (monomial, c) in &self.0 {
            product.plus(monomial.clone(), c * by);
        }
        product
    }

    /// This polynomial or its negative, whichever has a positive first coefficient, and whether it is the negative.
    pub fn canonical(&self) -> (Poly, bool) {
        let turned = self.0.values().next().is_some_and(negative);
        (if turned { self.neg() } else { self.clone() }, turned)
    }
}

/// The product of two products.
pub fn merged(a: &[Atom], b: &[Atom]) -> Monomial {
    let mut all = [a, b].concat();
    all.sort_unstable();
    all
}

/// A product divided by the atoms of another; `None` if it does not have all of them.
pub fn without(monomial: &[Atom], part: &[Atom]) -> Option<Monomial> {
    let mut rest = monomial.to_vec();
    for a in part {
        let at = rest.iter().position(|b| b == a)?;
        rest.remove(at);
    }
    Some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_cancel_exactly() {
        let (a, b) = (Poly::atom(0), Poly::atom(1));
        let tiny = Poly::constant(exact(f64::from_bits(1)));
        let sum = a.add(&b).add(&tiny);
        assert_eq!(sum.sub(&a).sub(&tiny).only_atom(), Some(1));
        assert!(sum.sub(&sum).is_zero() && sum.sub(&sum).value() == Some(Number::zero()));
        assert_eq!(sum.neg().canonical(), (sum.clone(), true));
        assert_eq!(a.times(&exact(2.0)).only_atom(), None);
        assert_eq!(a.neg().only_atom(), None);
        assert_eq!(
            without(&merged(&[1, 3], &[1, 2]), &[1, 3]),
            Some(vec![1, 2])
        );
        assert_eq!(without(&[1, 2], &[2, 2]), None);
    }
}
