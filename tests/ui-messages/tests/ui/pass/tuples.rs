//! Tuples as parameters, results and values; destructuring in `let` and in assignments.
#![deny(warnings)]
use doublecrunch::prelude::*;

#[crunch]
pub fn two_sum(a: DcDouble, b: DcDouble) -> (DcDouble, DcDouble) {
    let s = a + b;
    let bb = s - a;
    (s, (a - (s - bb)) + (b - bb))
}

#[crunch]
pub fn nested(p: (DcDouble, (DcFloat, DcInt))) -> ((DcDouble, DcMask), DcInt) {
    let (x, (y, _)) = p;
    let n: (DcInt, usize) = ((p.1).1, 1);
    ((x + y.to_f64(), x > 0.0), n.0 << n.1)
}

#[crunch]
pub fn compensated(x: DcDouble) -> DcDouble {
    let (mut s, mut e) = (x, 0.0);
    for _ in 0..3 {
        let mut d = 0.0;
        (s, (_, d)) = (s, (d, d));
        (s, d) = two_sum(s, 1e-17 + d);
        e += d;
    }
    (s, e) = (e, s);
    s + e
}

#[crunch]
pub fn product(a: DcDouble, b: DcDouble) -> DcDoubleDouble {
    let p = a * b;
    DcDoubleDouble::new(p, a.mul_add(b, -p))
}

#[crunch]
pub fn words(d: DcDoubleDouble) -> (DcDouble,) {
    let pair = d;
    (pair.hi - pair.lo,)
}

fn main() {
    assert_eq!(two_sum::eval(1.0, 1e-20), (1.0, 1e-20));
    assert_eq!(nested::eval((1.0, (0.5, 3))), ((1.5, true), 6));
    assert_eq!(compensated::eval(1.0), 1.0 + 3e-17);
    let d = product::eval(0.1, 0.1);
    assert_eq!((d.hi, d.lo), (0.1 * 0.1, 0.1f64.mul_add(0.1, -(0.1 * 0.1))));
    assert_eq!(words::eval(d), (d.hi - d.lo,));
}
