use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble) -> DcFloat {
    x + x
}

fn main() {}
