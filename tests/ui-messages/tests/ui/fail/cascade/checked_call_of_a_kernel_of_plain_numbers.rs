use doublecrunch::prelude::*;

#[crunch]
pub fn square(x: f32) -> DcFloat {
    x * x
}

fn main() {
    let y: f32 = square::eval_checked(2.0).expect("the default environment");
    println!("{y}");
}
