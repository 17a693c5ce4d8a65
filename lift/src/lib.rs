//! Lifting: turns an existing function, given as LLVM IR, into a kernel.
//!
//! A function is executed symbolically ([`exec`]). Its paths become one graph of lane operations, in which a branch is a selection, a loop
//! becomes its iterations, and a stack slot becomes its values. The graph becomes a kernel in the owned syntax ([`kernels_gen::syntax`]),
//! which is printed as `#[crunch]` source or lowered directly ([`mod@write`]).
//!
//! | module | contents |
//! |---|---|
//! | `lex`, `parse`, [`ir`] | LLVM's text as data |
//! | [`graph`] | operations, folded and simplified |
//! | `decide` | conditions of paths, and the selection among several paths |
//! | [`exec`] | symbolic execution |
//! | [`mod@write`], `names` | the graph as a kernel |
//! | [`session`] | the whole process |
//! | [`tools`] | compilers that make LLVM IR |
//! | [`verify`] | the comparison of the original with the lifted program |

mod decide;
pub mod exec;
pub mod graph;
pub mod ir;
mod lex;
mod names;
mod parse;
pub mod session;
pub mod tools;
pub mod verify;
pub mod write;

use std::fmt;

pub use parse::module;

/// The treatment of functions that a lifted function calls.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Inline {
    /// They are part of its kernel.
    #[default]
    All,
    /// Functions that can be kernels of their own become such kernels.
    None,
    /// Functions that are called more than once, or are large, become kernels of their own.
    Auto,
}

/// The settings of the lifter.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The meaning of `llvm.fmuladd`: fused, or with two roundings. Without this setting, the instruction is refused.
    pub contract: Option<bool>,
    /// The treatment of called functions.
    pub inline: Inline,
    /// Fast-math flags that are ignored.
    pub allow: Vec<String>,
    /// The largest number of iterations of a loop whose count depends on the input.
    pub unroll: Option<u32>,
}

/// The reason why a function cannot be lifted: the place, the reason, the remedy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The source file; empty if it is unknown.
    pub file: String,
    /// Its line; 0 if it is unknown.
    pub line: u32,
    /// The function, by its symbol.
    pub function: String,
    /// The reason.
    pub what: String,
    /// The remedy.
    pub remedy: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.file.is_empty() {
            write!(f, "{}:{}: ", self.file, self.line)?;
        }
        if !self.function.is_empty() {
            write!(f, "in `{}`: ", self.function)?;
        }
        write!(f, "{}; {}", self.what, self.remedy)
    }
}

impl std::error::Error for Refusal {}
