//! Inputs: for each type its edge cases, and random numbers.

use doublecrunch::DoubleDouble;

/// A generator of random words (Marsaglia's xorshift64*), with the same sequence in every run.
pub struct Rng(u64);

impl Rng {
    pub fn new() -> Self {
        Rng(0x9e37_79b9_7f4a_7c15)
    }
    pub fn word(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }
}

/// A type with values worth testing.
pub trait Values: Copy + 'static {
    /// Where implementations differ: signs, limits, ties, special values.
    fn edges() -> Vec<Self>;
    /// Any value.
    fn random(rng: &mut Rng) -> Self;
}

impl Values for f64 {
    fn edges() -> Vec<f64> {
        vec![
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.1,
            -0.5,
            0.499_999_999_999_999_94,
            1.5,
            2.5,
            -2.5,
            1e-17,
            // Subnormals, and the smallest normal number with its neighbour below.
            5e-324,
            -2.2e-308,
            f64::MIN_POSITIVE,
            f64::MAX,
            f64::MIN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
            // A NaN with its sign bit set and a payload.
            f64::from_bits(0xfff8_0000_0000_1234),
            // 2^52 + 1/2 is not representable; its neighbours.
            4_503_599_627_370_495.5,
            4_503_599_627_370_497.0,
            // The limits of integers.
            2_147_483_647.5,
            -2_147_483_648.9,
            2_147_483_648.0,
            9_223_372_036_854_774_784.0,
            9_223_372_036_854_775_808.0,
            -9_223_372_036_854_775_808.0,
            // Around the limits of binary32: the tie above its largest number, half its smallest subnormal, a subnormal tie.
            3.402_823_567_797_366_3e38,
            7.006_492_321_624_085e-46,
            2.101_947_696_487_225_6e-45,
            // A tie of binary32's 24 bits.
            16_777_217.0,
        ]
    }
    fn random(rng: &mut Rng) -> f64 {
        let word = rng.word();
        match rng.word() % 4 {
            0 => f64::from_bits(word),
            // Near one: products and sums cancel.
            1 => {
                f64::from_bits(0x3fe0_0000_0000_0000 | word >> 11)
                    * if word & 1 == 0 { 1.0 } else { -1.0 }
            }
            // Few bits: ties.
            2 => (word as i64 >> 44) as f64 / 8.0,
            _ => (word as i64 as f64) * 1e-300,
        }
    }
}

impl Values for f32 {
    fn edges() -> Vec<f32> {
        vec![
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.1,
            -0.5,
            0.499_999_97,
            1.5,
            2.5,
            -2.5,
            1e-45,
            -1.1e-38,
            f32::MIN_POSITIVE,
            f32::MAX,
            f32::MIN,
            f32::INFINITY,
            f32::NEG_INFINITY,
            f32::NAN,
            f32::from_bits(0xffc0_1234),
            8_388_607.5,
            8_388_609.0,
            2_147_483_520.0,
            2_147_483_648.0,
            -2_147_483_648.0,
            9_223_371_487_098_961_920.0,
            9_223_372_036_854_775_808.0,
            -9_223_372_036_854_775_808.0,
        ]
    }
    fn random(rng: &mut Rng) -> f32 {
        let word = rng.word() as u32;
        match rng.word() % 4 {
            0 => f32::from_bits(word),
            1 => f32::from_bits(0x3f00_0000 | word >> 9) * if word & 1 == 0 { 1.0 } else { -1.0 },
            2 => (word as i32 >> 20) as f32 / 8.0,
            _ => (word as i32 as f32) * 1e-38,
        }
    }
}

impl Values for i64 {
    fn edges() -> Vec<i64> {
        vec![
            0,
            1,
            -1,
            2,
            31,
            32,
            63,
            64,
            -64,
            i64::MAX,
            i64::MIN,
            i32::MAX as i64,
            i32::MIN as i64,
            1 << 32,
            // Ties of binary64 and of binary32.
            (1 << 53) + 1,
            -(1 << 53) - 3,
            (1 << 24) + 1,
            0x7fff_ffff_ffff_fdff,
            0x0123_4567_89ab_cdef,
            0x8000_0080_0000_0000_u64 as i64,
            // Becomes a tie if it is rounded to binary64 before binary32.
            0x0080_0000_8000_0001_u64 as i64,
        ]
    }
    fn random(rng: &mut Rng) -> i64 {
        let word = rng.word() as i64;
        word >> (rng.word() % 64)
    }
}

impl Values for i32 {
    fn edges() -> Vec<i32> {
        vec![
            0,
            1,
            -1,
            2,
            15,
            31,
            32,
            33,
            -32,
            i32::MAX,
            i32::MIN,
            (1 << 24) + 1,
            -(1 << 24) - 3,
            0x0123_4567,
        ]
    }
    fn random(rng: &mut Rng) -> i32 {
        let word = rng.word() as i32;
        word >> (rng.word() % 32)
    }
}

impl Values for bool {
    fn edges() -> Vec<bool> {
        vec![false, true]
    }
    fn random(rng: &mut Rng) -> bool {
        rng.word() >> 63 == 1
    }
}

impl Values for DoubleDouble {
    fn edges() -> Vec<DoubleDouble> {
        vec![
            DoubleDouble { hi: 1.0, lo: 1e-17 },
            DoubleDouble {
                hi: -3.0,
                lo: -1e-17,
            },
            DoubleDouble { hi: -0.0, lo: 0.0 },
            DoubleDouble {
                hi: f64::INFINITY,
                lo: f64::NAN,
            },
        ]
    }
    fn random(rng: &mut Rng) -> DoubleDouble {
        let hi = f64::random(rng);
        DoubleDouble {
            hi,
            lo: f64::random(rng) * 1e-17,
        }
    }
}

impl<A: Values, B: Values> Values for (A, B) {
    fn edges() -> Vec<Self> {
        let with = |a| B::edges().into_iter().map(move |b| (a, b));
        A::edges().into_iter().flat_map(with).collect()
    }
    fn random(rng: &mut Rng) -> Self {
        (A::random(rng), B::random(rng))
    }
}

/// A tuple of such types: the arguments of a kernel.
pub trait Inputs: Copy {
    /// The inputs on which every kernel with these parameters is tested.
    fn all() -> Vec<Self>;
}

/// The number of random tuples besides the edge cases.
const RANDOM: usize = 1000;

impl<A: Values> Inputs for (A,) {
    fn all() -> Vec<Self> {
        let mut rng = Rng::new();
        let random = (0..RANDOM).map(|_| A::random(&mut rng));
        A::edges().into_iter().chain(random).map(|a| (a,)).collect()
    }
}

/// Every edge case with every edge case; then random pairs.
impl<A: Values, B: Values> Inputs for (A, B) {
    fn all() -> Vec<Self> {
        let mut rng = Rng::new();
        let random = (0..RANDOM).map(|_| <(A, B)>::random(&mut rng));
        <(A, B)>::edges().into_iter().chain(random).collect()
    }
}

/// An edge case or a random number in each position.
fn mixed<A: Values>(rng: &mut Rng) -> A {
    let word = rng.word();
    if word & 1 == 0 {
        let edges = A::edges();
        edges[(word >> 1) as usize % edges.len()]
    } else {
        A::random(rng)
    }
}

macro_rules! mixed_inputs {
    ($(($($t:ident),+))+) => {$(
        impl<$($t: Values),+> Inputs for ($($t,)+) {
            fn all() -> Vec<Self> {
                let mut rng = Rng::new();
                (0..4 * RANDOM).map(|_| ($(mixed::<$t>(&mut rng),)+)).collect()
            }
        }
    )+};
}
mixed_inputs!((A, B, C)(A, B, C, D));
