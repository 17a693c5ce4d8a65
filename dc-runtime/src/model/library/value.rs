//! Numbers as C passes them, and as they are stored in a column.

use std::ffi::c_void;

use super::protocol::NO_DOUBLE;
use super::shared::Shared;
use crate::model::stored::Format;

/// Calls a function for the first `count` words. The index of each is stored before the call, so that a call that does not return can be
/// identified.
///
/// # Safety
/// The address is that of a function of the type for which this was selected.
pub type Calls = unsafe fn(*mut c_void, &Shared, usize);

/// A number as C passes it, and as it is stored in a column.
pub trait Value: Copy {
    /// The content of a place to which a function is to write a result: a NaN, or an arbitrary integer.
    const NAN: Self;
    fn of_word(word: u64) -> Self;
    /// The word of a result. NaNs are canonical.
    fn word(self) -> u64;
}

impl Value for f32 {
    const NAN: f32 = f32::NAN;
    fn of_word(word: u64) -> f32 {
        f32::from_bits(word as u32)
    }
    fn word(self) -> u64 {
        u64::from(if self.is_nan() {
            0x7fc0_0000
        } else {
            self.to_bits()
        })
    }
}

impl Value for f64 {
    const NAN: f64 = f64::NAN;
    fn of_word(word: u64) -> f64 {
        f64::from_bits(word)
    }
    fn word(self) -> u64 {
        if self.is_nan() {
            0x7ff8_0000_0000_0000
        } else {
            self.to_bits()
        }
    }
}

/// Integers are words of 64 bits as arguments, and doubles as results.
macro_rules! integer {
    ($($int:ident)+) => {$(
        impl Value for $int {
            const NAN: $int = 0;
            fn of_word(word: u64) -> $int {
                word as $int
            }
            fn word(self) -> u64 {
                let double = self as f64;
                match double as i128 == self as i128 {
                    true => double.to_bits(),
                    false => NO_DOUBLE,
                }
            }
        }
    )+};
}
integer!(i32 u32 i64 u64);

/// The bits of a number of 16 bits. In columns it is the binary32 number with its value.
macro_rules! stored {
    ($name:ident, $format:ident) => {
        #[derive(Clone, Copy)]
        #[repr(transparent)]
        pub struct $name(u16);

        impl Value for $name {
            const NAN: $name = $name(0x7fff);
            fn of_word(word: u64) -> $name {
                // Inputs are numbers of the format.
                $name(Format::$format.narrowed(word as u32).unwrap_or(0))
            }
            fn word(self) -> u64 {
                f32::from_bits(Format::$format.widened(self.0)).word()
            }
        }
    };
}
/// A complex number, as C passes `_Complex`: as a structure of its parts.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Complex<T> {
    pub re: T,
    pub im: T,
}

stored!(Half, Half);
stored!(Bfloat, Bfloat);
