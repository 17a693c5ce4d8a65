//! Routines of common mathematical libraries, written from their authors' publications. They show the use of the search, the certified
//! bounds and the exact maxima beyond the paper's routines.
//!
//! | file | routine | published |
//! |---|---|---|
//! | `fdlibm_exp` | e^x | fdlibm's `e_exp.c`, Sun Microsystems 1993 |
//! | `table_exp` | e^x | ARM's optimized routines, `exp`, 2018; glibc's and musl's since 2.28 and 1.2 |
//! | `table_log` | ln x | ARM's optimized routines, `log`, 2018; the same |
//! | `fdlibm_sin` | sin x, \|x\| <= 2^10 | fdlibm's `k_sin.c` and `k_cos.c`; the reduction is Cody and Waite's |
//! | `freebsd_cbrt` | x^(1/3) | FreeBSD's `s_cbrt.c`, after Kahan; Evans 2005 |
//!
//! Where the authors' tables are not published, `scripts/library_constants.py` computes tables with the published properties.

mod exp_constants;
mod fdlibm_exp;
mod fdlibm_sin;
mod freebsd_cbrt;
mod log_constants;
mod sin_constants;
mod table_exp;
mod table_log;
#[cfg(test)]
mod tests;

pub use fdlibm_exp::exp_fdlibm;
pub use fdlibm_sin::sin_fdlibm;
pub use freebsd_cbrt::cbrt_freebsd;
pub use table_exp::exp_table;
pub use table_log::log_table;
