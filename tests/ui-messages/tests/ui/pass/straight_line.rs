//! Operators, methods, literals of all kinds, `return` at the end.
#![deny(warnings)]
use doublecrunch::prelude::*;

const SHIFT: f64 = 6755399441055744.0;
const LOW: u64 = 0xffff_ffff;

#[crunch]
pub fn polynomial(x: DcDouble) -> DcDouble {
    let half = 0.5;
    let y = -x * half + 1_000.25e-1;
    return (y - x).mul_add(2.0, -1.0) / 4f64;
}

#[crunch]
pub fn bits(x: DcDouble) -> DcLong {
    let sign = x.to_bits() & 0x8000_0000_0000_0000;
    let all = 0xffff_ffff_ffff_ffff ^ sign;
    let low = (all << (64 - 32)) >> 32;
    low & LOW | 1i64 << 40
}

#[crunch]
pub fn narrow(x: DcFloat) -> DcFloat {
    // 0.1 is read at the precision it is used at.
    let i = x.to_bits() & 0xffff_ffff;
    DcFloat::from_bits(i - -1 - 1) + 0.1 + 0.5f32
}

#[crunch]
pub fn magic(x: DcDouble) -> DcDouble {
    // Larger than any `DcFloat`: a `DcDouble` by its size.
    let huge = 1e300;
    ((x + SHIFT) - SHIFT) + (huge - huge)
}

fn main() {
    assert_eq!(
        polynomial::eval(2.0),
        ((-2.0 * 0.5 + 100.025 - 2.0f64).mul_add(2.0, -1.0)) / 4.0
    );
    assert_eq!(bits::eval(-1.0), 0xffff_ffff | 1 << 40);
    assert_eq!(narrow::eval(1.0), 1.0f32 + 0.1f32 + 0.5);
    assert_eq!(magic::eval(2.75), 3.0);
}
