//! The call of a library's function for a column of arguments, of any of the types that a signature can have.

use std::ffi::c_void;
use std::mem::transmute_copy;
use std::sync::atomic::Ordering;

use super::shared::Shared;
use super::value::{Bfloat, Calls, Half, Value};
use super::vector;
use crate::model::integers::Int;
use crate::model::signature::{Number, Signature};

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
