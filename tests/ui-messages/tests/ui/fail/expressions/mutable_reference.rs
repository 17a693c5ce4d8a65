use doublecrunch::prelude::*;

#[crunch]
fn helper(x: DcDouble) -> DcDouble {
    x
}

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    let mut y = x;
    helper(&mut y)
}

fn main() {}
