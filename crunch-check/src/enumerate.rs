//! The theorem of enumeration: all integer points of a box, whatever the basis.

#![expect(
    clippy::needless_range_loop,
    clippy::neg_cmp_op_on_partial_ord,
    reason = "indices of matrices, as in the theorem; a NaN must fail a comparison"
)]

use crate::reduce::{MOST, Matrix, inverse, reduce};

/// Points of a run that are looked at.
const POINTS: i64 = 50_000;

/// Bits behind the point of the basis.
const BASIS: i32 = 50;

/// The points of `|offset + basis n| <= 1`: their first coordinates.
pub fn enumerate(
    basis: &Matrix,
    offset: &[f64; MOST],
    reaches: &[f64],
    n: usize,
    transform: &mut Matrix,
    half: i64,
) -> Option<Vec<i64>> {
    // The basis in integers, so that its products with those of the transform are exact.
    let mut exact = [[0i128; MOST]; MOST];
    let mut cube = 1.0 + 1e-9;
    for r in 0..n {
        for c in 0..n {
            let x = basis[r][c] * 2f64.powi(BASIS);
            if !(x.abs() < 2f64.powi(72)) {
                return None;
            }
            exact[r][c] = x.round() as i128;
        }
    }
    // What the rounding to them moves a coordinate by; a double's own rounding is in the pads.
    cube += reaches.iter().sum::<f64>() * 2f64.powi(-BASIS);
    reduce(basis, transform, n)?;
    let mut d = [[0.0; MOST]; MOST];
    for r in 0..n {
        for c in 0..n {
            let mut sum = 0i128;
            for q in 0..n {
                let t = transform[q][c];
                if !(t.abs() < 2f64.powi(45)) {
                    return None;
                }
                sum += exact[r][q] * t as i128;
            }
            d[r][c] = sum as f64 * 2f64.powi(-BASIS);
        }
    }
    let inverse = inverse(&d, n)?;
    let mut epsilon = 0.0f64;
    for r in 0..n {
        let mut row = 0.0;
        for c in 0..n {
            let (mut v, mut size) = (-f64::from(u8::from(r == c)), 1.0);
            for q in 0..n {
                v += inverse[r][q] * d[q][c];
                size += (inverse[r][q] * d[q][c]).abs();
            }
            row += v.abs() + size * 2f64.powi(-48);
        }
        epsilon = epsilon.max(row);
    }
    if !(epsilon < 0.01) {
        return None;
    }
    let mut centers = [0.0; MOST];
    let mut widths = [0.0; MOST];
    let mut largest = 0.0f64;
    for r in 0..n {
        let (mut center, mut width) = (0.0, 0.0);
        for q in 0..n {
            center -= inverse[r][q] * offset[q];
            width += inverse[r][q].abs() * (cube + offset[q].abs() * 2f64.powi(-47));
        }
        centers[r] = center;
        widths[r] = width * (1.0 + 1e-12);
        largest = largest.max(center.abs() + widths[r]);
    }
    let more = epsilon * largest / (1.0 - epsilon) * (1.0 + 1e-12) + 1e-9;
    let mut first = [0i64; MOST];
    let mut last = [0i64; MOST];
    let mut count = 1i64;
    for r in 0..n {
        let (lo, hi) = (
            (centers[r] - widths[r] - more).ceil(),
            (centers[r] + widths[r] + more).floor(),
        );
        if lo > hi {
            return Some(Vec::new());
        }
        if !(lo.abs() < 1e15 && hi.abs() < 1e15 && hi - lo < 1e6) {
            return None;
        }
        (first[r], last[r]) = (lo as i64, hi as i64);
        count = count.saturating_mul(last[r] - first[r] + 1);
    }
    if count > POINTS {
        return None;
    }
    let mut found = Vec::new();
    let mut z = first;
    loop {
        let inside = (0..n).all(|r| {
            let (mut v, mut size) = (offset[r], offset[r].abs());
            for c in 0..n {
                v += d[r][c] * z[c] as f64;
                size += (d[r][c] * z[c] as f64).abs();
            }
            v.abs() <= cube + size * 2f64.powi(-47)
        });
        if inside {
            let m: i128 = (0..n)
                .map(|c| transform[0][c] as i128 * i128::from(z[c]))
                .sum();
            if m.abs() <= i128::from(half) {
                found.push(m as i64);
            }
        }
        let mut level = 0;
        while level < n && z[level] == last[level] {
            z[level] = first[level];
            level += 1;
        }
        if level == n {
            return Some(found);
        }
        z[level] += 1;
    }
}
