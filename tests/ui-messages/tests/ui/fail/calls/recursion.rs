use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    if x > 1.0 { kernel(x * 0.5) } else { x }
}

fn main() {}
