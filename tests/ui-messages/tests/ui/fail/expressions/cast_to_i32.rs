use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    (x as i32).to_f64()
}

fn main() {}
