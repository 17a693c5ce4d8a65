//! `#[crunch]` makes an ordinary Rust function a kernel for every backend.
//!
//! There is one pass, with one file or folder per phase. `plain` writes a function of plain numbers as the source of a kernel. `attr` and `parse` turn `syn`'s
//! tree into the checked tree of `ast`. `generate` prints this tree twice: as Rust generic over the instruction set, and as a constant tree
//! (`kernels_gen::ir`). Only `parse` reports errors; the generators receive only what they can print. After an error, `fallback` prints a stub with the same
//! names and types, so that callers cause no further errors.
//!
//! The macro reports only constructs that rustc accepts and kernels do not support (`messages` has all of them). rustc checks types on the generic form, which
//! has the user's spans.

mod ast;
mod attr;
mod errors;
mod expand;
mod fallback;
mod generate;
mod messages;
mod parse;
mod plain;
mod scope;
mod source;

/// Makes a function a kernel.
///
/// ```ignore
/// use doublecrunch::prelude::*;
///
/// #[crunch]
/// fn newton(x: DcDouble, y: DcDouble) -> DcDouble {
///     y * (2.0 - y * x)
/// }
/// # fn main() {
/// assert_eq!(newton::eval(4.0, 0.25), 0.25);
/// # }
/// ```
///
/// The function becomes generic over the instruction set, and other kernels can call it. The macro adds an empty enum with the same name.
/// The enum has `eval` (one input), `map` (slices), and the kernel's tree for the other backends. A kernel that takes a table (`&[f64]`) is
/// a helper for other kernels, and has neither `eval` nor `map`.
///
/// A kernel computes with `DcDouble`, `DcFloat`, `DcDoubleDouble`, `DcLong`, `DcInt`, `DcMask` and tuples of them. It may contain `let`,
/// assignments, `if`/`else`, `for` over constant ranges, blocks, operators, the methods on the page *Operations* of the book, outer
/// constants and tables, const generics, and calls of other kernels. An `if` on a `DcMask` evaluates both arms, and an assignment in an arm
/// affects only the lanes of that arm.
///
/// A function of `f32`, `f64`, integers and `bool` does not change, and gets a kernel with the same name:
///
/// ```ignore
/// #[crunch]
/// fn squash(x: f32) -> f32 {
///     if x < -100.0 {
///         return 0.0;
///     }
///     x / (1.0 + x.abs())
/// }
/// # fn main() {
/// assert_eq!(squash(1.0), squash::eval(1.0));
/// # }
/// ```
///
/// On an inline module, the attribute applies to all functions of plain numbers in the module. The page *Test a Rust function* of the book
/// lists what such a function may contain. `#[crunch(limit = N)]` sets the largest number of iterations of its `while` and `loop`.
///
/// `#[crunch(step)]` is for the step of a loop with many intermediate values, called in the loop's body. On the CPU a value is several
/// vector registers. A step is computed for one or two of them at a time, so it needs fewer registers. The results are the same. The
/// parameters of a step cannot be tables.
///
/// `#[crunch(crate = "path::to::doublecrunch")]` is for crates that use another name for `doublecrunch`.
#[proc_macro_attribute]
pub fn crunch(
    args: proc_macro::TokenStream,
    item: proc_macro::TokenStream,
) -> proc_macro::TokenStream {
    expand::crunch(args.into(), item.into()).into()
}
