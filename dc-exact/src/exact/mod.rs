//! The exact maximum: a level that an input attains, and a proof that no input is above it.
//!
//! Every cell of the bound whose bound is above the level is cut into chunks of some hundred runs. A chunk is *static* (its
//! own bound is not above the level), or searched by *lattice* (`lattice::proof`: all inputs above the level are among the
//! candidates, each of which is evaluated), or, if it is small, evaluated input by input by *brute force*. Otherwise it
//! is cut further. A chunk that cannot be cut stays *open*, and the maximum is then a bracket.

//!
//! | file | what |
//! |---|---|
//! | `descent` | the levels, one round each, until an input attains one; proofs in shares |
//! | `sample` | inputs that are evaluated first: the lower end of the bracket |
//! | `round` | all pieces of a level |
//! | `worker` | the methods that close a piece |
//! | `kept`, `journal` | the journal of a proof, from which it is resumed after a kill |
//! | `support` | a journal is compared with the pieces that it names |
//! | `contradiction` | evaluated inputs are compared with the claims |

mod contradiction;
mod cut;
mod descent;
pub mod journal;
mod kept;
mod round;
mod sample;
mod shared;
mod support;
mod task;
#[cfg(test)]
mod tests;
mod worker;

use std::time::Duration;

use crate::cell::Cell;
use crate::point::Hit;

pub use contradiction::{Claim, Claims, Contradiction};
pub use descent::{NoMerge, maximum, merge, resume};
pub use kept::{Kept, Note, Share};
pub use round::prove;
pub use sample::{Net, net};
pub use task::Task;

/// The effort of a proof.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// The number of threads.
    pub threads: usize,
    /// The time after which the proof ends. Pieces that are not closed by then are left open.
    pub time: Duration,
    /// Whether the level is fixed, and all inputs with an error above the level are listed.
    pub list: bool,
}

/// The result of a proof.
#[derive(Debug, Clone, Default)]
pub struct Exact {
    /// The worst input and its error, evaluated.
    pub worst: Hit,
    /// No input has a larger error, in magnitude. It is the error of `worst` if nothing is open, or smaller by a part of an enclosure's
    /// width.
    pub upper: f64,
    /// Cells that keep the bracket open, in descending order of their bounds.
    pub open: Vec<Open>,
    /// All inputs with an error of at least the level, in order, if they were requested.
    pub hits: Vec<Hit>,
    /// Counts of the work.
    pub work: Work,
    /// The stretches of classes' inputs that were closed, and how.
    pub closed: Vec<Closed>,
    /// Whether it was ended by time or by a request, so that more could be closed.
    pub stopped: bool,
    /// An evaluated input with an error above a claim that covers it. Then none of the fields above are valid.
    pub contradiction: Option<Contradiction>,
}

/// A stretch of a class's inputs for which it is proven that no error is above the level.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Closed {
    /// The class.
    pub class: usize,
    /// The stretch.
    pub cell: Cell,
    /// The method that closed it.
    pub how: How,
}

/// How a stretch was closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// Its bound is not above the level.
    Bound,
    /// Lattices: every input above the level was among the candidates.
    Lattice,
    /// Its inputs were evaluated.
    Inputs,
}

impl How {
    const ALL: [How; 3] = [How::Bound, How::Lattice, How::Inputs];

    /// Its name in certificates.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            How::Bound => "bound",
            How::Lattice => "lattice",
            How::Inputs => "inputs",
        }
    }

    fn named(name: &str) -> Option<How> {
        How::ALL.into_iter().find(|how| how.name() == name)
    }
}

impl Exact {
    /// Whether the maximum is proven.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.open.is_empty()
    }
}

/// A stretch of a core's inputs that is not closed.
#[derive(Debug, Clone, PartialEq)]
pub struct Open {
    /// Its class.
    pub class: Option<usize>,
    /// The stretch; inputs, if it has no class.
    pub cell: Cell,
    /// Its bound.
    pub bound: f64,
    /// The reason.
    pub why: String,
}

/// Counts of the work.
#[derive(Debug, Clone, Copy, Default)]
pub struct Work {
    /// Cells and chunks that were closed by their bound.
    pub of_bound: u64,
    /// Chunks that were closed by lattices.
    pub lattice: u64,
    /// Runs of lattices.
    pub runs: u64,
    /// Inputs of cores in these runs.
    pub inputs: f64,
    /// Candidates that were evaluated.
    pub candidates: u64,
    /// Inputs that were evaluated one by one.
    pub brute: u64,
}

/// Progress of a proof.
#[derive(Debug, Clone, Copy)]
pub struct Progress {
    /// The number of pieces done, and of all pieces.
    pub pieces: (usize, usize),
    /// The largest error of an input so far, if one above the level is known.
    pub lower: Option<f64>,
    /// No input has a larger error.
    pub upper: f64,
    /// The current level.
    pub level: f64,
    /// The number of runs so far.
    pub runs: u64,
}
