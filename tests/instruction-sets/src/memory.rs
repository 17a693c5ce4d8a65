//! Loads and stores of lanes, and counts of masks.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::lane::Lane;
use super::values::Rng;
use crate::isa::{Isa, WithIsa};

/// The methods of a level for one lane type, listed by hand because their signatures differ.
trait Moves: Lane + PartialEq {
    fn splat<I: Isa>(isa: I, x: Self) -> Self::Of<I>;
    fn sample() -> Vec<Self>;
}
macro_rules! moves {
    ($($t:ty, $splat:ident;)+) => {$(
        impl Moves for $t {
            #[inline(always)]
            fn splat<I: Isa>(isa: I, x: Self) -> Self::Of<I> {
                isa.$splat(x)
            }
            fn sample() -> Vec<Self> {
                let rng = &mut Rng::new(5);
                (0..200).map(|_| Self::random(rng)).chain(Self::edges()).collect()
            }
        }
    )+};
}
/// Its lanes are integers of 32 bits.
impl Moves for u16 {
    #[inline(always)]
    fn splat<I: Isa>(isa: I, x: Self) -> Self::Of<I> {
        isa.splat_i32(i32::from(x))
    }
    fn sample() -> Vec<Self> {
        let rng = &mut Rng::new(5);
        (0..200)
            .map(|_| Self::random(rng))
            .chain(Self::edges())
            .collect()
    }
}
moves! { f64, splat_f64; f32, splat_f32; i64, splat_i64; i32, splat_i32; bool, splat_mask; }

/// The methods that this file tests.
pub(super) const NAMES: &[&str] = &[
    "splat_f64",
    "splat_f32",
    "splat_i64",
    "splat_i32",
    "splat_mask",
    "load_f64",
    "load_f32",
    "load_i64",
    "load_i32",
    "load_u16",
    "load_mask",
    "store_f64",
    "store_f32",
    "store_i64",
    "store_i32",
    "store_u16",
    "store_mask",
    "iota_i64",
    "iota_i32",
    "any",
    "count",
];

/// Copies a group from one slice to another.
struct Copy<'a, T>(&'a [T], &'a mut [T]);
impl<T: Lane, I: Isa> WithIsa<I> for Copy<'_, T> {
    type Output = ();
    #[inline(always)]
    fn call(self, isa: I) {
        T::store(isa, T::load(isa, self.0), self.1);
    }
}

/// Fills a slice with groups of one value.
struct Fill<'a, T>(T, &'a mut [T]);
impl<T: Moves, I: Isa> WithIsa<I> for Fill<'_, T> {
    type Output = ();
    #[inline(always)]
    fn call(self, isa: I) {
        T::store(isa, T::splat(isa, self.0), self.1);
    }
}

fn words<T: Lane>(values: &[T]) -> Vec<u64> {
    values.iter().map(|x| x.word()).collect()
}

/// Loads and stores at every alignment, for slices that are long enough and for shorter ones.
fn moves<T: Moves, I: Isa>(isa: I) {
    let (name, n) = (std::any::type_name::<T>(), I::LANES);
    let sample = T::sample();
    for at in 0..n + 2 {
        // Exactly LANES elements change; those around them do not.
        let before: Vec<T> = sample.iter().rev().copied().take(2 * n + 2).collect();
        let mut out = before.clone();
        isa.run(Copy(&sample[3 * at..], &mut out[at..]));
        let mut want = before.clone();
        want[at..at + n].copy_from_slice(&sample[3 * at..][..n]);
        assert_eq!(words(&out), words(&want), "{name} from {at}");
        // A slice of exact length, so that one element too many is outside of it.
        let (from, mut out) = (sample[at..at + n].to_vec(), vec![T::ZERO; n]);
        isa.run(Copy(&from, &mut out));
        assert_eq!(words(&out), words(&from), "{name}, exact");
    }
    for &x in &T::edges() {
        let mut out = vec![T::ZERO; n];
        isa.run(Fill(x, &mut out));
        assert_eq!(words(&out), vec![x.word(); n], "splat of {x:?}");
    }
    for short in [0, n - 1] {
        let mut out = vec![T::ZERO; n];
        let load = AssertUnwindSafe(|| isa.run(Copy(&sample[..short], &mut out)));
        assert!(catch_unwind(load).is_err(), "{name} loaded from {short}");
        let store = AssertUnwindSafe(|| isa.run(Copy(&sample, &mut out[..short])));
        assert!(catch_unwind(store).is_err(), "{name} stored to {short}");
    }
}

/// Integers, the same as 16 bits, and these as integers.
struct Halved<'a>(&'a [i32], &'a mut [u16], &'a mut [i32]);
impl<I: Isa> WithIsa<I> for Halved<'_> {
    type Output = ();
    #[inline(always)]
    fn call(self, isa: I) {
        isa.store_u16(isa.load_i32(self.0), self.1);
        isa.store_i32(isa.load_u16(self.1), self.2);
    }
}

/// The upper halves of lanes are not stored, and are zeros where 16 bits are loaded.
fn halves<I: Isa>(isa: I) {
    for xs in i32::sample().chunks_exact(I::LANES) {
        let (mut lower, mut back) = (vec![0; I::LANES], vec![0; I::LANES]);
        isa.run(Halved(xs, &mut lower, &mut back));
        let want: Vec<u16> = xs.iter().map(|&x| x as u16).collect();
        assert_eq!(lower, want, "{xs:x?}");
        let want: Vec<i32> = want.into_iter().map(i32::from).collect();
        assert_eq!(back, want, "{xs:x?}");
    }
}

/// All of the above for every type.
pub(super) fn check_moves<I: Isa>(isa: I) {
    moves::<f64, I>(isa);
    moves::<f32, I>(isa);
    moves::<i64, I>(isa);
    moves::<i32, I>(isa);
    moves::<bool, I>(isa);
    moves::<u16, I>(isa);
    halves::<I>(isa);
}

struct Iota<'a>(i64, &'a mut [i64], &'a mut [i32]);
impl<I: Isa> WithIsa<I> for Iota<'_> {
    type Output = ();
    #[inline(always)]
    fn call(self, isa: I) {
        isa.store_i64(isa.iota_i64(self.0), self.1);
        isa.store_i32(isa.iota_i32(self.0 as i32), self.2);
    }
}

/// Counting up, over the ends of the types.
pub(super) fn check_iota<I: Isa>(isa: I) {
    for start in i64::edges() {
        let (mut longs, mut ints) = (vec![0; I::LANES], vec![0; I::LANES]);
        isa.run(Iota(start, &mut longs, &mut ints));
        for k in 0..I::LANES {
            assert_eq!(longs[k], (i128::from(start) + k as i128) as i64, "{start}");
            let start = i64::from(start as i32);
            assert_eq!(ints[k], (start + k as i64) as i32, "{start}");
        }
    }
}

struct Count<'a>(&'a [bool]);
impl<I: Isa> WithIsa<I> for Count<'_> {
    type Output = (bool, u32);
    #[inline(always)]
    fn call(self, isa: I) -> (bool, u32) {
        let m = isa.load_mask(self.0);
        (isa.any(m), isa.count(m))
    }
}

/// `any` and `count`: no lane, each alone, all but each, random ones.
pub(super) fn check_counts<I: Isa>(isa: I) {
    let rng = &mut Rng::new(2);
    let n = I::LANES;
    let mut masks = vec![vec![false; n], vec![true; n]];
    for k in 0..n {
        masks.push((0..n).map(|i| i == k).collect());
        masks.push((0..n).map(|i| i != k).collect());
        masks.push((0..n).map(|_| bool::random(rng)).collect());
    }
    for mask in masks {
        let count = mask.iter().filter(|&&lane| lane).count();
        let want = (count > 0, count as u32);
        assert_eq!(isa.run(Count(&mask)), want, "{mask:?}");
    }
}
