//! The syntax of kernels ([`kernels_gen::syntax`]), and the library's kernels that random ones call.

use doublecrunch::kernel::CrunchFn;
use kernels_gen::ir::Kernel;

pub use kernels_gen::syntax::*;

macro_rules! library {
    ($($name:ident),+) => {
        /// The library's kernels among which random ones choose.
        pub const LIBRARY: &[&Kernel] = {
            use doublecrunch::prelude::*;
            &[$(<$name as CrunchFn>::KERNEL),+]
        };
    };
}
library!(
    two_sum,
    fast_two_sum,
    two_prod,
    two_prod_dekker,
    veltkamp_split,
    dd_add,
    dd_mul,
    dd_div_f64,
    dd_sqrt_f64,
    dd_lt,
    dd_to_f32,
    dd_from_i64,
    dd_abs,
    rcp_neon
);
