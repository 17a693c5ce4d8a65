//! Functions with exact results, and functions with two results: remainders, parts of a number, sine with cosine.

/// Powers of two, exponents and significands in each format.
mod format {
    use dc_runtime::prelude::*;

    /// 2^n for n from -126 to 127.
    #[crunch]
    pub fn power_f32(n: DcInt) -> DcFloat {
        DcFloat::from_bits((n + 127) << 23)
    }
    /// 2^n for n from -1022 to 1023.
    #[crunch]
    pub fn power_f64(n: DcInt) -> DcDouble {
        DcDouble::from_bits((n.to_i64() + 1023) << 52)
    }

    /// The exponent bits of a normal number.
    #[crunch]
    pub fn exponent_f32(x: DcFloat) -> DcInt {
        x.to_bits().shr_logical(23) & 0xff
    }
    /// The exponent bits of a normal number.
    #[crunch]
    pub fn exponent_f64(x: DcDouble) -> DcInt {
        (x.to_bits().shr_logical(52) & 0x7ff).to_i32()
    }

    /// The significand of a normal number, from 1/2 to 1 in magnitude, with its sign.
    #[crunch]
    pub fn significand_f32(x: DcFloat) -> DcFloat {
        DcFloat::from_bits((x.to_bits() & 0x807f_ffff) | 0x3f00_0000)
    }
    /// The significand of a normal number, from 1/2 to 1 in magnitude, with its sign.
    #[crunch]
    pub fn significand_f64(x: DcDouble) -> DcDouble {
        DcDouble::from_bits((x.to_bits() & 0x800f_ffff_ffff_ffff) | 0x3fe0_0000_0000_0000)
    }
}
pub use format::*;

/// The kernels of a format with `digits` digits. The largest exponent is `top`; shifts beyond `most` change no result further.
macro_rules! kernels {
    (
        $lanes:ident $number:ident $name:literal: digits $digits:literal, top $top:literal, most $most:literal,
        $remainder:ident $power:ident $exponent:ident $significand:ident
    ) => {
        /// The kernels of functions with exact results or with two results.
        mod exact {
            use super::kernels::{cos, cospi, sin, sinpi};
            use crate::exact::{$exponent, $power, $significand};
            use dc_runtime::builtins::plain::$remainder;
            use dc_runtime::prelude::*;

            #[doc = concat!("`fmod` in ", $name, ".")]
            #[crunch]
            pub fn fmod(x: $lanes, y: $lanes) -> $lanes {
                $remainder(x, y)
            }

            #[doc = concat!("IEEE 754's `remainder` in ", $name, ".")]
            // The remainder by twice the divisor tells whether the quotient is even. The subtracted numbers are within a factor of two of
            // each other, so the differences are exact.
            #[crunch]
            pub fn remainder(x: $lanes, y: $lanes) -> $lanes {
                let b = y.abs();
                let rest = $remainder(x.abs(), b + b);
                let over = rest + rest > b;
                let once = over.select(rest - b, rest);
                let again = over & (once + once >= b);
                let nearest = again.select(once - b, once);
                x.is_sign_negative().select(-nearest, nearest)
            }

            #[doc = concat!("`modf` in ", $name, ".")]
            #[crunch]
            pub fn modf(x: $lanes) -> ($lanes, $lanes) {
                let whole = x.trunc();
                // Avoids the difference of two infinities.
                let part = (whole == x).select(0.0, x - whole);
                (part.copysign(x), whole)
            }

            #[doc = concat!("`frexp` in ", $name, ".")]
            #[crunch]
            pub fn frexp(x: $lanes) -> ($lanes, DcInt) {
                // Subnormal numbers are scaled to normal ones first.
                let small = x.abs() < $number::MIN_POSITIVE;
                let normal = small.select(x * $power($digits + 1), x);
                let below: DcInt = small.select($top + $digits, $top - 1);
                let as_it_is = (x == 0.0) | !(x.abs() < $number::INFINITY);
                let n: DcInt = as_it_is.select(0, $exponent(normal) - below);
                (as_it_is.select(x, $significand(normal)), n)
            }

            #[doc = concat!("`ldexp` in ", $name, ".")]
            // Two factors bring n into the range of normal exponents. A downward step rounds only if the final result is zero
            // anyway.
            #[crunch]
            pub fn ldexp(x: $lanes, n: DcInt) -> $lanes {
                let mut x = x;
                let mut n = n.clamp(-$most, $most);
                for _ in 0..2 {
                    let (over, under) = (n > $top, n < 1 - $top);
                    let less = under.select(x * $power(1 + $digits - $top), x);
                    x = over.select(x * $power($top), less);
                    let more = under.select(n - (1 + $digits - $top), n);
                    n = over.select(n - $top, more);
                }
                x * $power(n)
            }

            #[doc = concat!("`sincos` in ", $name, ".")]
            #[crunch]
            pub fn sincos(x: $lanes) -> ($lanes, $lanes) {
                (sin(x), cos(x))
            }

            #[doc = concat!("`sincospi` in ", $name, ".")]
            #[crunch]
            pub fn sincospi(x: $lanes) -> ($lanes, $lanes) {
                (sinpi(x), cospi(x))
            }
        }
        pub use exact::*;
    };
}
pub(crate) use kernels;

/// The functions of numbers or lanes that these kernels compute.
macro_rules! functions {
    ($kind:ident $number:ident) => {
        /// The remainder x - n y, where the integer n is x / y rounded toward zero. Exact; the same as Rust's `%`. NaN if x is infinite or
        /// y is zero.
        ///
        /// ```
        #[doc = concat!("assert_eq!(dc_math::", stringify!($number), "::fmod(-7.5, 2.0), -1.5);")]
        /// ```
        #[inline(always)]
        #[must_use]
        #[allow(clippy::inline_always, reason = "lanes must have the instruction set of the caller")]
        pub fn fmod<X: $crate::Value<dc_runtime::kernel::kind::$kind>>(x: X, y: X) -> X {
            x.two::<exact::fmod>(y)
        }

        /// The remainder x - n y, where n is the integer nearest to x / y, and the even one of two. Exact; IEEE 754's remainder. NaN if x
        /// is infinite or y is zero.
        ///
        /// ```
        #[doc = concat!("assert_eq!(dc_math::", stringify!($number), "::remainder(-7.5, 2.0), 0.5);")]
        /// ```
        #[inline(always)]
        #[must_use]
        #[allow(clippy::inline_always, reason = "lanes must have the instruction set of the caller")]
        pub fn remainder<X: $crate::Value<dc_runtime::kernel::kind::$kind>>(x: X, y: X) -> X {
            x.two::<exact::remainder>(y)
        }

        /// The fractional part and the integer part of x, both with the sign of x. Exact.
        ///
        /// ```
        #[doc = concat!("assert_eq!(dc_math::", stringify!($number), "::modf(-2.25), (-0.25, -2.0));")]
        /// ```
        #[inline(always)]
        #[must_use]
        #[allow(clippy::inline_always, reason = "lanes must have the instruction set of the caller")]
        pub fn modf<X: $crate::Value<dc_runtime::kernel::kind::$kind>>(x: X) -> (X, X) {
            x.pair::<exact::modf>()
        }

        /// The significand m and the exponent n with x = m 2^n and 1/2 <= |m| < 1. Zeros, infinities and NaN are returned as m, with n = 0.
        ///
        /// ```
        #[doc = concat!("assert_eq!(dc_math::", stringify!($number), "::frexp(-6.0), (-0.75, 3));")]
        /// ```
        #[inline(always)]
        #[must_use]
        #[allow(clippy::inline_always, reason = "lanes must have the instruction set of the caller")]
        pub fn frexp<X: $crate::Value<dc_runtime::kernel::kind::$kind>>(x: X) -> (X, X::Int) {
            x.parts::<exact::frexp>()
        }

        /// x 2^n for any n, rounded once.
        ///
        /// ```
        #[doc = concat!("assert_eq!(dc_math::", stringify!($number), "::ldexp(0.75, 3), 6.0);")]
        /// ```
        #[inline(always)]
        #[must_use]
        #[allow(clippy::inline_always, reason = "lanes must have the instruction set of the caller")]
        pub fn ldexp<X: $crate::Value<dc_runtime::kernel::kind::$kind>>(x: X, n: X::Int) -> X {
            x.scaled::<exact::ldexp>(n)
        }

        /// `(sin(x), cos(x))`, with the bits of the two functions.
        ///
        /// ```
        #[doc = concat!("assert_eq!(dc_math::", stringify!($number), "::sincos(0.0), (0.0, 1.0));")]
        /// ```
        #[inline(always)]
        #[must_use]
        #[allow(clippy::inline_always, reason = "lanes must have the instruction set of the caller")]
        pub fn sincos<X: $crate::Value<dc_runtime::kernel::kind::$kind>>(x: X) -> (X, X) {
            x.pair::<exact::sincos>()
        }

        /// `(sinpi(x), cospi(x))`, with the bits of the two functions.
        ///
        /// ```
        #[doc = concat!("assert_eq!(dc_math::", stringify!($number), "::sincospi(0.5), (1.0, 0.0));")]
        /// ```
        #[inline(always)]
        #[must_use]
        #[allow(clippy::inline_always, reason = "lanes must have the instruction set of the caller")]
        pub fn sincospi<X: $crate::Value<dc_runtime::kernel::kind::$kind>>(x: X) -> (X, X) {
            x.pair::<exact::sincospi>()
        }
    };
}
pub(crate) use functions;
