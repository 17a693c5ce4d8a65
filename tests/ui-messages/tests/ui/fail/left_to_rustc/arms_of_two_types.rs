use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    let y = if x > 0.0 { x } else { x.to_f32() };
    x
}

fn main() {}
