//! Results that are stored in 16 bits.

use dc_runtime::model::stored::Format;
use dc_runtime::prelude::{round_to_bfloat, round_to_half};

use crate::dd::Dd;

/// Rounds numbers of binary32 to a format, with the same kernels that other kernels call for it.
pub fn round(format: Format, values: &mut [f32]) {
    match format {
        Format::Half => round_to_half::map_in_place(values),
        Format::Bfloat => round_to_bfloat::map_in_place(values),
    }
}

/// The number of the format that is some steps away from another one. An infinity stands for the power of two above the finite numbers.
fn beside(format: Format, x: f32, steps: i16) -> Option<f64> {
    let bits = format.beside(x.to_bits(), steps)?;
    Some(counted(format, f32::from_bits(bits)))
}

fn counted(format: Format, x: f32) -> f64 {
    let overflow = match format {
        Format::Half => 65_536.0,
        Format::Bfloat => 2f64.powi(128),
    };
    match x.is_infinite() {
        true => overflow.copysign(x.into()),
        false => x.into(),
    }
}

/// The middle between a number of the format and a neighbour.
fn middle(format: Format, x: f32, steps: i16) -> Option<f64> {
    let other = beside(format, x, steps)?;
    Some(0.5 * (counted(format, x) + other))
}

/// A value rounded to the format.
#[must_use]
pub fn nearest(format: Format, value: Dd) -> f32 {
    // Rounded to binary32 before, it is at most one step off.
    let mut near = [value.hi as f32];
    round(format, &mut near);
    let near = near[0];
    let beyond = |steps| middle(format, near, steps).map(|end| (value - Dd::from(end)).hi);
    let step = |steps| format.beside(near.to_bits(), steps).map(f32::from_bits);
    let better = if beyond(1).is_some_and(|b| b > 0.0) {
        step(1)
    } else if beyond(-1).is_some_and(|b| b < 0.0) {
        step(-1)
    } else {
        None
    };
    better.unwrap_or(near)
}

/// The ends of the interval of numbers that round to the same result as a value: the middles to its neighbours. A value that rounds to 0
/// must keep its sign, and a value that rounds to an infinity has only one end.
#[must_use]
pub fn middles(format: Format, value: Dd) -> Vec<f64> {
    let near = nearest(format, value);
    if near == 0.0 {
        // Neighbours of either zero are the least numbers; on the side of the value, and 0 itself.
        let least = beside(format, 0.0, 1).unwrap_or(0.0);
        return vec![0.0, (0.5 * least).copysign(value.hi)];
    }
    [middle(format, near, -1), middle(format, near, 1)]
        .into_iter()
        .flatten()
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_those_that_the_kernels_round_to_one_number() {
        for format in [Format::Half, Format::Bfloat] {
            for bits in (1..0x7c00u16)
                .step_by(7)
                .chain([1, 2, 0x3ff, 0x400, 0x7bff])
            {
                let x = f32::from_bits(format.widened(bits));
                for (value, right) in [(x, x), (-x, -x)] {
                    let ends = middles(format, Dd::from(f64::from(value)));
                    assert_eq!(ends.len(), 2, "{value}");
                    let next = |end: f64, up: bool| {
                        let x = end as f32;
                        if up { x.next_up() } else { x.next_down() }
                    };
                    let mut inside = [next(ends[0], true), next(ends[1], false)];
                    round(format, &mut inside);
                    assert_eq!(inside, [right; 2], "{value}");
                    // Fault: an interval that is open on the wrong side has other numbers.
                    let mut outside = [next(ends[0], false), next(ends[1], true)];
                    round(format, &mut outside);
                    assert!(outside[0] < right && outside[1] > right, "{value}");
                }
            }
        }
    }

    #[test]
    fn a_tiny_value_keeps_its_sign_and_a_huge_one_has_one_end() {
        let half = 2f64.powi(-25);
        for (x, ends) in [(1e-9, vec![0.0, half]), (-1e-9, vec![0.0, -half])] {
            assert_eq!(middles(Format::Half, Dd::from(x)), ends);
        }
        assert_eq!(middles(Format::Half, Dd::from(70_000.0)), [65_520.0]);
        // Just above and just below the middle of two numbers.
        let middle = 1.0 + 2f64.powi(-11);
        for (sign, right) in [(1.0, 1.0 + 2f64.powi(-10)), (-1.0, 1.0)] {
            let ends = middles(Format::Half, Dd::of(middle, sign * 2f64.powi(-80)));
            assert!(ends[0] < right && right < ends[1], "{ends:?}");
        }
    }
}
