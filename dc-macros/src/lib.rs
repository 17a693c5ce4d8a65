//! `#[crunch]` makes an ordinary Rust function a kernel for every backend.
//!
//! There is one pass, with one file for each phase: `plain` writes a function of plain numbers as a kernel's source, `attr` and `parse` turn `syn`'s tree into the checked tree of `ast`,
//! `generate` prints this tree as Rust generic over the instruction set and as a constant tree
//! (`kernels_gen::ir`). Only `parse` reports errors; the generators receive only what they can print. After an
//! error, `fallback` prints a stub with the same names and types, so that callers have no further errors.
//!
//! Only constructs that rustc accepts and kernels do not support are reported here (`messages` has all of them); types
//! are checked by rustc on the generic form, which has the user's spans.

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
/// The function becomes generic over the instruction set, and other kernels call it. The macro adds an empty enum of the same name, with
/// `eval` (one input), `map` (slices), and the tree of the kernel for the other backends. A kernel that takes a table (`&[f64]`) is a helper
/// for other kernels, and has no `eval` and `map`.
///
/// A kernel consists of `DcDouble`, `DcFloat`, `DcDoubleDouble`, `DcLong`, `DcInt`, `DcMask` and tuples of them; `let`,
/// assignment, `if`/`else`, `for` over constant ranges, blocks; operators, the methods on the page *Operations* of the book, outer
/// constants and tables, const generics, and calls of other kernels. In an `if` on a `DcMask`, both arms are evaluated, and an assignment in
/// an arm affects only the lanes of that arm.
///
/// A function of `f32`, `f64`, integers and `bool` does not change, and gets a kernel of the same name:
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
/// On an inline module, the attribute applies to all functions of plain numbers in it. The page *Test a Rust function* of the book lists the
/// permitted content of such a function. `#[crunch(limit = N)]` gives the largest number of iterations of its `while` and `loop`.
///
/// `#[crunch(step)]` is for the step of a loop with many intermediate values, called in the loop's body. On the CPU a
/// value is several vector registers. A step is computed for one or two of them and then for the next ones, so it needs
/// fewer registers. Its parameters cannot be tables. Its results are the same.
///
/// `#[crunch(crate = "path::to::doublecrunch")]` is for crates in which `doublecrunch` has another name.
#[proc_macro_attribute]
pub fn crunch(
    args: proc_macro::TokenStream,
    item: proc_macro::TokenStream,
) -> proc_macro::TokenStream {
    expand::crunch(args.into(), item.into()).into()
}
