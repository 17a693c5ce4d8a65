//! Functions of the host, which only the processor can evaluate.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::error::BackendError;
use super::key::Precision;
use super::show;
use super::space::InputSpace;

/// A Rust function of one or two numbers, or of a slice of numbers: any function, or closure that captures nothing.
#[derive(Clone, Copy)]
pub struct HostFunction {
    name: &'static str,
    call: Call,
}

#[derive(Clone, Copy)]
enum Call {
    F32(fn(f32) -> f32),
    F64(fn(f64) -> f64),
    F32Two(fn(f32, f32) -> f32),
    F64Two(fn(f64, f64) -> f64),
    F32Slice(fn(&[f32], &mut [f32])),
    F64Slice(fn(&[f64], &mut [f64])),
}

/// The numbers that a function takes and returns.
trait Number: Copy {
    /// The NaN with which results of a slice function are filled before the call. A NaN that is still there was not overwritten.
    const UNWRITTEN: u64;
    fn of_bits(bits: u64) -> Self;
    fn bits(self) -> u64;
    /// The bits, with the same bits for all NaNs.
    fn canonical(self) -> u64;
}

impl Number for f32 {
    const UNWRITTEN: u64 = 0x7fa5_5aa5;
    fn of_bits(bits: u64) -> f32 {
        f32::from_bits(bits as u32)
    }
    fn bits(self) -> u64 {
        self.to_bits().into()
    }
    fn canonical(self) -> u64 {
        u64::from(if self.is_nan() {
            0x7fc0_0000
        } else {
            self.to_bits()
        })
    }
}

impl Number for f64 {
    const UNWRITTEN: u64 = 0x7ff5_5aa5_5aa5_5aa5;
    fn of_bits(bits: u64) -> f64 {
        f64::from_bits(bits)
    }
    fn bits(self) -> u64 {
        self.to_bits()
    }
    fn canonical(self) -> u64 {
        if self.is_nan() {
            0x7ff8_0000_0000_0000
        } else {
            self.to_bits()
        }
    }
}

impl fmt::Debug for HostFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("HostFunction").field(&self.name).finish()
    }
}

impl HostFunction {
    /// A function of binary32. The name appears in tables and errors.
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

    /// A function of two binary32 numbers.
    ///
    /// # Examples
    ///
    /// ```
    /// use dc_runtime::model::host::HostFunction;
    ///
    /// const POW: HostFunction = HostFunction::f32_two("f32::powf", f32::powf);
    /// let mut out = Vec::new();
    /// let [x, y] = [3f32, 2f32].map(|x| [u64::from(x.to_bits())]);
    /// POW.eval(&[&x, &y], &mut out).unwrap();
    /// assert_eq!(out, [u64::from(9f32.to_bits())]);
    /// ```
    #[must_use]
    pub const fn f32_two(name: &'static str, function: fn(f32, f32) -> f32) -> HostFunction {
        HostFunction {
            name,
            call: Call::F32Two(function),
        }
    }

    /// A function of two binary64 numbers.
    #[must_use]
    pub const fn f64_two(name: &'static str, function: fn(f64, f64) -> f64) -> HostFunction {
        HostFunction {
            name,
            call: Call::F64Two(function),
        }
    }

    /// A function that takes a slice of inputs and writes its results to a slice of the same length, like those of a
    /// SIMD library.
    ///
    /// It is called with slices of any length from 1 on, beginning at any input.
    ///
    /// # Examples
    ///
    /// ```
    /// use dc_runtime::model::host::HostFunction;
    ///
    /// fn halves(x: &[f32], y: &mut [f32]) {
    ///     for (y, x) in y.iter_mut().zip(x) {
    ///         *y = 0.5 * x;
    ///     }
    /// }
    ///
    /// const HALVES: HostFunction = HostFunction::f32_slice("halves", halves);
    /// let mut out = Vec::new();
    /// HALVES.eval(&[&[u64::from(3f32.to_bits())]], &mut out).unwrap();
    /// assert_eq!(out, [u64::from(1.5f32.to_bits())]);
    /// ```
    #[must_use]
    pub const fn f32_slice(name: &'static str, function: fn(&[f32], &mut [f32])) -> HostFunction {
        HostFunction {
            name,
            call: Call::F32Slice(function),
        }
    }

    /// The same as [`HostFunction::f32_slice`], for binary64.
    #[must_use]
    pub const fn f64_slice(name: &'static str, function: fn(&[f64], &mut [f64])) -> HostFunction {
        HostFunction {
            name,
            call: Call::F64Slice(function),
        }
    }

    /// Its name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The same function under another name, such as one with its library's version.
    #[must_use]
    pub const fn named(self, name: &'static str) -> HostFunction {
        HostFunction { name, ..self }
    }

    /// Precision of its arguments and its result.
    #[must_use]
    pub const fn precision(&self) -> Precision {
        self.inputs().precision()
    }

    /// The space of all its inputs.
    #[must_use]
    pub const fn inputs(&self) -> InputSpace {
        match self.call {
            Call::F32(_) | Call::F32Slice(_) => InputSpace::Numbers(Precision::F32),
            Call::F64(_) | Call::F64Slice(_) => InputSpace::Numbers(Precision::F64),
            Call::F32Two(_) => InputSpace::pairs(Precision::F32),
            Call::F64Two(_) => InputSpace::pairs(Precision::F64),
        }
    }

    /// Evaluates it at columns of bits, one for each argument. NaNs are canonical.
    ///
    /// # Errors
    /// [`BackendError::Function`], with its name and the input, if it panics or leaves a result of a slice unwritten.
    ///
    /// # Panics
    /// If the number of columns is not the number of arguments.
    pub fn eval(&self, inputs: &[&[u64]], outputs: &mut Vec<u64>) -> Result<(), BackendError> {
        match (self.call, inputs) {
            (Call::F32(f), [x]) => self.each(x, outputs, f),
            (Call::F64(f), [x]) => self.each(x, outputs, f),
            (Call::F32Two(f), [x, y]) => self.each_pair(x, y, outputs, f),
            (Call::F64Two(f), [x, y]) => self.each_pair(x, y, outputs, f),
            (Call::F32Slice(f), [x]) => self.slice(x, outputs, f),
            (Call::F64Slice(f), [x]) => self.slice(x, outputs, f),
            (_, columns) => panic!(
                "{} was given {} columns of arguments",
                self.name,
                columns.len()
            ),
        }
    }

    fn each<T: Number>(
        &self,
        inputs: &[u64],
        outputs: &mut Vec<u64>,
        f: fn(T) -> T,
    ) -> Result<(), BackendError> {
        outputs.clear();
        outputs.reserve(inputs.len());
        let one = |&x: &u64| outputs.push(f(T::of_bits(x)).canonical());
        let all = AssertUnwindSafe(|| inputs.iter().for_each(one));
        catch_unwind(all).map_err(|panic| self.panicked(&[inputs], outputs.len(), &*panic))
    }

    fn each_pair<T: Number>(
        &self,
        x: &[u64],
        y: &[u64],
        outputs: &mut Vec<u64>,
        f: fn(T, T) -> T,
    ) -> Result<(), BackendError> {
        outputs.clear();
        outputs.reserve(x.len());
        let one = |(&x, &y): (&u64, &u64)| {
            outputs.push(f(T::of_bits(x), T::of_bits(y)).canonical());
        };
        let all = AssertUnwindSafe(|| x.iter().zip(y).for_each(one));
        catch_unwind(all).map_err(|panic| self.panicked(&[x, y], outputs.len(), &*panic))
    }

    /// There are as many results as inputs for which the function returned.
    fn panicked(
        &self,
        inputs: &[&[u64]],
        results: usize,
        panic: &(dyn std::any::Any + Send),
    ) -> BackendError {
        let words: Vec<u64> = inputs
            .iter()
            .filter_map(|c| c.get(results).copied())
            .collect();
        self.failed(&words, format!("panicked: {}", reason(panic)))
    }

    fn slice<T: Number>(
        &self,
        inputs: &[u64],
        outputs: &mut Vec<u64>,
        f: fn(&[T], &mut [T]),
    ) -> Result<(), BackendError> {
        let from: Vec<T> = inputs.iter().map(|&x| T::of_bits(x)).collect();
        let call = |from: &[T]| {
            let mut to = vec![T::of_bits(T::UNWRITTEN); from.len()];
            let call = AssertUnwindSafe(|| f(from, &mut to));
            catch_unwind(call).map(|()| to)
        };
        let to = call(&from).map_err(|panic| {
            // The input is found by calling the function with each one alone, if it panics then; only the function
            // itself distinguishes the inputs of a slice.
            let alone = |at: &usize| call(&from[*at..=*at]).is_err();
            let at = (0..from.len()).find(alone);
            let how = match at {
                Some(_) => String::new(),
                None => format!(
                    " in a slice of {} inputs from there on, of which none panics by itself",
                    from.len()
                ),
            };
            let input = inputs.get(at.unwrap_or(0)).copied();
            self.failed(
                input.as_slice(),
                format!("panicked{how}: {}", reason(&*panic)),
            )
        })?;
        // An input may have the bits of that NaN.
        let missed = |(y, &x): (&T, &u64)| y.bits() == T::UNWRITTEN && x != T::UNWRITTEN;
        if let Some(at) = to.iter().zip(inputs).position(missed) {
            let how = format!(
                "wrote no result, number {} of a slice of {}",
                at + 1,
                to.len()
            );
            return Err(self.failed(inputs.get(at).copied().as_slice(), how));
        }
        outputs.clear();
        outputs.extend(to.into_iter().map(T::canonical));
        Ok(())
    }

    fn failed(&self, input: &[u64], how: String) -> BackendError {
        BackendError::Function {
            function: self.name.into(),
            input: show::arguments(self.precision(), input, show::full),
            how,
        }
    }
}

/// The message of a panic.
pub(crate) fn reason(panic: &(dyn std::any::Any + Send)) -> &str {
    panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("no message")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nans_are_canonical() {
        let mut out = Vec::new();
        let f = HostFunction::f32("payload", |x| f32::from_bits(x.to_bits() | 0xff80_0001));
        f.eval(&[&[1, 2]], &mut out).expect("it returns");
        assert_eq!(out, [0x7fc0_0000; 2]);
        let f = HostFunction::f64("payload", |_| -f64::NAN);
        f.eval(&[&[1]], &mut out).expect("it returns");
        assert_eq!(out, [0x7ff8_0000_0000_0000]);
    }

    #[test]
    fn a_panic_names_the_function_and_the_input() {
        let f = HostFunction::f32("picky", |x| {
            assert!(x < 2.0, "only up to 2");
            x
        });
        let bits = [1.0f32, 1.5, 2.0, 1.0].map(|x| u64::from(x.to_bits()));
        let error = f.eval(&[&bits], &mut Vec::new()).expect_err("it panics");
        assert_eq!(
            error.to_string(),
            "the function `picky` at 2.0 = 0x1p1 (0x40000000) panicked: only up to 2"
        );
    }

    #[test]
    fn a_panic_names_both_arguments() {
        let f = HostFunction::f64_two("apart", |x, y| {
            assert!(x != y, "they are the same");
            x - y
        });
        assert_eq!(f.inputs().signature(), "f64,f64");
        let [x, y] = [[1.0, 3.0], [2.0, 3.0]].map(|c| c.map(f64::to_bits));
        let mut out = Vec::new();
        f.eval(&[&x[..1], &y[..1]], &mut out).expect("it returns");
        assert_eq!(out, [(-1f64).to_bits()]);
        let error = f.eval(&[&x, &y], &mut out).expect_err("it panics");
        assert_eq!(
            error.to_string(),
            "the function `apart` at (3.0 = 0x1.8p1 (0x4008000000000000), 3.0 = 0x1.8p1 (0x4008000000000000)) panicked: \
             they are the same"
        );
    }

    #[test]
    fn slices_are_written_whole_or_an_error_names_the_input() {
        let bits = [1.0f32, 1.5, 2.0, f32::of_bits(f32::UNWRITTEN)];
        let bits = bits.map(|x| u64::from(x.to_bits()));
        let mut out = Vec::new();
        let copy = HostFunction::f32_slice("copy", |x, y| y.copy_from_slice(x));
        copy.eval(&[&bits], &mut out).expect("it returns");
        assert_eq!(out[..3], bits[..3]);
        assert_eq!(out[3], 0x7fc0_0000);
        let error = |f: HostFunction| f.eval(&[&bits], &mut Vec::new()).expect_err("no results");
        let short = HostFunction::f32_slice("short", |x, y| {
            for (y, x) in y.chunks_exact_mut(2).zip(x.chunks_exact(2)).take(1) {
                y.copy_from_slice(x);
            }
        });
        assert_eq!(
            error(short).to_string(),
            "the function `short` at 2.0 = 0x1p1 (0x40000000) wrote no result, number 3 of a slice of 4"
        );
        let picky = HostFunction::f32_slice("picky", |x, y| {
            assert!(x.iter().all(|&x| x != 1.5), "not 1.5");
            y.copy_from_slice(x);
        });
        assert_eq!(
            error(picky).to_string(),
            "the function `picky` at 1.5 = 0x1.8p0 (0x3fc00000) panicked: not 1.5"
        );
        let pairs = HostFunction::f32_slice("pairs", |x, y| {
            assert!(x.len() < 2, "one by one");
            y.copy_from_slice(x);
        });
        let text = error(pairs).to_string();
        assert!(
            text.ends_with("panicked in a slice of 4 inputs from there on, of which none panics by itself: one by one"),
            "{text}"
        );
    }
}
