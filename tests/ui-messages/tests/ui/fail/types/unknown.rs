use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble, name: String) -> DcDouble {
    let _ = name;
    x
}

fn main() {}
