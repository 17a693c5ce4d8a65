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
        let range = known.range.clone();
        let Some(size) = known.size.clone().filter(|s| s.of == [1, 0]) else {
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
        let mut sum = Range::zero();
        for (monomial, c) in p.terms() {
            sum = sum.add(&self.range_of_term(monomial, c));
        }
        let better = self.largest(p).and_then(|l| l.range_of_sum());
        better.and_then(|b| sum.meet(&b)).unwrap_or(sum)
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
