//! CUDA texts, each with the operations that its IR contains.

use std::collections::BTreeMap;

use doublecrunch::__private_v0_2::CrunchFn;
use doublecrunch::builtins::integer_error::{
    integer_error_i32, integer_error_i64, integer_error_u32, integer_error_u64,
};
use doublecrunch::builtins::rounding_error::{
    rounding_error_bfloat, rounding_error_f32, rounding_error_f64, rounding_error_half,
};
use doublecrunch::builtins::ulp_error::{
    KEY_FACTOR, beside_polynomial, digest_term, digest_term_of_result_f64,
    error_beside_records_f32, fast_path_f32, fast_path_f64, gpu_fast_path_f32, gpu_fast_path_f64,
    histogram_bin, known_ulp_error_f32, known_ulp_error_f64, near_polynomial, ordinary_f32,
    rotate_21, subnormal_error_beside_records_f32, ulp_error_f32, ulp_error_f64,
};
use doublecrunch::prelude::*;
use doublecrunch::search::key::Precision;
use doublecrunch::sweeps::ALL;
use doublecrunch::sweeps::{
    exp_cephes, exp_reference, library, log_polynomial, log_polynomial_reference, rcp_newton,
    rcp_newton_f32, rcp_newton_fma, rcp_newton_intel, rcp_newton_intel_fma, rcp_reference_f32,
    recip_reference,
};
use kernels_gen::emit::{FastPath, Options, Routine, Source, Sweep, point_kernel, sweep_kernel};
use kernels_gen::lower::lower;
use kernels_gen::ops::{Arith, Direction, Op, Prim};
use kernels_gen::program::{InstKind, Program};
use kernels_gen::stats::Stats;

/// Additions (and subtractions), products, fused operations of binary64, then of binary32.
pub type Arithmetic = [u64; 6];
/// An operation for which machine code has no instruction.
pub type Slow = (&'static str, &'static str);
/// How often each operation occurs in PTX.
pub type Ptx = BTreeMap<(String, &'static str), u64>;

/// A text.
pub struct Text {
    pub name: String,
    pub source: Source,
    pub arithmetic: Arithmetic,
    pub slow: BTreeMap<Slow, u64>,
    pub ptx: Ptx,
}

const PRECISIONS: [(Prim, &str); 2] = [(Prim::F64, "f64"), (Prim::F32, "f32")];
/// The one directed operation of these texts.
const TOWARD_ZERO: Op = Op::Directed(Arith::Add, Direction::Zero);
const SLOW: [(Op, &str); 3] = [(Op::Div, "div"), (Op::Recip, "rcp"), (Op::Sqrt, "sqrt")];

/// The operations that a text of all these programs contains according to the IR, less those that are in `twice`.
fn text(name: String, source: Source, programs: &[&Program], twice: &[(Op, Prim)]) -> Text {
    let stats: Vec<Stats> = programs.iter().map(|p| Stats::of(p)).collect();
    let count = |op, prim| {
        let all: u64 = stats.iter().map(|s| s.count(op, prim)).sum();
        all - twice.iter().filter(|&&t| t == (op, prim)).count() as u64
    };
    let mut text = Text {
        name,
        source,
        arithmetic: [0; 6],
        slow: BTreeMap::new(),
        ptx: Ptx::new(),
    };
    for (i, (prim, suffix)) in PRECISIONS.into_iter().enumerate() {
        let fast = [
            (
                "add",
                count(Op::Add, prim) + count(Op::Sub, prim) + count(TOWARD_ZERO, prim),
            ),
            ("mul", count(Op::Mul, prim)),
            ("fma", count(Op::Fma, prim)),
        ];
        for (j, (_, n)) in fast.iter().enumerate() {
            text.arithmetic[3 * i + j] = *n;
        }
        let slow = SLOW.map(|(op, name)| (name, count(op, prim)));
        text.slow
            .extend(slow.iter().map(|&(name, n)| ((name, suffix), n)));
        let all = fast.into_iter().chain(slow).filter(|(_, n)| *n > 0);
        text.ptx
            .extend(all.map(|(name, n)| ((name.to_string(), suffix), n)));
    }
    text
}

fn point<K: CrunchFn>() -> Text {
    let program = lower(K::KERNEL).unwrap_or_else(|e| panic!("{}: {e}", K::KERNEL.name));
    let source = point_kernel(&program, &Options::cuda());
    text(K::KERNEL.name.into(), source, &[&program], &[])
}

/// Degree 21, like the paper's polynomials; a compiler can drop none of the coefficients.
const COEFFICIENTS: [f64; 22] = {
    let mut c = [0.1; 22];
    let mut i = 1;
    while i < 22 {
        c[i] = c[i - 1] / 3.0;
        i += 1;
    }
    c
};
const COEFFICIENTS_F32: [f32; 4] = [0.1, 0.3, 0.7, 0.9];

/// Kernels with hardly any arithmetic, combined.
#[crunch]
fn comparisons(
    x: DcDoubleDouble,
    y: DcDoubleDouble,
) -> (
    DcMask,
    DcMask,
    DcMask,
    DcMask,
    DcMask,
    DcMask,
    DcDoubleDouble,
) {
    let (lt, le, gt) = (dd_lt(x, y), dd_le(x, y), dd_gt(x, y));
    (
        lt,
        le,
        gt,
        dd_ge(x, y),
        dd_eq(x, y),
        dd_ne(x, y),
        dd_abs(dd_neg(x)),
    )
}

#[crunch]
fn conversions(
    x: DcDoubleDouble,
    y: DcFloat,
    n: DcLong,
) -> (
    DcDoubleDouble,
    DcDoubleDouble,
    DcDoubleDouble,
    DcDouble,
    DcFloat,
) {
    let from = dd_from_f64(x.lo);
    (
        from,
        dd_from_f32(y),
        dd_from_i64(n),
        dd_to_f64(x),
        dd_to_f32(x),
    )
}

#[crunch]
fn horner_21(x: DcDouble) -> DcDouble {
    horner(x, &COEFFICIENTS)
}

#[crunch]
fn horner_no_fma_21(x: DcDouble) -> DcDouble {
    horner_no_fma(x, &COEFFICIENTS)
}

#[crunch]
fn even_odd_21(x: DcDouble) -> DcDouble {
    even_odd(x, &COEFFICIENTS)
}

#[crunch]
fn estrin_21(x: DcDouble) -> DcDouble {
    estrin(x, &COEFFICIENTS)
}

#[crunch]
fn horner_compensated_21(x: DcDouble) -> DcDoubleDouble {
    horner_compensated(x, &COEFFICIENTS)
}

#[crunch]
fn horner_compensated_no_fma_21(x: DcDouble) -> DcDoubleDouble {
    horner_compensated_no_fma(x, &COEFFICIENTS)
}

#[crunch]
fn horner_dd_21(x: DcDouble) -> DcDoubleDouble {
    horner_dd(x, &COEFFICIENTS)
}

#[crunch]
fn horner_3_f32(x: DcFloat) -> DcFloat {
    horner_f32(x, &COEFFICIENTS_F32)
}

/// The built-in kernels and the routines of the built-in sweeps, evaluated at points.
pub fn texts() -> Vec<Text> {
    vec![
        point::<two_sum>(),
        point::<fast_two_sum>(),
        point::<two_prod>(),
        point::<two_prod_dekker>(),
        point::<veltkamp_split>(),
        point::<dd_add>(),
        point::<dd_add_sloppy>(),
        point::<dd_sub>(),
        point::<dd_add_f64>(),
        point::<dd_mul>(),
        point::<dd_mul_sloppy>(),
        point::<dd_mul_no_fma>(),
        point::<dd_mul_f64>(),
        point::<dd_mul_f64_sloppy>(),
        point::<dd_mul_f64_no_fma>(),
        point::<dd_square>(),
        point::<dd_mul_add>(),
        point::<dd_scale>(),
        point::<dd_div>(),
        point::<dd_div_accurate>(),
        point::<dd_div_f64>(),
        point::<dd_recip>(),
        point::<dd_recip_dd>(),
        point::<dd_sqrt>(),
        point::<dd_sqrt_f64>(),
        point::<dd_rsqrt>(),
        point::<dd_rsqrt_f64>(),
        point::<comparisons>(),
        point::<conversions>(),
        point::<horner_21>(),
        point::<horner_no_fma_21>(),
        point::<even_odd_21>(),
        point::<estrin_21>(),
        point::<horner_compensated_21>(),
        point::<horner_compensated_no_fma_21>(),
        point::<horner_dd_21>(),
        point::<horner_3_f32>(),
        point::<rcp_neon>(),
        point::<rsqrt_neon>(),
        point::<frecpe>(),
        point::<frsqrte>(),
        point::<frecpe_f64>(),
        point::<frsqrte_f64>(),
        point::<rcpps_intel>(),
        point::<rsqrtps_intel>(),
        point::<rcpps_amd>(),
        point::<rsqrtps_amd>(),
        point::<pfrcp_3dnow>(),
        point::<pfrsqrt_3dnow>(),
        point::<rcp14>(),
        point::<rsqrt14>(),
        point::<rcp14_f64>(),
        point::<rcp_approx>(),
        point::<rcp_approx_ftz>(),
        point::<rcp_approx_ftz_f64>(),
        point::<rsqrt_approx>(),
        point::<rsqrt_approx_ftz>(),
        point::<rsqrt_approx_ftz_f64>(),
        point::<sqrt_approx>(),
        point::<sqrt_approx_ftz>(),
        point::<lg2_approx>(),
        point::<lg2_approx_ftz>(),
        point::<ex2_approx>(),
        point::<ex2_approx_ftz>(),
        point::<sin_approx_ftz>(),
        point::<cos_approx_ftz>(),
        point::<tanh_approx>(),
        point::<rsqrt14_f64>(),
        point::<half_to_f32>(),
        point::<f32_to_half>(),
        point::<round_to_half>(),
        point::<bfloat_to_f32>(),
        point::<f32_to_bfloat>(),
        point::<round_to_bfloat>(),
        point::<histogram_bin>(),
        point::<rotate_21>(),
        point::<digest_term>(),
        point::<ulp_error_f64>(),
        point::<ulp_error_f32>(),
        point::<known_ulp_error_f64>(),
        point::<known_ulp_error_f32>(),
        point::<rounding_error_f64>(),
        point::<rounding_error_f32>(),
        point::<rounding_error_half>(),
        point::<rounding_error_bfloat>(),
        point::<integer_error_i32>(),
        point::<integer_error_u32>(),
        point::<integer_error_i64>(),
        point::<integer_error_u64>(),
        point::<fast_path_f64>(),
        point::<near_polynomial>(),
        point::<beside_polynomial>(),
        point::<ordinary_f32>(),
        point::<digest_term_of_result_f64>(),
        point::<error_beside_records_f32>(),
        point::<subnormal_error_beside_records_f32>(),
        point::<fast_path_f32>(),
        point::<gpu_fast_path_f64>(),
        point::<gpu_fast_path_f32>(),
        point::<rcp_newton>(),
        point::<rcp_newton_fma>(),
        point::<rcp_newton_intel>(),
        point::<rcp_newton_intel_fma>(),
        point::<rcp_newton_f32>(),
        point::<rcp_reference_f32>(),
        point::<recip_reference>(),
        point::<exp_cephes>(),
        point::<exp_reference>(),
        point::<log_polynomial>(),
        point::<log_polynomial_reference>(),
        point::<library::exp_fdlibm>(),
        point::<library::exp_table>(),
        point::<library::log_table>(),
        point::<library::sin_fdlibm>(),
        point::<library::cbrt_freebsd>(),
    ]
}

/// The operations that these programs, one after the other, have already done on the same operands: a compiler does
/// them once.
fn twice(programs: &[&Program]) -> Vec<(Op, Prim)> {
    // Equal values have equal numbers; parameters have those of their positions.
    let mut numbers = BTreeMap::new();
    let mut again = Vec::new();
    for program in programs {
        let program = program.inlined();
        let mut number: Vec<usize> = Vec::new();
        for inst in &program.entry().insts {
            let args: Vec<usize> = inst.args.iter().map(|a| number[a.0 as usize]).collect();
            let next = numbers.len();
            let key = format!("{:?} {:?} {args:?}", inst.kind, inst.ty);
            let n = *numbers.entry(key).or_insert(next);
            if let (true, InstKind::Op(op)) = (n < next, inst.kind) {
                again.push((op, inst.ty));
            }
            number.push(n);
        }
    }
    again
}

/// The searches of the built-in sweeps.
pub fn sweeps() -> Vec<Text> {
    let search = |sweep: &doublecrunch::sweep::Sweep| {
        let [approx, reference, metric] = sweep
            .kernels()
            .expect("of kernels")
            .map(|k| lower(k.kernel).unwrap_or_else(|e| panic!("{}: {e}", k.kernel.name)));
        let short = match sweep.precision() {
            Precision::F64 => gpu_fast_path_f64::KERNEL,
            Precision::F32 => gpu_fast_path_f32::KERNEL,
        };
        let short = lower(short).expect("it can be lowered");
        let parts = Sweep {
            approx: Routine::Program(&approx),
            reference: &reference,
            metric: &metric,
            fast_path: Some(FastPath {
                program: &short,
                key_factor: KEY_FACTOR,
                in_ulp: true,
            }),
            precision: sweep.precision().prim(),
        };
        let source = sweep_kernel(&parts, &Options::cuda()).expect("they fit together");
        text(
            format!("sweep {}", sweep.name()),
            source,
            &[&approx, &reference, &metric, &short],
            &twice(&[&approx, &reference]),
        )
    };
    ALL.iter().map(search).collect()
}

#[crunch]
fn product_then_sum(a: DcDouble, b: DcDouble, c: DcDouble) -> DcDouble {
    a * b + c
}

#[crunch]
fn product_then_sum_f32(a: DcFloat, b: DcFloat, c: DcFloat) -> DcFloat {
    a * b + c
}

/// `a * b + c` with two roundings, which compilers tend to fuse.
pub fn mul_then_add() -> Text {
    point::<product_then_sum>()
}

/// The same in binary32.
pub fn mul_then_add_f32() -> Text {
    point::<product_then_sum_f32>()
}

#[crunch]
fn only_div(a: DcDouble, b: DcDouble) -> DcDouble {
    a / b
}

#[crunch]
fn only_recip(a: DcDouble) -> DcDouble {
    a.recip()
}

#[crunch]
fn only_sqrt(a: DcDouble) -> DcDouble {
    a.sqrt()
}

/// Kernels that consist of one slow operation, on which its instructions are counted. Those of binary32 are missing
/// because no text here has them.
pub fn slow_alone() -> Vec<(Slow, Text)> {
    vec![
        (("div", "f64"), point::<only_div>()),
        (("rcp", "f64"), point::<only_recip>()),
        (("sqrt", "f64"), point::<only_sqrt>()),
    ]
}

/// Directed roundings: first those that are one instruction each, then the others.
macro_rules! directed {
    ($lanes:ident: $fast:ident $slow:ident) => {
        #[crunch]
        fn $fast(
            a: $lanes,
            b: $lanes,
            c: $lanes,
        ) -> (
            ($lanes, $lanes, $lanes),
            ($lanes, $lanes, $lanes),
            ($lanes, $lanes, $lanes),
            ($lanes, $lanes, $lanes),
        ) {
            (
                (a.add_rz(b), a.add_ru(b), a.add_rd(b)),
                (b.sub_rz(c), b.sub_ru(c), b.sub_rd(c)),
                (a.mul_rz(c), a.mul_ru(c), a.mul_rd(c)),
                (a.mul_add_rz(b, c), a.mul_add_ru(b, c), a.mul_add_rd(b, c)),
            )
        }

        #[crunch]
        fn $slow(
            a: $lanes,
            b: $lanes,
        ) -> (
            ($lanes, $lanes, $lanes),
            ($lanes, $lanes, $lanes),
            ($lanes, $lanes, $lanes),
        ) {
            (
                (a.div_rz(b), a.div_ru(b), a.div_rd(b)),
                (a.recip_rz(), a.recip_ru(), a.recip_rd()),
                (b.sqrt_rz(), b.sqrt_ru(), b.sqrt_rd()),
            )
        }
    };
}
directed!(DcDouble: directed_f64 directed_slow_f64);
directed!(DcFloat: directed_f32 directed_slow_f32);

/// Directed roundings of a precision (as PTX names it): the text of those that are one instruction each, and that of the
/// others. Each occurs once in each direction.
pub fn directed() -> [(&'static str, Source, Source); 2] {
    [
        (
            "f64",
            point::<directed_f64>().source,
            point::<directed_slow_f64>().source,
        ),
        (
            "f32",
            point::<directed_f32>().source,
            point::<directed_slow_f32>().source,
        ),
    ]
}
