//! An instruction set that does not make NaNs canonical.

use super::operations::operations;
use super::{Direction, Isa, WithIsa};

/// The same instruction set without fences, and without making a NaN's bits canonical where they can be observed.
///
/// It is for kernels whose result is discarded if an operand is a NaN. Making a NaN canonical costs two operations each time bits are
/// read.
#[derive(Clone, Copy, Debug)]
pub struct Raw<I>(pub I);

/// The work, given the instruction set itself.
struct Inner<W>(W);
impl<I: Isa, W: WithIsa<Raw<I>>> WithIsa<I> for Inner<W> {
    type Output = W::Output;
    #[inline(always)]
    fn call(self, isa: I) -> W::Output {
        self.0.call(Raw(isa))
    }
}

/// The methods, forwarded to the instruction set.
macro_rules! forwarded {
    ({} $(
        $(#[$doc:meta])*
        $shape:ident $name:ident $args:tt $(-> $r:ident)? = $scalar:tt $avx2:tt $avx512:tt $neon:tt;
    )+) => {$(
        forwarded! { @$shape $name $args $(-> $r)? }
    )+};
    (@registers canonical_f64 ($a:ident: $t:ident) -> $r:ident) => { forwarded! { @as_it_is canonical_f64($t) } };
    (@units canonical_f32 ($a:ident: $t:ident) -> $r:ident) => { forwarded! { @as_it_is canonical_f32($t) } };
    (@as_it_is $name:ident($t:ident)) => {
        #[inline(always)]
        fn $name(self, a: Self::$t) -> Self::$t {
            a
        }
    };
    (@splat $name:ident($x:ty) -> $r:ident) => { forwarded! { @method $name(x: $x) -> Self::$r } };
    (@iota $name:ident($x:ty) -> $r:ident) => { forwarded! { @method $name(start: $x) -> Self::$r } };
    (@load $name:ident($x:ty) -> $r:ident) => { forwarded! { @method $name(x: &[$x]) -> Self::$r } };
    (@store $name:ident($t:ident, $x:ty)) => { forwarded! { @method $name(v: Self::$t, out: &mut [$x]) -> () } };
    (@gather $name:ident($x:ty, $i:ident) -> $r:ident) => { forwarded! { @method $name(t: &[$x], i: Self::$i) -> Self::$r } };
    (@registers $name:ident($($a:ident: $t:ident),+) -> $r:ident) => { forwarded! { @method $name($($a: Self::$t),+) -> Self::$r } };
    (@units $name:ident($($a:ident: $t:ident),+) -> $r:ident) => { forwarded! { @method $name($($a: Self::$t),+) -> Self::$r } };
    (@directed $name:ident($($a:ident: $t:ident),+) -> $r:ident) => {
        forwarded! { @method $name(d: Direction, $($a: Self::$t),+) -> Self::$r }
    };
    (@instruction $name:ident($a:ident: $t:ident) -> $r:ident) => { forwarded! { @method $name($a: Self::$t) -> Option<Self::$r> } };
    (@count $name:ident($t:ident) -> $r:ident) => { forwarded! { @method $name(m: Self::$t) -> $r } };
    // The trait's own change nothing.
    (@fences $($row:tt)+) => {};
    (@order $($row:tt)+) => {};
    (@method $name:ident($($a:ident: $t:ty),+) -> $r:ty) => {
        #[inline(always)]
        fn $name(self, $($a: $t),+) -> $r {
            self.0.$name($($a),+)
        }
    };
}

impl<I: Isa> Isa for Raw<I> {
    type F64 = I::F64;
    type F32 = I::F32;
    type I64 = I::I64;
    type I32 = I::I32;
    type Mask = I::Mask;
    type Unit = Raw<I::Unit>;

    const LANES: usize = I::LANES;
    const UNITS: usize = I::UNITS;
    const NAME: &'static str = I::NAME;

    fn detect() -> Option<Self> {
        I::detect().map(Raw)
    }

    #[inline]
    fn run<W: WithIsa<Self>>(self, f: W) -> W::Output {
        self.0.run(Inner(f))
    }

    #[inline(always)]
    fn of_unit(self) -> Raw<I::Unit> {
        Raw(self.0.of_unit())
    }

    operations!(forwarded);
}
