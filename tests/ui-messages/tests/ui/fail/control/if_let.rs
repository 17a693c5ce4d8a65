use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    if let y = x { y } else { x }
}

fn main() {}
