//! Random chains of operations on the bits of a number, compared with the integers that they give.

use dashu_int::IBig;

use super::Line;
use crate::cell::exactly::within;
use crate::cell::random::{Words, cell, compare, parsed};
use crate::cell::residual::Index;
use crate::num::dyadic::Dyadic;

impl Line {
    /// The number to which the bits belong.
    pub(in crate::cell) fn operand(&self) -> Index {
        self.of
    }

    /// Whether it is this integer if the operand has these bits, or claims nothing.
    pub(in crate::cell) fn holds(&self, of: u64, integer: i64) -> bool {
        let numerator = IBig::from(self.times) * IBig::from(of as i64) + IBig::from(self.plus);
        let line = Dyadic(numerator, -i64::from(self.shift));
        let removed = line.minus(&Dyadic(IBig::from(integer), 0));
        let zeros = integer == 0 || integer.trailing_zeros() >= self.zeros;
        !self.certain || zeros && within(self.removed, &removed, 0)
    }
}

/// An operation on the integer `w`, and its constant.
fn any(random: &mut Words, w: i64, number: &dyn Fn(&mut Words) -> i64) -> (&'static str, i64) {
    let n = match random.below(4) {
        0 => random.below(4),
        _ => random.below(60),
    } as u32;
    let c = match random.below(5) {
        0 => random.below(1 << 20) as i64 - (1 << 19),
        1 => w.wrapping_neg(),
        2 => random.of(&[i64::MAX, i64::MIN]).wrapping_sub(w),
        _ => number(random).wrapping_sub(w),
    };
    let factors = [3, -1, 5, 7, 0x5555_5556, 0, -96, 1 << 30];
    match random.below(14) {
        0 | 1 => ("add", c),
        2 => ("sub", c.wrapping_neg()),
        3 => ("from", c.wrapping_add(w).wrapping_add(w)),
        4 | 5 => ("mul", random.of(&factors)),
        6 => ("neg", 0),
        7 => ("shl", i64::from(n)),
        8 | 9 => ("shr", i64::from(n)),
        10 | 11 => ("shr_logical", i64::from(n)),
        12 if random.below(2) == 0 => ("to_i32", 0),
        _ => match random.below(4) {
            0 => ("and", i64::MAX),
            1 => ("and", (1 << n) - 1),
            2 => ("and", random.next() as i64),
            _ => ("and", -1 << n),
        },
    }
}

/// The text of a kernel that makes a number from the bits of its argument, whose least value is `x`.
fn chain(random: &mut Words, x: f64) -> String {
    let mut text = String::from("doublecrunch ir 1\nfn f0\n  %0: f64 = param\n");
    let mut count = 1;
    let mut push = |ty: &str, what: String| {
        text += &format!("  %{count}: {ty} = {what}\n");
        count += 1;
        count - 1
    };
    let mut v = push("i64", "to_bits %0".into());
    // What the chain gives at x, so that constants bring it to where lines end.
    let mut w = x.to_bits() as i64;
    let number = |random: &mut Words| {
        let field = match random.below(3) {
            0 => random.of(&[0, 1, 2, 62, 63, 64, 2045, 2046, 2047]),
            1 => 1023,
            _ => random.below(2048) as i64,
        };
        field << 52 | (random.next() >> 12) as i64 & -(1 << random.below(52))
    };
    let first = w;
    let plan = random.below(6);
    let steps = match plan {
        0 => 5,
        1 => 2,
        2 => 4,
        _ => 1 + random.below(5),
    };
    let n = random.below(40) as i64;
    let odd = [7, 11, -13, 4097][random.below(4) as usize];
    for step in 0..steps {
        let (op, c) = match (plan, step) {
            // Nothing is removed, although there is a shift.
            (0, 0) => ("sub", first),
            (2, 0) => ("sub", first - ((1 << 30) + random.below(1 << 30) as i64)),
            (0, 1) => ("mul", odd),
            (0, 2) => ("shl", n),
            (0, 3) => ("shr", n),
            // To the nearest multiple.
            (1, 0) => ("add", 1 << n),
            (1, _) => ("and", -2 << n),
            // Masks of all bits that there are, and of others.
            (2, 1) => ("shr", n / 2),
            (2, 2) => {
                let all = 1i64 << (64 - w.leading_zeros()).min(60);
                ("and", all + random.of(&[-1, -1, 1]))
            }
            _ if step + 1 == steps && random.below(4) > 0 => {
                ("add", number(random).wrapping_sub(w))
            }
            _ => any(random, w, &number),
        };
        w = match op {
            "add" => w.wrapping_add(c),
            "sub" => w.wrapping_sub(c),
            "from" => c.wrapping_sub(w),
            "mul" => w.wrapping_mul(c),
            "neg" => w.wrapping_neg(),
            "shl" => w << c,
            "shr" => w >> c,
            "shr_logical" => (w as u64 >> c) as i64,
            "to_i32" => w as i32 as i64,
            _ => w & c,
        };
        v = match op {
            "neg" => push("i64", format!("neg %{v}")),
            "to_i32" => {
                let narrow = push("i32", format!("to_i32 %{v}"));
                push("i64", format!("to_i64 %{narrow}"))
            }
            _ => {
                let c = push("i64", format!("const {c:#x}"));
                match op {
                    "from" => push("i64", format!("sub %{c}, %{v}")),
                    "add" | "mul" | "and" if random.below(2) == 0 => {
                        push("i64", format!("{op} %{c}, %{v}"))
                    }
                    _ => push("i64", format!("{op} %{v}, %{c}")),
                }
            }
        };
    }
    let last = push("f64", format!("from_bits %{v}"));
    text + &format!("  return %{last}\n")
}

/// Each line is the integer minus what is removed, and each number made from one is its affine function and a deviation.
#[test]
fn chains_of_operations_on_bits_are_their_lines() {
    let mut random = Words(11);
    let mut counts = [0; 2];
    for _ in 0..12_000 {
        let (lo, hi) = match random.below(6) {
            0 => {
                // Few inputs, at an end of the subnormal numbers, of the format, or anywhere.
                let last = random.of(&[1 << 52, f64::MAX.to_bits() + 1, 1023 << 52]);
                let wide = random.below(52);
                let first = last - 2 - random.below(1 << wide);
                let last = match random.below(3) {
                    0 => first + 1 + random.below(last - first - 1),
                    _ => last - 1,
                };
                (f64::from_bits(first), f64::from_bits(last))
            }
            1 => {
                let lo = cell(&mut random).0.abs().min(1e300);
                (lo, f64::from_bits(lo.to_bits() + 1 + random.below(1 << 14)))
            }
            _ => cell(&mut random),
        };
        let text = chain(&mut random, lo);
        let program = parsed::program(&text);
        let (_, more) = compare(&program, &text, (lo, hi), 4, &mut random);
        for (count, n) in counts.iter_mut().zip(more) {
            *count += n;
        }
    }
    println!("numbers, lines: {counts:?}");
    assert!(counts[0] > 2000 && counts[1] > 10_000, "{counts:?}");
}

/// Factors that are not doubles, sums that are too large, and too many bits below the binary point have no line.
#[test]
fn what_is_too_large_is_no_line() {
    let line = Line::of_bits(0, 0, 0);
    let odd = 1.0f64.to_bits() | 1;
    for c in [(1 << 53) + 1, -(1 << 53) - 1, (1 << 54) + 3] {
        let times = line.cleared(1).and_then(|l| l.times(c));
        assert!(times.is_none_or(|l| l.holds(odd, (odd as i64 - 1).wrapping_mul(c))));
        assert!(times.is_none());
    }
    let twice = |l: Line, f: &dyn Fn(Line) -> Option<Line>| f(l).and_then(f);
    assert!(twice(line, &|l| l.shifted(32)).is_some());
    assert!(twice(line, &|l| l.shifted(33)).is_none());
    assert!(twice(line, &|l| l.times(1 << 29)).is_some());
    assert!(twice(line, &|l| l.times(1 << 30)).is_none());
    assert!(line.cleared(59).is_some() && line.cleared(62).is_none());
}

/// The cleared part of a sum is the number's own lowest part only if the sum leaves that part unchanged.
#[test]
fn a_carry_into_the_upper_part_is_not_put_together() {
    let line = Line::of_bits(0, 0, 0);
    let upper = |plus: i128| (line.raised(plus)?.cleared(4)?.raised(-plus)?).joined(4);
    assert!(upper(1 << 4).is_some() && upper(3 << 20).is_some());
    for plus in [1, 8, 15, -1] {
        // Where the number ends in ones, the upper part has a carry: the sum would be another number.
        assert!(upper(plus).is_none(), "{plus}");
    }
}
