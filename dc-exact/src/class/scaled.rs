//! Cells that are scaled copies of each other.
//!
//! For a power `f(x) = x^p` and integers q and p q, `f(2^q x) = 2^(p q) f(x)`. If a routine computes its estimate from the bits of x, as an
//! affine function of them, it is the same program in each period of binades, up to powers of two. If every value of one cell, including
//! constants, is that of the other times a power of two, the same holds for all rounding errors, as long as nothing is subnormal. So the
//! routine has one problem per binade of a period, and not one per binade of the format.
//!
//! Only copies of one cell form a class, so the properties of the ranges of its values hold for each copy.

use super::Member;
use super::scaling::{Scaled, times_power};
use crate::cell::{Cell, Kind, Operation, Residual};
use crate::law::Law;
use crate::num::Ball;
use crate::num::float::exponent;

/// The cells are scaled to the period of binades before one of these exponents: to the largest binades, where no cell is scaled up (see
/// `Scaled::scale`), to smaller ones if values are larger than the input, or to those near 1.
const BEFORE: [i32; 3] = [1024, 1024 - 96, 4];

/// A residual over a cell of the largest binades that has the same bits, and this cell as its member. `None` if the function has no such
/// law or the residual does not follow it.
pub(super) fn scaled(
    residual: &Residual,
    cell: Cell,
    law: Law,
) -> Option<(Residual, Member, Operation)> {
    // Only such routines have more cells than can be examined.
    residual.affine().next()?;
    let power = law.power()?;
    let mut all = BEFORE.iter();
    all.find_map(|&before| scaled_to(before - power.1, residual, cell, power))
}

/// The same as [`scaled`], to the period of binades that begins with this exponent.
fn scaled_to(
    first: i32,
    residual: &Residual,
    cell: Cell,
    (numerator, period): (i32, i32),
) -> Option<(Residual, Member, Operation)> {
    let e = exponent(cell.lo);
    if exponent(cell.hi) != e {
        return None;
    }
    let by = (e - first).div_euclid(period) * period;
    let unscaled = vec![0; residual.operations.len()];
    let made = Scaled::new(residual, by, &unscaled)?;
    let out = residual.result;
    let scale = made.by[out as usize];
    if scale != by / period * numerator {
        return None;
    }
    let core = Residual {
        operations: made.operations,
        result: out,
    };
    // The unit of subnormal results is not scaled, whether the core's are subnormal or the cell's.
    if !super::normal(core.at(out)) || !super::normal(residual.at(out)) {
        return None;
    }
    let input = *(core.operations.iter()).find(|o| o.kind == Kind::Input)?;
    let member = Member {
        cell,
        shift: Ball::ZERO,
        by,
        scale,
        eta: Ball::ZERO,
        core: Cell {
            lo: times_power(cell.lo, -by)?,
            hi: times_power(cell.hi, -by)?,
        },
        grid: input.grid,
        rounded: false,
    };
    Some((core, member, input))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::exactly::{evaluate_few, examine, number, of_bits};
    use crate::cell::{Outcome, Values};
    use crate::num::dyadic::{Dyadic, Random};
    use crate::num::float::{grid, power};

    /// Each value of a copy is the residual's times a power of two, with the same rounding errors.
    #[test]
    fn copies_have_the_values_of_their_cells() {
        let mut random = Random(9);
        let (mut copies, mut far, mut lone) = (0, 0, 0);
        for round in 0..6000 {
            let (program, sixths) = of_bits(&mut random);
            let law = match sixths {
                -6 => Law::Recip,
                -3 => Law::RecipSqrt,
                _ => Law::Cbrt,
            };
            let lo = match random.below(3) {
                0 => random.number(4).abs(),
                _ => random.number(1022).abs(),
            };
            let hi = lo * (1.0 + power(-(random.below(30) as i32) - 1));
            if exponent(lo) != exponent(hi) {
                continue;
            }
            let cell = Cell { lo, hi };
            let evaluated = evaluate_few(&program, cell);
            let Outcome::Residual(residual) = &evaluated.results[0] else {
                continue;
            };
            let Some((core, member, input)) = scaled(residual, cell, law) else {
                lone += 1;
                continue;
            };
            let mut values = Values::new(&program);
            for k in 0..6 {
                let x = match k {
                    0 => lo,
                    1 => hi,
                    _ => {
                        f64::from_bits(lo.to_bits() + random.below(hi.to_bits() - lo.to_bits() + 1))
                    }
                };
                let mut made = |site| f64::from_bits(values.at(site, x).expect("a value"));
                let points = examine(residual, x, &mut made)
                    .unwrap_or_else(|wrong| panic!("{round} {cell:?} {x:e}: {wrong}"));
                let Some(points) = points else { continue };
                let out = &points[residual.result as usize].v;
                assert!(
                    Dyadic::of(number(&program, x)).minus(out).is_zero(),
                    "{round}"
                );
                let r = times_power(x, -member.by).expect("exact");
                let apart = |i: usize| {
                    let (a, b) = (residual.operations[i], core.operations[i]);
                    let most = |o: Operation| o.values.magnitude();
                    match most(a) == 0.0 {
                        true => 0,
                        false => exponent(most(a)) - exponent(most(b)),
                    }
                };
                let place = |site| {
                    let of =
                        |o: &Operation| o.site == site && matches!(o.kind, Kind::Affine { .. });
                    residual.operations.iter().position(of).expect("one")
                };
                let mut made = |site| {
                    let i = place(site);
                    times_power(
                        points[i].v.rounded(residual.operations[i].format, None),
                        -apart(i),
                    )
                    .expect("exact")
                };
                let of_core = examine(&core, r, &mut made).unwrap_or_else(|wrong| {
                    panic!("{round} {cell:?} {x:e} core: {wrong}\n{residual:?}\n{core:?}")
                });
                let of_core = of_core.expect("the same operations");
                for i in 0..points.len() {
                    let e = apart(i);
                    let same = |a: &Dyadic, b: &Dyadic| a.minus(&b.scaled(e)).is_zero();
                    assert!(
                        same(&points[i].v, &of_core[i].v)
                            && same(&points[i].rounding, &of_core[i].rounding),
                        "{round} {cell:?} {x:e} {i}: {member:?}\n{residual:?}\n{core:?}"
                    );
                }
                let out = residual.result as usize;
                assert!(
                    points[out]
                        .v
                        .minus(&of_core[out].v.scaled(member.scale))
                        .is_zero()
                );
                assert!(input.values.contains(r) && grid(r) >= member.grid);
            }
            copies += 1;
            far += u32::from(member.by.abs() > 1000);
        }
        assert!(
            copies > 300 && far > 20 && lone > 100,
            "{copies} {far} {lone}"
        );
    }
}
