//! The margins of the enumeration are compared with exact arithmetic, and its points with all points of small lattices.

use std::collections::BTreeSet;

use super::*;
use crate::num::dyadic::{Dyadic, Random, sum, times};

fn lattice(n: usize) -> Points {
    Points {
        n,
        basis: identity(),
        offset: [0.0; MOST],
        plane: [0.0; MOST],
        least: -1.0,
        half: 1e6,
    }
}

/// Sums of products that cancel, once and twice.
fn products<const N: usize>(seed: u64) {
    let mut random = Random(seed);
    for round in 0..800 {
        let mut lattice = lattice(N);
        let mut transform = identity();
        let negative = random.below(4) == 0;
        // Columns that are multiples of one cancel in the same way.
        let parallel = random.below(2) == 0;
        for r in 0..N {
            let one = random.integer(28);
            for c in 0..N {
                transform[r][c] = match parallel {
                    true => one * (1 + 5 * c) as f64,
                    false => random.integer(40),
                };
            }
        }
        let kept = random.below(3);
        for r in 0..N {
            for c in 0..N {
                let size = random.of(&[1.0, 1.0, 1e-9, 1e6]);
                let mut b = random.unit() * size;
                let so_far = sum((0..c).map(|q| times(lattice.basis[r][q], transform[q][0])));
                if c as u64 + kept >= N as u64 {
                    b = -so_far.near() / transform[c][0];
                }
                lattice.basis[r][c] = b;
            }
        }
        if negative {
            for r in 0..N {
                for c in 0..N {
                    transform[r][c] = transform[r][c].abs();
                    lattice.basis[r][c] = -lattice.basis[r][c].abs();
                }
            }
        }
        let (d, absolute) = lattice.transformed::<N>(&transform);
        let bound = Dyadic::of(absolute);
        let mut most = 0.0f64;
        for r in 0..N {
            for c in 0..N {
                let terms = |q: usize| times(lattice.basis[r][q], transform[q][c]);
                let exact = sum((0..N).map(terms));
                let size = sum((0..N).map(|q| terms(q).size()));
                let off = exact.minus(&Dyadic::of(d[r][c])).size();
                let context = format!("{round}: {r} {c} {:?} {d:?} {absolute:e}", lattice.basis);
                assert!(off.at_most(&bound), "{context}");
                // The bound is that of any order of the sums.
                let due = exact.size().scaled(-53).plus(&size.size().scaled(-96));
                assert!(due.at_most(&bound), "{context}");
                most = most.max(
                    exact
                        .size()
                        .scaled(-52)
                        .plus(&size.size().scaled(-95))
                        .near(),
                );
            }
        }
        assert!(absolute <= most * (1.0 + 1e-9), "{round}: {absolute:e}");
    }
}

#[test]
fn products_are_within_their_bound() {
    products::<2>(1);
    products::<4>(2);
}

/// The matrix is off the inverse by up to a hundredth, to either side; or nearly exact, and its products cancel.
fn norms<const N: usize>(seed: u64) {
    let mut random = Random(seed);
    let mut bounded = 0;
    for round in 0..2000 {
        let mut d = [[0.0; N]; N];
        let long = random.of(&[0.1, 1e5]);
        let (u, v) = ([0; N].map(|_| random.unit()), [0; N].map(|_| random.unit()));
        for r in 0..N {
            for c in 0..N {
                d[r][c] = long * u[r] * v[c] + random.unit();
            }
        }
        let Some(mut inverse) = inverse(&d) else {
            continue;
        };
        if round % 3 > 0 {
            let by = 1.0 + 0.01 / N as f64 * random.unit();
            inverse.iter_mut().flatten().for_each(|x| *x *= by);
        }
        let largest = inverse
            .iter()
            .flatten()
            .fold(1e-9f64, |m, x| m.max(x.abs()));
        let absolute = random.of(&[0.0, 1e-3, 1e-8]) / largest * random.unit().abs();
        let mut row = |r: usize| {
            let mut due = Dyadic::of(0.0);
            for c in 0..N {
                let unit = Dyadic::of(if r == c { -1.0 } else { 0.0 });
                let v = unit.plus(&sum((0..N).map(|q| times(inverse[r][q], d[q][c]))));
                let size = sum((0..N).map(|q| times(inverse[r][q], d[q][c]).size()));
                // Half of the roundings' bound.
                let roundings = times(N as f64 * 2f64.powi(-53), 1.0).times(&size);
                due = due.plus(&v.size()).plus(&roundings);
                let errors = times(inverse[r][c], absolute).size();
                due = due.plus(&errors.times(&Dyadic::of(N as f64)));
            }
            due
        };
        let rows: Vec<Dyadic> = (0..N).map(&mut row).collect();
        let most = rows.iter().fold(0.0f64, |m, r| m.max(r.near()));
        match norm(&inverse, &d, absolute) {
            Some(epsilon) => {
                bounded += 1;
                let bound = Dyadic::of(epsilon);
                let context = format!("{round}: {epsilon:e} {inverse:?} {d:?} {absolute:e}");
                assert!(rows.iter().all(|r| r.at_most(&bound)), "{context}");
                assert!(epsilon <= 0.01 && epsilon < most + 1e-6, "{context}");
            }
            None => assert!(most > 0.0099, "{round}: {most}"),
        }
        // Not the inverse, in any row.
        for r in 0..N {
            let mut poor = inverse;
            for by in [1.02, 3.0, -1.0, f64::INFINITY, f64::NAN] {
                poor[r] = inverse[r].map(|x| x * by);
                assert_eq!(norm(&poor, &d, absolute), None, "{round}: {r} {by}");
            }
        }
    }
    assert!(bounded > 1000, "{bounded}");
}

#[test]
fn the_norm_bounds_each_row() {
    // Each of the entries is a sum of 2 N terms.
    let unit: [[f64; 12]; 12] = std::array::from_fn(|r| std::array::from_fn(|c| identity()[r][c]));
    let roundings = 12.0 * 24.0 * 2f64.powi(-53);
    assert!(norm(&unit, &unit, 0.0).is_some_and(|e| e >= roundings && e < 2.0 * roundings));
    norms::<2>(3);
    norms::<3>(4);
}

/// With the offset far away, of which the products cancel, the corners of the cube are in the image.
#[test]
fn the_image_holds_the_cube() {
    let mut random = Random(5);
    for round in 0..4000 {
        let far = random.of(&[0.0, 1.0, 1e6, 1e13]);
        let row = [0; 4].map(|_| random.unit());
        let mut lattice = lattice(4);
        for q in 0..4 {
            lattice.offset[q] = far * random.unit();
        }
        if round % 2 == 0 {
            let others = sum((0..3).map(|q| times(row[q], lattice.offset[q])));
            lattice.offset[3] = -others.near() / row[3];
        }
        let (center, width) = lattice.image(&row);
        let middle = sum((0..4).map(|q| times(-row[q], lattice.offset[q])));
        let reach = sum((0..4).map(|q| Dyadic::of(row[q].abs())));
        let size = sum((0..4).map(|q| times(row[q], lattice.offset[q]).size()));
        let context = format!("{round}: {row:?} {:?}", lattice.offset);
        let apart = middle.minus(&Dyadic::of(center)).size();
        // One rounding of the result, and the squares of those of the terms.
        let one = middle.size().scaled(-52).plus(&size.scaled(-95));
        assert!(apart.at_most(&one), "{context}");
        assert!(apart.plus(&reach).at_most(&Dyadic::of(width)), "{context}");
        let due = reach.plus(&size.size().scaled(-51));
        assert!(due.at_most(&Dyadic::of(width)), "{context}");
        let most = reach.near() * CUBE + size.size().scaled(-50).near();
        assert!(width <= most * (1.0 + 1e-11), "{context}");
    }
}

/// The theorem's bound of what integers add to the image.
#[test]
fn integers_are_not_further_from_the_image() {
    let mut random = Random(6);
    for round in 0..4000 {
        let epsilon = random.of(&[0.0, 1e-14, 1e-9, 1e-4, 0.0099]) * random.unit().abs();
        let size = random.of(&[1e-3, 1.0, 1e4, 1e9]);
        let centers = [0; 3].map(|_| size * random.unit());
        let far = random.of(&[0.1, 10.0]);
        let widths = [0; 3].map(|_| far * size * random.unit().abs());
        let more = beyond(epsilon, &centers, &widths);
        // (more - 2^-31) (1 - ε) >= ε (|center| + width)
        let less = Dyadic::of(1.0).minus(&Dyadic::of(epsilon));
        let left = Dyadic::of(more).minus(&Dyadic::of(2f64.powi(-31)));
        let left = left.times(&less);
        let mut most = 0.0f64;
        for r in 0..3 {
            let largest = Dyadic::of(centers[r].abs()).plus(&Dyadic::of(widths[r]));
            let due = largest.times(&Dyadic::of(epsilon));
            assert!(
                due.at_most(&left),
                "{round}: {epsilon} {centers:?} {widths:?}"
            );
            most = most.max(largest.near());
        }
        assert!(more <= epsilon * most * 1.011 + 1.1e-9, "{round}");
    }
}

/// Both ends are integers within the interval, and the next ones are not.
#[test]
fn the_ends_of_an_interval() {
    let mut random = Random(7);
    for round in 0..4000 {
        let quarter = |n: u64| n as f64 / 4.0;
        let center = random.sign() * quarter(random.below(1 << 20));
        let (width, more) = (quarter(random.below(10)), quarter(random.below(10)));
        let (first, last) = ends(center, width, more);
        let inside = |z: f64| (z - center).abs() <= width + more;
        let context = format!("{round}: {center} {width} {more}");
        assert!(first.fract() == 0.0 && last.fract() == 0.0, "{context}");
        assert!(!inside(first - 1.0) && !inside(last + 1.0), "{context}");
        assert!(first > last || inside(first) && inside(last), "{context}");
    }
}

/// A lattice with a point whose coordinates are at the surface of the cube or inside, the integers of the point, the places of the
/// margins, and the sum of its coordinates' sizes.
struct Surface {
    lattice: Points,
    d: [[f64; 3]; 3],
    z: [f64; 3],
}

/// The point is outside of the cube by half of what is left for the roundings of its coordinates.
fn surface(random: &mut Random, flat: bool) -> Surface {
    let mut lattice = lattice(3);
    let reach = random.of(&[3, 20, 45]);
    let z = [0; 3].map(|_| random.integer(reach));
    let long = random.of(&[1e-3, 1.0, 1e3]);
    let mut d = [[0.0; 3]; 3];
    for r in 0..3 {
        let by = if flat { 1e-7 } else { 1.0 };
        d[r] = [long, long, long].map(|l| l * by * random.unit());
        let terms = |c: usize| times(d[r][c], z[c]);
        let all = sum((0..3).map(terms));
        // The offset is as large as the sum of the others, nearly.
        let size = sum((0..3).map(|c| terms(c).size())).plus(&all.size());
        let out = random.of(&[0.0, 0.5, 1.0]);
        let room = Dyadic::of(1.0).plus(&size.size().scaled(-50));
        let side = Dyadic::of(random.sign() * out).times(&room);
        // Toward the inside.
        let u = side.minus(&all);
        let near = u.near();
        let inward = match Dyadic::of(near).plus(&all).size().at_most(&room) {
            true => near,
            false => [near.next_up(), near.next_down()]
                .into_iter()
                .find(|&u| Dyadic::of(u).plus(&all).size().at_most(&room))
                .unwrap_or(f64::NAN),
        };
        lattice.offset[r] = inward;
    }
    Surface { lattice, d, z }
}

/// The integers that the others allow have the point's, whichever it is and whatever the range that is asked for.
#[test]
fn integers_of_points_at_the_surface_are_allowed() {
    let mut random = Random(8);
    let (mut tried, mut cut) = (0, 0);
    for round in 0..6000 {
        let flat = random.below(4) == 0;
        let Surface { lattice, d, z } = surface(&mut random, flat);
        if lattice.offset.iter().any(|u| u.is_nan()) {
            continue;
        }
        tried += 1;
        for which in 0..3 {
            let far = random.of(&[1.0, 10.0, 1e12]);
            for range in [
                (z[which], z[which]),
                (z[which] - far, z[which]),
                (z[which], z[which] + far),
                (z[which] - far, z[which] + far),
            ] {
                let (from, to) = lattice.between(&d, &z, which, range);
                let context = format!("{round}: {which} {d:?} {z:?} {:?}", lattice.offset);
                assert!(from <= z[which] && z[which] <= to, "{context} {from}..{to}");
                assert!(range.0 <= from && to <= range.1, "{context}");
                cut += u32::from((from, to) != range);
            }
        }
    }
    assert!(tried > 3000 && cut > 3000, "{tried} {cut}");
}

/// Half of a bound of the roundings of coordinates: `Σ |u| + |d z|` times 2^-49.
#[test]
fn room_is_left_for_roundings() {
    let mut random = Random(9);
    for round in 0..4000 {
        let reach = random.of(&[3, 20, 45]);
        let mut lattice = lattice(3);
        let mut d = [[0.0; 3]; 3];
        let z = [0; 3].map(|_| random.integer(reach));
        for r in 0..3 {
            lattice.offset[r] = random.of(&[0.0, 1.0, 1e9]) * random.unit();
            d[r] = [0; 3].map(|_| random.of(&[0.0, 1.0, 1e3]) * random.unit());
        }
        // In one row, the coordinate is at the surface, and the other rows are zero.
        let row = random.below(3) as usize;
        for r in (0..3).filter(|&r| r != row) {
            d[r] = [0.0; 3];
            lattice.offset[r] = random.unit();
        }
        let which = random.below(3) as usize;
        let rest = |lattice: &Points, d: &[[f64; 3]; 3], without: usize| {
            let u = Dyadic::of(lattice.offset[row]);
            let terms = (0..3).filter(|&c| c != without);
            let terms: Vec<Dyadic> = terms.map(|c| times(d[row][c], z[c])).collect();
            let size = sum(terms.iter().map(Dyadic::size)).plus(&u.size());
            (sum(terms).plus(&u), size)
        };
        let (v, size) = rest(&lattice, &d, which);
        // d z = side (1 + 2^-49 (2 size)) - v, or less.
        let side = random.sign();
        let room = Dyadic::of(1.0).plus(&size.size().scaled(-49));
        let due = Dyadic::of(side).times(&room).minus(&v);
        d[row][which] = due.near() / z[which];
        let (v, size) = rest(&lattice, &d, 9);
        let outside = v.size().minus(&Dyadic::of(1.0));
        let context = format!("{round}: {row} {which} {d:?} {z:?} {:?}", lattice.offset);
        if outside.at_most(&size.size().scaled(-49)) {
            assert!(lattice.holds(&d, &z), "{context}");
            // Also where the integer's range is on one side of zero.
            let range = match z[which] > 0.0 {
                true => (-z[which], z[which]),
                false => (z[which], -z[which]),
            };
            for range in [range, (z[which], z[which])] {
                let (from, to) = lattice.between(&d, &z, which, range);
                assert!(from <= z[which] && z[which] <= to, "{context} {from}..{to}");
            }
        }
        // Further away than all margins.
        let far = Dyadic::of(1.0 + 2e-6).plus(&size.size().scaled(-46));
        if far.at_most(&v.size()) {
            assert!(!lattice.holds(&d, &z), "{context}");
        }
    }
}

/// Points on the plane are above it, also with half of the errors of their coordinates.
#[test]
fn points_on_the_plane_are_above_it() {
    let mut random = Random(10);
    let mut below = 0;
    for round in 0..4000 {
        let mut lattice = lattice(3);
        let mut d = [[0.0; 3]; 3];
        let reach = random.of(&[3, 20, 48]);
        let z = [0; 3].map(|_| random.integer(reach));
        let mut margin = Dyadic::of(0.0);
        let mut all = Dyadic::of(0.0);
        for r in 0..3 {
            d[r] = [0; 3].map(|_| random.of(&[1.0, 1e3]) * random.unit());
            let others = sum((0..3).map(|c| times(d[r][c], z[c])));
            lattice.offset[r] = -others.near() + 0.9 * random.unit();
            lattice.plane[r] = random.of(&[0.0, 1e-6, 1.0, 1e3]) * random.unit();
            let v = others.plus(&Dyadic::of(lattice.offset[r]));
            let size = sum((0..3).map(|c| times(d[r][c], z[c]).size()));
            let size = size.plus(&Dyadic::of(lattice.offset[r].abs()));
            let plane = Dyadic::of(lattice.plane[r]);
            all = all.plus(&v.times(&plane));
            let room = size.size().scaled(-49).plus(&Dyadic::of(5e-10));
            margin = margin.plus(&plane.size().times(&room));
            if Dyadic::of(1.0).at_most(&v.size()) {
                // The roundings of the offset are too large for a cube.
                margin = Dyadic::of(f64::MAX);
                break;
            }
        }
        if Dyadic::of(f64::MAX).at_most(&margin) {
            continue;
        }
        let context = format!(
            "{round}: {d:?} {z:?} {:?} {:?}",
            lattice.offset, lattice.plane
        );
        lattice.least = all.near();
        assert!(lattice.holds(&d, &z), "{context}");
        lattice.least = all.plus(&margin).near();
        assert!(lattice.holds(&d, &z), "{context}");
        lattice.least = all.near() + margin.near() * 8.0 + 1e-11 * (2.0 + all.near().abs());
        below += u32::from(!lattice.holds(&d, &z));
    }
    assert!(below > 1000, "{below}");
}

/// The height itself is rounded, too: half of what is left for that, above all margins of the coordinates.
#[test]
fn a_height_is_above_the_least_within_its_roundings() {
    let mut random = Random(12);
    for round in 0..2000 {
        let mut lattice = lattice(3);
        let (mut height, mut margin) = (Dyadic::of(0.0), Dyadic::of(0.0));
        for r in 0..3 {
            lattice.offset[r] = 0.9 * random.unit();
            lattice.plane[r] = 100.0 * random.unit();
            height = height.plus(&times(lattice.plane[r], lattice.offset[r]));
            let room = lattice.offset[r].abs() * 2f64.powi(-48) + (CUBE - 1.0) * 1e-3;
            margin = margin.plus(&times(lattice.plane[r].abs(), room));
        }
        let more = 0.5e-12 * (1.0 + height.near().abs());
        lattice.least = height.plus(&margin).plus(&Dyadic::of(more)).near();
        let d = [[1.0; 3]; 3];
        assert!(lattice.holds(&d, &[0.0; 3]), "{round}: {lattice:?}");
    }
}

/// A transform of determinant ±1: few steps, or so many that it is poor.
fn unimodular(random: &mut Random, n: u64) -> Matrix {
    let mut t = identity();
    for _ in 0..random.of(&[0, 2, 5, 12]) {
        let (a, b) = (random.below(n) as usize, random.below(n) as usize);
        if a != b {
            let by = random.integer(2);
            for row in &mut t {
                row[a] += by * row[b];
            }
        }
    }
    t
}

/// Every point of a small lattice is found, with any transform.
#[test]
fn no_point_is_missing() {
    let mut random = Random(11);
    let (mut points, mut refused, mut empty) = (0, 0, 0);
    for round in 0..3000 {
        let n = 2 + round % 3;
        let mut lattice = lattice(n);
        lattice.half = random.of(&[2.0, 5.0, 1e6]);
        lattice.least = -1e9;
        let long = random.of(&[0.3, 0.8, 1.5]);
        let mut square = [[0.0; 4]; 4];
        for r in 0..n {
            for c in 0..n {
                lattice.basis[r][c] = long * random.unit() + if r == c { 0.5 } else { 0.0 };
                square[r][c] = lattice.basis[r][c];
            }
            lattice.offset[r] = random.of(&[0.0, 1.0, 30.0]) * random.unit();
            if random.below(3) == 0 {
                lattice.plane[r] = random.unit();
                lattice.least = random.unit();
            }
        }
        for r in n..4 {
            square[r][r] = 1.0;
        }
        let Some(inverse) = inverse(&square) else {
            continue;
        };
        let mut spans = [(0i64, 0i64); 4];
        let mut count = 1;
        for r in 0..n {
            let center: f64 = (0..n).map(|c| -inverse[r][c] * lattice.offset[c]).sum();
            let width: f64 = inverse[r].iter().map(|x| x.abs()).sum::<f64>() + 0.01;
            spans[r] = (
                (center - width).ceil() as i64,
                (center + width).floor() as i64,
            );
            count *= (spans[r].1 - spans[r].0 + 1).max(0);
        }
        if count > 1000 {
            continue;
        }
        let mut want = BTreeSet::new();
        for k in 0..count {
            let (mut left, mut z) = (k, [0.0; 4]);
            for r in 0..n {
                let many = spans[r].1 - spans[r].0 + 1;
                z[r] = (spans[r].0 + left % many) as f64;
                left /= many;
            }
            let v = |r: usize| {
                lattice.offset[r] + (0..n).map(|c| lattice.basis[r][c] * z[c]).sum::<f64>()
            };
            let inside = (0..n).all(|r| v(r).abs() <= 1.0 + 1e-12);
            let height: f64 = (0..n).map(|r| lattice.plane[r] * v(r)).sum();
            if inside && height >= lattice.least - 1e-12 && z[0].abs() <= lattice.half {
                want.insert(z[0] as i64);
            }
        }
        let t = unimodular(&mut random, n as u64);
        let mut changed = t;
        let given = match n {
            2 => lattice.enumerate::<2>(&t, LIMIT),
            3 => lattice.enumerate::<3>(&t, LIMIT),
            _ => lattice.enumerate::<4>(&t, LIMIT),
        };
        for found in [given, lattice.points(&mut changed)] {
            let Some(found) = found else {
                refused += 1;
                continue;
            };
            assert!(found.offsets.iter().all(|m| m.abs() <= lattice.half));
            let found: BTreeSet<i64> = found.offsets.iter().map(|&m| m as i64).collect();
            let context = format!("{round}: {:?} {:?}", lattice.basis, lattice.offset);
            assert!(want.is_subset(&found), "{context} {want:?} {found:?}");
            points += want.len();
            empty += u32::from(found.is_empty());
        }
    }
    assert!(
        points > 3000 && (10..1000).contains(&refused) && empty > 100,
        "{points} {refused} {empty}"
    );
}

/// Numbers that doubles do not hold, or hold without their fractions.
#[test]
fn what_is_too_large_for_doubles_is_refused() {
    // The basis undoes the transform, so that their product is the unit matrix.
    for sign in [1.0, -1.0] {
        let mut far = lattice(2);
        far.basis[0][1] = -sign * 2f64.powi(51);
        let mut t = identity();
        t[0][1] = sign * 2f64.powi(51);
        assert!(far.enumerate::<2>(&t, LIMIT).is_none());
        (far.basis[0][1], t[0][1]) = (-sign * 2f64.powi(49), sign * 2f64.powi(49));
        assert!(far.enumerate::<2>(&t, LIMIT).is_some());
        // The input's number is 2^49 times the other integer.
        far.half = f64::MAX;
        far.offset = [0.0; MOST];
        far.offset[1] = -14.0;
        assert!(far.enumerate::<2>(&t, LIMIT).is_some());
        far.offset[1] = -15.0;
        assert!(far.enumerate::<2>(&t, LIMIT).is_none());
    }
    // The center of one integer is no number, and the other ones' are.
    let mut far = lattice(2);
    far.basis[0][0] = 1e-10;
    far.offset[0] = f64::MAX;
    assert!(far.enumerate::<2>(&identity(), LIMIT).is_none());
    for offset in [2e15, -2e15, 1e40, -1e40, f64::INFINITY, f64::NAN] {
        let mut far = lattice(2);
        far.half = 1e16;
        far.offset[0] = offset;
        assert!(far.enumerate::<2>(&identity(), LIMIT).is_none(), "{offset}");
        far.offset[0] = 5e14f64.copysign(offset);
        assert!(far.enumerate::<2>(&identity(), LIMIT).is_some());
    }
}
