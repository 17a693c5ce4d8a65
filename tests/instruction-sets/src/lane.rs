//! The type of one lane outside of kernels, so that tests are written once for all types.

use core::fmt::Debug;

use super::values::{self, Rng};
use crate::isa::{Isa, WithIsa};

/// The type of one lane; `()` stands for an argument that an operation does not have.
pub(crate) trait Lane: Copy + Debug + 'static {
    /// A group of lanes.
    type Of<I: Isa>: Copy;
    const ZERO: Self;
    /// The number of arguments that it stands for: 1, or 0 for `()`.
    const COUNT: usize = 1;
    fn load<I: Isa>(isa: I, x: &[Self]) -> Self::Of<I>;
    fn store<I: Isa>(isa: I, v: Self::Of<I>, out: &mut [Self]);
    fn edges() -> Vec<Self>;
    fn random(rng: &mut Rng) -> Self;
    /// Bits, zero-extended.
    fn word(self) -> u64;
    /// The inverse, from the low bits.
    fn of_word(word: u64) -> Self;
    fn is_nan(self) -> bool {
        false
    }
}

macro_rules! lane {
    ($t:ty, $group:ident, $zero:expr, $load:ident, $store:ident, $edges:expr, $random:expr, $word:expr, $of_word:expr) => {
        impl Lane for $t {
            type Of<I: Isa> = I::$group;
            const ZERO: Self = $zero;
            #[inline(always)]
            fn load<I: Isa>(isa: I, x: &[Self]) -> I::$group {
                isa.$load(x)
            }
            #[inline(always)]
            fn store<I: Isa>(isa: I, v: I::$group, out: &mut [Self]) {
                isa.$store(v, out);
            }
            fn edges() -> Vec<Self> {
                $edges
            }
            fn random(rng: &mut Rng) -> Self {
                $random(rng)
            }
            fn word(self) -> u64 {
                $word(self)
            }
            fn of_word(word: u64) -> Self {
                $of_word(word)
            }
            #[allow(clippy::eq_op, reason = "true of a NaN only")]
            fn is_nan(self) -> bool {
                self != self
            }
        }
    };
}
lane!(
    f64,
    F64,
    0.0,
    load_f64,
    store_f64,
    values::edges_f64()
        .into_iter()
        .map(f64::from_bits)
        .collect(),
    |rng| f64::from_bits(values::random_f64(rng)),
    f64::to_bits,
    f64::from_bits
);
lane!(
    f32,
    F32,
    0.0,
    load_f32,
    store_f32,
    values::edges_f32()
        .into_iter()
        .map(f32::from_bits)
        .collect(),
    |rng| f32::from_bits(values::random_f32(rng)),
    |x: f32| u64::from(x.to_bits()),
    |word| f32::from_bits(word as u32)
);
lane!(
    i64,
    I64,
    0,
    load_i64,
    store_i64,
    values::edges_i64(),
    values::random_i64,
    |x| x as u64,
    |word| word as i64
);
lane!(
    i32,
    I32,
    0,
    load_i32,
    store_i32,
    values::edges_i32(),
    |rng| values::random_i64(rng) as i32,
    |x: i32| u64::from(x as u32),
    |word| word as i32
);

lane!(
    u16,
    I32,
    0,
    load_u16,
    store_u16,
    vec![0, 1, 0x7fff, 0x8000, 0xffff],
    |rng: &mut Rng| rng.below(1 << 16) as u16,
    u64::from,
    |word| word as u16
);

impl Lane for bool {
    type Of<I: Isa> = I::Mask;
    const ZERO: Self = false;
    #[inline(always)]
    fn load<I: Isa>(isa: I, x: &[Self]) -> I::Mask {
        isa.load_mask(x)
    }
    #[inline(always)]
    fn store<I: Isa>(isa: I, m: I::Mask, out: &mut [Self]) {
        store_mask(isa, m, out);
    }
    fn edges() -> Vec<Self> {
        vec![false, true]
    }
    fn random(rng: &mut Rng) -> Self {
        rng.below(2) == 1
    }
    fn word(self) -> u64 {
        self.into()
    }
    fn of_word(word: u64) -> Self {
        word != 0
    }
}

impl Lane for () {
    type Of<I: Isa> = ();
    const ZERO: Self = ();
    const COUNT: usize = 0;
    #[inline(always)]
    fn load<I: Isa>(_: I, _: &[Self]) {}
    #[inline(always)]
    fn store<I: Isa>(_: I, (): (), _: &mut [Self]) {}
    fn edges() -> Vec<Self> {
        vec![()]
    }
    fn random(_: &mut Rng) -> Self {}
    fn word(self) -> u64 {
        0
    }
    fn of_word(_: u64) -> Self {}
}

struct StoreMask<'a, I: Isa>(I::Mask, &'a mut [bool]);
impl<I: Isa> WithIsa<I> for StoreMask<'_, I> {
    type Output = ();
    #[inline(always)]
    fn call(self, isa: I) {
        let Self(m, out) = self;
        isa.store_mask(m, out);
        let (mut doubles, mut floats) = ([0.0f64; 64], [0.0f32; 64]);
        let (mut longs, mut ints, mut masks) = ([0i64; 64], [0i32; 64], [false; 64]);
        isa.store_f64(
            isa.select_f64(m, isa.splat_f64(-1.0), isa.splat_f64(0.0)),
            &mut doubles,
        );
        isa.store_f32(
            isa.select_f32(m, isa.splat_f32(-1.0), isa.splat_f32(0.0)),
            &mut floats,
        );
        isa.store_i64(
            isa.select_i64(m, isa.splat_i64(-1), isa.splat_i64(0)),
            &mut longs,
        );
        isa.store_i32(
            isa.select_i32(m, isa.splat_i32(-1), isa.splat_i32(0)),
            &mut ints,
        );
        let not = isa.not_mask(m);
        isa.store_mask(
            isa.select_mask(not, isa.splat_mask(false), isa.splat_mask(true)),
            &mut masks,
        );
        let mut agree = true;
        for k in 0..I::LANES {
            let lane = out[k];
            agree &= (doubles[k] == -1.0) == lane && (floats[k] == -1.0) == lane;
            agree &= (longs[k] == -1) == lane && (ints[k] == -1) == lane && masks[k] == lane;
            agree &= lane || (doubles[k].to_bits() | longs[k] as u64 == 0);
            agree &= lane || (floats[k].to_bits() | ints[k] as u32 == 0);
        }
        let count = out[..I::LANES].iter().filter(|&&lane| lane).count();
        agree &= isa.count(m) as usize == count && isa.any(m) == (count != 0);
        assert!(agree, "{}: a mask is not all or nothing: {m:?}", I::NAME);
    }
}

/// A mask stored, and used in every other way, which must agree: an instruction may use only one bit of a lane.
///
/// It is compiled once per instruction set and not in each operation, because it is much code.
#[inline(never)]
fn store_mask<I: Isa>(isa: I, m: I::Mask, out: &mut [bool]) {
    isa.run(StoreMask::<I>(m, out));
}
