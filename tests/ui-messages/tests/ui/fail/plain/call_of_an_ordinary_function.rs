use doublecrunch::prelude::*;

fn helper(x: f64) -> f64 {
    x
}

#[crunch]
fn kernel(x: f64) -> f64 {
    helper(x) + 1.0
}

fn main() {}
