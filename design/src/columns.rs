//! Changes the basis of a matrix's columns so that no column is much larger than the others.

/// Columns of a matrix.
pub type Columns = Vec<Vec<f64>>;

/// Splits columns into orthogonal ones, each at most 1 in magnitude, and a triangular matrix.
pub fn orthogonal(mut columns: Columns) -> Option<(Columns, Columns)> {
    let n = columns.len();
    let mut factors = vec![vec![0.0; n]; n];
    #[allow(clippy::needless_range_loop, reason = "it numbers rows and columns")]
    for k in 0..n {
        let (done, rest) = columns.split_at_mut(k);
        let column = &mut rest[0];
        // Twice, for what the first time rounds.
        for _ in 0..2 {
            for (j, q) in done.iter().enumerate() {
                let norm: f64 = q.iter().map(|x| x * x).sum();
                let part: f64 = q.iter().zip(column.iter()).map(|(a, b)| a * b).sum::<f64>() / norm;
                factors[j][k] += part;
                column.iter_mut().zip(q).for_each(|(c, q)| *c -= part * q);
            }
        }
        let largest = column.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        if largest.is_nan() || largest == 0.0 {
            return None;
        }
        factors[k][k] = largest;
        column.iter_mut().for_each(|x| *x /= largest);
    }
    Some((columns, factors))
}
