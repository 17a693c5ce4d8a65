//! OpenCL C 1.2: contraction switched off at file scope and in every function, one operation per statement.
//!
//! The specification requires add, subtract, multiply, fused multiply-add and, in `double`, division and square root to be
//! correctly rounded (OpenCL 1.2, section 7.4). It requires this of `float` division and square root only under a build option that
//! some devices lack, see [`CorrectF32Divide`].

use super::CorrectF32Divide;
use super::directed;
use super::expr::float;
use super::lang::{Helper, Lang, Needs, int_of, tag};
use super::vectors;
use crate::ops::{Arith, Op, Prim};

/// The language.
///
/// With more than one lane, a value is a vector (`double8`), and a mask is a vector of 64-bit words that are all ones or all zeros.
/// Compilers for CPUs do not vectorize over work items once a kernel has a loop (PoCL 3.1, measured: 5.5 times slower), but they keep
/// vectors in registers.
pub(super) struct OpenCl {
    pub divide: CorrectF32Divide,
    pub lanes: u32,
    /// The number of 64-bit lanes of a register.
    pub register: u32,
}

impl OpenCl {
    /// A vector type of this text's width, or the scalar.
    fn wide(&self, scalar: &str) -> String {
        if self.lanes == 1 {
            scalar.to_string()
        } else {
            format!("{scalar}{}", self.lanes)
        }
    }
    /// Whether a derived conversion of 64-bit integers is faster than the compiler's.
    fn derives_conversions(&self) -> bool {
        self.lanes > 1 && self.register < vectors::AVX512
    }
    fn rounding(&self, one: &'static str, vector: &'static str) -> &'static str {
        if self.lanes == 1 { one } else { vector }
    }
    fn signed(p: Prim) -> &'static str {
        if p == Prim::I64 { "long" } else { "int" }
    }
    fn one(&self, p: Prim) -> String {
        let bits = if p == Prim::F64 {
            1f64.to_bits()
        } else {
            u64::from(1f32.to_bits())
        };
        format!("{} /* 1.0 */", float(self, p, bits))
    }
}

impl Lang for OpenCl {
    fn prologue(&self) -> String {
        let mut text =
            "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n#pragma OPENCL FP_CONTRACT OFF\n"
                .to_string();
        if self.lanes > 1 {
            text.push_str(&vectors::roundings());
        }
        text
    }
    fn lanes(&self) -> u32 {
        self.lanes
    }
    fn scalar(&self, p: Prim) -> &'static str {
        match p {
            Prim::F64 => "double",
            Prim::F32 => "float",
            Prim::I64 => "ulong",
            Prim::I32 => "uint",
            Prim::Mask => "bool",
        }
    }
    fn ty(&self, p: Prim) -> String {
        self.wide(if p == Prim::Mask && self.lanes > 1 {
            "long"
        } else {
            self.scalar(p)
        })
    }
    fn splat(&self, p: Prim, scalar: &str) -> String {
        match (self.lanes, p, scalar) {
            (1, _, _) => scalar.to_string(),
            (_, Prim::Mask, "true") => format!("({})(-1L)", self.ty(p)),
            (_, Prim::Mask, _) => format!("({})(0L)", self.ty(p)),
            _ => format!("({})({scalar})", self.ty(p)),
        }
    }
    fn as_signed(&self, p: Prim, x: &str) -> String {
        let to = Self::signed(p);
        if self.lanes == 1 {
            format!("({to}){x}")
        } else {
            format!("as_{}({x})", self.wide(to))
        }
    }
    fn as_unsigned(&self, p: Prim, x: &str) -> String {
        let to = self.ty(p);
        if self.lanes == 1 {
            format!("({to}){x}")
        } else {
            format!("as_{to}({x})")
        }
    }
    fn resize(&self, to: Prim, x: &str) -> String {
        let to = self.ty(to);
        if self.lanes == 1 {
            format!("({to}){x}")
        } else {
            format!("convert_{to}({x})")
        }
    }
    fn sign_extend(&self, x: &str) -> String {
        if self.lanes == 1 {
            return format!("(ulong)(long)(int){x}");
        }
        format!(
            "as_{}(convert_{}(as_{}({x})))",
            self.wide("ulong"),
            self.wide("long"),
            self.wide("int")
        )
    }
    fn mask(&self, p: Prim, comparison: &str) -> String {
        // Comparisons of vectors of 32-bit lanes give 32-bit masks.
        if self.lanes > 1 && matches!(p, Prim::F32 | Prim::I32) {
            format!("convert_{}({comparison})", self.wide("long"))
        } else {
            comparison.to_string()
        }
    }
    fn select(&self, p: Prim, mask: &str, a: &str, b: &str) -> String {
        if self.lanes > 1 && matches!(p, Prim::F32 | Prim::I32) {
            format!("convert_{}({mask}) ? {a} : {b}", self.wide("int"))
        } else {
            format!("{mask} ? {a} : {b}")
        }
    }
    fn not(&self, mask: &str) -> String {
        if self.lanes == 1 {
            format!("!{mask}")
        } else {
            format!("~{mask}")
        }
    }
    fn suffix(&self, p: Prim) -> &'static str {
        if p == Prim::I64 { "UL" } else { "U" }
    }
    fn function(&self) -> &'static str {
        // A text may have vectors of two widths.
        match self.lanes {
            1 => "static inline __attribute__((always_inline))",
            _ => "static inline __attribute__((always_inline, overloadable))",
        }
    }
    fn table(&self) -> &'static str {
        "__constant"
    }
    fn pragma(&self) -> &'static str {
        "    #pragma OPENCL FP_CONTRACT OFF\n"
    }
    fn float_of_bits(&self, p: Prim, bits: &str) -> String {
        format!("as_{}({bits})", self.ty(p))
    }
    fn scalar_of_bits(&self, p: Prim, bits: &str) -> String {
        format!("as_{}({bits})", self.scalar(p))
    }
    fn raw_bits(&self, p: Prim, x: &str) -> String {
        format!("as_{}({x})", self.ty(int_of(p)))
    }
    fn toward_zero(&self, _: Prim, to: Prim, x: &str) -> String {
        format!("convert_{}_rtz({x})", self.wide(Self::signed(to)))
    }
    fn to_float(&self, from: Prim, to: Prim, x: &str, need: &mut Needs) -> String {
        let result = to;
        let to = self.ty(to);
        match from {
            Prim::I64 if result == Prim::F32 => {
                if self.derives_conversions() {
                    need.insert(Helper::LongToF64);
                }
                need.insert(Helper::LongToF32);
                format!("dc_long_to_f32({x})")
            }
            Prim::I64 if self.derives_conversions() => {
                need.insert(Helper::LongToF64);
                format!("dc_long_to_f64({x})")
            }
            Prim::F32 => format!("convert_{to}({x})"),
            Prim::F64 => format!("convert_{to}_rte({x})"),
            _ => format!("convert_{to}_rte({})", self.as_signed(from, x)),
        }
    }
    fn arith(&self, op: Op, p: Prim, args: &[String], need: &mut Needs) -> String {
        let derived = p == Prim::F32 && self.divide == CorrectF32Divide::Derived;
        let mut helper = |h: Helper, name: &str, args: String| {
            need.insert(h);
            format!("{name}({args})")
        };
        let name = match op {
            Op::Directed(arith, direction) => {
                let (arith, args) = match arith {
                    // Exactly the same, except for the sign of a NaN.
                    Arith::Sub => (Arith::Add, format!("{}, -{}", args[0], args[1])),
                    Arith::Recip => (Arith::Div, format!("{}, {}", self.one(p), args[0])),
                    arith => (arith, args.join(", ")),
                };
                let name = directed::name(arith, direction, p);
                return helper(Helper::Directed(arith, direction, p), &name, args);
            }
            Op::Neg => return format!("-{}", args[0]),
            Op::Add => return format!("{} + {}", args[0], args[1]),
            Op::Sub => return format!("{} - {}", args[0], args[1]),
            Op::Mul => return format!("{} * {}", args[0], args[1]),
            Op::Div if derived => {
                return helper(Helper::DivideF32, "dc_divide_f32", args.join(", "));
            }
            Op::Div => return format!("{} / {}", args[0], args[1]),
            Op::Recip if derived => {
                return helper(
                    Helper::DivideF32,
                    "dc_divide_f32",
                    format!("{}, {}", self.one(p), args[0]),
                );
            }
            Op::Recip => return format!("{} / {}", self.one(p), args[0]),
            Op::Sqrt if derived => return helper(Helper::SqrtF32, "dc_sqrt_f32", args[0].clone()),
            Op::Fma => "fma",
            Op::Sqrt => "sqrt",
            Op::Abs => "fabs",
            Op::Floor => self.rounding("floor", "dc_floor"),
            Op::Ceil => self.rounding("ceil", "dc_ceil"),
            Op::Trunc => self.rounding("trunc", "dc_trunc"),
            _ => self.rounding("rint", "dc_rint"),
        };
        format!("{name}({})", args.join(", "))
    }
    fn own_to_int(&self, from: Prim, to: Prim) -> Option<String> {
        let derived = to == Prim::I64 && self.derives_conversions();
        let name = format!("dc_{}_to_{}", tag(from), tag(to));
        derived.then(|| vectors::to_long(self, from, &name))
    }
    fn own_helper(&self, helper: Helper) -> String {
        let (function, pragma) = (self.function(), self.pragma());
        let (f, d) = (self.ty(Prim::F32), self.ty(Prim::F64));
        match helper {
            Helper::DivideF32 => format!(
                "{DIVIDE_PROOF}{function} {f} dc_divide_f32({f} a, {f} b) {{\n{pragma}    \
                 const {d} wide_a = convert_{d}(a);\n    const {d} wide_b = convert_{d}(b);\n    \
                 const {d} quotient = wide_a / wide_b;\n    return convert_{f}_rte(quotient);\n}}\n"
            ),
            Helper::SqrtF32 => format!(
                "{SQRT_PROOF}{function} {f} dc_sqrt_f32({f} x) {{\n{pragma}    \
                 const {d} wide = convert_{d}(x);\n    const {d} root = sqrt(wide);\n    \
                 return convert_{f}_rte(root);\n}}\n"
            ),
            Helper::LongToF64 => vectors::long_to_double(self),
            Helper::LongToF32 => {
                let u = self.ty(Prim::I64);
                let word = |bits: &str| self.splat(Prim::I64, &format!("{bits}UL"));
                let small = format!(
                    "n + {} < {}",
                    word("0x0020000000000000"),
                    word("0x0040000000000000")
                );
                let exact = match self.derives_conversions() {
                    true => "dc_long_to_f64(exact)".to_string(),
                    false => format!("convert_{d}_rte({})", self.as_signed(Prim::I64, "exact")),
                };
                let chosen = self.select(Prim::I64, "small", "n", "odd");
                format!(
                    "{LONG_PROOF}{function} {f} dc_long_to_f32({u} n) {{\n{pragma}    \
                     const {u} sticky = ((n & {low}) + {low}) & {unit};\n    \
                     const {u} odd = (n & ~{low}) | sticky;\n    const {} small = {small};\n    \
                     const {u} exact = {chosen};\n    \
                     const {d} wide = {exact};\n    return convert_{f}_rte(wide);\n}}\n",
                    self.ty(Prim::Mask),
                    low = word("0x7ff"),
                    unit = word("0x800"),
                )
            }
            Helper::Directed(arith, direction, p) => directed::text(self, arith, direction, p),
            other => unreachable!("{other:?} is written by the shared writer"),
        }
    }
}

const DIVIDE_PROOF: &str = "\
// The correctly rounded float quotient, by rounding q = a/b first to double and then to float.
// Let a = A*2^i, b = B*2^j with integers A, B < 2^24, and let m = k*2^f, k odd, k < 2^25, be a midpoint of two
// floats (subnormal results and the overflow threshold included). If q != m, then |q - m|/m = |A*2^s - k*B|/(k*B)
// with s = i - j - f. For s >= 0 the numerator is at least 1 and the ratio above 2^-49; for s < 0 the numerator is
// at least 2^s, and where q is within a factor 2 of m, k*B < 2^(25+s), so the ratio is above 2^-25. Rounding to
// double moves q by at most 2^-53 of itself, so it cannot carry q onto or across m, and the second rounding goes
// the way one rounding would. (No quotient of two floats is subnormal in double.)
";

const SQRT_PROOF: &str = "\
// The correctly rounded float square root, by rounding r = sqrt(x) first to double and then to float.
// Let x = X*2^(2e), X < 2^25, and let m = k*2^f, k odd, 2^24 < k < 2^25, be a midpoint of two floats. The square
// k*k is odd and above 2^48, so x != m*m, and |x - m*m|/(m*m) >= 1/(k*k) > 2^-50, hence |r - m|/m > 2^-52. Rounding
// to double moves r by at most 2^-53 of itself: not onto or across m. Roots of floats are never subnormal.
";

const LONG_PROOF: &str = "\
// The correctly rounded float of a 64-bit integer. Some devices round it twice, through double (oclgrind 21.10), so
// the first step is made exact: below 2^53 it is; above, n is rounded to odd at bit 11 (Boldo and Melquiond, Emulation
// of FMA and correctly rounded sums: proved algorithms using rounding to odd, 2008), which leaves at most 53 bits and
// is neither a float nor a midpoint of two floats unless n is that number.
";
