// LLVM 15, of which PoCL 3.1 is made, takes `x > 0 ? -0.0 : x` for `x >= 0 ? -0.0 : x` (kernels-gen/src/emit/choice.rs).
// Kernel 715 of seed 77: -0.0 on PoCL, 0.0 on the interpreter.
use doublecrunch::prelude::*;
pub const C5: f32 = f32::from_bits(0x80000000);

#[crunch]
pub fn negative_zero(p1: DcFloat) -> DcFloat {
    C5.min(p1)
}

pub type Entry = negative_zero;
pub const COLUMNS: &[usize] = &[6];
pub const INPUT: &[u64] = &[0x0];
