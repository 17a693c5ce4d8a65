use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcFloat) -> DcFloat {
    x * 1e300
}

fn main() {}
