use doublecrunch::prelude::*;

#[crunch]
unsafe fn kernel(x: DcDouble) -> DcDouble {
    x
}

fn main() {}
