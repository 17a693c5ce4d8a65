//! Double-double arithmetic: numbers `hi + lo` with `hi = RN(hi + lo)`, about 106 bits.
//!
//! Algorithm numbers and bounds are those of Joldes, Muller and Popescu, *Tight and rigorous error bounds for basic building
//! blocks of double-word arithmetic* (ACM TOMS 44, 2017). The bounds of products are the sharper ones of Muller and Rideau,
//! *Formalization of double-word arithmetic, and comments on "Tight and rigorous error bounds …"* (ACM TOMS 48, 2022). Errors are
//! relative, with u = 2^-53. They hold for normalised operands if nothing overflows and no error term underflows. It is
//! sufficient that operands, results and quotients lie between 2^-480 and 2^480. Results are normalised, except for ties of
//! `dd_recip` and `dd_sqrt_f64`.
//!
//! Where a bound is our own, the comment of the function has its proof, to first order in u²: the neglected terms are below 100 u³.
//! `tests/references` measures each bound against MPFR.
//!
//! | file | what |
//! |---|---|
//! | `add.rs` | sums |
//! | `mul.rs` | products, squares |
//! | `div.rs` | quotients, reciprocals |
//! | `sqrt.rs` | square roots and their reciprocals |
//! | `compare.rs` | comparisons, sign |
//! | `convert.rs` | to and from other types |

mod add;
mod compare;
mod convert;
mod div;
mod mul;
mod sqrt;

pub use add::{dd_add, dd_add_f64, dd_add_sloppy, dd_sub};
pub use compare::{dd_abs, dd_eq, dd_ge, dd_gt, dd_le, dd_lt, dd_ne, dd_neg};
pub use convert::{dd_from_f32, dd_from_f64, dd_from_i64, dd_to_f32, dd_to_f64};
pub use div::{dd_div, dd_div_accurate, dd_div_f64, dd_recip, dd_recip_dd};
pub use mul::{
    dd_mul, dd_mul_add, dd_mul_f64, dd_mul_f64_no_fma, dd_mul_f64_sloppy, dd_mul_no_fma,
    dd_mul_sloppy, dd_scale, dd_square,
};
pub use sqrt::{dd_rsqrt, dd_rsqrt_f64, dd_sqrt, dd_sqrt_f64};
