//! Coefficients of a format whose roundings compensate for each other.
//!
//! The polynomials whose coefficients are multiples of given units form a lattice. Its basis has a vector for each coefficient: the coefficient's
//! unit times its power of the variable, at the points of the grid. A polynomial near the best one is a lattice point near a given point. In a
//! reduced basis (Lenstra, Lenstra and Lovász, Factoring polynomials with rational coefficients, Math. Ann. 261, 1982), whose vectors are short,
//! Babai's nearest plane gives such a point (Combinatorica 6, 1986). Brisebarre and Chevillard use it for polynomials (Efficient polynomial
//! L∞-approximations, ARITH 18, 2007). The point is near in the sum of squares. Steps along the short vectors then reduce the largest error,
//! which is the one that counts.

use crate::dd::Dd;
use crate::remez::Point;

/// A polynomial with rounded coefficients, and the polynomial that it should approach.
pub struct Rounded<'a> {
    /// The grid.
    pub points: &'a [Point],
    /// The powers of the coefficients.
    pub powers: &'a [u32],
    /// The coefficients of least error.
    pub best: &'a [Dd],
    /// Coefficients of the format.
    pub start: &'a [Dd],
    /// The unit in the last place of each coefficient.
    pub units: &'a [f64],
    /// The weighted error of `start` at each point.
    pub errors: &'a [f64],
}

/// Steps along vectors of the basis before the search ends.
const STEPS: usize = 200;

impl Rounded<'_> {
    /// The number of units by which each coefficient should be moved; `None` if no move reduces the largest error.
    #[must_use]
    pub fn moved(&self) -> Option<Vec<i64>> {
        self.moved_in(true)
    }

    fn moved_in(&self, reduced: bool) -> Option<Vec<i64>> {
        let n = self.powers.len();
        let columns: Vec<Vec<Dd>> = (0..n).map(|k| self.column(k)).collect();
        let mut basis = triangle(&columns)?;
        let mut transform: Vec<Vec<i64>> = (0..n)
            .map(|i| (0..n).map(|j| i64::from(i == j)).collect())
            .collect();
        let short = |k: usize| (self.best[k] - self.start[k]) / Dd::from(self.units[k]);
        let target: Vec<Dd> = (0..n)
            .map(|row| (row..n).fold(Dd::ZERO, |s, k| s + basis[k][row] * short(k)))
            .collect();
        if reduced {
            reduce(&mut basis, &mut transform)?;
        }
        let near = nearest_plane(&basis, &target)?;
        let mut walk = Walk::new(self, &columns, &transform);
        let still = walk.largest;
        // From the nearest point, and from where the coefficients are.
        let mut best: Option<(f64, Vec<i64>)> = None;
        for from in [near, vec![0; n]] {
            walk.go(&from);
            walk.descend();
            if best.as_ref().is_none_or(|b| walk.largest < b.0) {
                best = Some((walk.largest, walk.place.clone()));
            }
            let back: Vec<i64> = walk.place.iter().map(|p| -p).collect();
            walk.go(&back);
        }
        let (largest, place) = best?;
        if largest >= still * (1.0 - 1e-9) {
            return None;
        }
        let mut moved = vec![0i64; n];
        for (vector, &times) in transform.iter().zip(&place) {
            for (m, v) in moved.iter_mut().zip(vector) {
                *m = m.checked_add(v.checked_mul(times)?)?;
            }
        }
        Some(moved)
    }

    /// The weighted change at each point for one unit of a coefficient.
    fn column(&self, k: usize) -> Vec<Dd> {
        let unit = Dd::from(self.units[k]);
        let at = |p: &Point| p.x.powi(self.powers[k]) * unit * Dd::from(p.weight);
        self.points.iter().map(at).collect()
    }
}

/// The triangular factor of the columns: their scalar products are those of these vectors. `None` if the columns are dependent.
fn triangle(columns: &[Vec<Dd>]) -> Option<Vec<Vec<Dd>>> {
    let n = columns.len();
    let mut units: Vec<Vec<Dd>> = Vec::new();
    let mut all = Vec::new();
    for column in columns {
        let mut rest = column.clone();
        let mut entries = vec![Dd::ZERO; n];
        // Twice: the first pass leaves what its roundings made, relative to a column that may be much longer than its rest.
        for _ in 0..2 {
            for (q, unit) in units.iter().enumerate() {
                let along = dot(&rest, unit);
                entries[q] = entries[q] + along;
                for (r, &u) in rest.iter_mut().zip(unit) {
                    *r = *r - along * u;
                }
            }
        }
        let square = dot(&rest, &rest);
        if !(square.hi > 0.0 && square.hi.is_finite()) {
            return None;
        }
        let length = square.sqrt();
        entries[units.len()] = length;
        units.push(rest.into_iter().map(|r| r / length).collect());
        all.push(entries);
    }
    Some(all)
}

fn dot(a: &[Dd], b: &[Dd]) -> Dd {
    let products = a.iter().zip(b).map(|(&a, &b)| a * b);
    products.fold(Dd::ZERO, |s, p| s + p)
}

/// The Gram-Schmidt vectors of a basis: the factors of the earlier vectors in each, and the squares of their lengths.
struct Orthogonal {
    factors: Vec<Vec<Dd>>,
    vectors: Vec<Vec<Dd>>,
    squares: Vec<Dd>,
}

impl Orthogonal {
    fn new() -> Self {
        Self {
            factors: Vec::new(),
            vectors: Vec::new(),
            squares: Vec::new(),
        }
    }

    /// Computes the vector with the number `c`, and discards the later ones.
    fn compute(&mut self, basis: &[Vec<Dd>], c: usize) {
        self.factors.truncate(c);
        self.vectors.truncate(c);
        self.squares.truncate(c);
        let mut vector = basis[c].clone();
        let mut factors = Vec::with_capacity(c);
        for (v, &square) in self.vectors.iter().zip(&self.squares) {
            let factor = dot(&basis[c], v) / square;
            for (r, &v) in vector.iter_mut().zip(v) {
                *r = *r - factor * v;
            }
            factors.push(factor);
        }
        self.squares.push(dot(&vector, &vector));
        self.vectors.push(vector);
        self.factors.push(factors);
    }
}

/// Reduces a basis. `None` if it takes too long, or numbers become too large.
fn reduce(basis: &mut [Vec<Dd>], transform: &mut [Vec<i64>]) -> Option<()> {
    const PATIENCE: usize = 20_000;
    const HALF: f64 = 0.501;
    let n = basis.len();
    let mut g = Orthogonal::new();
    g.compute(basis, 0);
    let mut c = 1;
    for _ in 0..PATIENCE {
        if c >= n {
            return Some(());
        }
        g.compute(basis, c);
        // A factor that is too large has no correct last digits: it is subtracted in several passes.
        loop {
            let mut changed = false;
            for q in (0..c).rev() {
                let by = g.factors[c][q];
                if by.hi.abs() <= HALF {
                    continue;
                }
                let by = by.hi.round();
                if by.abs() >= 2f64.powi(52) {
                    return None;
                }
                changed = true;
                let (earlier, later) = basis.split_at_mut(c);
                for (r, &b) in later[0].iter_mut().zip(&earlier[q]) {
                    *r = *r - Dd::from(by) * b;
                }
                let (earlier, later) = transform.split_at_mut(c);
                for (r, &b) in later[0].iter_mut().zip(&earlier[q]) {
                    *r = r.checked_sub(b.checked_mul(by as i64)?)?;
                }
                for s in 0..q {
                    let factor = g.factors[q][s];
                    g.factors[c][s] = g.factors[c][s] - Dd::from(by) * factor;
                }
                g.factors[c][q] = g.factors[c][q] - Dd::from(by);
            }
            if !changed {
                break;
            }
            g.compute(basis, c);
        }
        let factor = g.factors[c][c - 1].hi;
        if g.squares[c].hi >= (0.99 - factor * factor) * g.squares[c - 1].hi {
            c += 1;
        } else {
            basis.swap(c, c - 1);
            transform.swap(c, c - 1);
            g.compute(basis, c - 1);
            c = (c - 1).max(1);
        }
    }
    None
}

/// The multiples of the basis vectors that give a lattice point near the target.
fn nearest_plane(basis: &[Vec<Dd>], target: &[Dd]) -> Option<Vec<i64>> {
    let mut g = Orthogonal::new();
    for c in 0..basis.len() {
        g.compute(basis, c);
    }
    let mut rest = target.to_vec();
    let mut place = vec![0i64; basis.len()];
    for c in (0..basis.len()).rev() {
        let along = dot(&rest, &g.vectors[c]) / g.squares[c];
        let times = along.hi.round();
        if times.is_nan() || times.abs() >= 2f64.powi(52) {
            return None;
        }
        place[c] = times as i64;
        for (r, &b) in rest.iter_mut().zip(&basis[c]) {
            *r = *r - Dd::from(times) * b;
        }
    }
    Some(place)
}

/// A walk over the lattice, with the error at each point of the grid.
struct Walk {
    /// The vectors of the basis at the points of the grid.
    vectors: Vec<Vec<f64>>,
    errors: Vec<f64>,
    largest: f64,
    place: Vec<i64>,
}

impl Walk {
    fn new(of: &Rounded<'_>, columns: &[Vec<Dd>], transform: &[Vec<i64>]) -> Self {
        let at = |vector: &Vec<i64>, point: usize| {
            let each = columns.iter().zip(vector);
            each.fold(Dd::ZERO, |s, (c, &t)| s + c[point] * Dd::from(t as f64))
                .hi
        };
        let vectors = transform
            .iter()
            .map(|v| (0..of.points.len()).map(|p| at(v, p)).collect())
            .collect();
        Self {
            vectors,
            errors: of.errors.to_vec(),
            largest: size(of.errors),
            place: vec![0; transform.len()],
        }
    }

    /// Moves by this many of each vector.
    fn go(&mut self, by: &[i64]) {
        for (k, &times) in by.iter().enumerate() {
            if times != 0 {
                self.step(k, times);
            }
        }
        self.largest = size(&self.errors);
    }

    fn step(&mut self, k: usize, times: i64) {
        self.place[k] += times;
        for (e, v) in self.errors.iter_mut().zip(&self.vectors[k]) {
            *e -= v * times as f64;
        }
    }

    /// Takes the best step along one vector or two, until no step reduces the largest error.
    fn descend(&mut self) {
        let n = self.vectors.len();
        let steps = |n: usize| (0..n).flat_map(|k| [(k, 1i64), (k, -1)]);
        for _ in 0..STEPS {
            let mut best: Option<(f64, Vec<(usize, i64)>)> = None;
            for (k, s) in steps(n) {
                let bound = best.as_ref().map_or(self.largest, |b| b.0);
                if let Some(size) = self.after(&[(k, s)], bound) {
                    best = Some((size, vec![(k, s)]));
                }
                for (l, t) in steps(k) {
                    let bound = best.as_ref().map_or(self.largest, |b| b.0);
                    if let Some(size) = self.after(&[(k, s), (l, t)], bound) {
                        best = Some((size, vec![(k, s), (l, t)]));
                    }
                }
            }
            let Some((largest, taken)) = best else {
                return;
            };
            for (k, s) in taken {
                self.step(k, s);
            }
            self.largest = largest;
        }
    }

    /// The largest error after steps, if it is below the bound.
    fn after(&self, steps: &[(usize, i64)], bound: f64) -> Option<f64> {
        let mut largest = 0.0f64;
        for (i, &e) in self.errors.iter().enumerate() {
            let moved = steps
                .iter()
                .fold(e, |e, &(k, s)| e - self.vectors[k][i] * s as f64);
            largest = largest.max(moved.abs());
            if largest >= bound {
                return None;
            }
        }
        Some(largest)
    }
}

/// The largest magnitude.
fn size(errors: &[f64]) -> f64 {
    errors.iter().fold(0.0, |m: f64, e| m.max(e.abs()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::remez::{fit, grid};

    /// e^x on an interval, by its series.
    fn points(low: f64, high: f64) -> Vec<Point> {
        let value = |x: f64| {
            let mut term = Dd::ONE;
            (1..40).fold(Dd::ONE, |s, n| {
                term = term * Dd::from(x) / Dd::from(f64::from(n));
                s + term
            })
        };
        let point = |x| Point {
            x: Dd::from(x),
            f: value(x),
            weight: 1.0,
        };
        grid(low, high, 300).into_iter().map(point).collect()
    }

    /// A polynomial with rounded coefficients.
    struct Case {
        points: Vec<Point>,
        powers: Vec<u32>,
        best: Vec<Dd>,
        start: Vec<Dd>,
        units: Vec<f64>,
        errors: Vec<f64>,
    }

    impl Case {
        fn new(low: f64, high: f64, degree: u32, bits: i32) -> Self {
            let points = points(low, high);
            let powers: Vec<u32> = (0..=degree).collect();
            let best = fit(&points, &powers, &[]).expect("it fits").coefficients;
            let unit = |c: &Dd| 2f64.powi(libm::ilogb(c.hi) - bits);
            let units: Vec<f64> = best.iter().map(unit).collect();
            let rounded = |(c, u): (&Dd, &f64)| Dd::from((c.hi / u).round_ties_even() * u);
            let start: Vec<Dd> = best.iter().zip(&units).map(rounded).collect();
            let mut case = Case {
                points,
                powers,
                best,
                start,
                units,
                errors: Vec::new(),
            };
            case.errors = case.errors_at(&vec![0; case.powers.len()]);
            case
        }

        /// The errors with coefficients moved by this many units.
        fn errors_at(&self, by: &[i64]) -> Vec<f64> {
            let c = self.start.iter().zip(&self.units).zip(by);
            let c: Vec<Dd> = c.map(|((&c, &u), &k)| c + Dd::from(k as f64 * u)).collect();
            let value = |x: Dd| c.iter().rev().fold(Dd::ZERO, |s, &c| s * x + c);
            self.points.iter().map(|p| (p.f - value(p.x)).hi).collect()
        }

        fn moved(&self, reduced: bool) -> f64 {
            let rounded = Rounded {
                points: &self.points,
                powers: &self.powers,
                best: &self.best,
                start: &self.start,
                units: &self.units,
                errors: &self.errors,
            };
            let by = rounded.moved_in(reduced);
            size(&self.errors_at(&by.unwrap_or_else(|| vec![0; self.powers.len()])))
        }
    }

    /// Compares all moves of up to four units with the lattice's result.
    #[test]
    fn no_polynomial_nearby_is_much_better() {
        for (low, high) in [(-0.5, 0.5), (0.0, 1.0), (0.5, 0.75), (1.0, 1.25)] {
            let case = Case::new(low, high, 3, 7);
            let mut least = f64::INFINITY;
            let mut by = [-4i64; 4];
            'all: loop {
                least = least.min(size(&case.errors_at(&by)));
                for b in &mut by {
                    *b += 1;
                    if *b <= 4 {
                        continue 'all;
                    }
                    *b = -4;
                }
                break;
            }
            let moved = case.moved(true);
            assert!(moved <= 1.1 * least, "{low}..{high}: {moved} {least}");
        }
    }

    /// The errors of coefficients that are rounded one by one, relative to those of the lattice.
    #[test]
    fn many_digits_come_back() {
        let (mut gains, mut reduced) = (Vec::new(), Vec::new());
        for (low, high, degree, bits) in [
            (0.5, 0.75, 5, 16),
            (1.0, 1.125, 4, 20),
            (0.0, 0.25, 5, 20),
            (0.25, 0.5, 8, 40),
        ] {
            let case = Case::new(low, high, degree, bits);
            let moved = case.moved(true);
            gains.push(size(&case.errors) / moved);
            // Fault: a basis that is not reduced.
            reduced.push(case.moved(false) / moved);
        }
        assert!(gains.iter().all(|&g| g > 10.0), "{gains:?}");
        assert!(reduced.iter().all(|&r| r > 1.2), "{reduced:?}");
        assert!(reduced.iter().any(|&r| r > 50.0), "{reduced:?}");
    }
}
