//! Products of numbers next to powers of two, which are nearly exact.

use crate::num::float::{exponent, power};
use crate::num::{Interval, Ring};

/// A bound of the rounding error of a product, in units in the last place, `2^unit`. An operand is given by its computed values and the exponent of a
/// power of two of which they are multiples.
///
/// Let p and q be powers of two next to the operands a and b. If `a b - (a - p) (b - q) = p b + q a - p q` is a multiple of the unit, it is a double,
/// and the rounded product is no farther from the product than that: the bound is `|a - p| |b - q|`.
pub(super) fn next_to_powers(a: (Interval, i32), b: (Interval, i32), unit: i32) -> f64 {
    let apart = |(values, _): (Interval, i32)| {
        let most = values.magnitude();
        if values.contains(0.0) || !(-400..400).contains(&exponent(most)) {
            return None;
        }
        let off = |e: i32| {
            let power = power(e).copysign(values.lo);
            (e, values.sub(Interval::point(power)).magnitude())
        };
        let (below, above) = (off(exponent(most)), off(exponent(most) + 1));
        Some(if below.1 <= above.1 { below } else { above })
    };
    let (Some((i, x)), Some((j, y))) = (apart(a), apart(b)) else {
        return 0.5;
    };
    let linear = (i + j).min(a.1 + j).min(b.1 + i);
    if linear < unit || !(-1000..900).contains(&unit) {
        return 0.5;
    }
    // Rounded up in each step.
    let product = (x * y).next_up() * power(-unit);
    product.next_up().min(0.5)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::dyadic::{Dyadic, Random};
    use crate::num::float::{BINARY64, grid};

    /// The rounding of a product of numbers next to powers of two, compared with the bound.
    #[test]
    fn products_next_to_powers_of_two_are_nearly_exact() {
        let mut random = Random(5);
        let (mut small, mut none) = (0, 0);
        for round in 0..20_000 {
            let mut operand = || {
                let power = power(random.below(600) as i32 - 300) * random.sign();
                let bits = random.below(54) as i32 + 1;
                let near = |random: &mut Random| {
                    let off = power * 2f64.powi(-bits);
                    power + off * random.sign() * (random.below(1 << 30) as f64 / 2f64.powi(30))
                };
                let (a, b) = (near(&mut random), near(&mut random));
                (Interval::new(a.min(b), a.max(b)), grid(a).min(grid(b)))
            };
            let (a, b) = (operand(), operand());
            let pairs = [
                (a.0.lo, b.0.lo),
                (a.0.lo, b.0.hi),
                (a.0.hi, b.0.lo),
                (a.0.hi, b.0.hi),
            ];
            // The unit of the largest product, as an operation has it.
            let most = pairs
                .map(|(x, y)| (x * y).abs())
                .into_iter()
                .fold(0.0, f64::max);
            let unit = BINARY64.ulp(most);
            let bound = next_to_powers(a, b, unit);
            match bound < 0.25 {
                true => small += 1,
                false => none += 1,
            }
            for (x, y) in pairs {
                let exact = Dyadic::of(x).times(&Dyadic::of(y));
                let off = exact.minus(&Dyadic::of(x * y)).size();
                let most = Dyadic::of(bound).scaled(unit);
                assert!(off.at_most(&most), "{round}: {x:e} {y:e} {bound:e}");
            }
        }
        assert!(small > 2000 && none > 2000, "{small} {none}");
    }
}
