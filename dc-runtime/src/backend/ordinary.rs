//! The metric's short forms: on vectors, and on GPUs.

use std::sync::OnceLock;

use kernels_gen::emit::{Dialect, Ordinary};
use kernels_gen::identity::identity;
use kernels_gen::program::Program;

use crate::builtins::judge::{
    KEY_FACTOR, gpu_ordinary_f32, gpu_ordinary_f64, judge_f32, judge_f64, ordinary_f32,
    ordinary_f64,
};
use crate::kernel::CrunchFn;

/// The short form of a judge for a text, if it is one of ours.
pub fn ordinary(judge: &Program, dialect: Dialect) -> Option<Ordinary<'static>> {
    /// A judge's identity, and its forms on vectors and on GPUs.
    type Forms = ([u8; 16], [Program; 2]);
    static FORMS: OnceLock<Vec<Forms>> = OnceLock::new();
    let forms = FORMS.get_or_init(|| {
        [
            (
                judge_f64::KERNEL,
                ordinary_f64::KERNEL,
                gpu_ordinary_f64::KERNEL,
            ),
            (
                judge_f32::KERNEL,
                ordinary_f32::KERNEL,
                gpu_ordinary_f32::KERNEL,
            ),
        ]
        .into_iter()
        .filter_map(|(judge, form, gpu)| {
            let lowered = |kernel| kernels_gen::lower(kernel).ok();
            Some((identity(&lowered(judge)?), [lowered(form)?, lowered(gpu)?]))
        })
        .collect()
    });
    let judge = identity(judge);
    forms
        .iter()
        .find(|form| form.0 == judge)
        .map(|(_, programs)| Ordinary {
            program: &programs[usize::from(dialect == Dialect::Cuda)],
            key_factor: KEY_FACTOR,
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::DoubleDouble;
    use kernels_gen::emit::CorrectF32Divide;

    /// Random words.
    fn words() -> impl FnMut() -> u64 {
        let mut state = 1u64;
        move || {
            state = state
                .wrapping_mul(0x5851_f42d_4c95_7f2d)
                .wrapping_add(0x1405_7b7e_f767_814f);
            let mixed = state ^ (state >> 29);
            mixed.wrapping_mul(0x9fb2_1c65_1e98_df25) ^ (state >> 32)
        }
    }

    /// Any double, and often one beside a power of two, zero, infinity or the least normal number.
    fn double(random: &mut impl FnMut() -> u64) -> f64 {
        let bits = random();
        let near = bits & !0x000f_ffff_ffff_ffff;
        match bits % 5 {
            0 => f64::from_bits(bits),
            1 => f64::from_bits(near.wrapping_add(random() % 5).wrapping_sub(2)),
            2 => f64::from_bits((bits % 4) | (random() << 63)),
            _ => f64::from_bits((bits & 0x83ff_ffff_ffff_ffff) | 0x3c00_0000_0000_0000),
        }
    }

    /// How often a short form held.
    #[derive(Default)]
    struct Tally {
        held: u32,
        misses: u32,
    }

    impl Tally {
        /// A short form's verdict and the judge's; it must hold where that is `usual`, and be the judge's where it holds.
        fn take(
            &mut self,
            (error, bin, misrounded, mix, holds): (f64, i64, bool, i64, bool),
            want: (f64, i64, i64, i64),
            usual: bool,
            context: &str,
        ) {
            assert!(!usual || holds, "{context}");
            if !holds {
                self.misses += 1;
                return;
            }
            self.held += 1;
            let got = (error.to_bits(), bin & 15, i64::from(misrounded), mix);
            assert_eq!(got, (want.0.to_bits(), want.1, want.2, want.3), "{context}");
        }

        fn finish(self) {
            let Tally { held, misses } = self;
            assert!(
                held > 50_000 && misses > 10_000,
                "{held} held, {misses} not"
            );
        }
    }

    #[test]
    fn the_short_form_is_the_judge_where_it_holds() {
        let mut random = words();
        let mut tally = Tally::default();
        for _ in 0..200_000 {
            let hi = double(&mut random);
            let ulp = f64::from_bits(hi.to_bits() & 0x7ff0_0000_0000_0000) * 2f64.powi(-52);
            let part = |random: &mut dyn FnMut() -> u64| (random() % 4097) as f64 / 2048.0 - 1.0;
            let lo = match random() % 8 {
                0 => double(&mut random),
                1 => 0.0,
                2 => -0.0,
                _ => ulp * 0.5 * part(&mut random),
            };
            let result = match random() % 8 {
                0 => double(&mut random),
                1 => hi,
                _ => f64::from_bits(hi.to_bits().wrapping_add(random() % 9).wrapping_sub(4)),
            };
            let key = random() as i64;
            let reference = DoubleDouble { hi, lo };
            let want = judge_f64::eval(key, result, reference, 0);
            let got = ordinary_f64::eval(key.wrapping_mul(KEY_FACTOR), result, reference);
            let context = format!("{result:e} {hi:e} {lo:e}: {got:?}, the judge {want:?}");
            let usual = hi.abs() >= 2f64.powi(-970)
                && hi.abs() < 2f64.powi(1022)
                && lo.is_finite()
                && want.0.abs() < 2.0
                && (want.0.abs() - 0.5).abs() > 1e-8
                && want.2 & !1 == 0;
            tally.take(got, want, usual, &context);
        }
        tally.finish();
    }

    #[test]
    fn the_short_form_for_floats_is_the_judge_where_it_holds() {
        let mut random = words();
        let mut tally = Tally::default();
        for _ in 0..200_000 {
            let mut word = random() as u32;
            if word.is_multiple_of(3) {
                word = (word & 0xff80_0000)
                    .wrapping_add(random() as u32 % 5)
                    .wrapping_sub(2);
            }
            let result = f32::from_bits(word);
            let reference = match random() % 8 {
                0 => double(&mut random),
                1 => f64::from(result),
                _ => {
                    let other = f32::from_bits(word.wrapping_add(1));
                    let step = f64::from(other) - f64::from(result);
                    f64::from(result) + step * ((random() % 8193) as f64 / 1024.0 - 4.0)
                }
            };
            let key = random() as i64;
            let want = judge_f32::eval(key, result, reference);
            let got = ordinary_f32::eval(key.wrapping_mul(KEY_FACTOR), result, reference);
            let context = format!("{result:e} {reference:e}: {got:?}, the judge {want:?}");
            let usual = reference.abs() > 1e-44
                && want.0.abs() < 2.0
                && (want.0.abs() - 0.5).abs() > 1e-8
                && want.2 & !1 == 0;
            tally.take(got, want, usual, &context);
        }
        tally.finish();
    }

    #[test]
    fn only_our_judges_have_short_forms() {
        let lowered = |kernel| kernels_gen::lower(kernel).expect("it lowers");
        let cl = Dialect::OpenCl(CorrectF32Divide::Native);
        let of = |judge, d| ordinary(&lowered(judge), d).map(|o| o.program.entry().name.clone());
        let name = |judge| of(judge, cl);
        let on_gpu = of(judge_f64::KERNEL, Dialect::Cuda);
        assert_eq!(on_gpu.as_deref(), Some("gpu_ordinary_f64"));
        assert_eq!(name(judge_f64::KERNEL).as_deref(), Some("ordinary_f64"));
        assert_eq!(name(judge_f32::KERNEL).as_deref(), Some("ordinary_f32"));
        assert_eq!(name(ordinary_f64::KERNEL), None);
    }
}
