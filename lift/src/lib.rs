//! Lifting: an existing function, as LLVM IR, becomes a kernel.
//!
//! A function is executed symbolically: its paths become one graph of lane operations, in which a branch is a selection, a
//! loop its iterations, a stack slot its values ([`exec`]). The graph becomes a kernel in the owned syntax
//! ([`kernels_gen::syntax`]), which is printed as `#[crunch]` source or lowered directly ([`mod@write`]).
//!
//! | module | what |
//! |---|---|
//! | `lex`, `parse`, [`ir`] | LLVM's text as data |
//! | [`graph`] | operations, folded and simplified |
//! | `decide` | conditions of paths, and which of several was taken |
//! | [`exec`] | symbolic execution |
//! | [`mod@write`] | the graph as a kernel |
//! | [`session`] | all of it |
//! | [`tools`] | compilers that make LLVM IR |
//! | [`verify`] | the original against the lifted program |

mod decide;
pub mod exec;
pub mod graph;
pub mod ir;
mod lex;
mod parse;
pub mod session;
pub mod tools;
pub mod verify;
pub mod write;

use std::fmt;

pub use parse::module;

/// How to lift.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// What `llvm.fmuladd` computes: fused, or with two roundings. Without it, it is refused.
    pub contract: Option<bool>,
    /// Fast-math flags that are taken for nothing.
    pub allow: Vec<String>,
    /// The most iterations of a loop that depend on the input.
    pub unroll: Option<u32>,
}

/// Why a function has no kernel: the place, the reason, what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The source file; empty where that is unknown.
    pub file: String,
    /// Its line; 0 where that is unknown.
    pub line: u32,
    /// The function, by its symbol.
    pub function: String,
    /// The reason.
    pub what: String,
    /// What to do.
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
