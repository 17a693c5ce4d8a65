//! The outcomes for the functions that an execution calls.

use std::collections::{HashMap, HashSet};

use super::lifted::Helper;
use crate::ir::Name;

/// Which functions become kernels.
#[derive(Debug, Default)]
pub(super) enum Wanted {
    /// None.
    #[default]
    None,
    /// Those with a module and a name.
    These(HashSet<(usize, Name)>),
    /// All functions that can.
    All,
}

/// A function's number among the kernels, and which of its parameters the kernel has.
pub(super) type Made = (u32, Vec<bool>);

/// The kernels of called functions.
#[derive(Debug, Default)]
pub(super) struct Helpers {
    /// Callees before callers.
    pub made: Vec<Helper>,
    pub wanted: Wanted,
    /// The outcome for each called function; `None` if it is executed at its calls.
    pub known: HashMap<(usize, Name), Option<Made>>,
}

impl Helpers {
    pub fn of(wanted: Wanted) -> Self {
        Helpers {
            wanted,
            ..Helpers::default()
        }
    }
}
