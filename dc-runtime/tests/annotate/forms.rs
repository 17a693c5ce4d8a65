//! The forms of plain functions: attributes, items inside, calls, tables, the standard library's names.

use crate::compare::agree;
use dc_runtime::prelude::*;

pub mod polynomials {
    use dc_runtime::prelude::crunch;

    const C: [f64; 4] = [
        1.0,
        0.5,
        0.166_666_666_666_666_66,
        0.041_666_666_666_666_664,
    ];

    /// A polynomial, called from elsewhere.
    #[crunch]
    #[inline]
    #[must_use]
    pub fn series(x: f64) -> f64 {
        debug_assert!(!x.is_nan() || x.is_nan());
        let mut sum = 0.0;
        for i in (0..C.len()).rev() {
            sum = sum * x + C[i];
        }
        sum
    }
}

#[crunch]
fn caller(x: f64) -> f64 {
    #[rustfmt::skip]
    let unused = 3;
    1.0 + x * polynomials::series(x * 0.5) + own(x, 2.0)
}

#[crunch]
#[inline(never)]
fn own(x: f64, y: f64) -> f64 {
    x - y
}

/// Lanes call a plain function's kernel by its name.
#[crunch]
fn lanes(x: DcDouble) -> DcDouble {
    own(x, 1.0) + polynomials::series(x)
}

#[crunch]
fn scaled<const N: u32>(x: f32) -> f32 {
    x * f32::from_bits((127 + N) << 23)
}

#[crunch]
fn by_generic(x: f32) -> f32 {
    scaled::<3>(x) - scaled::<1>(x)
}

#[crunch]
fn items(x: f32) -> f32 {
    use std::f32::consts::PI;
    const HALF: f32 = 0.5;
    static TABLE: [f32; 5] = [1.0, 2.0, 4.0, 8.0, 16.0];
    {
        const QUARTER: f64 = HALF as f64 / 2.0;
        let i = (x.abs() as u32) % 5;
        let t = unsafe { *TABLE.get_unchecked(i as usize) };
        (x * PI + t * HALF + TABLE[(i / 2) as usize]) * QUARTER as f32
    }
}

#[crunch]
fn names(x: f64) -> f64 {
    let a = f64::abs(x) + f64::from(x as f32);
    let b = f64::from_bits(a.to_bits() & 0xffff_ffff_0000_0000) * f64::EPSILON;
    if b.is_finite() && a < f64::INFINITY {
        a.mul_add(core::f64::consts::LN_2, b)
    } else {
        f64::NAN
    }
}

#[crunch]
fn rounded(x: f64) -> (f64, f64, f64, f64) {
    (x.round(), x.floor() + x.ceil(), x.fract(), x.signum())
}

#[crunch]
fn rounded32(x: f32) -> (f32, f32, f32, f32) {
    (x.round(), x.trunc(), x.fract(), x.signum())
}

#[crunch]
fn extremes(x: f32, y: f32) -> (f32, f32, f32) {
    (x.min(y), f32::max(x, y), x.clamp(-1.0, 2.5))
}

#[crunch]
fn extremes64(x: f64, y: f64) -> (f64, f64) {
    (x.min(y), x.max(y))
}

#[crunch]
fn tests_of(x: f32) -> bool {
    x.is_normal() ^ x.is_subnormal() || x.is_infinite() && !x.is_nan()
}

#[crunch]
fn degrees(x: f32, y: f64) -> (f32, f32, f64, f64) {
    (
        x.to_degrees(),
        x.to_radians(),
        y.to_degrees(),
        y.to_radians(),
    )
}

#[crunch]
fn truth(a: bool, b: bool) -> bool {
    let mut c = a == b;
    if a & !b {
        c = false;
    }
    c ^ (a != b)
}

mod libm {
    pub fn fabsf(x: f32) -> f32 {
        x.abs()
    }
    pub fn fma(x: f64, y: f64, z: f64) -> f64 {
        x.mul_add(y, z)
    }
}

#[crunch]
fn powers(x: f32, y: f64) -> (f32, f64, f32, f64) {
    (
        x.powi(3) + (x - 1.0).powi(-2),
        y.powi(0) - y.powi(7),
        f32::midpoint(x, libm::fabsf(x) * 3.0),
        y.midpoint(libm::fma(y, 2.0, 1.0)),
    )
}

#[crunch]
fn arrays(x: f32, n: u32) -> f32 {
    let weights = [1.0, -2.5, 4.0, 0.125];
    let odd: [u32; 3] = [1, 3, 1 << 4];
    const BYTES: [u8; 4] = [200, 1, 7, 9];
    let mut sum = 0.0;
    for i in 0..4 {
        sum += weights[i] * (x + BYTES[i] as f32);
        sum = sum.max(x);
    }
    let at = (n % 3) as usize;
    sum + (odd[at] + u32::from(BYTES[at])) as f32 * weights[weights.len() - 1]
}

#[crunch]
fn with_a_function_inside(x: f32) -> f32 {
    const HALF: f32 = 0.5;
    debug_assert!(HALF > 0.0);
    fn inner(y: f32, n: u32) -> f32 {
        if n > 3 {
            return y;
        }
        y + 1.0
    }
    let a = inner(x, 2);
    a * inner(a, 7)
}

/// The attribute on a module is on all of its functions of plain numbers.
#[crunch(limit = 3)]
mod marked {
    pub fn outermost(x: f32) -> f32 {
        let mut y = size(x);
        while y > 1.0 {
            y *= 0.125;
            if y > 50.0 {
                return y;
            }
        }
        y
    }

    fn size(x: f32) -> f32 {
        if x > 0.0 {
            return x.min(300.0);
        }
        (-x).min(200.0)
    }

    pub fn name() -> &'static str {
        "no kernel"
    }
}

const COEFFICIENTS: [f64; 4] = [0.25, -0.5, 3.0, 1.0];

#[crunch]
fn over_tables(x: f64) -> f64 {
    let mut p = 0.0;
    for c in [1.0, 0.5, -2.0] {
        p = p * x + c;
    }
    for &c in COEFFICIENTS.iter().rev() {
        if p > 100.0 {
            break;
        }
        p = p * x + c;
    }
    let local = [4, 5u32];
    for n in &local {
        p += *n as f64;
    }
    for c in COEFFICIENTS {
        p -= c;
    }
    p
}

#[crunch]
fn pieces(a: u8, b: i16) -> u8 {
    let c = a.wrapping_mul(3) ^ (b as u8);
    if b < -5 { c.max(a) } else { c >> 2 }
}

#[crunch]
fn sizes(a: usize, b: isize) -> usize {
    (a >> 3) + (b as usize & 0xff)
}

#[crunch]
fn transmuted(x: f32) -> f32 {
    let bits = unsafe { std::mem::transmute::<f32, u32>(x) };
    unsafe { std::mem::transmute::<u32, f32>(bits & 0x7fff_ff00) }
}

#[crunch]
fn unchecked(x: f32) -> i32 {
    let y = x.clamp(-100.0, 100.0);
    if y.is_nan() {
        return 0;
    }
    // SAFETY: it is in range.
    unsafe { y.to_int_unchecked::<i32>() }
}

#[test]
fn other_forms() {
    agree!(powers, (f32, f64));
    agree!(arrays, (f32, u32));
    agree!(over_tables, (f64));
    {
        use marked::outermost;
        agree!(outermost, (f32));
        assert_eq!(marked::name(), "no kernel");
    }
    agree!(with_a_function_inside, (f32));
    agree!(pieces, (u8, i16));
    agree!(sizes, (usize, isize));
    agree!(transmuted, (f32), if |(x,)| !x.is_nan());
    agree!(unchecked, (f32));
}

#[test]
fn calls() {
    agree!(caller, (f64));
    agree!(own, (f64, f64));
    agree!(by_generic, (f32));
    crate::compare::agrees::<lanes, (f64,), f64>(
        |(x,)| own(x, 1.0) + polynomials::series(x),
        |_| true,
    );
    let (x, mut y) = ([1.0, 2.0, 3.0, 4.0, 5.0], [0.0; 5]);
    polynomials::series::map(&x, &mut y);
    assert_eq!(y, x.map(polynomials::series));
    assert_eq!(own::eval(3.0, 1.0), own(3.0, 1.0));
}

#[test]
fn library_names() {
    agree!(items, (f32));
    agree!(names, (f64));
    agree!(rounded, (f64));
    agree!(rounded32, (f32));
    // Of zeros of both signs either may be the result.
    let unequal = |(x, y): (f32, f32)| x != y;
    agree!(extremes, (f32, f32), if unequal);
    agree!(extremes64, (f64, f64), if |(x, y)| x != y);
    agree!(tests_of, (f32));
    agree!(degrees, (f32, f64));
    agree!(truth, (bool, bool), if |_| true);
}
