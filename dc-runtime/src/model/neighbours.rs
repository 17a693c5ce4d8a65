//! The neighbours of an input: for each argument the numbers before and after it, with the other arguments fixed.

use super::keys::{Keys, Order};
use super::space::{InputSpace, PairSpace};
use super::stored::Stored;

/// An input, and its neighbours in each argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Neighbours {
    /// The space that contains them all. For a pair it is a box around the pair.
    pub space: InputSpace,
    /// The key of the input in that space.
    pub key: i64,
    /// For each argument, the keys of the inputs before and after. There is none beyond an infinity or the last integer, and a NaN has
    /// none.
    pub around: Vec<[Option<i64>; 2]>,
}

impl Neighbours {
    /// The neighbours of the input with a key.
    #[must_use]
    pub fn of(space: InputSpace, key: i64) -> Neighbours {
        match space {
            InputSpace::Pairs(pairs) => of_pair(&pairs, key),
            InputSpace::Stored(stored) => of_stored(space, stored, key),
            InputSpace::Scattered(scatter) => Neighbours::of(space.whole(), scatter.key(key)),
            InputSpace::Integers(integers) if integers.order == Order::Sample => {
                // Neighbouring numbers of a sample are not neighbouring integers.
                let every = super::integers::Integers {
                    order: Order::Every,
                    ..integers
                };
                let int = integers.int;
                let value = int.value(integers.word(key));
                // An integer of a type has a key.
                let key = int.key(value).unwrap_or_default();
                Neighbours::of(InputSpace::Integers(every), key)
            }
            InputSpace::Numbers(_) | InputSpace::Integers(_) => Neighbours {
                space,
                key,
                around: vec![[-1, 1].map(|step| beside(space, key, step))],
            },
        }
    }

    /// The key of the input, and those of its neighbours.
    #[must_use]
    pub fn keys(&self) -> Vec<i64> {
        let around = self.around.iter().flatten().flatten();
        std::iter::once(self.key).chain(around.copied()).collect()
    }
}

/// The key of the next number or integer, one step away.
fn beside(space: InputSpace, key: i64, step: i64) -> Option<i64> {
    let next = key.checked_add(step)?;
    let is_there = (space.min_key()..=space.max_key()).contains(&next);
    let is_number = match space {
        InputSpace::Numbers(precision) => !precision.value_of_key(next).is_nan(),
        _ => true,
    };
    (is_there && is_number).then_some(next)
}

/// The neighbours of a pair, in the box of both arguments and their neighbours.
fn of_pair(pairs: &PairSpace, key: i64) -> Neighbours {
    let precision = pairs.precision;
    let numbers = InputSpace::Numbers(precision);
    let words: Vec<u64> = InputSpace::Pairs(*pairs).words(key).collect();
    let own = [words[0], words[1]].map(|word| precision.key_of_bits(word));
    let beside = own.map(|key| [-1, 1].map(|step| beside(numbers, key, step)));
    let mut arguments = [Keys { first: 0, last: 0 }; 2];
    for ((keys, own), [before, after]) in arguments.iter_mut().zip(own).zip(beside) {
        *keys = Keys {
            first: before.unwrap_or(own),
            last: after.unwrap_or(own),
        };
    }
    let [x, y] = arguments;
    let number = |[a, b]: [i64; 2]| (a - x.first) * y.count() as i64 + (b - y.first);
    let around = |n: usize| {
        beside[n].map(|other| {
            other.map(|other| {
                let mut keys = own;
                keys[n] = other;
                number(keys)
            })
        })
    };
    Neighbours {
        space: InputSpace::Pairs(PairSpace {
            precision,
            arguments,
            order: Order::Every,
        }),
        key: number(own),
        around: vec![around(0), around(1)],
    }
}

/// The neighbours of numbers of 16 bits.
fn of_stored(space: InputSpace, stored: Stored, key: i64) -> Neighbours {
    let words: Vec<u64> = space.words(key).collect();
    let own = &words[..if stored.pairs { 2 } else { 1 }];
    let around = |n: usize| {
        [-1, 1].map(|step| {
            let mut words = own.to_vec();
            words[n] = stored.format.beside(own[n] as u32, step)?.into();
            stored.number(&words).ok()
        })
    };
    Neighbours {
        space,
        key,
        around: (0..own.len()).map(around).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::integers::{Int, Integers};
    use crate::model::key::Precision;
    use crate::model::stored::Format;
    use crate::search::range;

    /// The neighbours of an input as texts, `-` where there is none.
    fn shown(text: &str, inputs: InputSpace) -> Vec<String> {
        let (space, key) = range::place(text, inputs).expect(text);
        let found = Neighbours::of(space, key);
        assert_eq!(found.space.decimal(found.key), space.decimal(key));
        let all = found.around.iter().flatten();
        let shown: Vec<String> = all
            .map(|key| key.map_or("-".into(), |key| found.space.decimal(key)))
            .collect();
        assert_eq!(
            found.keys().len(),
            1 + shown.iter().filter(|s| *s != "-").count()
        );
        shown
    }

    #[test]
    fn numbers_and_integers() {
        let f32 = InputSpace::Numbers(Precision::F32);
        assert_eq!(shown("1", f32), ["0.99999994", "1.0000001"]);
        assert_eq!(shown("0", f32), ["-0.0", "1e-45"]);
        assert_eq!(shown("-0.0", f32), ["-1e-45", "0.0"]);
        assert_eq!(shown("inf", f32), ["3.4028235e38", "-"]);
        assert_eq!(shown("bits:0x7fc00000", f32), ["-", "-"]);
        for (int, least, most) in [
            (Int::I64, "-9223372036854775808", "9223372036854775807"),
            (Int::U64, "0", "18446744073709551615"),
            (Int::U32, "0", "4294967295"),
        ] {
            let all = InputSpace::Integers(Integers::of(int));
            assert_eq!(shown("7", all), ["6", "8"]);
            assert_eq!(shown(least, all)[0], "-");
            assert_eq!(shown(most, all)[1], "-");
        }
        let sample = InputSpace::Integers(Integers::of(Int::I64));
        let found = Neighbours::of(sample, 1);
        let all: Vec<String> = found
            .keys()
            .iter()
            .map(|k| found.space.decimal(*k))
            .collect();
        assert_eq!(all, ["1", "0", "2"]);
    }

    #[test]
    fn pairs_have_two_in_each_argument() {
        let pairs = InputSpace::pairs(Precision::F32);
        assert_eq!(
            shown("1,-2", pairs),
            [
                "(0.99999994, -2.0)",
                "(1.0000001, -2.0)",
                "(1.0, -2.0000002)",
                "(1.0, -1.9999999)"
            ]
        );
        assert_eq!(
            shown("inf,0", pairs),
            ["(3.4028235e38, 0.0)", "-", "(inf, -0.0)", "(inf, 1e-45)"]
        );
    }

    #[test]
    fn numbers_of_sixteen_bits() {
        for (format, one, least, most, largest) in [
            (
                Format::Half,
                ["0.99951171875", "1.0009765625"],
                "5.9604645e-8",
                "inf",
                "65504.0",
            ),
            (
                Format::Bfloat,
                ["0.99609375", "1.0078125"],
                "9.183550e-41",
                "inf",
                "3.3895314e38",
            ),
        ] {
            let number = |text: &str| text.parse::<f32>().expect(text);
            let one_argument = InputSpace::Stored(Stored {
                format,
                pairs: false,
            });
            let of = |text: &str| -> Vec<Option<f32>> {
                let all = shown(text, one_argument);
                all.iter().map(|s| (s != "-").then(|| number(s))).collect()
            };
            assert_eq!(of("1"), one.map(|x| Some(number(x))));
            assert_eq!(of("0"), [Some(-0.0), Some(number(least))]);
            assert_eq!(of(most), [Some(number(largest)), None]);
            assert_eq!(of("-inf")[0], None);
            let pairs = InputSpace::Stored(Stored {
                format,
                pairs: true,
            });
            let all = shown("1,-2", pairs);
            assert_eq!(all[1], format!("({}, -2.0)", show(one[1])));
            assert_eq!(all.len(), 4);
        }
    }

    fn show(text: &str) -> String {
        format!("{:?}", text.parse::<f32>().expect(text))
    }
}
