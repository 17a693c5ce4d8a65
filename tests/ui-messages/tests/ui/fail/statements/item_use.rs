use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    use core::f64::consts::PI;
    x * PI
}

fn main() {}
