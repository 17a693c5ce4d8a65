use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: f64) -> f64 {
    let y = x * 0.5;
    (y as f32).exp() as f64
}

fn main() {}
