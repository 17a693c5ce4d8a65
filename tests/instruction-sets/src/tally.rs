//! The sums of the metric.

use crate::isa::tests::on_every_level;
use crate::isa::{Tally, WithIsa};
use crate::kernel::MAX_LANES;
use crate::values::Rng;

on_every_level! {
    sums = check_sums;
}

fn check_sums<I: Tally>(isa: I) {
    isa.run(Sums);
}

/// Comparison with the same in plain Rust, over all lanes.
struct Sums;
impl<I: Tally> WithIsa<I> for Sums {
    type Output = ();
    #[inline(always)]
    fn call(self, isa: I) {
        assert!(I::LANES.is_multiple_of(I::WORD));
        let rng = &mut Rng::new(11);
        for _ in 0..100 {
            let old: Vec<i64> = (0..I::WORD).map(|_| rng.next() as i64).collect();
            let new: Vec<i64> = (0..I::LANES).map(|_| rng.next() as i64).collect();
            let (w, a) = (isa.load_word(&old), isa.load_i64(&new));
            let lanes = |w: I::Word| {
                let mut out = vec![0; I::WORD];
                isa.store_word(w, &mut out);
                out
            };
            let all = || old.iter().chain(&new).copied();
            let sum = |x: Vec<i64>| x.into_iter().fold(0, i64::wrapping_add);
            assert_eq!(sum(lanes(isa.tally_add(w, a))), sum(all().collect()));
            assert_eq!(isa.is_zero(w), old.iter().all(|&x| x == 0));
            assert!(isa.is_zero(isa.splat_word(0)));
            for lane in 0..I::WORD {
                let mut one = vec![0; I::WORD];
                one[lane] = 1i64.rotate_left(rng.next() as u32 % 64);
                assert!(!isa.is_zero(isa.load_word(&one)), "{one:?}");
            }
            let or = |x: Vec<i64>| x.into_iter().fold(0, |s, x| s | x);
            assert_eq!(or(lanes(isa.tally_or(w, a))), or(all().collect()));

            let numbers = |x: &[i64]| x.iter().map(|&x| x as f64).collect::<Vec<_>>();
            let (x, y) = (numbers(&old), numbers(&new));
            let word: Vec<i64> = x.iter().map(|x| x.to_bits() as i64).collect();
            let (w64, a64) = (isa.load_word(&word), isa.load_f64(&y));
            let reals = |w| {
                lanes(w)
                    .into_iter()
                    .map(|b| f64::from_bits(b as u64))
                    .collect::<Vec<_>>()
            };
            let largest = |x: &[f64]| x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let least = |x: &[f64]| x.iter().copied().fold(f64::INFINITY, f64::min);
            assert_eq!(
                largest(&reals(isa.tally_max(w64, a64))),
                largest(&x).max(largest(&y))
            );
            assert_eq!(
                least(&reals(isa.tally_min(w64, a64))),
                least(&x).min(least(&y))
            );

            let (none, bound) = (isa.splat_word(0), isa.splat_f64(y[0]));
            assert!(isa.is_zero(isa.tally_beyond(none, bound, bound)));
            for lane in 0..I::LANES {
                let mut group = vec![y[0]; I::LANES];
                for (x, want) in [
                    (y[0].next_up(), true),
                    (y[0].next_down(), false),
                    (f64::NAN, true),
                    (-f64::NAN, true),
                    (f64::INFINITY, true),
                    (f64::NEG_INFINITY, false),
                ] {
                    group[lane] = x;
                    let a = isa.load_f64(&group);
                    let beyond = isa.tally_beyond(none, a, bound);
                    assert_eq!(!isa.is_zero(beyond), want, "{x:e} in lane {lane}");
                    let after = isa.tally_beyond(beyond, bound, bound);
                    assert_eq!(!isa.is_zero(after), want, "{x:e} in lane {lane}");
                }
            }

            let step = new[0];
            let mut group = [0; MAX_LANES];
            isa.store_i64(isa.counted_on(w, step), &mut group);
            for (k, &got) in group[..I::LANES].iter().enumerate() {
                let want = old[k % I::WORD].wrapping_add(step.wrapping_mul((k / I::WORD) as i64));
                assert_eq!(got, want, "lane {k}");
            }

            let other: Vec<i64> = (0..I::WORD).map(|_| rng.next() as i64).collect();
            let b = isa.load_word(&other);
            for k in 0..I::WORD {
                assert_eq!(lanes(isa.add_word(w, b))[k], old[k].wrapping_add(other[k]));
                assert_eq!(lanes(isa.and_word(w, b))[k], old[k] & other[k]);
                assert_eq!(lanes(isa.shr_word::<4>(w))[k], (old[k] as u64 >> 4) as i64);
                assert_eq!(lanes(isa.splat_word(step))[k], step);
            }

            // The upper halves have arbitrary bits.
            let small: Vec<i64> = new
                .iter()
                .map(|x| x & !0xffff_ffff | (x >> 40 & 7))
                .collect();
            isa.store_i64(isa.nibble(isa.load_i64(&small)), &mut group);
            for (&n, &got) in small.iter().zip(&group) {
                assert_eq!(got, 1 << (4 * (n & 7)), "{n:x}");
            }
        }
    }
}
