use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    let mut y = x;
    let m = x > 0.0
        && {
            y = 1.0;
            y < x
        };
    if m { x } else { y }
}

fn main() {}
