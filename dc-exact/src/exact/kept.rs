//! What is written down of a proof while it goes on, and what another one goes on from.
//!
//! A proof goes through *rounds*, each with a level, and in a round through *pieces*: the cells above the level, the worst
//! first, each cut into parts. A lower level has the same pieces and more behind them, so that a piece's number says which
//! it is in any round. A piece is closed from its lower end to its upper one.

use std::collections::HashMap;

use super::{Closed, Open};

/// The pieces of a proof that this one closes: one of `count` proofs that together close all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    /// Which, from 0.
    pub index: u32,
    /// Of how many.
    pub count: u32,
}

impl Share {
    /// All pieces.
    pub const WHOLE: Share = Share { index: 0, count: 1 };

    /// Whether a piece is its own. Neighbours, which cost the same, are different shares'.
    #[must_use]
    pub fn has(self, piece: usize) -> bool {
        piece % self.count as usize == self.index as usize
    }
}

/// A step of a proof. What has been noted, up to any of the steps, is true.
#[derive(Debug, Clone, PartialEq)]
pub enum Note {
    /// A round begins at a level; where one went before, it has proven that no error of the share is above its level.
    Round(f64),
    /// An input with the largest error so far.
    Hit(f64),
    /// A stretch of a piece is closed, in one of the cases that it was taken in.
    Closed {
        /// The piece.
        piece: usize,
        /// The stretch.
        closed: Closed,
    },
    /// A stretch that cannot be closed.
    Open(Open),
    /// What of a piece is below an input is done: closed or open. Infinity where all of it is.
    Done {
        /// The piece.
        piece: usize,
        /// The input, of the cell's class.
        below: f64,
    },
    /// All pieces of the share are done.
    End,
}

/// What the notes of a proof say together.
#[derive(Debug, Clone, Default)]
pub struct Kept {
    /// The level of the last round.
    pub level: Option<f64>,
    /// The level of the round before: no error of the share is above it.
    pub proven: Option<f64>,
    /// The input with the largest error.
    pub worst: Option<f64>,
    /// Whether all pieces of the share are done.
    pub ended: bool,
    /// How far pieces are done.
    pub(super) done: HashMap<usize, f64>,
    /// Stretches with their pieces.
    pub(super) closed: Vec<(usize, Closed)>,
    pub(super) open: Vec<Open>,
}

impl Kept {
    /// Takes a step further.
    pub fn add(&mut self, note: Note) {
        match note {
            Note::Round(level) => {
                self.proven = self.level.or(self.proven);
                self.level = Some(level);
                self.ended = false;
                self.done.clear();
                self.closed.clear();
                self.open.clear();
            }
            Note::Hit(x) => self.worst = Some(x),
            Note::Closed { piece, closed } => self.closed.push((piece, closed)),
            Note::Open(open) => self.open.push(open),
            Note::Done { piece, below } => {
                self.done.insert(piece, below);
            }
            Note::End => self.ended = true,
        }
    }

    /// Pieces that are done.
    #[must_use]
    pub fn pieces(&self) -> usize {
        self.done.values().filter(|&&x| x == f64::INFINITY).count()
    }

    /// Takes in what another share's proof of the same bound has done in its last round. The worst input is left to the
    /// caller, and the levels: what is closed at a level is closed at any above it.
    pub(super) fn join(&mut self, other: Kept) {
        self.done.extend(other.done);
        self.closed.extend(other.closed);
        self.open.extend(other.open);
    }
}
