//! A kernel that shows a difference, made small: greedily, as long as something smaller still shows it.
//!
//! | file | what |
//! |---|---|
//! | `mod` | the search: rounds of candidates, the smallest that fails is the next to be made smaller |
//! | `isolate` | single operations, and operations with those that feed them, as kernels of their own |
//! | `edit` | one thing less: a statement, an iteration, a part of an expression, a result, an entry of a table |
//! | `tidy` | what an edit left behind: values nobody reads, functions nobody calls |
//! | `scope` | whether names still mean what they are to mean |
//!
//! Candidates are tested many at a time, since a compiler's start is dearer than a kernel. All are run on the same columns
//! of inputs as the kernel that failed: an expression can then be replaced by a new parameter, of which some row holds a
//! value that shows the difference. So a fault of one operation is found alone in the first round, however deep in the
//! kernel it was.

mod edit;
mod isolate;
mod scope;
mod tidy;

use kernels_gen::program::InstKind;

use crate::ast::Unit;
use crate::rust_source::source;
use crate::tree;

/// Rounds at most: each makes the kernel smaller by something.
const ROUNDS: usize = 60;

/// Says which of some kernels show the difference.
pub trait Oracle {
    /// How many at a time.
    fn together(&self) -> usize;
    /// Whether each does.
    fn fails(&mut self, units: &[Unit]) -> Vec<bool>;
}

/// Operations and table accesses of a kernel with its helpers inlined, loops unrolled and branches taken; nothing if it
/// cannot be lowered.
#[must_use]
pub fn operations(unit: &Unit) -> Option<usize> {
    let program = kernels_gen::lower(tree::kernel(unit)).ok()?.inlined();
    let counts = |k: &InstKind| matches!(k, InstKind::Op(_) | InstKind::Load(_));
    let insts = &program.entry().insts;
    Some(insts.iter().filter(|i| counts(&i.kind)).count())
}

/// First how many operations it does, then how long it is to read.
type Size = (usize, usize);

fn size(unit: &Unit) -> Option<Size> {
    Some((operations(unit)?, source(unit).len()))
}

/// The smallest kernel that can be reached from one that fails.
#[must_use]
pub fn shrink(unit: &Unit, oracle: &mut dyn Oracle) -> Unit {
    let mut best = tidy::tidied(unit.clone());
    let Some(mut least) = size(&best) else {
        return best;
    };
    for round in 0..ROUNDS {
        let mut candidates = edit::edits(&best);
        if round == 0 {
            candidates.extend(isolate::parts(&best));
        }
        match smallest(candidates, least, oracle) {
            Some((unit, size)) => (best, least) = (unit, size),
            None => break,
        }
    }
    best
}

/// Of candidates smaller than `bound` the smallest that fails.
fn smallest(candidates: Vec<Unit>, bound: Size, oracle: &mut dyn Oracle) -> Option<(Unit, Size)> {
    let mut sized: Vec<(Size, String, Unit)> = Vec::new();
    for unit in candidates {
        let unit = tidy::tidied(unit);
        if !scope::holds(&unit) {
            continue;
        }
        if let Some(size) = size(&unit).filter(|s| *s < bound && s.0 > 0) {
            sized.push((size, source(&unit), unit));
        }
    }
    sized.sort_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
    sized.dedup_by(|a, b| a.1 == b.1);
    for some in sized.chunks(oracle.together()) {
        let units: Vec<Unit> = some.iter().map(|s| s.2.clone()).collect();
        let fails = oracle.fails(&units);
        if let Some(n) = fails.iter().position(|&f| f) {
            return Some((units[n].clone(), some[n].0));
        }
    }
    None
}
