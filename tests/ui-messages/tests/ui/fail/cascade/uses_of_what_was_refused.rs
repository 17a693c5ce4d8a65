use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble, t: &[u8]) -> DcDouble {
    let a = [x, x];
    let p = &a[0];
    let mut y = *p + t[0] + a.sec();
    for i in t {
        y = y + *i;
    }
    a = y.im;
    y + a(x).re
}

fn main() {}
