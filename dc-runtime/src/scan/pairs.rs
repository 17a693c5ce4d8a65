//! The combinations of approximation and reference that form a sweep, with the evaluation of each at lanes of keys, its search loop and its
//! forms at points.

use kernels_gen::reduction::ONE_WORD;

use super::comparable::{Comparable, OnLanes, Types, doubles};
use super::decide::decide;
use super::eval_chunk::levels::*;
use super::points;
use super::reduce::Chunk;
use super::search_loop::{scan, scan_measured};
use crate::isa::sets::per_isa;
use crate::isa::{Isa, PerIsa, Tally};
use crate::kernel::{Kind, LaneFn, kind};
use crate::model::kernel_ref::{CpuSweep, DecideFn, KernelRef, MeasuredFn, written};
use crate::model::key::Precision;
use crate::model::space::InputSpace;
use crate::model::stored::{Format, Stored};
use crate::types::DcFloat;

/// The metric kernels at points. They are functions without type parameters, so that they are compiled once, with this
/// crate, and not again with each crate that has a sweep.
pub(crate) mod metrics {
    use crate::builtins::{half, integer_error, plain_error, rounding_error, ulp_error};
    use crate::isa::sets::per_isa;
    use crate::kernel::CrunchFn;
    use crate::model::kernel_ref::KernelRef;
    use crate::run::columns;

    macro_rules! metric {
        ($of:ident: $($metric:ident)+) => {$(
            pub const fn $metric() -> KernelRef {
                KernelRef {
                    kernel: $of::$metric::KERNEL,
                    cpu: per_isa!(I: points => {
                        fn point(inputs: &[&[u64]], outputs: &mut [Vec<u64>]) {
                            columns::<$of::$metric, I>(inputs, outputs);
                        }
                        point
                    }),
                    written: None,
                }
            }
        )+};
    }
    metric!(ulp_error: ulp_error_f64 ulp_error_f32 known_ulp_error_f64 known_ulp_error_f32);
    metric!(half: ulp_error_half ulp_error_bfloat);
    metric!(rounding_error: rounding_error_f64 rounding_error_f32 rounding_error_half rounding_error_bfloat);
    metric!(integer_error: integer_error_i32 integer_error_u32 integer_error_i64 integer_error_u64);
    metric!(plain_error: absolute_error_f64 relative_error_f64 absolute_error_f32 relative_error_f32);
}

/// The routine at points.
const fn routine<A: LaneFn, R: LaneFn>() -> KernelRef
where
    (Types<A>, Types<R>): OnLanes<A, R>,
{
    KernelRef {
        kernel: A::KERNEL,
        cpu: per_isa!(L: level => points::routine::<A, R, L>),
        written: written::<A>(),
    }
}

/// A reference at points. It takes the routine's arguments.
const fn as_searched<A: LaneFn, R: LaneFn>() -> KernelRef
where
    (Types<A>, Types<R>): OnLanes<A, R>,
{
    KernelRef {
        kernel: R::KERNEL,
        cpu: per_isa!(L: level => points::reference::<A, R, L>),
        written: None,
    }
}

/// The binary32 numbers for keys; see [`doubles`].
#[inline(always)]
fn floats<I: Isa>(isa: I, key: i64) -> DcFloat<I> {
    let flip = isa.splat_i32((((key >> 63) as u32) >> 1) as i32);
    // The keys have 32 bits, so the low halves are sufficient.
    DcFloat::of(
        isa,
        isa.f32_from_bits(isa.xor_i32(isa.iota_i32(key as i32), flip)),
    )
}

/// Stores scales, unless all are 0. In that case the column, which would not fit the first-level cache, keeps its zeros.
#[inline(always)]
fn store_scale<I: Tally>(isa: I, scale: I::I64, chunk: &mut Chunk, at: usize) {
    if !isa.is_zero(isa.tally_or(isa.splat_word(0), scale)) {
        isa.store_i64(scale, &mut chunk.scale[at..]);
        chunk.scaled = true;
    }
}

/// The comparison with records, of a precision.
macro_rules! decide_of {
    (F32, $a:ident, $r:ident) => {
        Some(per_isa!(L: level => decide::<$a, $r, L>))
    };
    (F64, $a:ident, $r:ident) => {
        None
    };
}

/// One combination: precision, the numbers for its keys, metric, the store of results, their column, type and value of the reference's
/// parameter, type and words of its result (for one word, the metric takes no second word), its forms at points, and the scale: the
/// reference's, or a constant.
macro_rules! pair {
    (
        $precision:ident, $numbers:ident, $metric:ident, $store:ident($column:ident),
        ($arg:ident, |$x:ident| $given:expr) -> ($ret:ty, |$isa:ident, $r:ident| $hi:expr $(, $lo:expr)?),
        $at_points:expr, $constant:expr $(, $scale:expr)?
    ) => {
        // The message above lists the combinations.
        #[diagnostic::do_not_recommend]
        impl<A, R> Comparable<A, R>
            for (
                ((kind::$precision,), kind::$precision),
                ((kind::$arg,), $ret),
            )
        where
            A: LaneFn<Args = (kind::$precision,), Ret = kind::$precision>,
            R: LaneFn<Args = (kind::$arg,), Ret = $ret>,
        {
            const INPUTS: InputSpace = InputSpace::Numbers(Precision::$precision);
            const METRIC: KernelRef = metrics::$metric();
            const ROUTINE: KernelRef = routine::<A, R>();
            const REFERENCE: KernelRef = $at_points;
            const COMPILED: Option<CpuSweep> = Some(per_isa!(L: level => scan::<A, R, L>));
            const MEASURED: Option<PerIsa<MeasuredFn>> =
                Some(per_isa!(L: level => scan_measured::<A, R, L>));
            const DECIDE: Option<PerIsa<DecideFn>> = decide_of!($precision, A, R);
        }

        #[diagnostic::do_not_recommend]
        impl<A, R> OnLanes<A, R>
            for (
                ((kind::$precision,), kind::$precision),
                ((kind::$arg,), $ret),
            )
        where
            A: LaneFn<Args = (kind::$precision,), Ret = kind::$precision>,
            R: LaneFn<Args = (kind::$arg,), Ret = $ret>,
        {
            const SCALE: i64 = $constant;
            #[inline(always)]
            fn eval_chunk<I: Tally>($isa: I, key: i64, chunk: &mut Chunk, at: usize) {
                let $x = $numbers($isa, key);
                // The reference first: its last operations are a chain, during which the processor begins the routine. The other
                // order took 1.00 to 1.08 times as long on Zen 5, and 1.15 for exponentials one number at a time.
                let $r: <$ret as Kind>::Lanes<I> = R::call::<I>(($given,));
                $isa.store_f64($hi, &mut chunk.hi[at..]);
                $($isa.store_f64($lo, &mut chunk.lo[at..]);)?
                $(store_scale($isa, $scale, chunk, at);)?
                let y = A::call::<I>(($x,));
                $isa.$store(y.v, &mut chunk.$column[at..]);
            }
        }
    };
}
pair!(F64, doubles, ulp_error_f64, store_f64(result), (F64, |x| x) -> (kind::Dd, |isa, r| r.hi.v, r.lo.v), as_searched::<A, R>(), 0);
pair!(F64, doubles, ulp_error_f64, store_f64(result), (F64, |x| x) -> ((kind::Dd, kind::I64), |isa, r| r.0.hi.v, r.0.lo.v), as_searched::<A, R>(), 0, r.1.v);
// A reference of one word is a double-double whose `lo` is +0.
pair!(F64, doubles, ulp_error_f64, store_f64(result), (F64, |x| x) -> (kind::F64, |isa, r| r.v, isa.splat_f64(0.0)), as_searched::<A, R>(), ONE_WORD);
// This reference takes doubles of which the search evaluates only those that are floats.
pair!(F32, floats, ulp_error_f32, store_f32(narrow), (F64, |x| x.to_f64()) -> (kind::F64, |isa, r| r.v), KernelRef::of::<R>(), 0);
pair!(F32, floats, ulp_error_f32, store_f32(narrow), (F32, |x| x) -> (kind::F64, |isa, r| r.v), as_searched::<A, R>(), 0);

/// One combination of kernels of two arguments: precision, metric, type of the reference's parameters, type of its
/// result.
macro_rules! pair_of_two {
    ($precision:ident, $metric:ident, $arg:ident -> $ret:ty) => {
        #[diagnostic::do_not_recommend]
        impl<A, R> Comparable<A, R>
            for (
                ((kind::$precision, kind::$precision), kind::$precision),
                ((kind::$arg, kind::$arg), $ret),
            )
        where
            A: LaneFn<Args = (kind::$precision, kind::$precision), Ret = kind::$precision>,
            R: LaneFn<Args = (kind::$arg, kind::$arg), Ret = $ret>,
        {
            const INPUTS: InputSpace = InputSpace::pairs(Precision::$precision);
            const METRIC: KernelRef = metrics::$metric();
            const ROUTINE: KernelRef = KernelRef::of::<A>();
            const REFERENCE: KernelRef = KernelRef::of::<R>();
            const COMPILED: Option<CpuSweep> = None;
            const MEASURED: Option<PerIsa<MeasuredFn>> = None;
            const DECIDE: Option<PerIsa<DecideFn>> = None;
        }
    };
}
pair_of_two!(F64, ulp_error_f64, F64 -> kind::Dd);
pair_of_two!(F64, ulp_error_f64, F64 -> (kind::Dd, kind::I64));
pair_of_two!(F64, ulp_error_f64, F64 -> kind::F64);
pair_of_two!(F32, ulp_error_f32, F64 -> kind::F64);
pair_of_two!(F32, ulp_error_f32, F32 -> kind::F64);

/// One combination of kernels of 16-bit numbers: format, metric, and type of the reference's parameters. There is no compiled
/// loop, because the loops enumerate binary32.
macro_rules! stored {
    ($format:ident, $metric:ident, $pairs:literal, ($($each:ident),+), ($($arg:ident),+)) => {
        #[diagnostic::do_not_recommend]
        impl<A, R> Comparable<A, R>
            for (
                (($(kind::$each,)+), kind::$format),
                (($(kind::$arg,)+), kind::F64),
            )
        where
            A: LaneFn<Args = ($(kind::$each,)+), Ret = kind::$format>,
            R: LaneFn<Args = ($(kind::$arg,)+), Ret = kind::F64>,
        {
            const INPUTS: InputSpace = InputSpace::Stored(Stored {
                format: Format::$format,
                pairs: $pairs,
            });
            const METRIC: KernelRef = metrics::$metric();
            const ROUTINE: KernelRef = KernelRef::of::<A>();
            const REFERENCE: KernelRef = KernelRef::of::<R>();
            const COMPILED: Option<CpuSweep> = None;
            const MEASURED: Option<PerIsa<MeasuredFn>> = None;
            const DECIDE: Option<PerIsa<DecideFn>> = None;
        }
    };
}
stored!(Half, ulp_error_half, false, (Half), (F64));
stored!(Half, ulp_error_half, false, (Half), (F32));
stored!(Half, ulp_error_half, true, (Half, Half), (F64, F64));
stored!(Half, ulp_error_half, true, (Half, Half), (F32, F32));
stored!(Bfloat, ulp_error_bfloat, false, (Bfloat), (F64));
stored!(Bfloat, ulp_error_bfloat, false, (Bfloat), (F32));
stored!(Bfloat, ulp_error_bfloat, true, (Bfloat, Bfloat), (F64, F64));
stored!(Bfloat, ulp_error_bfloat, true, (Bfloat, Bfloat), (F32, F32));
