use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: f32) -> f32 {
    let mut y = x;
    while y > 1.0 {
        y *= 0.5;
    }
    y
}

fn main() {
    // The function itself is there all the same.
    kernel(1.0);
}
