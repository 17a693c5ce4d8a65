//! Each emulation is compared with an independent oracle, and its figures with published ones. The tests of `crunch
//! dump-instruction` compare the processor's own instructions with their emulations on every input.

#[cfg(target_arch = "x86_64")]
mod on_x86;
mod oracle;

use super::catalogue::{self, Run};
use super::figures::measure;
use super::host;
use super::{
    frecpe_f64, frsqrte_f64, rcp_approx_ftz_f64, rcp14_f64, rsqrt_approx_ftz_f64, rsqrt14_f64,
};

/// Exponents at which the result changes, or may: subnormals and the least normals, both parities in the middle, those
/// whose reciprocals are subnormal, infinities and NaNs.
const EXPONENTS: [u32; 13] = [0, 1, 2, 3, 126, 127, 128, 129, 251, 252, 253, 254, 255];

fn run(name: &str) -> Run {
    let found = catalogue::ALL.iter().find(|e| e.name == name);
    found.unwrap_or_else(|| panic!("no emulation {name}")).run
}

/// All fractions with both signs and a set of exponents.
fn against_oracle(name: &str, oracle: fn(u32) -> u32, exponents: impl Iterator<Item = u32>) {
    let run = run(name);
    let mut inputs = vec![0.0f32; 1 << 16];
    let mut results = inputs.clone();
    let mut compared = 0u64;
    for exponent in exponents {
        for high in (0..1 << 8).map(|k| (k & 1) << 31 | exponent << 23 | k >> 1 << 16) {
            for (low, x) in (0..1u32 << 16).zip(&mut inputs) {
                *x = f32::from_bits(high | low);
            }
            run(&inputs, &mut results);
            for (x, y) in inputs.iter().zip(&results) {
                let (x, y, expected) = (x.to_bits(), y.to_bits(), oracle(x.to_bits()));
                assert!(
                    y == expected,
                    "{name} of {x:08x}: {y:08x}, the oracle has {expected:08x}"
                );
            }
            compared += 1 << 16;
        }
    }
    println!("{name}: {compared} inputs");
}

macro_rules! oracle_tests {
    ($($kernel:ident by $oracle:ident),+ $(,)?) => {
        $(#[test]
        fn $kernel() {
            against_oracle(stringify!($kernel), oracle::$oracle, EXPONENTS.into_iter());
        })+

        /// The same on all inputs, which takes minutes.
        mod all_inputs {
            use super::{against_oracle, oracle};
            $(#[test]
            #[ignore = "takes minutes"]
            fn $kernel() {
                against_oracle(stringify!($kernel), oracle::$oracle, 0..256);
            })+
        }

        #[test]
        fn every_emulation_has_an_oracle() {
            let tested = [$(stringify!($kernel)),+];
            for e in catalogue::ALL {
                assert!(tested.contains(&e.name), "{}", e.name);
            }
        }
    };
}
oracle_tests! {
    rcp_neon by vrecpe,
    frecpe by frecpe,
    rcpps_intel by rcpps_intel,
    rcpps_amd by rcpps_amd,
    pfrcp_3dnow by pfrcp,
    rcp14 by vrcp14ps,
    rcp_approx by rcp_approx,
    rcp_approx_ftz by rcp_approx_ftz,
    rsqrt_neon by vrsqrte,
    frsqrte by frsqrte,
    rsqrtps_intel by rsqrtps_intel,
    rsqrtps_amd by rsqrtps_amd,
    pfrsqrt_3dnow by pfrsqrt,
    rsqrt14 by vrsqrt14ps,
    rsqrt_approx by rsqrt_approx,
    rsqrt_approx_ftz by rsqrt_approx_ftz,
}

/// The upper 17 bits of every fraction, with some lower bits, at every exponent at which the result changes, or may.
fn doubles() -> Vec<f64> {
    const TAILS: [u64; 3] = [0, 1, (1 << 35) - 1];
    let exponents = [
        0, 1, 2, 3, 1022, 1023, 1024, 1025, 2043, 2044, 2045, 2046, 2047,
    ];
    let mut inputs = Vec::new();
    for exponent in exponents {
        for top in 0..1u64 << 17 {
            for tail in TAILS {
                let x = exponent << 52 | top << 35 | tail;
                inputs.extend([x, x | 1 << 63].map(f64::from_bits));
            }
        }
    }
    // Subnormals of every length, and the limit of overflow.
    for k in 0..52 {
        for x in [(1u64 << k) - 1, 1 << k, (1 << k) + 1, 3 << k >> 1] {
            inputs.extend([x, x | 1 << 63].map(f64::from_bits));
        }
    }
    inputs
}

/// Compares an emulation with the results of the processor's own instruction.
fn against_instruction(
    name: &str,
    emulation: fn(&[f64], &mut [f64]),
    inputs: &[f64],
    here: &[f64],
) {
    let mut emulated = vec![0.0; inputs.len()];
    emulation(inputs, &mut emulated);
    for ((x, &here), y) in inputs.iter().zip(here).zip(&emulated) {
        let here = if here.is_nan() {
            0x7ff8 << 48
        } else {
            here.to_bits()
        };
        let (x, y) = (x.to_bits(), y.to_bits());
        assert!(
            y == here,
            "{name} of {x:016x}: {here:016x} here, {y:016x} emulated"
        );
    }
    println!("{name}: {} inputs", inputs.len());
}

#[test]
fn doubles_of_avx_512_arm_and_nvidia() {
    let inputs = doubles();
    let mut results = vec![0.0; inputs.len()];
    type Case = (&'static str, fn(&[f64], &mut [f64]), fn(u64) -> u64);
    let cases: [Case; 6] = [
        ("rcp14_f64", rcp14_f64::map, oracle::vrcp14pd),
        ("rsqrt14_f64", rsqrt14_f64::map, oracle::vrsqrt14pd),
        ("frecpe_f64", frecpe_f64::map, oracle::frecpe_f64),
        ("frsqrte_f64", frsqrte_f64::map, oracle::frsqrte_f64),
        (
            "rcp_approx_ftz_f64",
            rcp_approx_ftz_f64::map,
            oracle::rcp_approx_ftz_f64,
        ),
        (
            "rsqrt_approx_ftz_f64",
            rsqrt_approx_ftz_f64::map,
            oracle::rsqrt_approx_ftz_f64,
        ),
    ];
    for (name, run, oracle) in cases {
        run(&inputs, &mut results);
        for (x, y) in inputs.iter().zip(&results) {
            let (x, y, expected) = (x.to_bits(), y.to_bits(), oracle(x.to_bits()));
            assert!(
                y == expected,
                "{name} of {x:016x}: {y:016x}, the oracle has {expected:016x}"
            );
        }
    }
}

/// The largest error of a binade, `error · 2^24` with six decimals, and its input.
type Worst = (&'static str, u32);

/// Figures as measured on processors and published (those of `pfrsqrt_3dnow` are this program's): kernel, bits used and
/// given, errors. NVIDIA's are those of an H200's results.
const FIGURES: &[(&str, u32, u32, &[Worst])] = &[
    ("rcp_neon", 8, 8, &[("45502.375051", 0x3f84_7fff)]),
    ("frecpe", 8, 8, &[("45502.375051", 0x3f84_7fff)]),
    ("rcpps_intel", 11, 12, &[("4995.549501", 0x3f81_0fff)]),
    ("rcpps_amd", 12, 12, &[("4762.275673", 0x3f86_97ff)]),
    ("pfrcp_3dnow", 15, 16, &[("532.261236", 0x3f83_e0ff)]),
    ("rcp14", 16, 16, &[("709.549469", 0x3f83_007f)]),
    (
        "rsqrt_neon",
        7,
        8,
        &[("46073.252526", 0x3f86_0000), ("37993.602603", 0x4005_ffff)],
    ),
    (
        "frsqrte",
        7,
        8,
        &[("46073.252526", 0x3f86_0000), ("37993.602603", 0x4005_ffff)],
    ),
    (
        "rsqrtps_intel",
        10,
        12,
        &[("4980.260264", 0x3f81_bfff), ("3843.274843", 0x4000_ffff)],
    ),
    (
        "rsqrtps_amd",
        12,
        12,
        &[("2940.204879", 0x3f88_67ff), ("2887.028746", 0x4002_f7ff)],
    ),
    (
        "pfrsqrt_3dnow",
        15,
        16,
        &[("285.153030", 0x3f84_6400), ("251.344890", 0x4003_a1ff)],
    ),
    (
        "rsqrt14",
        15,
        16,
        &[("938.202618", 0x3f81_fbff), ("702.187839", 0x4000_0100)],
    ),
    ("rcp_approx", 23, 23, &[("0.974873", 0x3f81_cfff)]),
    ("rcp_approx_ftz", 23, 23, &[("0.974873", 0x3f81_cfff)]),
    (
        "rsqrt_approx",
        23,
        23,
        &[("1.514485", 0x3f82_0399), ("1.467557", 0x4002_0000)],
    ),
    (
        "rsqrt_approx_ftz",
        23,
        23,
        &[("1.514485", 0x3f82_0399), ("1.467557", 0x4002_0000)],
    ),
];

#[test]
fn figures_are_those_measured_elsewhere() {
    assert_eq!(FIGURES.len(), catalogue::ALL.len());
    for &(name, bits_in, bits_out, maxima) in FIGURES {
        let e = catalogue::ALL.iter().find(|e| e.name == name);
        let e = e.expect("an emulation");
        let figures = measure(e.function, e.run);
        println!("{name}: {figures:x?}");
        assert_eq!(
            (figures.bits_in, figures.bits_out),
            (bits_in, bits_out),
            "{name}"
        );
        let found = figures
            .maxima
            .iter()
            .map(|m| (format!("{:.6}", m.error), m.input));
        let expected = maxima.iter().map(|&(error, input)| (error.into(), input));
        assert_eq!(
            found.collect::<Vec<_>>(),
            expected.collect::<Vec<_>>(),
            "{name}"
        );
    }
}

#[test]
fn a_difference_is_found_at_its_first_input() {
    /// `rcpps_amd` with two results changed.
    fn wrong(x: &[f32], out: &mut [f32]) {
        run("rcpps_amd")(x, out);
        for (x, out) in x.iter().zip(out) {
            if [0x3f80_1234, 0xc000_0001].contains(&x.to_bits()) {
                *out = f32::from_bits(out.to_bits() ^ 1);
            }
        }
    }
    /// Always 1: it differs from the first input on.
    fn one(_: &[f32], out: &mut [f32]) {
        out.fill(1.0);
    }
    let found = host::compare(run("rcpps_amd"), &[wrong, one], 2);
    let inputs: Vec<_> = found.iter().map(|d| d.map(|d| d.input)).collect();
    assert_eq!(inputs, [Some(0x3f80_1234), Some(0)]);
    let d = found[0].expect("a difference");
    assert_eq!(d.instruction ^ d.emulation, 1);
}

/// ARM's instructions, run, against their emulations; those of AArch32 with the control word that they have there.
#[cfg(target_arch = "aarch64")]
mod on_neon {
    use super::host::{arm, compare, first_difference};
    use super::run;
    use crate::builtins::instructions::catalogue::Run;

    const CASES: [(&str, Run); 4] = [
        ("frecpe", arm::frecpe),
        ("frsqrte", arm::frsqrte),
        ("rcp_neon", arm::vrecpe),
        ("rsqrt_neon", arm::vrsqrte),
    ];

    /// The upper eleven bits of every fraction, at every exponent, with five tails, and all subnormals of few bits.
    #[test]
    fn estimates_are_the_emulations() {
        const TAILS: [u32; 5] = [0, 1, 0x5a5, 0x800, 0xfff];
        let mut inputs: Vec<f32> = (0..1u32 << 20)
            .flat_map(|top| TAILS.map(|tail| f32::from_bits(top << 12 | tail)))
            .collect();
        for shift in 0..14 {
            for bits in 0..1u32 << 10 {
                inputs.extend([0, 1 << 31].map(|sign| f32::from_bits(sign | bits << shift)));
            }
        }
        let (mut expected, mut results) = (vec![0.0; inputs.len()], vec![0.0; inputs.len()]);
        for (name, instruction) in CASES {
            instruction(&inputs, &mut expected);
            run(name)(&inputs, &mut results);
            let differs = first_difference(&expected, &results).map(|i| {
                let [x, here, emulated] = [inputs[i], expected[i], results[i]].map(f32::to_bits);
                format!("{x:08x}: {here:08x} here, {emulated:08x} emulated")
            });
            assert_eq!(differs, None, "{name}");
        }
        println!("{} inputs", inputs.len());
    }

    #[test]
    fn estimates_of_doubles_are_the_emulations() {
        use core::arch::aarch64::{vrecped_f64, vrsqrted_f64};
        fn frecpe(x: f64) -> f64 {
            // SAFETY: this target's processors have Advanced SIMD.
            unsafe { vrecped_f64(x) }
        }
        fn frsqrte(x: f64) -> f64 {
            // SAFETY: as above.
            unsafe { vrsqrted_f64(x) }
        }
        type Case = (&'static str, fn(&[f64], &mut [f64]), fn(f64) -> f64);
        let cases: [Case; 2] = [
            ("frecpe_f64", super::frecpe_f64::map, frecpe),
            ("frsqrte_f64", super::frsqrte_f64::map, frsqrte),
        ];
        // Fewer under an emulator; those at the end are few and each is alone.
        let all = super::doubles();
        let (many, alone) = all.split_at(all.len() - 416);
        let step = crate::isa::tests::scale() | 1;
        let inputs: Vec<f64> = many.iter().step_by(step).chain(alone).copied().collect();
        for (name, emulation, instruction) in cases {
            let here: Vec<f64> = inputs.iter().map(|&x| instruction(x)).collect();
            super::against_instruction(name, emulation, &inputs, &here);
        }
    }

    #[test]
    #[ignore = "takes minutes"]
    fn estimates_are_the_emulations_on_all_inputs() {
        for (name, instruction) in CASES {
            assert_eq!(compare(instruction, &[run(name)], 2), [None], "{name}");
        }
    }
}
