use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    macro_rules! twice {
        ($x:expr) => {
            $x + $x
        };
    }
    x
}

fn main() {}
