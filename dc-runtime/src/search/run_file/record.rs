//! The row of a block, and the sum of blocks.

use crate::model::block::{BlockResult, Worst};

/// The stored data of a block.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Record {
    /// Its number in the plan.
    pub index: u64,
    /// Its result.
    pub result: BlockResult,
    /// Its worst input with its results; none where every input is excluded.
    pub worst: Option<Worst>,
}

impl Record {
    /// Equality of every stored bit; `==` would find a NaN reference different from itself.
    #[must_use]
    pub fn same(&self, other: &Record) -> bool {
        let worst = match (&self.worst, &other.worst) {
            (Some(a), Some(b)) => a.same(b),
            (None, None) => true,
            _ => false,
        };
        self.index == other.index && self.result == other.result && worst
    }
}

/// A combination of blocks: their number, their merged results, the worst input.
#[derive(Debug, Clone, Copy)]
pub struct Tally {
    /// Number of blocks.
    pub blocks: u64,
    /// Their results, merged.
    pub result: BlockResult,
    /// The worst input of all.
    pub worst: Option<Worst>,
}

impl Tally {
    /// The combination of no blocks.
    pub const EMPTY: Tally = Tally {
        blocks: 0,
        result: BlockResult::EMPTY,
        worst: None,
    };

    /// Adds a block.
    pub fn add(&mut self, r: &Record) {
        self.blocks += 1;
        let before = self.result.max;
        self.result = self.result.merge(&r.result);
        if self.result.max != before {
            self.worst = r.worst;
        }
    }

    /// Adds the sum of other blocks.
    pub fn join(&mut self, blocks: u64, result: &BlockResult, worst: Option<Worst>) {
        self.add(&Record {
            index: 0,
            result: *result,
            worst,
        });
        self.blocks = self.blocks - 1 + blocks;
    }

    /// Equality of every stored bit.
    #[must_use]
    pub fn same(&self, other: &Tally) -> bool {
        let record = |t: &Tally| Record {
            index: t.blocks,
            result: t.result,
            worst: t.worst,
        };
        record(self).same(&record(other))
    }
}

/// A histogram in few bytes: each count as LEB128, without empty bins at the end.
pub(super) fn pack(histogram: &[u64]) -> Vec<u8> {
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

/// Parses the output of [`pack`] into as many bins, which must be 0 before.
pub(super) fn unpack(bytes: &[u8], histogram: &mut [u64]) -> Result<(), String> {
    let bad = || "a histogram that cannot be read".to_string();
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
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{pack, unpack};
    use crate::model::block::BINS;

    #[test]
    fn histograms_pack() {
        let read = |bytes: &[u8]| {
            let mut h = [0; BINS];
            unpack(bytes, &mut h).map(|()| h)
        };
        let mut h = [0; BINS];
        assert!(pack(&h).is_empty());
        assert_eq!(read(&[]), Ok(h));
        h[0] = 1 << 32;
        h[3] = u64::MAX;
        h[15] = 127;
        assert_eq!(read(&pack(&h)), Ok(h));
        assert!(read(&[0x80]).is_err());
        assert!(read(&[0; BINS + 1]).is_err());
        assert!(read(&[0xff; 11]).is_err());
    }
}
