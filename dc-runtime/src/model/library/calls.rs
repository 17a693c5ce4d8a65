//! Calls of a library's function for columns of arguments, for every type that a signature can have.

use std::ffi::c_void;
use std::mem::transmute_copy;
use std::sync::atomic::Ordering;

use super::shared::Shared;
use super::value::{Bfloat, Calls, Complex, Half, Value};
use super::vector;
use crate::model::integers::Int;
use crate::model::several::{Kind, Several, Shape};
use crate::model::signature::{Number, Part, Signature};

/// The calls of a function of this shape.
pub fn of(shape: Shape) -> Calls {
    let signature = match shape {
        Shape::One(signature) => signature,
        Shape::Several(several) => return of_several(several),
    };
    if let Some(part) = signature.part {
        return of_part(signature.argument(), part);
    }
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

/// The calls of a function of three arguments, two results or complex numbers. Such functions have no integers.
fn of_several(several: Several) -> Calls {
    match (several.kind, several.number) {
        (Kind::Three, Number::F32) => three::<f32>,
        (Kind::Three, Number::F16) => three::<Half>,
        (Kind::Three, Number::Bf16) => three::<Bfloat>,
        (Kind::Three, _) => three::<f64>,
        (Kind::Two, Number::F32) => two_results::<f32>,
        (Kind::Two, Number::F16) => two_results::<Half>,
        (Kind::Two, Number::Bf16) => two_results::<Bfloat>,
        (Kind::Two, _) => two_results::<f64>,
        (Kind::Complex, Number::F32) => complex::<f32>,
        (Kind::Complex, _) => complex::<f64>,
        (Kind::ComplexTwo, Number::F32) => complex_both::<f32>,
        (Kind::ComplexTwo, _) => complex_both::<f64>,
    }
}

/// The calls of a function with two results, of which one is used.
fn of_part(number: Number, part: Part) -> Calls {
    match (number, part) {
        (Number::F32, Part::First) => one_result::<f32, 0>,
        (Number::F32, Part::Second) => one_result::<f32, 1>,
        (Number::F16, Part::First) => one_result::<Half, 0>,
        (Number::F16, Part::Second) => one_result::<Half, 1>,
        (Number::Bf16, Part::First) => one_result::<Bfloat, 0>,
        (Number::Bf16, Part::Second) => one_result::<Bfloat, 1>,
        (_, Part::First) => one_result::<f64, 0>,
        (_, Part::Second) => one_result::<f64, 1>,
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

/// # Safety
/// As for [`Calls`].
unsafe fn three<A: Value>(address: *mut c_void, shared: &Shared, count: usize) {
    // SAFETY: a function pointer is as large as an address, and the caller knows its type.
    let f: unsafe extern "C" fn(A, A, A) -> A = unsafe { transmute_copy(&address) };
    let columns = [0, 1, 2].map(|n| shared.argument(n));
    for at in 0..count {
        shared.progress().store(at as u64, Ordering::Relaxed);
        let [x, y, z] = columns.map(|c| A::of_word(c[at].load(Ordering::Relaxed)));
        // SAFETY: it has this type.
        let result = unsafe { f(x, y, z) };
        columns[0][at].store(result.word(), Ordering::Relaxed);
    }
}

/// Calls `void f(A, A *, A *)`. A result that the function does not write is a NaN.
///
/// # Safety
/// As for [`Calls`].
unsafe fn call_two_results<A: Value>(address: *mut c_void, x: A) -> [A; 2] {
    // SAFETY: a function pointer is as large as an address, and the caller knows its type.
    let f: unsafe extern "C" fn(A, *mut A, *mut A) = unsafe { transmute_copy(&address) };
    let [mut first, mut second] = [A::NAN; 2];
    // SAFETY: it has this type, and both places are there during the call.
    unsafe { f(x, &raw mut first, &raw mut second) };
    [first, second]
}

/// # Safety
/// As for [`Calls`].
unsafe fn two_results<A: Value>(address: *mut c_void, shared: &Shared, count: usize) {
    let progress = shared.progress();
    let places = shared.column().iter().zip(shared.argument(1));
    for (at, (first, second)) in places.take(count).enumerate() {
        progress.store(at as u64, Ordering::Relaxed);
        let x = A::of_word(first.load(Ordering::Relaxed));
        // SAFETY: as for this function.
        let results = unsafe { call_two_results(address, x) };
        for (word, result) in [first, second].into_iter().zip(results) {
            word.store(result.word(), Ordering::Relaxed);
        }
    }
}

/// # Safety
/// As for [`Calls`].
unsafe fn one_result<A: Value, const PART: usize>(
    address: *mut c_void,
    shared: &Shared,
    count: usize,
) {
    let progress = shared.progress();
    for (at, word) in shared.column().iter().take(count).enumerate() {
        progress.store(at as u64, Ordering::Relaxed);
        let x = A::of_word(word.load(Ordering::Relaxed));
        // SAFETY: as for this function.
        let results = unsafe { call_two_results(address, x) };
        word.store(results[PART].word(), Ordering::Relaxed);
    }
}

/// # Safety
/// As for [`Calls`].
unsafe fn complex<T: Value>(address: *mut c_void, shared: &Shared, count: usize) {
    // SAFETY: a function pointer is as large as an address, and the caller knows its type.
    let f: unsafe extern "C" fn(Complex<T>) -> Complex<T> = unsafe { transmute_copy(&address) };
    // SAFETY: it has this type.
    complex_numbers(shared, count, |[z, _]| unsafe { f(z) });
}

/// # Safety
/// As for [`Calls`].
unsafe fn complex_both<T: Value>(address: *mut c_void, shared: &Shared, count: usize) {
    // SAFETY: a function pointer is as large as an address, and the caller knows its type.
    let f: unsafe extern "C" fn(Complex<T>, Complex<T>) -> Complex<T> =
        unsafe { transmute_copy(&address) };
    // SAFETY: it has this type.
    complex_numbers(shared, count, |[z, w]| unsafe { f(z, w) });
}

/// Calls a function of complex numbers. If it has one argument, the columns of the second are not used.
fn complex_numbers<T: Value>(
    shared: &Shared,
    count: usize,
    call: impl Fn([Complex<T>; 2]) -> Complex<T>,
) {
    let columns = [0, 1, 2, 3].map(|n| shared.argument(n));
    for at in 0..count {
        shared.progress().store(at as u64, Ordering::Relaxed);
        let parts = columns.map(|c| T::of_word(c[at].load(Ordering::Relaxed)));
        let arguments = [0, 2].map(|n| Complex {
            re: parts[n],
            im: parts[n + 1],
        });
        let result = call(arguments);
        columns[0][at].store(result.re.word(), Ordering::Relaxed);
        columns[1][at].store(result.im.word(), Ordering::Relaxed);
    }
}
