//! A function of the language itself, over arrays: `native_exp` of OpenCL C, `__expf` of CUDA, or an instruction of PTX,
//! `rcp.approx.ftz.f64`.
//!
//! The function is measured as a program would call it. So this text follows none of the rules of emitted kernels: it has no pragma about
//! contraction, and must be compiled without any option that changes results.

use std::fmt::Write as _;

use super::{Dialect, EmitError, Signature, Source};
use crate::ops::Prim;

/// A kernel that calls a function for every element of its arrays. The function takes `arguments` numbers of type `p` and returns one of
/// that type. If it returns another type, the compiler rejects the text. See [`Signature::Point`].
///
/// # Errors
/// If `function` is not an identifier, or `p` not a floating-point type.
pub fn function_kernel(
    function: &str,
    p: Prim,
    arguments: usize,
    dialect: Dialect,
) -> Result<Source, EmitError> {
    let Callee {
        definitions,
        name,
        assertion,
        ty,
        bits,
    } = Callee::new(function, p, arguments, dialect)?;
    let entry = "dc_function_point".to_string();
    let words = Words::of(dialect);
    let list =
        |item: &dyn Fn(usize) -> String| (0..arguments).map(item).collect::<Vec<_>>().join(", ");
    let names = list(&|i| format!("x{i}"));
    let Words {
        word,
        space,
        restrict,
        qualifier,
        first,
        stride,
        ..
    } = words;
    let mut text = format!(
        "// {function} at points, by DoubleCrunch: what a program gets that calls it, compiled with the language's defaults.\n"
    );
    text += &definitions;
    let _ = writeln!(text, "{qualifier} void {entry}(");
    for i in 0..arguments {
        let _ = writeln!(text, "    {space}const {word} *{restrict}in{i},");
    }
    let _ = writeln!(
        text,
        "    {space}{word} *{restrict}out0,\n    const {word} n) {{"
    );
    let _ = writeln!(text, "    {assertion}");
    let _ = writeln!(
        text,
        "    const {word} first = {first};\n    const {word} stride = {stride};"
    );
    let _ = writeln!(text, "    for ({word} i = first; i < n; i += stride) {{");
    for i in 0..arguments {
        let value = words.float_of_word(bits, &format!("in{i}[i]"));
        let _ = writeln!(text, "        const {ty} x{i} = {value};");
    }
    let _ = writeln!(text, "        const {ty} y = {name}({names});");
    let _ = writeln!(
        text,
        "        out0[i] = {};",
        words.word_of_float(bits, "y")
    );
    text += "    }\n}\n";
    Ok(Source {
        text,
        entry,
        dialect,
        lanes: 1,
        signature: Signature::Point {
            inputs: vec![p; arguments],
            outputs: vec![p],
        },
    })
}

/// A function in the form in which a text calls it.
pub(super) struct Callee {
    /// The text before the first call.
    pub definitions: String,
    /// The name of the called function.
    pub name: String,
    /// The statement that asserts the function's type.
    pub assertion: String,
    /// The type of its arguments and of its result, and its width.
    ty: &'static str,
    bits: u32,
}

impl Callee {
    /// # Errors
    /// As for [`function_kernel`].
    pub fn new(
        function: &str,
        p: Prim,
        arguments: usize,
        dialect: Dialect,
    ) -> Result<Callee, EmitError> {
        let (ty, bits, register) = match p {
            Prim::F32 => ("float", 32, "f"),
            Prim::F64 => ("double", 64, "d"),
            _ => return Err(EmitError(format!("{p:?} is no floating-point type"))),
        };
        let words = Words::of(dialect);
        let mut definitions = (words.head)(p).to_string();
        let list = |item: &dyn Fn(usize) -> String| {
            (0..arguments).map(item).collect::<Vec<_>>().join(", ")
        };
        let name = match (is_identifier(function), is_instruction(function), dialect) {
            (true, ..) => function.to_string(),
            (false, true, Dialect::Cuda) => {
                let name = "dc_instruction".to_string();
                let parameters = list(&|i| format!("const {ty} x{i}"));
                let operands = list(&|i| format!("%{}", i + 1));
                let inputs = list(&|i| format!("\"{register}\"(x{i})"));
                let _ = writeln!(
                    definitions,
                    "static __device__ __forceinline__ {ty} {name}({parameters}) {{\n    {ty} y;\n    \
                     asm(\"{function} %0, {operands};\" : \"={register}\"(y) : {inputs});\n    return y;\n}}"
                );
                name
            }
            (false, true, _) => {
                return Err(EmitError(format!(
                    "`{function}` is named like an instruction of PTX, which only CUDA's text can contain"
                )));
            }
            (false, false, _) => {
                return Err(EmitError(format!(
                    "`{function}` is no name of a function: letters, digits and _; in CUDA also an instruction of PTX, \
                     as ex2.approx.f32"
                )));
            }
        };
        let ones = list(&|_| format!("({ty})1"));
        let same = words.same_type(&format!("{name}({ones})"), ty);
        let assertion = format!(
            "{}({same}, \"{function} gives no {ty} of {ty} arguments\");",
            words.assertion
        );
        Ok(Callee {
            definitions,
            name,
            assertion,
            ty,
            bits,
        })
    }
}

/// Whether a text is an instruction of PTX with its modifiers: words of lower-case letters and digits, separated by dots.
fn is_instruction(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    text.contains('.')
        && text
            .split('.')
            .all(|w| !w.is_empty() && w.chars().all(plain))
}

/// Whether a text is an identifier in C.
fn is_identifier(text: &str) -> bool {
    let letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    text.starts_with(letter) && text.chars().all(|c| letter(c) || c.is_ascii_digit())
}

/// The text fragments of such a kernel in a language.
struct Words {
    cuda: bool,
    word: &'static str,
    space: &'static str,
    restrict: &'static str,
    qualifier: &'static str,
    first: &'static str,
    stride: &'static str,
    assertion: &'static str,
    /// The text before the kernel.
    head: fn(Prim) -> &'static str,
}

impl Words {
    fn of(dialect: Dialect) -> Words {
        match dialect {
            Dialect::Cuda => Words {
                cuda: true,
                word: "unsigned long long",
                space: "",
                restrict: "__restrict__ ",
                qualifier: "extern \"C\" __global__",
                first: "(unsigned long long)blockIdx.x * blockDim.x + threadIdx.x",
                stride: "(unsigned long long)gridDim.x * blockDim.x",
                assertion: "static_assert",
                head: |_| {
                    "template <class A, class B> struct dc_same { static const bool value = false; };\n\
                     template <class A> struct dc_same<A, A> { static const bool value = true; };\n"
                },
            },
            Dialect::OpenCl(_) => Words {
                cuda: false,
                word: "ulong",
                space: "__global ",
                restrict: "restrict ",
                qualifier: "__kernel",
                first: "get_global_id(0)",
                stride: "get_global_size(0)",
                assertion: "_Static_assert",
                head: |p| match p {
                    Prim::F64 => "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n",
                    _ => "",
                },
            },
        }
    }

    /// A constant expression that states whether a call, which is not evaluated, has this type.
    fn same_type(&self, call: &str, ty: &str) -> String {
        match self.cuda {
            true => format!("dc_same<decltype({call}), {ty}>::value"),
            false => format!("_Generic({call}, {ty}: 1, default: 0)"),
        }
    }

    fn float_of_word(&self, bits: u32, word: &str) -> String {
        match (self.cuda, bits) {
            (true, 32) => format!("__int_as_float((int){word})"),
            (true, _) => format!("__longlong_as_double((long long){word})"),
            (false, 32) => format!("as_float((uint){word})"),
            (false, _) => format!("as_double({word})"),
        }
    }

    fn word_of_float(&self, bits: u32, value: &str) -> String {
        match (self.cuda, bits) {
            (true, 32) => format!("(unsigned int)__float_as_int({value})"),
            (true, _) => format!("(unsigned long long)__double_as_longlong({value})"),
            (false, 32) => format!("as_uint({value})"),
            (false, _) => format!("as_ulong({value})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::CorrectF32Divide;

    const OPENCL: Dialect = Dialect::OpenCl(CorrectF32Divide::Native);

    #[test]
    fn what_is_no_name_gets_no_text() {
        for name in ["", "exp(", "1exp", "exp;", "exp x", "exp\n", "café"] {
            let error = function_kernel(name, Prim::F32, 1, OPENCL).expect_err(name);
            assert!(
                error.to_string().contains("is no name of a function"),
                "{error}"
            );
        }
        assert!(function_kernel("__expf", Prim::F32, 1, Dialect::Cuda).is_ok());
        assert!(function_kernel("exp", Prim::I64, 1, OPENCL).is_err());
    }

    #[test]
    fn an_instruction_of_ptx_is_a_function_of_cuda_alone() {
        let name = "rcp.approx.ftz.f64";
        let text = function_kernel(name, Prim::F64, 1, Dialect::Cuda).expect("a text");
        for part in [
            "asm(\"rcp.approx.ftz.f64 %0, %1;\" : \"=d\"(y) : \"d\"(x0));",
            "const double y = dc_instruction(x0);",
        ] {
            assert!(text.text.contains(part), "{part}: {}", text.text);
        }
        let error = function_kernel(name, Prim::F64, 1, OPENCL).expect_err("no PTX there");
        assert!(error.to_string().contains("only CUDA's text"), "{error}");
        for name in ["a.", ".a", "a..b", "a;.b", "A.b", "a.b\"", "a b.c"] {
            assert!(
                function_kernel(name, Prim::F32, 1, Dialect::Cuda).is_err(),
                "{name}"
            );
        }
    }

    #[test]
    fn the_function_is_called_by_its_name_and_its_type_is_held() {
        let of = |p, n, dialect| function_kernel("f", p, n, dialect).expect("a text").text;
        let text = of(Prim::F64, 2, OPENCL);
        for part in [
            "#pragma OPENCL EXTENSION cl_khr_fp64 : enable",
            "_Static_assert(_Generic(f((double)1, (double)1), double: 1, default: 0)",
            "const double y = f(x0, x1);",
            "const double x1 = as_double(in1[i]);",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        let text = of(Prim::F32, 1, Dialect::Cuda);
        for part in [
            "static_assert(dc_same<decltype(f((float)1)), float>::value",
            "const float x0 = __int_as_float((int)in0[i]);",
            "out0[i] = (unsigned int)__float_as_int(y);",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        // Emitted kernels have such pragmas; here the compiler's own behaviour is examined.
        assert!(!text.contains("FP_CONTRACT") && !text.contains("#pragma"));
    }
}
