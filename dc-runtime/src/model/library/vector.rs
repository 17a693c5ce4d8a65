//! The call of a vector function, in the vector ABI of x86-64: arguments and result are registers of 128, 256 or 512 bits.
//!
//! Each group of inputs, one per lane, is passed as many times as there are lanes, each time rotated by one lane. So each input is once in
//! each lane, beside the same others. The result is that of lane 0. Results of other lanes that have other bits are counted.

use std::ffi::c_void;

use super::shared::Shared;
use super::value::Calls;
use crate::model::signature::Signature;

/// The calls of a vector function with this signature.
#[cfg(not(target_arch = "x86_64"))]
pub fn of(_: Signature) -> Calls {
    unsafe fn none(_: *mut c_void, _: &Shared, _: usize) {}
    none
}

#[cfg(target_arch = "x86_64")]
pub use x86_64::of;

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use std::arch::x86_64::{__m128, __m128d, __m256, __m256d, __m512, __m512d};
    use std::mem::transmute_copy;
    use std::sync::atomic::Ordering;

    use super::super::value::Value;
    use super::{Calls, Shared, Signature, c_void};
    use crate::model::signature::Number;

    pub fn of(signature: Signature) -> Calls {
        let two = signature.inputs.arguments().len() == 2;
        match (signature.argument(), signature.lanes, two) {
            (Number::F32, 4, false) => m128::one,
            (Number::F32, 4, true) => m128::both,
            (Number::F32, 8, false) => m256::one,
            (Number::F32, 8, true) => m256::both,
            (Number::F32, _, false) => m512::one,
            (Number::F32, _, true) => m512::both,
            (_, 2, false) => m128d::one,
            (_, 2, true) => m128d::both,
            (_, 4, false) => m256d::one,
            (_, 4, true) => m256d::both,
            (_, _, false) => m512d::one,
            (_, _, true) => m512d::both,
        }
    }

    /// Calls for a register type. The function is called where its registers are enabled, so that rustc passes them as C does.
    macro_rules! registers {
        ($name:ident, $register:ident, $number:ty, $lanes:literal, $feature:literal) => {
            mod $name {
                use super::*;

                type Lanes = [$number; $lanes];

                /// # Safety
                /// As for [`Calls`]; the processor has the registers.
                pub unsafe fn one(address: *mut c_void, shared: &Shared, count: usize) {
                    // SAFETY: as for this function.
                    unsafe { groups(shared, count, |x, _| call_one(address, x)) }
                }

                /// # Safety
                /// As for [`one`].
                pub unsafe fn both(address: *mut c_void, shared: &Shared, count: usize) {
                    // SAFETY: as for this function.
                    unsafe { groups(shared, count, |x, y| call_both(address, x, y)) }
                }

                #[target_feature(enable = $feature)]
                unsafe fn call_one(address: *mut c_void, x: &Lanes) -> Lanes {
                    // SAFETY: an array of as many numbers as the register has; the caller knows the function's type.
                    unsafe {
                        let f: unsafe extern "C" fn($register) -> $register =
                            transmute_copy(&address);
                        transmute_copy(&f(transmute_copy(x)))
                    }
                }

                #[target_feature(enable = $feature)]
                unsafe fn call_both(address: *mut c_void, x: &Lanes, y: &Lanes) -> Lanes {
                    // SAFETY: as above.
                    unsafe {
                        let f: unsafe extern "C" fn($register, $register) -> $register =
                            transmute_copy(&address);
                        transmute_copy(&f(transmute_copy(x), transmute_copy(y)))
                    }
                }
            }
        };
    }
    registers!(m128, __m128, f32, 4, "sse2");
    registers!(m256, __m256, f32, 8, "avx2");
    registers!(m512, __m512, f32, 16, "avx512f");
    registers!(m128d, __m128d, f64, 2, "sse2");
    registers!(m256d, __m256d, f64, 4, "avx2");
    registers!(m512d, __m512d, f64, 8, "avx512f");

    /// Calls a function for the columns, a group of lanes at a time.
    fn groups<T: Value + Default, const LANES: usize>(
        shared: &Shared,
        count: usize,
        call: impl Fn(&[T; LANES], &[T; LANES]) -> [T; LANES],
    ) {
        let progress = shared.progress();
        let found = shared.lanes();
        found[0].store(0, Ordering::Relaxed);
        // If the function has one argument, the second column is not used.
        let columns = [shared.column(), shared.argument(1)];
        for at in (0..count).step_by(LANES) {
            progress.store(at as u64, Ordering::Relaxed);
            // The last group is filled up with its last input.
            let index = |lane: usize| (at + lane).min(count - 1);
            let [x, y] = columns.map(|column| {
                std::array::from_fn(|lane| T::of_word(column[index(lane)].load(Ordering::Relaxed)))
            });
            let mut results: [[u64; LANES]; LANES] = [[0; LANES]; LANES];
            for moved in 0..LANES {
                let turn = |of: &[T; LANES]| {
                    std::array::from_fn(|lane| of[(lane + LANES - moved) % LANES])
                };
                let given = call(&turn(&x), &turn(&y));
                for (input, results) in results.iter_mut().enumerate() {
                    let lane = (input + moved) % LANES;
                    results[lane] = given[lane].word();
                }
            }
            for (input, results) in results.iter().enumerate().take(count - at) {
                let first = results[0];
                columns[0][at + input].store(first, Ordering::Relaxed);
                let Some(lane) = results.iter().position(|&r| r != first) else {
                    continue;
                };
                // The first is named, and all are counted.
                if found[0].fetch_add(1, Ordering::Relaxed) == 0 {
                    let words = [(at + input) as u64, first, results[lane], lane as u64];
                    for (to, word) in found[1..].iter().zip(words) {
                        to.store(word, Ordering::Relaxed);
                    }
                }
            }
        }
    }
}
