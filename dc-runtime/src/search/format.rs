//! Groups of blocks as a table: what the paper's `crunch-format` does.

use std::io::{self, Write};

use super::block::{BlockResult, FaultKind, Worst};
use super::run_file::{Header, Reader, RunFileError};
use super::show;
use super::ulp::Definition;

/// Consecutive blocks, merged. Blocks that the file lacks are missing from it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row {
    /// The first block that is in the file.
    pub first_block: u64,
    /// The last.
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

/// The blocks of a run file in rows of `group` blocks each (by their numbers: row boundaries are multiples of it).
///
/// # Errors
/// When the file is damaged.
pub fn rows(reader: &Reader, group: u64) -> Result<Vec<Row>, RunFileError> {
    let group = group.max(1);
    let plan = &reader.header().plan;
    let mut rows: Vec<Row> = Vec::new();
    reader.blocks::<RunFileError>(|r| {
        let Some(block) = plan.block(r.index) else {
            return Ok(());
        };
        let last_key = block.first.wrapping_add_unsigned(block.count - 1);
        match rows.last_mut() {
            Some(row) if row.first_block / group == r.index / group => {
                let before = row.result.max;
                row.result = row.result.merge(&r.result);
                if row.result.max != before {
                    row.worst = r.worst;
                }
                row.last_block = r.index;
                row.blocks += 1;
                row.last_key = last_key;
            }
            _ => rows.push(Row {
                first_block: r.index,
                last_block: r.index,
                blocks: 1,
                first_key: block.first,
                last_key,
                result: r.result,
                worst: r.worst,
            }),
        }
        Ok(())
    })?;
    Ok(rows)
}

/// How many blocks a row has to hold for a table of about `wanted` rows.
#[must_use]
pub fn group_for(header: &Header, wanted: u64) -> u64 {
    let own = header.own_blocks();
    (own.end - own.start).div_ceil(wanted.max(1)).max(1)
}

/// The columns of the table.
pub const COLUMNS: [&str; 21] = [
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
    "max_positive",
    "max_negative",
    "misrounded",
    "misrounded_share",
    "nan",
    "infinity",
    "zero_sign",
    "digest",
];

/// Writes rows as a tab-delimited table with a line of column names. `max_error` is under `definition`, of the input
/// that is worst under the Handbook's; the signed extremes are the Handbook's.
///
/// # Errors
/// When `out` fails.
pub fn write(
    out: &mut dyn Write,
    header: &Header,
    rows: &[Row],
    definition: Definition,
) -> io::Result<()> {
    let p = header.identity.precision;
    writeln!(out, "{}", COLUMNS.join("\t"))?;
    for row in rows {
        let [first, last] = [row.first_key, row.last_key].map(|k| p.bits_of_key(k));
        let r = &row.result;
        let mut cells = vec![
            show::decimal(p, first),
            show::decimal(p, last),
            show::bits(p, first),
            show::bits(p, last),
            row.blocks.to_string(),
            r.count.to_string(),
        ];
        match &row.worst {
            Some(w) => {
                let at = p.bits_of_key(w.key);
                cells.extend([
                    number(definition.of(w)),
                    show::decimal(p, at),
                    show::bits(p, at),
                    show::decimal(p, w.result_bits),
                    show::bits(p, w.result_bits),
                    format!("{:?}", w.reference[0]),
                    format!("{:?}", w.reference[1]),
                ]);
            }
            None => cells.extend(std::iter::repeat_n(String::new(), 7)),
        }
        for e in [r.max_positive, r.max_negative] {
            cells.push(if e.exists() {
                number(e.error())
            } else {
                String::new()
            });
        }
        cells.push(r.misrounded.to_string());
        cells.push(format!("{:.6}", share(r.misrounded, r.count)));
        for (kind, fault) in FaultKind::ALL.iter().zip(&r.faults) {
            debug_assert!(COLUMNS.contains(&kind.name().replace('-', "_").as_str()));
            cells.push(fault.count.to_string());
        }
        cells.push(format!("0x{:016x}", r.digest));
        writeln!(out, "{}", cells.join("\t"))?;
    }
    Ok(())
}

/// An error: shortest decimal that reads back the same.
#[must_use]
pub fn number(x: f64) -> String {
    if x != 0.0 && !(1e-4..1e16).contains(&x.abs()) {
        format!("{x:e}")
    } else {
        format!("{x}")
    }
}

/// A share of a count, 0 of nothing.
#[must_use]
pub fn share(part: u64, of: u64) -> f64 {
    if of == 0 {
        0.0
    } else {
        part as f64 / of as f64
    }
}
