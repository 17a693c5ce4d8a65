use doublecrunch::prelude::*;

#[crunch]
extern "C" fn kernel(x: DcDouble) -> DcDouble {
    x
}

fn main() {}
