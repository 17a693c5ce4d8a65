use doublecrunch::prelude::*;

const LIMIT: f64 = 1.0;

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    LIMIT = 2.0;
    x
}

fn main() {}
