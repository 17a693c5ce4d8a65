//! The reason why a bound is far above the largest known error: the place, the parts of the bound there, and the remedy.

use dc_exact::bound::RangeBound;
use dc_exact::error::Share;
use dc_exact::exact::Net;
use dc_exact::why::longest_left_out;

use crate::proven::Computed;
use crate::proven::wording::{known as digits, number, part, place, stretch, up};

/// A bound that exceeds the largest known error by at most this part is not wide.
const CLOSE: f64 = 0.02;
/// The number of roundings that are named.
const NAMED: usize = 3;

/// Where a bound is wide, or which part has none, and why; with the remedy.
pub(super) fn explained(computed: &Computed, net: Net) -> Option<[String; 2]> {
    let Computed { bound, .. } = computed;
    if !computed.is_bound() {
        return part_only(computed);
    }
    let worst = bound.cells.first()?;
    if !bound.bound.is_finite() {
        return Some([
            format!(
                "no number of ULP bounds the errors on {}",
                place(bound, worst)
            ),
            "give a --range without zeros and poles of the function".into(),
        ]);
    }
    let known = net.worst?;
    let gap = bound.bound - known.error.abs();
    if gap <= CLOSE * bound.bound {
        return None;
    }
    let least = format!(
        "{} ULP ({:.0} %) above the largest error known, {} ULP at {}; on {}",
        up(gap),
        100.0 * gap / bound.bound,
        digits(known.error.abs(), 6),
        number(known.x),
        place(bound, worst)
    );
    // A part that is the same for all inputs of the cell is no loss.
    let method = worst.error.method.width();
    let (why, remedy) = if worst.error.through_zero {
        (
            "the function is 0 there, and errors are in the smallest unit".to_string(),
            "give a --range without that place: the rest may have a far lower bound".to_string(),
        )
    } else if method > 0.5 * gap {
        (
            format!(
                "the method's part (coefficients, truncation, reduction) is known to {} ULP only, for all inputs of the cell together",
                up(method)
            ),
            match bound.unfinished {
                _ if computed.cut_short => "cells were not refined to the end: give a longer --time, or the cell's inputs as --range".into(),
                true => "cells were not refined to the end: give a larger --cells, or the cell's inputs as --range".into(),
                false => format!(
                    "give --at {} to see its part in a known error: if the part is as large there, it belongs to the routine",
                    number(known.x)
                ),
            },
        )
    } else {
        (
            format!(
                "the bound takes roundings to be at their extremes at once: {}",
                named(&worst.error.shares, bound, gap)
            ),
            match bound.unfinished {
                _ if computed.cut_short => "cells were not refined to the end: give a longer --time",
                true => "cells were not refined to the end: give a larger --cells",
                false => "`crunch hunt` finds how near to it errors come, and `crunch exact` proves the largest; more cells do not lower it",
            }
            .into(),
        )
    };
    Some([format!("{least}: {why}"), remedy])
}

/// Where a bound leaves out inputs, and why.
fn part_only(computed: &Computed) -> Option<[String; 2]> {
    let Computed { subject, bound, .. } = computed;
    let (cell, label) = longest_left_out(&subject.program, &subject.truth, bound)?;
    let why = label.map_or_else(
        || {
            "no one line of operations computes the results there, or the function has no value"
                .into()
        },
        |l| {
            format!(
                "an operation varies there: {} ({}:{})",
                l.text, l.file, l.line
            )
        },
    );
    Some([
        format!("the longest stretch without a bound is {}: {why}", stretch(&cell)),
        match computed.cut_short {
            true => "give a longer --time, or a part of it as --range".into(),
            false => "give a --range where that operation is constant, or a larger --cells; `crunch hunt` searches all of the range".into(),
        },
    ])
}

/// The roundings that matter for the gap.
fn named(shares: &[Share], bound: &RangeBound, gap: f64) -> String {
    let large: Vec<&Share> = shares.iter().filter(|s| s.ulp > gap / 8.0).collect();
    let mut names: Vec<String> = large
        .iter()
        .take(NAMED)
        .map(|s| {
            let label = bound.labels.iter().find(|l| l.site == s.site);
            let at = label.map_or_else(
                || format!("operation {}", s.site),
                |l| format!("{} ({}:{})", l.text, l.file, l.line),
            );
            format!("{at} {} ULP", part(s.ulp))
        })
        .collect();
    if large.len() > NAMED {
        names.push(format!("and {} more", large.len() - NAMED));
    }
    names.join(", ")
}
