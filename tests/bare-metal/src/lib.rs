//! A kernel without the standard library and without an allocator, as a module of WebAssembly or a static library for a
//! microcontroller: `cargo xtask lint` builds and links it.
#![no_std]

use doublecrunch::prelude::*;

/// √(x² + 1), rounded to a multiple of 1/1024.
#[crunch]
fn length(x: DcDouble) -> DcDouble {
    (x.mul_add(x, 1.0).sqrt() * 1024.0).round_ties_even() * 0.000_976_562_5
}

/// One number.
#[unsafe(no_mangle)]
pub extern "C" fn length_of(x: f64) -> f64 {
    length::eval(x)
}

/// Many, in place.
///
/// # Safety
///
/// `values` points to `n` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lengths_of(values: *mut f64, n: usize) {
    // SAFETY: guaranteed by the caller.
    length::map_in_place(unsafe { core::slice::from_raw_parts_mut(values, n) });
}

/// A function of the library.
#[unsafe(no_mangle)]
pub extern "C" fn sine_of(x: f32) -> f32 {
    doublecrunch::math::f32::sin(x)
}

/// Targets with an operating system have the standard library's.
#[cfg(any(target_os = "none", target_os = "unknown"))]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    loop {}
}
