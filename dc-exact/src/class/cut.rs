//! The cutting of stretches of inputs into cells.

use std::collections::HashMap;
use std::sync::Arc;

use kernels_gen::program::Program;

use super::{Classes, FINEST_REDUCED, Sorted, constant_operand, only_user, position, sorted};
use crate::cell::{
    Cell, Evaluated, Index, Kind, Outcome, Place, Residual, Sites, Values, evaluate_affine,
    evaluate_two_words, input_format,
};
use crate::error::ranges_by_series;
use crate::law::Truth;
use crate::num::float::exponent;
use crate::parallel;

/// Cuts stretches of inputs into cells and groups them into classes. At most `most` cells are evaluated, because a kernel
/// that is a different program at each input has as many cells as inputs.
#[must_use]
pub fn classify(program: &Program, truth: &Truth, stretches: &[Cell], most: u64) -> Classes {
    let limits = Limits {
        most,
        values: most,
        threads: 0,
        by_series: false,
        rounded: false,
        ends: &|| false,
    };
    classify_until(program, truth, stretches, limits)
}

/// The same as [`classify`]; the inputs that are left when the time ends are special.
pub(crate) fn classify_until(
    program: &Program,
    truth: &Truth,
    stretches: &[Cell],
    limits: Limits<'_>,
) -> Classes {
    // A number may have few values for each value of another that it is made from, or many: the first is tried with a few of the cells.
    classified(program, truth, stretches, limits, true)
        .or_else(|| classified(program, truth, stretches, limits, false))
        .unwrap_or_else(|| Classes {
            // A second decision is never put off. If it were, nothing would be proven.
            special: stretches.to_vec(),
            exhausted: true,
            ..Classes::default()
        })
}

/// The share of all cells after which it becomes apparent that cutting at each value of a number is too much.
const PATIENCE: u64 = 16;

/// `None` if it was `patient` and postponed a decision in vain.
fn classified(
    program: &Program,
    truth: &Truth,
    stretches: &[Cell],
    limits: Limits<'_>,
    patient: bool,
) -> Option<Classes> {
    let mut classes = Classes::default();
    let mut put_off = false;
    let mut by_key: HashMap<String, usize> = HashMap::new();
    // Of the most operations.
    let mut places: Vec<Place> = Vec::new();
    // Where an integer has more values on a stretch than cells may be examined, the parts of the stretch are not cut at
    // each of them either.
    let none = Arc::new(Sites::new());
    let mut todo: Vec<(Cell, Arc<Sites>)> = (stretches.iter().rev())
        .map(|&cell| (cell, none.clone()))
        .collect();
    while !todo.is_empty() {
        let next = todo.split_off(todo.len().saturating_sub(at_once(classes.looked)));
        let mut cells = Vec::new();
        for (cell, sites) in next.into_iter().rev() {
            classes.looked += 1;
            let late = classes.looked > limits.most || (limits.ends)();
            if late || truth.nowhere(cell) {
                classes.special.push(cell);
                classes.exhausted |= late;
            } else {
                cells.push((cell, sites));
            }
        }
        let examined = parallel::each(
            &cells,
            limits.threads,
            || Values::new(program),
            |values, (cell, sites)| {
                Examined::new(program, truth, (*cell, sites), limits, patient, values)
            },
        );
        let mut parts = Vec::new();
        let mut found = |sorted: Sorted, of: Vec<Place>| {
            if places.len() < of.len() {
                places = of;
            }
            classes.add(&mut by_key, sorted);
        };
        let (mut constant, mut special) = (Vec::new(), Vec::new());
        for (examined, (cell, _)) in examined.into_iter().zip(cells) {
            put_off |= examined.put_off;
            match examined.found {
                Found::Constant => constant.push(cell),
                Found::Empty => {}
                Found::Special => special.push(cell),
                Found::Parts(of, sites) => {
                    parts.extend(of.into_iter().map(|part| (part, sites.clone())));
                }
                Found::Middle(ends, sites, sorted, of) => {
                    parts.extend(ends.map(|part| (part, sites.clone())));
                    found(*sorted, of);
                }
                Found::Residual(sorted, of) => found(*sorted, of),
            }
        }
        classes.constant.extend(constant);
        classes.special.extend(special);
        if put_off && classes.looked > limits.values / PATIENCE {
            return None;
        }
        todo.extend(parts.into_iter().rev());
    }
    classes.labels = places.iter().map(|p| p.label(program)).collect();
    let lowest = |a: &Cell, b: &Cell| a.lo.total_cmp(&b.lo);
    classes.special.sort_by(lowest);
    classes.constant.sort_by(lowest);
    for class in &mut classes.classes {
        (class.members).sort_by(|a, b| lowest(&a.cell, &b.cell));
    }
    let first = |c: &super::Class| c.members.first().map_or(0.0, |m| m.cell.lo);
    (classes.classes).sort_by(|a, b| first(a).total_cmp(&first(b)));
    Some(classes)
}

/// The number of cells that are examined at once, after this many. It does not depend on the number of threads, so neither do the classes.
/// It is small at first: if all cells are cut down to single inputs, a limited number of cells must reach some of these.
fn at_once(looked: u64) -> usize {
    (looked / 64).clamp(1, 1024) as usize
}

/// The limits for the work on cells.
#[derive(Clone, Copy)]
pub(crate) struct Limits<'a> {
    /// The largest number of cells.
    pub(crate) most: u64,
    /// See [`crate::bound::Effort::values`].
    pub(crate) values: u64,
    /// The number of threads; the classes do not depend on it.
    pub(crate) threads: usize,
    /// See [`crate::bound::Effort::by_series`].
    pub(crate) by_series: bool,
    /// See [`crate::bound::Effort::rounded`].
    pub(crate) rounded: bool,
    /// Whether the time is up.
    pub(crate) ends: &'a (dyn Fn() -> bool + Sync),
}

/// A cell that was examined.
struct Examined {
    found: Found,
    /// Whether a decision was postponed.
    put_off: bool,
}

enum Found {
    Constant,
    Empty,
    Special,
    /// It is cut.
    Parts(Vec<Cell>, Arc<Sites>),
    /// It is a residual except for its ends.
    Middle([Cell; 2], Arc<Sites>, Box<Sorted>, Vec<Place>),
    Residual(Box<Sorted>, Vec<Place>),
}

impl Examined {
    fn new(
        program: &Program,
        truth: &Truth,
        (cell, sites): (Cell, &Arc<Sites>),
        limits: Limits<'_>,
        patient: bool,
        values: &mut Values,
    ) -> Self {
        let mut here = (**sites).clone();
        let two = truth.two_words();
        let evaluated = evaluate_affine(program, cell, two, limits.values, &mut here, patient);
        let put_off = evaluated.put_off;
        let of = |found: Found| Self { found, put_off };
        let joined = |here: Sites| match here.len() > sites.len() {
            true => Arc::new(here),
            false => sites.clone(),
        };
        let cut = match &evaluated.results[0] {
            Outcome::Constant(_) => return of(Found::Constant),
            Outcome::Empty => return of(Found::Empty),
            Outcome::Varies { site, carries } => match carries {
                true => values.cut_at_carry(cell, *site),
                false => {
                    if limits.by_series
                        && values.same_at_ends(cell, *site)
                        && let Some(middle) = middle(
                            program,
                            truth,
                            (cell, sites),
                            &evaluated,
                            *site,
                            limits.rounded,
                        )
                    {
                        return of(middle);
                    }
                    if let Some(parts) = values.cut_at_changes(cell, *site) {
                        return of(Found::Parts(parts, joined(here)));
                    }
                    values.cut_at_change(cell, *site)
                }
            },
            Outcome::Wide { .. } => {
                let format = input_format(program);
                (cell.at_binade(format)).or_else(|| cell.halves(format))
            }
            Outcome::Residual(residual) => match reduction_straddles(residual) {
                Some(site) => values.cut_at_binade(cell, site),
                None => {
                    let sorted = Box::new(sorted(residual, cell, truth, limits.rounded));
                    return of(Found::Residual(sorted, evaluated.places));
                }
            },
        };
        of(match cut {
            Some((a, b)) => Found::Parts(vec![a, b], joined(here)),
            None => Found::Special,
        })
    }
}

/// See `middle`.
const LAST: usize = 2;

/// A cell that is a residual except for its ends: the value that varies according to intervals is one number according to series. Next to the place
/// where the value changes, neither shows it, and halves of halves would be cut down to single inputs there.
fn middle(
    program: &Program,
    truth: &Truth,
    (cell, sites): (Cell, &Arc<Sites>),
    evaluated: &Evaluated,
    site: u32,
    rounded: bool,
) -> Option<Found> {
    let [before, middle, after] = cell.without_ends(input_format(program))?;
    // The integer that varies is made from one of the last numbers before it.
    let last = |of: &Evaluated| -> Vec<Index> {
        let before = of.made_integers.iter().rev().copied();
        let before = before.filter(|&i| of.operations[i as usize].site <= site);
        let mut last: Vec<Index> = before.take(LAST).collect();
        last.reverse();
        last
    };
    let within = |of: &Evaluated, over: Cell| {
        let tight = ranges_by_series(&of.operations, &last(of), over);
        evaluate_two_words(program, middle, &tight, truth.two_words())
    };
    let mut again = within(evaluated, cell);
    if !matches!(again.results[0], Outcome::Residual(_)) {
        // They are tighter if only the middle counts.
        again = within(&again, middle);
    }
    let Outcome::Residual(residual) = &again.results[0] else {
        return None;
    };
    if reduction_straddles(residual).is_some() {
        return None;
    }
    let sorted = Box::new(sorted(residual, middle, truth, rounded));
    Some(Found::Middle(
        [before, after],
        sites.clone(),
        sorted,
        again.places,
    ))
}

/// The last step of an argument's reduction, if its results have more than one binade. Its rounding is that of a constant only in one of
/// them. Binades far below the first do not matter.
fn reduction_straddles(residual: &Residual) -> Option<u32> {
    let mut at = position(residual)?;
    loop {
        let (operation, i) = only_user(residual, at)?;
        let (Kind::Add(..) | Kind::Sub(..)) = operation.kind else {
            return None;
        };
        constant_operand(residual, operation.kind)?;
        if let Some(rounding) = operation.rounding {
            let (least, most) = (operation.values.least(), operation.values.magnitude());
            let straddles = least == 0.0 || exponent(least) != exponent(most);
            return (straddles && rounding.unit > FINEST_REDUCED).then_some(operation.site);
        }
        at = i;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::random::parsed::program;
    use crate::law::Law;

    /// The input with its last bit rounded, for which cells are halved down to single inputs.
    const ROUNDED: &str = "fn f0\n  %0: f64 = param\n  %1: i64 = to_bits %0\n  %2: i64 = const 0x1\n  %3: i64 = and %1, %2\n  \
        %4: i64 = add %1, %3\n  %5: f64 = from_bits %4\n  return %5\n";

    #[test]
    fn classes_do_not_depend_on_the_number_of_threads() {
        let program = program(ROUNDED);
        let stretches = [Cell {
            lo: -30.0,
            hi: -0.25,
        }];
        let of = |most, threads| {
            let truth = Truth::Law(Law::Exp);
            let limits = Limits {
                most,
                values: most,
                threads,
                by_series: false,
                rounded: false,
                ends: &|| false,
            };
            let classes = classify_until(&program, &truth, &stretches, limits);
            format!("{classes:?}")
        };
        for most in [40, 700, 20_000] {
            let one = of(most, 1);
            assert!(
                [2, 3, 7].iter().all(|&threads| of(most, threads) == one),
                "{most}"
            );
        }
    }
}
