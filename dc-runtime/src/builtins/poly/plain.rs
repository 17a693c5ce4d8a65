//! Polynomials in the working precision.

use crate::prelude::{DcDouble, DcFloat, crunch};

/// Horner's scheme, with one fused multiply-add per coefficient.
#[crunch]
pub fn horner(
    x: DcDouble,
    #[length(2.., "a polynomial of degree 0 is a constant: write the constant, or give a table of two coefficients and more")]
    c: &[f64],
) -> DcDouble {
    let mut y = c[c.len() - 1];
    for i in (0..c.len() - 1).rev() {
        y = y.mul_add(x, c[i]);
    }
    y
}

/// `horner` in binary32.
#[crunch]
pub fn horner_f32(
    x: DcFloat,
    #[length(2.., "a polynomial of degree 0 is a constant: write the constant, or give a table of two coefficients and more")]
    c: &[f32],
) -> DcFloat {
    let mut y = c[c.len() - 1];
    for i in (0..c.len() - 1).rev() {
        y = y.mul_add(x, c[i]);
    }
    y
}

/// Horner's scheme, with one product and one sum per coefficient, rounded separately.
#[crunch]
pub fn horner_no_fma(
    x: DcDouble,
    #[length(2.., "a polynomial of degree 0 is a constant: write the constant, or give a table of two coefficients and more")]
    c: &[f64],
) -> DcDouble {
    let mut y = c[c.len() - 1];
    for i in (0..c.len() - 1).rev() {
        y = y * x + c[i];
    }
    y
}

/// Horner's scheme in `x²` for even and for odd coefficients: two independent chains of half the length.
///
/// A coefficient goes through at most (n + 1) / 2 fused operations, as many rounded `x²`, and the last one.
#[crunch]
pub fn even_odd(
    x: DcDouble,
    #[length(2.., "a polynomial of degree 0 is a constant: write the constant, or give a table of two coefficients and more")]
    c: &[f64],
) -> DcDouble {
    let xx = x * x;
    let mut even = c[2 * ((c.len() + 1) / 2 - 1)];
    for i in (0..(c.len() + 1) / 2 - 1).rev() {
        even = even.mul_add(xx, c[2 * i]);
    }
    let mut odd = c[2 * (c.len() / 2 - 1) + 1];
    for i in (0..c.len() / 2 - 1).rev() {
        odd = odd.mul_add(xx, c[2 * i + 1]);
    }
    odd.mul_add(x, even)
}

/// Estrin's scheme: neighbouring coefficients are combined by `x`, pairs by `x²`, groups of four by `x⁴`, and so on. This is the shortest
/// chain of operations. Up to degree 127.
///
/// The combinations follow a binary counter over the pairs: a complete group (`p2` of two coefficients, `p4` of four, …) is kept until the
/// next group of its size is complete.
#[crunch]
pub fn estrin(
    x: DcDouble,
    #[length(2..=128, "`estrin` takes polynomials of degree 1 to 127: a constant needs no scheme, and for more coefficients there is `even_odd`")]
    c: &[f64],
) -> DcDouble {
    let x2 = if c.len() > 2 { x * x } else { x };
    let x4 = if c.len() > 4 { x2 * x2 } else { x };
    let x8 = if c.len() > 8 { x4 * x4 } else { x };
    let x16 = if c.len() > 16 { x8 * x8 } else { x };
    let x32 = if c.len() > 32 { x16 * x16 } else { x };
    let x64 = if c.len() > 64 { x32 * x32 } else { x };
    let mut p2 = x;
    let mut p4 = x;
    let mut p8 = x;
    let mut p16 = x;
    let mut p32 = x;
    let mut p64 = x;
    let mut p128 = x;
    for i in 0..(c.len() + 1) / 2 {
        let mut t = c[2 * i];
        if 2 * i + 1 < c.len() {
            t = x.mul_add(c[2 * i + 1], t);
        }
        if i % 2 == 1 {
            t = t.mul_add(x2, p2);
        }
        if i % 4 == 3 {
            t = t.mul_add(x4, p4);
        }
        if i % 8 == 7 {
            t = t.mul_add(x8, p8);
        }
        if i % 16 == 15 {
            t = t.mul_add(x16, p16);
        }
        if i % 32 == 31 {
            t = t.mul_add(x32, p32);
        }
        if i % 64 == 63 {
            t = t.mul_add(x64, p64);
        }
        if i % 2 == 0 {
            p2 = t;
        }
        if i % 4 == 1 {
            p4 = t;
        }
        if i % 8 == 3 {
            p8 = t;
        }
        if i % 16 == 7 {
            p16 = t;
        }
        if i % 32 == 15 {
            p32 = t;
        }
        if i % 64 == 31 {
            p64 = t;
        }
        if i % 128 == 63 {
            p128 = t;
        }
    }
    // The groups that are still kept are joined, from the highest coefficients (the smallest groups) down. A digit of
    // the number of pairs determines whether there is a group of that size; the remainder, whether there was one above it.
    let mut y = p2;
    if (c.len() + 1) / 2 % 4 >= 2 {
        y = if (c.len() + 1) / 2 % 2 > 0 {
            y.mul_add(x4, p4)
        } else {
            p4
        };
    }
    if (c.len() + 1) / 2 % 8 >= 4 {
        y = if (c.len() + 1) / 2 % 4 > 0 {
            y.mul_add(x8, p8)
        } else {
            p8
        };
    }
    if (c.len() + 1) / 2 % 16 >= 8 {
        y = if (c.len() + 1) / 2 % 8 > 0 {
            y.mul_add(x16, p16)
        } else {
            p16
        };
    }
    if (c.len() + 1) / 2 % 32 >= 16 {
        y = if (c.len() + 1) / 2 % 16 > 0 {
            y.mul_add(x32, p32)
        } else {
            p32
        };
    }
    if (c.len() + 1) / 2 % 64 >= 32 {
        y = if (c.len() + 1) / 2 % 32 > 0 {
            y.mul_add(x64, p64)
        } else {
            p64
        };
    }
    if (c.len() + 1) / 2 == 64 {
        y = p128;
    }
    y
}
