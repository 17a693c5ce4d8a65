//! Reduction of a basis after Lenstra, Lenstra and Lovász (1982). Nothing rests on how well it does: only that the transform
//! is made of column operations on integers, so that it is invertible over them.

#![expect(
    clippy::needless_range_loop,
    clippy::neg_cmp_op_on_partial_ord,
    reason = "indices of matrices, as in the article; a NaN must fail a comparison"
)]

/// Dimensions, at most.
pub const MOST: usize = 13;

/// A square matrix, of which a corner is used.
pub type Matrix = [[f64; MOST]; MOST];

/// The identity.
pub fn identity() -> Matrix {
    let mut m = [[0.0; MOST]; MOST];
    for (i, row) in m.iter_mut().enumerate() {
        row[i] = 1.0;
    }
    m
}

/// Makes the columns of `basis transform` short. The transform's entries stay integers below 2^45.
pub fn reduce(basis: &Matrix, transform: &mut Matrix, n: usize) -> Option<()> {
    let mut d = [[0.0; MOST]; MOST];
    for r in 0..n {
        for c in 0..n {
            d[r][c] = (0..n).map(|q| basis[r][q] * transform[q][c]).sum();
        }
    }
    // Gram and Schmidt's orthogonal columns, their squares and coefficients, up to column `known`.
    let mut orthogonal = [[0.0; MOST]; MOST];
    let mut square = [0.0; MOST];
    let mut mu = [[0.0; MOST]; MOST];
    let mut k = 0;
    let mut rounds = 0;
    while k < n {
        rounds += 1;
        if rounds > 2000 {
            return None;
        }
        let mut passes = 0;
        loop {
            for r in 0..n {
                orthogonal[r][k] = d[r][k];
            }
            for j in 0..k {
                let dot: f64 = (0..n).map(|r| d[r][k] * orthogonal[r][j]).sum();
                mu[k][j] = dot / square[j];
                for r in 0..n {
                    orthogonal[r][k] -= mu[k][j] * orthogonal[r][j];
                }
            }
            square[k] = (0..n).map(|r| orthogonal[r][k] * orthogonal[r][k]).sum();
            let mut changed = false;
            for j in (0..k).rev() {
                let by = mu[k][j].round();
                if mu[k][j].abs() > 0.51 && by != 0.0 {
                    changed = true;
                    for r in 0..n {
                        d[r][k] -= by * d[r][j];
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
            for m in [&mut d, &mut *transform] {
                for row in m.iter_mut().take(n) {
                    row.swap(k, k - 1);
                }
            }
            k -= 1;
        } else {
            k += 1;
        }
    }
    Some(())
}

/// Nearly the inverse; `None` of a singular matrix.
pub fn inverse(d: &Matrix, n: usize) -> Option<Matrix> {
    let (mut a, mut b) = (*d, identity());
    for c in 0..n {
        let pivot = (c..n).max_by(|&x, &y| a[x][c].abs().total_cmp(&a[y][c].abs()))?;
        a.swap(c, pivot);
        b.swap(c, pivot);
        let by = a[c][c];
        if by == 0.0 || !by.is_finite() {
            return None;
        }
        for q in 0..n {
            a[c][q] /= by;
            b[c][q] /= by;
        }
        for r in (0..n).filter(|&r| r != c) {
            let by = a[r][c];
            if by != 0.0 {
                for q in 0..n {
                    a[r][q] -= by * a[c][q];
                    b[r][q] -= by * b[c][q];
                }
            }
        }
    }
    Some(b)
}
