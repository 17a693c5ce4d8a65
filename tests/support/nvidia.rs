//! What NVIDIA's compilers make of CUDA text, no GPU needed: NVRTC to PTX, ptxas to machine code, nvdisasm to text, in
//! which operations are counted. `cargo xtask sass` is this file at the command line.
//!
//! The programs are found by the variables `CRUNCH_NVRTC`, `CRUNCH_PTXAS`, `CRUNCH_NVDISASM`, or, if those are not
//! set, by `target/toolchain/env` as `cargo xtask setup` wrote it.

use std::collections::BTreeMap;
use std::ffi::{CString, c_char, c_int};
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::ptr;
use std::sync::atomic::{AtomicU32, Ordering};

use libloading::Library;

/// The options by which every emitted kernel is compiled: nothing that relaxes arithmetic.
pub const STRICT: [&str; 4] = [
    "--fmad=false",
    "--ftz=false",
    "--prec-div=true",
    "--prec-sqrt=true",
];

/// Why something could not be compiled.
#[derive(Debug)]
pub enum Error {
    /// A compiler is not here.
    Unavailable(String),
    /// It is, and refused; with its log.
    Failed(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Unavailable(what) => {
                write!(f, "{what} (`cargo xtask setup --only nvidia` installs it)")
            }
            Error::Failed(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for Error {}

/// The path in a variable, or in the file that setup wrote in `workspace`.
fn tool(workspace: &Path, variable: &str) -> Result<PathBuf, Error> {
    let set = std::env::var_os(variable)
        .filter(|v| !v.is_empty())
        .map(PathBuf::from);
    let path = set.or_else(|| {
        let text = std::fs::read_to_string(workspace.join("target/toolchain/env")).ok()?;
        let line = text.lines().find_map(|l| {
            l.strip_prefix("export ")?
                .strip_prefix(variable)?
                .strip_prefix('=')
        })?;
        Some(PathBuf::from(line.trim_matches('\'').replace(r"'\''", "'")))
    });
    match path {
        Some(path) if path.is_file() => Ok(path),
        Some(path) => Err(Error::Unavailable(format!(
            "{variable} names {}, which is no file",
            path.display()
        ))),
        None => Err(Error::Unavailable(format!("{variable} is not set"))),
    }
}

/// NVIDIA's run-time compiler.
pub struct Nvrtc {
    library: Library,
}

type Program = *mut std::ffi::c_void;

/// Destroys a program when it goes out of scope.
struct Held<'a> {
    nvrtc: &'a Nvrtc,
    program: Program,
}

impl Nvrtc {
    /// Loads it.
    pub fn open(workspace: &Path) -> Result<Self, Error> {
        let path = tool(workspace, "CRUNCH_NVRTC")?;
        // SAFETY: loading a library runs its initialisers; this one is NVIDIA's, and they only set up its own state.
        let library = unsafe { Library::new(&path) }
            .map_err(|e| Error::Unavailable(format!("{} cannot be loaded: {e}", path.display())))?;
        Ok(Nvrtc { library })
    }

    fn symbol<T: Copy>(&self, name: &str) -> Result<T, Error> {
        // SAFETY: every caller names the function together with its type as in nvrtc.h of CUDA 13.
        unsafe { self.library.get::<T>(name.as_bytes()) }
            .map(|f| *f)
            .map_err(|e| Error::Unavailable(format!("NVRTC has no {name}: {e}")))
    }

    /// Its version, as `(13, 0)`.
    pub fn version(&self) -> Result<(i32, i32), Error> {
        let f =
            self.symbol::<unsafe extern "C" fn(*mut c_int, *mut c_int) -> c_int>("nvrtcVersion")?;
        let (mut major, mut minor) = (0, 0);
        // SAFETY: both are valid for a write of an int.
        let code = unsafe { f(&raw mut major, &raw mut minor) };
        if code == 0 {
            Ok((major, minor))
        } else {
            Err(Error::Failed(format!("nvrtcVersion: error {code}")))
        }
    }

    /// Compiles CUDA text to PTX for an architecture such as `sm_90`. `options` come after the architecture.
    pub fn ptx(&self, text: &str, arch: &str, options: &[&str]) -> Result<String, Error> {
        type Create = unsafe extern "C" fn(
            *mut Program,
            *const c_char,
            *const c_char,
            c_int,
            *const *const c_char,
            *const *const c_char,
        ) -> c_int;
        let create = self.symbol::<Create>("nvrtcCreateProgram")?;
        let compile = self
            .symbol::<unsafe extern "C" fn(Program, c_int, *const *const c_char) -> c_int>(
                "nvrtcCompileProgram",
            )?;
        let text = CString::new(text).map_err(|_| Error::Failed("the text holds a NUL".into()))?;
        // NVRTC takes `compute_90` for PTX; `sm_90` would make it write machine code.
        let arch = format!("--gpu-architecture={}", arch.replace("sm_", "compute_"));
        let options: Vec<CString> = std::iter::once(arch.as_str())
            .chain(options.iter().copied())
            .map(CString::new)
            .collect::<Result<_, _>>()
            .map_err(|_| Error::Failed("an option holds a NUL".into()))?;
        let pointers: Vec<*const c_char> = options.iter().map(|o| o.as_ptr()).collect();
        let count = c_int::try_from(pointers.len())
            .map_err(|_| Error::Failed("too many options".into()))?;

        let mut program = ptr::null_mut();
        // SAFETY: `program` is valid for a write, the text ends in NUL and outlives the call, and with zero headers
        // both lists of them may be null.
        let code = unsafe {
            create(
                &raw mut program,
                text.as_ptr(),
                c"kernel.cu".as_ptr(),
                0,
                ptr::null(),
                ptr::null(),
            )
        };
        if code != 0 {
            return Err(Error::Failed(format!("nvrtcCreateProgram: error {code}")));
        }
        let held = Held {
            nvrtc: self,
            program,
        };
        // SAFETY: the program was created above; `pointers` holds `count` strings that end in NUL.
        let code = unsafe { compile(held.program, count, pointers.as_ptr()) };
        if code != 0 {
            let log = held.string("nvrtcGetProgramLogSize", "nvrtcGetProgramLog")?;
            return Err(Error::Failed(format!(
                "NVRTC refuses the text (error {code}):\n{log}"
            )));
        }
        held.string("nvrtcGetPTXSize", "nvrtcGetPTX")
    }
}

impl Held<'_> {
    /// A string that NVRTC gives in two calls: its size, then its bytes.
    fn string(&self, size_of: &str, bytes_of: &str) -> Result<String, Error> {
        let size_of = self
            .nvrtc
            .symbol::<unsafe extern "C" fn(Program, *mut usize) -> c_int>(size_of)?;
        let bytes_of = self
            .nvrtc
            .symbol::<unsafe extern "C" fn(Program, *mut c_char) -> c_int>(bytes_of)?;
        let mut size = 0;
        // SAFETY: the program is alive while `self` is; `size` is valid for a write.
        let code = unsafe { size_of(self.program, &raw mut size) };
        let mut bytes = vec![0u8; size];
        let code = if code == 0 {
            // SAFETY: the buffer has the size that was asked for, which counts the final NUL.
            unsafe { bytes_of(self.program, bytes.as_mut_ptr().cast()) }
        } else {
            code
        };
        if code != 0 {
            return Err(Error::Failed(format!(
                "NVRTC does not give its output: error {code}"
            )));
        }
        let text = bytes.split(|b| *b == 0).next().unwrap_or_default();
        Ok(String::from_utf8_lossy(text).into_owned())
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        if let Ok(destroy) = self
            .nvrtc
            .symbol::<unsafe extern "C" fn(*mut Program) -> c_int>("nvrtcDestroyProgram")
        {
            // SAFETY: the program was created by this library and is used no more.
            unsafe { destroy(&raw mut self.program) };
        }
    }
}

/// Machine code as text, as `nvdisasm -c` writes it.
pub struct Sass {
    /// All of it.
    pub text: String,
}

impl Sass {
    /// Compiles CUDA text for an architecture such as `sm_90` by all three.
    pub fn of(workspace: &Path, text: &str, arch: &str, options: &[&str]) -> Result<Self, Error> {
        Self::of_ptx(
            workspace,
            &Nvrtc::open(workspace)?.ptx(text, arch, options)?,
            arch,
        )
    }

    /// Compiles PTX.
    pub fn of_ptx(workspace: &Path, ptx: &str, arch: &str) -> Result<Self, Error> {
        let (ptxas, nvdisasm) = (
            tool(workspace, "CRUNCH_PTXAS")?,
            tool(workspace, "CRUNCH_NVDISASM")?,
        );
        let folder = Folder::new()?;
        let (source, code) = (folder.0.join("kernel.ptx"), folder.0.join("kernel.cubin"));
        std::fs::write(&source, ptx)
            .map_err(|e| Error::Failed(format!("{}: {e}", source.display())))?;
        output(
            Command::new(ptxas)
                .arg(format!("-arch={arch}"))
                .arg("-o")
                .arg(&code)
                .arg(&source),
        )?;
        Ok(Sass {
            text: output(Command::new(nvdisasm).arg("-c").arg(&code))?,
        })
    }

    /// How often each operation stands in each function: `counts["kernel"]["DFMA"]`, modifiers (`.RN`, `.FTZ`) left off.
    #[must_use]
    pub fn counts(&self) -> BTreeMap<String, Counts> {
        let mut functions: BTreeMap<String, Counts> = BTreeMap::new();
        let mut current = None;
        for line in self.text.lines() {
            if let Some(name) = line
                .strip_prefix(".text.")
                .and_then(|l| l.strip_suffix(':'))
            {
                current = Some(name.to_string());
            } else if let (Some(name), Some(operation)) = (&current, operation(line)) {
                functions.entry(name.clone()).or_default().add(operation);
            }
        }
        functions
    }
}

/// The operation in a line such as `  /*0120*/  @!P0 DFMA.RN R4, R6, R8, R10 ;`, without its modifiers.
fn operation(line: &str) -> Option<&str> {
    let mut words = line
        .trim_start()
        .strip_prefix("/*")?
        .split_once("*/")?
        .1
        .split_whitespace();
    let first = words.next()?;
    // A predicate may come before it.
    let word = if first.starts_with('@') {
        words.next()?
    } else {
        first
    };
    word.trim_end_matches(';')
        .split('.')
        .next()
        .filter(|w| !w.is_empty())
}

/// How often each operation stands somewhere.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts(pub BTreeMap<String, usize>);

impl Counts {
    fn add(&mut self, operation: &str) {
        *self.0.entry(operation.to_string()).or_default() += 1;
    }

    /// Of one operation; zero if it does not stand there.
    #[must_use]
    pub fn of(&self, operation: &str) -> usize {
        self.0.get(operation).copied().unwrap_or_default()
    }
}

/// A temporary folder, gone when it goes out of scope.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Self, Error> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path =
            std::env::temp_dir().join(format!("crunch-sass-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path)
            .map_err(|e| Error::Failed(format!("{}: {e}", path.display())))?;
        Ok(Folder(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A folder left behind in the system's temporary folder does no harm.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn output(command: &mut Command) -> Result<String, Error> {
    let program = command.get_program().to_string_lossy().into_owned();
    let out = command
        .output()
        .map_err(|e| Error::Unavailable(format!("{program} cannot be started: {e}")))?;
    let errors = String::from_utf8_lossy(&out.stderr);
    if out.status.success() {
        Ok(String::from_utf8_lossy(&out.stdout).into_owned())
    } else {
        Err(Error::Failed(format!(
            "{program}: {}\n{errors}",
            out.status
        )))
    }
}
