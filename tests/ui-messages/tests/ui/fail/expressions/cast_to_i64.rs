use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    (x as i64).to_f64()
}

fn main() {}
