//! The steps of an unfinished proof, from which another proof is resumed.
//!
//! A proof consists of *rounds*, each with a level. In a round it goes through *pieces*: the cells above the level, in descending order of
//! their bounds, each cut into parts. A lower level has the same pieces followed by more, so a piece has the same number in every round. A
//! piece is closed from its lower end to its upper one.

use std::collections::BTreeMap;

use super::{Closed, Open};

/// The pieces that this proof closes: those of one of `count` proofs that together close all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    /// Its number, from 0.
    pub index: u32,
    /// The number of shares.
    pub count: u32,
}

impl Share {
    /// All pieces.
    pub const WHOLE: Share = Share { index: 0, count: 1 };

    /// Whether a piece belongs to the share. Neighbouring pieces cost about the same, and belong to different shares.
    #[must_use]
    pub fn has(self, piece: usize) -> bool {
        piece % self.count as usize == self.index as usize
    }
}

/// A step of a proof. All steps recorded up to any of them are true.
#[derive(Debug, Clone, PartialEq)]
pub enum Note {
    /// A round begins at a level. The previous round, if there is one, has proven that no error of the share is above its level.
    Round(f64),
    /// An input with the largest error so far.
    Hit(f64),
    /// A stretch of a piece is closed, in one of the cases in which it was examined.
    Closed {
        /// The piece.
        piece: usize,
        /// The stretch.
        closed: Closed,
    },
    /// A stretch that cannot be closed.
    Open(Open),
    /// The part of a piece below an input is done: closed or open. The input is infinity if the whole piece is done.
    Done {
        /// The piece.
        piece: usize,
        /// The input, of the class of the cell.
        below: f64,
    },
    /// All pieces of the share are done.
    End,
}

/// The state of a proof after its steps.
#[derive(Debug, Clone, Default)]
pub struct Kept {
    /// The level of the last round.
    pub level: Option<f64>,
    /// The level of the previous round: no error of the share is above it.
    pub proven: Option<f64>,
    /// The input with the largest error.
    pub worst: Option<f64>,
    /// Whether all pieces of the share are done.
    pub ended: bool,
    /// The last round.
    pub(super) record: Record,
    /// The rounds before it.
    pub(super) earlier: Vec<Earlier>,
}

/// The completed work of a round.
#[derive(Debug, Clone, Default)]
pub(super) struct Record {
    /// The input below which each piece is done.
    pub done: BTreeMap<usize, f64>,
    /// Closed stretches with the number of their piece.
    pub closed: Vec<(usize, Closed)>,
    pub open: Vec<Open>,
}

/// A round that is followed by another.
#[derive(Debug, Clone)]
pub(super) struct Earlier {
    pub level: f64,
    pub record: Record,
}

impl Kept {
    /// Adds a step.
    pub fn add(&mut self, note: Note) {
        match note {
            Note::Round(level) => {
                self.proven = self.level.or(self.proven);
                let record = std::mem::take(&mut self.record);
                let earlier = self.level.map(|level| Earlier { level, record });
                self.earlier.extend(earlier);
                self.level = Some(level);
                self.ended = false;
            }
            Note::Hit(x) => self.worst = Some(x),
            Note::Closed { piece, closed } => self.record.closed.push((piece, closed)),
            Note::Open(open) => self.record.open.push(open),
            Note::Done { piece, below } => {
                self.record.done.insert(piece, below);
            }
            Note::End => self.ended = true,
        }
    }

    /// The number of pieces that are done.
    #[must_use]
    pub fn pieces(&self) -> usize {
        let done = self.record.done.values();
        done.filter(|&&x| x == f64::INFINITY).count()
    }

    /// Adds the last round of another share's proof of the same bound. The caller merges the worst inputs and the levels: a stretch that is
    /// closed at one level is closed at any level above.
    pub(super) fn join(&mut self, other: Kept) {
        self.record.done.extend(other.record.done);
        self.record.closed.extend(other.record.closed);
        self.record.open.extend(other.record.open);
    }
}
