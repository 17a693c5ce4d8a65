//! The record that a search writes, and its check.

pub use crate::reduction::NO_KEY;
use crate::reduction::{WORDS, Word};

/// The names of a record's words, in order: those of [`WORDS`], the table of the reduction.
///
/// Errors are `f64` bits, never negative. Keys are two's complement. If no input has an extreme, its error is 0 and its key [`NO_KEY`]. If
/// a fault never occurred, its key is 0. `check` is the [`check`] of the other words, computed by the thread that wrote them. If a word
/// changes afterwards, in the device's memory or during the transfer, the check no longer holds.
pub const RECORD: &[&str] = &{
    let mut names = [""; WORDS.len()];
    let mut i = 0;
    while i < names.len() {
        names[i] = WORDS[i].name();
        i += 1;
    }
    names
};

/// The index of the word `check` in a record.
pub const CHECK: usize = {
    let mut i = 0;
    while !matches!(WORDS[i], Word::Check) {
        i += 1;
    }
    i
};

/// The factor of word `i` of a record in the check. It is odd, so a change of a single word always changes the sum.
#[must_use]
pub const fn check_weight(i: usize) -> u64 {
    let mut weight: u64 = 1;
    let mut n = 0;
    while n <= i {
        weight = weight.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        n += 1;
    }
    weight
}

/// The check of a record: each other word times its weight, added modulo 2^64.
#[must_use]
pub fn check(record: &[u64]) -> u64 {
    let others = record.iter().enumerate().filter(|(i, _)| *i != CHECK);
    others.fold(0, |sum: u64, (i, word)| {
        sum.wrapping_add(word.wrapping_mul(check_weight(i)))
    })
}

#[cfg(test)]
mod tests {
    use super::{CHECK, RECORD, check, check_weight};

    #[test]
    fn no_word_changes_without_its_check() {
        assert_eq!(RECORD[CHECK], "check");
        let record: Vec<u64> = (0..RECORD.len() as u64).map(|i| i * i).collect();
        let right = check(&record);
        for i in 0..RECORD.len() {
            assert_eq!(check_weight(i) & 1, 1);
            for bit in 0..64 {
                let mut other = record.clone();
                other[i] ^= 1 << bit;
                assert_eq!(check(&other) == right, i == CHECK, "word {i}, bit {bit}");
            }
        }
    }

    #[test]
    fn words_of_a_record_are_apart() {
        let set: std::collections::HashSet<_> = RECORD.iter().collect();
        assert_eq!((set.len(), RECORD.len()), (33, 33));
    }
}
