use doublecrunch::prelude::*;

#[crunch]
fn helper(x: DcDouble) -> DcDouble {
    x
}

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    helper(&x)
}

fn main() {}
