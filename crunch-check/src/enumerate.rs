//! The theorem of enumeration: all integer points of a cube, for any basis.
//!
//! The transform of the previous run is tried first: it suits most neighbours, and a poor one only makes the intervals wide. If they are
//! too wide, the basis is reduced again.

#![expect(
    clippy::needless_range_loop,
    clippy::neg_cmp_op_on_partial_ord,
    reason = "indices of matrices, as in the theorem; a NaN must fail a comparison"
)]

mod margin;

use crate::reduce::{MOST, Matrix, Transform, inverse, reduce};
use margin::{allowed, beyond, epsilon, image, widened};

/// The largest number of integer vectors that are examined in a run.
const POINTS: f64 = 20_000.0;
/// The limit with another run's transform: examining more vectors costs as much as a reduction.
const UNREDUCED: f64 = 16.0;

/// The number of bits after the point of the basis.
const BASIS: i32 = 50;

/// A lattice. The search is for the points with `|offset + basis n| <= 1`.
pub struct Cube {
    /// The number of dimensions.
    pub n: usize,
    /// The basis vectors, as columns.
    pub basis: Matrix,
    /// The offset.
    pub offset: [f64; MOST],
    /// A bound of the magnitude of each integer.
    pub reaches: [f64; MOST],
    /// The first integer is from `-half` to this.
    pub half: i64,
}

/// The result of a search.
#[derive(Debug, Default)]
pub struct Found {
    /// The first integers of all points.
    pub steps: Vec<i64>,
    /// The number of integer vectors that were examined.
    pub looked: f64,
}

impl Cube {
    /// Finds all points. Replaces the transform by one that suits this lattice, if necessary.
    ///
    /// Gives `None` if there are too many points to examine, or if numbers are too large.
    pub fn points(&self, transform: &mut Transform) -> Option<Found> {
        match self.n {
            1 => self.points_of::<1>(transform),
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
            MOST => self.points_of::<MOST>(transform),
            _ => None,
        }
    }

    fn points_of<const N: usize>(&self, transform: &mut Transform) -> Option<Found> {
        // The basis in integers, so that its products with those of the transform are exact.
        let mut exact = [[0i128; N]; N];
        for r in 0..N {
            for c in 0..N {
                exact[r][c] = fixed(self.basis[r][c])?;
            }
        }
        let entries = transform.entries::<N>();
        let d = product(&exact, entries)?;
        let found = self.points_in(&d, entries, UNREDUCED);
        if found.is_some() {
            return found;
        }
        if reduce(d, transform).is_none() {
            *transform = Transform::identity(N);
            return None;
        }
        let entries = transform.entries::<N>();
        self.points_in(&product(&exact, entries)?, entries, POINTS)
    }

    /// Finds the points, if at most this many integer vectors must be examined.
    fn points_in<const N: usize>(
        &self,
        d: &[[f64; N]; N],
        transform: &Matrix,
        limit: f64,
    ) -> Option<Found> {
        let cube = widened(&self.reaches[..N], BASIS);
        let inverse = inverse(d)?;
        let epsilon = epsilon(&inverse, d);
        let mut centers = [0.0; N];
        let mut widths = [0.0; N];
        let mut largest = 0.0f64;
        for r in 0..N {
            let (center, width, most) = image(&inverse[r], &self.offset[..N], cube);
            (centers[r], widths[r]) = (center, width);
            largest = largest.max(most);
        }
        let more = beyond(epsilon, largest)?;
        let mut first = [0.0; N];
        let mut last = [0.0; N];
        let mut count = 1.0;
        let mut widest = 0;
        for r in 0..N {
            first[r] = (centers[r] - widths[r] - more).ceil();
            last[r] = (centers[r] + widths[r] + more).floor();
            if first[r] > last[r] {
                return Some(Found::default());
            }
            if !(first[r].abs() < 1e15 && last[r].abs() < 1e15 && last[r] - first[r] < 1e6) {
                return None;
            }
            count *= last[r] - first[r] + 1.0;
            if last[r] - first[r] > last[widest] - first[widest] {
                widest = r;
            }
        }
        // For the integer with the most values, those are tried that the others allow.
        let looked = count / (last[widest] - first[widest] + 1.0);
        if !(looked <= limit) {
            return None;
        }
        let mut found = Found {
            steps: Vec::new(),
            looked,
        };
        let mut z = first;
        loop {
            self.along(d, transform, cube, (widest, last[widest]), z, &mut found)?;
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

    /// The points like `z` with one coordinate varied from its value in `z` to the last.
    fn along<const N: usize>(
        &self,
        d: &[[f64; N]; N],
        transform: &Matrix,
        cube: f64,
        (which, last): (usize, f64),
        mut z: [f64; N],
        found: &mut Found,
    ) -> Option<()> {
        let mut ends = (z[which], last);
        for r in 0..N {
            let (mut v, mut size) = (self.offset[r], self.offset[r].abs());
            for c in (0..N).filter(|&c| c != which) {
                v += d[r][c] * z[c];
                size += (d[r][c] * z[c]).abs();
            }
            ends = allowed((v, size), d[r][which], cube, ends);
            if !(ends.0 <= ends.1) {
                return Some(());
            }
        }
        let (mut from, to) = ends;
        while from <= to {
            z[which] = from;
            let mut m = 0i128;
            for c in 0..N {
                m += transform[0][c] as i128 * z[c] as i128;
            }
            if m.abs() <= i128::from(self.half) {
                found.steps.push(m as i64);
            }
            from += 1.0;
            found.looked += 1.0;
            if found.looked > 2.0 * POINTS {
                return None;
            }
        }
        Some(())
    }
}

/// A number of a basis in units of `2^-BASIS`, truncated to an integer; `None` if it is too large.
fn fixed(x: f64) -> Option<i128> {
    let scaled = x * 2f64.powi(BASIS);
    if scaled.abs() < 2f64.powi(62) {
        return Some((scaled as i64).into());
    }
    // The scaled number is an integer.
    (scaled.abs() < 2f64.powi(72)).then_some(scaled as i128)
}

/// The integers times the transform, each sum rounded once.
fn product<const N: usize>(exact: &[[i128; N]; N], transform: &Matrix) -> Option<[[f64; N]; N]> {
    let mut t = [[0i64; N]; N];
    for r in 0..N {
        for c in 0..N {
            if !(transform[r][c].abs() < 2f64.powi(45)) {
                return None;
            }
            t[r][c] = transform[r][c] as i64;
        }
    }
    let mut d = [[0.0; N]; N];
    for r in 0..N {
        for c in 0..N {
            let mut sum = 0i128;
            for q in 0..N {
                sum += exact[r][q] * i128::from(t[q][c]);
            }
            d[r][c] = double(sum) * 2f64.powi(-BASIS);
        }
    }
    Some(d)
}

/// An integer as a double: a long integer is rounded twice, each time by at most one part in 2^53.
pub fn double(x: i128) -> f64 {
    match i64::try_from(x) {
        Ok(short) => short as f64,
        Err(_) => (x >> 64) as i64 as f64 * 2f64.powi(64) + x as u64 as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::Words;
    use crate::number::{Number, exact};

    /// A cube around the points of a lattice with steep columns.
    fn cube(n: usize) -> Cube {
        let mut cube = Cube {
            n,
            basis: [[0.0; MOST]; MOST],
            offset: [0.0; MOST],
            reaches: [1000.0; MOST],
            half: 100,
        };
        cube.basis[0][0] = 0.01;
        for r in 1..n {
            cube.basis[r][0] = 3.7 + 0.31 * r as f64;
            cube.basis[r][r] = 11.0;
            cube.offset[r] = 0.2;
        }
        cube
    }

    /// The same points, found by trying all of them.
    fn all(cube: &Cube) -> Vec<i64> {
        let holds = |m: i64| {
            (1..cube.n).all(|r| {
                let x = cube.offset[r] + cube.basis[r][0] * m as f64;
                (x - (x / 11.0).round() * 11.0).abs() <= 1.0
            })
        };
        (-cube.half..=cube.half).filter(|&m| holds(m)).collect()
    }

    /// A cube with a point whose first integer is the second result, on or near the cube's surface: its coordinates are those of the
    /// cube, rounded once. The basis is far from reduced, and offsets are so large that their roundings count.
    fn around(random: &mut Words, n: usize) -> (Cube, i64) {
        let mut part = || random.below(1 << 31) as f64 / 2f64.powi(30) - 1.0;
        let mut cube = Cube {
            n,
            basis: [[0.0; MOST]; MOST],
            offset: [0.0; MOST],
            reaches: [0.0; MOST],
            half: 1000,
        };
        cube.basis[0][0] = 1.0 / cube.half as f64;
        let mut point = [0.0; MOST];
        for c in 0..n {
            let reach = if c == 0 { 1000.0 } else { 40_000.0 };
            cube.reaches[c] = reach;
            point[c] = (reach * part()).trunc();
        }
        // Some are on the surface.
        if n.is_multiple_of(2) {
            point[0] = 1000f64.copysign(point[0]);
        }
        for r in 1..n {
            for c in 0..n {
                let size = if c == r { 8.0 } else { 3.0 };
                cube.basis[r][c] = size * part() + if c == r { 9.0 } else { 0.0 };
            }
            // The sum of the products and of the offset is on the surface, or inside.
            let side = [1.0, -1.0, part()][r % 3];
            let sum: Number = (0..n).fold(exact(side), |sum, c| {
                let basis = fixed(cube.basis[r][c]).expect("small");
                let term = basis * point[c] as i128;
                sum - Number::new(dashu_int::IBig::from(term), -BASIS as isize)
            });
            // Toward the inside.
            let toward = |x: f64| {
                if side > 0.0 {
                    x.next_down()
                } else {
                    x.next_up()
                }
            };
            let mut offset = crate::number::double_below(&sum);
            if side < 0.0 {
                offset = crate::number::double_above(&sum);
            }
            cube.offset[r] = if side.abs() < 1.0 {
                toward(offset)
            } else {
                offset
            };
        }
        (cube, point[0] as i64)
    }

    #[test]
    fn a_point_on_the_surface_is_found() {
        let mut random = Words(1);
        let mut transform = Transform::identity(1);
        let mut found = 0;
        for i in 0..400 {
            let (cube, step) = around(&mut random, 2 + i % 5);
            let Some(points) = cube.points(&mut transform) else {
                continue;
            };
            found += 1;
            assert!(
                points.steps.contains(&step),
                "{step} of {} dimensions is not among {:?}",
                cube.n,
                points.steps
            );
        }
        assert!(found > 300, "{found}");
    }

    #[test]
    fn all_points_are_found_whatever_lattice_was_before() {
        let mut transform = Transform::identity(1);
        for n in [2, 4, 3, 5, 2, 3] {
            let cube = cube(n);
            let mut found = cube.points(&mut transform).expect("few").steps;
            found.sort_unstable();
            assert!(!found.is_empty());
            assert_eq!(found, all(&cube), "{n} dimensions");
        }
    }

    /// Integers are not enumerated if doubles can hardly distinguish them.
    #[test]
    fn integers_beyond_those_of_doubles_are_not_examined() {
        for (offset, some) in [(-3.0, true), (-3e15, false), (3e15, false), (-1e17, false)] {
            let mut cube = Cube {
                n: 1,
                basis: [[0.0; MOST]; MOST],
                offset: [0.0; MOST],
                reaches: [1000.0; MOST],
                half: 1000,
            };
            cube.basis[0][0] = 1.0;
            cube.offset[0] = offset;
            let mut transform = Transform::identity(1);
            let found = cube.points_in(&[[1.0]], transform.entries::<1>(), POINTS);
            assert_eq!(found.is_some(), some, "{offset:e}");
        }
    }

    /// The columns are nearly parallel and long, so that their inverse in doubles is poor, and sums lose bits. A point on the surface is
    /// found all the same.
    #[test]
    fn a_point_is_found_with_a_poor_inverse() {
        let mut random = Words(2);
        let mut transform = Transform::identity(MOST);
        let mut found = 0;
        for _ in 0..3000 {
            let mut part = || random.below(1 << 31) as f64 / 2f64.powi(30) - 1.0;
            let long = 2f64.powi(30 + (5.0 * part()) as i32);
            let (mut d, mut offset, mut reaches) = ([[0.0; 3]; 3], [0.0; MOST], [0.0; MOST]);
            let point = [0, 1, 2].map(|c| {
                reaches[c] = 1000.0;
                (1000.0 * part()).trunc()
            });
            let (u, v) = ([1.0, part(), part()], [part(), 1.0, part()]);
            for r in 0..3 {
                for c in 0..3 {
                    d[r][c] = long * u[r] * v[c] + part() + if r == c { 4.0 } else { 0.0 };
                }
                let side = [1.0, -1.0][usize::from(part() > 0.0)];
                let sum: Number = (0..3).fold(exact(side), |sum, c| {
                    let basis = exact(d[r][c]);
                    let term = basis.significand() * dashu_int::IBig::from(point[c] as i64);
                    sum - Number::new(term, basis.exponent())
                });
                // Toward the inside.
                offset[r] = match side > 0.0 {
                    true => crate::number::double_below(&sum),
                    false => crate::number::double_above(&sum),
                };
            }
            let cube = Cube {
                n: 3,
                basis: [[0.0; MOST]; MOST],
                offset,
                reaches,
                half: 1000,
            };
            let entries = transform.entries::<MOST>();
            let Some(points) = cube.points_in(&d, entries, POINTS) else {
                continue;
            };
            found += 1;
            assert!(
                points.steps.contains(&(point[0] as i64)),
                "{point:?} {d:?} {:?}",
                points.steps
            );
        }
        assert!(found > 500, "{found}");
    }

    #[test]
    fn numbers_are_truncated_to_integers_exactly() {
        assert_eq!(fixed(-0.75 * 2f64.powi(-50)), Some(0));
        assert_eq!(fixed(-1.75 * 2f64.powi(-50)), Some(-1));
        for e in -50..22 {
            assert_eq!(fixed(1.75 * 2f64.powi(e)), Some((7i128 << (e + 50)) >> 2));
        }
        for x in [2f64.powi(22), -2f64.powi(23), 1e30, f64::INFINITY, f64::NAN] {
            assert_eq!(fixed(x), None, "{x}");
        }
        for x in [
            0,
            1,
            -1,
            i128::from(i64::MAX),
            (1 << 63) + 1,
            (5 << 70) + 3,
            -(5 << 70) - 3,
            i128::MAX >> 1,
            -(1 << 100),
        ] {
            let due = x as f64;
            assert!((double(x) - due).abs() <= due.abs() * 2f64.powi(-51), "{x}");
        }
    }
}
