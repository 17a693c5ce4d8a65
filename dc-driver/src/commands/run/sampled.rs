//! `run --time --picture`: the envelope of a sample.

use std::path::Path;

use crate::failure::Failure;
use crate::plot::file::{kind_of_file, not_a_run_file, write};
use crate::plot::{Envelope, Run, before, key_at};
use dc_runtime::model::block::BlockResult;
use dc_runtime::model::show;
use dc_runtime::model::space::InputSpace;
use dc_runtime::search::format::Row;
use dc_runtime::search::range::Range;
use dc_runtime::search::timed::{Taken, Timed};
use dc_runtime::search::ulp::Definition;
use dc_runtime::sweep::Sweep;

/// The number of columns. A part of a sample has about as many blocks.
const COLUMNS: u128 = 512;
/// The size in pixels.
const SIZE: (u32, u32) = (1200, 675);

/// A picture that is drawn at the end of a search.
pub(super) struct Picture<'a> {
    path: &'a Path,
    title: String,
    definition: Definition,
}

impl<'a> Picture<'a> {
    /// Performs the checks that are possible before the search.
    pub fn new(
        path: &'a Path,
        sweep: &Sweep,
        definition: &Definition,
    ) -> Result<Picture<'a>, Failure> {
        kind_of_file(path, &["svg", "png"], "the envelope")?;
        not_a_run_file(path)?;
        let refused = |why: String| Err(Failure::input(format!("--picture: {why}")));
        if !matches!(sweep.inputs(), InputSpace::Numbers(_)) {
            return refused(format!(
                "its axis shows numbers, and the inputs of `{}` are {}; leave it out",
                sweep.name(),
                sweep.inputs().signature()
            ));
        }
        if *definition != Definition::Handbook {
            return refused(format!(
                "the largest errors are those of the search, and under --ulp {} others may be larger; leave one of them out",
                definition.name()
            ));
        }
        let definition = match sweep.measure().is_in_ulp() {
            true => Definition::Handbook,
            false => Definition::searched(sweep.measure()),
        };
        let names = format!(
            "{} against {}",
            sweep.candidate().name(),
            sweep.reference().name()
        );
        Ok(Picture {
            path,
            title: show::plain(&names),
            definition,
        })
    }

    /// Draws the picture.
    pub fn draw(&self, axis: &Range, found: &Timed) -> Result<(), Failure> {
        let mut rows = rows(axis, &found.taken);
        if let Some(worst) = &found.worst {
            let here = |r: &&mut Row| (r.first_key..=r.last_key).contains(&worst.key);
            if let Some(row) = rows.iter_mut().find(here) {
                row.worst = Some(*worst);
            }
        }
        let runs = [Run {
            label: String::new(),
            rows: &rows,
        }];
        let envelope = Envelope::new(self.title.clone(), &runs, axis, self.definition, None);
        let envelope = match found.exhaustive {
            true => envelope,
            false => envelope.of_sample(format!(
                "a sample of {} of {} inputs: others may have larger errors",
                show::count(found.result.count.into()),
                power_of_two(found.of)
            )),
        };
        write(&envelope, SIZE, self.path)
    }
}

/// A number as text; a large one as an approximate power of two.
fn power_of_two(n: u128) -> String {
    match n < 1 << 33 {
        true => show::count(n),
        false => format!("about 2^{:.1}", (n as f64).log2()),
    }
}

/// The largest errors in each column of the axis in which inputs were taken. Inputs that were searched together count in each column that they
/// reach, as blocks of a run file do.
fn rows(axis: &Range, taken: &[Taken]) -> Vec<Row> {
    let inputs = axis.count();
    let columns = COLUMNS.min(inputs);
    let column = |key: i64| {
        let place = before(axis, key.into()) as u128 * columns / inputs.max(1);
        (place as usize).min(columns as usize - 1)
    };
    let mut results: Vec<Option<BlockResult>> = vec![None; columns as usize];
    for t in taken {
        for result in &mut results[column(t.first)..=column(t.last)] {
            *result = Some(result.map_or(t.result, |r| r.merge(&t.result)));
        }
    }
    let rows = results.iter().zip(0u128..);
    let rows = rows.filter_map(|(result, c)| {
        let first = (inputs * c).div_ceil(columns);
        let last = (inputs * (c + 1)).div_ceil(columns) - 1;
        let keys = [key_at(axis, first)?, key_at(axis, last)?];
        Some(Row::of_block(c as u64, keys, (*result)?))
    });
    rows.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use dc_runtime::model::block::Extreme;
    use dc_runtime::model::key::Precision;

    fn taken(first: i64, last: i64, above: f64) -> Taken {
        let mut result = BlockResult::EMPTY;
        result.max_positive = Extreme {
            error_bits: above.to_bits(),
            key: first,
        };
        (result.max, result.count) = (result.max_positive, 1);
        Taken::new(first, last, result)
    }

    #[test]
    fn columns_have_the_largest_error_that_reaches_them() {
        let axis = Range::parse("bits:0x1000..=bits:0x1fff", Precision::F64).expect("a range");
        let all = [
            taken(0x1000, 0x1007, 1.0),
            taken(0x1008, 0x1017, 2.0),
            taken(0x1010, 0x1010, 3.0),
            taken(0x1ff8, 0x1fff, 4.0),
        ];
        let rows = rows(&axis, &all);
        let found: Vec<(i64, i64, f64)> = rows
            .iter()
            .map(|r| (r.first_key, r.last_key, r.result.max_positive.error()))
            .collect();
        assert_eq!(
            found,
            [
                (0x1000, 0x1007, 1.0),
                (0x1008, 0x100f, 2.0),
                (0x1010, 0x1017, 3.0),
                (0x1ff8, 0x1fff, 4.0)
            ]
        );
        // Fewer inputs than columns.
        let axis = Range::parse("bits:0x10..=bits:0x12", Precision::F64).expect("a range");
        let rows = super::rows(&axis, &[taken(0x11, 0x12, 1.0)]);
        let keys: Vec<[i64; 2]> = rows.iter().map(|r| [r.first_key, r.last_key]).collect();
        assert_eq!(keys, [[0x11, 0x11], [0x12, 0x12]]);
    }
}
