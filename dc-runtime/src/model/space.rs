//! The inputs of a search: which words of the arguments a key stands for.

use kernels_gen::ops::Prim;

use super::key::Precision;
use super::show;

/// The inputs of a search, each of which has a key.
///
/// Ranges, plans, run files and results speak of keys alone; what a key is to a function, this says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum InputSpace {
    /// All numbers of one argument, in the order of the reals ([`super::key`]).
    Numbers(Precision),
}

impl InputSpace {
    /// Types of the arguments.
    #[must_use]
    pub const fn arguments(self) -> &'static [Prim] {
        match self {
            InputSpace::Numbers(Precision::F32) => &[Prim::F32],
            InputSpace::Numbers(Precision::F64) => &[Prim::F64],
        }
    }

    /// The words of the arguments of a key: bits, zero-extended, one for each of [`InputSpace::arguments`].
    pub fn words(self, key: i64) -> impl Iterator<Item = u64> {
        match self {
            InputSpace::Numbers(precision) => std::iter::once(precision.bits_of_key(key)),
        }
    }

    /// The words of the arguments of many keys, a column for each argument.
    #[must_use]
    pub fn columns(self, keys: impl Iterator<Item = i64>) -> Vec<Vec<u64>> {
        let mut columns = vec![Vec::new(); self.arguments().len()];
        for key in keys {
            for (column, word) in columns.iter_mut().zip(self.words(key)) {
                column.push(word);
            }
        }
        columns
    }

    /// The words of the arguments of `count` keys from `first` on, in place of what the columns hold: one for each argument.
    pub fn fill(self, first: i64, count: usize, columns: &mut [Vec<u64>]) {
        match self {
            InputSpace::Numbers(precision) => {
                if let [column] = columns {
                    let keys = (0..count as i64).map(|i| first.wrapping_add(i));
                    column.clear();
                    column.extend(keys.map(|key| precision.bits_of_key(key)));
                }
            }
        }
    }

    /// The arguments of a key, each in decimal, hexadecimal and bits.
    #[must_use]
    pub fn show(self, key: i64) -> String {
        match self {
            InputSpace::Numbers(precision) => show::full(precision, precision.bits_of_key(key)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_words() {
        let space = InputSpace::Numbers(Precision::F32);
        assert_eq!(space.arguments(), [Prim::F32]);
        assert_eq!(space.columns([-1, 0, 1].into_iter()), [[0x8000_0000, 0, 1]]);
        let mut filled = [vec![7; 9]];
        space.fill(-1, 3, &mut filled);
        assert_eq!(filled, [[0x8000_0000, 0, 1]]);
        assert_eq!(space.show(-1), "-0.0 = -0x0p0 (0x80000000)");
    }
}
