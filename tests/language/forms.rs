//! Statements: literals, loops, branches, tuples, const generics, calls, names. Most kernels are those of the passing
//! ui programs, compared with plain Rust here on many inputs.

use doublecrunch::prelude::*;

use crate::check::kernels;

macro_rules! programs {
    ($($name:ident $path:literal)+) => {$(
        #[allow(dead_code, unreachable_pub, reason = "a program of its own, with a `main`")]
        #[path = $path]
        mod $name;
    )+};
}
programs! {
    const_generics "../ui-messages/tests/ui/pass/const_generics.rs"
    const_if "../ui-messages/tests/ui/pass/const_if.rs"
    hygiene "../ui-messages/tests/ui/pass/hygiene.rs"
    loops "../ui-messages/tests/ui/pass/loops.rs"
    mask_if "../ui-messages/tests/ui/pass/mask_if.rs"
    shadowing "../ui-messages/tests/ui/pass/shadowing.rs"
    straight_line "../ui-messages/tests/ui/pass/straight_line.rs"
    table_forms "../ui-messages/tests/ui/pass/tables.rs"
    tuples "../ui-messages/tests/ui/pass/tuples.rs"
}

mod outer {
    use doublecrunch::prelude::*;

    pub mod inner {
        use doublecrunch::prelude::*;

        const HALF: f64 = 0.5;

        #[crunch]
        pub fn halved(x: DcDouble) -> DcDouble {
            x * HALF
        }
    }
    pub use inner::halved as half;

    #[crunch]
    pub fn step<const N: usize>(x: DcDouble, y: DcDouble) -> (DcDouble, DcMask) {
        let mut r = y;
        for _ in 0..N {
            r = half(r + x / r);
        }
        (r, r != y)
    }
}
use outer::step as heron;

const COEFFS: [f64; 4] = [1.0, -0.5, 0.375, -0.3125];

/// Helpers through renames and re-exports, of this crate and of the library.
#[crunch]
fn calls(x: DcDouble, y: DcDouble) -> (DcDouble, DcMask, DcDoubleDouble, DcDouble) {
    let (root, changed) = heron::<3>(x, y);
    let product = two_prod(root, root);
    (root, changed, product, horner(x, &COEFFS))
}

/// A value that only some lanes continue to compute: loops whose end depends on the data, as kernels write them.
#[crunch]
fn collatz(n: DcLong) -> (DcLong, DcLong) {
    let mut n = n;
    let mut steps = 0;
    for _ in 0..20 {
        if n > 1 {
            n = if n & 1 == 0 { n >> 1 } else { 3 * n + 1 };
            steps += 1;
        }
    }
    (n, steps)
}

/// The expected result of a kernel that returns its parameters: their bits, with NaNs canonical.
#[crunch]
fn unchanged(
    x: DcDouble,
    y: DcFloat,
    n: DcLong,
    m: DcMask,
) -> (DcDouble, (DcFloat, (DcLong, DcMask))) {
    (x, (y, (n, m)))
}

fn both(x: f64) -> (f64, f64, f64) {
    if x > 0.0 {
        (1.0 + x, 2.0, (1.0 + x) * 10.0)
    } else {
        let b = if x < -1.0 { 2.0 - x } else { 2.0 + x };
        (1.0, b, b * 10.0)
    }
}

fn nested(x: f64) -> f64 {
    let y = if x > 2.0 { 100.0 } else { x };
    match x {
        _ if x > 1.0 => y + 2.0,
        _ if x > 0.0 => y + 1.0,
        _ => y,
    }
}

fn many(x: f64) -> f64 {
    if x > 1.0 {
        let (known, i) = (1.0 + 2.0 + 3.0 + 4.0 + 5.0 + 6.0, x as i64 as f64);
        known + x + x + i + x + f64::from(x as f32)
    } else {
        x + x + x + x + x + x + 7.0 + 8.0 + 9.0 + 10.0 + 0.5
    }
}

fn masks(x: f64) -> bool {
    let inside = (x > 0.0 && x < 1.0) || x == 2.0;
    let outside = x < -5.0;
    (if x.is_nan() { inside } else { inside | outside }) & (x <= 3.0)
}

fn digits(x: f64) -> f64 {
    [1.0, 2.0, 3.0, 5.0, 4.0, 6.0, 8.0, 2.0, 0.0]
        .iter()
        .fold(x, |y, digit| y * 10.0 + digit)
}

fn table_sum(x: f64) -> f64 {
    let horner = |c: &[f64]| {
        c.iter()
            .rev()
            .skip(1)
            .fold(c[c.len() - 1], |r, c| r.mul_add(x, *c))
    };
    let four = horner(&[1.0, 2.0, 3.0, 4.0]) + horner(&[100.0]) + (x * 4.0 + 1.0);
    let two = horner(&[0.5, 0.25]) + horner(&[8.0, 16.0]) + horner(&[10.0, 20.0]);
    let (long, int) = ((x as i64 & 1) as usize, (x as i32 & 1) as usize);
    let lanes = [10.0, 20.0][long] + [1.0, 2.0][long] + [-1.0, 7.0][int];
    four + two + lanes + 4.0 + 3.0 + 2.0
}

fn shadows(x: f64) -> f64 {
    let x = x + 100.0;
    let inner = x * 2.0 + 1.0;
    (((x + 10.0) + 20.0) + 40.0) + inner + 100.0
}

fn compensated(x: f64) -> f64 {
    let (mut s, mut e) = (x, 0.0);
    for _ in 0..3 {
        let t = s + 1e-17;
        let seen = t - s;
        e += (s - (t - seen)) + (1e-17 - seen);
        s = t;
    }
    e + s
}

fn two_sum_oracle(a: f64, b: f64) -> (f64, f64) {
    let s = a + b;
    let seen = s - a;
    (s, (a - (s - seen)) + (b - seen))
}

fn dd(hi: f64, lo: f64) -> DoubleDouble {
    DoubleDouble { hi, lo }
}

/// The bits of a number as a kernel sees them.
fn bits(x: f64) -> u64 {
    if x.is_nan() {
        0x7ff8_0000_0000_0000
    } else {
        x.to_bits()
    }
}
fn bits_f32(x: f32) -> u32 {
    if x.is_nan() { 0x7fc0_0000 } else { x.to_bits() }
}

fn collatz_oracle(n: i64) -> (i64, i64) {
    (0..20).fold((n, 0), |(n, steps), _| match n {
        ..=1 => (n, steps),
        _ if n % 2 == 0 => (n / 2, steps + 1),
        _ => (n.wrapping_mul(3).wrapping_add(1), steps + 1),
    })
}

kernels! {
    literals_and_return: straight_line::polynomial = |(x,)| {
        let y = -x * 0.5 + 100.025;
        (y - x).mul_add(2.0, -1.0) / 4.0
    };
    literals_of_bits: straight_line::bits = |(x,)| {
        let sign = bits(x) & 1 << 63;
        let low = ((u64::MAX ^ sign) << 32) >> 32;
        (low & 0xffff_ffff | 1 << 40) as i64
    };
    literals_of_binary32: straight_line::narrow = |(x,)| f32::from_bits(bits_f32(x)) + 0.1 + 0.5;
    rounding_by_a_large_number: straight_line::magic = |(x,)| ((x + 6755399441055744.0) - 6755399441055744.0) + 0.0;
    ranges_of_all_forms: loops::digits = |(x,)| digits(x);
    loops_in_loops: loops::sums = |(x,)| 0.0 + 2.0 * x + 7.0 * x;
    index_variables: loops::count = |(x,)| x << 4;
    generics_in_calls: const_generics::user = |(x,)| -(x * x * x) + x * x * x * x + x * x;
    generic_count: const_generics::power<5> = |(x,)| x * x * x * x * x;
    generic_truth: const_generics::maybe_negative<true, 2> = |(x,)| -(x * x);
    generic_word: const_generics::masked<{ u64::MAX << 51 }, 1> = |(x,)| {
        f64::from_bits((bits(x) & u64::MAX << 51).wrapping_add(1))
    };
    generic_half_word: const_generics::narrow<{ u32::MAX << 22 }, -1> = |(x,)| {
        f32::from_bits((bits_f32(x) & u32::MAX << 22).wrapping_sub(1))
    };
    branch_of_constants: const_if::pick<1> = |(x,)| x * 2.0 + 1.0 + 1.0;
    second_branch_of_constants: const_if::pick<7> = |(x,)| -x + 1.0;
    last_branch_of_constants: const_if::pick<9> = |(x,)| x + 1.0;
    assignments_under_masks: mask_if::clamp = |(x,)| x.clamp(0.0, 1.0);
    values_under_masks: mask_if::both = |(x,)| both(x);
    masks_in_masks: mask_if::nested = |(x,)| nested(x);
    many_variables_under_a_mask: mask_if::many = |(x,)| many(x);
    truth_under_masks: mask_if::masks = |(x,)| masks(x);
    one_name_many_variables: shadowing::user = |(x,)| shadows(x);
    made_by_macro_rules: hygiene::wide = |(x,)| x * 0.5 + x;
    made_by_macro_rules_narrow: hygiene::narrow = |(x,)| x * 0.5 + x;
    names_of_two_contexts: hygiene::mixed = |(x, y)| y + -(y * 2.0 + 1.0) + x * 100.0;
    tables_of_all_forms: table_forms::all = |(x,)| table_sum(x);
    tuple_as_result: tuples::two_sum = |(a, b)| two_sum_oracle(a, b);
    tuple_in_tuple: tuples::nested = |((x, (y, n)),)| ((x + f64::from(y), x > 0.0), n << 1);
    tuple_assignments: tuples::compensated = |(x,)| compensated(x);
    double_double_as_result: tuples::product = |(a, b)| dd(a * b, a.mul_add(b, -(a * b)));
    double_double_as_parameter: tuples::words = |(d,)| (d.hi - d.lo,);
    calls_of_helpers: calls = |(x, y)| {
        let root = (0..3).fold(y, |r, _| (r + x / r) * 0.5);
        let product = dd(root * root, root.mul_add(root, -(root * root)));
        let value = COEFFS[..3].iter().rev().fold(COEFFS[3], |r, c| r.mul_add(x, *c));
        (root, root != y, product, value)
    };
    lanes_that_finish_early: collatz = |(n,)| collatz_oracle(n);
    parameters_as_results: unchanged = |(x, y, n, m)| (x, (y, (n, m)));
}
