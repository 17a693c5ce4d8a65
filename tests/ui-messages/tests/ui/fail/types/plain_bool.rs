use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble, m: bool) -> DcDouble {
    if m { x } else { -x }
}

fn main() {}
