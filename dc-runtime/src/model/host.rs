//! Functions of the host, which no backend but the processor can evaluate.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::backend::BackendError;
use super::key::Precision;
use super::show;

/// A Rust function of one number: any function or closure that captures nothing.
#[derive(Clone, Copy)]
pub struct HostFunction {
    name: &'static str,
    call: Call,
}

#[derive(Clone, Copy)]
enum Call {
    F32(fn(f32) -> f32),
    F64(fn(f64) -> f64),
}

impl fmt::Debug for HostFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("HostFunction").field(&self.name).finish()
    }
}

impl HostFunction {
    /// A function of binary32, by the name that tables and errors give it.
    #[must_use]
    pub const fn f32(name: &'static str, function: fn(f32) -> f32) -> HostFunction {
        HostFunction {
            name,
            call: Call::F32(function),
        }
    }

    /// A function of binary64.
    #[must_use]
    pub const fn f64(name: &'static str, function: fn(f64) -> f64) -> HostFunction {
        HostFunction {
            name,
            call: Call::F64(function),
        }
    }

    /// Its name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Precision of its argument and its result.
    #[must_use]
    pub const fn precision(&self) -> Precision {
        match self.call {
            Call::F32(_) => Precision::F32,
            Call::F64(_) => Precision::F64,
        }
    }

    /// Evaluates it at a column of bits. NaNs are canonical.
    ///
    /// # Errors
    /// [`BackendError::Function`] when it panics, naming it and the input.
    pub fn eval(&self, inputs: &[u64], outputs: &mut Vec<u64>) -> Result<(), BackendError> {
        match self.call {
            Call::F32(f) => self.each(inputs, outputs, |bits| {
                let y = f(f32::from_bits(bits as u32));
                u64::from(if y.is_nan() { 0x7fc0_0000 } else { y.to_bits() })
            }),
            Call::F64(f) => self.each(inputs, outputs, |bits| {
                let y = f(f64::from_bits(bits));
                if y.is_nan() {
                    0x7ff8_0000_0000_0000
                } else {
                    y.to_bits()
                }
            }),
        }
    }

    fn each(
        &self,
        inputs: &[u64],
        outputs: &mut Vec<u64>,
        f: impl Fn(u64) -> u64,
    ) -> Result<(), BackendError> {
        outputs.clear();
        outputs.reserve(inputs.len());
        let all = || inputs.iter().for_each(|&x| outputs.push(f(x)));
        catch_unwind(AssertUnwindSafe(all)).map_err(|panic| {
            let reason = panic
                .downcast_ref::<String>()
                .map(String::as_str)
                .or_else(|| panic.downcast_ref::<&str>().copied())
                .unwrap_or("no message");
            // There are as many results as inputs that it did return from.
            let input = inputs.get(outputs.len());
            BackendError::Function {
                function: self.name.into(),
                input: input.map_or_else(String::new, |&x| show::full(self.precision(), x)),
                reason: reason.into(),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nans_are_canonical() {
        let mut out = Vec::new();
        let f = HostFunction::f32("payload", |x| f32::from_bits(x.to_bits() | 0xff80_0001));
        f.eval(&[1, 2], &mut out).expect("it returns");
        assert_eq!(out, [0x7fc0_0000; 2]);
        let f = HostFunction::f64("payload", |_| -f64::NAN);
        f.eval(&[1], &mut out).expect("it returns");
        assert_eq!(out, [0x7ff8_0000_0000_0000]);
    }

    #[test]
    fn a_panic_names_the_function_and_the_input() {
        let f = HostFunction::f32("picky", |x| {
            assert!(x < 2.0, "only up to 2");
            x
        });
        let bits = [1.0f32, 1.5, 2.0, 1.0].map(|x| u64::from(x.to_bits()));
        let error = f.eval(&bits, &mut Vec::new()).expect_err("it panics");
        assert_eq!(
            error.to_string(),
            "the function `picky` panicked at 2.0 = 0x1p1 (0x40000000): only up to 2"
        );
    }
}
