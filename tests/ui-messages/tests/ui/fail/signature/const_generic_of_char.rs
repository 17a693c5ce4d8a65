use doublecrunch::prelude::*;

#[crunch]
fn kernel<const C: char>(x: DcDouble) -> DcDouble {
    x
}

fn main() {}
