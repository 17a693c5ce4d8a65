use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcFloat) -> f32 {
    x
}

fn main() {}
