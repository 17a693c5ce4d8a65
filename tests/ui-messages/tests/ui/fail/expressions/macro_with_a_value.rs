use doublecrunch::prelude::*;

const TABLE: [f64; 2] = [1.0, 2.0];

#[allow(unused_macros, reason = "the kernel that uses it is refused")]
macro_rules! i {
    ($table:ident, $i:expr) => {
        $table[$i]
    };
}

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    x * i!(TABLE, 1)
}

fn main() {}
