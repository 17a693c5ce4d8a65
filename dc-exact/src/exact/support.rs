//! A journal is compared with the pieces of the bound that it names.
//!
//! This detects a file that was damaged, mixed up, or written by hand without the closed stretches. It does not prove that the stretches
//! were searched. A journal is trusted like the program's own memory, and only the certificate is checked.

use std::collections::BTreeMap;

use super::kept::{Kept, Record, Share};
use super::round::pieces;
use super::shared::Piece;
use super::{Closed, Open};
use crate::bound::RangeBound;
use crate::cell::{Cell, next};
use crate::num::float::Format;

impl Kept {
    /// Compares the recorded steps with the pieces of a bound, for all pieces or for a share.
    ///
    /// If a named piece does not exist, belongs to another share, or is done although its stretches do not cover it; if a round begins
    /// before the previous one is complete; or if the worst input is not in the range.
    pub fn supported(&self, bound: &RangeBound, share: Share) -> Result<(), String> {
        if let Some(x) = self.worst
            && !is_input(bound, x)
        {
            return Err(format!("its input {x:e} is none of the range"));
        }
        // A round after another has a lower level.
        let mut level = bound.bound;
        for next in self.earlier.iter().map(|e| e.level).chain(self.level) {
            if !(0.0..=level).contains(&next) {
                return Err(format!(
                    "a round has the level {next} where none can be above {level}"
                ));
            }
            level = next;
        }
        for (i, earlier) in self.earlier.iter().enumerate() {
            let pieces = round(&earlier.record, earlier.level, bound, share)?;
            if let Some(open) = earlier.record.open.first() {
                return Err(format!(
                    "round {} is followed by another and leaves {:e} to {:e} open",
                    i + 1,
                    open.cell.lo,
                    open.cell.hi
                ));
            }
            let done = |p: &&Piece| earlier.record.done.get(&p.number) == Some(&f64::INFINITY);
            let mine = pieces.iter().filter(|p| share.has(p.number));
            if let Some(left) = mine.clone().find(|p| !done(p)) {
                return Err(format!(
                    "round {} is followed by another and its piece {} is not done",
                    i + 1,
                    left.number
                ));
            }
        }
        match self.level {
            Some(last) => round(&self.record, last, bound, share).map(|_| ()),
            None if self.record.done.is_empty() && self.record.closed.is_empty() => Ok(()),
            None => Err("it names pieces before a level".into()),
        }
    }
}

/// Compares a round's record with its pieces, and returns these.
fn round(
    record: &Record,
    level: f64,
    bound: &RangeBound,
    share: Share,
) -> Result<Vec<Piece>, String> {
    let format = bound.format;
    let pieces = pieces(bound, level, format);
    let piece = |number: usize| -> Result<Piece, String> {
        let piece = pieces.get(number).ok_or_else(|| {
            format!(
                "it names piece {number}, and at {level} ULP there are {}",
                pieces.len()
            )
        })?;
        if share.has(number) {
            Ok(*piece)
        } else {
            Err(format!(
                "it names piece {number}, which is of another shard"
            ))
        }
    };
    let mut of: BTreeMap<usize, Vec<Cell>> = BTreeMap::new();
    for (number, Closed { class, cell, .. }) in &record.closed {
        let Piece {
            cell: all, bounded, ..
        } = piece(*number)?;
        if bound.cells[bounded].class != Some(*class)
            || !(all.lo <= cell.lo && cell.lo <= cell.hi && cell.hi <= all.hi)
        {
            return Err(format!(
                "it closes {:e} to {:e} of class {class}, which is no part of piece {number}",
                cell.lo, cell.hi
            ));
        }
        of.entry(*number).or_default().push(*cell);
    }
    let mut open: BTreeMap<usize, Vec<Cell>> = BTreeMap::new();
    for Open { class, cell, .. } in &record.open {
        if let Some(class) = class {
            open.entry(*class).or_default().push(*cell);
        }
    }
    // The names first: what a record of another bound names is a clearer error than what it leaves out.
    if let Some(&last) = record.done.keys().next_back() {
        piece(last)?;
    }
    for (&number, &below) in &record.done {
        let piece = piece(number)?;
        // A piece with one number has no stretches, and is closed again.
        let Some(class) = bound.cells[piece.bounded].class else {
            continue;
        };
        let mut cells = of.remove(&number).unwrap_or_default();
        cells.extend(open.get(&class).into_iter().flatten());
        if let Some(gap) = gap(piece.cell, cells, below, format) {
            return Err(format!(
                "piece {number} is done, and no stretch of it is closed at {gap:e}"
            ));
        }
    }
    Ok(pieces)
}

/// The first number of a piece, below an end, that is in none of these stretches.
fn gap(piece: Cell, mut cells: Vec<Cell>, below: f64, format: Format) -> Option<f64> {
    cells.sort_by(|a, b| a.lo.total_cmp(&b.lo));
    let mut due = piece.lo;
    for cell in cells {
        if cell.lo > due {
            break;
        }
        if cell.hi >= due {
            due = next(cell.hi, format);
        }
    }
    let missing = due <= piece.hi && due < below || below.is_nan();
    missing.then_some(due)
}

fn is_input(bound: &RangeBound, x: f64) -> bool {
    let holds = |c: &Cell| c.lo <= x && x <= c.hi;
    let constants = bound.cells.iter().filter(|c| c.class.is_none());
    bound.special.iter().any(holds)
        || bound
            .classes
            .iter()
            .flat_map(|c| &c.members)
            .any(|m| holds(&m.cell))
        || constants.map(|c| &c.cell).any(holds)
}

#[cfg(test)]
mod tests {
    use super::gap;
    use crate::cell::Cell;
    use crate::num::float::BINARY64;

    #[test]
    fn what_no_stretch_holds_is_found() {
        let cell = |lo: f64, hi: f64| Cell { lo, hi };
        let piece = cell(1.0, 2.0);
        let half = 1.5f64;
        let all = f64::INFINITY;
        let gap = |cells: &[Cell], below| gap(piece, cells.to_vec(), below, BINARY64);
        assert_eq!(gap(&[], all), Some(1.0));
        assert_eq!(gap(&[piece], all), None);
        let parts = [cell(half.next_up(), 2.0), cell(1.0, half)];
        assert_eq!(gap(&parts, all), None);
        assert_eq!(gap(&parts[..1], all), Some(1.0));
        assert_eq!(gap(&parts[1..], all), Some(half.next_up()));
        // One of its cases was cut, and the other was not.
        let cases = [piece, cell(1.0, half)];
        assert_eq!(gap(&cases, all), None);
        // Up to an end.
        assert_eq!(gap(&parts[1..], half.next_up()), None);
        assert_eq!(
            gap(&parts[1..], half.next_up().next_up()),
            Some(half.next_up())
        );
        assert_eq!(gap(&[], 1.0), None);
        assert!(gap(&[piece], f64::NAN).is_some());
        let one_short = [cell(1.0, half), cell(half.next_up().next_up(), 2.0)];
        assert_eq!(gap(&one_short, all), Some(half.next_up()));
    }
}
