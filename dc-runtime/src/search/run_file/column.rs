//! The columns of a result. Each is defined once: its name, its type, and the place of its value. Schema, writing, reading
//! and checksums all use this list, so a new column needs one line.

use rusqlite::types::{Value, ValueRef};

use super::packed::{pack, unpack};
use crate::model::block::{BINS, BlockResult, Extreme, Fault, Worst};
use crate::model::fine::Fine;
use crate::model::key::Precision;

/// A column.
pub(super) struct Column {
    /// Its name.
    pub name: &'static str,
    /// Its type.
    pub kind: Kind,
    /// The first format that has it. A file of an older format is read with the value of [`Flat::default`].
    pub since: i64,
    slot: fn(&mut Flat) -> Slot<'_>,
}

/// The type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// An unsigned 64-bit word.
    Word,
    /// 64 bits, or NULL.
    Optional,
    /// An error in ULP, never negative, or NULL.
    Error,
    /// Counts, packed.
    Histogram,
}

impl Kind {
    /// Its type in SQL.
    pub const fn sql(self) -> &'static str {
        match self {
            Kind::Word => "INTEGER NOT NULL",
            Kind::Optional => "INTEGER",
            Kind::Error => "REAL",
            Kind::Histogram => "BLOB NOT NULL",
        }
    }
}

/// A column's value in a [`Flat`].
enum Slot<'a> {
    Word(&'a mut u64),
    Optional(&'a mut Option<i64>),
    Error(&'a mut Option<f64>),
    Histogram(&'a mut [u64]),
}

/// A result in the form of its columns: an error or a key that does not exist is NULL.
#[derive(Debug, Clone, Default)]
struct Flat {
    inputs: u64,
    max: (Option<f64>, Option<i64>),
    max_result: Option<i64>,
    max_reference: [Option<i64>; 2],
    max_scale: Option<i64>,
    positive: (Option<f64>, Option<i64>),
    negative: (Option<f64>, Option<i64>),
    misrounded: u64,
    undecided: u64,
    faults: [(u64, Option<i64>); 3],
    digest: u64,
    histogram: [u64; BINS],
    fine: Fine,
}

macro_rules! columns {
    ($($name:literal $kind:ident $since:literal $flat:ident => $place:expr;)+) => {
        &[$(Column {
            name: $name,
            kind: Kind::$kind,
            since: $since,
            slot: |$flat| Slot::$kind(&mut $place),
        }),+]
    };
}

/// All columns, in their order in the tables.
pub(super) const COLUMNS: &[Column] = columns! {
    "inputs" Word 1 f => f.inputs;
    "max_error" Error 1 f => f.max.0;
    "max_key" Optional 1 f => f.max.1;
    "max_result" Optional 1 f => f.max_result;
    "max_ref_hi" Optional 1 f => f.max_reference[0];
    "max_ref_lo" Optional 1 f => f.max_reference[1];
    "max_scale" Optional 2 f => f.max_scale;
    "pos_error" Error 1 f => f.positive.0;
    "pos_key" Optional 1 f => f.positive.1;
    "neg_error" Error 1 f => f.negative.0;
    "neg_key" Optional 1 f => f.negative.1;
    "misrounded" Word 1 f => f.misrounded;
    "undecided" Word 2 f => f.undecided;
    "nan" Word 1 f => f.faults[0].0;
    "nan_key" Optional 1 f => f.faults[0].1;
    "infinity" Word 1 f => f.faults[1].0;
    "infinity_key" Optional 1 f => f.faults[1].1;
    "zero_sign" Word 1 f => f.faults[2].0;
    "zero_sign_key" Optional 1 f => f.faults[2].1;
    "digest" Word 1 f => f.digest;
    "histogram" Histogram 1 f => f.histogram;
    "fine" Histogram 3 f => f.fine.0;
};

/// The columns of a format.
pub(super) fn of(format: i64) -> impl Iterator<Item = &'static Column> {
    COLUMNS.iter().filter(move |c| c.since <= format)
}

/// The values of all columns.
pub(super) fn values(result: &BlockResult, worst: Option<&Worst>) -> Vec<Value> {
    let mut flat = Flat::of(result, worst);
    let value = |c: &Column| match (c.slot)(&mut flat) {
        Slot::Word(x) => Value::Integer(*x as i64),
        Slot::Optional(x) => x.map_or(Value::Null, Value::Integer),
        Slot::Error(x) => x.map_or(Value::Null, Value::Real),
        Slot::Histogram(h) => Value::Blob(pack(h)),
    };
    COLUMNS.iter().map(value).collect()
}

/// The result with these values in a format's columns; or the reason why they are invalid.
pub(super) fn result<'a>(
    format: i64,
    mut next: impl FnMut() -> Result<ValueRef<'a>, String>,
    precision: Precision,
) -> Result<(BlockResult, Option<Worst>), String> {
    let mut flat = Flat::default();
    for c in of(format) {
        let value = next()?;
        let fits = match ((c.slot)(&mut flat), value) {
            (Slot::Word(x), ValueRef::Integer(i)) => {
                *x = i as u64;
                true
            }
            (Slot::Optional(x), ValueRef::Integer(i)) => {
                *x = Some(i);
                true
            }
            (Slot::Error(x), ValueRef::Real(e)) => {
                *x = Some(e);
                e >= 0.0
            }
            (Slot::Optional(_) | Slot::Error(_), ValueRef::Null) => true,
            (Slot::Histogram(h), ValueRef::Blob(b)) => {
                unpack(b, h)?;
                true
            }
            _ => false,
        };
        if !fits {
            return Err(format!("its column {} holds no such value", c.name));
        }
    }
    if format < 2 {
        flat.max_scale = flat.max_result.map(|_| 0);
    }
    flat.result(precision)
}

impl Flat {
    fn of(r: &BlockResult, worst: Option<&Worst>) -> Flat {
        let extreme = |e: Extreme| match e.exists() {
            true => (Some(e.error()), Some(e.key)),
            false => (None, None),
        };
        Flat {
            inputs: r.count,
            max: extreme(r.max),
            max_result: worst.map(|w| w.result_bits as i64),
            max_reference: [0, 1].map(|i| worst.map(|w| w.reference[i].to_bits() as i64)),
            max_scale: worst.map(|w| w.scale),
            positive: extreme(r.max_positive),
            negative: extreme(r.max_negative),
            misrounded: r.misrounded,
            undecided: r.undecided,
            faults: r
                .faults
                .map(|f| (f.count, (f.count > 0).then_some(f.first_key))),
            digest: r.digest,
            histogram: r.histogram,
            fine: r.fine,
        }
    }

    fn result(self, precision: Precision) -> Result<(BlockResult, Option<Worst>), String> {
        let result = BlockResult {
            count: self.inputs,
            max: extreme(self.max)?,
            max_positive: extreme(self.positive)?,
            max_negative: extreme(self.negative)?,
            misrounded: self.misrounded,
            undecided: self.undecided,
            faults: self.faults.map(|(count, key)| Fault {
                count,
                first_key: key.unwrap_or(0),
            }),
            digest: self.digest,
            histogram: self.histogram,
            fine: self.fine,
        };
        let words = (self.max_result, self.max_reference, self.max_scale);
        let worst = match (result.max.exists(), words) {
            (true, (Some(bits), [Some(hi), Some(lo)], Some(scale))) => Some(Worst {
                precision,
                key: result.max.key,
                error: result.max.error(),
                result_bits: bits as u64,
                reference: [hi, lo].map(|w| f64::from_bits(w as u64)),
                scale,
            }),
            (false, (None, [None, None], None)) => None,
            _ => return Err("a worst input without its result, or the reverse".into()),
        };
        Ok((result, worst))
    }
}

fn extreme(pair: (Option<f64>, Option<i64>)) -> Result<Extreme, String> {
    match pair {
        (Some(error), Some(key)) if key != i64::MAX => Ok(Extreme {
            error_bits: error.to_bits(),
            key,
        }),
        (None, None) => Ok(Extreme::NONE),
        _ => Err("an error without its key, or the reverse".into()),
    }
}
