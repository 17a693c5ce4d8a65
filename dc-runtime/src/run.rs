//! Running kernels on the CPU: one input, slices of inputs, columns of bits.

#[cfg(feature = "std")]
use core::marker::PhantomData;

use crate::fenv::{Environment, NotDefault};
use crate::isa::sets::{for_each_isa, on_one_lane, on_widest};
use crate::isa::{Isa, WithIsa};
use crate::kernel::{ArgsKind, Kind, LaneFn, MAX_LANES};

macro_rules! wide {
    ($({
        $field:ident $token:ident $level:ident $wide:ident $name:literal $features:tt
        points $points:literal map $map:literal $($more:tt)*
    })+) => {$(
        #[doc = concat!("The groups of `map` and of programs: ", $name, ".")]
        pub type $wide = crate::isa::$token<$map>;
    )+};
}
// AVX2 has 16 registers, AVX-512 has 32.
for_each_isa!([wide!]);

/// `map` computes up to this many elements one by one: a group of the widest set has many more lanes, all of which would be computed. The
/// bits are the same on every set.
const FEW: usize = 4;

struct One<K: LaneFn> {
    args: <K::Args as Kind>::Plain,
}
impl<K: LaneFn, I: Isa> WithIsa<I> for One<K> {
    type Output = <K::Ret as Kind>::Plain;
    #[inline(always)]
    fn call(self, isa: I) -> Self::Output {
        K::single(isa, self.args)
    }
}

/// The same as [`eval`], for inputs that are rare. The code of the call is not inlined, so that it costs the others nothing.
#[doc(hidden)]
#[cold]
#[inline(never)]
pub fn eval_rare<K: LaneFn>(args: <K::Args as Kind>::Plain) -> <K::Ret as Kind>::Plain {
    eval::<K>(args)
}

/// Computes a kernel for one input, in plain Rust. Each kernel also has this as a function of its own parameters: `rcp::eval(1.6)`.
///
/// ```
/// # extern crate dc_runtime as doublecrunch;
/// use doublecrunch::prelude::*;
///
/// /// 1/x for x in [1, 2).
/// #[crunch]
/// fn rcp(x: DcDouble) -> DcDouble {
///     let mut y = 1.457 - 0.5 * x;
///     for _ in 0..4 {
///         y = y * (2.0 - y * x);
///     }
///     y
/// }
///
/// assert_eq!(rcp::eval(1.6), 0.6249999999999999);
///
/// // In code that is generic over kernels.
/// use doublecrunch::kernel::{LaneFn, kind::F64};
/// fn at_one<K: LaneFn<Args = (F64,), Ret = F64>>() -> f64 {
///     doublecrunch::run::eval::<K>((1.0,))
/// }
/// assert_eq!(at_one::<rcp>(), rcp::eval(1.0));
/// ```
///
/// # Cost
///
/// A call takes as long as the kernel's operations, without vectors. For more than four inputs, [`map`] is faster. On x86-64, a build
/// without FMA tests for FMA at each call, which takes about 1 ns; `-C target-feature=+fma` or `-C target-cpu=native` inlines the
/// operations. The book's page *What it costs* has a table.
///
/// The thread must have the default floating-point environment ([`crate::fenv`]), as all Rust code assumes. [`eval_checked`] checks it.
pub fn eval<K: LaneFn>(args: <K::Args as Kind>::Plain) -> <K::Ret as Kind>::Plain {
    on_one_lane!(isa => isa.run(One::<K> { args }))
}

/// The same as [`eval`], after a check that the thread has the default floating-point environment.
///
/// # Errors
/// If the thread has another floating-point environment.
pub fn eval_checked<K: LaneFn>(
    args: <K::Args as Kind>::Plain,
) -> Result<<K::Ret as Kind>::Plain, NotDefault> {
    Environment::check()?;
    Ok(eval::<K>(args))
}

struct Map<'a, 'b, K: LaneFn> {
    args: <K::Args as ArgsKind>::Slices<'a>,
    out: &'b mut [<K::Ret as Kind>::Plain],
}
impl<'a, 'b, K: LaneFn> Map<'a, 'b, K> {
    /// Panics if the lengths differ.
    #[inline(always)]
    fn new(
        args: <K::Args as ArgsKind>::Slices<'a>,
        out: &'b mut [<K::Ret as Kind>::Plain],
    ) -> Self {
        let n = K::Args::common_len(args);
        assert!(
            out.len() == n,
            "the output slice has {} elements, the inputs have {n}",
            out.len()
        );
        Map { args, out }
    }
}
impl<K: LaneFn, I: Isa> WithIsa<I> for Map<'_, '_, K> {
    type Output = ();
    /// In groups, where the last one overlaps the one before. The loop then has one form of the kernel and no calls, across which the
    /// constants would not stay in registers.
    #[inline(always)]
    fn call(self, isa: I) {
        let n = self.out.len();
        if n == 0 {
            return;
        }
        let room;
        let mut results = [K::Ret::ZERO; MAX_LANES];
        let few = n < I::LANES;
        let (args, out) = if few {
            room = K::Args::padded(self.args);
            (K::Args::in_room(&room), &mut results[..I::LANES])
        } else {
            (K::Args::shortened(self.args), &mut *self.out)
        };
        let last = out.len() - I::LANES;
        let mut at = 0;
        loop {
            let result = K::call::<I>(K::Args::load_at(isa, args, at));
            K::Ret::store(result, &mut out[at..]);
            if at == last {
                break;
            }
            at = last.min(at + I::LANES);
        }
        if few {
            self.out.copy_from_slice(&results[..n]);
        }
    }
}

/// Computes a kernel for slices of inputs, on the widest instruction set of this processor. Each kernel also has this as a function with one
/// slice per parameter: `area::map(&width, &height, &mut areas)`.
///
/// ```
/// # extern crate dc_runtime as doublecrunch;
/// use doublecrunch::prelude::*;
///
/// #[crunch]
/// fn area(width: DcFloat, height: DcFloat) -> DcFloat {
///     width * height
/// }
///
/// let (width, height) = ([1.0, 2.0, 3.0], [0.5, 0.5, 4.0]);
/// let mut areas = [0.0; 3];
/// area::map(&width, &height, &mut areas);
/// assert_eq!(areas, [0.5, 1.0, 12.0]);
/// doublecrunch::run::map::<area>((&height, &height), &mut areas);
/// assert_eq!(areas, [0.25, 0.25, 16.0]);
/// ```
///
/// # Cost
///
/// Groups of up to 32 numbers are computed at once. The last group overlaps the one before. Fewer numbers than a group are padded with zeros, so
/// five numbers take as long as a full group, about 50 ns for a short kernel. Up to four numbers are computed as by [`eval`]. So pass whole
/// slices. The book's page *What it costs* has a table.
///
/// The thread must have the default floating-point environment ([`crate::fenv`]), as all Rust code assumes. [`map_checked`] checks it.
///
/// # Panics
/// If the lengths of the slices differ.
pub fn map<K: LaneFn>(
    args: <K::Args as ArgsKind>::Slices<'_>,
    out: &mut [<K::Ret as Kind>::Plain],
) {
    let slices = Map::<K>::new(args, out);
    if slices.out.len() <= FEW {
        return on_one_lane!(isa => isa.run(slices));
    }
    on_widest!(isa: map => isa.run(slices))
}

/// The same as [`map`] on the given instruction set, so that the times of instruction sets can be compared. [`map`] takes the widest set.
///
/// # Panics
/// If the lengths of the slices differ.
pub fn map_on<K: LaneFn, I: Isa>(
    isa: I,
    args: <K::Args as ArgsKind>::Slices<'_>,
    out: &mut [<K::Ret as Kind>::Plain],
) {
    isa.run(Map::<K>::new(args, out));
}

/// The same as [`map`], after a check that the thread has the default floating-point environment.
///
/// # Errors
/// If the thread has another floating-point environment. `out` is then unchanged.
///
/// # Panics
/// If the lengths of the slices differ.
pub fn map_checked<K: LaneFn>(
    args: <K::Args as ArgsKind>::Slices<'_>,
    out: &mut [<K::Ret as Kind>::Plain],
) -> Result<(), NotDefault> {
    Environment::check()?;
    map::<K>(args, out);
    Ok(())
}

struct MapInPlace<'a, K: LaneFn>(&'a mut [<K::Ret as Kind>::Plain]);
impl<K: LaneFn<Args = (A,)>, A: Kind<Plain = <K::Ret as Kind>::Plain>, I: Isa> WithIsa<I>
    for MapInPlace<'_, K>
{
    type Output = ();
    /// As in [`Map`]. The inputs of the last group are saved first, because the group before it replaces some of them.
    #[inline(always)]
    fn call(self, isa: I) {
        let n = self.0.len();
        if n == 0 {
            return;
        }
        let few = n < I::LANES;
        let (mut kept, mut results) = ([A::ZERO; MAX_LANES], [A::ZERO; MAX_LANES]);
        let last = n.saturating_sub(I::LANES);
        kept[..n - last].copy_from_slice(&self.0[last..]);
        let values = if few {
            &mut results[..I::LANES]
        } else {
            &mut *self.0
        };
        let mut at = 0;
        loop {
            let inputs = if at == last { &kept } else { &values[at..] };
            let result = K::call::<I>(K::Args::load_at(isa, (inputs,), 0));
            K::Ret::store(result, &mut values[at..]);
            if at == last {
                break;
            }
            at = last.min(at + I::LANES);
        }
        if few {
            self.0.copy_from_slice(&results[..n]);
        }
    }
}

/// Computes a kernel of one argument in place: each result replaces its input. Argument and result have the same type.
pub fn map_in_place<K: LaneFn<Args = (A,)>, A: Kind<Plain = <K::Ret as Kind>::Plain>>(
    values: &mut [<K::Ret as Kind>::Plain],
) {
    if values.len() <= FEW {
        return on_one_lane!(isa => isa.run(MapInPlace::<K>(values)));
    }
    on_widest!(isa: map => isa.run(MapInPlace::<K>(values)))
}

/// The largest number of words of a kernel's parameters: two arrays of 64 numbers.
#[cfg(feature = "std")]
pub(crate) const MAX_WORDS: usize = 128;

/// A kernel over columns of bits, on one instruction set.
#[cfg(feature = "std")]
struct Columns<'a, 'b, 'c, K: LaneFn> {
    inputs: &'a [&'b [u64]],
    outputs: &'c mut [Vec<u64>],
    kernel: PhantomData<K>,
}
#[cfg(feature = "std")]
impl<K: LaneFn, I: Isa> WithIsa<I> for Columns<'_, '_, '_, K> {
    type Output = ();
    #[inline(always)]
    fn call(self, isa: I) {
        let n = self.inputs.first().map_or(0, |c| c.len());
        let mut words = [0u64; MAX_WORDS];
        let mut args = [K::Args::ZERO; MAX_LANES];
        let mut results = [K::Ret::ZERO; MAX_LANES];
        let mut at = 0;
        while at < n {
            let live = I::LANES.min(n - at);
            for (lane, arg) in args[..live].iter_mut().enumerate() {
                gather(self.inputs, at + lane, &mut words);
                *arg = K::Args::from_words(&words);
            }
            K::Ret::store(K::call::<I>(K::Args::load(isa, &args)), &mut results);
            for (lane, result) in results[..live].iter().enumerate() {
                K::Ret::to_words(*result, &mut words);
                scatter(&words, self.outputs, at + lane);
            }
            at += I::LANES;
        }
    }
}

/// Evaluates a kernel over columns of bits on instruction set `I`. There is one input column for each flattened parameter, and one output
/// column for each flattened result, which is resized to the inputs' length.
///
/// # Panics
/// If the processor lacks `I`, or the numbers or lengths of the columns are wrong.
#[cfg(feature = "std")]
pub fn columns<K: LaneFn, I: Isa>(inputs: &[&[u64]], outputs: &mut [Vec<u64>]) {
    let isa = I::detect().unwrap_or_else(|| panic!("{} is not on this processor", I::NAME));
    let widths = (<K::Args as Kind>::WIDTH, <K::Ret as Kind>::WIDTH);
    prepare(K::KERNEL.name, widths, inputs, outputs);
    isa.run(Columns::<K> {
        inputs,
        outputs,
        kernel: PhantomData,
    });
}

/// The words of element `at`.
#[cfg(feature = "std")]
fn gather(inputs: &[&[u64]], at: usize, words: &mut [u64; MAX_WORDS]) {
    for (word, column) in words.iter_mut().zip(inputs) {
        *word = column[at];
    }
}

/// Words to element `at`.
#[cfg(feature = "std")]
fn scatter(words: &[u64; MAX_WORDS], outputs: &mut [Vec<u64>], at: usize) {
    for (word, column) in words.iter().zip(outputs) {
        column[at] = *word;
    }
}

/// Checks the columns of a kernel whose parameters and results have these numbers of words, and resizes the outputs.
#[cfg(feature = "std")]
fn prepare(
    name: &str,
    (params, results): (usize, usize),
    inputs: &[&[u64]],
    outputs: &mut [Vec<u64>],
) {
    assert!(
        inputs.len() == params && outputs.len() == results,
        "{name} has {params} inputs, {results} outputs"
    );
    let n = inputs.first().map_or(0, |c| c.len());
    assert!(
        inputs.iter().all(|c| c.len() == n),
        "input columns of one length"
    );
    for column in outputs {
        column.clear();
        column.resize(n, 0);
    }
}

#[cfg(test)]
mod tests {
    use crate::isa::Isa;
    use crate::prelude::*;

    #[crunch]
    fn third(x: DcDouble) -> DcDouble {
        x * 0.333_333_333_333_333_3
    }

    #[crunch]
    fn grown(x: DcFloat) -> DcFloat {
        x.mul_add(x, 1.0)
    }

    /// Two words: the lanes are collected from pairs.
    #[crunch]
    fn twice(x: DcDoubleDouble) -> DcDoubleDouble {
        dd_add(x, x)
    }

    #[crunch]
    fn minus(x: DcFloat, y: DcFloat) -> DcFloat {
        x - y
    }

    /// Every length from zero to several groups, on every set. Each result belongs to its own inputs, and nothing else is written.
    #[test]
    fn groups_that_overlap_have_the_results_of_each_input() {
        fn check<I: Isa>() {
            let Some(isa) = I::detect() else {
                eprintln!("skipped: this processor has no {}", I::NAME);
                return;
            };
            for n in 0..=3 * crate::kernel::MAX_LANES {
                let xs: Vec<f32> = (0..n).map(|i| (i * i) as f32 + 0.5).collect();
                let ys: Vec<f32> = (0..n).map(|i| 3.0 * i as f32).collect();
                let mut out = vec![-1.0; n + 1];
                crate::run::map_on::<minus, I>(isa, (&xs, &ys), &mut out[..n]);
                for i in 0..n {
                    assert_eq!(out[i], minus::eval(xs[i], ys[i]), "{} {n} {i}", I::NAME);
                }
                assert_eq!(out[n], -1.0);
            }
        }
        macro_rules! each {
            ($({ $field:ident $token:ident $level:ident $wide:ident $($more:tt)* })+) => {
                $(check::<crate::run::$wide>();)+
            };
        }
        crate::isa::sets::for_each_isa!([each!]);
    }

    /// Every length from zero to several groups; most end in the middle of a group.
    #[test]
    fn in_place_is_as_elsewhere() {
        for n in 0..=3 * crate::kernel::MAX_LANES {
            let wide: Vec<f64> = (0..n).map(|i| i as f64 - 20.5).collect();
            let (mut out, mut values) = (vec![0.0; n], wide.clone());
            third::map(&wide, &mut out);
            third::map_in_place(&mut values);
            assert_eq!(values, out);

            let narrow: Vec<f32> = wide.iter().map(|&x| x as f32).collect();
            let (mut out, mut values) = (vec![0.0; n], narrow.clone());
            grown::map(&narrow, &mut out);
            grown::map_in_place(&mut values);
            assert_eq!(values, out);

            let pairs: Vec<DoubleDouble> = wide
                .iter()
                .map(|&hi| DoubleDouble { hi, lo: 1e-20 })
                .collect();
            let (mut out, mut values) = (pairs.clone(), pairs.clone());
            twice::map(&pairs, &mut out);
            twice::map_in_place(&mut values);
            assert_eq!(values, out);
        }
    }
}
