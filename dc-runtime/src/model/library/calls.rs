//! The call of a library's function for a column of arguments, of any of the types that a signature can have.

use std::ffi::c_void;
use std::mem::transmute_copy;
use std::sync::atomic::Ordering;

use super::protocol::NO_DOUBLE;
use super::shared::Shared;
use super::vector;
use crate::model::integers::Int;
use crate::model::signature::{Number, Signature};
use crate::model::stored::Format;

/// Calls a function for the first `count` words. The index of each is stored before the call, so that a call that does not return can be
/// identified.
///
/// # Safety
/// The address is that of a function of the type for which this was selected.
pub type Calls = unsafe fn(*mut c_void, &Shared, usize);

/// The calls of a function with that signature.
pub fn of(signature: Signature) -> Calls {
    if signature.lanes > 1 {
        return vector::of(signature);
    }
    match signature.argument() {
        Number::Integer(Int::I32) => of_argument::<i32>(signature),
        Number::Integer(Int::U32) => of_argument::<u32>(signature),
        Number::Integer(Int::I64) => of_argument::<i64>(signature),
        Number::Integer(Int::U64) => of_argument::<u64>(signature),
        Number::F32 => of_argument::<f32>(signature),
        Number::F64 => of_argument::<f64>(signature),
        Number::F16 => of_argument::<Half>(signature),
        Number::Bf16 => of_argument::<Bfloat>(signature),
    }
}

fn of_argument<A: Value>(signature: Signature) -> Calls {
    let two = signature.inputs.arguments().len() == 2;
    match signature.result {
        Number::Integer(Int::I32) => of_result::<A, i32>(two),
        Number::Integer(Int::U32) => of_result::<A, u32>(two),
        Number::Integer(Int::I64) => of_result::<A, i64>(two),
        Number::Integer(Int::U64) => of_result::<A, u64>(two),
        Number::F32 => of_result::<A, f32>(two),
        Number::F64 => of_result::<A, f64>(two),
        Number::F16 => of_result::<A, Half>(two),
        Number::Bf16 => of_result::<A, Bfloat>(two),
    }
}

fn of_result<A: Value, R: Value>(two: bool) -> Calls {
    match two {
        false => one::<A, R>,
        true => both::<A, R>,
    }
}

/// A number as C passes it, and as it stands in a column.
pub(super) trait Value: Copy {
    fn of_word(word: u64) -> Self;
    /// The word of a result. NaNs are canonical.
    fn word(self) -> u64;
}

impl Value for f32 {
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
        struct $name(u16);

        impl Value for $name {
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
stored!(Half, Half);
stored!(Bfloat, Bfloat);

/// # Safety
/// As for [`Calls`].
unsafe fn one<A: Value, R: Value>(address: *mut c_void, shared: &Shared, count: usize) {
    // SAFETY: a function pointer is as large as an address, and the caller knows its type.
    let f: unsafe extern "C" fn(A) -> R = unsafe { transmute_copy(&address) };
    let progress = shared.progress();
    for (at, word) in shared.column().iter().take(count).enumerate() {
        progress.store(at as u64, Ordering::Relaxed);
        let x = A::of_word(word.load(Ordering::Relaxed));
        // SAFETY: it has this type.
        word.store(unsafe { f(x) }.word(), Ordering::Relaxed);
    }
}

/// # Safety
/// As for [`Calls`].
unsafe fn both<A: Value, R: Value>(address: *mut c_void, shared: &Shared, count: usize) {
    // SAFETY: a function pointer is as large as an address, and the caller knows its type.
    let f: unsafe extern "C" fn(A, A) -> R = unsafe { transmute_copy(&address) };
    let progress = shared.progress();
    let places = shared.column().iter().zip(shared.argument(1));
    for (at, (word, second)) in places.take(count).enumerate() {
        progress.store(at as u64, Ordering::Relaxed);
        let [x, y] = [word, second].map(|w| A::of_word(w.load(Ordering::Relaxed)));
        // SAFETY: it has this type.
        word.store(unsafe { f(x, y) }.word(), Ordering::Relaxed);
    }
}
