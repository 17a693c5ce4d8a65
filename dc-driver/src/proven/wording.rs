//! Bounds in words.

use dc_exact::bound::{Bounded, RangeBound};
use dc_exact::cell::Cell;
use dc_exact::num::float::BINARY64;

use super::compute::Computed;
use dc_runtime::model::key::Precision;
use dc_runtime::model::show;
use dc_runtime::search::certify::Subject;

/// The number of stretches of special inputs that are listed.
const LISTED: usize = 8;

/// From here on, numbers of ULP are written with an exponent.
const LONG: f64 = 1e9;

/// A part of a bound, in ULP.
pub fn part(x: f64) -> String {
    match x.abs() < LONG {
        true => format!("{x:.4}"),
        false => format!("{x:.2e}"),
    }
}

/// The error of an input, with this many digits.
pub fn known(x: f64, digits: usize) -> String {
    match x.abs() < LONG {
        true => format!("{x:.digits$}"),
        false => format!("{x:.digits$e}"),
    }
}

/// The function to which a bound is relative.
pub fn relative(subject: &Subject) -> String {
    format!(
        "{}, and to IEEE 754's meaning of the routine's operations",
        subject.relative
    )
}

/// A bound with few digits, rounded up.
pub fn up(x: f64) -> String {
    if !x.is_finite() {
        return "infinite".into();
    }
    if x >= LONG {
        return format!("{:.2e}", x * 1.006);
    }
    let scaled = (x * 1e7).ceil();
    // The product may have been rounded down.
    let scaled = if scaled / 1e7 < x {
        scaled + 1.0
    } else {
        scaled
    };
    format!("{:.7}", scaled / 1e7)
}

pub fn number(x: f64) -> String {
    show::decimal(Precision::F64, x.to_bits())
}

/// The place of a cell.
pub fn place(bound: &RangeBound, worst: &Bounded) -> String {
    let Cell { lo, hi } = worst.cell;
    let cell = format!("{} to {}", number(lo), number(hi));
    match worst.class.map(|c| &bound.classes[c]) {
        Some(class) if class.reduced => {
            format!(
                "reduced arguments {cell}, those of {} stretches of inputs",
                class.members_on(worst.cell).count()
            )
        }
        _ => cell,
    }
}

/// The inputs for which no bound is claimed, one line per kind.
pub fn left_out(computed: &Computed) -> Vec<String> {
    let Computed { subject, bound, .. } = computed;
    let mut lines = Vec::new();
    for (n, what) in [(subject.nans, "NaNs"), (subject.infinities, "infinities")] {
        if n > 0 {
            lines.push(format!("{} {what} of the range", show::count(n)));
        }
    }
    let (zeros, others): (Vec<&Cell>, Vec<&Cell>) =
        (bound.special.iter()).partition(|c| subject.truth.next_to_zero(**c));
    for (cells, what) in [
        (
            zeros,
            "inputs next to a zero of the function that is not a double, where it is not known to a part of an ULP",
        ),
        (
            others,
            "inputs where the result or the function is not a finite number, or that could not be separated",
        ),
    ] {
        if cells.is_empty() {
            continue;
        }
        let count: u128 = cells.iter().map(|c| u128::from(c.count(BINARY64))).sum();
        let mut listed: Vec<String> = cells.iter().take(LISTED).map(|c| stretch(c)).collect();
        if cells.len() > LISTED {
            listed.push(format!("and {} more", cells.len() - LISTED));
        }
        lines.push(format!(
            "{} {what}: {}",
            show::count(count),
            listed.join(", ")
        ));
    }
    lines
}

/// The inputs for which the bound of the range does not hold, as the end of a sentence.
pub fn but(bound: &RangeBound) -> String {
    match special(bound) {
        0 => String::new(),
        left => format!(
            ", but for {} inputs that are not bounded",
            show::count(left)
        ),
    }
}

pub fn special(bound: &RangeBound) -> u128 {
    bound
        .special
        .iter()
        .map(|c| u128::from(c.count(BINARY64)))
        .sum()
}

pub fn stretch(cell: &Cell) -> String {
    if cell.lo == cell.hi {
        number(cell.lo)
    } else {
        format!("{} to {}", number(cell.lo), number(cell.hi))
    }
}
