//! Reductions of a constant number of numbers: sums, dot products, norms, means, variances, softmax and logarithms of sums of exponentials.
//!
//! The order of its additions is part of a kernel, so every backend gives the same bits. A [`Reduction`] is a function with several orders of
//! computing it. Its inputs are vectors that are computed from their numbers ([`inputs`]). Backends evaluate the kernels at columns of bits, and
//! the results are compared with exact values ([`truth`]).
//!
//! ```
//! # extern crate dc_runtime as doublecrunch;
//! use doublecrunch::prelude::*;
//! use doublecrunch::reductions::{Function, Order, Reduction, Wanted};
//!
//! #[crunch]
//! fn total(x: [f64; 4]) -> f64 {
//!     (x[0] + x[1]) + (x[2] + x[3])
//! }
//!
//! let orders = [Order::of::<total>("pairwise").within(2.0)];
//! let reduction = Reduction { name: "total", function: Function::Sum, orders: &orders };
//! let scalar = doublecrunch::backend::discover(&"scalar".parse()?);
//! let found = reduction.compare(&scalar.backends, &Wanted::new(4096))?;
//! assert!(found.orders[0].error.value.abs() <= 2.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | file | what |
//! |---|---|
//! | `accumulator.rs` | exact sums |
//! | `truth.rs` | the true values of a function, and the error of a result |
//! | `exponential.rs`, `wide.rs` | the true values of functions of exponentials, and the numbers in which they are computed |
//! | `inputs.rs` | vectors from their numbers |
//! | `compare.rs` | errors, orders and backends |

pub mod accumulator;
mod compare;
pub mod exponential;
pub mod inputs;
pub mod truth;
mod wide;

use std::fmt;

use kernels_gen::ops::Prim;

use crate::kernel::{Kind, LaneFn};
use crate::model::error::BackendError;
use crate::model::kernel_ref::KernelRef;
use crate::model::key::Precision;
use crate::run::MAX_WORDS;
pub use compare::{Agreement, At, Count, Difference, Found, Largest, Measured, Wanted};
pub use truth::{Fault, Function, Truth};

/// A function of several numbers, and the orders in which it is computed.
#[derive(Debug, Clone, Copy)]
pub struct Reduction<'a> {
    /// Its name.
    pub name: &'a str,
    /// The function.
    pub function: Function,
    /// The orders. The bits of the first are compared with those of all others.
    pub orders: &'a [Order],
}

/// A kernel that computes a reduction in its order.
#[derive(Clone, Copy)]
pub struct Order {
    /// Its name.
    pub name: &'static str,
    /// The kernel.
    pub kernel: KernelRef,
    /// The largest error allowed, in units of `u` times the function's scale.
    pub within: Option<f64>,
    parameters: Prims,
    results: Prims,
}

/// Calls a function with each flattened type.
type Prims = fn(&mut dyn FnMut(Prim));

impl fmt::Debug for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Order").field(&self.name).finish()
    }
}

impl Order {
    /// The order of a kernel.
    #[must_use]
    pub const fn of<K: LaneFn>(name: &'static str) -> Order {
        Order {
            name,
            kernel: KernelRef::of::<K>(),
            within: None,
            parameters: K::Args::prims,
            results: K::Ret::prims,
        }
    }

    /// The same order with an allowed error, in units of `u` times the function's scale.
    #[must_use]
    pub const fn within(self, units: f64) -> Order {
        Order {
            within: Some(units),
            ..self
        }
    }
}

/// The inputs of a reduction's kernels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// The precision of the numbers and of the result.
    pub precision: Precision,
    /// The length of each vector.
    pub length: usize,
}

/// The reason why a reduction cannot be compared.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReductionError {
    /// The kernel does not compute this function.
    #[error("`{kernel}` computes no {function} of numbers: {why}")]
    Shape {
        /// The kernel.
        kernel: String,
        /// The function.
        function: &'static str,
        /// The reason, and what to write.
        why: String,
    },
    /// There are no backends, orders or inputs.
    #[error("{0}")]
    Nothing(String),
    /// A backend failed.
    #[error(transparent)]
    Backend(#[from] BackendError),
}

impl Reduction<'_> {
    /// The inputs of its kernels, which are the same for all of them.
    ///
    /// # Errors
    /// If a kernel does not fit the function or the first kernel.
    pub fn shape(&self) -> Result<Shape, ReductionError> {
        let mut common = None;
        for order in self.orders {
            let shape = self.shape_of(order)?;
            match common {
                None => common = Some(shape),
                Some(first) if first == shape => {}
                Some(Shape { precision, length }) => {
                    let why = format!(
                        "it takes {} numbers of {}, the first order {length} of {}; compare orders of one length",
                        shape.length,
                        shape.precision.name(),
                        precision.name()
                    );
                    return Err(self.misfit(order, why));
                }
            }
        }
        common.ok_or_else(|| {
            ReductionError::Nothing(format!("`{}` has no order; name a kernel", self.name))
        })
    }

    fn shape_of(&self, order: &Order) -> Result<Shape, ReductionError> {
        let listed = |prims: Prims| {
            let mut all = Vec::new();
            prims(&mut |prim| all.push(prim));
            all
        };
        let (parameters, results) = (listed(order.parameters), listed(order.results));
        let precision = match results.first() {
            Some(Prim::F64) => Precision::F64,
            Some(Prim::F32) => Precision::F32,
            _ => {
                let why = "its result is no f64 or f32; return one".into();
                return Err(self.misfit(order, why));
            }
        };
        if parameters.iter().any(|p| *p != precision.prim()) {
            let why = format!(
                "a parameter is not of {}, as the result; take arrays of {0}",
                precision.name()
            );
            return Err(self.misfit(order, why));
        }
        if parameters.len() > MAX_WORDS {
            let why = format!(
                "it takes {} numbers; take at most {MAX_WORDS}",
                parameters.len()
            );
            return Err(self.misfit(order, why));
        }
        let vectors = self.function.vectors();
        let length = parameters.len() / vectors;
        if !parameters.len().is_multiple_of(vectors) {
            let why = format!(
                "it takes {} numbers, which are no two vectors of one length; take two arrays",
                parameters.len()
            );
            return Err(self.misfit(order, why));
        }
        let least = 1 + usize::from(self.function == Function::SampleVariance);
        if length < least {
            return Err(self.misfit(
                order,
                format!("it takes {length} numbers; take at least {least}"),
            ));
        }
        let wanted = self.function.results(length);
        if results != vec![precision.prim(); wanted] {
            let name = precision.name();
            let why = match wanted {
                1 => format!("its result is no single {name}; return one"),
                n => format!("its result is none of {n} numbers; return [{name}; {n}]"),
            };
            return Err(self.misfit(order, why));
        }
        Ok(Shape { precision, length })
    }

    fn misfit(&self, order: &Order, why: String) -> ReductionError {
        ReductionError::Shape {
            kernel: order.kernel.kernel.name.into(),
            function: self.function.name(),
            why,
        }
    }
}

#[cfg(test)]
mod tests;
