//! Inputs that are evaluated before a proof: the lower end of its bracket, until the lattice has a better one.

use kernels_gen::program::Program;

use super::contradiction::{Claims, Contradiction};
use crate::bound::{Bounded, RangeBound};
use crate::cell::{Cell, Values, input_format};
use crate::law::Truth;
use crate::num::float::{BINARY64, Format};
use crate::point::{Hit, error_at, is_decided};

/// The largest number of inputs that are evaluated, which takes less than a second.
const INPUTS: usize = 1 << 14;
/// Every second input is from the cells with the largest bounds, of which there are this many. The others are spread over all cells,
/// because the bound of a cell may be far above its errors.
const CELLS: usize = 512;
/// The fractional parts of the multiples of each step are evenly distributed, and so are the pairs (Kronecker, Weyl). The first chooses a
/// cell, the second an input of it.
const STEPS: [f64; 2] = [0.618_033_988_749_894_9, std::f64::consts::SQRT_2 - 1.0];

/// Inputs that were evaluated and compared with the bounds of their cells.
#[derive(Debug, Clone, Copy, Default)]
pub struct Net {
    /// The number of inputs with an error.
    pub inputs: u64,
    /// The worst of them; `None` if no input has a finite error.
    pub worst: Option<Hit>,
    /// An input whose error is above the bound of each cell that contains it.
    pub contradiction: Option<Contradiction>,
}

/// Evaluates a fixed sample of a bound's inputs, in less than a second.
#[must_use]
pub fn net(program: &Program, truth: &Truth, bound: &RangeBound) -> Net {
    let format = input_format(program);
    let mut values = Values::new(program);
    let cells = &bound.cells;
    let claims = Claims::new(bound);
    let mut net = Net::default();
    for k in 0..INPUTS {
        let bounded = match k % 2 {
            0 => cells.get(k / 2 % CELLS.min(cells.len().max(1))),
            _ => cells.get((part(k, STEPS[0]) * cells.len() as f64) as usize),
        };
        let Some((bounded, x)) = bounded.and_then(|b| Some((b, input(bound, b, k, format)?)))
        else {
            continue;
        };
        let Some(error) = error_at(program, truth, &mut values, x) else {
            continue;
        };
        net.inputs += 1;
        let found = claims.compare(x, error, bounded.error.bound());
        net.contradiction = net.contradiction.or(found);
        // An uncertain error cannot be the lower end.
        let hit = Hit::new(x, error);
        if is_decided(error) && net.worst.is_none_or(|w| hit.error.abs() > w.error.abs()) {
            net.worst = Some(hit);
        }
    }
    net
}

/// The k-th number of an evenly distributed sequence in [0, 1).
fn part(k: usize, step: f64) -> f64 {
    (k as f64 * step).fract()
}

/// The k-th input of a cell. For the cell of a core, one of the range's inputs for which it stands.
fn input(bound: &RangeBound, bounded: &Bounded, k: usize, format: Format) -> Option<f64> {
    let at = place(bounded.cell, part(k, STEPS[1]), format);
    let class = match bounded.class {
        Some(class) => &bound.classes[class],
        None => return Some(at),
    };
    if !class.reduced {
        return Some(at);
    }
    let mut here = class.members_on(bounded.cell);
    let count = here.clone().count();
    let member = here.nth(k / 3 % count.max(1))?;
    // `r = x + κ`: the input next to `r - κ`.
    let x = format.round(member.near(at));
    Some(x.clamp(member.cell.lo, member.cell.hi))
}

/// The number at a part of a cell, in the order of numbers.
fn place(cell: Cell, part: f64, format: Format) -> f64 {
    let few = (part * (cell.count(format) as f64)) as u64;
    let few = few.min(cell.count(format) - 1);
    // The order is that of increasing magnitudes.
    let (from, negative) = if cell.lo.is_sign_negative() {
        (-cell.hi, true)
    } else {
        (cell.lo, false)
    };
    let x = if format == BINARY64 {
        f64::from_bits(from.to_bits() + few)
    } else {
        f64::from(f32::from_bits((from as f32).to_bits() + few as u32))
    };
    if negative { -x } else { x }
}

#[cfg(test)]
mod tests {
    use super::place;
    use crate::cell::Cell;
    use crate::num::float::{BINARY32, BINARY64};

    #[test]
    fn places_are_inputs_of_the_cell() {
        for (lo, hi) in [
            (1.0, 2.0),
            (-2.0, -1.0),
            (3.0, 3.0),
            (-0.0, -0.0),
            (0.0, 5e-324),
        ] {
            for part in [0.0, 0.3, 0.999_999_999_999_999_9] {
                let x = place(Cell { lo, hi }, part, BINARY64);
                assert!(lo <= x && x <= hi, "{part} of {lo}..={hi} is {x}");
            }
        }
        let cell = Cell { lo: 1.0, hi: 2.0 };
        let x = place(cell, 0.5, BINARY32);
        assert!(x > 1.49 && x < 1.51 && f64::from(x as f32) == x);
    }
}
