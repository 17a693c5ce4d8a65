use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    let p = &raw const x;
    x
}

fn main() {}
