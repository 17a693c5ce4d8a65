use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    println!("{x:?}");
    x
}

fn main() {}
