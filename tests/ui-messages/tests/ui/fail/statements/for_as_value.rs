use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    let y = for _ in 0..2 {};
    x
}

fn main() {}
