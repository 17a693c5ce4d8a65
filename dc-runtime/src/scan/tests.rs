//! The search loop, compared with the interpreter's, which reduces input by input.

use std::ops::Range;

use kernels_gen::interp::Interpreter;
use kernels_gen::ops::Prim;

use super::ColumnSearch;
use super::levels::ScalarLevel;
use super::reduce::CHUNK;
use super::width::{WANTED, WIDTHS};
use crate::backend::interp::InterpSweep;
use crate::isa::sets::{InstructionSet, for_each_isa};
use crate::isa::tests::level;
use crate::isa::tests::scale;
use crate::model::block::BlockResult;
use crate::model::kernel_ref::{KernelRef, PointFn, SweepFn};
use crate::model::key::Precision;
use crate::prelude::*;
use crate::sweep::Sweep;
use crate::sweeps;

/// Correct, except for single faults of every kind, and stretches that are entirely NaN.
#[crunch]
fn faulty(x: DcDouble) -> DcDouble {
    let bits = x.to_bits();
    let mut y = x * 1.0000000000000002;
    if bits & 4095 == 77 {
        y = f64::NAN;
    }
    if bits & 8191 == 99 {
        y = f64::INFINITY;
    }
    if bits & 4095 == 1001 {
        y = 0.0;
    }
    if bits & 0xf_0000 == 0x5_0000 {
        y = f64::NAN;
    }
    y
}
#[crunch]
fn faulty_reference(x: DcDouble) -> DcDouble {
    let bits = x.to_bits();
    let mut y = x;
    if bits & 0xf_0000 == 0x5_0000 {
        y = f64::NAN;
    }
    if bits & 4095 == 1001 {
        y = -0.0;
    }
    y
}
/// Errors of either sign that grow along the range.
#[crunch]
fn growing(x: DcDouble) -> DcDouble {
    x + (x * x - 2.25) * 1e-9
}
#[crunch]
fn same(x: DcDouble) -> DcDouble {
    x + 0.0
}
#[crunch]
fn same_f32(x: DcFloat) -> DcFloat {
    x.mul_add(x, x)
}
#[crunch]
fn same_f32_reference(x: DcFloat) -> DcDouble {
    let x = x.to_f64();
    x.mul_add(x, x)
}

/// A reference that is no sum of two words in the usual form: the first is zero.
#[crunch]
fn zero_and_all(x: DcDouble) -> DcDoubleDouble {
    DcDoubleDouble::new(x - x, -x)
}
#[crunch]
fn zero(x: DcDouble) -> DcDouble {
    x - x
}

/// Differs by an ULP, to either side in turn: equal extremes.
#[crunch]
fn beside(x: DcDouble) -> DcDouble {
    let bits = x.to_bits();
    DcDouble::from_bits(bits + 1 - ((bits & 1) << 1))
}

/// References with scales of every kind, some of them invalid, on stretches and at single inputs.
#[crunch]
fn odd_scales(x: DcDouble) -> (DcDoubleDouble, DcLong) {
    let bits = x.to_bits();
    let mut scale: DcLong = 0;
    if bits & 0xf_0000 == 0x3_0000 {
        scale = (bits & 63) - 32;
    }
    if bits & 0xfff == 0x123 {
        scale = (bits >> 8) & 0x1fff;
    }
    if bits & 0xfff == 0x321 {
        scale = -((bits >> 8) & 0x1fff);
    }
    if bits & 0x7fff == 0x777 {
        scale = i64::MIN;
    }
    let bounded = scale.max(-60).min(60);
    let back = DcDouble::from_bits((1023 - bounded) << 52);
    // Some results are ties: errors in sixteenths of an ULP, eight of which are a tie.
    let binade = DcDouble::from_bits(bits & (0xfff_i64 << 52));
    let tail = (bits & 15).to_f64() * 1.387_778_780_781_445_7e-17;
    (DcDoubleDouble::new(x * back, binade * back * tail), scale)
}

pub(crate) const SWEEPS: &[Sweep] = &[
    Sweep::new::<beside, odd_scales>("odd-scales", "all"),
    Sweep::new::<beside, same>("beside", "all"),
    Sweep::new::<zero, zero_and_all>("zero", "all"),
    Sweep::new::<faulty, faulty_reference>("faulty", "all"),
    Sweep::new::<growing, same>("growing", "all"),
    Sweep::new::<same, same>("same", "all"),
    Sweep::new::<same_f32, same_f32_reference>("same-f32", "all"),
];

/// Stretches across boundaries of numbers and of the loop: chunks, vectors, bytes of the histogram.
fn stretches(precision: Precision) -> Vec<(i64, u64)> {
    let key = |x: f64| match precision {
        Precision::F64 => precision.key_of_bits(x.to_bits()),
        Precision::F32 => precision.key_of_bits(u64::from((x as f32).to_bits())),
    };
    let mut all = vec![
        (key(1.0), 0),
        (key(1.0), 1),
        (key(1.5) - 30_000, 70_001),
        (-30_001, 60_007),
        (-3, 7),
        (key(f64::INFINITY) - 5000, 10_000),
        (key(f64::NEG_INFINITY) - 5001, 10_003),
        (key(2.0) - 4000, 8191),
        (precision.min_key(), 4099),
        (precision.max_key() - 4096, 4097),
        (key(f64::from(f32::MIN_POSITIVE)) - 999, 2000),
        (key(-1.5), 16 * 60 * 5 + 3),
        // References have scales here: results of exp that are tiny, subnormal, zero, huge; reciprocals likewise.
        (key(-708.000_000_000_134_6) - 2000, 4000),
        (key(-744.44) - 1000, 3000),
        (key(-745.133_219_101_941_1) - 2000, 4000),
        (key(-625.0) - 3000, 6000),
        (key(709.782_712_893_384) - 3000, 5000),
        (key(693.8) - 3000, 6000),
        (key(2f64.powi(900)) - 3000, 6000),
        (key(2f64.powi(1022)) - 2000, 4000),
        (key(2f64.powi(-1024)) - 2000, 4000),
    ];
    // Whole chunks, so that the last one's columns are there when inputs of extremes are looked up.
    all.extend((2..8).map(|n| (key(1.1 * n as f64), n as u64 * CHUNK as u64)));
    let mut state = 7u64;
    for _ in 0..20 {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(99);
        let first = match precision {
            Precision::F64 => state as i64 / 2,
            Precision::F32 => i64::from((state >> 33) as i32) / 2,
        };
        all.push((first, state >> 52));
    }
    all
}

/// Compares each sweep and stretch with a backend's search.
#[cfg(feature = "opencl")]
pub(crate) fn searched_as_by_the_interpreter(
    backend: &dyn crate::model::backend::Backend,
    part: u64,
) {
    use crate::model::backend::SweepKernel as _;
    for sweep in sweeps::ALL.iter().chain(SWEEPS) {
        let [approx, reference, metric] = (sweep.kernels().expect("of kernels"))
            .map(|k| kernels_gen::lower(k.kernel).expect("it can be lowered"));
        let mut oracle = InterpSweep::new(sweep.inputs, &approx, &reference, &metric);
        let mut kernel = backend.load_sweep(sweep).expect("it compiles");
        for (first, count) in stretches(sweep.precision) {
            let count = (count / part).max(count.min(500));
            let want = oracle.run(first, count).expect("the interpreter");
            let got = kernel.run(first, count).expect("it runs");
            assert_eq!(got, want, "{}: {count} keys from {first}", sweep.name);
        }
    }
}

/// Compares each sweep and stretch on one instruction set, at each width.
fn reduces_as_the_interpreter(form: fn(&Sweep) -> SweepFn, widths: Range<usize>) {
    use crate::model::backend::SweepKernel as _;
    for sweep in sweeps::ALL.iter().chain(SWEEPS) {
        let [approx, reference, metric] = (sweep.kernels().expect("of kernels"))
            .map(|k| kernels_gen::lower(k.kernel).expect("it can be lowered"));
        let mut oracle = InterpSweep::new(sweep.inputs, &approx, &reference, &metric);
        for (first, count) in stretches(sweep.precision) {
            // Stretches are shortened in emulators, except short ones.
            let count = (count / scale() as u64).max(count.min(500));
            let want = oracle.run(first, count).expect("the interpreter");
            for width in widths.clone() {
                WANTED.set(Some(width));
                let got = form(sweep)(first, count);
                assert_eq!(
                    got, want,
                    "{}: {count} keys from {first}, width {width}",
                    sweep.name
                );
            }
        }
    }
}

/// Absolute and relative errors, on every instruction set, in stretches and at single inputs with the columns of those.
#[test]
fn other_errors_reduce_as_the_interpreter() {
    use crate::backend::{Filter, discover};
    use crate::model::backend::SweepKernel as _;
    use crate::model::measure::Measure;
    let processors = discover(&Filter::processor()).backends;
    let mut in_full = 0;
    for sweep in sweeps::ALL.iter().chain(SWEEPS) {
        for measure in [Measure::Absolute, Measure::Relative] {
            let sweep = &sweep.measuring(measure);
            let [approx, reference, metric] = (sweep.kernels().expect("of kernels"))
                .map(|k| kernels_gen::lower(k.kernel).expect("it can be lowered"));
            let mut oracle = InterpSweep::new(sweep.inputs, &approx, &reference, &metric);
            for (first, count) in stretches(sweep.precision) {
                let count = (count / 4).max(count.min(500)) / scale() as u64;
                let want = oracle.run(first, count).expect("the interpreter");
                in_full += u64::from(want.faults.iter().any(|f| f.count > 0));
                for processor in &processors {
                    let got = processor
                        .load_sweep(sweep)
                        .and_then(|mut s| s.run(first, count));
                    let what = format!("{} {} on {}", sweep.name, measure.name(), processor.id());
                    assert_eq!(got.expect("a search"), want, "{what}: {count} from {first}");
                }
            }
        }
    }
    assert!(in_full > 20, "{in_full} stretches with faults");
}

/// Routine and reference at single inputs, and at some consecutive ones, across chunks and signs.
fn points_are_the_interpreters(form: fn(&KernelRef) -> PointFn) {
    for sweep in sweeps::ALL.iter().chain(SWEEPS) {
        let precision = sweep.precision;
        let mut inputs: Vec<u64> = (-(CHUNK as i64) - 7..CHUNK as i64 + 9)
            .chain([precision.max_key() - 1, precision.max_key()])
            .chain([precision.min_key(), 5, 5, 4])
            .map(|key| precision.bits_of_key(key))
            .collect();
        for (first, count) in stretches(precision) {
            let last = first.saturating_add(count as i64 - 1).max(first);
            inputs.extend([first, last].map(|key| precision.bits_of_key(key)));
        }
        for kernel in &sweep.kernels().expect("of kernels")[..2] {
            let program = kernels_gen::lower(kernel.kernel).expect("it can be lowered");
            let widened: Vec<u64> = match &program.entry().params[..] {
                [(_, Prim::F64)] => inputs
                    .iter()
                    .map(|&x| precision.value_of_bits(x).to_bits())
                    .collect(),
                _ => inputs.clone(),
            };
            let mut want = vec![Vec::new(); program.entry().results.len()];
            let mut got = want.clone();
            Interpreter::new(&program).run(&[&widened], &mut want);
            form(kernel)(&[&widened], &mut got);
            for (got, want) in got.iter().zip(&want) {
                let differs = (0..inputs.len()).find(|&i| got.get(i) != want.get(i));
                let at = differs.map(|i| format!("{:#x}", inputs[i]));
                assert_eq!(at, None, "{}: {}", sweep.name, kernel.kernel.name);
            }
        }
    }
}

/// Digests of 2^17 keys from 1 on, as found on x86-64: every instruction set and every processor has the same.
const DIGESTS: &[(&str, u64)] = &[
    ("exp", 0xd13b_d186_98db_537d),
    ("exp-table", 0x60c7_a4f4_1674_45af),
    ("log-polynomial", 0xfae6_3780_1ffc_55bc),
    ("reciprocal", 0xd571_a81c_e0b9_6e5d),
    ("reciprocal-f32", 0x5ac0_2321_ace2_e886),
];

fn digests_are_those_recorded(form: fn(&Sweep) -> SweepFn) {
    let digest = |name: &str| {
        let sweep = sweeps::ALL
            .iter()
            .find(|s| s.name == name)
            .expect("built in");
        let first = match sweep.precision {
            Precision::F64 => 1f64.to_bits(),
            Precision::F32 => 1f32.to_bits().into(),
        };
        form(sweep)(sweep.precision.key_of_bits(first), 1 << 17).digest
    };
    let found: Vec<String> = DIGESTS
        .iter()
        .map(|d| format!("{} {:016x}", d.0, digest(d.0)))
        .collect();
    let want: Vec<String> = DIGESTS
        .iter()
        .map(|d| format!("{} {:016x}", d.0, d.1))
        .collect();
    assert_eq!(found, want);
}

/// A module of tests for each instruction set.
macro_rules! each_set {
    ($({
        $field:ident $token:ident $level:ident $map:ident $name:literal $features:tt points $points:literal map $wide:literal
        search $narrow_units:literal $wide_units:literal $($more:tt)*
    })+) => {$(
        mod $field {
            use super::*;

            #[test]
            fn points_are_the_interpreters() {
                let test = concat!(module_path!(), "::points_are_the_interpreters");
                if level::<crate::isa::$token<$points>>(test).is_some() {
                    super::points_are_the_interpreters(|k| k.cpu.$field);
                }
            }

            #[test]
            fn digests_are_those_recorded() {
                let test = concat!(module_path!(), "::digests_are_those_recorded");
                if level::<crate::isa::$token<$points>>(test).is_some() {
                    super::digests_are_those_recorded(|s| s.compiled().$field);
                }
            }

            #[test]
            fn the_loop_reduces_as_the_interpreter() {
                let test = concat!(module_path!(), "::the_loop_reduces_as_the_interpreter");
                if level::<crate::isa::$token<$points>>(test).is_some() {
                    // Of one width twice, once is enough.
                    let widths = if $narrow_units == $wide_units { 1 } else { WIDTHS };
                    reduces_as_the_interpreter(|s| s.compiled().$field, 0..widths);
                }
            }
        }
    )+};
}
for_each_isa!([each_set!]);

#[test]
fn scales_and_what_is_undecided_are_met() {
    let sweep = |name| {
        let mut all = sweeps::ALL.iter().chain(SWEEPS);
        all.find(|s: &&Sweep| s.name == name).expect("it is there")
    };
    let first = |x: f64| Precision::F64.key_of_bits(x.to_bits());
    let odd = (sweep("odd-scales").compiled().scalar)(first(1.0), 1 << 20);
    let counted: u64 = odd.histogram.iter().sum();
    assert!(
        odd.undecided > 10_000 && counted + 100 < odd.count,
        "{odd:?}"
    );
    let exp = (sweep("exp").compiled().scalar)(first(-708.5), 10_000);
    let whole = exp.max.error().fract() == 0.0;
    assert!(
        !whole && exp.max.error() < 2.0 && exp.undecided == 0,
        "{exp:?}"
    );
    // An input for which the double-double does not decide the side of a tie.
    let below_2 = first(2.0) - 1;
    let fma = (sweep("reciprocal-intel-fma").compiled().scalar)(below_2, 1);
    assert_eq!((fma.misrounded, fma.undecided), (0, 1), "{fma:?}");
}

#[test]
fn the_faulty_kernel_has_every_fault() {
    let first = Precision::F64.key_of_bits(1f64.to_bits());
    let sweep = SWEEPS.iter().find(|s| s.name == "faulty");
    let block: BlockResult = (sweep.expect("it is there").compiled().scalar)(first, 1 << 20);
    assert!(block.faults.iter().all(|f| f.count > 0), "{block:?}");
    let counted: u64 = block.histogram.iter().sum();
    assert!(block.max.exists() && counted > 0 && counted < block.count);
}

/// Column by column, a sweep of kernels has the results of its compiled loop.
#[test]
fn columns_are_measured_as_in_the_compiled_loop() {
    for sweep in sweeps::ALL.iter().chain(SWEEPS) {
        let mut columns = ColumnSearch::new::<ScalarLevel>(sweep, InstructionSet::Scalar);
        for (first, count) in stretches(sweep.precision) {
            let count = (count / scale() as u64).max(count.min(500));
            let want = (sweep.compiled().scalar)(first, count);
            let got = columns.run(first, count).expect("kernels do not fail");
            assert_eq!(got, want, "{}: {count} keys from {first}", sweep.name);
        }
    }
}
