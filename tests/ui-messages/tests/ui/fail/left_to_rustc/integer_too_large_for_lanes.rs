use doublecrunch::prelude::*;

#[crunch]
fn kernel(n: DcInt) -> DcInt {
    n & 0x1_0000_0000
}

fn main() {}
