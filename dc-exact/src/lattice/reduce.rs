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

/// The integer combinations `z` of columns with `|d z + u| <= 1` in each coordinate, at most `limit` of them.
pub fn points(d: &Matrix, u: &[f64; MOST], n: usize, limit: usize) -> Points {
    let mut g = Orthogonal::new();
    for c in 0..n {
        g.column(d, c, n);
    }
    let mut offset = [0.0; MOST];
    let mut reach = [0.0; MOST];
    for q in 0..n {
        let dot: f64 = (0..n).map(|r| u[r] * g.vectors[r][q]).sum();
        offset[q] = dot / g.norms[q];
        // |<v, b*>| <= |b*|_1 for v in the box.
        let one: f64 = (0..n).map(|r| g.vectors[r][q].abs()).sum();
        reach[q] = one / g.norms[q];
    }
    let mut search = Search {
        d,
        u,
        n,
        g: &g,
        offset,
        reach,
        limit,
        found: Points {
            points: Vec::new(),
            nodes: 0,
            cut: false,
        },
        z: [0.0; MOST],
    };
    search.level(n - 1, 0.0);
    search.found
}

/// What an enumeration found.
#[derive(Debug, Default)]
pub struct Points {
    /// The combinations.
    pub points: Vec<[f64; MOST]>,
    /// Nodes of the tree.
    pub nodes: u64,
    /// Whether there were more than the limit.
    pub cut: bool,
}

struct Search<'a> {
    d: &'a Matrix,
    u: &'a [f64; MOST],
    n: usize,
    g: &'a Orthogonal,
    offset: [f64; MOST],
    reach: [f64; MOST],
    limit: usize,
    found: Points,
    z: [f64; MOST],
}

/// A little more than the box, for the roundings here.
const SLACK: f64 = 1.0 + 1e-7;

impl Search<'_> {
    fn level(&mut self, level: usize, length: f64) {
        self.found.nodes += 1;
        let n = self.n;
        let mut center = -self.offset[level];
        for c in level + 1..n {
            center -= self.g.mu[c][level] * self.z[c];
        }
        let norm = self.g.norms[level];
        let ball = ((n as f64 * SLACK - length).max(0.0) / norm).sqrt();
        let width = ball.min(self.reach[level]) * SLACK;
        let mut z = (center - width).ceil();
        while z <= center + width {
            if self.found.points.len() >= self.limit {
                self.found.cut = true;
                return;
            }
            self.z[level] = z;
            if level == 0 {
                let inside = (0..n).all(|r| {
                    let v: f64 = self.u[r] + (0..n).map(|c| self.d[r][c] * self.z[c]).sum::<f64>();
                    v.abs() <= SLACK
                });
                if inside {
                    self.found.points.push(self.z);
                }
            } else {
                let off = z - center;
                self.level(level - 1, length + off * off * norm);
            }
            z += 1.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_points_of_a_box_are_found() {
        // A skewed basis of dimension 3, against every small combination.
        let mut basis = [[0.0; MOST]; MOST];
        let rows = [[0.31, 0.07, 1.9], [0.02, 0.45, -2.3], [0.11, -0.2, 5.7]];
        for (r, row) in rows.iter().enumerate() {
            basis[r][..3].copy_from_slice(row);
        }
        let mut u = [0.0; MOST];
        u[..3].copy_from_slice(&[0.2, -0.1, 0.4]);
        let mut t = identity();
        let d = reduce(&basis, &mut t, 3);
        let found = points(&d, &u, 3, 1000);
        let mut got: Vec<[i64; 3]> = found
            .points
            .iter()
            .map(|z| std::array::from_fn(|r| (0..3).map(|c| t[r][c] * z[c]).sum::<f64>() as i64))
            .collect();
        got.sort_unstable();
        let mut want = Vec::new();
        for a in -40..=40i64 {
            for b in -40..=40i64 {
                for c in -40..=40i64 {
                    let z = [a as f64, b as f64, c as f64];
                    let inside = (0..3).all(|r| {
                        let v: f64 = u[r] + (0..3).map(|i| rows[r][i] * z[i]).sum::<f64>();
                        v.abs() <= 1.0
                    });
                    if inside {
                        want.push([a, b, c]);
                    }
                }
            }
        }
        want.sort_unstable();
        assert!(want.len() > 5, "{}", want.len());
        assert_eq!(got, want);
    }
}
