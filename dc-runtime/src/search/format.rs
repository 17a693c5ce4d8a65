//! Groups of blocks as a table, like the paper's `crunch-format`.

use std::io::{self, Write};

pub use crate::model::show::{number, share};

use super::plan::Plan;
use super::record::Record;
use super::run_file::{Header, Reader, RunFileError};
use super::ulp::Definition;
use crate::model::block::{BlockResult, FaultKind, Worst};
use crate::model::measure::Measure;
use crate::model::show;

/// Consecutive blocks, merged. Blocks that are missing in the file are not included.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Row {
    /// The first block that is in the file.
    pub first_block: u64,
    /// The last block that is in the file.
    pub last_block: u64,
    /// Number of blocks in the file.
    pub blocks: u64,
    /// Smallest key of the first block.
    pub first_key: i64,
    /// Largest key of the last block.
    pub last_key: i64,
    /// Their results, merged.
    pub result: BlockResult,
    /// The worst input.
    pub worst: Option<Worst>,
}

impl Row {
    /// One block with its smallest and its largest key. Its worst input is not evaluated.
    #[must_use]
    pub fn of_block(index: u64, [first_key, last_key]: [i64; 2], result: BlockResult) -> Row {
        Row {
            first_block: index,
            last_block: index,
            blocks: 1,
            first_key,
            last_key,
            result,
            worst: None,
        }
    }

    /// The share of the blocks from the first to the last that are in the file.
    #[must_use]
    pub fn share(&self) -> f64 {
        share(self.blocks, self.last_block - self.first_block + 1)
    }
}

/// Groups blocks in ascending order into rows of `group` blocks each. Row boundaries are multiples of `group`, by the blocks' numbers.
struct Grouping<'a> {
    plan: &'a Plan,
    group: u64,
    row: Option<Row>,
}

impl Grouping<'_> {
    /// Adds a block. Returns the previous row if the block begins another one.
    fn add(&mut self, r: &Record) -> Option<Row> {
        let block = self.plan.block(r.index)?;
        let last_key = block.first.wrapping_add_unsigned(block.count - 1);
        match &mut self.row {
            Some(row) if row.first_block / self.group == r.index / self.group => {
                let before = row.result.max;
                row.result = row.result.merge(&r.result);
                if row.result.max != before {
                    row.worst = r.worst;
                }
                row.last_block = r.index;
                row.blocks += 1;
                row.last_key = last_key;
                None
            }
            row => row.replace(Row {
                worst: r.worst,
                ..Row::of_block(r.index, [block.first, last_key], r.result)
            }),
        }
    }
}

fn grouping(reader: &Reader, group: u64) -> Grouping<'_> {
    Grouping {
        plan: &reader.header().plan,
        group: group.max(1),
        row: None,
    }
}

/// The blocks of a run file in rows of `group` blocks each. Row boundaries are multiples of `group`, by the blocks' numbers.
///
/// # Errors
/// If the file is damaged.
pub fn rows(reader: &Reader, group: u64) -> Result<Vec<Row>, RunFileError> {
    let mut grouping = grouping(reader, group);
    let mut rows: Vec<Row> = Vec::new();
    reader.blocks::<RunFileError>(|r| {
        rows.extend(grouping.add(r));
        Ok(())
    })?;
    rows.extend(grouping.row);
    Ok(rows)
}

/// The same as [`rows`], but the rows are passed to `each` one after the other instead of stored, for tables of any length. `each` may be
/// slow; a writer of the file does not wait for it.
///
/// # Errors
/// If the file is damaged; or the error of `each`.
pub fn each_row<E: From<RunFileError>>(
    reader: &Reader,
    group: u64,
    mut each: impl FnMut(&Row) -> Result<(), E>,
) -> Result<(), E> {
    let mut grouping = grouping(reader, group);
    reader.blocks_at_leisure::<E>(|r| match grouping.add(r) {
        Some(row) => each(&row),
        None => Ok(()),
    })?;
    grouping.row.iter().try_for_each(each)
}

/// The number of blocks per row for a table of about `wanted` rows.
#[must_use]
pub fn group_for(header: &Header, wanted: u64) -> u64 {
    let own = header.own_blocks();
    (own.end - own.start).div_ceil(wanted.max(1)).max(1)
}

/// The columns of the table.
pub const COLUMNS: [&str; 23] = [
    "first",
    "last",
    "first_bits",
    "last_bits",
    "blocks",
    "inputs",
    "max_error",
    "at",
    "at_bits",
    "result",
    "result_bits",
    "reference",
    "reference_low",
    "reference_scale",
    "max_positive",
    "max_negative",
    "misrounded",
    "misrounded_share",
    "undecided",
    "nan",
    "infinity",
    "zero_sign",
    "digest",
];

/// Writes rows as a tab-delimited table with a line of column names. `max_error` is the error, by `definition`, of the input that is worst
/// by the Handbook's definition. The signed extremes are by the Handbook's definition.
///
/// # Errors
/// If writing to `out` fails.
pub fn write(
    out: &mut dyn Write,
    header: &Header,
    rows: &[Row],
    definition: Definition,
) -> io::Result<()> {
    writeln!(out, "{}", COLUMNS.join("\t"))?;
    rows.iter()
        .try_for_each(|row| writeln!(out, "{}", line(header, row, definition)))
}

/// A row as a line of the table.
#[must_use]
pub fn line(header: &Header, row: &Row, definition: Definition) -> String {
    let p = header.identity.precision;
    let (space, first, last) = (header.space(), row.first_key, row.last_key);
    let r = &row.result;
    let mut cells = vec![
        space.decimal(first),
        space.decimal(last),
        space.bits(first),
        space.bits(last),
        row.blocks.to_string(),
        r.count.to_string(),
    ];
    match &row.worst {
        Some(w) => {
            cells.extend([
                number(definition.of(w)),
                space.decimal(w.key),
                space.bits(w.key),
                show::decimal(p, w.result_bits),
                show::bits(p, w.result_bits),
                format!("{:?}", w.reference[0]),
                format!("{:?}", w.reference[1]),
                w.scale.to_string(),
            ]);
        }
        None => cells.extend(std::iter::repeat_n(String::new(), 8)),
    }
    for e in [r.max_positive, r.max_negative] {
        cells.push(if e.exists() {
            number(e.error())
        } else {
            String::new()
        });
    }
    match Measure::of_result(r) {
        // They were not counted.
        Measure::Maxima => cells.extend(std::iter::repeat_n(String::new(), 3)),
        _ => cells.extend([
            r.misrounded.to_string(),
            format!("{:.6}", share(r.misrounded, r.count)),
            r.undecided.to_string(),
        ]),
    }
    for (kind, fault) in FaultKind::ALL.iter().zip(&r.faults) {
        debug_assert!(COLUMNS.contains(&kind.name().replace('-', "_").as_str()));
        cells.push(fault.count.to_string());
    }
    cells.push(format!("0x{:016x}", r.digest));
    cells.join("\t")
}
