//! The metric's fast paths: on vectors, and on GPUs.

use crate::model::programs::program_of;
use std::sync::OnceLock;

use kernels_gen::emit::{Dialect, FastPath};
use kernels_gen::identity::identity;
use kernels_gen::ir::Kernel;
use kernels_gen::program::Program;

use crate::builtins::plain_error::{
    absolute_error_f32, absolute_error_f64, absolute_fast_path_f32, absolute_fast_path_f64,
    relative_error_f32, relative_error_f64, relative_fast_path_f32, relative_fast_path_f64,
};
use crate::builtins::ulp_error::{
    KEY_FACTOR, fast_path_f32, fast_path_f64, gpu_fast_path_f32, gpu_fast_path_f64, ulp_error_f32,
    ulp_error_f64,
};
use crate::kernel::CrunchFn;

/// A metric's identity, its fast paths on vectors and on GPUs, and whether its error is in ULP.
struct Form {
    metric: [u8; 16],
    programs: [&'static Program; 2],
    in_ulp: bool,
}

/// The metrics with fast paths: the metric, its fast path on vectors, that on GPUs, and whether errors are in ULP.
const KERNELS: [(&Kernel, &Kernel, &Kernel, bool); 6] = [
    (
        ulp_error_f64::KERNEL,
        fast_path_f64::KERNEL,
        gpu_fast_path_f64::KERNEL,
        true,
    ),
    (
        ulp_error_f32::KERNEL,
        fast_path_f32::KERNEL,
        gpu_fast_path_f32::KERNEL,
        true,
    ),
    (
        absolute_error_f64::KERNEL,
        absolute_fast_path_f64::KERNEL,
        absolute_fast_path_f64::KERNEL,
        false,
    ),
    (
        absolute_error_f32::KERNEL,
        absolute_fast_path_f32::KERNEL,
        absolute_fast_path_f32::KERNEL,
        false,
    ),
    (
        relative_error_f64::KERNEL,
        relative_fast_path_f64::KERNEL,
        relative_fast_path_f64::KERNEL,
        false,
    ),
    (
        relative_error_f32::KERNEL,
        relative_fast_path_f32::KERNEL,
        relative_fast_path_f32::KERNEL,
        false,
    ),
];

/// The fast path of a metric for a text, if the metric is one of this crate's.
pub fn fast_path(metric: &Program, dialect: Dialect) -> Option<FastPath<'static>> {
    static FORMS: OnceLock<Vec<Form>> = OnceLock::new();
    let forms = FORMS.get_or_init(|| {
        let form = |(metric, vectors, gpu, in_ulp)| {
            let lowered = |kernel| program_of(kernel).ok();
            Some(Form {
                metric: identity(lowered(metric)?),
                programs: [lowered(vectors)?, lowered(gpu)?],
                in_ulp,
            })
        };
        KERNELS.into_iter().filter_map(form).collect()
    });
    let metric = identity(metric);
    let form = forms.iter().find(|form| form.metric == metric)?;
    Some(FastPath {
        program: form.programs[usize::from(dialect == Dialect::Cuda)],
        key_factor: KEY_FACTOR,
        in_ulp: form.in_ulp,
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

    /// Any double, often one next to a power of two, zero, infinity or the least normal number.
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

    /// How often a fast path held.
    #[derive(Default)]
    struct Tally {
        held: u32,
        misses: u32,
    }

    impl Tally {
        /// Compares the results of a fast path with the metric's: it must hold where `usual` is set, and where it holds
        /// they must be equal.
        fn take(
            &mut self,
            (error, bin, misrounded, digest_term, holds): (f64, i64, bool, i64, bool),
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
            let got = (
                error.to_bits(),
                bin & 15,
                i64::from(misrounded),
                digest_term,
            );
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
    fn the_short_form_is_the_metric_where_it_applies() {
        let mut random = words();
        let mut tally = Tally::default();
        let mut plain = Tally::default();
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
            let want = ulp_error_f64::eval(key, result, reference, 0);
            let weight = key.wrapping_mul(KEY_FACTOR);
            let got = fast_path_f64::eval(weight, result, reference);
            let context = format!("{result:e} {hi:e} {lo:e}: {got:?}, the metric {want:?}");
            let usual = hi.abs() >= 2f64.powi(-970)
                && hi.abs() < 2f64.powi(1022)
                && lo.is_finite()
                && want.0.abs() < 2.0
                && (want.0.abs() - 0.5).abs() > 1e-8
                && want.2 & !1 == 0;
            plain.take(
                absolute_fast_path_f64::eval(weight, result, reference),
                absolute_error_f64::eval(key, result, reference, 0),
                got.4,
                &context,
            );
            plain.take(
                relative_fast_path_f64::eval(weight, result, reference),
                relative_error_f64::eval(key, result, reference, 0),
                got.4,
                &context,
            );
            tally.take(got, want, usual, &context);
        }
        tally.finish();
        plain.finish();
    }

    #[test]
    fn the_short_form_for_floats_is_the_metric_where_it_applies() {
        let mut random = words();
        let mut tally = Tally::default();
        let mut plain = Tally::default();
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
            let want = ulp_error_f32::eval(key, result, reference);
            let weight = key.wrapping_mul(KEY_FACTOR);
            let got = fast_path_f32::eval(weight, result, reference);
            let context = format!("{result:e} {reference:e}: {got:?}, the metric {want:?}");
            let usual = reference.abs() > 1e-44
                && want.0.abs() < 2.0
                && (want.0.abs() - 0.5).abs() > 1e-8
                && want.2 & !1 == 0;
            plain.take(
                absolute_fast_path_f32::eval(weight, result, reference),
                absolute_error_f32::eval(key, result, reference),
                got.4,
                &context,
            );
            plain.take(
                relative_fast_path_f32::eval(weight, result, reference),
                relative_error_f32::eval(key, result, reference),
                got.4,
                &context,
            );
            tally.take(got, want, usual, &context);
        }
        tally.finish();
        plain.finish();
    }

    #[test]
    fn only_our_metrics_have_short_forms() {
        let lowered = |kernel| kernels_gen::lower(kernel).expect("it lowers");
        let cl = Dialect::OpenCl(CorrectF32Divide::Native);
        let of = |metric, d| fast_path(&lowered(metric), d).map(|o| o.program.entry().name.clone());
        let name = |metric| of(metric, cl);
        let on_gpu = of(ulp_error_f64::KERNEL, Dialect::Cuda);
        assert_eq!(on_gpu.as_deref(), Some("gpu_fast_path_f64"));
        assert_eq!(
            name(ulp_error_f64::KERNEL).as_deref(),
            Some("fast_path_f64")
        );
        assert_eq!(
            name(ulp_error_f32::KERNEL).as_deref(),
            Some("fast_path_f32")
        );
        assert_eq!(name(fast_path_f64::KERNEL), None);
    }
}
