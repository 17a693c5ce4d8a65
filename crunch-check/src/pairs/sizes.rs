//! Sizes relative to the function's scale, and ranges that follow from them.
//!
//! A size holds for arguments of all magnitudes at once. An error that is at most t everywhere has a size, too: where the length is at least m,
//! `t <= (t / m^k) S^k`. A sum whose largest part is known to be at least all others together has a lower bound.

use super::atoms::{Atoms, Range, Size, up};
use super::function::Function;
use super::poly::{Atom, Monomial, Poly};
use crate::number::{Number, exact, magnitude, negative, zero};

/// The part of a polynomial that is largest, and the upper bounds of its other terms, added. All have one degree.
struct Largest {
    size: Size,
    /// `None` for both squares together.
    range: Option<Range>,
    others: Number,
}

/// The number, rounded down to 128 bits; 0 if it is negative.
fn down(x: &Number) -> Number {
    let below = Range::zero().add(&Range::of(x.clone())).lo;
    if negative(&below) {
        Number::zero()
    } else {
        below
    }
}

impl Size {
    /// The size of a number that differs from this one by at most its `part`.
    pub fn about(&self, part: &Number) -> Size {
        Size {
            most: up(&(&self.most * &(exact(1.0) + part))),
            least: down(&(&self.least * &(exact(1.0) - part))),
            of: self.of,
        }
    }

    /// The size of a number that is at most this part of a number of this size.
    pub fn part(&self, part: &Number) -> Size {
        Size {
            most: up(&(&self.most * part)),
            least: Number::zero(),
            of: self.of,
        }
    }

    /// The upper bound of a quotient. `None` if the divisor may be 0.
    pub fn over(&self, divisor: &Size) -> Option<Size> {
        if zero(&divisor.least) {
            return None;
        }
        let most = Range::of(self.most.clone()).div(&Range::of(divisor.least.clone()))?;
        Some(Size {
            most: most.hi,
            least: Number::zero(),
            of: [0, 1].map(|i| self.of[i] - divisor.of[i]),
        })
    }

    pub fn root(&self) -> Option<Size> {
        if self.of.iter().any(|d| d % 2 != 0) {
            return None;
        }
        Some(Size {
            most: Range::of(self.most.clone()).sqrt()?.hi,
            least: down(&Range::of(self.least.clone()).sqrt()?.lo),
            of: self.of.map(|d| d / 2),
        })
    }
}

impl Atoms {
    /// The range of `S^of[0]`, where S is the length.
    fn power_of_length(&self, of: [i32; 2]) -> Option<Range> {
        let length = self.length.as_ref().filter(|_| of[1] == 0)?;
        let mut product = Range::double(1.0);
        for _ in 0..of[0].abs() {
            product = product.mul(length);
        }
        match of[0] < 0 {
            true => Range::double(1.0).div(&product),
            false => Some(product),
        }
    }

    /// The size, with this degree, of a number that is at most `most` at all pairs.
    pub fn size_of_absolute(&self, most: &Number, of: [i32; 2]) -> Option<Size> {
        let scale = self.power_of_length(of).filter(|_| of[0] >= 0)?;
        if zero(&scale.lo) || negative(&scale.lo) {
            return None;
        }
        let most = Range::of(most.clone()).div(&Range::of(scale.lo))?.hi;
        Some(Size {
            most,
            least: Number::zero(),
            of,
        })
    }

    /// A fact about an atom. If the atom is the length times a bounded factor, the length has a smaller range.
    pub fn narrow(&mut self, a: Atom, found: &Range) {
        let known = self.get_mut(a);
        if let Some(both) = known.range.meet(found) {
            known.range = both;
        }
        let (range, size) = (known.range.clone(), known.size.clone());
        self.narrow_length(&range, size);
    }

    /// A fact about a polynomial.
    pub fn note(&mut self, p: &Poly, range: Range) {
        let size = self.size(p);
        self.narrow_length(&range, size);
        self.facts.push((p.clone(), range));
    }

    fn narrow_length(&mut self, range: &Range, size: Option<Size>) {
        let Some(size) = size.filter(|s| s.of == [1, 0]) else {
            return;
        };
        let (Some(length), false) = (&self.length, zero(&size.least)) else {
            return;
        };
        let quotient = |x: Number, y: &Number| Range::of(x).div(&Range::of(y.clone()));
        let lo = quotient(range.least(), &size.most);
        let hi = quotient(range.magnitude(), &size.least);
        if let (Some(lo), Some(hi)) = (lo, hi) {
            let found = Range {
                lo: down(&lo.lo),
                hi: hi.hi,
            };
            self.length = length.meet(&found).or_else(|| self.length.clone());
        }
    }

    fn range_of_term(&self, monomial: &[Atom], c: &Number) -> Range {
        let range = self.range_of(monomial).mul(&Range::of(c.clone()));
        if monomial.is_empty() {
            return range;
        }
        let size = self.size_of(monomial);
        let most = size.and_then(|s| {
            let scale = self.power_of_length(s.of)?;
            Some(up(&(&(&s.most * &magnitude(c)) * &scale.magnitude())))
        });
        let by_size = most.and_then(|most| range.meet(&Range::symmetric(most)));
        by_size.unwrap_or(range)
    }

    /// An interval around a polynomial.
    pub fn range(&self, p: &Poly) -> Range {
        let sum = self.sum_of_terms(p);
        let better = self.largest(p).and_then(|l| l.range_of_sum());
        let mut range = better.and_then(|b| sum.meet(&b)).unwrap_or(sum);
        // A fact about some of its terms, and the sum of the others.
        for (part, known) in &self.facts {
            let others = p.sub(part);
            if others.len() + part.len() == p.len()
                && let Some(both) = range.meet(&self.sum_of_terms(&others).add(known))
            {
                range = both;
            }
        }
        range
    }

    fn sum_of_terms(&self, p: &Poly) -> Range {
        let mut sum = Range::zero();
        for (monomial, c) in p.terms() {
            sum = sum.add(&self.range_of_term(monomial, c));
        }
        sum
    }

    pub fn size_of(&self, monomial: &[Atom]) -> Option<Size> {
        let mut size = Size {
            most: exact(1.0),
            least: exact(1.0),
            of: [0, 0],
        };
        for &a in monomial {
            let factor = self.get(a).size.as_ref()?;
            size.most = up(&(&size.most * &factor.most));
            size.least = down(&(&size.least * &factor.least));
            size.of[0] += factor.of[0];
            size.of[1] += factor.of[1];
        }
        Some(size)
    }

    fn largest(&self, p: &Poly) -> Option<Largest> {
        let mut p = p.clone();
        let mut main: Option<Largest> = None;
        // Both squares together are that of the length.
        if let (Function::Hypot, [Some(x), Some(y)]) = (self.function, self.arguments) {
            let [a, b] = [x, y].map(|x| p.coefficient(&[x, x]));
            if negative(&a) == negative(&b) && !zero(&a) && !zero(&b) {
                let both = if magnitude(&a) < magnitude(&b) { a } else { b };
                for x in [x, y] {
                    p.plus(vec![x, x], -both.clone());
                }
                let size = Size {
                    most: magnitude(&both),
                    least: magnitude(&both),
                    of: [2, 0],
                };
                main = Some(Largest {
                    size,
                    range: None,
                    others: Number::zero(),
                });
            }
        }
        let mut sizes: Vec<(&Monomial, &Number, Size)> = Vec::new();
        for (monomial, c) in p.terms() {
            let mut size = self.size_of(monomial)?;
            size.most = &size.most * &magnitude(c);
            size.least = &size.least * &magnitude(c);
            sizes.push((monomial, c, size));
        }
        let mut main = match main {
            Some(main) => main,
            None => {
                let most = (0..sizes.len()).max_by(|&i, &j| {
                    let [a, b] = [i, j].map(|k| &sizes[k].2.least);
                    a.cmp(b)
                })?;
                let (monomial, c, size) = sizes.remove(most);
                Largest {
                    size,
                    range: Some(self.range_of_term(monomial, c)),
                    others: Number::zero(),
                }
            }
        };
        for (_, _, size) in sizes {
            if size.of != main.size.of {
                return None;
            }
            main.others = &main.others + &size.most;
        }
        Some(main)
    }

    /// Bounds of the magnitude, if all terms have one degree.
    pub fn size(&self, p: &Poly) -> Option<Size> {
        let Largest { size, others, .. } = self.largest(p)?;
        Some(Size {
            most: &size.most + &others,
            least: down(&(&size.least - &others)),
            of: size.of,
        })
    }
}

impl Largest {
    /// The range of the polynomial, if its largest part t is positive: the others are at most `part t`.
    fn range_of_sum(&self) -> Option<Range> {
        let range = self.range.as_ref()?;
        if negative(&range.lo) || zero(&range.lo) || zero(&self.size.least) {
            return None;
        }
        let part = Range::of(self.others.clone()).div(&Range::of(self.size.least.clone()))?;
        let part = part.hi;
        if part >= exact(1.0) {
            return None;
        }
        let factor = Range {
            lo: exact(1.0) - &part,
            hi: exact(1.0) + &part,
        };
        Some(range.mul(&factor))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::power;
    use crate::pairs::atoms::Known;

    fn atoms() -> (Atoms, [Poly; 2]) {
        let mut atoms = Atoms::new(Function::Hypot);
        let x = atoms.argument(0, Range::doubles(1.0, 8.0));
        let y = atoms.argument(1, Range::doubles(0.25, 8.0));
        atoms.length = Some(Range::doubles(1.0, 12.0));
        (atoms, [x, y])
    }

    #[test]
    fn a_sum_has_the_lower_bound_of_its_largest_term() {
        let (mut atoms, [x, y]) = atoms();
        let squares = [&x, &y].map(|v| atoms.mul(v, v).expect("a square"));
        let squares = squares[0].add(&squares[1]);
        let of = [2, 0];
        let error = |most: f64| Known {
            size: Some(Size {
                most: exact(most),
                least: Number::zero(),
                of,
            }),
            ..Known::within(Range::doubles(-100.0, 100.0))
        };
        let (small, large) = (atoms.add(error(0.25)), atoms.add(error(2.0)));
        let size = atoms.size(&squares.add(&small)).expect("one degree");
        assert_eq!((size.most, size.least), (exact(1.25), exact(0.75)));
        let size = atoms.size(&squares.add(&large)).expect("one degree");
        assert_eq!((size.most, size.least), (exact(3.0), Number::zero()));
        // One square alone may be 0.
        let square = atoms.mul(&y, &y).expect("a square");
        let size = atoms.size(&square.add(&small)).expect("one degree");
        assert_eq!(size.least, Number::zero());
    }

    #[test]
    fn an_absolute_error_has_a_size_where_the_length_is_not_small() {
        let (mut atoms, _) = atoms();
        atoms.length = Some(Range::doubles(0.5, 12.0));
        let size = atoms.size_of_absolute(&power(-100), [2, 0]).expect("one");
        assert_eq!(size.most, power(-98));
        assert_eq!(atoms.size_of_absolute(&power(-100), [-1, 0]), None);
        atoms.length = Some(Range::doubles(0.0, 12.0));
        assert_eq!(atoms.size_of_absolute(&power(-100), [2, 0]), None);
    }

    #[test]
    fn facts_limit_their_polynomials_and_the_length() {
        let (mut atoms, [x, y]) = atoms();
        let sum = x.add(&y);
        let before = atoms.range(&sum).ends();
        assert_eq!(before, (1.25, 16.0));
        let error = atoms.add(Known::within(Range::doubles(-0.5, 0.5)));
        atoms.note(&sum, Range::doubles(2.0, 3.0));
        assert_eq!(atoms.range(&sum).ends(), (2.0, 3.0));
        assert_eq!(atoms.range(&sum.add(&error)).ends(), (1.5, 3.5));
        // Another coefficient, or not all terms.
        assert_eq!(atoms.range(&sum.add(&x)).ends(), (2.25, 24.0));
        assert_eq!(atoms.range(&x.add(&error)).ends(), (0.5, 8.5));
        // A root that is between 1/2 and 2 times the length.
        let root = atoms.add(Known {
            size: Some(Size {
                most: exact(2.0),
                least: exact(0.5),
                of: [1, 0],
            }),
            ..Known::within(Range::doubles(0.5, 24.0))
        });
        let root = root.only_atom().expect("an atom");
        atoms.narrow(root, &Range::doubles(3.0, 4.0));
        assert_eq!(atoms.length.map(|l| l.ends()), Some((1.5, 8.0)));
    }
}
