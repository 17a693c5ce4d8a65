//! A table of `accuracy.toml` with the results of a run file, for `crunch bless`.

use super::baseline::Known;
use super::report;
use crate::model::block::BlockResult;
use crate::model::show::number;
use crate::search::evaluator::{PointEvaluator, PointResult};
use crate::sweep::Sweep;

/// The reason why results do not match a table. The message names the remedy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unfit {
    /// The run has wrong special values that the table does not accept.
    #[error(
        "the run has wrong special values ({0}) that the table does not accept; correct the routine, or accept them with \
         CRUNCH_BLESS=1 in a test"
    )]
    Faults(String),
    /// The run has an error that is not a finite number.
    #[error("the run has an infinite error, which no table records; correct the routine")]
    Infinite,
    /// At its worst inputs, the table's error does not occur.
    #[error(
        "the table's error is {known} ULP, and at the inputs in its `worst` this routine has {here}: the table is of another \
         routine or reference; run the test with CRUNCH_BLESS=1 first, which accepts this one"
    )]
    Other {
        /// The table's error.
        known: String,
        /// The largest error at its inputs.
        here: String,
    },
    /// At the run's worst inputs, its kernels have other errors here.
    #[error(
        "the run's worst inputs do not have its errors here: it holds {found} ULP, and its kernels give {here}: the file or this \
         machine is wrong; `crunch verify` tests the machine, `crunch run` searches again"
    )]
    Contradicted {
        /// The run's error.
        found: String,
        /// The largest error at its inputs.
        here: String,
    },
    /// All inputs were searched, and the table has a larger error than the run.
    #[error(
        "the run is of all inputs of the range and its largest error is {found} ULP, below the {known} ULP of the table: the \
         file or this machine is wrong; `crunch verify` tests the machine, `crunch run` searches again"
    )]
    Smaller {
        /// The run's error.
        found: String,
        /// The table's error.
        known: String,
    },
    /// The table is malformed, or its inputs cannot be evaluated.
    #[error("{0}")]
    Table(String),
}

/// The table with the run's results: the worst inputs of both, and the larger of the two numbers of inputs. `exhaustive` states that the
/// run covers all inputs of the range.
///
/// # Errors
/// If the results do not match the table.
pub fn extended(
    known: &Known,
    sweep: &Sweep,
    run: &BlockResult,
    exhaustive: bool,
) -> Result<Known, Unfit> {
    let found = report::found(sweep, run, exhaustive);
    let new: Vec<&str> = (found.faults.iter())
        .filter(|f| !known.faults.contains(f))
        .map(String::as_str)
        .collect();
    if !new.is_empty() {
        return Err(Unfit::Faults(new.join(", ")));
    }
    if !found.error.is_finite() {
        return Err(Unfit::Infinite);
    }
    let mut evaluator = PointEvaluator::plain(sweep);
    let mut at = |table: &Known| -> Result<BlockResult, Unfit> {
        let keys = table.keys(sweep.inputs).map_err(Unfit::Table)?;
        let results = evaluator.evaluate(&keys);
        let results = results.map_err(|e| Unfit::Table(e.to_string()))?;
        let merge = |sum: BlockResult, one: &PointResult| sum.merge(&one.block());
        Ok(results.iter().fold(BlockResult::EMPTY, merge))
    };
    let here = at(&found)?;
    let extremes = |r: &BlockResult| {
        [r.max, r.max_positive, r.max_negative].map(|e| Some(e).filter(|e| e.error() > 0.0))
    };
    if extremes(&here) != extremes(run) {
        return Err(Unfit::Contradicted {
            found: number(found.error),
            here: number(here.max.error()),
        });
    }
    // The signs of the errors at the known inputs are not in the table, and it may be of another routine.
    let there = at(known)?;
    if there.max.error().to_bits() != known.error.to_bits() {
        return Err(Unfit::Other {
            known: number(known.error),
            here: format!("{} ULP", number(there.max.error())),
        });
    }
    if exhaustive && found.error < known.error {
        return Err(Unfit::Smaller {
            found: number(found.error),
            known: number(known.error),
        });
    }
    let worst = report::found(sweep, &run.merge(&there), exhaustive);
    // What was once searched completely stays so, unless this run disproves it.
    let complete = exhaustive || known.exhaustive && worst.error.to_bits() == known.error.to_bits();
    Ok(Known {
        range: known.range.clone(),
        error: worst.error,
        worst: worst.worst,
        inputs: found.inputs.max(known.inputs),
        exhaustive: complete,
        faults: match exhaustive {
            true => found.faults,
            false => known.faults.clone(),
        },
        kernels: found.kernels,
    })
}
