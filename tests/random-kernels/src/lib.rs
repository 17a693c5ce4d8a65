//! Differential fuzzing: random kernels on every backend, held bit for bit against the interpreter.
//!
//! | file | what |
//! |---|---|
//! | `ast`, `visit` | a kernel as it is generated and shrunk, and walks over it |
//! | `generate/`, `random` | random well-typed kernels |
//! | `inputs` | what they are run on |
//! | `tree`, `rust_source` | the two forms of one: the IR's tree, and a file of Rust |
//! | `compare` | trees on the interpreter and the backends that compile emitted text |
//! | `cpu`, `child` | Rust source, compiled in batches; what such a program does |
//! | `fault_injection/` | faults, to see that they are found |
//! | `shrink/` | a kernel that shows a difference, made small |
//! | `regressions` | what was found, as files |
//! | `run` | all of it |
pub mod ast;
pub mod child;
pub mod compare;
pub mod cpu;
pub mod fault_injection;
pub mod generate;
pub mod inputs;
pub mod random;
pub mod regressions;
pub mod run;
pub mod rust_source;
pub mod shrink;
pub mod tree;
pub use kernels_gen::syntax::visit;
