//! ISA tokens: the groups of lanes of each instruction set, and every primitive operation on them.
//!
//! A token is a zero-sized proof that the processor has the instructions. Only a detecting constructor, or an `unsafe`
//! one, makes a token, and every lane value carries it. So the operations themselves are safe. A value is a *group* of
//! units. A unit has as many lanes as a register has 32-bit words: one register of 32-bit lanes, or two of 64-bit
//! lanes. Each operation is written once per unit of the group, side by side, which hides the latency of long
//! dependency chains.
//!
//! All methods are `#[inline(always)]`; they become machine code inside one `#[target_feature]` entry function
//! per kernel and instruction set ([`Isa::run`]).

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod avx2;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod avx512;
pub(crate) mod detect;
mod directed;
#[cfg(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    all(target_arch = "aarch64", target_feature = "neon")
))]
mod fence;
#[cfg(all(not(feature = "std"), target_arch = "x86_64", target_feature = "sse2"))]
mod fused;
mod group;
#[cfg(all(
    target_arch = "aarch64",
    target_endian = "little",
    target_feature = "neon"
))]
mod neon;
pub(crate) mod operations;
pub(crate) mod plain;
mod raw;
#[cfg(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    all(target_arch = "aarch64", target_feature = "neon")
))]
mod registers;
mod scalar;
pub(crate) mod sets;
#[cfg(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    all(target_arch = "aarch64", target_feature = "neon")
))]
mod table;
#[cfg(feature = "search")]
mod tally;
#[cfg(test)]
pub(crate) mod tests;

use core::fmt::Debug;

pub use kernels_gen::ops::Direction;

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub use self::avx2::Avx2;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub use self::avx512::Avx512;
#[cfg(all(not(feature = "std"), target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) use self::fused::Fused;
#[cfg(all(
    target_arch = "aarch64",
    target_endian = "little",
    target_feature = "neon"
))]
pub use self::neon::Neon;
#[doc(hidden)]
pub use self::raw::Raw;
pub use self::scalar::Scalar;
#[cfg(feature = "search")]
pub use self::sets::PerIsa;
#[cfg(feature = "search")]
pub use self::tally::Tally;

pub use self::group::Units;

use self::operations::{declared, operations};

/// Work that runs with an ISA's features enabled; see [`Isa::run`].
pub trait WithIsa<I: Isa> {
    /// The type of its result.
    type Output;
    /// The work. Implementations are `#[inline(always)]`.
    fn call(self, isa: I) -> Self::Output;
}

/// One instruction set at one group width. `F64`, `F32`, `I64`, `I32` and `Mask` all hold [`Isa::LANES`] lanes.
pub trait Isa: Copy + Debug + Send + Sync + 'static {
    /// Lanes of binary64.
    type F64: Copy + Debug + Units<<Self::Unit as Isa>::F64>;
    /// Lanes of binary32.
    type F32: Copy + Debug + Units<<Self::Unit as Isa>::F32>;
    /// Lanes of 64-bit integers.
    type I64: Copy + Debug + Units<<Self::Unit as Isa>::I64>;
    /// Lanes of 32-bit integers.
    type I32: Copy + Debug + Units<<Self::Unit as Isa>::I32>;
    /// Lanes of truth values.
    type Mask: Copy + Debug + Units<<Self::Unit as Isa>::Mask>;

    /// The same instruction set with groups of one unit.
    type Unit: Isa;

    /// The number of lanes of every value.
    const LANES: usize;
    /// The number of units for which a step of a loop is evaluated one after the other; 1 if it is evaluated on whole groups
    /// ([`crate::step`]).
    const UNITS: usize;
    /// The backend's name: `scalar`, `avx2`, `avx512`, `neon`.
    const NAME: &'static str;

    /// The token, if the processor has the features.
    fn detect() -> Option<Self>;
    /// Runs `f` inside a function compiled with the features of this instruction set.
    fn run<W: WithIsa<Self>>(self, f: W) -> W::Output;

    /// The token of this instruction set with groups of one unit.
    fn of_unit(self) -> Self::Unit;
    /// Whether any lane is true. Not part of the language: the loops of the search use it.
    #[inline(always)]
    fn any(self, m: Self::Mask) -> bool {
        self.count(m) != 0
    }

    operations!(declared);
}
