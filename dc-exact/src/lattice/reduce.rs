//! Reduction of a basis and enumeration of the points of a box.
//!
//! Lenstra, Lenstra and Lovász 1982 in doubles, started from the last run's transform, which is nearly reduced; Fincke and
//! Pohst 1985 with the box's bound on each level.

use super::model::MOST;

/// A square matrix, columns are basis vectors.
pub type Matrix = [[f64; MOST]; MOST];

/// Gram and Schmidt's vectors of a basis.
struct Orthogonal {
    /// `mu[c][q]`
    mu: Matrix,
    /// Columns.
    vectors: Matrix,
    /// Squared lengths.
    norms: [f64; MOST],
}

impl Orthogonal {
    fn new() -> Orthogonal {
        Orthogonal {
            mu: [[0.0; MOST]; MOST],
            vectors: [[0.0; MOST]; MOST],
            norms: [0.0; MOST],
        }
    }

    fn column(&mut self, basis: &Matrix, c: usize, n: usize) {
        for (to, from) in self.vectors.iter_mut().zip(basis).take(n) {
            to[c] = from[c];
        }
        for q in 0..c {
            let dot: f64 = (0..n).map(|r| basis[r][c] * self.vectors[r][q]).sum();
            let mu = dot / self.norms[q];
            self.mu[c][q] = mu;
            for r in 0..n {
                self.vectors[r][c] -= mu * self.vectors[r][q];
            }
        }
        self.norms[c] = (0..n)
            .map(|r| self.vectors[r][c] * self.vectors[r][c])
            .sum();
    }
}

/// `a t`
pub fn product(a: &Matrix, t: &Matrix, n: usize) -> Matrix {
    let mut out = [[0.0; MOST]; MOST];
    for r in 0..n {
        for c in 0..n {
            out[r][c] = (0..n).map(|q| a[r][q] * t[q][c]).sum();
        }
    }
    out
}

/// The unit matrix.
pub fn identity() -> Matrix {
    let mut t = [[0.0; MOST]; MOST];
    for (i, row) in t.iter_mut().enumerate() {
        row[i] = 1.0;
    }
    t
}

/// Reduces the columns of `basis times transform`, changing `transform`, and gives them.
pub fn reduce(basis: &Matrix, transform: &mut Matrix, n: usize) -> Matrix {
    let mut d = product(basis, transform, n);
    let mut g = Orthogonal::new();
    g.column(&d, 0, n);
    let mut c = 1;
    let mut steps = 0;
    while c < n && steps < 4000 {
        steps += 1;
        g.column(&d, c, n);
        let mut changed = false;
        for q in (0..c).rev() {
            let by = g.mu[c][q].round_ties_even();
            if by != 0.0 {
                changed = true;
                for r in 0..n {
                    d[r][c] -= by * d[r][q];
                    transform[r][c] -= by * transform[r][q];
                }
                for t in 0..q {
                    g.mu[c][t] -= by * g.mu[q][t];
                }
                g.mu[c][q] -= by;
            }
        }
        if changed {
            g.column(&d, c, n);
        }
        let mu = g.mu[c][c - 1];
        if g.norms[c] >= (0.99 - mu * mu) * g.norms[c - 1] {
            c += 1;
        } else {
            for r in 0..n {
                d[r].swap(c, c - 1);
                transform[r].swap(c, c - 1);
            }
            g.column(&d, c - 1, n);
            c = (c - 1).max(1);
        }
    }
    // Anew, without the errors of the steps.
    product(basis, transform, n)
}
