//! Names in emitted text: the C form of a Rust identifier, and how equal names are distinguished.

use std::collections::HashSet;

/// Words that have a meaning for one of the compilers that may read a text (C, C++, OpenCL C, CUDA C, the macros of `<math.h>`), or that
/// this emitter uses itself.
const RESERVED: [&str; 5] = [
    // C and C++
    "alignas alignof and and_eq asm assert auto bitand bitor bool break case catch char class compl \
     concept const const_cast consteval constexpr constinit continue decltype default delete do double \
     dynamic_cast else enum errno explicit export extern false float for friend goto if inline int linux \
     long mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public \
     register reinterpret_cast requires restrict return short signed sizeof static static_assert \
     static_cast struct switch template this throw true try typedef typeid typename typeof union unix \
     unsigned using virtual void volatile wchar_t while xor xor_eq",
    // types and qualifiers of OpenCL C
    "constant event_t generic global half image1d_t image2d_t image3d_t intptr_t kernel local pipe \
     ptrdiff_t quad queue_t read_only read_write sampler_t size_t uchar uint uintptr_t ulong uniform \
     ushort vector write_only complex imaginary",
    // functions that statements call; a local of that name would hide them
    "as_double as_float as_int as_long as_uint as_ulong ceil ceilf convert_double convert_float fabs \
     fabsf floor floorf fma get_global_id get_global_size rint rintf sqrt trunc truncf convert_double_rte \
     convert_float_rte convert_int_rtz convert_long_rtz",
    // macros of <math.h> and the simulated grid
    "isfinite isgreater isinf isless isnan isnormal isunordered signbit blockDim blockIdx gridDim \
     threadIdx warpSize",
    // the emitter's own
    "out",
];

/// Whether `name` is a vector type of OpenCL C or CUDA (`double2`, `uchar16`, …).
fn is_vector_type(name: &str) -> bool {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let width = &name[stem.len()..];
    let stem = stem.strip_prefix('u').unwrap_or(stem);
    matches!(width, "1" | "2" | "3" | "4" | "8" | "16")
        && matches!(
            stem,
            "char"
                | "short"
                | "int"
                | "long"
                | "longlong"
                | "float"
                | "double"
                | "half"
                | "quad"
                | "dim"
        )
}

/// Whether a compiler could read `name` as something else. All names without a lower-case letter are avoided, because macros look like
/// that.
fn is_reserved(name: &str) -> bool {
    !name.bytes().any(|b| b.is_ascii_lowercase())
        || is_vector_type(name)
        || RESERVED
            .iter()
            .flat_map(|group| group.split(' '))
            .any(|word| word == name)
}

/// A C identifier for a Rust one. Letters, digits and single inner underscores are kept, and every other character is replaced by its code
/// point. The result never has a form that C or C++ reserve (a leading or a double underscore).
#[must_use]
pub fn sanitise(name: &str) -> String {
    let name = name.strip_prefix("r#").unwrap_or(name);
    let mut text = String::with_capacity(name.len());
    for c in name.chars() {
        match c {
            '_' if text.ends_with('_') => {}
            c if c.is_ascii_alphanumeric() || c == '_' => text.push(c),
            c => text.push_str(&format!("u{:x}", u32::from(c))),
        }
    }
    if !text.starts_with(|c: char| c.is_ascii_alphabetic()) {
        text.insert(0, 'v');
    }
    text
}

/// A scope, which gives out each name once.
#[derive(Debug, Clone, Default)]
pub struct Names {
    used: HashSet<String>,
}

impl Names {
    /// A name close to `hint` that nothing else in this scope, no compiler and no helper uses.
    ///
    /// The emitter's own helpers and types start with `dc_`, so a hint with that prefix gets another one.
    pub fn fresh(&mut self, hint: &str) -> String {
        let mut stem = sanitise(hint);
        if stem.starts_with("dc_") {
            stem.insert(0, 'v');
        }
        if is_reserved(&stem) {
            stem.push_str("_v");
        }
        let mut name = stem.clone();
        let mut n = 1;
        while !self.used.insert(name.clone()) {
            n += 1;
            name = format!("{stem}_{n}");
        }
        name
    }
}

#[cfg(test)]
mod tests {
    use super::{Names, sanitise};

    #[test]
    fn names_stay_readable_and_apart() {
        let mut names = Names::default();
        assert_eq!(names.fresh("y"), "y");
        assert_eq!(names.fresh("y"), "y_2");
        assert_eq!(names.fresh("y_2"), "y_2_2");
        assert_eq!(names.fresh("y"), "y_3");
    }

    #[test]
    fn names_a_compiler_knows_are_changed() {
        let mut names = Names::default();
        for name in [
            "half", "double2", "uchar16", "kernel", "fma", "NAN", "M_PI", "_", "__x", "r#try",
            "dc_bits", "new", "é",
        ] {
            let got = names.fresh(name);
            assert_ne!(got, name);
            assert!(got.starts_with(|c: char| c.is_ascii_alphabetic()), "{got}");
            assert!(!got.contains("__") && !got.starts_with("dc_"), "{got}");
        }
        assert_eq!(sanitise("r#try"), "try");
        assert_eq!(sanitise("a__b"), "a_b");
        // These look like vector types but are not.
        assert_eq!(names.fresh("double5"), "double5");
        assert_eq!(names.fresh("y2"), "y2");
    }
}
