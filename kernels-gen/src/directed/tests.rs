//! The derivation on plain numbers, compared with the interpreter's integers.

use super::*;
use crate::interp::Bits;
use crate::ops::{Arith, Direction, Op, Prim};

/// The arithmetic of Rust's own numbers.
struct Plain;

macro_rules! plain {
    ($($name:ident($($a:ident: $t:ty),*) -> $r:ty = $e:expr;)+) => {$(
        fn $name(&mut self, $($a: $t),*) -> $r {
            $e
        }
    )+};
}

impl FloatOps for Plain {
    type F64 = f64;
    type F32 = f32;
    type I64 = u64;
    type I32 = u32;
    type Mask = bool;

    plain! {
        f64(bits: u64) -> f64 = f64::from_bits(bits);
        add(a: f64, b: f64) -> f64 = a + b;
        sub(a: f64, b: f64) -> f64 = a - b;
        mul(a: f64, b: f64) -> f64 = a * b;
        div(a: f64, b: f64) -> f64 = a / b;
        fma(a: f64, b: f64, c: f64) -> f64 = a.mul_add(b, c);
        sqrt(a: f64) -> f64 = a.sqrt();
        neg(a: f64) -> f64 = -a;
        abs(a: f64) -> f64 = a.abs();
        lt(a: f64, b: f64) -> bool = a < b;
        eq(a: f64, b: f64) -> bool = a == b;
        select(m: bool, a: f64, b: f64) -> f64 = if m { a } else { b };
        bits(a: f64) -> u64 = a.to_bits();
        of_bits(a: u64) -> f64 = f64::from_bits(a);
        i64(bits: u64) -> u64 = bits;
        add_i64(a: u64, b: u64) -> u64 = a.wrapping_add(b);
        sub_i64(a: u64, b: u64) -> u64 = a.wrapping_sub(b);
        and_i64(a: u64, b: u64) -> u64 = a & b;
        or_i64(a: u64, b: u64) -> u64 = a | b;
        xor_i64(a: u64, b: u64) -> u64 = a ^ b;
        shr_i64(a: u64, by: u32) -> u64 = a >> by;
        shl_i64(a: u64, by: u32) -> u64 = a << by;
        lt_i64(a: u64, b: u64) -> bool = a.cast_signed() < b.cast_signed();
        select_i64(m: bool, a: u64, b: u64) -> u64 = if m { a } else { b };
        widen(a: f32) -> f64 = a.into();
        narrow(a: f64) -> f32 = a as f32;
        bits_f32(a: f32) -> u32 = a.to_bits();
        f32_of_bits(a: u32) -> f32 = f32::from_bits(a);
        i32(bits: u32) -> u32 = bits;
        add_i32(a: u32, b: u32) -> u32 = a.wrapping_add(b);
        sub_i32(a: u32, b: u32) -> u32 = a.wrapping_sub(b);
        and_i32(a: u32, b: u32) -> u32 = a & b;
        shr_i32(a: u32, by: u32) -> u32 = a >> by;
        select_i32(m: bool, a: u32, b: u32) -> u32 = if m { a } else { b };
        and(a: bool, b: bool) -> bool = a & b;
        or(a: bool, b: bool) -> bool = a | b;
    }
}

/// The operations that are derived.
const DERIVED: [Arith; 5] = [Arith::Add, Arith::Mul, Arith::Div, Arith::Sqrt, Arith::Fma];

fn derived(ty: Prim, arith: Arith, d: Direction, row: [u64; 3]) -> u64 {
    let m = &mut Plain;
    if ty == Prim::F64 {
        let [a, b, c] = row.map(f64::from_bits);
        let r = match arith {
            Arith::Add => add_f64(m, d, a, b),
            Arith::Mul => mul_f64(m, d, a, b),
            Arith::Div => div_f64(m, d, a, b),
            Arith::Sqrt => sqrt_f64(m, d, a),
            _ => fma_f64(m, d, a, b, c),
        };
        crate::interp::canonical(ty, r.to_bits())
    } else {
        let [a, b, c] = row.map(|x| f32::from_bits(x as u32));
        let r = match arith {
            Arith::Add => add_f32(m, d, a, b),
            Arith::Mul => mul_f32(m, d, a, b),
            Arith::Div => div_f32(m, d, a, b),
            Arith::Sqrt => sqrt_f32(m, d, a),
            _ => fma_f32(m, d, a, b, c),
        };
        crate::interp::canonical(ty, r.to_bits().into())
    }
}

/// Numbers of every kind; products, quotients and roots that underflow or are very near to a number; addends that
/// cancel, or are far below or above.
fn hard(ty: Prim) -> Vec<[u64; 3]> {
    let (digits, top) = if ty == Prim::F64 { (52, 11) } else { (23, 8) };
    let bias = (1i64 << (top - 1)) - 1;
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let mut rows = Vec::new();
    let plain = |op, args: &[&u64]| Bits.op(op, &[ty; 3][..args.len()], args);
    for i in 0..60_000 {
        let mut number = |biased: i64| {
            let word = random();
            let kept = !0u64 << ((word >> 52 & 63).min(digits) * (word >> 51 & 1));
            let fraction = word & ((1 << digits) - 1) & kept;
            let (biased, fraction) = match biased {
                ..1 => {
                    let hidden = 1 << digits;
                    (0, (hidden | fraction) >> (1 - biased).min(63))
                }
                b => ((b as u64).min((1 << top) - 2), fraction),
            };
            word >> 63 << (digits + top) | biased << digits | fraction
        };
        let wide = digits as i64;
        let free = i * 7919 % (2 * bias);
        // The product's exponent: subnormal, vanishing, ordinary, overflowing.
        let product = [
            1 - wide - 4 + i % (wide + 12),
            bias,
            2 * bias - 2 + i % 5,
            i * 31 % (2 * bias),
        ];
        let product = product[i as usize / 4 % 4];
        let gap = [
            i % 5 - 2,
            i % (4 * wide) - 2 * wide,
            i * 17 % (4 * bias) - 2 * bias,
        ];
        let gap = gap[i as usize / 16 % 3];
        let (a, b) = (number(free), number(product - free + bias));
        let c = number(product + gap);
        rows.extend([[a, b, c], [c, b, a]]);
        let near = plain(Op::Mul, &[&a, &b]);
        rows.push([a, b, plain(Op::Neg, &[&near]) ^ (i as u64 & 3)]);
        rows.push([near ^ (i as u64 & 1), b, c]);
        rows.push([plain(Op::Mul, &[&c, &c]) ^ (i as u64 & 1), c, a]);
    }
    rows
}

#[test]
fn derived_results_are_the_interpreters() {
    for ty in [Prim::F64, Prim::F32] {
        let rows = [crate::interp::directed_triples(ty), hard(ty)].concat();
        for arith in DERIVED {
            for d in Direction::ALL {
                let wrong = |row: &&[u64; 3]| {
                    let args: Vec<&u64> = row[..arith.operands()].iter().collect();
                    let want = Bits.op(Op::Directed(arith, d), &[ty; 3][..args.len()], &args);
                    derived(ty, arith, d, **row) != want
                };
                let first = rows.iter().find(wrong);
                assert_eq!(first, None, "{arith:?} {d:?} on {ty:?}");
            }
        }
    }
}
