//! Known properties of atoms: ranges, sizes relative to the function, and the equations of roots and quotients.

use super::function::Function;
use super::poly::{Atom, Monomial, Poly, merged, without};
use crate::number::{Interval, Number, exact};

/// Intervals of 128 bits, rounded outward.
pub type Range = Interval<128>;

/// `least T <= |value| <= most T` with `T = S^of[0] |y|^of[1]`, where S is √(x² + y²) for a length, and |x| for a ratio.
#[derive(Debug, Clone, PartialEq)]
pub struct Size {
    pub most: Number,
    /// 0 if no lower bound is known.
    pub least: Number,
    pub of: [i32; 2],
}

/// An atom, with what is known about it.
#[derive(Debug, Clone)]
pub struct Known {
    pub range: Range,
    pub size: Option<Size>,
    /// The product of atoms, this one included, that is equal to a polynomial.
    pub equation: Option<(Monomial, Poly)>,
    /// Whether the atom is a number of binary64, and of binary32.
    pub fits: [bool; 2],
    /// For the root of a sum X = RN(T) in binary64: T.
    pub root_of: Option<Poly>,
}

impl Known {
    /// An atom in a range, about which nothing else is known.
    pub fn within(range: Range) -> Known {
        Known {
            range,
            size: None,
            equation: None,
            fits: [false; 2],
            root_of: None,
        }
    }
}

/// The atoms of an evaluation.
#[derive(Debug, Clone)]
pub struct Atoms {
    known: Vec<Known>,
    pub function: Function,
    /// The arguments' magnitudes, except those that are zero.
    pub arguments: [Option<Atom>; 2],
    /// The range of S, if the function is a length.
    pub length: Option<Range>,
    /// Ranges of polynomials that are facts of the path.
    pub facts: Vec<(Poly, Range)>,
}

/// The largest number of terms of a polynomial that the checker handles.
const TERMS: usize = 400;
/// The largest number of times that a product may be rewritten.
const STEPS: usize = 10_000;

impl Atoms {
    pub fn new(function: Function) -> Atoms {
        Atoms {
            known: Vec::new(),
            function,
            arguments: [None; 2],
            length: None,
            facts: Vec::new(),
        }
    }

    pub fn add(&mut self, known: Known) -> Poly {
        self.known.push(known);
        Poly::atom(self.known.len() as Atom - 1)
    }

    /// Adds an argument's magnitude.
    pub fn argument(&mut self, i: usize, range: Range) -> Poly {
        let of = match (self.function, i) {
            (Function::Div, 1) => [0, 1],
            _ => [1, 0],
        };
        let size = Some(Size {
            most: exact(1.0),
            least: Number::zero(),
            of,
        });
        self.arguments[i] = Some(self.known.len() as Atom);
        self.add(Known {
            size,
            ..Known::within(range)
        })
    }

    pub fn len(&self) -> usize {
        self.known.len()
    }

    pub fn get_mut(&mut self, a: Atom) -> &mut Known {
        &mut self.known[a as usize]
    }

    pub fn get(&self, a: Atom) -> &Known {
        &self.known[a as usize]
    }

    /// The product, rewritten by all equations until none applies.
    pub fn mul(&self, a: &Poly, b: &Poly) -> Option<Poly> {
        let mut todo: Vec<(Monomial, Number)> = Vec::new();
        for (m, c) in a.terms() {
            todo.extend(b.terms().map(|(n, d)| (merged(m, n), c * d)));
        }
        let mut sum = Poly::default();
        let mut steps = 0;
        while let Some((monomial, c)) = todo.pop() {
            steps += 1;
            if steps > STEPS || sum.len() > TERMS {
                return None;
            }
            // The newest atom first: equations lead to older ones and to errors.
            let equation = monomial.iter().rev().find_map(|&a| {
                let (product, poly) = self.get(a).equation.as_ref()?;
                Some((without(&monomial, product)?, poly))
            });
            match equation {
                None => sum.plus(monomial, c),
                Some((rest, poly)) => {
                    todo.extend(poly.terms().map(|(m, d)| (merged(&rest, m), &c * d)));
                }
            }
        }
        Some(sum)
    }

    pub fn range_of(&self, monomial: &[Atom]) -> Range {
        let mut range = Range::double(1.0);
        let mut i = 0;
        while i < monomial.len() {
            let a = &self.get(monomial[i]).range;
            let same = monomial[i..]
                .iter()
                .take_while(|&&b| b == monomial[i])
                .count();
            let square = a.mul(a);
            // A square is not negative.
            let square = square.meet(&Range {
                lo: Number::zero(),
                hi: square.magnitude(),
            });
            let square = square.expect("a square's upper end is not negative");
            for _ in 0..same / 2 {
                range = range.mul(&square);
            }
            if same % 2 == 1 {
                range = range.mul(a);
            }
            i += same;
        }
        range
    }
}

/// The number, rounded up to 128 bits.
pub fn up(x: &Number) -> Number {
    Range::zero().add(&Range::of(x.clone())).hi
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equations_are_applied_until_none_is_left() {
        let mut atoms = Atoms::new(Function::Hypot);
        let x = atoms.argument(0, Range::doubles(1.0, 2.0));
        let y = atoms.argument(1, Range::doubles(1.0, 4.0));
        let rest = atoms.add(Known::within(Range::doubles(-0.5, 0.5)));
        let squares = atoms
            .mul(&x, &x)
            .expect("x²")
            .add(&atoms.mul(&y, &y).expect("y²"));
        let root = atoms.add(Known {
            equation: Some((vec![3, 3], squares.sub(&rest))),
            ..Known::within(Range::doubles(1.0, 5.0))
        });
        let square = atoms.mul(&root, &root).expect("r²");
        assert_eq!(square, squares.sub(&rest));
        // r⁴ = (x² + y² - rest)²
        assert_eq!(atoms.mul(&square, &square).map(|p| p.len()), Some(6));
        // x² + y² is h², and not 2 h²; 2 x² + y² has one more square.
        assert_eq!(atoms.size(&squares).map(|s| s.most), Some(exact(1.0)));
        let more = squares.add(&atoms.mul(&x, &x).expect("x²"));
        assert_eq!(
            atoms.size(&more).map(|s| (s.most, s.of)),
            Some((exact(2.0), [2, 0]))
        );
        let less = squares.sub(&atoms.mul(&x, &x).expect("x²").times(&exact(2.0)));
        assert_eq!(atoms.size(&less).map(|s| s.most), Some(exact(2.0)));
        assert_eq!(atoms.size(&squares.add(&x)), None);
        assert_eq!(atoms.size(&rest), None);
        let range = atoms.range(&squares);
        assert_eq!(range.ends(), (2.0, 20.0));
        assert_eq!(atoms.range_of(&[2, 2]).ends(), (0.0, 0.25));
    }
}
