//! Ranges in every form; variables carried over iterations; counters in index arithmetic.
#![deny(warnings)]
use doublecrunch::prelude::*;

const TABLE: [f64; 12] = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0];
const ROWS: usize = 3;

#[crunch]
pub fn digits(x: DcDouble) -> DcDouble {
    let mut y = x;
    for i in 1..4 {
        y = y * 10.0 + TABLE[i];
    }
    for i in (4..=5).rev() {
        y = y * 10.0 + TABLE[i];
    }
    for i in (6..=9).step_by(2) {
        y = y * 10.0 + TABLE[i];
    }
    for i in (0..3).rev().step_by(2) {
        y = y * 10.0 + TABLE[i];
    }
    y
}

#[crunch]
pub fn sums(x: DcDouble) -> DcDouble {
    let mut s = 0.0;
    for row in 0..ROWS {
        for column in row..TABLE.len() / ROWS {
            if row != column && (row + column) % 2 == 0 {
                s += TABLE[4 * row + column] * x;
            }
        }
    }
    s
}

#[crunch]
pub fn count(x: DcLong) -> DcLong {
    let mut n = 0usize;
    let mut y = x;
    for i in 0..3 {
        n = n + i;
        y = y << n;
    }
    y
}

fn main() {
    assert_eq!(digits::eval(0.0), 123_546_820.0);
    let mut s = 0.0;
    for (row, column) in [(0, 2), (1, 3)] {
        s += TABLE[4 * row + column] * 0.5;
    }
    assert_eq!(sums::eval(0.5), s);
    assert_eq!(count::eval(1), 1 << 4);
}
