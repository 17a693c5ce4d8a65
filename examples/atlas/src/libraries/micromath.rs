//! The crate `micromath`: small and fast approximations for microcontrollers.

use micromath::F32Ext;

use super::{Library, locked, routines};

pub const LIBRARY: Library = Library {
    name: "micromath",
    about: "small and fast approximations for microcontrollers, at the cost of precision",
    version: || locked("micromath"),
    routines: routines! { f32:
        exp: "F32Ext::exp" = <f32 as F32Ext>::exp;
        log: "F32Ext::ln" = <f32 as F32Ext>::ln;
        log2: "F32Ext::log2" = <f32 as F32Ext>::log2;
        log10: "F32Ext::log10" = <f32 as F32Ext>::log10;
        sin: "F32Ext::sin" = <f32 as F32Ext>::sin;
        cos: "F32Ext::cos" = <f32 as F32Ext>::cos;
        tan: "F32Ext::tan" = <f32 as F32Ext>::tan;
        asin: "F32Ext::asin" = <f32 as F32Ext>::asin;
        acos: "F32Ext::acos" = <f32 as F32Ext>::acos;
        atan: "F32Ext::atan" = <f32 as F32Ext>::atan;
        sqrt: "F32Ext::sqrt" = <f32 as F32Ext>::sqrt;
        recip: "F32Ext::inv" = <f32 as F32Ext>::inv;
        rsqrt: "F32Ext::invsqrt" = <f32 as F32Ext>::invsqrt;
    },
    doubles: &[],
    device: None,
};
