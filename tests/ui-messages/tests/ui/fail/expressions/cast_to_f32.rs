use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    (x as f32).to_f64()
}

fn main() {}
