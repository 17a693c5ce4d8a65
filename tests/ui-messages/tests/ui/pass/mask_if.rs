//! `if` on a mask: values, assignments, both, chains, nesting, no `else`, names shadowed in an arm.
#![deny(warnings)]
use doublecrunch::prelude::*;

#[crunch]
pub fn clamp(x: DcDouble) -> DcDouble {
    let mut y = x;
    if x < 0.0 {
        y = 0.0;
    } else if x > 1.0 {
        y = 1.0;
        // Another `y`: the outer one keeps its value.
        let y = x * 3.0;
        let _ = y;
    }
    y
}

#[crunch]
pub fn both(x: DcDouble) -> (DcDouble, DcDouble, DcDouble) {
    let mut a = 1.0;
    let mut b = 2.0;
    let c = if x > 0.0 {
        a += x;
        a * 10.0
    } else {
        b = if x < -1.0 { b - x } else { b + x };
        b * 10.0
    };
    (a, b, c)
}

#[crunch]
pub fn nested(x: DcDouble) -> DcDouble {
    let mut y = x;
    if x > 0.0 {
        let mut inner = 1.0;
        if x > 1.0 {
            inner = 2.0;
            if x > 2.0 {
                y = 100.0;
            }
        }
        y += inner;
    }
    y
}

#[crunch]
pub fn many(x: DcDouble) -> DcDouble {
    let mut a = x;
    let mut b = x;
    let mut c = x;
    let mut d = x;
    let mut e = x;
    let mut f = x;
    let mut g = x;
    let mut h = x;
    let mut i = x.to_i64();
    let mut j = (x, x.to_f32());
    if x > 1.0 {
        (a, b, c, d) = (1.0, 2.0, 3.0, 4.0);
        (e, f) = (5.0, 6.0);
    } else {
        (g, (h, i)) = (7.0, (8.0, 9));
        j = (10.0, 0.5);
    }
    a + b + c + d + e + f + g + h + i.to_f64() + j.0 + j.1.to_f64()
}

#[crunch]
pub fn masks(x: DcDouble) -> DcMask {
    let inside = x > 0.0 && !(x >= 1.0) || x == 2.0;
    let outside = (x < -5.0) | (x != x) ^ x.is_nan();
    let m = if x.is_nan() { inside } else { inside | outside };
    m & (x <= 3.0)
}

fn main() {
    assert_eq!([-1.0, 0.25, 7.0].map(clamp::eval), [0.0, 0.25, 1.0]);
    assert_eq!(both::eval(3.0), (4.0, 2.0, 40.0));
    assert_eq!(both::eval(-0.5), (1.0, 1.5, 15.0));
    assert_eq!(both::eval(-2.0), (1.0, 4.0, 40.0));
    assert_eq!(
        [-1.0, 0.5, 1.5, 3.0].map(nested::eval),
        [-1.0, 1.5, 3.5, 102.0]
    );
    assert_eq!(many::eval(2.0), 21.0 + 2.0 + 2.0 + 2.0 + 2.0 + 2.0);
    assert_eq!(many::eval(0.0), 24.0 + 10.5);
    let expected = [true, true, false, true, false];
    assert_eq!([-6.0, 0.5, 1.0, 2.0, f64::NAN].map(masks::eval), expected);
}
