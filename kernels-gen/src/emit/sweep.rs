//! The search kernel: every work item evaluates approximation and reference on its own keys, judges each result and
//! keeps what a block's result is made of; it writes one record a lane when it is done.
//!
//! Keys are inputs in the order of the reals (see the search's key module): `bits = key < 0 ? key ^ 0x7fff…f : key`.
//! Item `i` of `s` takes keys `first + i`, `first + i + s`, …, so an item's keys ascend and a strict comparison
//! keeps the smallest key of a tie.
//!
//! With vectors of `l` lanes, "item" above means a lane: work item `i` is items `l * i` to `l * i + l - 1`.

use super::c::Writer;
use super::link::Linked;
use super::reduce::Reduce;
use super::{Dialect, EmitError, Options, Signature, Source};
use crate::ops::Prim;
use crate::program::Program;

/// The words of a record, in order.
///
/// Errors are `f64` bits, never negative; keys are two's complement. Where nothing attained an extreme, its error is
/// 0 and its key [`NO_KEY`]; where a fault never occurred, its key is 0.
pub const RECORD: &[&str] = &[
    "count",
    "max_error",
    "max_key",
    "max_positive",
    "max_positive_key",
    "max_negative",
    "max_negative_key",
    "misrounded",
    "nan",
    "nan_key",
    "infinity",
    "infinity_key",
    "zero_sign",
    "zero_sign_key",
    "digest",
    "bin0",
    "bin1",
    "bin2",
    "bin3",
    "bin4",
    "bin5",
    "bin6",
    "bin7",
    "bin8",
    "bin9",
    "bin10",
    "bin11",
    "bin12",
    "bin13",
    "bin14",
    "bin15",
];

/// The key of an extreme that no input attained: the largest `i64`.
pub const NO_KEY: i64 = i64::MAX;

/// The three programs of a search.
#[derive(Debug, Clone, Copy)]
pub struct Sweep<'a> {
    /// The routine under test: one float of `precision` to one.
    pub approx: &'a Program,
    /// What it should give. For `F64` routines: one `F64` to one or, as a double-double, two. For `F32` routines:
    /// one `F32` or `F64` to one `F64`.
    pub reference: &'a Program,
    /// Judges one input: (key: `I64`, approx, reference words) to (signed error in ULP: `F64`, histogram bin: `I64`,
    /// flags: `I64`, mix: `I64`). The reference is two words for `F64` routines, one for `F32`. Flag bits: 1
    /// misrounded, 2 NaN, 4 infinity, 8 sign of zero, 16 excluded from the maximum and the histogram.
    pub judge: &'a Program,
    /// `F64` or `F32`.
    pub precision: Prim,
}

/// Lane types of a program's parameters and results.
pub(super) fn signature(program: &Program) -> (Vec<Prim>, Vec<Prim>) {
    let entry = program.entry();
    (
        entry.params.iter().map(|&(_, p)| p).collect(),
        entry.results.iter().map(|&v| entry.ty(v)).collect(),
    )
}

impl Sweep<'_> {
    /// Whether the three fit together.
    fn check(&self) -> Result<(), EmitError> {
        use Prim::{F32, F64, I64};
        let complain = |role: &str, program: &Program, want: &str| {
            let (params, results) = signature(program);
            let name = &program.entry().name;
            Err(EmitError(format!(
                "{role} `{name}` is {params:?} -> {results:?}; a search needs {want}"
            )))
        };
        let p = self.precision;
        if !p.is_float() {
            return Err(EmitError(format!(
                "a search is over F64 or F32 inputs, not {p:?}"
            )));
        }
        if signature(self.approx) != (vec![p], vec![p]) {
            return complain(
                "the approximation",
                self.approx,
                &format!("[{p:?}] -> [{p:?}]"),
            );
        }
        let (params, results) = signature(self.reference);
        let words = if p == F64 {
            matches!(results[..], [F64] | [F64, F64])
        } else {
            results == [F64]
        };
        let input = params == [p] || params == [F64];
        if !(words && input) {
            let want = if p == F64 {
                "[F64] -> [F64] or [F64, F64]"
            } else {
                "[F32] or [F64] -> [F64]"
            };
            return complain("the reference", self.reference, want);
        }
        let params = if p == F64 {
            vec![I64, F64, F64, F64]
        } else {
            vec![I64, F32, F64]
        };
        let want = (params, vec![F64, I64, I64, I64]);
        if signature(self.judge) != want {
            return complain(
                "the judge",
                self.judge,
                &format!("{:?} -> {:?}", want.0, want.1),
            );
        }
        Ok(())
    }
}

/// The search kernel of three programs; see [`Signature::Sweep`] for its arguments and [`RECORD`] for what it writes.
///
/// # Errors
/// When the programs' signatures are not those that [`Sweep`] names.
pub fn sweep_kernel(sweep: &Sweep, options: &Options) -> Result<Source, EmitError> {
    sweep.check()?;
    let lang = options.lang();
    let lang = lang.as_ref();
    let mut linked = Linked::default();
    let [approx, reference, judge] =
        [sweep.approx, sweep.reference, sweep.judge].map(|p| linked.add(p));
    let name = linked
        .names
        .fresh(&format!("{}_sweep", sweep.approx.entry().name));
    let mut writer = Writer::new(lang, &linked, options.line_directives);
    let calls = [approx, reference, judge].map(|i| linked.funcs[i].name.clone());
    let reduce = Reduce {
        lang,
        cuda: options.dialect == Dialect::Cuda,
        sweep,
        calls,
    };
    let text = reduce.kernel(&name, &mut writer);
    let title = format!(
        "{} against {}, judged by {}: a search by DoubleCrunch",
        sweep.approx.entry().name,
        sweep.reference.entry().name,
        sweep.judge.entry().name
    );
    Ok(Source {
        text: writer.finish(&title, &text),
        entry: name,
        dialect: options.dialect,
        lanes: lang.lanes(),
        signature: Signature::Sweep,
    })
}

#[cfg(test)]
mod tests {
    use super::RECORD;

    #[test]
    fn words_of_a_record_are_apart() {
        let set: std::collections::HashSet<_> = RECORD.iter().collect();
        assert_eq!((set.len(), RECORD.len()), (31, 31));
    }
}
