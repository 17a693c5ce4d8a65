// GCC specialises a function for a constant operand, and in the copy `x - 0.0` is `x` whatever the rounding mode
// (kernels-gen/src/emit/host_shim.h). Kernel 6 of seed 20261122: 0.0 on cuda-host, -0.0 on the interpreter.
use doublecrunch::prelude::*;

#[crunch]
pub fn constant_operand(p0: DcDouble, p1: DcFloat) -> (DcDouble, DcFloat) {
    (p0.sub_rd(0.0), p1.add_rd(0.0))
}

pub type Entry = constant_operand;
pub const COLUMNS: &[usize] = &[0, 6];
pub const INPUT: &[u64] = &[0x0, 0x80000000];
