//! `if` on constants is a real branch: the other arm may be meaningless.
#![deny(warnings)]
use doublecrunch::prelude::*;

const TABLE: [f64; 2] = [1.0, 2.0];
const FAST: bool = true;

#[crunch]
pub fn pick<const N: usize>(x: DcDouble) -> DcDouble {
    let mut scale = 1usize;
    let y = if N < TABLE.len() {
        scale = 2;
        x * TABLE[N]
    } else if N == 7 && FAST {
        -x
    } else {
        x
    };
    let mut z = y;
    for _ in 0..scale {
        z += 1.0;
    }
    if !FAST {
        z = TABLE[N];
    }
    z
}

fn main() {
    assert_eq!(pick::<1>::eval(3.0), 8.0);
    assert_eq!(pick::<7>::eval(3.0), -2.0);
    assert_eq!(pick::<9>::eval(3.0), 4.0);
}
