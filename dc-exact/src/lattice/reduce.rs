//! Reduction of a basis: Lenstra, Lenstra and Lovász 1982 in doubles, started from the last run's transform, which is nearly
//! reduced.

#![expect(
    clippy::needless_range_loop,
    reason = "rows and columns of small matrices, of which parts are used"
)]

use super::model::MOST;

/// A square matrix, columns are basis vectors.
pub type Matrix = [[f64; MOST]; MOST];

/// Gram and Schmidt's vectors of a basis.
struct Orthogonal<const N: usize> {
    /// `mu[c][q]`
    mu: [[f64; N]; N],
    /// `vectors[c]` is the vector of column c.
    vectors: [[f64; N]; N],
    /// Squared lengths.
    norms: [f64; N],
}

impl<const N: usize> Orthogonal<N> {
    /// That of column c, those before it being known. `columns` are the basis vectors.
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

/// Changes the transform so that the columns of `basis transform` are nearly reduced.
#[inline(always)]
pub fn reduce<const N: usize>(basis: &Matrix, transform: &mut Matrix) {
    // Columns side by side in memory.
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
                for r in 0..N {
                    d[c][r] -= by * d[q][r];
                    t[c][r] -= by * t[q][r];
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
}
