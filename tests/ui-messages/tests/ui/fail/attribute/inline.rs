use doublecrunch::prelude::*;

#[crunch]
#[inline(never)]
fn kernel(x: DcDouble) -> DcDouble {
    x
}

fn main() {}
