use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    (x.to_i64()) as f64
}

fn main() {}
