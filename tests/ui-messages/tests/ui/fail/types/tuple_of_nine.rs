use doublecrunch::prelude::*;

#[crunch]
fn kernel(
    x: DcDouble,
) -> (DcInt, DcInt, DcInt, DcInt, DcInt, DcInt, DcInt, DcInt, DcInt) {
    let i = x.to_i32();
    (i, i, i, i, i, i, i, i, i)
}

fn main() {}
