use doublecrunch::prelude::*;

#[crunch]
const fn kernel(x: DcDouble) -> DcDouble {
    x
}

fn main() {}
