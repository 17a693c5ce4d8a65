use doublecrunch::prelude::*;

#[crunch]
fn kernel(
    a: DcDouble,
    b: DcDouble,
    c: DcDouble,
    d: DcDouble,
    e: DcDouble,
    f: DcDouble,
    g: DcDouble,
    h: DcDouble,
    i: DcDouble,
) -> DcDouble {
    a + b + c + d + e + f + g + h + i
}

fn main() {}
