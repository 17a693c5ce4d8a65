//! Polynomial evaluation: `c[0] + c[1] x + … + c[n] x^n`, of any degree n = `c.len() - 1` of at least 1.
//!
//! Bounds are absolute, with `p~` = `|c[0]| + |c[1] x| + … + |c[n] x^n|`, γ_k = k u / (1 - k u) and u = 2^-53. They hold if nothing over-
//! or underflows (Higham, *Accuracy and Stability of Numerical Algorithms*, 5.1).
//!
//! | kernel | operations of degree n | error below |
//! |---|---|---|
//! | `horner` | n fused | γ_n p~ |
//! | `horner_no_fma` | n products, n sums | γ_2n p~ |
//! | `estrin` | n and L - 1, in L = ⌈log₂(n + 1)⌉ steps | γ_(n + L) p~ |
//! | `even_odd` | n and 1, in half the steps | γ_(n + 2) p~ |
//! | `horner_compensated` | 10 n | γ_2n² p~ |
//! | `horner_compensated_no_fma` | 22 n | γ_2n² p~ |
//! | `horner_dd` | 16 n | 4 n u² p~ |
//!
//! `tests/references` measures them against MPFR.

mod accurate;
mod plain;

pub use accurate::{horner_compensated, horner_compensated_no_fma, horner_dd};
pub use plain::{estrin, even_odd, horner, horner_f32, horner_no_fma};
