//! Checksums of rows: 64 bits of SHA-256.
//!
//! They detect damage, not malice: anyone who can write a run file can compute them. A row's checksum is computed from the checksum of its
//! run's header, the table's name and all values. So a row of another run, of another table, or with another number has a wrong checksum.

use rusqlite::types::ValueRef;
use sha2::{Digest as _, Sha256};

/// The checksum of some bytes.
pub(super) fn of(bytes: &[u8]) -> i64 {
    let digest = Sha256::digest(bytes);
    let mut word = [0; 8];
    word.copy_from_slice(&digest[..8]);
    i64::from_le_bytes(word)
}

/// The buffer in which a row is encoded for its checksum. It is reused for the next row.
#[derive(Debug, Clone, Default)]
pub(super) struct Seal(Vec<u8>);

impl Seal {
    /// Begins a row of a table in the file of the run whose header has this checksum.
    pub fn begin(&mut self, run: i64, table: &str) {
        self.0.clear();
        self.0.extend_from_slice(&run.to_le_bytes());
        self.0.extend_from_slice(table.as_bytes());
        self.0.push(0);
    }

    /// Adds a value: a byte for its type and length, and its bytes. Different lists of values have different encodings.
    pub fn add(&mut self, value: ValueRef) {
        match value {
            ValueRef::Null => self.0.push(0),
            ValueRef::Integer(i) => {
                // Bytes that only repeat the sign are omitted: there are fewer blocks to hash.
                let fits = |n: &usize| i << (64 - 8 * n) >> (64 - 8 * n) == i;
                let used = (1..8).find(fits).unwrap_or(8);
                self.0.push(0x10 | used as u8);
                self.0.extend_from_slice(&i.to_le_bytes()[..used]);
            }
            ValueRef::Real(x) => {
                self.0.push(0x20);
                self.0.extend_from_slice(&x.to_bits().to_le_bytes());
            }
            ValueRef::Text(t) => self.bytes(0x30, t),
            ValueRef::Blob(b) => self.bytes(0x40, b),
        }
    }

    fn bytes(&mut self, tag: u8, bytes: &[u8]) {
        self.0.push(tag);
        self.0
            .extend_from_slice(&(bytes.len() as u64).to_le_bytes());
        self.0.extend_from_slice(bytes);
    }

    /// The row's checksum.
    pub fn end(&self) -> i64 {
        of(&self.0)
    }

    /// The checksum of a whole row.
    pub fn row<'a>(
        &mut self,
        run: i64,
        table: &str,
        values: impl IntoIterator<Item = ValueRef<'a>>,
    ) -> i64 {
        self.begin(run, table);
        for value in values {
            self.add(value);
        }
        self.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_differ_have_other_texts() {
        let mut ints: Vec<i64> = (0..63)
            .flat_map(|k| [1 << k, (1 << k) - 1, -1 << k])
            .collect();
        ints.extend([i64::MIN, i64::MAX, -129, -128, 127, 128, 255, 256]);
        ints.sort_unstable();
        ints.dedup();
        let text = |values: &[ValueRef]| {
            let mut seal = Seal::default();
            seal.begin(7, "t");
            values.iter().for_each(|v| seal.add(*v));
            seal.0
        };
        let mut texts: Vec<Vec<u8>> = ints
            .iter()
            .map(|&i| text(&[ValueRef::Integer(i)]))
            .collect();
        for (i, t) in ints.iter().zip(&texts) {
            // The bytes with the sign repeated give the number again.
            let bytes = &t[11..];
            let fill = if bytes[bytes.len() - 1] & 0x80 == 0 {
                0
            } else {
                0xff
            };
            let mut word = [fill; 8];
            word[..bytes.len()].copy_from_slice(bytes);
            assert_eq!(i64::from_le_bytes(word), *i);
            assert_eq!(usize::from(t[10] & 15), bytes.len());
        }
        texts.push(text(&[ValueRef::Null]));
        texts.push(text(&[ValueRef::Real(0.0)]));
        texts.push(text(&[ValueRef::Real(-0.0)]));
        texts.push(text(&[ValueRef::Text(b"ab")]));
        texts.push(text(&[ValueRef::Blob(b"ab")]));
        texts.push(text(&[ValueRef::Text(b"a"), ValueRef::Text(b"b")]));
        let n = texts.len();
        texts.sort();
        texts.dedup();
        assert_eq!(texts.len(), n);
        let one = [ValueRef::Integer(1)];
        let mut seal = Seal::default();
        let all = [
            seal.row(1, "t", one),
            seal.row(2, "t", one),
            seal.row(1, "u", one),
        ];
        assert!(all[0] != all[1] && all[0] != all[2] && all[1] != all[2]);
    }
}
