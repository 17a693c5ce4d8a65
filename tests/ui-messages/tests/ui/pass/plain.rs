//! A plain function with `#[crunch]` is that function, without a warning of any lint; its kernel stands beside it.

#![deny(warnings, missing_docs, unused, unreachable_pub)]
#![warn(clippy::all, clippy::pedantic, clippy::nursery, clippy::allow_attributes)]

use doublecrunch::prelude::crunch;

/// A constant function, generic over a constant.
#[crunch]
#[inline]
#[must_use]
pub const fn steps<const N: u32>(x: u32) -> u32 {
    const MASK: u32 = 0xff;
    if x > N {
        return x & MASK;
    }
    x + (x >> 1)
}

/// A function in a module.
pub mod inner {
    use doublecrunch::prelude::crunch;

    /// Calls another by its path.
    #[crunch]
    #[allow(clippy::cast_precision_loss)]
    pub(crate) fn scaled(x: f32, n: u32) -> f32 {
        debug_assert!(n < 1 << 20, "only small ones");
        let mut y = x;
        if n > 3 {
            y += n as f32;
        }
        y * super::half(y)
    }
}

#[crunch]
fn half(x: f32) -> f32 {
    x * 0.5
}

macro_rules! kernels {
    ($($name:ident $factor:literal),*) => {$(
        /// From a macro.
        #[crunch]
        #[must_use]
        pub fn $name(x: f64) -> f64 {
            if x < 0.0 {
                return -x;
            }
            x * $factor
        }
    )*};
}
kernels!(double 2.0, triple 3.0);

fn main() {
    const AT_COMPILE_TIME: u32 = steps::<3>(7);
    assert_eq!(AT_COMPILE_TIME, 7);
    assert_eq!(steps::<9>::eval(7), 10);
    let (x, n) = ([1.0, 2.0, 3.0, 4.0, 5.0], [1, 2, 3, 4, 5]);
    let mut out = [0.0; 5];
    inner::scaled::map(&x, &n, &mut out);
    for i in 0..5 {
        assert_eq!(out[i].to_bits(), inner::scaled(x[i], n[i]).to_bits());
    }
    assert_eq!(triple::eval(-2.0).to_bits(), triple(-2.0).to_bits());
    assert_eq!(double::eval(2.0).to_bits(), double(2.0).to_bits());
}
