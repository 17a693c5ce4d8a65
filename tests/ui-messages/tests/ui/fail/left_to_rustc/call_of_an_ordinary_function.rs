use doublecrunch::prelude::*;

fn helper(x: f64) -> f64 {
    x
}

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    helper(x)
}

fn main() {}
