//! Numbers of two words, 106 bits, for the exchange algorithm.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// `hi + lo`, `|lo|` at most half a unit in the last place of `hi`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dd {
    /// The number, rounded.
    pub hi: f64,
    /// The remainder.
    pub lo: f64,
}

fn two_sum(a: f64, b: f64) -> Dd {
    let hi = a + b;
    let t = hi - a;
    let lo = (a - (hi - t)) + (b - t);
    Dd { hi, lo }
}

fn fast_two_sum(a: f64, b: f64) -> Dd {
    let hi = a + b;
    Dd {
        hi,
        lo: b - (hi - a),
    }
}

fn two_product(a: f64, b: f64) -> Dd {
    let hi = a * b;
    Dd {
        hi,
        lo: a.mul_add(b, -hi),
    }
}

impl Dd {
    /// 0
    pub const ZERO: Dd = Dd { hi: 0.0, lo: 0.0 };
    /// 1
    pub const ONE: Dd = Dd { hi: 1.0, lo: 0.0 };

    /// The sum of two numbers in any order.
    #[must_use]
    pub fn of(hi: f64, lo: f64) -> Dd {
        two_sum(hi, lo)
    }

    /// The number's magnitude.
    #[must_use]
    pub fn abs(self) -> Dd {
        if self.hi < 0.0 { -self } else { self }
    }

    /// The number times a power of two.
    #[must_use]
    pub fn scaled(self, power: f64) -> Dd {
        Dd {
            hi: self.hi * power,
            lo: self.lo * power,
        }
    }

    /// The square root of a positive number, by a step of Newton's iteration.
    #[must_use]
    pub fn sqrt(self) -> Dd {
        let first = Dd::from(self.hi.sqrt());
        (first + self / first).scaled(0.5)
    }

    /// `self^n`
    #[must_use]
    pub fn powi(self, n: u32) -> Dd {
        (0..n).fold(Dd::ONE, |p, _| p * self)
    }
}

impl From<f64> for Dd {
    fn from(x: f64) -> Dd {
        Dd { hi: x, lo: 0.0 }
    }
}

impl Neg for Dd {
    type Output = Dd;
    fn neg(self) -> Dd {
        Dd {
            hi: -self.hi,
            lo: -self.lo,
        }
    }
}

impl Add for Dd {
    type Output = Dd;
    fn add(self, b: Dd) -> Dd {
        let s = two_sum(self.hi, b.hi);
        let t = two_sum(self.lo, b.lo);
        let s = fast_two_sum(s.hi, s.lo + t.hi);
        fast_two_sum(s.hi, s.lo + t.lo)
    }
}

impl Sub for Dd {
    type Output = Dd;
    fn sub(self, b: Dd) -> Dd {
        self + -b
    }
}

impl Mul for Dd {
    type Output = Dd;
    fn mul(self, b: Dd) -> Dd {
        let p = two_product(self.hi, b.hi);
        let low = self.hi.mul_add(b.lo, self.lo * b.hi);
        fast_two_sum(p.hi, p.lo + low)
    }
}

impl Div for Dd {
    type Output = Dd;
    fn div(self, b: Dd) -> Dd {
        let first = self.hi / b.hi;
        let rest = self - b * Dd::from(first);
        let second = rest.hi / b.hi;
        let rest = rest - b * Dd::from(second);
        fast_two_sum(first, second) + Dd::from(rest.hi / b.hi)
    }
}

/// The solution of a system of linear equations, each given as a row of coefficients with its right side; `None` if the system is singular.
#[must_use]
pub fn solve(mut rows: Vec<Vec<Dd>>) -> Option<Vec<Dd>> {
    let n = rows.len();
    for column in 0..n {
        let size = |r: &Vec<Dd>| r[column].hi.abs();
        let pivot = (column..n).max_by(|&a, &b| size(&rows[a]).total_cmp(&size(&rows[b])))?;
        if size(&rows[pivot]) == 0.0 {
            return None;
        }
        rows.swap(column, pivot);
        let (done, rest) = rows.split_at_mut(column + 1);
        let top = &done[column];
        for row in rest {
            let factor = row[column] / top[column];
            for k in column..=n {
                row[k] = row[k] - factor * top[k];
            }
        }
    }
    let mut x = vec![Dd::ZERO; n];
    for row in (0..n).rev() {
        let known = (row + 1..n).fold(rows[row][n], |s, k| s - rows[row][k] * x[k]);
        x[row] = known / rows[row][row];
    }
    Some(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_third_has_both_words() {
        let third = Dd::ONE / Dd::from(3.0);
        let one = third + third + third;
        assert_eq!(one.hi, 1.0);
        assert!(one.lo.abs() < 1e-31, "{one:?}");
        // Fault: without the second word the sum is off by 2^-54.
        assert!((Dd::from(third.hi) * Dd::from(3.0) - Dd::ONE).hi.abs() > 1e-17);
    }

    #[test]
    fn a_root_has_both_words() {
        for x in [2.0, 0.1, 1e-30, 7e20] {
            let root = Dd::from(x).sqrt();
            let off = (root * root - Dd::from(x)).hi / x;
            assert!(off.abs() < 1e-30, "{x}: {off}");
            // Fault: the first word alone is a root to 2^-53.
            let first = Dd::from(root.hi);
            let off = (first * first - Dd::from(x)).hi / x;
            assert!(off.abs() > 1e-18, "{x}: {off}");
        }
    }

    #[test]
    fn systems_are_solved_to_both_words() {
        // A Hilbert matrix of order 6, with a known solution.
        let n = 6;
        let entry = |i: usize, k: usize| Dd::ONE / Dd::from((i + k + 1) as f64);
        let rows = (0..n)
            .map(|i| {
                let mut row: Vec<Dd> = (0..n).map(|k| entry(i, k)).collect();
                let right = row.iter().fold(Dd::ZERO, |s, &a| s + a);
                row.push(right);
                row
            })
            .collect();
        let x = solve(rows).expect("regular");
        assert!(x.iter().all(|x| (*x - Dd::ONE).hi.abs() < 1e-22), "{x:?}");
        assert_eq!(solve(vec![vec![Dd::ZERO, Dd::ONE]]), None);
    }
}
