//! NVIDIA's compilers on CUDA text, no GPU needed: in this file NVRTC, to PTX; in `sass.rs` ptxas and nvdisasm, to
//! machine code, in which operations are counted. `cargo xtask sass` runs both files from the command line.
//!
//! The programs are found by the variables `CRUNCH_NVRTC`, `CRUNCH_PTXAS`, `CRUNCH_NVDISASM`, or, if those are not
//! set, by `target/toolchain/env` as `cargo xtask setup` wrote it.

#[path = "sass.rs"]
pub mod sass;

use std::ffi::{CString, c_char, c_int};
use std::fmt;
use std::path::{Path, PathBuf};
use std::ptr;

use libloading::Library;

/// The options with which every emitted kernel is compiled; `tests/nvidia.rs` compares them with the backend's own.
pub const STRICT: [&str; 4] = [
    "--fmad=false",
    "--ftz=false",
    "--prec-div=true",
    "--prec-sqrt=true",
];

/// Why something could not be compiled.
#[derive(Debug)]
pub enum Error {
    /// A compiler is not available.
    Unavailable(String),
    /// It is available, and refused the text; with its log.
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
            "{variable} names {}, which is not a file",
            path.display()
        ))),
        None => Err(Error::Unavailable(format!("{variable} is not set"))),
    }
}

/// NVIDIA's run-time compiler.
pub struct Nvrtc {
    library: Library,
    /// NVRTC looks for this library by its bare name when it compiles, and finds it if it is loaded already.
    _builtins: Option<Library>,
}

/// `libnvrtc-builtins.so.13.0` in the folder of `libnvrtc.so.13`. If it is missing, NVRTC may find the system's.
fn builtins_beside(nvrtc: &Path) -> Option<PathBuf> {
    let files = std::fs::read_dir(nvrtc.parent()?).ok()?;
    files.flatten().map(|f| f.path()).find(|p| {
        let name = p.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("libnvrtc-builtins.so")
    })
}

type Program = *mut std::ffi::c_void;

/// Destroys a program when dropped.
struct Held<'a> {
    nvrtc: &'a Nvrtc,
    program: Program,
}

impl Nvrtc {
    /// Loads the library.
    pub fn open(workspace: &Path) -> Result<Self, Error> {
        let path = tool(workspace, "CRUNCH_NVRTC")?;
        let load = |path: &Path| {
            // SAFETY: loading a library runs its initialisers; these are NVIDIA's, and only set up their own state.
            unsafe { Library::new(path) }.map_err(|e| {
                Error::Unavailable(format!("{} cannot be loaded: {e}", path.display()))
            })
        };
        Ok(Nvrtc {
            _builtins: builtins_beside(&path).map(|p| load(&p)).transpose()?,
            library: load(&path)?,
        })
    }

    fn symbol<T: Copy>(&self, name: &str) -> Result<T, Error> {
        // SAFETY: every caller gives the function's type as declared in nvrtc.h of CUDA 13.
        unsafe { self.library.get::<T>(name.as_bytes()) }
            .map(|f| *f)
            .map_err(|e| Error::Unavailable(format!("NVRTC has no {name}: {e}")))
    }

    /// Compiles CUDA text to PTX for an architecture such as `sm_90`. `options` follow the architecture.
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
        // NVRTC needs `compute_90` for PTX; `sm_90` would make it write machine code.
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
    /// A string that NVRTC returns in two calls: its size, then its bytes.
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
            // SAFETY: the buffer has the size that NVRTC returned, which includes the final NUL.
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
