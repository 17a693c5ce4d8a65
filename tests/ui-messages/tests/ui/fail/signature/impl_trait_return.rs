use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble) -> impl Copy {
    x
}

fn main() {}
