//! Control flow: early returns, variables without a first value, `match`, loops that are left.

use crate::compare::agree;
use dc_runtime::prelude::crunch;

/// The first example.
#[crunch]
fn sigmoid(x: f32) -> f32 {
    if x < -88.0 {
        return 0.0;
    }
    let y = x * 0.25;
    y / (1.0 + y.abs())
}

#[crunch]
fn guards(x: f32, y: f32) -> f32 {
    if x.is_nan() {
        return y;
    }
    if y > 1.0 {
        if x > 2.0 {
            return x - y;
        }
        return x + y;
    } else if y < -1.0 {
        return -x;
    }
    let mut sum = x;
    if x > 0.5 {
        sum += 1.0;
    }
    sum * y
}

#[crunch]
fn partly(x: f64) -> f64 {
    let mut y = x;
    if x > 0.0 {
        y *= 2.0;
        if x > 10.0 {
            return y;
        }
        y += 1.0;
    } else {
        y = -y;
        if x < -10.0 {
            return y;
        }
    }
    let y = y + 0.5;
    y * y
}

#[crunch]
fn later(x: f64) -> f64 {
    let scale;
    let shift: f64;
    if x < 1.0 {
        scale = 2.0;
        shift = 0.5;
    } else if x < 2.0 {
        scale = 3.0;
        shift = x;
    } else {
        return x;
    }
    x * scale + shift
}

#[crunch]
fn in_value(x: f32) -> f32 {
    let y = if x > 3.0 { return 1.0 } else { x + 1.0 };
    let z = {
        let x = y * 2.0;
        if x < 0.0 {
            return x;
        }
        x - 1.0
    };
    z * y
}

#[crunch]
fn both_arms(x: f32) -> f32 {
    if x > 0.0 {
        return x;
    } else {
        return -x;
    }
}

#[crunch]
fn chosen(n: i32) -> i32 {
    match n & 7 {
        0 => 10,
        1 | 2 => n + 1,
        3..=5 => {
            let n = n * 2;
            n - 1
        }
        k if k > 100 => 0,
        other => other,
    }
}

const LIMIT: u32 = 7;

#[crunch]
fn by_constant(n: u32) -> u32 {
    match n {
        LIMIT => 1,
        0xffff_fff0.. => 2,
        _ if n % 3 == 0 => 3,
        _ => return n / 3,
    }
}

#[crunch]
fn signs(x: f64, y: f64) -> f64 {
    match (x > 0.0, y > 0.0) {
        (true, true) => x,
        (true, false) => y,
        (false, positive) => {
            if positive {
                1.0
            } else {
                2.0
            }
        }
    }
}

#[crunch]
fn if_let(n: i32) -> bool {
    let one = if let 1 | 5 = n { true } else { false };
    one || matches!(n, 8..=10 | -3 if n != 9)
        || (20..30).contains(&(n + 1)) ^ !(-5..=5).contains(&n)
}

#[crunch]
fn newton(x: f32) -> f32 {
    let mut y = 1.0;
    for i in 0..6 {
        let next = y * (1.5 - x * y * y * 0.5);
        if (next - y).abs() < 1e-3 {
            break;
        }
        if i == 3 && next < 0.0 {
            return -1.0;
        }
        y = next;
    }
    y
}

#[crunch]
fn skipped(x: f64) -> f64 {
    let mut sum = 0.0;
    for k in (1..=5).rev() {
        let term = x * k as f64;
        if term > 4.0 {
            continue;
        }
        sum += term;
        if sum < -20.0 {
            return sum;
        }
    }
    sum
}

#[crunch]
fn shadowed(x: f32) -> f32 {
    let y = x + 1.0;
    let x = y * x;
    {
        let y = x - 2.0;
        if y > 0.0 {
            let x = y;
            return x;
        }
    }
    x + y
}

#[crunch]
fn ordered(x: f32, y: f32) -> (f32, f32) {
    let (mut a, mut b) = (x, y);
    if a > b {
        (a, b) = (b, a);
    }
    if b == 0.0 {
        return (0.0, a);
    }
    (a, b)
}

#[crunch]
const fn constant_fn<const N: usize>(n: u32) -> u32 {
    if N > 2 {
        return n.wrapping_add(N as u32);
    }
    n
}
const KNOWN: u32 = constant_fn::<3>(4);

#[crunch(limit = 40)]
fn halved(x: f32) -> (f32, i32) {
    let mut y = x.abs();
    let mut steps = 0;
    while y > 1.0 && steps < 30 {
        y *= 0.5;
        if y == 0.75 {
            continue;
        }
        steps += 1;
    }
    (y, steps)
}

/// As many rounds as the limit allows.
#[crunch(limit = 8)]
fn exactly(x: f32) -> f32 {
    let mut y = x;
    let mut n = 0;
    while n < 8 {
        y = y * 0.5 + 1.0;
        n += 1;
    }
    y
}

#[crunch(limit = 20)]
fn gcd_like(a: u32, b: u32) -> u32 {
    let (mut a, mut b) = (a & 0xff, b & 0xff);
    let found = loop {
        if b == 0 {
            break a;
        }
        if a == 77 {
            return 1000;
        }
        (a, b) = (b, a % b);
    };
    found + 1
}

#[crunch(limit = 9)]
fn until(x: f64) -> f64 {
    let mut n = 0;
    loop {
        n += 1;
        if n == 8 || x * (n as f64) > 5.0 {
            return x + n as f64;
        }
    }
}

#[crunch]
fn nested(x: f32) -> f32 {
    let mut sum = 0.0;
    for i in 0..4 {
        for j in 0..=i {
            if x > (i * j) as f32 {
                break;
            }
            if j == 2 {
                continue;
            }
            sum += x - j as f32;
        }
        if sum > 6.0 {
            return sum;
        }
    }
    -sum
}

#[test]
fn flow() {
    agree!(sigmoid, (f32));
    agree!(guards, (f32, f32));
    agree!(partly, (f64));
    agree!(later, (f64));
    agree!(in_value, (f32));
    agree!(both_arms, (f32));
    agree!(chosen, (i32), if |(n,)| n.checked_mul(2).is_some());
}

#[test]
fn choices() {
    agree!(by_constant, (u32));
    agree!(signs, (f64, f64));
    agree!(if_let, (i32), if |(n,)| n < i32::MAX);
    agree!(ordered, (f32, f32));
}

#[test]
fn loops() {
    agree!(newton, (f32));
    agree!(skipped, (f64));
    agree!(shadowed, (f32));
    agree!(halved, (f32));
    agree!(exactly, (f32));
    agree!(gcd_like, (u32, u32));
    agree!(until, (f64));
    agree!(nested, (f32));
    assert_eq!(KNOWN, 7);
    crate::compare::agrees::<constant_fn<3>, (u32,), u32>(|(n,)| constant_fn::<3>(n), |_| true);
    crate::compare::agrees::<constant_fn<1>, (u32,), u32>(|(n,)| constant_fn::<1>(n), |_| true);
}
