use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    #[cfg(debug_assertions)]
    let x = x + 1.0;
    x
}

fn main() {}
