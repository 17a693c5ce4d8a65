use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: f32) -> f32 {
    // Statements and arms can have conditions.
    #[cfg(debug_assertions)]
    let y = x;
    #[cfg(not(debug_assertions))]
    let y = x + 1.0;
    let (a, b) = (
        y,
        #[cfg(debug_assertions)]
        1.0,
        #[cfg(not(debug_assertions))]
        2.0,
    );
    a * b
}

fn main() {}
