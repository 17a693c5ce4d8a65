use doublecrunch::prelude::*;

#[crunch]
fn through_a_reference(x: f32) -> f32 {
    let mut y = x;
    let z = &mut y;
    *z += 1.0;
    y
}

#[crunch]
fn with_a_closure_that_returns(x: Option<f32>) -> f32 {
    let y = x.map(|v| {
        if v < 0.0 {
            return 0.0;
        }
        v
    });
    y.unwrap_or(1.0)
}

#[crunch]
fn with_a_closure_that_changes(x: f32) -> f32 {
    let mut calls = 0.0;
    let mut next = || {
        calls += 1.0;
        calls
    };
    x + next()
}

fn main() {}
