//! A proof, or one share of it.

use std::sync::atomic::AtomicBool;

use kernels_gen::program::Program;

use super::Effort;
use super::kept::{Note, Share};
use crate::bound::RangeBound;
use crate::law::Truth;

/// A proof, or one share of it.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    /// The routine.
    pub program: &'a Program,
    /// The function.
    pub truth: &'a Truth,
    /// The bound of the range.
    pub bound: &'a RangeBound,
    /// The number of threads and the time.
    pub effort: Effort,
    /// The share of the pieces.
    pub share: Share,
    /// A callback that receives each step of the proof. The order of the steps is such that every prefix is valid.
    pub note: &'a (dyn Fn(Note) + Sync),
    /// A flag that ends the proof soon after it is set.
    pub stop: &'a AtomicBool,
}

impl<'a> Task<'a> {
    /// Proves the maximum over all pieces; the steps are not recorded.
    pub(super) fn whole(
        program: &'a Program,
        truth: &'a Truth,
        bound: &'a RangeBound,
        effort: Effort,
        stop: &'a AtomicBool,
    ) -> Task<'a> {
        Task {
            program,
            truth,
            bound,
            effort,
            share: Share::WHOLE,
            note: &|_| {},
            stop,
        }
    }
}
