//! Kernel IR of DoubleCrunch: plain data, its checker, one emitter a language, the interpreter.

pub mod emit;
pub mod ir;
pub mod ops;
pub mod program;
