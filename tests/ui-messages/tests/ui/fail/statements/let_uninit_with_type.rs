use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    let k: DcInt;
    let negative: DcMask;
    let n: DcLong;
    k = x.to_i32();
    negative = x < 0.0;
    n = k.to_i64();
    negative.select(n.to_f64(), x)
}

fn main() {}
