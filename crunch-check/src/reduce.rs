//! Reduction of a basis after Lenstra, Lenstra and Lovász (1982). The proof does not depend on the quality of the reduction. It only needs
//! the transform to consist of integer column operations, so that it is invertible over the integers.

#![expect(
    clippy::needless_range_loop,
    clippy::neg_cmp_op_on_partial_ord,
    reason = "indices of matrices, as in the article; a NaN must fail a comparison"
)]

/// The largest number of dimensions.
pub const MOST: usize = 13;

/// A square matrix, of which the upper left corner is used.
pub type Matrix = [[f64; MOST]; MOST];

/// An integer matrix of determinant ±1: the identity, changed by integer column operations.
pub struct Transform {
    /// Its number of dimensions. A corner of a larger one would not be unimodular.
    n: usize,
    entries: Matrix,
}

impl Transform {
    /// The identity.
    pub fn identity(n: usize) -> Transform {
        let mut entries = [[0.0; MOST]; MOST];
        for (i, row) in entries.iter_mut().enumerate().take(n) {
            row[i] = 1.0;
        }
        Transform { n, entries }
    }

    /// The transform's entries, if it has N dimensions; otherwise it is first reset to the identity.
    pub fn entries<const N: usize>(&mut self) -> &Matrix {
        if self.n != N {
            *self = Transform::identity(N);
        }
        &self.entries
    }
}

/// Makes the columns of `d`, a basis times `transform`, short. The transform's entries stay integers below 2^45.
pub fn reduce<const N: usize>(mut d: [[f64; N]; N], transform: &mut Transform) -> Option<()> {
    let transform = &mut transform.entries;
    // The Gram-Schmidt orthogonal columns, their squares and coefficients, up to column k.
    let mut orthogonal = [[0.0; N]; N];
    let mut square = [0.0; N];
    let mut mu = [[0.0; N]; N];
    let mut k = 0;
    let mut rounds = 0;
    while k < N {
        rounds += 1;
        if rounds > 2000 {
            return None;
        }
        let mut passes = 0;
        loop {
            for r in 0..N {
                orthogonal[r][k] = d[r][k];
            }
            for j in 0..k {
                let dot: f64 = (0..N).map(|r| d[r][k] * orthogonal[r][j]).sum();
                mu[k][j] = dot / square[j];
                for r in 0..N {
                    orthogonal[r][k] -= mu[k][j] * orthogonal[r][j];
                }
            }
            square[k] = (0..N).map(|r| orthogonal[r][k] * orthogonal[r][k]).sum();
            let mut changed = false;
            for j in (0..k).rev() {
                let by = mu[k][j].round();
                if mu[k][j].abs() > 0.51 && by != 0.0 {
                    changed = true;
                    for r in 0..N {
                        d[r][k] -= by * d[r][j];
                        // Exact: both terms and the difference are below 2^46, or the step is refused.
                        transform[r][k] -= by * transform[r][j];
                        if !(transform[r][k].abs() < 2f64.powi(45)) {
                            return None;
                        }
                    }
                    for i in 0..=j {
                        let m = if i == j { 1.0 } else { mu[j][i] };
                        mu[k][i] -= by * m;
                    }
                }
            }
            passes += 1;
            if !changed || passes > 60 {
                break;
            }
        }
        if !(square[k] > 0.0) {
            return None;
        }
        if k > 0 && square[k] < (0.9 - mu[k][k - 1] * mu[k][k - 1]) * square[k - 1] {
            for row in &mut d {
                row.swap(k, k - 1);
            }
            for row in transform.iter_mut().take(N) {
                row.swap(k, k - 1);
            }
            k -= 1;
        } else {
            k += 1;
        }
    }
    Some(())
}

/// An approximate inverse; `None` for a singular matrix.
pub fn inverse<const N: usize>(d: &[[f64; N]; N]) -> Option<[[f64; N]; N]> {
    let (mut a, mut b) = (*d, [[0.0; N]; N]);
    for r in 0..N {
        b[r][r] = 1.0;
    }
    for c in 0..N {
        let mut pivot = c;
        for r in c + 1..N {
            if a[r][c].abs() > a[pivot][c].abs() {
                pivot = r;
            }
        }
        a.swap(c, pivot);
        b.swap(c, pivot);
        let by = 1.0 / a[c][c];
        if !by.is_finite() {
            return None;
        }
        for q in 0..N {
            a[c][q] *= by;
            b[c][q] *= by;
        }
        let (row, unit) = (a[c], b[c]);
        for r in (0..N).filter(|&r| r != c) {
            let by = a[r][c];
            for q in 0..N {
                a[r][q] -= by * row[q];
                b[r][q] -= by * unit[q];
            }
        }
    }
    Some(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Columns that become short only with integers that a double does not hold.
    #[test]
    fn entries_that_are_not_exact_are_refused() {
        for (by, fits) in [
            (2f64.powi(20), true),
            (2f64.powi(44), true),
            (2f64.powi(46), false),
            (2f64.powi(60), false),
        ] {
            for by in [by, -by] {
                let mut transform = Transform::identity(2);
                let reduced = reduce([[1.0, by], [0.0, 1.0]], &mut transform);
                assert_eq!(reduced.is_some(), fits, "{by:e}");
                let entries = transform.entries::<2>();
                assert!(!fits || entries.iter().flatten().all(|e| e.fract() == 0.0));
                let whole = entries[0][0] * entries[1][1] - entries[0][1] * entries[1][0];
                assert!(!fits || whole.abs() == 1.0);
            }
        }
        // A transform of another lattice does not suit this one.
        let mut transform = Transform::identity(3);
        assert!(
            reduce(
                [[1.0, 5.0, 0.0], [0.0, 1.0, 7.0], [0.0, 0.0, 1.0]],
                &mut transform
            )
            .is_some()
        );
        assert_eq!(transform.entries::<2>()[0][..2], [1.0, 0.0]);
    }
}
