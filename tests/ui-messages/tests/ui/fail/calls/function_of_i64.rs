use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    i64::from_str_radix(x)
}

fn main() {}
