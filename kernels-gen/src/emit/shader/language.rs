//! The types, conversions and operations of WGSL and GLSL.

use std::collections::BTreeSet;
use std::fmt;

use super::helpers::Helper;
use crate::ops::{Op, Prim};

/// A language of shaders.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Shading {
    /// The WebGPU Shading Language.
    Wgsl,
    /// The OpenGL Shading Language, 4.00 or later, or ES 3.20.
    Glsl,
}

impl fmt::Display for Shading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Shading::Wgsl => "WGSL",
            Shading::Glsl => "GLSL",
        })
    }
}

/// The assumptions of the text, and where the language guarantees less.
const WGSL: &str = "\
// The kernel's results are those of IEEE 754, to nearest, with subnormals. WGSL guarantees less, so a device may differ:
// - Rounding: +, - and * give a neighbour of the exact result in either direction. Quotients and square roots are
//   computed here from integers and round to nearest.
// - Subnormal operands and results of +, -, * and comparisons may be flushed to zero, and zeros may lose their sign.
// - NaN and infinity: a device may assume that none occurs; a result that would be one is then any value.
// - Contraction and reassociation are allowed, and WGSL has no `precise`. Every result of +, - and * therefore passes
//   through an integer operation with `dc_zero`. Assign it 0 from a buffer before a call: the compiler does not know the
//   value then, and cannot join operations. Left as it is, a compiler may see through it.

var<private> dc_zero: u32 = 0u;

";
const GLSL: &str = "\
// To insert into a shader of `#version 400` or later, or `#version 320 es` with `precision highp float`.
// The kernel's results are those of IEEE 754, to nearest, with subnormals. GLSL guarantees less, so a device may differ:
// - Rounding: +, - and * are correctly rounded in a direction that is not defined. Quotients and square roots are
//   computed here from integers and round to nearest.
// - Subnormal operands and results of +, -, * and comparisons may be flushed to zero.
// - NaN need not be generated, and operations on one need not return one.
// - Contraction is forbidden by `precise`, which every result has.
// On Vulkan, the execution modes RoundingModeRTE, DenormPreserve and SignedZeroInfNanPreserve for 32 bits
// (VK_KHR_shader_float_controls), where a device has them, guarantee the first three.

";

/// An unsigned literal: decimal if it is small, otherwise hexadecimal of full width.
pub(super) fn word(bits: u64) -> String {
    if bits < 4096 {
        format!("{bits}u")
    } else {
        format!("0x{bits:08x}u")
    }
}

impl Shading {
    /// The text after the title.
    pub(super) fn prologue(self) -> &'static str {
        match self {
            Shading::Wgsl => WGSL,
            Shading::Glsl => GLSL,
        }
    }

    /// Type of a value.
    pub(super) fn ty(self, p: Prim) -> &'static str {
        match (self, p) {
            (Shading::Wgsl, Prim::F32) => "f32",
            (Shading::Glsl, Prim::F32) => "float",
            (Shading::Wgsl, Prim::I32) => "u32",
            (Shading::Glsl, Prim::I32) => "uint",
            (_, Prim::Mask) => "bool",
            (_, Prim::F64 | Prim::I64) => unreachable!("refused"),
        }
    }

    /// The members of a struct of results.
    pub(super) fn fields(self, types: &[Prim]) -> String {
        let field = |(i, &p): (usize, &Prim)| match self {
            Shading::Wgsl => format!("r{i}: {},", self.ty(p)),
            Shading::Glsl => format!("{} r{i};", self.ty(p)),
        };
        let fields: Vec<String> = types.iter().enumerate().map(field).collect();
        fields.join(" ")
    }

    /// The first line of a function.
    pub(super) fn head(self, name: &str, params: &[(String, Prim)], ret: &str) -> String {
        let params: Vec<String> = params
            .iter()
            .map(|(name, p)| match self {
                Shading::Wgsl => format!("{name}: {}", self.ty(*p)),
                Shading::Glsl => format!("{} {name}", self.ty(*p)),
            })
            .collect();
        let params = params.join(", ");
        match self {
            Shading::Wgsl => format!("fn {name}({params}) -> {ret} {{\n"),
            Shading::Glsl => format!("{ret} {name}({params}) {{\n"),
        }
    }

    /// The statement that defines a value.
    pub(super) fn define(self, name: &str, ty: &str, expr: &str) -> String {
        match self {
            Shading::Wgsl => format!("let {name}: {ty} = {expr};"),
            Shading::Glsl if ty == "float" => format!("precise float {name} = {expr};"),
            Shading::Glsl => format!("{ty} {name} = {expr};"),
        }
    }

    /// The lines before and after the elements of a table of words. In WGSL tables are variables, since some compilers refuse to index a
    /// constant with a value.
    pub(super) fn table(self, name: &str, len: usize) -> (String, &'static str) {
        let open = match self {
            Shading::Wgsl => format!("var<private> {name}: array<u32, {len}> = array<u32, {len}>("),
            Shading::Glsl => format!("const uint {name}[{len}] = uint[{len}]("),
        };
        (open, ");")
    }

    /// A float from the text of its bits.
    pub(super) fn float_of_bits(self, bits: &str) -> String {
        match self {
            Shading::Wgsl => format!("bitcast<f32>({bits})"),
            Shading::Glsl => format!("uintBitsToFloat({bits})"),
        }
    }

    /// A constant from its bits. WGSL refuses a constant expression that is an infinity or a NaN, so these are made with the variable.
    pub(super) fn float_constant(self, bits: u64) -> String {
        let finite = f32::from_bits(bits as u32).is_finite();
        self.float_of_bits(&match self {
            Shading::Wgsl if !finite => format!("dc_zero ^ 0x{bits:08x}u"),
            _ => format!("0x{bits:08x}u"),
        })
    }

    fn bits(self, x: &str) -> String {
        match self {
            Shading::Wgsl => format!("bitcast<u32>({x})"),
            Shading::Glsl => format!("floatBitsToUint({x})"),
        }
    }

    /// The signed view of an integer, with its bits.
    fn signed(self, x: &str) -> String {
        match self {
            Shading::Wgsl => format!("bitcast<i32>({x})"),
            Shading::Glsl => format!("int({x})"),
        }
    }

    fn select(self, mask: &str, a: &str, b: &str) -> String {
        match self {
            Shading::Wgsl => format!("select({b}, {a}, {mask})"),
            Shading::Glsl => format!("{mask} ? {a} : {b}"),
        }
    }

    /// The expression of one operation that has a form. `on` is the type of its first operand.
    pub(super) fn operation(
        self,
        op: Op,
        on: Prim,
        to: Prim,
        a: &[&str],
        needs: &mut BTreeSet<Helper>,
    ) -> String {
        let mut call = |helper: Helper| {
            needs.insert(helper);
            format!("{}({})", helper.name(), a.join(", "))
        };
        let float = on == Prim::F32;
        let binary = |sign: &str| format!("{} {sign} {}", a[0], a[1]);
        let compare = |sign: &str| match on {
            Prim::I32 => format!("{} {sign} {}", self.signed(a[0]), self.signed(a[1])),
            _ => binary(sign),
        };
        let amount = || match a[1].strip_suffix('u').and_then(|n| n.parse::<u32>().ok()) {
            Some(n) => format!("{}u", n % 32),
            None => format!("({} & 31u)", a[1]),
        };
        // A statement of its own keeps `precise`; WGSL needs the detour of its prologue.
        let rounded = |sign: &str, needs: &mut BTreeSet<Helper>| match self {
            Shading::Glsl => binary(sign),
            Shading::Wgsl => {
                needs.insert(Helper::Rounded);
                format!("dc_rounded({})", binary(sign))
            }
        };
        match op {
            Op::Add if float => rounded("+", needs),
            Op::Sub if float => rounded("-", needs),
            Op::Mul if float => rounded("*", needs),
            Op::Add => binary("+"),
            Op::Sub => binary("-"),
            Op::Mul => binary("*"),
            Op::Div => call(Helper::Divide),
            Op::Recip => {
                needs.insert(Helper::Divide);
                let one = self.float_constant(u64::from(1.0f32.to_bits()));
                format!("dc_divide({one}, {})", a[0])
            }
            Op::Sqrt => call(Helper::Sqrt),
            // On bits, so that no subnormal is flushed and no sign of a zero or of a NaN is lost.
            Op::Neg if float => self.float_of_bits(&format!("{} ^ 0x80000000u", self.bits(a[0]))),
            Op::Neg => format!("0u - {}", a[0]),
            Op::Abs => self.float_of_bits(&format!("{} & 0x7fffffffu", self.bits(a[0]))),
            Op::CopySign => call(Helper::CopySign),
            Op::Floor => format!("floor({})", a[0]),
            Op::Ceil => format!("ceil({})", a[0]),
            Op::Trunc => format!("trunc({})", a[0]),
            // WGSL's round() takes ties to even.
            Op::RoundTiesEven => match self {
                Shading::Wgsl => format!("round({})", a[0]),
                Shading::Glsl => format!("roundEven({})", a[0]),
            },
            Op::Min => self.select(&format!("({})", compare("<")), a[0], a[1]),
            Op::Max => self.select(&format!("({})", compare(">")), a[0], a[1]),
            Op::Lt => compare("<"),
            Op::Le => compare("<="),
            Op::Gt => compare(">"),
            Op::Ge => compare(">="),
            Op::Eq => binary("=="),
            Op::Ne => binary("!="),
            Op::IsNan => call(Helper::IsNan),
            Op::IsSignNegative => call(Helper::Negative),
            Op::ToF32 if on == Prim::I32 => match self {
                Shading::Wgsl => format!("f32({})", self.signed(a[0])),
                Shading::Glsl => format!("float({})", self.signed(a[0])),
            },
            Op::ToI32 if float => call(Helper::ToInt),
            Op::ToF32 | Op::ToI32 => a[0].to_string(),
            Op::ToBits => call(Helper::Bits),
            Op::FromBits => self.float_of_bits(a[0]),
            Op::And if to == Prim::Mask => binary("&&"),
            Op::Or if to == Prim::Mask => binary("||"),
            Op::Xor if to == Prim::Mask => binary("!="),
            Op::And => binary("&"),
            Op::Or => binary("|"),
            Op::Xor => binary("^"),
            Op::Not if on == Prim::Mask => format!("!{}", a[0]),
            Op::Not => format!("~{}", a[0]),
            Op::Shl => format!("{} << {}", a[0], amount()),
            Op::ShrLogical => format!("{} >> {}", a[0], amount()),
            Op::Shr => {
                let shifted = format!("{} >> {}", self.signed(a[0]), amount());
                match self {
                    Shading::Wgsl => format!("bitcast<u32>({shifted})"),
                    Shading::Glsl => format!("uint({shifted})"),
                }
            }
            Op::Select => self.select(a[0], a[1], a[2]),
            Op::Fma | Op::Directed(..) | Op::ToF64 | Op::ToI64 => unreachable!("refused"),
        }
    }

    /// A helper's text from its template, see [`super::helpers`].
    pub(super) fn of_template(self, template: &str) -> String {
        let mut text = String::new();
        for line in template.lines() {
            let indent = line.len() - line.trim_start().len();
            let (space, rest) = line.split_at(indent);
            text.push_str(space);
            text.push_str(&match rest.split_once(' ') {
                Some(("fn", head)) => self.head_in_template(head),
                Some((word @ ("let" | "var"), definition)) => {
                    let (ty, definition) = definition.split_once(' ').unwrap_or_default();
                    match self {
                        Shading::Wgsl => {
                            let (name, value) = definition.split_once(" = ").unwrap_or_default();
                            format!("{word} {name}: {ty} = {value}")
                        }
                        Shading::Glsl => format!("{} {definition}", self.name_of(ty)),
                    }
                }
                _ => rest.to_string(),
            });
            text.push('\n');
        }
        let [bits, float, int, uint, msb] = match self {
            Shading::Wgsl => [
                "bitcast<u32>(",
                "bitcast<f32>(",
                "i32(",
                "u32(",
                "firstLeadingBit(",
            ],
            Shading::Glsl => [
                "floatBitsToUint(",
                "uintBitsToFloat(",
                "int(",
                "uint(",
                "findMSB(",
            ],
        };
        text.replace("$bits(", bits)
            .replace("$float(", float)
            .replace("$int(", int)
            .replace("$uint(", uint)
            .replace("$msb(", msb)
    }

    /// `NAME PARAM TYPE, … -> TYPE {` as a function's first line.
    fn head_in_template(self, head: &str) -> String {
        let (name, rest) = head.split_once(' ').unwrap_or_default();
        let (params, ret) = rest.split_once(" -> ").unwrap_or_default();
        let ret = ret.trim_end_matches(" {");
        let params: Vec<String> = params
            .split(", ")
            .map(|param| {
                let (name, ty) = param.split_once(' ').unwrap_or_default();
                match self {
                    Shading::Wgsl => format!("{name}: {ty}"),
                    Shading::Glsl => format!("{} {name}", self.name_of(ty)),
                }
            })
            .collect();
        let params = params.join(", ");
        match self {
            Shading::Wgsl => format!("fn {name}({params}) -> {ret} {{"),
            Shading::Glsl => format!("{} {name}({params}) {{", self.name_of(ret)),
        }
    }

    /// GLSL's name for a WGSL type.
    fn name_of(self, ty: &str) -> &str {
        match (self, ty) {
            (Shading::Glsl, "f32") => "float",
            (Shading::Glsl, "u32") => "uint",
            (Shading::Glsl, "i32") => "int",
            _ => ty,
        }
    }
}
