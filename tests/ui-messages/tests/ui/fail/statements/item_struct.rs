use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    struct Pair(f64, f64);
    x
}

fn main() {}
