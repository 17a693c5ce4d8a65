//! Every message of the macro: the unsupported construct, and what to write instead.
//!
//! Every message has a remedy. The compile-fail suite has a case for each (`tests` below).

use std::fmt;

macro_rules! messages {
    ($($(#[$doc:meta])* $name:ident $(($($arg:ident),+))? : $what:literal, $remedy:literal;)+) => {
        /// The reason why a function is not a kernel.
        #[derive(Debug)]
        pub(crate) enum Message {
            $($(#[$doc])* $name $({ $($arg: String),+ })?,)+
        }

        impl fmt::Display for Message {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $(Message::$name $({ $($arg),+ })? => {
                        write!(f, $what)?;
                        f.write_str(": ")?;
                        write!(f, $remedy)
                    })+
                }
            }
        }

        /// The name, the error and the remedy of each message.
        #[cfg(test)]
        const ALL: &[(&str, &str, &str)] = &[$((stringify!($name), $what, $remedy)),+];
    };
}

messages! {
    // --- the attribute and the item
    NotAFunction: "`#[crunch]` makes a function a kernel, and this is no function with a body",
        "put it on a `fn`, or on a `mod` whose functions are all meant";
    AttributeArgument: "unknown argument of `#[crunch]`",
        "write `#[crunch]`, `#[crunch(step)]` for the step of a loop, `#[crunch(limit = N)]` for a plain function with `while` or `loop`, or `#[crunch(crate = \"path\")]` where `doublecrunch` has another name";
    StepSignature: "a step has up to 8 parameters, and no tables",
        "pass an entry, as in `step(y, x, c[i])`, and group numbers in tuples";
    CratePath(text): "`{text}` is no path",
        "write the path of `doublecrunch` in quotes, as `crate = \"some::path\"`";
    FunctionAttribute(name): "a kernel cannot have `#[{name}]`",
        "remove it; `cfg`, lint levels, `must_use`, `deprecated` and documentation are possible";
    InnerAttribute: "an attribute inside a kernel cannot be lowered",
        "put it on the function";

    // --- the signature
    SelfParam: "a kernel has no `self`",
        "write a free function and pass the values as parameters";
    Const: "a kernel cannot be `const`",
        "remove it; results known at compile time are ordinary `const`s beside the kernel";
    Async: "a kernel cannot be `async`",
        "remove it; `eval` and `map` return when the result is there";
    Unsafe: "a kernel cannot be `unsafe`",
        "remove it; every operation of a kernel is safe";
    Extern(name): "a kernel cannot be `extern`",
        "remove it; export a function that calls `{name}::eval`";
    Variadic: "a kernel has a fixed number of parameters",
        "write them out, or group them in tuples";
    TypeParam(name): "a kernel cannot be generic over the type `{name}`",
        "write one kernel a type; `const` generics are possible";
    Lifetime: "a kernel cannot name lifetimes",
        "remove it; lane values are copied and tables are outer constants";
    Where: "a kernel cannot have a `where` clause",
        "remove it; lane types carry all bounds they need";
    ConstGenericType(name): "a const generic of a kernel cannot be a `{name}`",
        "use `usize`, `bool`, `i32`, `i64`, `u32` or `u64`";
    LengthAttribute: "this `#[length(…)]` cannot be read",
        "write it once, before a table parameter: `#[length(2..=128, \"what a caller reads\")]`, or `2..`";
    ParamPattern: "a parameter of a kernel is a plain name",
        "name it here and take it apart with a `let` in the body";
    NoLaneParam: "a kernel needs at least one lane parameter",
        "add a `DcDouble`, `DcFloat`, `DcLong`, `DcInt`, `DcMask` or `DcDoubleDouble`, or make this a `const`";
    TooManyParams(count): "this kernel has {count} parameters, and `eval` and `map` take at most 8",
        "group some in tuples";
    NoReturnType: "a kernel returns a value",
        "add `-> DcDouble` or another lane type, or a tuple of them";
    ImplTrait: "a kernel cannot have `impl Trait` in its signature",
        "write the lane type itself";

    // --- types
    UnknownType(name): "`{name}` is no type of a kernel",
        "use `DcDouble`, `DcFloat`, `DcDoubleDouble`, `DcLong`, `DcInt`, `DcMask`, `DcHalf`, `DcBfloat` or a tuple of them";
    PlainType(name, lane): "`{name}` is one number, and a kernel works on lanes",
        "write `{lane}`";
    UsizeParam(name, param): "a kernel cannot take `{name}` as a parameter",
        "make it a const generic: `const {param}: {name}`";
    LaneTypeArguments(name): "`{name}` takes no arguments in a kernel",
        "write `{name}`; the macro adds the instruction set";
    TableElement: "a table has elements of type `f64`, `f32`, `i64`, `u64`, `i32` or `u32`",
        "convert the table where it is defined";
    TablePlace: "a table can only be a parameter",
        "index it here, or name an outer constant";
    ReferenceType: "references cannot be lowered, except tables as parameters",
        "write the type without `&`; lane values are copied";
    MutableTable: "a table cannot be written to",
        "write `&[…]` without `mut`, and return what changes";
    ArrayType: "arrays of lanes cannot be lowered",
        "use a tuple, or a constant table outside of the kernel";
    TupleSize: "a parameter or result is a tuple of 1 to 8 elements",
        "nest tuples for more";

    // --- statements
    LetElse: "`let … else` cannot be lowered",
        "bind the value with a plain `let`; patterns of a kernel always match";
    LetUninit(name, zero): "a variable without a first value cannot be lowered",
        "give it one: `let mut {name}{zero};`";
    LetPattern: "this pattern cannot be lowered",
        "bind names, `_` and tuples of them";
    Item(kind): "{kind} inside a kernel cannot be lowered",
        "move it out of the function, to the module";
    ConstInBlock: "a `const` in a block of a kernel cannot be lowered",
        "move it to the top of the function, or out of it";
    EarlyReturn: "`return` is only possible as the last statement of a kernel",
        "compute both results and choose: `if mask {{ a }} else {{ b }}` as the value of the function";
    AssignTarget: "only a local variable can be assigned to",
        "assign to the whole variable: `x = …`";
    AssignConst(name): "`{name}` is no variable of this kernel, so it cannot be assigned to",
        "copy it first: `let mut value = {name};`";
    AssignCounter(name): "`{name}` is a loop counter, and loops are unrolled with the counter's values",
        "use `.step_by(k)` or `.rev()` on the range, or compute another value with `let`";
    AssignTable(name): "`{name}` is a table, which cannot be replaced",
        "choose between the values read from two tables";
    AssignInCondition: "an assignment on the right of `&&` or `||` cannot be lowered, as lanes do not skip it",
        "compute the value with `let` before";
    AssignValue: "assignments and loops have no value",
        "make it a statement of its own";

    // --- control flow
    Match: "`match` cannot be lowered",
        "write `if`/`else` on a `DcMask`, or on a constant for a real branch";
    While: "`while` cannot be lowered, as lanes would leave it at different times",
        "write `for i in 0..N` with a constant `N`, and keep finished lanes with `if mask {{ … }}`; above a function of plain numbers, `#[crunch(limit = N)]` states how often it goes round at most";
    Loop: "`loop` cannot be lowered, as lanes would leave it at different times",
        "write `for i in 0..N` with a constant `N`, and keep finished lanes with `if mask {{ … }}`; above a function of plain numbers, `#[crunch(limit = N)]` states how often it goes round at most";
    Break: "`break` cannot be lowered, as lanes would leave the loop at different times",
        "keep finished lanes with `if mask {{ … }}`, or shorten the range";
    Continue: "`continue` cannot be lowered, as lanes would skip different iterations",
        "put the rest of the loop's body in `if mask {{ … }}`";
    Label: "labels cannot be lowered",
        "remove it; there is no `break` to use it";
    IfWithoutElse: "an `if` without `else` has no value",
        "write what the other lanes get: `if mask {{ a }} else {{ b }}`";
    IfLet: "`if let` cannot be lowered",
        "compare: `if a == b {{ … }}`; tuples are taken apart by `let`";
    ForPattern: "the counter of a loop is a plain name or `_`",
        "name it, and compute what you need from it with `let` in the body";
    ForRange: "a loop of a kernel goes over a constant range",
        "write `for i in 0..N`, with `.rev()` and `.step_by(k)` as needed";
    ForTable(table): "a loop of a kernel goes over a constant range, not over a table",
        "write `for i in 0..{table}.len()` and read `{table}[i]`";
    OpenRange: "a loop needs both ends of its range",
        "write `for i in 0..N` with a constant `N`";
    Bound: "the bounds of a loop are arithmetic on literals, constants, const generics and loop counters",
        "compute the bound in a `const` outside of the kernel";
    Try: "`?` cannot be lowered, as no lane leaves a kernel early",
        "return NaN or a mask for what has no result";
    Await: "`.await` cannot be lowered",
        "call the kernel; its value is there at once";
    AsyncBlock: "`async` blocks cannot be lowered",
        "write the expression itself";
    UnsafeBlock: "`unsafe` blocks cannot be lowered",
        "remove `unsafe`; every operation of a kernel is safe";
    ConstBlock: "`const` blocks cannot be lowered",
        "name the value: `const C: f64 = …;` at the top of the function";

    // --- expressions
    Closure: "closures cannot be lowered",
        "write a `#[crunch]` function and call it";
    MacroCall(name): "`{name}!` cannot be lowered",
        "remove it; a kernel is arithmetic only, and checks of its results go into tests";
    MacroValue(name): "`{name}!` cannot be lowered",
        "write the value that it expands to: a constant by its name, an entry as `TABLE[i]`, bits by `to_bits` and `from_bits`";
    Reference: "references cannot be lowered, except to a table in a call",
        "write the value without `&`; lane values are copied";
    InlineTable(entries): "a table that is written in a call cannot be lowered",
        "name it, in the kernel or outside, and pass `&C`: `const C: [f64; {entries}] = […];`";
    MixedTypes(a, b, hint): "`{a}` and `{b}` do not mix in one operation",
        "{hint}";
    MutableReference: "`&mut` cannot be lowered",
        "return the new value and assign it: `x = f(x);`";
    Deref: "`*` on a reference cannot be lowered, and there are none in a kernel",
        "write the value itself";
    RangeValue: "a range is only possible in `for i in …`",
        "write the loop there, or use two numbers";
    StructLiteral(hint): "struct literals cannot be lowered",
        "{hint}";
    Array: "arrays cannot be lowered",
        "use a tuple, or index a `const` table outside of the kernel";
    PlainTypeUnknown(name): "`{name}` is no type of values of lanes",
        "parameters and results are numbers, `bool`, and tuples, arrays of up to 64, `Option`s and structures of these that this file defines";
    WideInteger(name): "lanes have up to 64 bits, and this is a `{name}`",
        "the upper half of a product is `((a as u128 * b as u128) >> 64) as u64`, as one expression; split other numbers in two";
    MethodWithoutKernel(name, owner): "the method `{name}` of `{owner}` has no kernel",
        "put `#[crunch]` on the `impl` block of this file that has it, with numbers and structures of numbers alone as parameters and result; or write what it does here";
    UndecidedType: "what this does depends on its type, which is not written in this file",
        "bind it with its type, as `let value: u32 = …;`, and use that";
    Cast(hint): "`as` cannot be lowered",
        "{hint}";
    Text: "text and characters cannot be lowered",
        "remove it; a kernel works on numbers";
    LiteralSuffix(suffix): "a literal of type `{suffix}` cannot be lowered",
        "leave the suffix off, or use `f64`, `f32`, `i64`, `u64`, `i32`, `u32` or `usize`";
    IntegerRange(text): "`{text}` does not fit its type",
        "use a smaller number; without suffix there are -2^63 to 2^64 - 1, and beyond there are floats";
    FloatRange(text): "`{text}` is too large for its type",
        "use a smaller number, or `f64::INFINITY` by name";
    UnknownMethod(name, hint): "there is no method `{name}` in a kernel",
        "{hint}";
    MethodGenerics(name): "`{name}` takes no type arguments",
        "write `.{name}(…)`; the receiver's type decides";
    UnknownAssoc(ty, name): "there is no `{ty}::{name}` in a kernel",
        "there are `from_bits` on the number types and `DcDoubleDouble::new(hi, lo)`";
    CallTarget: "only kernels can be called",
        "call a `#[crunch]` function by its path";
    PrimitiveCall(path, hint): "`{path}` is no kernel",
        "{hint}";
    Recursion(name): "`{name}` calls itself, and kernels are unrolled",
        "write a `for` over a constant range";
    UnknownField(name): "there is no field `{name}` in a kernel",
        "there are `.hi` and `.lo` of a `DcDoubleDouble` and `.0`, `.1`, … of a tuple";
    IndexTarget: "only a table can be indexed",
        "name an outer array or a table parameter before the `[…]`; parts of a tuple are `.0`, `.1`, …";
    LenTarget: "only a table has a length",
        "write `TABLE.len()` with an outer array or a table parameter";
    TableValue(name): "`{name}` is a table, and tables are no values",
        "index it, use its `.len()`, or pass it to a kernel";
    Other: "this cannot be lowered",
        "write it with operators, methods, `if`, `for` and calls of kernels";
}

/// The folder of the cases that are refused.
#[cfg(test)]
pub(crate) fn cases() -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/ui-messages/tests/ui/fail")
}

#[cfg(test)]
mod tests {
    use super::{ALL, cases};
    use std::path::Path;

    fn outputs(folder: &Path, out: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                outputs(&path, out);
            } else if path.extension().is_some_and(|e| e == "stderr") {
                out.push(std::fs::read_to_string(path).unwrap());
            }
        }
    }

    /// The text between the placeholders of a format string, as printed.
    fn fragments(template: &str) -> Vec<String> {
        let template = template.replace("{{", "\u{1}").replace("}}", "\u{2}");
        let parts = template.split('{').enumerate();
        let parts = parts.map(|(i, part)| match (i, part.split_once('}')) {
            (1.., Some((_, rest))) => rest.to_string(),
            _ => part.to_string(),
        });
        let braces = |s: String| s.replace('\u{1}', "{").replace('\u{2}', "}");
        parts.map(braces).filter(|s| !s.is_empty()).collect()
    }

    /// rustc has printed every message in the compile-fail suite.
    #[test]
    fn every_message_has_a_case() {
        let mut found = Vec::new();
        outputs(&cases(), &mut found);
        let lines: Vec<&str> = found.iter().flat_map(|f| f.lines()).collect();
        for (name, what, remedy) in ALL {
            let fragments = fragments(&format!("{what}: {remedy}"));
            let printed = lines.iter().any(|line| {
                let mut rest = *line;
                fragments.iter().all(|f| match rest.split_once(f.as_str()) {
                    Some((_, after)) => {
                        rest = after;
                        true
                    }
                    None => false,
                })
            });
            assert!(
                printed,
                "no case in tests/ui-messages/tests/ui/fail prints `{name}`: {what}"
            );
        }
    }

    #[test]
    fn what_and_remedy_end_without_a_stop() {
        for (name, what, remedy) in ALL {
            for text in [what, remedy] {
                assert!(!text.is_empty() && !text.ends_with('.'), "{name}: {text}");
            }
        }
    }
}
