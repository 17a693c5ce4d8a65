//! The cuts of a range, found once per process for a routine and its reference. A suite has a test of each sweep for every family
//! of backends, and finding the cuts takes longer than most of these tests.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::cuts::Cuts;
use crate::search::range::Range;
use crate::sweep::Sweep;

/// The largest number of ranges whose cuts are stored, each with some thousands of keys. The tests of a sweep run at about the same time.
const STORED: usize = 16;

/// Cuts that are found by the first thread that needs them; the others wait.
struct Entry {
    /// The addresses of the IR, which is static, and of the compiled form, for the routine and for its reference.
    kernels: [(usize, usize); 2],
    range: Range,
    cuts: Arc<OnceLock<Cuts>>,
}

static ENTRIES: Mutex<VecDeque<Entry>> = Mutex::new(VecDeque::new());

/// [`Cuts::find`], once for all calls with these kernels and this range. For functions that are not kernels, no address of a text
/// determines their results, so each call finds the cuts.
pub(super) fn cuts(sweep: &Sweep, range: &Range) -> Cuts {
    let Some([routine, reference, _]) = sweep.kernels() else {
        return Cuts::find(sweep, range);
    };
    let kernels =
        [routine, reference].map(|k| (std::ptr::from_ref(k.kernel).addr(), k.cpu.scalar as usize));
    let cuts = {
        let mut entries = ENTRIES.lock().unwrap_or_else(PoisonError::into_inner);
        match entries
            .iter()
            .find(|e| e.kernels == kernels && e.range == *range)
        {
            Some(entry) => Arc::clone(&entry.cuts),
            None => {
                entries.truncate(STORED - 1);
                let cuts = Arc::default();
                entries.push_front(Entry {
                    kernels,
                    range: range.clone(),
                    cuts: Arc::clone(&cuts),
                });
                cuts
            }
        }
    };
    cuts.get_or_init(|| Cuts::find(sweep, range)).clone()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweeps;

    /// Each routine and each range has its own cuts, even if more are needed than are stored.
    #[test]
    fn stored_cuts_are_those_of_their_routine_and_range() {
        let named = |name: &str| {
            let mut all = sweeps::ALL.iter();
            all.find(|s| s.name == name).expect("a built-in sweep")
        };
        let (exp, other) = (named("exp"), named("exp-table"));
        for round in 0..2 {
            for i in 0..STORED + 2 {
                let text = format!("1.0..={}.0", i + 2);
                let range = Range::parse(&text, exp.precision).expect("a range");
                let found = Cuts::find(exp, &range);
                assert_eq!(cuts(exp, &range), found, "{text}, round {round}");
                assert_eq!(cuts(exp, &range), found, "{text}, round {round}");
                assert_eq!(cuts(other, &range), Cuts::find(other, &range), "{text}");
            }
        }
    }
}
