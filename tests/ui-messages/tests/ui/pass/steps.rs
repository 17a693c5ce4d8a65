//! Steps of loops: constants of their own, tuples, use as kernels by themselves.
#![deny(warnings)]
use doublecrunch::prelude::*;

const C: [f64; 3] = [1.0, 0.5, 0.25];

/// A step with another name for one of its arguments.
#[crunch(step)]
#[must_use]
pub fn horner_step<const HALVE: bool>(mut y: DcDouble, x: DcDouble, c: DcDouble) -> DcDouble {
    if HALVE {
        y = y * 0.5;
    }
    y.mul_add(x, c)
}

#[crunch(step, crate = "doublecrunch")]
fn both(pair: (DcDouble, DcDouble), x: DcDouble) -> (DcDouble, DcDouble) {
    let (a, b) = pair;
    (a + x, b - x)
}

#[crunch]
pub fn polynomial(x: DcDouble) -> DcDouble {
    let mut y = C[2];
    for i in (0..2).rev() {
        y = horner_step::<false>(y, x, C[i]);
    }
    let (a, b) = both((y, y), x);
    a * b
}

fn main() {
    let (x, mut y) = (2.0, [0.0; 5]);
    polynomial::map(&[x; 5], &mut y);
    assert_eq!(y, [(3.0 + x) * (3.0 - x); 5]);
    assert_eq!(horner_step::<true>::eval(1.0, 2.0, 3.0), 4.0);
}
