//! Entries of tables for which more results are rounded correctly.
//!
//! In a logarithm with a table, the rounding of an entry moves all results of its cell. No coefficient can move them back, because the polynomial
//! is the same in each cell. So each entry of a cell with misrounded inputs is tried with values some last places away.

use crate::candidates;
use crate::correct::{self, HardCases, Tuned};
use crate::hard::Hard;
use crate::judge::Candidate;
use crate::shape::{Design, Shape};
use crate::strips::Strips;

/// The largest number of last places by which an entry is moved.
const PLACES: i64 = 16;
/// With more misrounded inputs, the entries are not the cause.
const MOST: usize = 32;

/// Moves entries of the table of logarithms, if the design has one. The design and the candidate's program receive the new entries.
///
/// # Errors
/// The same as for [`Candidate::strips`].
pub fn tune(
    design: &mut Design,
    candidate: &mut Candidate,
    hard: &HardCases,
    tuned: &mut Tuned,
) -> Result<(), String> {
    let Shape::Logarithm(logarithm) = &design.shape else {
        return Ok(());
    };
    if tuned.misrounded == 0 || tuned.misrounded > MOST || logarithm.two_words {
        return Ok(());
    }
    let tables = &candidate.program.tables;
    let logs = || logarithm.cells.iter().map(|c| c.log.to_bits());
    let Some(table) = tables
        .iter()
        .position(|t| t.bits.iter().copied().eq(logs()))
    else {
        return Ok(());
    };
    let mut entries = tables[table].bits.clone();
    let mut strips = candidate.strips()?;
    let mut values = Vec::new();
    correct::beyond(&mut strips, &hard.cases, &mut values);
    let misrounded: Vec<Hard> = correct::wrongly_rounded(&values, &hard.cases)
        .copied()
        .collect();
    let mut moved = false;
    for (entry, kept) in entries.iter_mut().enumerate() {
        let bits = *kept;
        // The cell around 1 has no rounding.
        if f64::from_bits(bits) == 0.0
            || cell(&mut strips, table, entry, bits, &misrounded).is_empty()
        {
            continue;
        }
        let cell = cell(&mut strips, table, entry, bits, &hard.cases);
        let mut least = correct::beyond(&mut strips, &cell, &mut values);
        let mut best = bits;
        for by in (1..=PLACES).flat_map(|n| [n, -n]) {
            if least == 0 {
                break;
            }
            let next = bits.wrapping_add_signed(by);
            strips.set_entry(table, entry, next);
            let now = correct::beyond(&mut strips, &cell, &mut values);
            tuned.tried += 1;
            if now < least {
                (least, best) = (now, next);
            }
        }
        strips.set_entry(table, entry, best);
        *kept = best;
        moved |= best != bits;
    }
    if !moved {
        return Ok(());
    }
    if let Shape::Logarithm(logarithm) = &mut design.shape {
        for (cell, bits) in logarithm.cells.iter_mut().zip(entries) {
            cell.log = f64::from_bits(bits);
        }
    }
    candidate.program = candidates::program(design, &candidate.coefficients)?;
    let mut strips = candidate.strips()?;
    tuned.misrounded = correct::beyond(&mut strips, &hard.cases, &mut values);
    tuned.left = correct::left(&values, &hard.cases, tuned.misrounded);
    Ok(())
}

/// The hard inputs whose results depend on an entry: these results become NaN if the entry is NaN.
fn cell(strips: &mut Strips, table: usize, entry: usize, bits: u64, all: &[Hard]) -> Vec<Hard> {
    let mut values = Vec::new();
    strips.set_entry(table, entry, f64::NAN.to_bits());
    correct::beyond(strips, all, &mut values);
    strips.set_entry(table, entry, bits);
    let each = values.iter().zip(all);
    each.filter(|(y, _)| y.is_nan())
        .map(|(_, hard)| *hard)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::Problem;
    use crate::spec::{Format, Tolerance};
    use crate::strips::Results;
    use crate::subject::Subject;
    use dc_runtime::builtins::reference::Reference;
    use dc_runtime::model::key::Precision;
    use dc_runtime::search::range::Range;

    fn results(candidate: &Candidate, xs: &[f32]) -> Vec<f64> {
        let mut strips = candidate.strips().expect("it runs");
        strips.inputs_f32()[..xs.len()].copy_from_slice(xs);
        strips.run(xs.len());
        match strips.results(0) {
            Results::F64(ys) => ys[..xs.len()].to_vec(),
            Results::F32(_) => panic!("the design computes in binary64"),
        }
    }

    #[test]
    fn entries_that_are_off_are_moved_back() {
        let log = Subject::of(Reference::by_name("log").expect("a reference")).expect("one");
        let range = Range::parse("0.5..4", Precision::F32).expect("a range");
        let problem = Problem::new(log, range, Format::F32, Tolerance::Correct).expect("one");
        let sample = problem.sample(100).expect("a sample");
        let designs = crate::space::designs(&problem.aim(&sample)).expect("designs");
        let is = |d: &&Design| d.describe() == "f64: 2^e, 16 cells, degree 7, Horner, from 1";
        let mut design = designs.iter().find(is).expect("such a design").clone();
        let fit = candidates::Fits::default().of(&design).expect("it fits");
        let right = candidates::candidate(&design, &fit).expect("it lowers");

        // Inputs of which every result is to be within three last places of a half of what it is.
        let xs: Vec<f32> = (0..48).map(|i| 1.05 + 0.05 * i as f32).collect();
        let sides = [-1.0, 1.0];
        let hard = |(i, (&x, y)): (usize, (&f32, f64))| Hard {
            x,
            beyond: 1e-9 * sides[i % 2],
            middle: y - 3.0 * sides[i % 2] * 2f64.powi(-54),
            half: 2f64.powi(-25),
            step: 0.0,
        };
        let ys = results(&right, &xs);
        let hard = HardCases {
            cases: xs.iter().zip(ys).enumerate().map(hard).collect(),
            near: 1e-3,
            all: false,
        };

        // Fault: each entry of the table is twelve last places off.
        if let Shape::Logarithm(l) = &mut design.shape {
            for cell in l.cells.iter_mut().filter(|c| c.log != 0.0) {
                cell.log = f64::from_bits(cell.log.to_bits() + 12);
            }
        }
        let mut candidate = candidates::candidate(&design, &fit).expect("it lowers");
        let mut values = Vec::new();
        let mut strips = candidate.strips().expect("it runs");
        let wrong = correct::beyond(&mut strips, &hard.cases, &mut values);
        assert!((4..=MOST).contains(&wrong), "{wrong} are misrounded");
        let mut tuned = Tuned {
            before: wrong,
            misrounded: wrong,
            left: Vec::new(),
            tried: 0,
        };
        tune(&mut design, &mut candidate, &hard, &mut tuned).expect("it runs");
        assert_eq!((tuned.misrounded, tuned.left.len()), (0, 0));
        // The design has the entries, not the candidate alone.
        let again = candidates::candidate(&design, &fit).expect("it lowers");
        assert_eq!(results(&again, &xs), results(&candidate, &xs));
    }
}
