use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    let n = 0x1_0000_0000_0000_0000;
    x
}

fn main() {}
