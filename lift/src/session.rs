//! The way from a source and a function's name to a kernel that is compared with the original.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use kernels_gen::program::Program;
use kernels_gen::syntax::{Unit, tree};

use crate::exec::{Lifted, lift};
use crate::ir::{Module, Name};
use crate::tools::{Made, ToolError, make};
use crate::verify::{Compared, Extent, compare, library};
use crate::{Options, Refusal, module, write};

/// The function to lift, and the settings.
#[derive(Debug, Clone)]
pub struct Request {
    /// The sources. The function is in one of them; functions and variables that it uses may be in any.
    pub sources: Vec<PathBuf>,
    /// The function: a symbol, a name, or a path of Rust.
    pub function: String,
    /// Flags for the compiler.
    pub flags: Vec<String>,
    /// The settings of the lifter.
    pub options: Options,
    /// The extent of the comparison; `None` for no comparison.
    pub extent: Option<Extent>,
}

/// A lifted function.
#[derive(Debug)]
pub struct Outcome {
    /// The kernel.
    pub unit: Unit,
    /// The lowered kernel.
    pub program: Program,
    /// The graph from which it was made.
    pub lifted: Lifted,
    /// The original's symbol.
    pub symbol: String,
    /// Number of operations.
    pub operations: usize,
    /// The comparison, or the reason why there is none.
    pub compared: Result<Compared, ToolError>,
    /// The time of the lifting, without compilers.
    pub time: Duration,
}

/// The reason why there is no kernel.
#[derive(Debug)]
pub enum Failed {
    /// The error of a compiler or a file.
    Tool(ToolError),
    /// The refusal of the function.
    Refused(Refusal),
    /// The error of the lowering of the kernel.
    Kernel(String),
}

impl std::fmt::Display for Failed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failed::Tool(e) => e.fmt(f),
            Failed::Refused(e) => e.fmt(f),
            Failed::Kernel(e) => write!(f, "the kernel cannot be lowered: {e}"),
        }
    }
}

impl std::error::Error for Failed {}

/// A source's modules, read once for several functions.
#[derive(Debug)]
pub struct Session {
    made: Made,
    modules: Vec<Module>,
    folder: PathBuf,
}

impl Session {
    /// Compiles and reads sources, and keeps the calls that the options ask for. Files are written into `folder`, which must exist.
    ///
    /// # Errors
    /// If a source cannot be compiled or read.
    pub fn open(
        sources: &[PathBuf],
        flags: &[String],
        options: &Options,
        folder: &Path,
    ) -> Result<Self, ToolError> {
        let made = make(sources, flags, options, folder)?;
        let modules = made.texts.iter().map(|t| module(t)).collect();
        Ok(Session {
            made,
            modules,
            folder: folder.into(),
        })
    }

    /// The module and symbol of a function.
    ///
    /// # Errors
    /// If there is no such function, or if several have this name.
    pub fn find(&self, function: &str) -> Result<(usize, Name), ToolError> {
        let all = || {
            self.modules
                .iter()
                .enumerate()
                .flat_map(|(m, module)| module.functions.keys().map(move |k| (m, k.clone())))
        };
        if let Some(found) = all().find(|f| &*f.1 == function) {
            return Ok(found);
        }
        for (m, module) in self.modules.iter().enumerate() {
            if let Some(target) = module.aliases.get(function)
                && module.functions.contains_key(target)
            {
                return Ok((m, target.clone()));
            }
        }
        let mut found: Vec<(usize, Name)> = all().filter(|f| is_path(&f.1, function)).collect();
        found.sort_by(|a, b| a.1.cmp(&b.1));
        match &found[..] {
            [one] => Ok(one.clone()),
            [] => {
                let mut names: Vec<String> = all()
                    .map(|f| f.1.to_string())
                    .filter(|n| n.contains(function))
                    .collect();
                names.sort();
                names.truncate(5);
                let near = if names.is_empty() {
                    String::new()
                } else {
                    format!("; near it: {}", names.join(", "))
                };
                Err(ToolError(format!(
                    "no function with a body is called `{function}`{near}"
                )))
            }
            several => {
                let names: Vec<&str> = several.iter().take(6).map(|f| &*f.1).collect();
                Err(ToolError(format!(
                    "several functions are called `{function}`: {}; give one of these symbols",
                    names.join(", ")
                )))
            }
        }
    }

    /// Lifts a function.
    ///
    /// # Errors
    /// If it cannot be lifted.
    pub fn lift(&self, function: &str, options: &Options) -> Result<(Lifted, String), Failed> {
        let (m, name) = self.find(function).map_err(Failed::Tool)?;
        let lifted = lift(&self.modules, m, &name, options).map_err(Failed::Refused)?;
        Ok((lifted, name.to_string()))
    }

    /// Lifts a function, and compares it with the original.
    ///
    /// # Errors
    /// If it cannot be lifted.
    pub fn run(&self, request: &Request) -> Result<Outcome, Failed> {
        let start = Instant::now();
        let (lifted, symbol) = self.lift(&request.function, &request.options)?;
        let time = start.elapsed();
        let name = request.function.rsplit("::").next().unwrap_or_default();
        let unit = write::unit(
            &lifted,
            name,
            self.head(request),
            doc(&lifted, &symbol),
            String::new(),
        );
        let program =
            kernels_gen::lower(tree::kernel(&unit)).map_err(|e| Failed::Kernel(e.to_string()))?;
        let contract = request.options.contract == Some(true);
        let compared = match request.extent {
            Some(extent) => self.compare(&lifted, &symbol, &program, contract, extent),
            None => Err(ToolError("not asked for".into())),
        };
        Ok(Outcome {
            operations: lifted.operations(),
            unit,
            program,
            lifted,
            symbol,
            compared,
            time,
        })
    }

    /// Compares a program with the original. The original's products and sums are fused if `contract` is true.
    ///
    /// # Errors
    /// If the two cannot be compiled.
    pub fn compare(
        &self,
        lifted: &Lifted,
        symbol: &str,
        program: &Program,
        contract: bool,
        extent: Extent,
    ) -> Result<Compared, ToolError> {
        compare(
            &self.made,
            symbol,
            lifted,
            program,
            contract,
            extent,
            &self.folder,
        )
    }

    /// Links the function into a shared library, `file`, with the name `name`.
    ///
    /// # Errors
    /// If it cannot be called from C, or cannot be compiled.
    pub fn library(
        &self,
        outcome: &Outcome,
        contract: bool,
        name: &str,
        file: &Path,
    ) -> Result<(), ToolError> {
        let shape = &outcome.lifted.shape;
        library(
            &self.made,
            &outcome.symbol,
            shape,
            contract,
            name,
            file,
            &self.folder,
        )?;
        Ok(())
    }

    /// The head of the kernel's file.
    fn head(&self, request: &Request) -> Vec<String> {
        let names: Vec<String> = request
            .sources
            .iter()
            .filter_map(|s| Some(s.file_name()?.to_string_lossy().into_owned()))
            .collect();
        let mut hash = Vec::new();
        for text in &self.made.texts {
            hash.extend_from_slice(text.as_bytes());
        }
        let hash = kernels_gen::identity::fnv1a_128(&hash);
        vec![
            format!(
                "`{}` of {}, lifted by `crunch lift`.",
                request.function,
                names.join(", ")
            ),
            String::new(),
            format!("LLVM IR by `{}`, FNV-1a {hash:032x}.", self.made.command),
        ]
    }
}

fn doc(lifted: &Lifted, symbol: &str) -> Vec<String> {
    let mut doc = vec![write::place(symbol, &lifted.body)];
    for note in &lifted.notes {
        doc.push(String::new());
        doc.push(format!("Assumed: {note}."));
    }
    doc
}

/// Whether a mangled symbol is the path `a::b::name`, or ends with it.
fn is_path(symbol: &str, path: &str) -> bool {
    let parts: Vec<String> = path
        .split("::")
        .map(|p| format!("{}{p}", p.len()))
        .collect();
    let joined = parts.concat();
    let Some(at) = symbol.rfind(&joined) else {
        return false;
    };
    let rest = &symbol[at + joined.len()..];
    let before = symbol[..at].chars().last();
    let legacy = rest.starts_with("17h") && rest.ends_with('E');
    let cpp = symbol.starts_with("_Z") && !symbol.starts_with("_ZN") && at == 2;
    let digits = before.is_some_and(|c| c.is_ascii_digit());
    !digits
        && ((symbol.starts_with("_ZN") && (legacy || rest.starts_with('E')))
            || cpp
            || (symbol.starts_with("_R") && rest.is_empty()))
}
