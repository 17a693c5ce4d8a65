//! Kernels that were wrong on some backend, minimised. `cargo xtask fuzz` writes this file.

regressions! {
    gcc_constant_operand
    gcc_negated_fma
    llvm_negative_zero
    llvm_square_fma
}
