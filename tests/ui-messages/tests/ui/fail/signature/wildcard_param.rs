use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble, _: DcDouble) -> DcDouble {
    x
}

fn main() {}
