use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    static mut STATE: f64 = 0.5;
    x
}

fn main() {}
