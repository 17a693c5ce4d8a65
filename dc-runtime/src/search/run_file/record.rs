//! A block's row.

use rusqlite::Row;
use rusqlite::types::{ToSql, Value, ValueRef};

use crate::search::block::{BINS, BlockResult, Extreme, Fault, Worst};
use crate::search::key::Precision;

/// What is stored of a block.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Record {
    /// Its number in the plan.
    pub index: u64,
    /// Its result.
    pub result: BlockResult,
    /// Its worst input with what came out; none where every input is excluded.
    pub worst: Option<Worst>,
}

impl Record {
    /// Equality of every stored bit; `==` would take a NaN reference for different from itself.
    #[must_use]
    pub fn same(&self, other: &Record) -> bool {
        let words = |r: &Record| {
            r.worst
                .map(|w| (w.key, w.result_bits, w.reference.map(f64::to_bits)))
        };
        self.index == other.index && self.result == other.result && words(self) == words(other)
    }
}

/// The parameters of the columns of [`super::schema::RESULT`].
pub(super) fn bind(result: &BlockResult, worst: Option<&Worst>) -> Vec<Value> {
    let int = |x: u64| Value::Integer(x as i64);
    let mut values = Vec::with_capacity(super::schema::RESULT_COLUMNS);
    values.push(int(result.count));
    extreme(&mut values, result.max);
    match worst {
        Some(w) => values.extend([
            int(w.result_bits),
            int(w.reference[0].to_bits()),
            int(w.reference[1].to_bits()),
        ]),
        None => values.extend([Value::Null, Value::Null, Value::Null]),
    }
    extreme(&mut values, result.max_positive);
    extreme(&mut values, result.max_negative);
    values.push(int(result.misrounded));
    for f in &result.faults {
        values.push(int(f.count));
        values.push(if f.count > 0 {
            Value::Integer(f.first_key)
        } else {
            Value::Null
        });
    }
    values.push(int(result.digest));
    values.push(Value::Blob(pack(&result.histogram)));
    values
}

fn extreme(values: &mut Vec<Value>, e: Extreme) {
    if e.exists() {
        values.extend([Value::Real(e.error()), Value::Integer(e.key)]);
    } else {
        values.extend([Value::Null, Value::Null]);
    }
}

/// Parameters as rusqlite wants them.
pub(super) fn params(values: &[Value]) -> Vec<&dyn ToSql> {
    values.iter().map(|v| v as &dyn ToSql).collect()
}

/// Reads the columns of [`super::schema::RESULT`] from column `at` on.
pub(super) fn read(
    row: &Row,
    at: usize,
    precision: Precision,
) -> Result<(BlockResult, Option<Worst>), String> {
    let mut columns = Columns { row, at };
    let count = columns.word()?;
    let max = columns.extreme_head()?;
    let words = [
        columns.optional()?,
        columns.optional()?,
        columns.optional()?,
    ];
    let max_positive = columns.extreme_head()?;
    let max_negative = columns.extreme_head()?;
    let misrounded = columns.word()?;
    let mut faults = [Fault::default(); 3];
    for f in &mut faults {
        f.count = columns.word()?;
        f.first_key = columns.optional()?.unwrap_or(0);
    }
    let digest = columns.word()?;
    let histogram = unpack(columns.blob()?)?;
    let worst = match (max.exists(), words) {
        (true, [Some(result), Some(hi), Some(lo)]) => Some(Worst {
            precision,
            key: max.key,
            error: max.error(),
            result_bits: result as u64,
            reference: [hi, lo].map(|w| f64::from_bits(w as u64)),
        }),
        (false, [None, None, None]) => None,
        _ => return Err("a worst input without its result, or the reverse".into()),
    };
    let result = BlockResult {
        count,
        max,
        max_positive,
        max_negative,
        misrounded,
        faults,
        digest,
        histogram,
    };
    Ok((result, worst))
}

/// Columns of a row, read one after the other.
struct Columns<'a> {
    row: &'a Row<'a>,
    at: usize,
}

impl<'a> Columns<'a> {
    fn next(&mut self) -> Result<ValueRef<'a>, String> {
        let v = self.row.get_ref(self.at).map_err(|e| e.to_string());
        self.at += 1;
        v
    }
    fn optional(&mut self) -> Result<Option<i64>, String> {
        match self.next()? {
            ValueRef::Integer(i) => Ok(Some(i)),
            ValueRef::Null => Ok(None),
            _ => Err(format!("column {} holds no integer", self.at - 1)),
        }
    }
    fn word(&mut self) -> Result<u64, String> {
        match self.optional()? {
            Some(i) => Ok(i as u64),
            None => Err(format!("column {} is empty", self.at - 1)),
        }
    }
    fn extreme_head(&mut self) -> Result<Extreme, String> {
        let error = match self.next()? {
            ValueRef::Real(x) if x >= 0.0 => Some(x),
            ValueRef::Null => None,
            _ => return Err(format!("column {} holds no error", self.at - 1)),
        };
        match (error, self.optional()?) {
            (Some(error), Some(key)) if key != i64::MAX => Ok(Extreme {
                error_bits: error.to_bits(),
                key,
            }),
            (None, None) => Ok(Extreme::NONE),
            _ => Err("an error without its key, or the reverse".into()),
        }
    }
    fn blob(&mut self) -> Result<&'a [u8], String> {
        match self.next()? {
            ValueRef::Blob(b) => Ok(b),
            _ => Err(format!("column {} is no histogram", self.at - 1)),
        }
    }
}

/// A histogram in few bytes: each count as LEB128, empty bins at the end left out.
fn pack(histogram: &[u64; BINS]) -> Vec<u8> {
    let used = histogram.iter().rposition(|&n| n != 0).map_or(0, |i| i + 1);
    let mut bytes = Vec::new();
    for &n in &histogram[..used] {
        let mut n = n;
        while n >= 0x80 {
            bytes.push(n as u8 | 0x80);
            n >>= 7;
        }
        bytes.push(n as u8);
    }
    bytes
}

fn unpack(bytes: &[u8]) -> Result<[u64; BINS], String> {
    let bad = || "a histogram that cannot be read".to_string();
    let mut histogram = [0; BINS];
    let mut bytes = bytes.iter();
    let mut bin = 0;
    while bytes.len() > 0 {
        let slot = histogram.get_mut(bin).ok_or_else(bad)?;
        let mut shift = 0;
        loop {
            let b = *bytes.next().ok_or_else(bad)?;
            if shift > 63 || (shift == 63 && b > 1) {
                return Err(bad());
            }
            *slot |= u64::from(b & 0x7f) << shift;
            shift += 7;
            if b < 0x80 {
                break;
            }
        }
        bin += 1;
    }
    Ok(histogram)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn histograms_pack() {
        let mut h = [0; BINS];
        assert!(pack(&h).is_empty());
        assert_eq!(unpack(&[]), Ok(h));
        h[0] = 1 << 32;
        h[3] = u64::MAX;
        h[15] = 127;
        assert_eq!(unpack(&pack(&h)), Ok(h));
        assert!(unpack(&[0x80]).is_err());
        assert!(unpack(&[0; BINS + 1]).is_err());
        assert!(unpack(&[0xff; 11]).is_err());
    }
}
