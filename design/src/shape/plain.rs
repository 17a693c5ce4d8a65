//! No reduction: only the polynomial.

use kernels_gen::syntax::Expr;

use super::design::Design;
use crate::build::Builder;
use crate::polynomial::polynomial;

pub fn body(design: &Design, b: &mut Builder, x: &Expr) -> Expr {
    polynomial(b, design.form, design.scheme, design.terms, x)
}
