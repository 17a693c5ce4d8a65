//! Obstacles that stopped existing functions: each kind once, with the attribute alone. The kinds are numbered by how many of twenty-nine
//! functions of ten crates they stopped.

use crate::compare::written;
use dc_runtime::prelude::crunch;

/// 1: plain types of parameters, results and variables.
#[crunch]
fn types(x: f32, n: u32, m: i64) -> f64 {
    let half: f32 = x * 0.5;
    let k: u64 = m as u64 ^ u64::from(n);
    f64::from(half) + k as f64
}

/// 2: a result that the function gives in every arm of an `if`, before its end.
#[crunch]
fn no_last_value(x: f32) -> f32 {
    if x > 1.0 {
        return x.sqrt();
    } else {
        return 0.5 - x;
    }
}

/// 3: `return` that is not last.
#[crunch]
fn early_return(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    if x < -700.0 {
        return 0.0;
    }
    let y = x * 0.125;
    if y > 80.0 {
        return f64::INFINITY;
    }
    y + 1.0
}

/// 4: functions and constants of the types.
#[crunch]
fn paths(x: f64) -> f64 {
    let bits = f64::to_bits(f64::abs(x)) & 0xffff_ffff_0000_0000;
    f64::sqrt(f64::from_bits(bits)) * std::f64::consts::LN_2 + f64::EPSILON
}

/// 5: checks and barriers.
#[crunch]
fn checks(x: f32) -> f32 {
    debug_assert!(x >= 0.0 || x < 0.0 || x.is_nan(), "a number");
    let tiny = std::hint::black_box(1e-30f32);
    assert_ne!(tiny, 0.0);
    x + tiny
}

/// 6: `as f32` and `as f64`.
#[crunch]
fn to_floats(x: f32, n: i32) -> f64 {
    (x as f64 * n as f64) as f32 as f64
}

/// 7: a variable that is assigned later, in both arms.
#[crunch]
fn assigned_later(x: f32) -> f32 {
    let (scale, shift);
    let sign: f32;
    if x < 0.0 {
        scale = 2.0;
        shift = 1.0;
        sign = -1.0;
    } else {
        scale = 0.5;
        shift = x;
        sign = 1.0;
    }
    sign * (x * scale + shift)
}

/// 8: `as i32` and `as i64`.
#[crunch]
fn to_integers(x: f64) -> i64 {
    (x as i32 as i64).wrapping_add(x as i64)
}

/// 9: methods, `impl` blocks, constants of traits.
#[derive(Clone, Copy)]
struct Reduced {
    high: f64,
    low: f64,
}
trait Rounds {
    const ROUNDS: i32;
}
#[crunch]
impl Rounds for Reduced {
    const ROUNDS: i32 = 3;
}
#[crunch]
impl Reduced {
    fn of(x: f64) -> Self {
        let high = (x * 16.0).round() * 0.0625;
        Reduced {
            high,
            low: x - high,
        }
    }
    fn sum(&self) -> f64 {
        self.high + self.low * Self::ROUNDS as f64
    }
}
#[crunch]
fn by_method(x: f64) -> f64 {
    Reduced::of(x).sum()
}

/// 10: structures as parameters and results.
#[crunch]
fn of_structure(r: Reduced, scale: f64) -> Reduced {
    Reduced {
        low: r.low * scale,
        ..r
    }
}

/// 11: references.
#[crunch]
fn of_references(a: &f32, b: &f32) -> f32 {
    if *a > *b { *a } else { b * 2.0 }
}

/// 12: arrays as types.
#[crunch]
fn of_array(c: [f32; 4], x: f32) -> f32 {
    let mut sum = 0.0;
    for k in c.iter().rev() {
        sum = sum * x + k;
    }
    sum
}

/// 13: `as u32` and `as u64`, unsigned comparisons and shifts.
#[crunch]
fn unsigned(x: f32) -> u32 {
    let bits = x.to_bits();
    let exponent = bits >> 23;
    if bits >= 0xff00_0000 || bits << 1 < exponent {
        return bits / 3;
    }
    (x as u32).max(exponent) % 1000
}

/// 14: `TABLE[i as usize]`.
const TABLE: [f32; 8] = [1.0, 1.09, 1.19, 1.30, 1.41, 1.54, 1.68, 1.83];
#[crunch]
fn of_table(n: u32) -> f32 {
    TABLE[(n & 7) as usize] - TABLE[((n >> 3) & 7) as usize]
}

/// 15: `get_unchecked` in `unsafe`.
#[crunch]
fn unchecked(n: u32) -> f32 {
    // SAFETY: there are 8 entries.
    unsafe { *TABLE.get_unchecked((n % 8) as usize) }
}

/// 16: narrow integers and `usize`.
#[crunch]
fn narrow(x: f32) -> u16 {
    let byte = (x * 255.0 + 0.5) as u8;
    let at = (byte >> 5) as usize;
    (at as u16) << 8 | u16::from(byte)
}

/// 17: attributes inside.
#[crunch]
fn attributes(x: f32) -> f32 {
    #[allow(unused_variables, reason = "an attribute inside")]
    let c = 0.693_147_180_559_945_3;
    #[cfg(debug_assertions)]
    let _checked = c;
    x * c
}

/// 18: functions of other crates that are one operation.
mod libm {
    pub(super) fn fabs(x: f64) -> f64 {
        x.abs()
    }
    pub(super) fn floorf(x: f32) -> f32 {
        x.floor()
    }
}
#[crunch]
fn of_another_crate(x: f64) -> f64 {
    libm::fabs(x) + libm::floorf(x as f32) as f64
}

/// 19: `match`.
#[crunch]
fn matched(n: u32) -> u32 {
    match n % 7 {
        0 => 5,
        1 | 2 => n / 2,
        k @ 3..=4 => k + n / 3,
        _ => 1,
    }
}

/// 20: `unsafe` blocks.
#[crunch]
fn transmuted(x: f32) -> u32 {
    // SAFETY: all bits are both.
    unsafe { std::mem::transmute::<f32, u32>(x) & 0x7f80_0000 }
}

/// 21: local arrays, with indices of lanes.
#[crunch]
fn local_array(x: f32, n: u32) -> f32 {
    let mut powers = [1.0; 5];
    for i in 1..5 {
        powers[i] = powers[i - 1] * x;
    }
    powers[(n % 5) as usize] += 1.0;
    powers[2] + powers[(n & 3) as usize]
}

/// 22: `const` in a block.
#[crunch]
fn constants_inside(x: f32) -> f32 {
    if x > 0.0 {
        const SCALE: f32 = 1.5;
        x * SCALE
    } else {
        const SCALE: f32 = 2.5;
        x * SCALE
    }
}

/// 23: `use` in a block.
#[crunch]
fn imports_inside(x: f64) -> f64 {
    use std::f64::consts::{FRAC_1_PI, PI};
    let turns = (x * FRAC_1_PI).round_ties_even();
    x - turns * PI
}

/// 24: `const fn`.
#[crunch]
const fn constant(n: u32) -> u32 {
    if n > 100 {
        return n - 100;
    }
    n * 2
}
const KNOWN: u32 = constant(7);

/// 25: ranges outside of `for`.
#[crunch]
fn ranges(x: f32) -> bool {
    (0.25..=0.75).contains(&x) || (-3.0..-1.0).contains(&x)
}

/// 26: `&mut` parameters.
#[crunch]
fn with_result(x: f32, rest: &mut f32) -> i32 {
    let whole = x.clamp(-1e6, 1e6).round();
    *rest = x - whole;
    whole as i32
}

/// 27: `loop`.
#[crunch(limit = 40)]
fn looped(n: u32) -> u32 {
    let mut left = n;
    let mut count = 0;
    loop {
        if left & 1 == 1 || count == 32 {
            break;
        }
        left >>= 1;
        count += 1;
    }
    count
}

/// 28: `while`.
#[crunch(limit = 60)]
fn halved(x: f32) -> f32 {
    let mut y = x.abs().min(1e15);
    while y > 1.0 {
        y *= 0.5;
    }
    y
}

/// 29: `to_int_unchecked`.
#[crunch]
fn unchecked_integer(x: f32) -> i32 {
    let y = if x.is_nan() { 0.0 } else { x.clamp(-2e9, 2e9) };
    // SAFETY: it is in the range.
    unsafe { y.to_int_unchecked() }
}

#[test]
fn every_kind() {
    assert_eq!(KNOWN, 14);
    written::<types>(|_| true);
    written::<no_last_value>(|_| true);
    written::<early_return>(|_| true);
    written::<paths>(|words| !f64::from_bits(words[0]).is_nan());
    written::<checks>(|_| true);
    written::<to_floats>(|_| true);
    written::<assigned_later>(|_| true);
    written::<to_integers>(|_| true);
    written::<by_method>(|_| true);
    written::<Reduced_sum>(|_| true);
    written::<of_structure>(|_| true);
    written::<of_references>(|_| true);
    written::<of_array>(|_| true);
    written::<unsigned>(|words| !f32::from_bits(words[0] as u32).is_nan());
    written::<of_table>(|_| true);
    written::<unchecked>(|_| true);
    written::<narrow>(|_| true);
    written::<attributes>(|_| true);
    written::<of_another_crate>(|_| true);
    written::<matched>(|_| true);
    written::<transmuted>(|words| !f32::from_bits(words[0] as u32).is_nan());
    written::<local_array>(|_| true);
    written::<constants_inside>(|_| true);
    written::<imports_inside>(|_| true);
    written::<constant>(|_| true);
    written::<ranges>(|_| true);
    written::<with_result>(|_| true);
    written::<looped>(|_| true);
    written::<halved>(|_| true);
    written::<unchecked_integer>(|_| true);
}
