use doublecrunch::prelude::*;

#[crunch]
fn root(x: u64) -> u64 {
    x.isqrt()
}

#[crunch]
fn power(x: u32, n: u32) -> Option<u32> {
    x.checked_pow(n)
}

#[crunch]
fn decimal(x: u32) -> u32 {
    x.ilog10()
}

#[crunch]
fn wide(x: u64, y: u64) -> u64 {
    (x as u128 * y as u128 % 1_000_003) as u64
}

fn main() {}
