use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    let n = 3_000_000_000i32;
    x
}

fn main() {}
