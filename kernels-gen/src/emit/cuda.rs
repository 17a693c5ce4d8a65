//! CUDA C: every floating-point operation is an intrinsic whose name contains the rounding. No compiler option
//! can contract or relax it (CUDA C Programming Guide, "Intrinsic Functions").

use super::lang::{Helper, Lang, Needs};
use crate::ops::{Arith, Op, Prim};

/// The language.
pub(super) struct Cuda;

impl Lang for Cuda {
    fn prologue(&self) -> String {
        String::new()
    }
    fn scalar(&self, p: Prim) -> &'static str {
        match p {
            Prim::F64 => "double",
            Prim::F32 => "float",
            Prim::I64 => "unsigned long long",
            Prim::I32 => "unsigned int",
            Prim::Mask => "bool",
        }
    }
    fn as_signed(&self, p: Prim, x: &str) -> String {
        format!("({}){x}", if p == Prim::I64 { "long long" } else { "int" })
    }
    fn as_unsigned(&self, p: Prim, x: &str) -> String {
        format!("({}){x}", self.scalar(p))
    }
    fn resize(&self, to: Prim, x: &str) -> String {
        format!("({}){x}", self.scalar(to))
    }
    fn sign_extend(&self, x: &str) -> String {
        format!("(unsigned long long)(long long)(int){x}")
    }
    fn suffix(&self, p: Prim) -> &'static str {
        if p == Prim::I64 { "ull" } else { "u" }
    }
    fn function(&self) -> &'static str {
        "static __device__ __forceinline__"
    }
    // Not `__constant__`: if lanes of a warp read different elements of constant memory, the reads are serialized.
    fn table(&self) -> &'static str {
        "static __device__ const"
    }
    fn pragma(&self) -> &'static str {
        ""
    }
    fn float_of_bits(&self, p: Prim, bits: &str) -> String {
        self.scalar_of_bits(p, bits)
    }
    fn scalar_of_bits(&self, p: Prim, bits: &str) -> String {
        if p == Prim::F64 {
            format!("__longlong_as_double({bits})")
        } else {
            format!("__int_as_float({bits})")
        }
    }
    fn raw_bits(&self, p: Prim, x: &str) -> String {
        if p == Prim::F64 {
            format!("(unsigned long long)__double_as_longlong({x})")
        } else {
            format!("(unsigned int)__float_as_int({x})")
        }
    }
    fn toward_zero(&self, from: Prim, to: Prim, x: &str) -> String {
        let from = if from == Prim::F64 { "double" } else { "float" };
        let to = if to == Prim::I64 { "ll" } else { "int" };
        format!("__{from}2{to}_rz({x})")
    }
    fn to_float(&self, from: Prim, to: Prim, x: &str, _: &mut Needs) -> String {
        match (from, to) {
            (Prim::F32, Prim::F64) => format!("(double){x}"),
            (Prim::F64, _) => format!("__double2float_rn({x})"),
            (Prim::I64, Prim::F64) => format!("__ll2double_rn((long long){x})"),
            (Prim::I64, _) => format!("__ll2float_rn((long long){x})"),
            (_, Prim::F64) => format!("__int2double_rn((int){x})"),
            _ => format!("__int2float_rn((int){x})"),
        }
    }
    fn arith(&self, op: Op, p: Prim, args: &[String], _: &mut Needs) -> String {
        let d = p == Prim::F64;
        let name = match op {
            Op::Directed(arith, direction) => {
                let operation = match (arith, d) {
                    (Arith::Add, true) => "dadd",
                    (Arith::Add, false) => "fadd",
                    (Arith::Sub, true) => "dsub",
                    (Arith::Sub, false) => "fsub",
                    (Arith::Mul, true) => "dmul",
                    (Arith::Mul, false) => "fmul",
                    (Arith::Div, true) => "ddiv",
                    (Arith::Div, false) => "fdiv",
                    (Arith::Recip, true) => "drcp",
                    (Arith::Recip, false) => "frcp",
                    (Arith::Sqrt, true) => "dsqrt",
                    (Arith::Sqrt, false) => "fsqrt",
                    (Arith::Fma, true) => "fma",
                    (Arith::Fma, false) => "fmaf",
                };
                return format!("__{operation}_{}({})", direction.suffix(), args.join(", "));
            }
            Op::Neg => return format!("-{}", args[0]),
            Op::Add => {
                if d {
                    "__dadd_rn"
                } else {
                    "__fadd_rn"
                }
            }
            Op::Sub => {
                if d {
                    "__dsub_rn"
                } else {
                    "__fsub_rn"
                }
            }
            Op::Mul => {
                if d {
                    "__dmul_rn"
                } else {
                    "__fmul_rn"
                }
            }
            Op::Div => {
                if d {
                    "__ddiv_rn"
                } else {
                    "__fdiv_rn"
                }
            }
            Op::Fma => {
                if d {
                    "__fma_rn"
                } else {
                    "__fmaf_rn"
                }
            }
            Op::Sqrt => {
                if d {
                    "__dsqrt_rn"
                } else {
                    "__fsqrt_rn"
                }
            }
            Op::Recip => {
                if d {
                    "__drcp_rn"
                } else {
                    "__frcp_rn"
                }
            }
            Op::Abs => {
                if d {
                    "fabs"
                } else {
                    "fabsf"
                }
            }
            Op::Floor => {
                if d {
                    "floor"
                } else {
                    "floorf"
                }
            }
            Op::Ceil => {
                if d {
                    "ceil"
                } else {
                    "ceilf"
                }
            }
            Op::Trunc => {
                if d {
                    "trunc"
                } else {
                    "truncf"
                }
            }
            _ => {
                if d {
                    "rint"
                } else {
                    "rintf"
                }
            }
        };
        format!("{name}({})", args.join(", "))
    }
    fn own_helper(&self, helper: Helper) -> String {
        unreachable!("CUDA has no helper {helper:?}")
    }
}
