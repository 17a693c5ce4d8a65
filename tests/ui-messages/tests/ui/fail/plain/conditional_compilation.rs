use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: f32) -> f32 {
    #[cfg(debug_assertions)]
    let y = x;
    #[cfg(not(debug_assertions))]
    let y = x + 1.0;
    y
}

fn main() {}
