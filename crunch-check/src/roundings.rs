//! Roundings next to powers of two, which are smaller than half of the largest unit in the last place.

use crate::number::{Coarse, Number, exact, exponent, negative, power};
use crate::residual::{Kind, LEAST, Line, expo, is_power};

/// A bound of the rounding error of a product whose factors, each with the exponent of its grid, are next to powers of two `p` and `q`. The number
/// `p b + q a - p q` differs from the product by `(a - p) (b - q)`. If that number is a multiple of the largest unit in the last place, some double
/// is as near: the number itself or, if it is beyond the largest binade, that binade's end.
pub fn beside_powers(a: (&Coarse, i32), b: (&Coarse, i32), unit: i32) -> Option<Number> {
    // The power around the largest magnitude that is nearer to the whole factor.
    let beside = |x: &Coarse| {
        let far = x.magnitude();
        if x.holds_zero() || !(-400..400).contains(&exponent(&far)) {
            return None;
        }
        let sides = [exponent(&far), exponent(&far) + 1].map(|e| {
            let p = if negative(&x.lo) { -power(e) } else { power(e) };
            (x.sub(&Coarse::of(p)).magnitude(), e)
        });
        sides.into_iter().min_by(|l, r| l.0.cmp(&r.0))
    };
    let ((off_a, p), (off_b, q)) = (beside(a.0)?, beside(b.0)?);
    let fits = (p + q).min(p + b.1).min(q + a.1) >= unit;
    fits.then(|| Coarse::of(off_a).mul(&Coarse::of(off_b)).hi)
}

/// The operation that gives a line's result up to its sign and a power of two, and the exponent of that power; `None` if the result is made in
/// another way.
pub fn rounded_last(line: &Line) -> Option<(usize, i32)> {
    let (mut at, mut scale) = (line.result, 0);
    let constant = |i: usize| match line.nodes[i].kind {
        Kind::Const(c) => Some(c),
        _ => None,
    };
    while line.nodes[at].rounding.is_none() {
        let kind = line.nodes[at].kind;
        let (c, of) = match kind {
            Kind::Neg(a) => {
                at = a;
                continue;
            }
            Kind::Mul(a, b) | Kind::Add(a, b) | Kind::Sub(a, b) => {
                match (constant(a), constant(b)) {
                    (Some(c), None) => (c, b),
                    (None, Some(c)) => (c, a),
                    _ => return None,
                }
            }
            _ => return None,
        };
        match kind {
            Kind::Mul(..) if is_power(c) => scale += expo(c),
            Kind::Add(..) | Kind::Sub(..) if c == 0.0 => {}
            _ => return None,
        }
        at = of;
    }
    // A low word is no rounding to nearest.
    (!matches!(line.nodes[at].kind, Kind::Low(_))).then_some((at, scale))
}

/// A bound of the errors, each in units of its true value. The results have two units, u and 2u, and the smallest true value has u. `before` holds
/// the errors before the rounding of the last operation, in units of u. The proof is in docs/book/src/understand/cell-bounds.md, *A result's
/// rounding next to a power of two*.
pub fn across_a_power(
    line: &Line,
    (last, scale): (usize, i32),
    unit: i32,
    before: &Coarse,
) -> Option<Number> {
    let largest = line.nodes[last].rounding?.unit;
    let rest = before.magnitude();
    let across = largest + scale == unit + 1 && largest > LEAST && rest < exact(1.0);
    across.then(|| Coarse::of(rest).add(&Coarse::double(0.5)).hi)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::{Words, at, place};
    use crate::number::power_double;

    /// Compares the error of a product of numbers next to powers of two with exact products.
    #[test]
    fn products_beside_powers_are_nearly_exact() {
        let mut random = Words(3);
        let (mut small, mut none) = (0, 0);
        for _ in 0..20_000 {
            let mut factor = || {
                let middle = power_double(random.below(600) as i32 - 300);
                let steps = 1 << random.below(40);
                let mut off = || random.below(2 * steps) as i64 - steps as i64;
                let ends = [off(), off()].map(|by| at(place(middle) + by));
                let sign = if random.below(2) == 0 { 1.0 } else { -1.0 };
                let [x, y] = ends.map(|x| x * sign);
                let grid = [x, y].map(crate::residual::grid);
                (x.min(y), x.max(y), grid[0].min(grid[1]))
            };
            let (a, b) = (factor(), factor());
            let pairs = [(a.0, b.0), (a.0, b.1), (a.1, b.0), (a.1, b.1)];
            let largest = pairs
                .map(|(x, y)| (x * y).abs())
                .into_iter()
                .fold(0.0, f64::max);
            let unit = crate::residual::ulp(largest);
            let bound = beside_powers(
                (&Coarse::doubles(a.0, a.1), a.2),
                (&Coarse::doubles(b.0, b.1), b.2),
                unit,
            );
            let Some(bound) = bound else {
                none += 1;
                continue;
            };
            small += usize::from(bound < power(unit - 2));
            for (x, y) in pairs {
                let off = crate::number::magnitude(&(exact(x) * exact(y) - exact(x * y)));
                assert!(off <= bound, "{x:e} {y:e}");
            }
        }
        assert!(small > 2000 && none > 2000, "{small} {none}");
    }

    /// A line of one rounded operation, a sum with unit `2^unit`, and the operations after it.
    fn line(unit: i32, more: &[Kind]) -> Line {
        use crate::residual::{Node, Rounding};
        let node = |kind| Node {
            kind,
            site: 0,
            lo: 0.5,
            hi: 2.0,
            grid: -52,
            rounding: None,
        };
        let rounding = Rounding { unit, grid: None };
        let mut nodes: Vec<Node> = [Kind::Input, Kind::Const(0.25), Kind::Const(0.0)]
            .map(node)
            .into();
        nodes.push(Node {
            rounding: Some(rounding),
            ..node(Kind::Add(0, 1))
        });
        nodes.extend(more.iter().map(|&kind| node(kind)));
        let result = nodes.len() - 1;
        Line { nodes, result }
    }

    #[test]
    fn the_last_rounding_is_found_behind_signs_and_powers_of_two() {
        assert_eq!(rounded_last(&line(-52, &[])), Some((3, 0)));
        let exact = [Kind::Neg(3), Kind::Mul(4, 1), Kind::Sub(2, 5)];
        assert_eq!(rounded_last(&line(-52, &exact)), Some((3, -2)));
        assert_eq!(rounded_last(&line(-52, &[Kind::Mul(3, 3)])), None);
        assert_eq!(rounded_last(&line(-52, &[Kind::Mul(3, 0)])), None);
        assert_eq!(rounded_last(&line(-52, &[Kind::Add(3, 1)])), None);
    }

    /// Numbers next to a power of two, rounded: errors in units of the true value are at most the bound, and nearly as large.
    #[test]
    fn errors_across_a_power_are_at_most_what_is_said() {
        let mut random = Words(4);
        let part = |random: &mut Words| random.below(1 << 30) as f64 / f64::from(1 << 30);
        for off in [0.0, 0.01, 0.3, 0.7, 0.99] {
            let before = Coarse::symmetric(exact(off));
            // Units of the double below 1: the power is 2^53, in units below it.
            let most = across_a_power(&line(-52, &[]), (3, 0), -53, &before).expect("one");
            let most = Coarse::of(most).ends().1;
            let mut largest = 0.0;
            for _ in 0..100_000 {
                // Distances from the power, in units below it times 1024.
                let g = (6.0 * part(&mut random) - 3.0) * 1024.0;
                let z = g + 1024.0 * off * (2.0 * part(&mut random) - 1.0);
                let step = if z > 0.0 { 2048.0 } else { 1024.0 };
                let rounded = (z / step).round_ties_even() * step;
                let unit = if g >= 0.0 { 2048.0 } else { 1024.0 };
                largest = f64::max(largest, (rounded - g).abs() / unit);
            }
            assert!(largest <= most, "{off}: {largest} {most}");
            assert!(largest > most - 0.02, "{off}: {largest} {most}");
        }
        // The function makes no statement about results with other units, subnormal results and large errors.
        let small = Coarse::symmetric(exact(0.1));
        for (largest, scale, unit) in [
            (-52, 0, -52),
            (-52, 0, -54),
            (-52, 3, -53),
            (LEAST, 0, LEAST - 1),
        ] {
            assert!(across_a_power(&line(largest, &[]), (3, scale), unit, &small).is_none());
        }
        assert!(across_a_power(&line(-52, &[]), (3, -1), -54, &small).is_some());
        let large = Coarse::symmetric(exact(1.0));
        assert!(across_a_power(&line(-52, &[]), (3, 0), -53, &large).is_none());
    }
}
