//! The inputs of a search: the words of the arguments for each key.

use kernels_gen::ops::Prim;

use super::block::BlockResult;
use super::integers::{Int, Integers};
use super::key::Precision;
use super::keys::Keys;
pub use super::keys::Order;
use super::pairs::Sampler;
use super::scatter::Scatter;
use super::show;
use super::stored::{Format, Stored};

/// The inputs of a search, each of which has a key.
///
/// Ranges, plans, run files and results contain only keys. The input space defines the arguments for each key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum InputSpace {
    /// All numbers of one argument, in the order of the reals ([`super::key`]).
    Numbers(Precision),
    /// Pairs of two arguments; a key is the number of a pair, from 0 on.
    Pairs(PairSpace),
    /// All numbers of a format of 16 bits, or all pairs of them, as binary32 numbers; a key is a number from 0 on.
    Stored(Stored),
    /// Integers of one argument.
    Integers(Integers),
    /// Single numbers at random places; a key is the number of one, from 0 on.
    Scattered(&'static Scatter),
}

/// Pairs of numbers in a box.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PairSpace {
    /// The precision of both arguments.
    pub precision: Precision,
    /// The numbers of each argument.
    pub arguments: [Keys; 2],
    /// The assignment of numbers to pairs.
    pub order: Order,
}

impl PairSpace {
    /// The number of pairs as text: `2^64`, `1,000`, `about 2^61.3`.
    #[must_use]
    pub fn size(&self) -> String {
        let [p, q] = self.arguments.map(Keys::count);
        match p.checked_mul(q) {
            Some(n) if n < 1 << 40 => show::count(n),
            _ if p.is_power_of_two() && q.is_power_of_two() => {
                format!("2^{}", p.ilog2() + q.ilog2())
            }
            _ => format!("about 2^{:.1}", (p as f64).log2() + (q as f64).log2()),
        }
    }

    /// A description of this many of these pairs: `pairs of 2^64, a sample, not exhaustive`.
    #[must_use]
    pub fn describe(&self) -> String {
        match self.order {
            Order::Sample => format!("pairs, a sample of {}, not exhaustive", self.size()),
            Order::Every => format!("pairs of all {}", self.size()),
        }
    }

    /// The largest number of a pair, if all numbers up to it can be keys.
    #[must_use]
    pub fn last(&self) -> Option<i64> {
        let [p, q] = self.arguments.map(Keys::count);
        match self.order {
            Order::Sample => Some(i64::MAX),
            Order::Every => i64::try_from(p.checked_mul(q)? - 1).ok(),
        }
    }

    /// Calls `found` with the bits of each pair.
    fn each(&self, numbers: impl Iterator<Item = i64>, mut found: impl FnMut([u64; 2])) {
        let bits = |keys: [i64; 2]| keys.map(|k| self.precision.bits_of_key(k));
        match self.order {
            Order::Sample => {
                let sampler = Sampler::new(self.precision, self.arguments);
                numbers.for_each(|n| found(bits(sampler.pair(n as u64))));
            }
            Order::Every => {
                let [x, y] = self.arguments;
                let row = y.count();
                numbers.for_each(|n| {
                    let n = u128::from(n as u64);
                    let at = |keys: Keys, n: u128| keys.first.wrapping_add_unsigned(n as u64);
                    found(bits([at(x, n / row), at(y, n % row)]));
                });
            }
        }
    }
}

impl From<Precision> for InputSpace {
    fn from(precision: Precision) -> InputSpace {
        InputSpace::Numbers(precision)
    }
}

impl InputSpace {
    /// All pairs of a precision, in the order of the sample.
    #[must_use]
    pub const fn pairs(precision: Precision) -> InputSpace {
        InputSpace::Pairs(PairSpace {
            precision,
            arguments: [Keys::all(precision); 2],
            order: Order::Sample,
        })
    }

    /// Precision of the arguments; for integers, that of the doubles that a reference takes.
    #[must_use]
    pub const fn precision(self) -> Precision {
        match self {
            InputSpace::Numbers(precision) | InputSpace::Pairs(PairSpace { precision, .. }) => {
                precision
            }
            InputSpace::Stored(_) => Precision::F32,
            InputSpace::Integers(_) => Precision::F64,
            InputSpace::Scattered(scatter) => scatter.precision(),
        }
    }

    /// Types of the arguments.
    #[must_use]
    pub const fn arguments(self) -> &'static [Prim] {
        match (self, self.precision()) {
            (InputSpace::Integers(_), _) => &[Prim::I64],
            (InputSpace::Numbers(_) | InputSpace::Scattered(_), Precision::F32) => &[Prim::F32],
            (InputSpace::Numbers(_) | InputSpace::Scattered(_), Precision::F64) => &[Prim::F64],
            (InputSpace::Stored(Stored { pairs: false, .. }), _) => &[Prim::F32],
            (InputSpace::Pairs(_) | InputSpace::Stored(_), Precision::F32) => {
                &[Prim::F32, Prim::F32]
            }
            (InputSpace::Pairs(_) | InputSpace::Stored(_), Precision::F64) => {
                &[Prim::F64, Prim::F64]
            }
        }
    }

    /// The number of arguments of a reference. An integer of 64 bits counts as two doubles.
    #[must_use]
    pub const fn doubles(self) -> usize {
        match self {
            InputSpace::Integers(integers) => (integers.int.bits() / 32) as usize,
            _ => self.arguments().len(),
        }
    }

    /// The types of the arguments as on the command line and in run files: `f32`, `f64,f64`.
    #[must_use]
    pub const fn signature(self) -> &'static str {
        match (self, self.precision()) {
            (InputSpace::Stored(stored), _) => stored.signature(),
            (InputSpace::Integers(integers), _) => integers.int.name(),
            (InputSpace::Numbers(_) | InputSpace::Scattered(_), precision) => precision.name(),
            (InputSpace::Pairs(_), Precision::F32) => "f32,f32",
            (InputSpace::Pairs(_), Precision::F64) => "f64,f64",
        }
    }

    /// All inputs with this signature.
    #[must_use]
    pub fn of_signature(signature: &str) -> Option<InputSpace> {
        let all = |p| [InputSpace::Numbers(p), InputSpace::pairs(p)];
        let stored =
            |format| [false, true].map(|pairs| InputSpace::Stored(Stored { format, pairs }));
        let spaces = [Precision::F32, Precision::F64].into_iter().flat_map(all);
        let integers = [Int::I32, Int::U32, Int::I64, Int::U64];
        let integers = integers.map(|int| InputSpace::Integers(Integers::of(int)));
        let spaces = spaces.chain([Format::Half, Format::Bfloat].into_iter().flat_map(stored));
        let mut spaces = spaces.chain(integers);
        spaces.find(|s| s.signature() == signature)
    }

    /// All inputs of these types.
    #[must_use]
    pub const fn whole(self) -> InputSpace {
        match self {
            InputSpace::Numbers(_) | InputSpace::Stored(_) => self,
            InputSpace::Integers(integers) => InputSpace::Integers(Integers::of(integers.int)),
            InputSpace::Scattered(scatter) => InputSpace::Numbers(scatter.precision()),
            InputSpace::Pairs(PairSpace { precision, .. }) => InputSpace::pairs(precision),
        }
    }

    /// The box of its pairs, if its inputs are pairs.
    #[must_use]
    pub const fn of_pairs(self) -> Option<PairSpace> {
        match self {
            InputSpace::Numbers(_)
            | InputSpace::Stored(_)
            | InputSpace::Integers(_)
            | InputSpace::Scattered(_) => None,
            InputSpace::Pairs(pairs) => Some(pairs),
        }
    }

    /// Whether its keys are in the order of the reals. In other spaces, keys are numbers from 0 on, and neighbouring keys are
    /// not neighbouring inputs.
    #[must_use]
    pub const fn is_ordered(self) -> bool {
        matches!(self, InputSpace::Numbers(_))
    }

    /// A description of this many of its inputs, if they are not all inputs of a range in the order of the reals.
    #[must_use]
    pub fn describe(self, count: u64) -> Option<String> {
        let n = show::count(count.into());
        match self {
            InputSpace::Numbers(_) | InputSpace::Scattered(_) => None,
            InputSpace::Pairs(pairs) => Some(format!("{n} {}", pairs.describe())),
            InputSpace::Integers(integers) => integers.describe(count),
            InputSpace::Stored(stored) => Some(format!(
                "{n} {} of all {}",
                if stored.pairs { "pairs" } else { "numbers" },
                show::count(stored.last() as u128 + 1)
            )),
        }
    }

    /// Whether its keys, however many, always form a sample.
    #[must_use]
    pub const fn is_sample(self) -> bool {
        matches!(
            self,
            InputSpace::Pairs(PairSpace {
                order: Order::Sample,
                ..
            }) | InputSpace::Integers(Integers {
                order: Order::Sample,
                ..
            })
        )
    }

    /// The smallest key.
    #[must_use]
    pub fn min_key(self) -> i64 {
        match self {
            InputSpace::Numbers(precision) => precision.min_key(),
            InputSpace::Integers(integers) => integers.keys()[0],
            InputSpace::Pairs(_) | InputSpace::Stored(_) | InputSpace::Scattered(_) => 0,
        }
    }

    /// The largest key.
    #[must_use]
    pub fn max_key(self) -> i64 {
        match self {
            InputSpace::Numbers(precision) => precision.max_key(),
            InputSpace::Integers(integers) => integers.keys()[1],
            InputSpace::Pairs(pairs) => pairs.last().unwrap_or(i64::MAX),
            InputSpace::Stored(stored) => stored.last(),
            InputSpace::Scattered(scatter) => scatter.count() as i64 - 1,
        }
    }

    /// Translates a result with these keys. If the inputs are single numbers, the keys become those in the order of the reals.
    #[must_use]
    pub fn located(self, result: &BlockResult) -> BlockResult {
        match self {
            InputSpace::Scattered(scatter) => scatter.located(result),
            _ => *result,
        }
    }

    /// The key, in the order of the reals, of an input that [`InputSpace::located`] would translate.
    #[must_use]
    pub fn located_key(self, key: i64) -> i64 {
        match self {
            InputSpace::Scattered(scatter) => scatter.key(key),
            _ => key,
        }
    }

    /// The words of the arguments for a key: bits, zero-extended, one word for each of [`InputSpace::arguments`].
    pub fn words(self, key: i64) -> impl Iterator<Item = u64> {
        self.columns(std::iter::once(key)).into_iter().flatten()
    }

    /// The words of the arguments for many keys, one column per argument.
    #[must_use]
    pub fn columns(self, keys: impl Iterator<Item = i64>) -> Vec<Vec<u64>> {
        let mut columns = vec![Vec::new(); self.arguments().len()];
        self.put(keys, &mut columns);
        columns
    }

    /// Replaces the columns' contents by the words of the arguments for `count` keys from `first` on, one column per
    /// argument.
    pub fn fill(self, first: i64, count: usize, columns: &mut [Vec<u64>]) {
        columns.iter_mut().for_each(Vec::clear);
        if let (InputSpace::Scattered(scatter), [column]) = (self, &mut *columns) {
            let precision = scatter.precision();
            scatter.each(first, count, |key| column.push(precision.bits_of_key(key)));
            return;
        }
        self.put((0..count as i64).map(|i| first.wrapping_add(i)), columns);
    }

    /// Appends the words of the arguments for keys.
    pub(crate) fn put(self, keys: impl Iterator<Item = i64>, columns: &mut [Vec<u64>]) {
        match (self, columns) {
            (InputSpace::Numbers(precision), [column]) => {
                column.extend(keys.map(|key| precision.bits_of_key(key)));
            }
            (InputSpace::Integers(integers), [column]) => {
                column.extend(keys.map(|key| integers.word(key)));
            }
            (InputSpace::Pairs(pairs), [first, second]) => pairs.each(keys, |[x, y]| {
                first.push(x);
                second.push(y);
            }),
            (InputSpace::Stored(stored), columns) => keys.for_each(|key| {
                for (column, word) in columns.iter_mut().zip(stored.words(key)) {
                    column.push(word);
                }
            }),
            (InputSpace::Scattered(scatter), [column]) => {
                let precision = scatter.precision();
                column.extend(keys.map(|n| precision.bits_of_key(scatter.key(n))));
            }
            // Callers provide one column per argument.
            _ => {}
        }
    }

    /// The arguments for a key, each in the form that `one` gives it.
    fn shown(self, key: i64, one: impl Fn(Precision, u64) -> String) -> String {
        let words: Vec<u64> = self.words(key).collect();
        show::arguments(self.precision(), &words, one)
    }

    /// The integer for a key, as `one` shows it.
    fn integer(self, key: i64, one: impl Fn(Int, u64) -> String) -> Option<String> {
        match self {
            InputSpace::Integers(integers) => Some(one(integers.int, integers.word(key))),
            _ => None,
        }
    }

    /// Words of the arguments, each in decimal, hexadecimal and bits.
    #[must_use]
    pub fn show_words(self, words: &[u64]) -> String {
        match (self, words) {
            (InputSpace::Integers(integers), [word]) => integers.int.show(*word),
            _ => show::arguments(self.precision(), words, show::full),
        }
    }

    /// The arguments for a key in decimal: `1.5`, `(1.5, 0.25)`.
    #[must_use]
    pub fn decimal(self, key: i64) -> String {
        self.integer(key, |int, word| int.value(word).to_string())
            .unwrap_or_else(|| self.shown(key, show::decimal))
    }

    /// One of the arguments for a key in decimal.
    #[must_use]
    pub fn decimal_of(self, key: i64, argument: usize) -> String {
        self.integer(key, |int, word| int.value(word).to_string())
            .unwrap_or_else(|| {
                let word = self.words(key).nth(argument);
                show::decimal(self.precision(), word.unwrap_or_default())
            })
    }

    /// The arguments for a key as hexadecimal floats.
    #[must_use]
    pub fn hex_float(self, key: i64) -> String {
        self.integer(key, Int::hex)
            .unwrap_or_else(|| self.shown(key, show::hex_float))
    }

    /// The arguments for a key as bits: `0x3fc00000`.
    #[must_use]
    pub fn bits(self, key: i64) -> String {
        self.integer(key, Int::hex)
            .unwrap_or_else(|| self.shown(key, show::bits))
    }

    /// The arguments for a key as bits, in the form in which inputs are given: `bits:0x3fc00000`.
    #[must_use]
    pub fn input(self, key: i64) -> String {
        self.integer(key, |int, word| int.value(word).to_string())
            .unwrap_or_else(|| self.shown(key, |p, word| format!("bits:{}", show::bits(p, word))))
    }

    /// The arguments for a key, each in decimal, hexadecimal and bits.
    #[must_use]
    pub fn show(self, key: i64) -> String {
        self.integer(key, Int::show)
            .unwrap_or_else(|| self.shown(key, show::full))
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
        assert_eq!(space.bits(1), "0x00000001");
        assert_eq!(space.input(1), "bits:0x00000001");
    }

    #[test]
    fn every_pair_of_a_box_has_a_number() {
        let one = Precision::F32.key_of_bits(0x3f80_0000);
        let pairs = PairSpace {
            precision: Precision::F32,
            arguments: [
                Keys {
                    first: one,
                    last: one + 1,
                },
                Keys { first: -1, last: 1 },
            ],
            order: Order::Every,
        };
        let space = InputSpace::Pairs(pairs);
        assert_eq!((space.min_key(), space.max_key()), (0, 5));
        let columns = space.columns(0..6);
        assert_eq!(columns[0], [[0x3f80_0000; 3], [0x3f80_0001; 3]].concat());
        assert_eq!(columns[1], [0x8000_0000, 0, 1, 0x8000_0000, 0, 1]);
        assert_eq!(space.decimal(1), "(1.0, 0.0)");
        assert_eq!(
            space.show(3),
            "(1.0000001 = 0x1.000002p0 (0x3f800001), -0.0 = -0x0p0 (0x80000000))"
        );
        assert_eq!((pairs.size().as_str(), space.is_sample()), ("6", false));
    }

    #[test]
    fn spaces_by_their_signatures() {
        for signature in ["f32", "f64", "f32,f32", "f64,f64", "half", "bfloat,bfloat"] {
            let space = InputSpace::of_signature(signature).expect(signature);
            assert_eq!(space.signature(), signature);
            assert_eq!(space.whole(), space);
            if let InputSpace::Stored(_) = space {
                let words = space.words(space.max_key()).count();
                assert_eq!(words, signature.split(',').count());
                continue;
            }
            let argument = |p: &Prim| if *p == Prim::F32 { "f32" } else { "f64" };
            let arguments: Vec<&str> = space.arguments().iter().map(argument).collect();
            assert_eq!(arguments.join(","), signature);
        }
        assert_eq!(InputSpace::of_signature("f32,f64"), None);
        let size = |p| InputSpace::pairs(p).of_pairs().map(|s| s.size());
        assert_eq!(size(Precision::F32).as_deref(), Some("2^64"));
        assert_eq!(size(Precision::F64).as_deref(), Some("2^128"));
        let every = PairSpace {
            order: Order::Every,
            ..InputSpace::pairs(Precision::F64).of_pairs().expect("pairs")
        };
        assert_eq!(every.last(), None);
    }
}
