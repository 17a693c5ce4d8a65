use doublecrunch::prelude::*;

#[crunch(limit = "8")]
fn kernel(x: f32) -> f32 {
    x
}

fn main() {}
