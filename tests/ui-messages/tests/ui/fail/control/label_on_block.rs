use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    'outer: {
        x
    }
}

fn main() {}
