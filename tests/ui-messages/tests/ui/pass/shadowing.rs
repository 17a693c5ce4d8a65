//! One name, several variables: parameters, `let`, blocks, counters, and constants behind them.
#![deny(warnings)]
use doublecrunch::prelude::*;

const TABLE: [f64; 3] = [1.0, 2.0, 4.0];

#[crunch]
pub fn shadows(x: DcDouble) -> DcDouble {
    let y = 100.0;
    let x = x + y;
    let inner = {
        let x = x * 2.0;
        let mut y = x;
        y += 1.0;
        y
    };
    let mut sum = x;
    for x in 0..3 {
        let y = TABLE[x];
        let x = y * 10.0;
        sum += x;
    }
    if sum > 0.0 {
        let sum = y;
        let y = sum;
        let _ = y;
    }
    sum + inner + y
}

/// A kernel and a variable may share a name.
#[crunch]
pub fn user(x: DcDouble) -> DcDouble {
    let shadows = shadows(x);
    shadows
}

fn main() {
    assert_eq!(user::eval(1.0), (101.0 + 70.0) + 203.0 + 100.0);
}
