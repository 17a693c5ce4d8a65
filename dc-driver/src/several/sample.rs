//! Stratified samples of several arguments. A tuple is made from its stratum and its number, so a sample is the same on all machines and for
//! any number of threads.

use super::format::Format;
use dc_runtime::model::several::{Kind, Several};

/// A tuple of words. Words beyond the function's arguments are not used.
pub type Tuple = [u64; 4];
/// The place of a tuple in a sample: its round, its stratum and its number in the stratum.
pub type Place = (u64, usize, u64);

/// Random bits from a number.
pub struct Random(u64);

impl Random {
    fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub fn next(&mut self) -> u64 {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    /// An integer in 0..n.
    pub fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(n)) >> 64) as u64
    }

    /// An integer in -n..=n.
    pub fn around(&mut self, n: i32) -> i32 {
        self.below(2 * n as u64 + 1) as i32 - n
    }

    /// A number in 0..1.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    fn sign(&mut self) -> f64 {
        match self.next() & 1 {
            0 => 1.0,
            _ => -1.0,
        }
    }
}

/// Random numbers of a format.
pub struct Maker {
    pub format: Format,
    pub random: Random,
}

impl Maker {
    /// Any bits: all exponents are equally likely, including those of infinities and NaNs.
    fn bits(&mut self) -> u64 {
        let bits = self.random.next() >> (64 - self.format.width);
        self.format.word(bits)
    }

    /// A number with an exponent of at most that size.
    fn of_exponent(&mut self, size: i32) -> f64 {
        let e = self
            .random
            .around(size)
            .clamp(self.format.least, self.format.most - 1);
        self.random.sign() * (1.0 + self.random.unit()) * f64::from(e).exp2()
    }

    fn uniform(&mut self, size: f64) -> f64 {
        (2.0 * self.random.unit() - 1.0) * size
    }

    fn near(&self, x: f64) -> u64 {
        self.format.near(x)
    }

    /// A number near that value, some steps away.
    fn beside(&mut self, x: f64, steps: i32) -> u64 {
        let steps = self.random.around(steps);
        self.format.moved(self.near(x), steps.into())
    }

    /// A zero, or a number next to it.
    fn tiny(&mut self) -> u64 {
        let bits = match self.random.below(4) {
            0 | 1 => 0,
            2 => 1,
            _ => self.random.below(1 << (self.format.digits - 1)),
        };
        let sign = self.format.sign() * (self.random.next() & 1);
        self.format.word(bits | sign)
    }
}

/// Zeros, subnormal and normal limits, small integers and their neighbours, the largest numbers, infinities and NaN.
pub fn specials(format: Format) -> Vec<u64> {
    let infinity = format.infinity();
    let normal = 1 << (format.digits - 1);
    let one = format.bits(format.near(1.0));
    let [half, two, three] = [0.5, 2.0, 3.0].map(|x| format.bits(format.near(x)));
    let mut all = vec![
        0,
        1,
        normal - 1,
        normal,
        half,
        one - 1,
        one,
        one + 1,
        two,
        three,
    ];
    all.extend([infinity - 1, infinity]);
    let negative = all.clone();
    all.extend(negative.iter().map(|bits| bits | format.sign()));
    all.push(infinity | 1 << (format.digits - 2));
    all.into_iter().map(|bits| format.word(bits)).collect()
}

/// A few of the special values, for tuples of four.
fn few(format: Format) -> Vec<u64> {
    let all = [0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 2.0, -3.0, f64::INFINITY];
    let numbers = all.iter().map(|x| format.near(*x));
    numbers.chain([format.word(1)]).collect()
}

type Make = fn(&mut Maker) -> Tuple;

/// Tuples of one kind.
#[derive(Clone, Copy)]
pub struct Stratum {
    pub name: &'static str,
    make: Make,
}

/// The definition of a sample.
pub struct Sample {
    format: Format,
    /// All combinations of the special values.
    crossed: Vec<u64>,
    arguments: usize,
    strata: Vec<Stratum>,
    /// The number of tuples of each stratum in a round.
    each: u64,
}

/// The number of tuples in a round, which takes some seconds.
pub const fn about(types: Several, in_mpfr: bool) -> u64 {
    match types.kind {
        _ if in_mpfr => 1 << 17,
        Kind::Three => 1 << 20,
        _ => 1 << 19,
    }
}

impl Sample {
    /// A sample with about that many tuples per round.
    pub fn new(types: Several, about: u64) -> Sample {
        let format = Format::of(types.number);
        let crossed = match types.kind {
            Kind::ComplexTwo => few(format),
            _ => specials(format),
        };
        let strata = strata(types.kind);
        Sample {
            format,
            crossed,
            arguments: types.arguments(),
            each: about.div_ceil(strata.len() as u64),
            strata,
        }
    }

    /// The number of strata, with the special values as the first.
    pub fn strata(&self) -> usize {
        self.strata.len() + 1
    }

    /// The description of a stratum.
    pub fn name(&self, stratum: usize) -> String {
        match stratum.checked_sub(1) {
            None => format!("{} special values, crossed", self.crossed.len()),
            Some(n) => self.strata[n].name.into(),
        }
    }

    /// The number of tuples in a round. The special values are only in the first round.
    pub fn count(&self, round: u64, stratum: usize) -> u64 {
        match (stratum, round) {
            (0, 0) => (self.crossed.len() as u64).pow(self.arguments as u32),
            (0, _) => 0,
            _ => self.each,
        }
    }

    /// The tuple at a place.
    pub fn at(&self, (round, stratum, number): Place) -> Tuple {
        self.tuple(round, stratum, number)
    }

    /// A tuple.
    pub fn tuple(&self, round: u64, stratum: usize, number: u64) -> Tuple {
        let Some(n) = stratum.checked_sub(1) else {
            let base = self.crossed.len() as u64;
            let mut rest = number;
            let mut tuple = [0; 4];
            for word in &mut tuple[..self.arguments] {
                *word = self.crossed[(rest % base) as usize];
                rest /= base;
            }
            return tuple;
        };
        let seed = Random::new((n as u64) << 56 ^ round << 36 ^ number).next();
        let mut maker = Maker {
            format: self.format,
            random: Random::new(seed),
        };
        (self.strata[n].make)(&mut maker)
    }
}

fn strata(kind: Kind) -> Vec<Stratum> {
    let of = |all: &[(&'static str, Make)]| -> Vec<Stratum> {
        let made = all.iter().map(|&(name, make)| Stratum { name, make });
        made.collect()
    };
    match kind {
        Kind::Three => of(&[
            ("any bits", |m| [m.bits(), m.bits(), m.bits(), 0]),
            ("x y and z of like size", like_size),
            ("x y near -z", cancellation),
            ("x y + z in the middle of two numbers, or beside it", ties),
            ("x y + z subnormal", subnormal),
            ("x y + z near the largest number", largest),
            ("z of 0..=1, and its ends", fractions),
            ("z of 0..=1, x near y", close),
            ("x near an end of y..z", clamped),
        ]),
        Kind::Two => of(&[
            ("any bits", |m| [m.bits(), 0, 0, 0]),
            ("near multiples of a quarter of π", |m| {
                let k = 1 + m.random.below(1 << 20);
                let x = k as f64 * std::f64::consts::FRAC_PI_4 * m.random.sign();
                [m.beside(x, 2), 0, 0, 0]
            }),
            ("of -8..8", |m| {
                let x = m.uniform(8.0);
                [m.near(x), 0, 0, 0]
            }),
            ("near powers of two", |m| {
                let (least, most) = (m.format.least, m.format.most);
                let e = least + m.random.below((most - least) as u64) as i32;
                let x = f64::from(e).exp2() * m.random.sign();
                [m.beside(x, 3), 0, 0, 0]
            }),
        ]),
        Kind::Complex => of(&[
            ("any bits", |m| [m.bits(), m.bits(), 0, 0]),
            ("of -8..8, both parts", |m| {
                let (x, y) = (m.uniform(8.0), m.uniform(8.0));
                [m.near(x), m.near(y), 0, 0]
            }),
            ("parts of like size", |m| {
                let x = m.of_exponent(40);
                let y = x * m.of_exponent(3);
                [m.near(x), m.near(y), 0, 0]
            }),
            ("near the unit circle", unit_circle),
            ("on a branch cut or beside it", |m| {
                let size = match m.random.below(3) {
                    0 => m.bits(),
                    1 => {
                        let x = m.of_exponent(6);
                        m.near(x)
                    }
                    _ => {
                        let x = m.random.sign();
                        m.beside(x, 4)
                    }
                };
                let mut both = [size, m.tiny()];
                if m.random.next() & 1 == 1 {
                    both.reverse();
                }
                [both[0], both[1], 0, 0]
            }),
            ("near ±1 and ±i", |m| {
                let d = m.of_exponent(30) * 2f64.powi(-31);
                let (x, y) = (m.random.sign() + d, m.of_exponent(30) * 2f64.powi(-31));
                let mut both = [m.near(x), m.near(y)];
                if m.random.next() & 1 == 1 {
                    both.reverse();
                }
                [both[0], both[1], 0, 0]
            }),
            ("a part near a multiple of half of π", |m| {
                let k = m.random.around(64);
                let x = f64::from(k) * std::f64::consts::FRAC_PI_2;
                let mut both = [m.beside(x, 2), 0];
                let y = m.of_exponent(8);
                both[1] = m.near(y);
                if m.random.next() & 1 == 1 {
                    both.reverse();
                }
                [both[0], both[1], 0, 0]
            }),
            ("a part near the overflow of exp", |m| {
                let limit = f64::from(m.format.most) * std::f64::consts::LN_2;
                let x = m.random.sign() * (limit + m.uniform(30.0));
                let y = m.uniform(8.0);
                let mut both = [m.near(x), m.near(y)];
                if m.random.next() & 1 == 1 {
                    both.reverse();
                }
                [both[0], both[1], 0, 0]
            }),
        ]),
        Kind::ComplexTwo => of(&[
            ("of -4..4, all parts", |m| {
                [0; 4].map(|_| {
                    let x = m.uniform(4.0);
                    m.near(x)
                })
            }),
            ("small integers as exponents", |m| {
                let [x, y, ..] = near_one(m);
                let n = f64::from(m.random.around(12));
                [x, y, m.near(n), m.near(0.0)]
            }),
            ("halves as exponents, also of real numbers", |m| {
                let [x, mut y, ..] = near_one(m);
                if m.random.next() & 1 == 1 {
                    y = m.tiny();
                }
                let n = f64::from(m.random.around(9)) / 2.0;
                [x, y, m.near(n), m.near(0.0)]
            }),
            ("near the unit circle", |m| {
                let [x, y, ..] = unit_circle(m);
                let (u, v) = (m.of_exponent(6), m.of_exponent(6));
                [x, y, m.near(u), m.near(v)]
            }),
            ("all parts of any size, with a result in range", |m| {
                let (x, y) = (m.of_exponent(100), m.of_exponent(100));
                let size = (x.hypot(y)).ln().abs().max(1.0);
                let limit = f64::from(m.format.most) * 0.6 / size;
                let (u, v) = (m.uniform(limit), m.uniform(limit));
                [m.near(x), m.near(y), m.near(u), m.near(v)]
            }),
        ]),
    }
}

fn near_one(m: &mut Maker) -> Tuple {
    let (x, y) = match m.random.below(3) {
        // Small Gaussian integers, whose powers have parts that are zero.
        0 => (f64::from(m.random.around(4)), f64::from(m.random.around(4))),
        _ => (m.of_exponent(6), m.of_exponent(6)),
    };
    [m.near(x), m.near(y), 0, 0]
}

fn unit_circle(m: &mut Maker) -> Tuple {
    let x = m.uniform(1.0);
    let shift = match m.random.below(4) {
        0 => m.random.below(60) as i32,
        _ => 0,
    };
    let x = m.near(x * 2f64.powi(-shift));
    let y = (1.0 - m.format.value(x) * m.format.value(x)).sqrt() * m.random.sign();
    let mut both = [x, m.beside(y, 3)];
    if m.random.next() & 1 == 1 {
        both.reverse();
    }
    [both[0], both[1], 0, 0]
}

fn like_size(m: &mut Maker) -> Tuple {
    let size = m.format.most / 2 - m.format.digits;
    let (x, y) = (m.of_exponent(size / 2), m.of_exponent(size / 2));
    let shift = m.of_exponent(m.format.digits + 3);
    let (x, y) = (m.near(x), m.near(y));
    let product = m.format.value(x) * m.format.value(y);
    [x, y, m.near(product * shift), 0]
}

fn cancellation(m: &mut Maker) -> Tuple {
    let size = m.format.most / 2 - m.format.digits;
    let (x, y) = (m.of_exponent(size / 2), m.of_exponent(size / 2));
    let (x, y) = (m.near(x), m.near(y));
    let product = m.format.value(x) * m.format.value(y);
    [x, y, m.beside(-product, 2), 0]
}

/// z is a number, and x y is an odd multiple of half of its last place, or nearly so.
fn ties(m: &mut Maker) -> Tuple {
    let digits = m.format.digits;
    let size = (m.format.most / 2 - 2 * digits).max(2);
    let z = m.of_exponent(size);
    let z = m.near(z);
    let place = m.format.value(z).abs().log2().floor() as i32 - digits + 1;
    let odd = 2.0 * m.random.below(8) as f64 + 1.0;
    // Some steps are between the factors.
    let shift = m.random.around(digits);
    let x = odd * m.random.sign() * f64::from(shift).exp2();
    let y = f64::from(place - 1 - shift).exp2();
    let steps = match m.random.next() & 1 {
        0 => 0,
        _ => 1,
    };
    let (x, y) = (m.near(x), m.beside(y, steps));
    [x, y, z, 0]
}

fn subnormal(m: &mut Maker) -> Tuple {
    let (least, digits) = (m.format.least, m.format.digits);
    let e = m.random.around(digits.min(-least / 2));
    let x = m.of_exponent(1) * f64::from(least / 2 + e).exp2();
    // x y is about a subnormal number, or some halves of the smallest.
    let target = least - m.random.below(digits as u64 + 2) as i32;
    let y = match m.random.next() & 1 {
        0 => m.of_exponent(1) * f64::from(target - (least / 2 + e)).exp2(),
        _ => f64::from(target - (least / 2 + e)).exp2(),
    };
    let z = match m.random.below(3) {
        0 => m.tiny(),
        _ => {
            let bits = m.random.below(1 << (digits - 1));
            m.format
                .word(bits | (m.format.sign() * (m.random.next() & 1)))
        }
    };
    let x = match m.random.next() & 1 {
        0 => m.near(x),
        _ => {
            let odd = (2 * m.random.below(4) + 1) as f64;
            m.near(odd * f64::from(least / 2 + e).exp2())
        }
    };
    [x, m.near(y), z, 0]
}

/// The product is near the largest number, or several times as large, and z may bring the sum back into the range.
fn largest(m: &mut Maker) -> Tuple {
    let (most, digits) = (m.format.most, m.format.digits);
    let of = |m: &mut Maker, e: i32| (1.0 + m.random.unit()) * f64::from(e).exp2();
    let e = m.random.around(most / 2).abs() + 1;
    let above = m.random.around(1);
    let (x, y) = (
        of(m, e) * m.random.sign(),
        of(m, most - e + above) * m.random.sign(),
    );
    let z = match m.random.below(3) {
        0 => m.random.sign() * f64::from(most - digits).exp2(),
        1 => of(m, most) * m.random.sign(),
        _ => -(x * 0.25 * y).signum() * of(m, most),
    };
    [m.near(x), m.near(y), m.beside(z, 1), 0]
}

/// A number in 0..=1, often an end of this range or a neighbour of an end.
fn fraction(m: &mut Maker) -> u64 {
    match m.random.below(6) {
        0 => m.near(0.0),
        1 => m.near(1.0),
        2 => {
            let end = (m.random.next() & 1) as f64;
            m.beside(end, 3)
        }
        3 => m.near(0.5),
        _ => {
            let t = m.random.unit();
            m.near(t)
        }
    }
}

fn fractions(m: &mut Maker) -> Tuple {
    let size = m.format.most - 1;
    let x = m.of_exponent(size);
    let y = match m.random.next() & 1 {
        0 => m.of_exponent(size),
        _ => x * m.of_exponent(4),
    };
    [m.near(x), m.near(y), fraction(m), 0]
}

fn close(m: &mut Maker) -> Tuple {
    let x = m.of_exponent(m.format.most - 1);
    let y = m.beside(x, 1 << 6);
    [m.near(x), y, fraction(m), 0]
}

fn clamped(m: &mut Maker) -> Tuple {
    let mut ends = [0; 2].map(|_| m.of_exponent(20));
    ends.sort_by(f64::total_cmp);
    let [low, high] = ends.map(|x| m.near(x));
    let x = match m.random.below(4) {
        0 => m.beside(ends[0], 2),
        1 => m.beside(ends[1], 2),
        2 => {
            let x = m.of_exponent(20);
            m.near(x)
        }
        _ => m.bits(),
    };
    [x, low, high, 0]
}
