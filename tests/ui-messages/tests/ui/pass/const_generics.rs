//! Const generics of every type, in calls, loops, branches and as values.
#![deny(warnings)]
use doublecrunch::prelude::*;

const FOUR: usize = 4;

#[crunch]
pub fn power<const N: usize>(x: DcDouble) -> DcDouble {
    let mut y = x;
    for _ in 1..N {
        y *= x;
    }
    y
}

#[crunch]
pub fn maybe_negative<const NEGATE: bool, const N: usize>(x: DcDouble) -> DcDouble {
    let y = power::<N>(x);
    if NEGATE { -y } else { y }
}

#[crunch]
pub fn masked<const MASK: u64, const ADD: i64>(x: DcDouble) -> DcDouble {
    DcDouble::from_bits((x.to_bits() & MASK) + ADD)
}

#[crunch]
pub fn narrow<const MASK: u32, const ADD: i32>(x: DcFloat) -> DcFloat {
    DcFloat::from_bits((x.to_bits() & MASK) + ADD)
}

#[crunch]
pub fn user(x: DcDouble) -> DcDouble {
    maybe_negative::<true, 3>(x) + maybe_negative::<false, FOUR>(x) + power::<{ FOUR - 2 }>(x)
}

fn main() {
    assert_eq!(user::eval(2.0), -8.0 + 16.0 + 4.0);
    assert_eq!(power::<5>::eval(2.0), 32.0);
    assert_eq!(
        masked::<{ u64::MAX << 51 }, 1>::eval(1.75),
        f64::from_bits(1.5f64.to_bits() + 1)
    );
    assert_eq!(
        narrow::<{ u32::MAX << 22 }, -1>::eval(1.75),
        f32::from_bits(1.5f32.to_bits() - 1)
    );
}
