use doublecrunch::prelude::*;

#[crunch]
fn helper(x: DcDouble, y: DcDouble) -> DcDouble {
    x + y
}

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    helper(x)
}

fn main() {}
