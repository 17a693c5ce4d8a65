//! The interface of a `#[crunch]` function: its IR, and a lane function generic over the instruction set.

use kernels_gen::ir;
use kernels_gen::ops::Prim;

use crate::isa::{Isa, Units};
use crate::types::{DcDouble, DcDoubleDouble, DcFloat, DcInt, DcLong, DcMask, DoubleDouble};

/// The largest number of lanes of any instruction set, at any group width in use.
pub const MAX_LANES: usize = 64;

/// A kernel, by name. Implemented by the empty enum that every `#[crunch]` function generates.
#[diagnostic::on_unimplemented(
    message = "a kernel is expected, and this function is none",
    label = "has no `#[crunch]`",
    note = "a kernel can only call kernels: write `#[crunch]` before the function, or compute its value outside and pass it as a parameter"
)]
pub trait CrunchFn {
    /// The kernel's tree.
    const KERNEL: &'static ir::Kernel;
    /// The type through which a kernel is called (see `crate::callee`). With it, a call of an ordinary function gives a single error, because
    /// nothing is inferred from a missing type.
    #[doc(hidden)]
    type Call;
    #[doc(hidden)]
    const CALL: Self::Call;
}

/// Kernels by their trees: the result of [`kernels!`](crate::kernels).
pub type Kernels = &'static [&'static ir::Kernel];

/// A list of kernels for `doublecrunch::driver::main_with`, which `crunch emit` finds although no sweep reaches them. A name that is not a
/// kernel is a compile error.
///
/// ```
/// # extern crate dc_runtime as doublecrunch;
/// use doublecrunch::prelude::*;
///
/// #[crunch]
/// fn twice(x: DcFloat) -> DcFloat {
///     x + x
/// }
///
/// const KERNELS: doublecrunch::kernel::Kernels = doublecrunch::kernels![twice, two_sum];
/// assert_eq!(KERNELS[0].name, "twice");
/// ```
#[macro_export]
macro_rules! kernels {
    ($($kernel:ty),* $(,)?) => {
        &[$(<$kernel as $crate::kernel::CrunchFn>::KERNEL),*]
    };
}

/// A kernel that can be run on lanes: any kernel without table parameters.
pub trait LaneFn: CrunchFn {
    /// The tuple of its parameters' kinds.
    type Args: ArgsKind;
    /// The kind of its result.
    type Ret: Kind;
    /// The plain function from which the kernel was made, if there is one and it is safe to call.
    #[doc(hidden)]
    const WRITTEN: Option<Written<Self>> = None;
    /// The function itself.
    fn call<I: Isa>(args: <Self::Args as Kind>::Lanes<I>) -> <Self::Ret as Kind>::Lanes<I>;
    /// The function of one input, with NaNs canonical, on an instruction set with one lane.
    #[doc(hidden)]
    #[inline(always)]
    fn single<I: Isa>(isa: I, args: <Self::Args as Kind>::Plain) -> <Self::Ret as Kind>::Plain {
        let mut out = [<Self::Ret as Kind>::ZERO; 1];
        <Self::Ret as Kind>::store(
            Self::call::<I>(<Self::Args as Kind>::load(isa, &[args])),
            &mut out,
        );
        out[0]
    }
}

/// A plain function, as a function of the tuple of its arguments.
#[doc(hidden)]
pub type Written<K> =
    fn(<<K as LaneFn>::Args as Kind>::Plain) -> <<K as LaneFn>::Ret as Kind>::Plain;

/// A type of the language, independent of any instruction set: its form in lanes, and the form of one element outside kernels.
pub trait Kind: 'static {
    /// The type in a kernel.
    type Lanes<I: Isa>: Copy;
    /// The type outside of kernels.
    type Plain: Copy;
    /// A value that fills lanes without an input. Which value it is has no effect.
    const ZERO: Self::Plain;
    /// Number of flattened values.
    const WIDTH: usize;
    /// Calls a function with each of the flattened lane types, in order.
    fn prims(each: &mut dyn FnMut(Prim));
    /// Lanes from the first `I::LANES` elements.
    fn load<I: Isa>(isa: I, from: &[Self::Plain]) -> Self::Lanes<I>;
    /// Writes lanes to the first `I::LANES` elements; NaNs become canonical.
    fn store<I: Isa>(lanes: Self::Lanes<I>, out: &mut [Self::Plain]);
    /// One element from its flattened bits.
    fn from_words(words: &[u64]) -> Self::Plain;
    /// The flattened bits of one element.
    fn to_words(x: Self::Plain, words: &mut [u64]);
    /// Unit `k` of the lanes.
    fn unit<I: Isa>(lanes: Self::Lanes<I>, k: usize) -> Self::Lanes<I::Unit>;
    /// The lanes made of these units. If the lanes have fewer units, the first ones are used.
    fn of_units<I: Isa>(isa: I, units: [Self::Lanes<I::Unit>; 4]) -> Self::Lanes<I>;
    /// The first floating-point number, if there is one.
    fn anchor<I: Isa>(lanes: &mut Self::Lanes<I>) -> Option<Anchor<'_, I>>;
}

/// A value that can be ordered after another: [`crate::step`].
pub enum Anchor<'a, I: Isa> {
    /// A `DcDouble`
    F64(&'a mut DcDouble<I>),
    /// A `DcFloat`
    F32(&'a mut DcFloat<I>),
}

/// A field of each of four units. It is a single function: an array's `map` would be five functions for each of its types.
macro_rules! each_of {
    ($units:ident, $field:tt) => {{
        let [a, b, c, d] = $units;
        [a.$field, b.$field, c.$field, d.$field]
    }};
}

/// The markers of the lane types.
pub mod kind {
    /// `DcDouble`, `f64`
    #[derive(Debug, Clone, Copy)]
    pub enum F64 {}
    /// `DcFloat`, `f32`
    #[derive(Debug, Clone, Copy)]
    pub enum F32 {}
    /// `DcLong`, `i64`
    #[derive(Debug, Clone, Copy)]
    pub enum I64 {}
    /// `DcInt`, `i32`
    #[derive(Debug, Clone, Copy)]
    pub enum I32 {}
    /// `DcMask`, `bool`
    #[derive(Debug, Clone, Copy)]
    pub enum Mask {}
    /// `DcDoubleDouble`, `DoubleDouble`
    #[derive(Debug, Clone, Copy)]
    pub enum Dd {}
    /// `DcHalf`, `u16`
    #[derive(Debug, Clone, Copy)]
    pub enum Half {}
    /// `DcBfloat`, `u16`
    #[derive(Debug, Clone, Copy)]
    pub enum Bfloat {}
    /// `DcLong` with a `u64`
    #[derive(Debug, Clone, Copy)]
    pub enum U64 {}
    /// `DcLong` with a `usize`
    #[derive(Debug, Clone, Copy)]
    pub enum Usize {}
    /// `DcLong` with a `isize`
    #[derive(Debug, Clone, Copy)]
    pub enum Isize {}
    /// `DcInt` with a `u32`
    #[derive(Debug, Clone, Copy)]
    pub enum U32 {}
    /// `DcInt` with a `u16`
    #[derive(Debug, Clone, Copy)]
    pub enum U16 {}
    /// `DcInt` with a `i16`
    #[derive(Debug, Clone, Copy)]
    pub enum I16 {}
    /// `DcInt` with a `u8`
    #[derive(Debug, Clone, Copy)]
    pub enum U8 {}
    /// `DcInt` with a `i8`
    #[derive(Debug, Clone, Copy)]
    pub enum I8 {}
}

macro_rules! simple_kind {
    ($kind:ident, $lanes:ident, $plain:ty, $zero:expr, $from:expr, $to:expr, |$x:ident| $anchor:expr) => {
        impl Kind for kind::$kind {
            type Lanes<I: Isa> = $lanes<I>;
            type Plain = $plain;
            const ZERO: $plain = $zero;
            const WIDTH: usize = 1;
            fn prims(each: &mut dyn FnMut(Prim)) {
                each(Prim::$kind);
            }
            #[inline(always)]
            fn load<I: Isa>(isa: I, from: &[$plain]) -> $lanes<I> {
                $lanes::load(isa, from)
            }
            #[inline(always)]
            fn store<I: Isa>(lanes: $lanes<I>, out: &mut [$plain]) {
                lanes.store(out);
            }
            #[inline(always)]
            fn from_words(words: &[u64]) -> $plain {
                $from(words[0])
            }
            #[inline(always)]
            fn to_words(x: $plain, words: &mut [u64]) {
                words[0] = $to(x);
            }
            #[inline(always)]
            fn unit<I: Isa>(lanes: $lanes<I>, k: usize) -> $lanes<I::Unit> {
                $lanes {
                    v: lanes.v.unit(k),
                    isa: lanes.isa.of_unit(),
                }
            }
            #[inline(always)]
            fn of_units<I: Isa>(isa: I, units: [$lanes<I::Unit>; 4]) -> $lanes<I> {
                $lanes {
                    v: Units::of_units(each_of!(units, v)),
                    isa,
                }
            }
            #[inline(always)]
            fn anchor<I: Isa>($x: &mut $lanes<I>) -> Option<Anchor<'_, I>> {
                $anchor
            }
        }
    };
}
simple_kind!(F64, DcDouble, f64, 0.0, f64::from_bits, f64::to_bits, |x| {
    Some(Anchor::F64(x))
});
simple_kind!(
    F32,
    DcFloat,
    f32,
    0.0,
    |w| f32::from_bits(w as u32),
    |x: f32| u64::from(x.to_bits()),
    |x| Some(Anchor::F32(x))
);
simple_kind!(I64, DcLong, i64, 0, |w| w as i64, |x| x as u64, |_x| None);
simple_kind!(
    I32,
    DcInt,
    i32,
    0,
    |w| w as i32,
    |x: i32| u64::from(x as u32),
    |_x| None
);
/// A kind of integers kept in the lanes of another kind: as the same number or, if the width is the same, as the same bits.
macro_rules! kept_kind {
    ($($kind:ident: $plain:ty as $signed:ident $lanes:ident $wide:ty),*) => {$(
        impl Kind for kind::$kind {
            type Lanes<I: Isa> = $lanes<I>;
            type Plain = $plain;
            const ZERO: $plain = 0;
            const WIDTH: usize = 1;
            fn prims(each: &mut dyn FnMut(Prim)) {
                kind::$signed::prims(each);
            }
            #[inline(always)]
            fn load<I: Isa>(isa: I, from: &[$plain]) -> $lanes<I> {
                let mut wide = [0; MAX_LANES];
                for (wide, x) in wide.iter_mut().zip(&from[..I::LANES]) {
                    *wide = *x as $wide;
                }
                $lanes::load(isa, &wide)
            }
            #[inline(always)]
            fn store<I: Isa>(lanes: $lanes<I>, out: &mut [$plain]) {
                let mut wide = [0; MAX_LANES];
                lanes.store(&mut wide);
                for (x, wide) in out[..I::LANES].iter_mut().zip(wide) {
                    *x = wide as $plain;
                }
            }
            #[inline(always)]
            fn from_words(words: &[u64]) -> $plain {
                words[0] as $plain
            }
            #[inline(always)]
            fn to_words(x: $plain, words: &mut [u64]) {
                kind::$signed::to_words(x as $wide, words);
            }
            #[inline(always)]
            fn unit<I: Isa>(lanes: $lanes<I>, k: usize) -> $lanes<I::Unit> {
                kind::$signed::unit(lanes, k)
            }
            #[inline(always)]
            fn of_units<I: Isa>(isa: I, units: [$lanes<I::Unit>; 4]) -> $lanes<I> {
                kind::$signed::of_units(isa, units)
            }
            #[inline(always)]
            fn anchor<I: Isa>(_: &mut $lanes<I>) -> Option<Anchor<'_, I>> {
                None
            }
        }
    )*};
}
kept_kind!(
    U64: u64 as I64 DcLong i64, Usize: usize as I64 DcLong i64, Isize: isize as I64 DcLong i64,
    U32: u32 as I32 DcInt i32, U16: u16 as I32 DcInt i32, I16: i16 as I32 DcInt i32,
    U8: u8 as I32 DcInt i32, I8: i8 as I32 DcInt i32
);
simple_kind!(Mask, DcMask, bool, false, |w| w != 0, u64::from, |_x| None);

impl Kind for kind::Dd {
    type Lanes<I: Isa> = DcDoubleDouble<I>;
    type Plain = DoubleDouble;
    const ZERO: DoubleDouble = DoubleDouble { hi: 0.0, lo: 0.0 };
    const WIDTH: usize = 2;
    fn prims(each: &mut dyn FnMut(Prim)) {
        each(Prim::F64);
        each(Prim::F64);
    }
    #[inline(always)]
    fn load<I: Isa>(isa: I, from: &[DoubleDouble]) -> DcDoubleDouble<I> {
        let (mut hi, mut lo) = ([0.0; MAX_LANES], [0.0; MAX_LANES]);
        for (i, x) in from[..I::LANES].iter().enumerate() {
            hi[i] = x.hi;
            lo[i] = x.lo;
        }
        DcDoubleDouble {
            hi: DcDouble::load(isa, &hi),
            lo: DcDouble::load(isa, &lo),
        }
    }
    #[inline(always)]
    fn store<I: Isa>(lanes: DcDoubleDouble<I>, out: &mut [DoubleDouble]) {
        let (mut hi, mut lo) = ([0.0; MAX_LANES], [0.0; MAX_LANES]);
        lanes.hi.store(&mut hi);
        lanes.lo.store(&mut lo);
        for (i, x) in out[..I::LANES].iter_mut().enumerate() {
            *x = DoubleDouble {
                hi: hi[i],
                lo: lo[i],
            };
        }
    }
    fn from_words(words: &[u64]) -> DoubleDouble {
        DoubleDouble {
            hi: f64::from_bits(words[0]),
            lo: f64::from_bits(words[1]),
        }
    }
    fn to_words(x: DoubleDouble, words: &mut [u64]) {
        words[0] = x.hi.to_bits();
        words[1] = x.lo.to_bits();
    }
    #[inline(always)]
    fn unit<I: Isa>(lanes: DcDoubleDouble<I>, k: usize) -> DcDoubleDouble<I::Unit> {
        DcDoubleDouble {
            hi: kind::F64::unit(lanes.hi, k),
            lo: kind::F64::unit(lanes.lo, k),
        }
    }
    #[inline(always)]
    fn of_units<I: Isa>(isa: I, units: [DcDoubleDouble<I::Unit>; 4]) -> DcDoubleDouble<I> {
        DcDoubleDouble {
            hi: kind::F64::of_units(isa, each_of!(units, hi)),
            lo: kind::F64::of_units(isa, each_of!(units, lo)),
        }
    }
    #[inline(always)]
    fn anchor<I: Isa>(lanes: &mut DcDoubleDouble<I>) -> Option<Anchor<'_, I>> {
        Some(Anchor::F64(&mut lanes.hi))
    }
}

/// A tuple of kinds as a parameter list: one slice each.
pub trait ArgsKind: Kind {
    /// The slices.
    type Slices<'a>: Copy;
    /// Space for one group of each parameter.
    #[doc(hidden)]
    type Room;
    /// The common length of all slices.
    ///
    /// # Panics
    /// If the lengths differ.
    fn common_len(slices: Self::Slices<'_>) -> usize;
    /// The elements from `at` on, in lanes.
    ///
    /// # Panics
    /// If there are fewer than `I::LANES` of them.
    fn load_at<I: Isa>(isa: I, slices: Self::Slices<'_>, at: usize) -> Self::Lanes<I>;
    /// The slices, which are shorter than a group, padded to a group.
    #[doc(hidden)]
    fn padded(slices: Self::Slices<'_>) -> Self::Room;
    /// The contents of this space.
    #[doc(hidden)]
    fn in_room(room: &Self::Room) -> Self::Slices<'_>;
    /// The same slices, for a shorter time.
    #[doc(hidden)]
    fn shortened<'b, 'a: 'b>(slices: Self::Slices<'a>) -> Self::Slices<'b>;
}

macro_rules! tuple_kind {
    ($($t:ident $n:tt),+) => {
        impl<$($t: Kind),+> Kind for ($($t,)+) {
            type Lanes<I: Isa> = ($($t::Lanes<I>,)+);
            type Plain = ($($t::Plain,)+);
            const ZERO: Self::Plain = ($($t::ZERO,)+);
            const WIDTH: usize = 0 $(+ $t::WIDTH)+;
            fn prims(each: &mut dyn FnMut(Prim)) {
                $($t::prims(each);)+
            }
            #[inline(always)]
            fn load<I: Isa>(isa: I, from: &[Self::Plain]) -> Self::Lanes<I> {
                ($({
                    let mut column = [$t::ZERO; MAX_LANES];
                    for (i, x) in from[..I::LANES].iter().enumerate() {
                        column[i] = x.$n;
                    }
                    $t::load(isa, &column)
                },)+)
            }
            #[inline(always)]
            fn store<I: Isa>(lanes: Self::Lanes<I>, out: &mut [Self::Plain]) {
                $({
                    let mut column = [$t::ZERO; MAX_LANES];
                    $t::store(lanes.$n, &mut column);
                    for (i, x) in out[..I::LANES].iter_mut().enumerate() {
                        x.$n = column[i];
                    }
                })+
            }
            #[allow(unused_assignments, reason = "the last element's width is not needed")]
            fn from_words(words: &[u64]) -> Self::Plain {
                let mut at = 0;
                ($({
                    let x = $t::from_words(&words[at..]);
                    at += $t::WIDTH;
                    x
                },)+)
            }
            #[allow(unused_assignments, reason = "the last element's width is not needed")]
            fn to_words(x: Self::Plain, words: &mut [u64]) {
                let mut at = 0;
                $(
                    $t::to_words(x.$n, &mut words[at..]);
                    at += $t::WIDTH;
                )+
            }
            #[inline(always)]
            fn unit<I: Isa>(lanes: Self::Lanes<I>, k: usize) -> Self::Lanes<I::Unit> {
                ($($t::unit(lanes.$n, k),)+)
            }
            #[inline(always)]
            fn of_units<I: Isa>(isa: I, units: [Self::Lanes<I::Unit>; 4]) -> Self::Lanes<I> {
                ($($t::of_units(isa, each_of!(units, $n)),)+)
            }
            #[inline(always)]
            fn anchor<I: Isa>(lanes: &mut Self::Lanes<I>) -> Option<Anchor<'_, I>> {
                $(if let Some(anchor) = $t::anchor(&mut lanes.$n) {
                    return Some(anchor);
                })+
                None
            }
        }

        impl<$($t: Kind),+> ArgsKind for ($($t,)+) {
            type Slices<'a> = ($(&'a [$t::Plain],)+);
            type Room = ($([$t::Plain; MAX_LANES],)+);
            fn common_len(slices: Self::Slices<'_>) -> usize {
                let n = slices.0.len();
                $(assert!(
                    slices.$n.len() == n,
                    "input slice {} has {} elements, the first has {n}: give slices of one length",
                    $n, slices.$n.len()
                );)+
                n
            }
            #[inline(always)]
            fn load_at<I: Isa>(isa: I, slices: Self::Slices<'_>, at: usize) -> Self::Lanes<I> {
                ($($t::load(isa, &slices.$n[at..]),)+)
            }
            fn padded(slices: Self::Slices<'_>) -> Self::Room {
                ($({
                    let mut column = [$t::ZERO; MAX_LANES];
                    column[..slices.$n.len()].copy_from_slice(slices.$n);
                    column
                },)+)
            }
            #[inline(always)]
            fn in_room(room: &Self::Room) -> Self::Slices<'_> {
                ($(&room.$n[..],)+)
            }
            #[inline(always)]
            fn shortened<'b, 'a: 'b>(slices: Self::Slices<'a>) -> Self::Slices<'b> {
                slices
            }
        }
    };
}
tuple_kind!(A 0);
tuple_kind!(A 0, B 1);
tuple_kind!(A 0, B 1, C 2);
tuple_kind!(A 0, B 1, C 2, D 3);
tuple_kind!(A 0, B 1, C 2, D 3, E 4);
tuple_kind!(A 0, B 1, C 2, D 3, E 4, F 5);
tuple_kind!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);
tuple_kind!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
