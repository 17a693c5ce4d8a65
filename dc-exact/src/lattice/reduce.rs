//! Reduction of a basis: Lenstra, Lenstra and Lovász 1982 in doubles, starting from the previous run's transform, which nearly reduces the
//! basis.

#![expect(
    clippy::needless_range_loop,
    reason = "rows and columns of small matrices, of which parts are used"
)]

use super::model::MOST;

/// A square matrix whose columns are basis vectors.
pub type Matrix = [[f64; MOST]; MOST];

/// The Gram-Schmidt vectors of a basis.
struct Orthogonal<const N: usize> {
    /// `mu[c][q]`
    mu: [[f64; N]; N],
    /// `vectors[c]` is the vector of column c.
    vectors: [[f64; N]; N],
    /// Squared lengths.
    norms: [f64; N],
}

impl<const N: usize> Orthogonal<N> {
    /// Computes the vector of column c from those before it. `columns` are the basis vectors.
    #[inline(always)]
    fn column(&mut self, columns: &[[f64; N]; N], c: usize) {
        let mut vector = columns[c];
        for q in 0..c {
            let mut dot = 0.0;
            for r in 0..N {
                dot += columns[c][r] * self.vectors[q][r];
            }
            let mu = dot / self.norms[q];
            self.mu[c][q] = mu;
            for r in 0..N {
                vector[r] -= mu * self.vectors[q][r];
            }
        }
        self.vectors[c] = vector;
        self.norms[c] = vector.iter().map(|v| v * v).sum();
    }
}

/// The unit matrix.
pub fn identity() -> Matrix {
    let mut t = [[0.0; MOST]; MOST];
    for (i, row) in t.iter_mut().enumerate() {
        row[i] = 1.0;
    }
    t
}

/// Integers below this have exact sums and products in doubles, as long as these are below it too.
const EXACT: f64 = (1u64 << 53) as f64;

/// Changes the transform so that the columns of `basis transform` are nearly reduced. It stays an integer matrix of the same
/// determinant up to the sign, because every step adds an integer multiple of a column to another one or swaps two.
///
/// Returns `false` if an entry would reach 2⁵³ and could be rounded. The transform then does not change.
#[inline(always)]
#[must_use]
pub fn reduce<const N: usize>(basis: &Matrix, transform: &mut Matrix) -> bool {
    // Columns are contiguous in memory.
    let mut d = [[0.0; N]; N];
    let mut t = [[0.0; N]; N];
    for c in 0..N {
        for r in 0..N {
            t[c][r] = transform[r][c];
            for q in 0..N {
                d[c][r] += basis[r][q] * transform[q][c];
            }
        }
    }
    let mut g = Orthogonal {
        mu: [[0.0; N]; N],
        vectors: [[0.0; N]; N],
        norms: [0.0; N],
    };
    g.column(&d, 0);
    let mut c = 1;
    let mut steps = 0;
    while c < N && steps < 4000 {
        steps += 1;
        g.column(&d, c);
        let mut changed = false;
        for q in (0..c).rev() {
            let by = g.mu[c][q].round_ties_even();
            if by != 0.0 {
                changed = true;
                let mut largest = 0.0f64;
                for r in 0..N {
                    d[c][r] -= by * d[q][r];
                    // An upper bound of the product and the sum before either is rounded; a NaN is refused as well.
                    largest = largest.max(t[c][r].abs() + (by * t[q][r]).abs());
                    t[c][r] -= by * t[q][r];
                }
                if !(largest < EXACT && by.abs() < EXACT) {
                    return false;
                }
                for s in 0..q {
                    g.mu[c][s] -= by * g.mu[q][s];
                }
                g.mu[c][q] -= by;
            }
        }
        if changed {
            g.column(&d, c);
        }
        let mu = g.mu[c][c - 1];
        if g.norms[c] >= (0.99 - mu * mu) * g.norms[c - 1] {
            c += 1;
        } else {
            d.swap(c, c - 1);
            t.swap(c, c - 1);
            g.column(&d, c - 1);
            c = (c - 1).max(1);
        }
    }
    for c in 0..N {
        for r in 0..N {
            transform[r][c] = t[c][r];
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRIME: i128 = (1 << 61) - 1;

    /// The determinant modulo a prime, by Gaussian elimination; the entries are doubles that are integers.
    fn determinant<const N: usize>(t: &Matrix) -> i128 {
        let mut a = [[0i128; N]; N];
        for r in 0..N {
            for c in 0..N {
                a[r][c] = (t[r][c] as i128).rem_euclid(PRIME);
            }
        }
        let power = |mut b: i128, mut e: i128| {
            let mut p = 1;
            while e > 0 {
                if e & 1 == 1 {
                    p = p * b % PRIME;
                }
                b = b * b % PRIME;
                e >>= 1;
            }
            p
        };
        let mut determinant = 1;
        for c in 0..N {
            let Some(p) = (c..N).find(|&r| a[r][c] != 0) else {
                return 0;
            };
            if p != c {
                a.swap(p, c);
                determinant = PRIME - determinant;
            }
            determinant = determinant * a[c][c] % PRIME;
            let by = power(a[c][c], PRIME - 2);
            for r in c + 1..N {
                let by = a[r][c] * by % PRIME;
                for q in c..N {
                    a[r][q] = (a[r][q] - by * a[c][q]).rem_euclid(PRIME);
                }
            }
        }
        determinant
    }

    #[test]
    fn a_basis_without_numbers_has_no_transform() {
        for x in [f64::NAN, f64::INFINITY] {
            let mut basis = identity();
            basis[0][1] = x;
            let mut transform = identity();
            assert!(!reduce::<2>(&basis, &mut transform), "{x}");
            assert_eq!(transform, identity());
        }
    }

    /// The first integer of the second column would be 2⁵³, or one less.
    #[test]
    fn an_entry_at_the_limit_is_refused() {
        let limit = 2f64.powi(53);
        for (first, by, whole) in [
            (limit / 2.0 + 1.0, -limit, false),
            (limit / 2.0, 1.0 - limit, true),
        ] {
            let (mut basis, mut transform) = (identity(), identity());
            transform[0][1] = first;
            basis[0][1] = by;
            assert_eq!(reduce::<2>(&basis, &mut transform), whole);
            let kept = if whole { limit - 1.0 } else { first };
            assert!(transform[0].contains(&kept), "{transform:?}");
        }
    }

    /// Lattices of runs, whose columns' lengths differ by factors of 2^10 to 2^70: a transform is unimodular or refused.
    #[test]
    fn a_transform_is_unimodular_or_refused() {
        let mut state = 1u64;
        let mut random = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 11) as f64 / (1u64 << 53) as f64 - 0.5
        };
        let (mut reduced, mut refused) = (0, 0);
        for round in 0..3000 {
            let size = 2f64.powi(10 + round % 60);
            let mut basis = identity();
            for r in 1..4 {
                basis[r][0] = random() * size;
                for c in 1..4 {
                    basis[r][c] = random() * 8.0;
                }
            }
            basis[0][0] = 1.0 / size;
            let mut transform = identity();
            // The reduction is done twice, because runs begin with the transform of the previous run.
            for _ in 0..2 {
                if reduce::<4>(&basis, &mut transform) {
                    reduced += 1;
                } else {
                    refused += 1;
                }
                let determinant = determinant::<4>(&transform);
                assert!(
                    [1, PRIME - 1].contains(&determinant),
                    "round {round}: {determinant}"
                );
                for r in 1..4 {
                    basis[r][0] *= 1.0 + 1e-9 * random();
                }
            }
        }
        assert!(reduced > 2000 && refused > 100, "{reduced} {refused}");
    }
}
