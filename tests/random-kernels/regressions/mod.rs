//! Kernels that some backend was wrong about, made small. `cargo xtask fuzz` writes this file.

regressions! {
    gcc_constant_operand
    gcc_negated_fma
    llvm_square_fma
}
