//! Pairs of arguments: a stratified sample, in which a number gives a pair, or all pairs of a small box.
//!
//! There are 2^64 pairs of binary32 numbers and 2^128 of binary64. For any function, most of them are similar: both numbers tiny, or both
//! huge. The sample is an infinite sequence, and a pair depends only on its number and the box. So blocks, run files and shards consist of
//! numbers instead of keys, a longer sample begins with a shorter one, and every prefix of it contains its share of each stratum. It begins
//! with all pairs of special values. After them, sixteen consecutive pairs contain:
//!
//! | of 16 | pairs |
//! |---|---|
//! | 6 | pairs of binades in turn; both numbers are random within them |
//! | 1 | both from 2^-8 to 2^8 in magnitude |
//! | 2 | one of such a size, the other of any binade |
//! | 1 | a special value and a number of any or of moderate size |
//! | 1 | a power of two or its neighbour and a number of moderate size |
//! | 1 | y = ±x, or next to it |
//! | 1 | y = ±1/x, or next to it |
//! | 1 | an integer or a half up to 64, and a number of any or of moderate size |
//! | 1 | x = ±1 + d and y = t / d, t from 2^-8 to 2^8, where powers are neither tiny nor huge |
//! | 1 | two integers or halves up to 64 |
//!
//! A number outside the box is replaced by a random number of a random binade of its argument.

use super::key::Precision;
use super::keys::Keys;

/// The number of pairs in a period.
const TURN: u64 = 16;
/// The number of those that belong to pairs of binades.
const OF_BINADES: u64 = 6;
/// Numbers from 2^-8 to 2^8 are of moderate size.
const MODERATE: u64 = 8;
/// The number of magnitudes of special values.
const SPECIAL: usize = 21;

/// The numbers of one argument.
#[derive(Debug)]
struct Axis {
    keys: Keys,
    /// The binade of its smallest finite number, and the number of binades. The number of a binade is the upper bits of its keys: the bits
    /// of the exponent, and from -1 down for negative numbers.
    binade: i64,
    binades: u64,
    specials: Vec<i64>,
}

/// The generator of pairs.
#[derive(Debug)]
pub(super) struct Sampler {
    precision: Precision,
    axes: [Axis; 2],
    /// The step from one pair of binades to the next, coprime to their number.
    step: u64,
}

/// The number of fraction bits.
pub(crate) const fn fraction(precision: Precision) -> u32 {
    match precision {
        Precision::F32 => 23,
        Precision::F64 => 52,
    }
}

/// The exponent field of 1.
pub(crate) const fn bias(precision: Precision) -> u64 {
    match precision {
        Precision::F32 => 127,
        Precision::F64 => 1023,
    }
}

/// The keys of special magnitudes: zero, the least and the largest subnormal and normal numbers, one and its neighbours, small numbers, the
/// largest odd integer and the integer after it, numbers whose squares overflow and underflow, infinity, NaN.
fn specials(precision: Precision) -> [i64; SPECIAL] {
    let shift = fraction(precision);
    let bias = bias(precision);
    let power = |e: i64| ((bias as i64 + e) << shift) as u64;
    let half = 1 << (shift - 1);
    let (least, one, infinity) = (1 << shift, power(0), (2 * bias + 1) << shift);
    let wide = i64::from(shift) + 1;
    let far = bias as i64 / 2 + 1;
    [
        0,
        1,
        2,
        least - 1,
        least,
        least + 1,
        power(-far),
        power(-2),
        power(-1),
        one - 1,
        one,
        one + 1,
        one + half,
        power(1),
        power(1) + half,
        power(wide) - 1,
        power(wide),
        power(far),
        infinity - 1,
        infinity,
        infinity + half,
    ]
    .map(|bits| bits as i64)
}

/// A pseudo-random word (SplitMix64).
pub(crate) fn word(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// A random number below `n`.
pub(crate) fn below(n: u64, random: &mut u64) -> u64 {
    ((u128::from(word(random)) * u128::from(n)) >> 64) as u64
}

/// A random key in this interval, with equal probabilities.
fn uniform(keys: Keys, random: &mut u64) -> i64 {
    let offset = match u64::try_from(keys.count()) {
        Ok(n) => below(n, random),
        // The keys are all words.
        Err(_) => word(random),
    };
    keys.first.wrapping_add_unsigned(offset)
}

/// The key of the number with the opposite sign.
const fn mirrored(key: i64) -> i64 {
    -1 - key
}

fn greatest_common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Axis {
    fn new(precision: Precision, keys: Keys) -> Axis {
        let shift = fraction(precision);
        let largest = (((2 * bias(precision) + 1) << shift) - 1) as i64;
        let (first, last) = (keys.first.max(mirrored(largest)), keys.last.min(largest));
        let all = specials(precision)
            .into_iter()
            .flat_map(|k| [k, mirrored(k)]);
        Axis {
            keys,
            binade: first >> shift,
            binades: match first <= last {
                true => ((last >> shift) - (first >> shift) + 1) as u64,
                // There are only infinities and NaNs.
                false => 0,
            },
            specials: all.filter(|&k| keys.contains(k)).collect(),
        }
    }

    /// A random number of a binade, counted from the first one.
    fn of_binade(&self, binade: u64, precision: Precision, random: &mut u64) -> i64 {
        if self.binades == 0 {
            return uniform(self.keys, random);
        }
        let shift = fraction(precision);
        let first = (self.binade + binade as i64) << shift;
        let keys = Keys {
            first: first.max(self.keys.first),
            last: (first + ((1 << shift) - 1)).min(self.keys.last),
        };
        uniform(keys, random)
    }
}

impl Sampler {
    pub fn new(precision: Precision, arguments: [Keys; 2]) -> Sampler {
        let axes = arguments.map(|keys| Axis::new(precision, keys));
        let binades = axes[0].binades.max(1) * axes[1].binades.max(1);
        // The golden section's step, so that any number of steps is evenly distributed.
        let mut step = ((binades as f64 * 0.618_033_988_749_895) as u64).max(1);
        while greatest_common_divisor(step, binades) != 1 {
            step += 1;
        }
        Sampler {
            precision,
            axes,
            step,
        }
    }

    /// The keys of the pair with this number.
    pub fn pair(&self, number: u64) -> [i64; 2] {
        let [x, y] = &self.axes;
        let beside = y.specials.len() as u64;
        let special = x.specials.len() as u64 * beside;
        if number < special {
            let at = [number / beside, number % beside];
            return [x.specials[at[0] as usize], y.specials[at[1] as usize]];
        }
        let number = number - special;
        let (turn, kind) = (number / TURN, number % TURN);
        // Without this, consecutive numbers would give one common stream of words.
        let mut state = number;
        let random = &mut word(&mut state);
        if kind < OF_BINADES {
            return self.of_binades(turn.wrapping_mul(OF_BINADES) + kind, random);
        }
        let (a, b) = match turn % 2 {
            0 => (0, 1),
            _ => (1, 0),
        };
        let mut keys = [0; 2];
        match kind {
            6 => keys = [self.moderate(0, random), self.moderate(1, random)],
            7 => keys = [self.any(0, random), self.moderate(1, random)],
            8 => keys = [self.moderate(0, random), self.any(1, random)],
            9 => {
                keys[a] = self.special(a, random);
                keys[b] = self.any_or_moderate(b, random);
            }
            10 => {
                keys[a] = self.power_of_two(a, random);
                keys[b] = self.moderate(b, random);
            }
            11 => {
                keys[0] = self.any_or_moderate(0, random);
                keys[1] = self.next_to(1, keys[0], random);
            }
            12 => {
                keys[0] = self.any_or_moderate(0, random);
                let inverse = self.key(1.0 / self.precision.value_of_key(keys[0]));
                keys[1] = self.next_to(1, inverse, random);
            }
            13 => {
                keys[a] = self.small(a, random);
                keys[b] = self.any_or_moderate(b, random);
            }
            14 => keys = self.next_to_one(random),
            _ => keys = [self.small(0, random), self.small(1, random)],
        }
        keys
    }

    /// A random pair of numbers from the `n`-th pair of binades. In as many steps as there are pairs of binades, each is taken once.
    fn of_binades(&self, n: u64, random: &mut u64) -> [i64; 2] {
        let [x, y] = &self.axes;
        let (p, q) = (x.binades.max(1), y.binades.max(1));
        let binades = p * q;
        let at = (u128::from(n % binades) * u128::from(self.step) % u128::from(binades)) as u64;
        [
            x.of_binade(at / q, self.precision, random),
            y.of_binade(at % q, self.precision, random),
        ]
    }

    /// A random number of an argument, from any binade.
    fn any(&self, axis: usize, random: &mut u64) -> i64 {
        let a = &self.axes[axis];
        let binade = below(a.binades.max(1), random);
        a.of_binade(binade, self.precision, random)
    }

    /// This key, if the argument has it; otherwise that of any number.
    fn inside(&self, axis: usize, key: i64, random: &mut u64) -> i64 {
        match self.axes[axis].keys.contains(key) {
            true => key,
            false => self.any(axis, random),
        }
    }

    /// This key or, with probability one half, that of the number with the opposite sign.
    fn signed(key: i64, random: &mut u64) -> i64 {
        match word(random) >> 63 {
            0 => key,
            _ => mirrored(key),
        }
    }

    /// A positive number of moderate size.
    fn moderate_key(&self, random: &mut u64) -> i64 {
        let shift = fraction(self.precision);
        let field = bias(self.precision) - MODERATE + below(2 * MODERATE, random);
        ((field << shift) | (word(random) >> (64 - shift))) as i64
    }

    fn moderate(&self, axis: usize, random: &mut u64) -> i64 {
        let key = Self::signed(self.moderate_key(random), random);
        self.inside(axis, key, random)
    }

    fn any_or_moderate(&self, axis: usize, random: &mut u64) -> i64 {
        match word(random) >> 63 {
            0 => self.any(axis, random),
            _ => self.moderate(axis, random),
        }
    }

    fn special(&self, axis: usize, random: &mut u64) -> i64 {
        let all = &self.axes[axis].specials;
        match all.len() as u64 {
            0 => self.any(axis, random),
            n => all[below(n, random) as usize],
        }
    }

    fn power_of_two(&self, axis: usize, random: &mut u64) -> i64 {
        let field = 1 + below(2 * bias(self.precision), random);
        let key = ((field << fraction(self.precision)) as i64) + below(3, random) as i64 - 1;
        self.inside(axis, Self::signed(key, random), random)
    }

    /// The key of this number, its negative, or a neighbour of one of them.
    fn next_to(&self, axis: usize, key: i64, random: &mut u64) -> i64 {
        let off = match below(4, random) {
            0 => below(5, random) as i64 - 2,
            _ => 0,
        };
        let key = Self::signed(key.saturating_add(off), random);
        self.inside(axis, key, random)
    }

    /// An integer or a half.
    fn small(&self, axis: usize, random: &mut u64) -> i64 {
        // There are as many small ones as large ones.
        let most = 1 << (1 + below(7, random));
        let key = self.key((1 + below(most, random)) as f64 / 2.0);
        self.inside(axis, Self::signed(key, random), random)
    }

    /// `±1 + d` and `t / d`.
    fn next_to_one(&self, random: &mut u64) -> [i64; 2] {
        let value = |key| self.precision.value_of_key(key);
        let shift = fraction(self.precision);
        let far = 1 + below(u64::from(shift) + 2, random);
        let size = 1.0 + (word(random) >> 12) as f64 / (1u64 << 52) as f64;
        let d = size / (1u64 << far) as f64;
        let d = if word(random) >> 63 == 0 { d } else { -d };
        let one = self.key(1.0 + d);
        let d = value(one) - 1.0;
        let x = self.inside(0, Self::signed(one, random), random);
        let t = value(Self::signed(self.moderate_key(random), random));
        // If d has underflowed to zero, this is infinite.
        let y = self.inside(1, self.key(t / d), random);
        [x, y]
    }

    /// The key of a number, rounded to nearest.
    fn key(&self, x: f64) -> i64 {
        self.precision.key_of_bits(match self.precision {
            Precision::F32 => u64::from((x as f32).to_bits()),
            Precision::F64 => x.to_bits(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::space::{InputSpace, PairSpace};
    use std::collections::BTreeSet;

    const SIZE: u64 = 1 << 16;

    fn all(precision: Precision) -> PairSpace {
        let InputSpace::Pairs(space) = InputSpace::pairs(precision) else {
            unreachable!("they are pairs")
        };
        space
    }

    /// The first pairs, as numbers.
    fn numbers(space: &PairSpace, n: u64) -> Vec<[f64; 2]> {
        let sampler = Sampler::new(space.precision, space.arguments);
        let value = |key| space.precision.value_of_key(key);
        (0..n).map(|i| sampler.pair(i).map(value)).collect()
    }

    #[test]
    fn strata_are_there() {
        for precision in [Precision::F32, Precision::F64] {
            let found = numbers(&all(precision), SIZE);
            let count = |f: &dyn Fn(f64, f64) -> bool| {
                found.iter().filter(|[x, y]| f(*x, *y)).count() as u64
            };
            let turns = SIZE / TURN;
            let single = match precision {
                Precision::F32 => |x: f64| f64::from(x as f32),
                Precision::F64 => |x: f64| x,
            };
            let share = |n: u64, name: &str| assert!(n > turns / 4, "{name}: {n} of {turns}");
            share(count(&|x, y| x == y), "x = y");
            share(count(&|x, y| x == -y), "x = -y");
            share(count(&|x, y| y.abs() == single(1.0 / x.abs())), "x = 1/y");
            let half = |x: f64| x.is_finite() && x.abs() <= 64.0 && (2.0 * x).fract() == 0.0;
            share(count(&|x, y| half(x) && half(y)), "halves");
            share(count(&|x, y| half(x) != half(y)), "one half");
            let near = |x: f64| (x.abs() - 1.0).abs() < 1e-3;
            share(count(&|x, y| near(x) && y.abs() > 10.0), "next to 1");
            let moderate = |x: f64| (1.0 / 256.0..256.0).contains(&x.abs());
            share(count(&|x, y| moderate(x) && moderate(y)), "moderate");
            for special in [0.0, f64::INFINITY, 1.0, precision.value_of_key(1)] {
                let n = count(&|x, y| x.abs() == special || y.abs() == special);
                assert!(n > turns / 16, "{special}: {n} of {turns}");
            }
            assert!(count(&|x, y| x.is_nan() && y.is_nan()) > 0);
            let zeros = [[0.0, 0.0], [0.0, -0.0], [-0.0, 0.0], [-0.0, -0.0]];
            for [x, y] in zeros.map(|p| p.map(f64::to_bits)) {
                assert!(count(&|a, b| a.to_bits() == x && b.to_bits() == y) > 0);
            }
        }
    }

    #[test]
    fn every_pair_of_binades_is_taken_once_a_round() {
        let space = all(Precision::F32);
        let sampler = Sampler::new(space.precision, space.arguments);
        let binades = 510 * 510;
        let mut seen = BTreeSet::new();
        for n in 0..binades {
            let keys = sampler.of_binades(n, &mut n.clone());
            seen.insert(keys.map(|k| k >> 23));
        }
        assert_eq!(seen.len() as u64, binades);
    }

    #[test]
    fn a_box_holds_its_pairs() {
        let key = |x: f32| Precision::F32.key_of_bits(x.to_bits().into());
        let keys = |a, b| Keys {
            first: key(a),
            last: key(b),
        };
        let space = PairSpace {
            arguments: [keys(0.5, 2.0), keys(-8.0, -0.0)],
            ..all(Precision::F32)
        };
        for [x, y] in numbers(&space, SIZE) {
            assert!((0.5..=2.0).contains(&x), "{x}");
            assert!((-8.0..=0.0).contains(&y) && y.is_sign_negative(), "{y}");
        }
        // The box has one number for one argument, and no finite one for the other.
        let one = PairSpace {
            arguments: [keys(1.0, 1.0), keys(f32::INFINITY, f32::INFINITY)],
            ..space
        };
        assert!(
            numbers(&one, 4096)
                .iter()
                .all(|p| *p == [1.0, f64::INFINITY])
        );
    }

    #[test]
    fn a_pair_is_a_function_of_its_number() {
        let space = all(Precision::F64);
        let (a, b) = (
            Sampler::new(space.precision, space.arguments),
            Sampler::new(space.precision, space.arguments),
        );
        let backwards: Vec<[i64; 2]> = (0..4096).rev().map(|n| b.pair(n)).collect();
        for n in 0..4096 {
            assert_eq!(a.pair(n), backwards[4095 - n as usize]);
        }
        // The numbers continue without end.
        let far: BTreeSet<[i64; 2]> = (0..4096).map(|n| a.pair(i64::MAX as u64 - n)).collect();
        assert!(far.len() > 4000, "{}", far.len());
    }
}
