//! All points of a lattice in a cube, with a proof that none is missed.
//!
//! The points are `u + B n`, with integer n, and those in the unit cube are wanted. With an integer matrix T of determinant ±1 and `D = B
//! T`, they are `u + D z`. For any matrix R, `R D = I + ε`, so that `z = R (v - u) - ε z` for a point v of the cube, and each z_r lies in
//! an interval of half width `|R_r|_1 + |ε| |z|`. If one of these intervals contains no integer, there is no point. The result is correct
//! for any T and R; poor ones only make the intervals wider. So the transform of the previous run is tried first, and it is reduced again
//! if the intervals have become wide.

#![expect(
    clippy::needless_range_loop,
    reason = "rows and columns of small matrices, of which parts are used"
)]

use super::model::MOST;
use super::reduce::{Matrix, identity, reduce};

/// A lattice, `offset + basis n`. Its points in the unit cube and above a plane are searched for.
#[derive(Debug)]
pub(super) struct Points {
    /// The number of dimensions: 2 to [`MOST`].
    pub(super) n: usize,
    /// The basis vectors, as columns.
    pub(super) basis: Matrix,
    /// The offset of the lattice.
    pub(super) offset: [f64; MOST],
    /// The wanted points are those whose coordinates times these
    pub(super) plane: [f64; MOST],
    /// add up to at least this.
    pub(super) least: f64,
    /// The largest magnitude of the first integer.
    pub(super) half: f64,
}

/// The result of a search.
#[derive(Debug, Default)]
pub struct Found {
    /// Offsets of inputs from the run's center.
    pub offsets: Vec<f64>,
    /// The number of integer vectors that were examined.
    pub looked: f64,
}

/// The largest number of integer vectors that are examined.
const LIMIT: f64 = 20_000.0;
/// The limit with a transform of another lattice. For more vectors, a reduction costs less than examining them.
const UNREDUCED: f64 = 20.0;
/// Slightly more than the cube, for the rounding errors of sums here.
const CUBE: f64 = 1.0 + 1e-6;

impl Points {
    /// The first integers of all points in the cube above the plane, and possibly of others. `transform` has determinant ±1; it is changed
    /// to one that suits this lattice.
    ///
    /// `None` if there are too many points to examine, or the numbers are too large for doubles.
    pub(super) fn points(&self, transform: &mut Matrix) -> Option<Found> {
        #[cfg(target_arch = "x86_64")]
        if std::is_x86_feature_detected!("avx2") && std::is_x86_feature_detected!("fma") {
            // SAFETY: the processor has the two features.
            return unsafe { self.points_fma(transform) };
        }
        self.points_by_dimension(transform)
    }

    /// The same as [`Points::points`], with the instructions without which a fused operation is a call. The results are the same.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    fn points_fma(&self, transform: &mut Matrix) -> Option<Found> {
        self.points_by_dimension(transform)
    }

    #[inline(always)]
    fn points_by_dimension(&self, transform: &mut Matrix) -> Option<Found> {
        // Loops of constant length are unrolled.
        match self.n {
            2 => self.points_of::<2>(transform),
            3 => self.points_of::<3>(transform),
            4 => self.points_of::<4>(transform),
            5 => self.points_of::<5>(transform),
            6 => self.points_of::<6>(transform),
            7 => self.points_of::<7>(transform),
            8 => self.points_of::<8>(transform),
            9 => self.points_of::<9>(transform),
            10 => self.points_of::<10>(transform),
            11 => self.points_of::<11>(transform),
            12 => self.points_of::<12>(transform),
            _ => None,
        }
    }

    #[inline(always)]
    fn points_of<const N: usize>(&self, transform: &mut Matrix) -> Option<Found> {
        let found = self.enumerate::<N>(transform, UNREDUCED);
        if found.is_some() {
            return found;
        }
        if !reduce::<N>(&self.basis, transform) {
            *transform = identity();
            if !reduce::<N>(&self.basis, transform) {
                return None;
            }
        }
        self.enumerate::<N>(transform, LIMIT)
    }

    #[inline(always)]
    fn enumerate<const N: usize>(&self, transform: &Matrix, limit: f64) -> Option<Found> {
        // The integers must be exact, or the transform is not unimodular.
        let mut largest = 0.0f64;
        for r in 0..N {
            for c in 0..N {
                largest = largest.max(transform[r][c].abs());
            }
        }
        if largest > 2f64.powi(50) {
            return None;
        }
        let (d, absolute) = self.transformed::<N>(transform);
        let inverse = inverse(&d)?;
        let epsilon = norm(&inverse, &d, absolute)?;
        let mut centers = [0.0; N];
        let mut widths = [0.0; N];
        for r in 0..N {
            (centers[r], widths[r]) = self.image(&inverse[r]);
        }
        let more = beyond(epsilon, &centers, &widths);
        let mut first = [0.0; N];
        let mut last = [0.0; N];
        let mut product = 1.0;
        for r in 0..N {
            (first[r], last[r]) = ends(centers[r], widths[r], more);
            if first[r] > last[r] {
                return Some(Found::default());
            }
            let fits = last[r] - first[r] < 1e6 && first[r].abs() < 1e15;
            product *= if fits {
                last[r] - first[r] + 1.0
            } else {
                f64::INFINITY
            };
        }
        // For the integer with the most possible values, those are tried that the others allow.
        let mut widest = 0;
        for r in 1..N {
            if last[r] - first[r] > last[widest] - first[widest] {
                widest = r;
            }
        }
        let looked = product / (last[widest] - first[widest] + 1.0);
        if looked.is_nan() || looked > limit {
            return None;
        }
        let mut found = Found {
            offsets: Vec::new(),
            looked,
        };
        let mut z = first;
        loop {
            let (from, to) = self.between(&d, &z, widest, (first[widest], last[widest]));
            z[widest] = from;
            while z[widest] <= to {
                if self.holds(&d, &z) {
                    let steps = || (0..N).map(|c| transform[0][c] * z[c]);
                    let m: f64 = steps().sum();
                    // Each product and sum is exact. A sum above the limit may be rounded to it.
                    if steps().map(f64::abs).sum::<f64>() >= 2f64.powi(53) {
                        return None;
                    }
                    if m.abs() <= self.half {
                        found.offsets.push(m);
                    }
                }
                z[widest] += 1.0;
            }
            let mut level = 0;
            while level < N && (level == widest || z[level] == last[level]) {
                z[level] = first[level];
                level += 1;
            }
            if level == N {
                return Some(found);
            }
            z[level] += 1.0;
        }
    }

    /// The basis times the transform, and a bound of the errors of its entries.
    #[inline(always)]
    fn transformed<const N: usize>(&self, transform: &Matrix) -> ([[f64; N]; N], f64) {
        let mut d = [[0.0; N]; N];
        let mut absolute = 0.0f64;
        for r in 0..N {
            for c in 0..N {
                let (mut s, mut low, mut size) = (0.0f64, 0.0f64, 0.0f64);
                for q in 0..N {
                    add_product(&mut s, &mut low, self.basis[r][q], transform[q][c]);
                    size += (self.basis[r][q] * transform[q][c]).abs();
                }
                d[r][c] = s + low;
                // Ogita, Rump and Oishi's `Dot2`: one rounding of the result, and n² u² of the terms.
                absolute = absolute.max(d[r][c].abs() * 2f64.powi(-52) + size * 2f64.powi(-95));
            }
        }
        (d, absolute)
    }

    /// The interval of a coordinate of `R (v - u)` for v in the cube, as its middle and half of its width, from its row of R.
    #[inline(always)]
    fn image<const N: usize>(&self, row: &[f64; N]) -> (f64, f64) {
        let (mut s, mut low, mut size) = (0.0f64, 0.0f64, 0.0f64);
        for q in 0..N {
            add_product(&mut s, &mut low, row[q], self.offset[q]);
            size += row[q].abs() * (CUBE + self.offset[q].abs() * 2f64.powi(-50));
        }
        // `CUBE` is more than the roundings of the size.
        (-(s + low), size)
    }

    /// The range of values of one integer for which the point may be in the cube, with the other integers as in `z`.
    #[inline(always)]
    fn between<const N: usize>(
        &self,
        d: &[[f64; N]; N],
        z: &[f64; N],
        which: usize,
        (mut first, mut last): (f64, f64),
    ) -> (f64, f64) {
        for r in 0..N {
            let (mut v, mut room) = (self.offset[r], self.offset[r].abs());
            for c in 0..N {
                if c != which {
                    v += d[r][c] * z[c];
                    room += (d[r][c] * z[c]).abs();
                }
            }
            let by = d[r][which];
            // Rows that hardly depend on the integer do not restrict it.
            if by.abs() > 1e-6 {
                // Of `v` and of the ends, 2 N + 5 numbers are rounded, none larger than `room`, or else than the cube.
                let reach = (CUBE + room * 2f64.powi(-47)) / by.abs();
                let middle = -v / by;
                first = first.max((middle - reach - 1e-6).ceil());
                last = last.min((middle + reach + 1e-6).floor());
            }
        }
        (first, last)
    }

    /// Whether the point may be in the cube and above the plane.
    #[inline(always)]
    fn holds<const N: usize>(&self, d: &[[f64; N]; N], z: &[f64; N]) -> bool {
        let mut sum = 1e-12 * (1.0 + self.least.abs());
        for r in 0..N {
            let (mut v, mut room) = (self.offset[r], self.offset[r].abs());
            for c in 0..N {
                v += d[r][c] * z[c];
                room += (d[r][c] * z[c]).abs();
            }
            let room = room * 2f64.powi(-48);
            if v.abs() > CUBE + room {
                return false;
            }
            sum += self.plane[r] * v + self.plane[r].abs() * (room + (CUBE - 1.0) * 1e-3);
        }
        sum >= self.least
    }
}

/// A bound of `‖R D - I‖`, where each entry of D is within `absolute` of `d`. `None` if there is none, or it is large.
#[inline(always)]
fn norm<const N: usize>(inverse: &[[f64; N]; N], d: &[[f64; N]; N], absolute: f64) -> Option<f64> {
    let mut epsilon = 0.0f64;
    for r in 0..N {
        let mut row = 0.0;
        for c in 0..N {
            let (mut v, mut size) = (if r == c { -1.0 } else { 0.0 }, 1.0);
            for q in 0..N {
                v += inverse[r][q] * d[q][c];
                size += (inverse[r][q] * d[q][c]).abs();
            }
            // At most 2 N roundings, each of a sum no larger than `size`, or of one of its terms.
            row += v.abs() + size * (2 * N + 4) as f64 * 2f64.powi(-53);
        }
        let sum: f64 = inverse[r].iter().map(|v| v.abs()).sum();
        let norm = row + sum * absolute * N as f64;
        // A maximum leaves out a NaN.
        if norm.is_nan() || norm > 0.01 {
            return None;
        }
        epsilon = epsilon.max(norm);
    }
    Some(epsilon)
}

/// How far integers may be from the intervals of the coordinates: `‖ε‖ ‖z‖`.
#[inline(always)]
fn beyond<const N: usize>(epsilon: f64, centers: &[f64; N], widths: &[f64; N]) -> f64 {
    let mut largest = 0.0f64;
    for r in 0..N {
        largest = largest.max(centers[r].abs() + widths[r]);
    }
    epsilon * largest / (1.0 - epsilon) * (1.0 + 1e-12) + 1e-9
}

/// The first and the last integer of a coordinate's interval.
#[inline(always)]
fn ends(center: f64, width: f64, more: f64) -> (f64, f64) {
    (
        (center - width - more).ceil(),
        (center + width + more).floor(),
    )
}

/// Adds a product to the sum `s + low`, to about twice the precision: a step of Ogita, Rump and Oishi's `Dot2` (2005).
#[inline(always)]
fn add_product(s: &mut f64, low: &mut f64, a: f64, b: f64) {
    let p = a * b;
    let e = a.mul_add(b, -p);
    let t = *s + p;
    let seen = t - *s;
    *low += ((*s - (t - seen)) + (p - seen)) + e;
    *s = t;
}

/// An approximate inverse, by Gauss-Jordan elimination.
#[inline(always)]
fn inverse<const N: usize>(d: &[[f64; N]; N]) -> Option<[[f64; N]; N]> {
    let mut a = *d;
    let mut b = [[0.0; N]; N];
    for r in 0..N {
        b[r][r] = 1.0;
    }
    for c in 0..N {
        let mut p = c;
        for r in c + 1..N {
            if a[r][c].abs() > a[p][c].abs() {
                p = r;
            }
        }
        a.swap(c, p);
        b.swap(c, p);
        let pivot = a[c][c];
        if pivot == 0.0 || !pivot.is_finite() {
            return None;
        }
        let by = 1.0 / pivot;
        for q in 0..N {
            a[c][q] *= by;
            b[c][q] *= by;
        }
        let (row, unit) = (a[c], b[c]);
        for r in 0..N {
            if r != c {
                let by = a[r][c];
                for q in 0..N {
                    a[r][q] -= by * row[q];
                    b[r][q] -= by * unit[q];
                }
            }
        }
    }
    Some(b)
}

#[cfg(test)]
mod tests;
