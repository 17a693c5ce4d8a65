//! The built-in reductions, each in several orders.
//!
//! | order | what is added |
//! |---|---|
//! | `sequential` | one after the other |
//! | `pairwise` | the sums of both halves, each computed in the same way |
//! | `by-8` | eight running sums, of `x[k]`, `x[k + 8]`, …; then their halves, as a vector unit reduces a register |
//!
//! An allowed error is a theorem on the order, for numbers that neither overflow nor underflow: `n - 1` for a sequence of additions (Rump 2012),
//! the depth of the tree for the others, one more for a product, a quotient or a root. For functions of exponentials, the bound of the sum is
//! increased by 2 for each exponential and logarithm, by 1 for a quotient, and by ln n for the differences from the largest number.

mod exponentials;
mod sums;

use crate::reductions::{Function, Order, Reduction};
pub use exponentials::*;
pub use sums::*;

/// All built-in reductions.
pub static ALL: &[Reduction] = &[
    Reduction {
        name: "sum-8",
        function: Function::Sum,
        orders: &[
            Order::of::<sum_8>("sequential").within(7.0),
            Order::of::<sum_8_pairwise>("pairwise").within(3.0),
            Order::of::<sum_8_by_8>("by-8").within(3.0),
        ],
    },
    Reduction {
        name: "sum-16",
        function: Function::Sum,
        orders: &[
            Order::of::<sum_16>("sequential").within(15.0),
            Order::of::<sum_16_pairwise>("pairwise").within(4.0),
            Order::of::<sum_16_by_8>("by-8").within(4.0),
        ],
    },
    Reduction {
        name: "sum-64",
        function: Function::Sum,
        orders: &[
            Order::of::<sum_64>("sequential").within(63.0),
            Order::of::<sum_64_pairwise>("pairwise").within(6.0),
            Order::of::<sum_64_by_8>("by-8").within(10.0),
        ],
    },
    Reduction {
        name: "sum-16-f32",
        function: Function::Sum,
        orders: &[
            Order::of::<sum_16_f32>("sequential").within(15.0),
            Order::of::<sum_16_f32_pairwise>("pairwise").within(4.0),
            Order::of::<sum_16_f32_by_8>("by-8").within(4.0),
        ],
    },
    Reduction {
        name: "dot-8",
        function: Function::Dot,
        orders: &[
            Order::of::<dot_8>("sequential").within(8.0),
            Order::of::<dot_8_fused>("fused").within(8.0),
            Order::of::<dot_8_pairwise>("pairwise").within(4.0),
        ],
    },
    Reduction {
        name: "dot-32",
        function: Function::Dot,
        orders: &[
            Order::of::<dot_32>("sequential").within(32.0),
            Order::of::<dot_32_fused>("fused").within(32.0),
            Order::of::<dot_32_by_8>("by-8").within(7.0),
        ],
    },
    Reduction {
        name: "norm-16",
        function: Function::Norm,
        orders: &[
            Order::of::<norm_16>("sequential"),
            Order::of::<norm_16_fused>("fused"),
            Order::of::<norm_16_scaled>("scaled").within(12.0),
        ],
    },
    Reduction {
        name: "mean-10",
        function: Function::Mean,
        orders: &[
            Order::of::<mean_10>("sequential").within(10.0),
            Order::of::<mean_10_divided>("divided-first").within(10.0),
        ],
    },
    Reduction {
        name: "variance-16",
        function: Function::Variance,
        orders: &[
            Order::of::<variance_16>("two-pass"),
            Order::of::<variance_16_textbook>("textbook"),
            Order::of::<variance_16_welford>("welford"),
        ],
    },
    Reduction {
        name: "logsumexp-8",
        function: Function::LogSumExp,
        orders: &[
            Order::of::<logsumexp_8>("sequential").within(16.0),
            Order::of::<logsumexp_8_pairwise>("pairwise").within(12.0),
            Order::of::<logsumexp_8_unshifted>("unshifted"),
        ],
    },
    Reduction {
        name: "softmax-8",
        function: Function::Softmax,
        orders: &[
            Order::of::<softmax_8>("sequential").within(15.0),
            Order::of::<softmax_8_pairwise>("pairwise").within(11.0),
            Order::of::<softmax_8_by_log>("by-log"),
            Order::of::<softmax_8_unshifted>("unshifted"),
        ],
    },
];
