//! The errors of lowering, and their text.

use crate::ir::{Const, Kernel, Loc};
use std::fmt;

/// A kernel that rustc accepts but that has no straight-line form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LowerError {
    /// The kernel, with its module and generics.
    pub kernel: String,
    /// The source file.
    pub file: &'static str,
    /// Line in `file`; 0 when unknown.
    pub line: u32,
    /// The error, with the name of the construct.
    pub what: String,
    /// What to write instead.
    pub remedy: String,
}

impl LowerError {
    pub(crate) fn new(kernel: &Kernel, loc: Loc, what: String, remedy: &str) -> Self {
        LowerError {
            kernel: full_name(kernel),
            file: kernel.file,
            line: if loc.line == 0 { kernel.line } else { loc.line },
            what,
            remedy: remedy.to_string(),
        }
    }
}

impl fmt::Display for LowerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}, line {}: kernel `{}`: {}; {}",
            self.file, self.line, self.kernel, self.what, self.remedy
        )
    }
}

impl std::error::Error for LowerError {}

/// `module::name::<N = 21>`
fn full_name(kernel: &Kernel) -> String {
    let mut name = format!("{}::{}", kernel.module, kernel.name);
    if !kernel.generics.is_empty() {
        let list: Vec<String> = kernel
            .generics
            .iter()
            .map(|(n, k)| format!("{n} = {}", constant_text(k)))
            .collect();
        name.push_str(&format!("::<{}>", list.join(", ")));
    }
    name
}

fn constant_text(k: &Const) -> String {
    match k {
        Const::F64(x) => format!("{x:?}"),
        Const::F32(x) => format!("{x:?}"),
        Const::I64(x) => x.to_string(),
        Const::U64(x) => x.to_string(),
        Const::I32(x) => x.to_string(),
        Const::U32(x) => x.to_string(),
        Const::Usize(x) => x.to_string(),
        Const::Bool(x) => x.to_string(),
        Const::Table(_) => "a table".into(),
    }
}
