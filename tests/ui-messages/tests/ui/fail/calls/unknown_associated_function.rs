use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    DcDouble::splat(x)
}

fn main() {}
