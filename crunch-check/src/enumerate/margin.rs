//! Margins that are added to the bounds of the theorem of enumeration, for the roundings of the doubles in which they are computed.

use crate::number::padded;

/// A bound of the error of a sum of products whose magnitudes add up to `size`: of at most 14 products and 14 sums each is rounded by one
/// part in 2^53, which is less than 2^-48 of `size`. As much again is for the roundings of the basis times the transform, whose
/// entries are off by one part in 2^52.
pub fn off(size: f64) -> f64 {
    size * 2f64.powi(-47)
}

/// Half of the side of the cube, with a bound of the error of a coordinate by truncating the basis to so many bits after the point. (The
/// roundings of doubles are in the pads.)
pub fn widened(reaches: &[f64], bits: i32) -> f64 {
    padded(1.0 + 1e-9 + reaches.iter().sum::<f64>() * 2f64.powi(-bits))
}

/// A bound of `‖R D - I‖`, the largest sum of the magnitudes of a row; NaN if there is no bound.
pub fn epsilon<const N: usize>(inverse: &[[f64; N]; N], d: &[[f64; N]; N]) -> f64 {
    let mut most = 0.0f64;
    for r in 0..N {
        let (mut v, mut size) = ([0.0; N], [1.0; N]);
        v[r] = -1.0;
        for q in 0..N {
            for c in 0..N {
                let term = inverse[r][q] * d[q][c];
                v[c] += term;
                size[c] += term.abs();
            }
        }
        let row = padded((0..N).map(|c| v[c].abs() + off(size[c])).sum());
        most = if row > most || row.is_nan() {
            row
        } else {
            most
        };
    }
    most
}

/// Coordinate r of `R (v - u)`, where `|v| <= cube` and u is the offset, from row r of R. Returns the middle of the coordinate, its largest
/// distance from the middle, and a bound of its magnitude.
pub fn image(row: &[f64], offset: &[f64], cube: f64) -> (f64, f64, f64) {
    let (mut center, mut width, mut size) = (0.0, 0.0, 0.0);
    for (&r, &u) in row.iter().zip(offset) {
        center -= r * u;
        width += r.abs();
        size += (r * u).abs();
    }
    let width = padded(width * cube + off(size));
    (center, width, padded(center.abs() + width))
}

/// How far an integer may be from the image of the cube: `‖ε‖ ‖z‖`, where `‖z‖ <= largest / (1 - ‖ε‖)`, and the two roundings of
/// `center ∓ width ∓ this`, each at most one part in 2^53 of 1.02 times `largest`. `None` if `‖ε‖` is not below a hundredth.
pub fn beyond(epsilon: f64, largest: f64) -> Option<f64> {
    (epsilon < 0.01).then(|| padded(epsilon * largest / (1.0 - epsilon)) + largest * 2f64.powi(-50))
}

/// The integers z from the first end to the second for which `v + by z` may be in the cube, as their ends; v is a sum of products whose
/// magnitudes add up to `size`. Where there is none, the first end is above the second.
pub fn allowed((v, size): (f64, f64), by: f64, cube: f64, (from, to): (f64, f64)) -> (f64, f64) {
    let most = by.abs() * from.abs().max(to.abs());
    let room = cube + off(size + most);
    if by.abs() <= 1e-9 {
        // A quotient by such a small number gives no information: the result is all integers, or none.
        let none = v.abs() > padded(room + most);
        return if none { (1.0, 0.0) } else { (from, to) };
    }
    let (middle, reach) = (-v / by, room / by.abs());
    // Of the quotients, and of two sums, each rounding is at most one part in 2^53.
    let more = (middle.abs() + reach) * 2f64.powi(-50);
    (
        from.max((middle - reach - more).ceil()),
        to.min((middle + reach + more).floor()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::Words;
    use crate::number::{Number, exact, magnitude, power};

    fn times(a: f64, b: f64) -> Number {
        let (a, b) = (exact(a), exact(b));
        Number::new(
            a.significand() * b.significand(),
            a.exponent() + b.exponent(),
        )
    }

    fn part(random: &mut Words) -> f64 {
        random.below(1 << 50) as f64 * 2f64.powi(-49) - 1.0
    }

    /// The matrix differs from the inverse by up to a hundredth, to either side; or it is nearly exact, and its products cancel.
    #[test]
    fn epsilon_bounds_each_row() {
        let mut random = Words(1);
        let mut widest = 0.0f64;
        for k in 0..6000 {
            let mut d = [[0.0; 3]; 3];
            let long = if k % 2 == 0 { 0.1 } else { 1e5 };
            let (u, v) = (
                [1.0, part(&mut random), part(&mut random)],
                [1.0, part(&mut random), part(&mut random)],
            );
            for r in 0..3 {
                for c in 0..3 {
                    d[r][c] = long * u[r] * v[c] + part(&mut random);
                }
            }
            let Some(mut r) = crate::reduce::inverse(&d) else {
                continue;
            };
            if k % 3 > 0 {
                let by = 1.0 + 0.01 * part(&mut random);
                r.iter_mut().flatten().for_each(|x| *x *= by);
            }
            let bound = epsilon(&r, &d);
            let mut due = Number::zero();
            for i in 0..3 {
                let row = (0..3).fold(Number::zero(), |row, c| {
                    let unit = exact(if i == c { -1.0 } else { 0.0 });
                    row + magnitude(&(0..3).fold(unit, |sum, q| sum + times(r[i][q], d[q][c])))
                });
                due = due.max(row);
            }
            assert!(exact(bound) >= due, "{bound} of {r:?} {d:?}");
            // The margin for roundings, but not more.
            if k % 2 == 0 && k % 3 > 0 {
                let most = exact(bound) - due;
                widest = widest.max(crate::number::double_above(&most));
            }
        }
        assert!(widest < 1e-6, "{widest}");
        assert!(epsilon(&[[f64::NAN, 1.0], [0.0, 1.0]], &[[1.0; 2]; 2]).is_nan());
        assert!(epsilon(&[[1.0, 0.0], [0.0, f64::NAN]], &[[1.0; 2]; 2]).is_nan());
    }

    /// If the offset is far away, so that its products cancel, the corners of the cube are still in the image.
    #[test]
    fn the_image_holds_the_cube() {
        let mut random = Words(2);
        for _ in 0..6000 {
            let far = random.of(&[0.0, 1.0, 1e6, 1e12]);
            let row = [0; 4].map(|_| part(&mut random));
            let mut offset = [0; 4].map(|_| far * part(&mut random));
            if random.below(2) == 0 {
                offset[3] = -(0..3).map(|q| row[q] * offset[q]).sum::<f64>() / row[3];
            }
            let cube = 1.0 + random.of(&[0.0, 1e-9, 0.1]);
            let (center, width, most) = image(&row, &offset, cube);
            let mut size = Number::zero();
            let mut middle = Number::zero();
            let mut reach = Number::zero();
            for q in 0..4 {
                middle = middle - times(row[q], offset[q]);
                reach = reach + times(row[q].abs(), cube);
                size = size + magnitude(&times(row[q], offset[q]));
            }
            assert!(exact(most) >= magnitude(&middle) + reach.clone());
            assert!(most <= (center.abs() + width) * (1.0 + 1e-11));
            let apart = magnitude(&(exact(center) - middle));
            assert!(apart.clone() + reach.clone() <= exact(width));
            // The bound is that of any order of the sums, and no wider than it must be.
            let half = Number::new(size.significand().clone(), size.exponent() - 48);
            assert!(reach.clone() + half <= exact(width), "{row:?} {offset:?}");
            assert!(exact(width) <= (reach + times(5.0, 1e-12)) + exact(far * 2f64.powi(-40)));
        }
    }

    #[test]
    fn what_is_beyond_the_image_is_the_theorems_and_two_roundings() {
        let mut random = Words(3);
        for _ in 0..6000 {
            let epsilon = random.of(&[0.0, 1e-14, 1e-9, 1e-4, 0.0099]) * part(&mut random).abs();
            let largest = random.of(&[1e-3, 1.0, 1e4, 1e15]) * part(&mut random).abs();
            let margin = beyond(epsilon, largest).expect("a small epsilon");
            // (margin - largest 2^-51) (1 - ε) >= ε largest
            let least = exact(margin) - times(largest, 2f64.powi(-51));
            let left = &least * &(exact(1.0) - exact(epsilon));
            assert!(
                left >= times(epsilon, largest),
                "{epsilon} {largest} {margin}"
            );
            assert!(margin <= epsilon * largest * 1.0101 + largest * 1e-14);
        }
    }

    #[test]
    fn a_poor_inverse_has_no_bound() {
        for epsilon in [0.01, 0.5, 1.0, 2.0, f64::INFINITY, f64::NAN] {
            assert_eq!(beyond(epsilon, 1.0), None);
        }
    }

    #[test]
    fn the_cube_is_wider_by_the_truncation_of_the_basis() {
        for reaches in [[0.0, 0.0, 0.0], [1e9, 3.0, 1e8], [1.0, 1e12, 2.0]] {
            let sum = reaches.iter().fold(exact(0.0), |sum, r| sum + exact(*r));
            let moved = Number::new(sum.significand().clone(), sum.exponent() - 50);
            let wide = exact(widened(&reaches, 50));
            assert!(wide >= exact(1.0) + moved.clone());
            assert!(wide <= exact(1.0 + 1.1e-9) + moved + exact(1e-14 * reaches[1]));
        }
    }

    /// `v + by z` is at the surface of the cube for one integer, which is the last or the first that is allowed.
    #[test]
    fn integers_on_the_surface_are_allowed() {
        let mut random = Words(4);
        let (mut ends, mut flat, mut none) = (0, 0, 0);
        for k in 0..40_000 {
            let reach = random.of(&[1.0, 60.0, 1e6]);
            let z = (reach * part(&mut random)).trunc();
            let by = random.of(&[1e-13, 1e-9, 2e-9, 0.01, 3.0, 1e4]) * part(&mut random);
            let side = if random.below(2) == 0 { 1.0 } else { -1.0 };
            // Toward the inside.
            let sum = exact(side) - times(by, z);
            let v = match side > 0.0 {
                true => crate::number::double_below(&sum),
                false => crate::number::double_above(&sum),
            };
            let inside = random.below(3) as f64;
            let span = (z - inside * reach, z + reach);
            let (from, to) = allowed((v, 0.0), by, 1.0, span);
            assert!(from <= z && z <= to, "{k}: {z} of {from}..{to}, by {by:e}");
            assert!(span.0 <= from && to <= span.1);
            ends += u64::from(from == z || to == z);
            flat += u64::from((from, to) == span);
            // Far outside, and not by roundings.
            let far = v + side * (1.0 + 2.1 * by.abs() * (2.0 * reach + z.abs()));
            let (from, to) = allowed((far, 0.0), by, 1.0, span);
            assert!(from > to);
            none += 1;
        }
        assert!(ends > 5000 && flat > 5000 && none > 5000, "{ends} {flat}");
    }

    /// The cube is larger by a bound of the roundings of v and of `by z`.
    #[test]
    fn room_is_left_for_roundings() {
        let mut random = Words(5);
        for _ in 0..20_000 {
            let z = (1e3 * part(&mut random)).trunc();
            let by = random.of(&[1e-10, 3.0, 1e8]) * part(&mut random);
            let size = random.of(&[0.0, 1.0, 1e9]) * part(&mut random).abs();
            // Half of the rest, so that the sum's own roundings do not count.
            let left = (exact(size) + magnitude(&times(by, z))) * power(-48);
            let side = if random.below(2) == 0 { 1.0 } else { -1.0 };
            let sum = (exact(1.0) + left) * exact(side) - times(by, z);
            let v = match side > 0.0 {
                true => crate::number::double_below(&sum),
                false => crate::number::double_above(&sum),
            };
            let (from, to) = allowed((v, size), by, 1.0, (z, z));
            assert!(from <= z && z <= to, "{z}, by {by:e}, {size:e}");
        }
    }

    #[test]
    fn sums_are_off_by_a_part_of_their_size() {
        // 28 roundings of a product, and two of a factor.
        assert!(off(1.0) >= 30.0 * 2f64.powi(-53) && off(-1.0) < 0.0);
        assert_eq!(off(8.0), 8.0 * off(1.0));
    }
}
