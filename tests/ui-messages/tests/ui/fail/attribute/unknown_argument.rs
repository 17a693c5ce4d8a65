use doublecrunch::prelude::*;

#[crunch(fast)]
fn kernel(x: DcDouble) -> DcDouble {
    x
}

fn main() {}
