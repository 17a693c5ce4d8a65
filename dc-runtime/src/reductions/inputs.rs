//! The inputs of a reduction: vectors, each of which is computed from its number.
//!
//! A vector depends only on its number, a seed, the function, the precision and the length. It is computed with integer operations, with one exact sum in the
//! stratum `remainder`, and with kernels in one stratum of functions of exponentials. The first vectors have special values. After them, sixteen consecutive
//! vectors contain one of each stratum ([`STRATA`]).

use super::accumulator::Accumulator;
use super::truth::Function;
use crate::model::key::Precision;
use crate::model::pairs::{below, bias, fraction, word};

/// The strata, in words.
pub const STRATA: [&str; 16] = [
    "any sign, 2^-8 to 2^8",
    "positive, one binade",
    "positive, 2^-8 to 2^8",
    "any sign, 2^-60 to 2^60",
    "any sign, every binade",
    "cancellation to a random depth",
    "remainder of a sum",
    "positive, ascending",
    "any sign, descending",
    "alternating",
    "next to one number",
    "subnormal, or next to it",
    "overflowing partial sums",
    "one large number and halves",
    "small integers and zeros",
    "an infinity, NaN or zero",
];

/// The number of special vectors of one argument.
const EDGES: u64 = 14;

/// The vectors of a reduction.
#[derive(Debug, Clone, Copy)]
pub struct Inputs {
    /// The function, which determines how many vectors there are.
    pub function: Function,
    /// The precision of the numbers.
    pub precision: Precision,
    /// The length of each vector.
    pub length: usize,
    /// The seed; another seed gives other vectors.
    pub seed: u64,
}

impl Inputs {
    /// The number of vectors of special values.
    fn edges(&self) -> u64 {
        match self.function.vectors() {
            2 => EDGES * EDGES,
            _ => EDGES,
        }
    }

    /// The number of results of a vector.
    #[must_use]
    pub const fn results(&self) -> usize {
        self.function.results(self.length)
    }

    /// A result in words: `17` for the result of vector 17, or `17[3]` if the vector has several.
    #[must_use]
    pub fn place(&self, number: u64, result: usize) -> String {
        match self.results() {
            1 => format!("{number}"),
            _ => format!("{number}[{result}]"),
        }
    }

    /// The stratum of a vector in words.
    #[must_use]
    pub fn stratum(&self, number: u64) -> &'static str {
        let place = |number: u64| (number % 16) as usize;
        match number.checked_sub(self.edges()) {
            None => "special values",
            Some(number) if self.function.is_exponential() => exponents::STRATA[place(number)],
            Some(number) => STRATA[place(number)],
        }
    }

    /// The bits of the numbers of a vector. For a pair of vectors, all of the first come first.
    #[must_use]
    pub fn words(&self, number: u64) -> Vec<u64> {
        let narrow = |x: f64| u64::from((x as f32).to_bits());
        let numbers = self.numbers(number).into_iter();
        match self.precision {
            Precision::F32 => numbers.map(narrow).collect(),
            Precision::F64 => numbers.map(f64::to_bits).collect(),
        }
    }

    /// The numbers of a vector. For a pair of vectors, all of the first come first.
    #[must_use]
    pub fn numbers(&self, number: u64) -> Vec<f64> {
        let mut state = number ^ self.seed.rotate_left(32);
        let random = word(&mut state);
        let mut maker = Maker {
            precision: self.precision,
            n: self.length,
            random,
        };
        let two = self.function.vectors() == 2;
        let Some(place) = number.checked_sub(self.edges()) else {
            let mut all = maker.edge(number % EDGES);
            if two {
                all.extend(maker.edge(number / EDGES));
            }
            return all;
        };
        let stratum = place % 16;
        if self.function.is_exponential() {
            return maker.exponents(stratum);
        }
        let mut x = maker.vector(stratum);
        if !two {
            match stratum {
                CANCELLATION => maker.shuffle(&mut x, None),
                REMAINDER => maker.subtract_sum(&mut x, None),
                _ => {}
            }
            return x;
        }
        let mut y = match (stratum, below(2, &mut maker.random)) {
            (CANCELLATION, _) => {
                let half = maker.vector(0);
                (0..self.length)
                    .map(|i| half[i % self.length.div_ceil(2)])
                    .collect()
            }
            (REMAINDER, _) => maker.vector(0),
            (_, 0) => maker.vector(stratum),
            _ => {
                let other = below(4, &mut maker.random);
                maker.vector(other)
            }
        };
        match stratum {
            CANCELLATION => maker.shuffle(&mut x, Some(&mut y)),
            REMAINDER => maker.subtract_sum(&mut x, Some(&mut y)),
            _ => {}
        }
        x.extend(y);
        x
    }
}

mod exponents;

const CANCELLATION: u64 = 5;
const REMAINDER: u64 = 6;

/// Numbers at random.
struct Maker {
    precision: Precision,
    n: usize,
    random: u64,
}

impl Maker {
    fn below(&mut self, n: u64) -> u64 {
        below(n, &mut self.random)
    }

    /// The number with these fields.
    fn of(&self, negative: bool, field: u64, low: u64) -> f64 {
        let shift = fraction(self.precision);
        let sign = u64::from(negative) << (shift + self.field_bits());
        let bits = sign | field << shift | low & ((1 << shift) - 1);
        self.precision.value_of_bits(bits)
    }

    fn field_bits(&self) -> u32 {
        match self.precision {
            Precision::F32 => 8,
            Precision::F64 => 11,
        }
    }

    /// A random number with a field of the exponent from `first` on.
    fn number(&mut self, negative: bool, first: u64, fields: u64) -> f64 {
        let field = first + self.below(fields);
        let low = word(&mut self.random);
        self.of(negative, field, low)
    }

    fn sign(&mut self) -> bool {
        self.below(2) == 1
    }

    /// `n` random numbers with exponents from `-far` to below `far`.
    fn around_one(&mut self, far: u64, any_sign: bool) -> Vec<f64> {
        let one = bias(self.precision);
        (0..self.n)
            .map(|_| {
                let negative = any_sign && self.sign();
                self.number(negative, one - far, 2 * far)
            })
            .collect()
    }

    /// Numbers in two halves; each number of the second half nearly cancels one of the first: they agree in the first `depth` bits.
    fn canceling(&mut self, first: u64, fields: u64, depth: u32) -> Vec<f64> {
        let (shift, precision) = (fraction(self.precision), self.precision);
        let mut all = Vec::new();
        for i in 0..self.n {
            let half = self.n.div_ceil(2);
            let x = match i.checked_sub(half) {
                None => {
                    let negative = self.sign();
                    self.number(negative, first, fields)
                }
                Some(j) => {
                    let bits = match precision {
                        Precision::F32 => u64::from((all[j] as f32).to_bits()),
                        Precision::F64 => f64::to_bits(all[j]),
                    };
                    let changed = word(&mut self.random) & ((1 << (shift - depth)) - 1);
                    -precision.value_of_bits(bits ^ changed)
                }
            };
            all.push(x);
        }
        all
    }

    /// Puts the numbers into a random order, the same for both vectors.
    fn shuffle(&mut self, x: &mut [f64], mut y: Option<&mut [f64]>) {
        for i in (1..x.len()).rev() {
            let j = self.below(i as u64 + 1) as usize;
            x.swap(i, j);
            if let Some(y) = &mut y {
                y.swap(i, j);
            }
        }
    }

    /// Replaces the last number by the negative of the sum of the others, rounded. The total is then the rounding error.
    fn subtract_sum(&mut self, x: &mut [f64], y: Option<&mut [f64]>) {
        let Some(last) = x.len().checked_sub(1) else {
            return;
        };
        let mut sum = Accumulator::ZERO;
        match y {
            None => x[..last].iter().for_each(|&x| sum.add(x)),
            Some(y) => {
                let pairs = x[..last].iter().zip(&y[..last]);
                pairs.for_each(|(&x, &y)| sum.add_product(x, y));
                y[last] = 1.0;
            }
        }
        let rounded = sum.scaled().to_f64();
        x[last] = match self.precision {
            Precision::F32 => f64::from(-rounded as f32),
            Precision::F64 => -rounded,
        };
    }

    /// A vector of a stratum.
    fn vector(&mut self, stratum: u64) -> Vec<f64> {
        let (n, shift) = (self.n, fraction(self.precision));
        let one = bias(self.precision);
        let magnitude = |x: &f64, y: &f64| x.abs().total_cmp(&y.abs());
        match stratum {
            0 | REMAINDER => self.around_one(8, true),
            1 => {
                let field = one - 8 + self.below(16);
                (0..n).map(|_| self.number(false, field, 1)).collect()
            }
            2 => self.around_one(8, false),
            3 => self.around_one(60, true),
            4 => {
                let every = |maker: &mut Maker| {
                    let negative = maker.sign();
                    maker.number(negative, 0, 2 * one + 1)
                };
                (0..n).map(|_| every(self)).collect()
            }
            CANCELLATION => {
                let depth = 1 + self.below(shift.into()) as u32;
                self.canceling(one - 8, 16, depth)
            }
            7 => {
                let mut x = self.around_one(30, false);
                x.sort_by(magnitude);
                x
            }
            8 => {
                let mut x = self.around_one(30, true);
                x.sort_by(|x, y| magnitude(y, x));
                x
            }
            9 => {
                let field = one - 8 + self.below(16);
                (0..n).map(|i| self.number(i % 2 == 1, field, 1)).collect()
            }
            10 => {
                let (negative, field) = (self.sign(), one - 8 + self.below(16));
                let (base, width) = (word(&mut self.random), self.below(shift.into()));
                let near = |maker: &mut Maker| {
                    let changed = word(&mut maker.random) & ((1 << width) - 1);
                    maker.of(negative, field, base ^ changed)
                };
                (0..n).map(|_| near(self)).collect()
            }
            11 => {
                let tiny = |maker: &mut Maker| {
                    let negative = maker.sign();
                    maker.number(negative, 0, 3)
                };
                (0..n).map(|_| tiny(self)).collect()
            }
            12 => {
                let mut x = self.canceling(2 * one - 1, 2, 4);
                self.shuffle(&mut x, None);
                x
            }
            13 => {
                let large = self.below(n as u64) as usize;
                let halves = |maker: &mut Maker, i: usize| {
                    let negative = maker.sign();
                    if i == large {
                        return maker.number(negative, one + u64::from(shift) + 1, 1);
                    }
                    let size = maker.below(4) as f64 / 2.0;
                    let beside = match maker.below(4) {
                        0 => maker.of(false, one - u64::from(shift), 0),
                        _ => 0.0,
                    };
                    // It has no more bits than a number of the precision.
                    let x = size + beside;
                    if negative { -x } else { x }
                };
                (0..n).map(|i| halves(self, i)).collect()
            }
            14 => {
                let small = |maker: &mut Maker| {
                    let size = maker.below(5) as f64;
                    if maker.sign() { -size } else { size }
                };
                (0..n).map(|_| small(self)).collect()
            }
            _ => {
                let mut x = self.around_one(8, true);
                for _ in 0..=self.below(2) {
                    let at = self.below(n as u64) as usize;
                    x[at] = [f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 0.0, -0.0]
                        [self.below(5) as usize];
                }
                x
            }
        }
    }

    /// A vector of special values.
    fn edge(&mut self, kind: u64) -> Vec<f64> {
        let one = bias(self.precision);
        let least = self.of(false, 0, 1);
        let subnormal = self.of(false, 0, u64::MAX);
        let largest = self.of(false, 2 * one, u64::MAX);
        let alternating = |x: f64, y: f64| -> Vec<f64> {
            (0..self.n)
                .map(|i| if i % 2 == 0 { x } else { y })
                .collect()
        };
        match kind {
            0 => alternating(0.0, 0.0),
            1 => alternating(-0.0, -0.0),
            2 => alternating(0.0, -0.0),
            3 => alternating(1.0, 1.0),
            4 => alternating(1.0, -1.0),
            5 => alternating(least, least),
            6 => alternating(subnormal, -least),
            7 => alternating(largest, largest),
            8 => alternating(largest, -largest),
            9 => alternating(-largest, -largest),
            10 => alternating(f64::INFINITY, f64::INFINITY),
            11 => alternating(f64::INFINITY, f64::NEG_INFINITY),
            12 => alternating(f64::NAN, f64::NAN),
            // One, and numbers that are lost beside it.
            _ => {
                let small = self.of(false, one - u64::from(fraction(self.precision)) - 1, 0);
                let mut x = alternating(small, small);
                x[0] = 1.0;
                x
            }
        }
    }
}
