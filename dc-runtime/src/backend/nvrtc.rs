//! NVIDIA's run-time compiler, which needs neither a GPU nor a driver.
//!
//! It is loaded here instead of by `cudarc`, which panics if the library is missing, and does not find a library that pip installed.
//! Function types are those of `nvrtc.h`, unchanged since CUDA 11.2.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use libloading::Library;

use super::dl;
use super::options::CompileOptions;

/// The environment variable with the library's path.
const VARIABLE: &str = "CRUNCH_NVRTC";

/// The remedy where it is missing, as a sentence.
pub(super) const REMEDY: &str = "Install NVRTC (pip install nvidia-cuda-nvrtc, or the CUDA toolkit) and give its \
     library's path in CRUNCH_NVRTC, as /…/nvidia/cu13/lib/libnvrtc.so.13.";

/// Names under which the system's loader may find it, newest first.
const NAMES: &[&str] = if cfg!(windows) {
    &["nvrtc64_130_0.dll", "nvrtc64_120_0.dll"]
} else {
    &["libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"]
};

type Program = *mut c_void;
type Code = c_int;
type Create = unsafe extern "C" fn(
    *mut Program,
    *const c_char,
    *const c_char,
    c_int,
    *const *const c_char,
    *const *const c_char,
) -> Code;

/// The loaded library.
#[derive(Debug)]
pub(super) struct Nvrtc {
    create: Create,
    compile: unsafe extern "C" fn(Program, c_int, *const *const c_char) -> Code,
    destroy: unsafe extern "C" fn(*mut Program) -> Code,
    ptx: Output,
    cubin: Output,
    log: Output,
    error: unsafe extern "C" fn(Code) -> *const c_char,
    version: (i32, i32),
    /// The compute capabilities for which it compiles, such as `90`, ascending.
    architectures: Vec<u32>,
    /// This keeps the code in memory.
    _library: Library,
}

/// An output that NVRTC gives in two calls: its size in bytes, then the bytes.
#[derive(Debug, Clone, Copy)]
struct Output {
    size: unsafe extern "C" fn(Program, *mut usize) -> Code,
    bytes: unsafe extern "C" fn(Program, *mut c_char) -> Code,
}

/// The form of a compiled text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    /// Machine code for one compute capability.
    Cubin(u32),
    /// PTX, which drivers for that compute capability and above translate.
    Ptx(u32),
}

impl Target {
    /// The option that selects it.
    pub fn option(self) -> String {
        match self {
            Target::Cubin(n) => format!("--gpu-architecture=sm_{n}"),
            Target::Ptx(n) => format!("--gpu-architecture=compute_{n}"),
        }
    }
}

/// The reason why there is no compiled text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Failure {
    /// NVRTC rejected the text; its log.
    Refused(String),
    /// Another failure.
    Other(String),
}

/// NVRTC, loaded once, or the reason why it is not available.
pub(super) fn nvrtc() -> Result<&'static Nvrtc, String> {
    static NVRTC: OnceLock<Result<Nvrtc, String>> = OnceLock::new();
    let found = NVRTC.get_or_init(|| {
        let named = std::env::var_os(VARIABLE).filter(|v| !v.is_empty());
        Nvrtc::find(named.map(PathBuf::from).as_deref())
    });
    found.as_ref().map_err(Clone::clone)
}

impl Nvrtc {
    /// The library at this path or, without a path, the first of [`NAMES`] that can be loaded.
    fn find(named: Option<&Path>) -> Result<Self, String> {
        if let Some(path) = named {
            if !path.is_file() {
                return Err(format!(
                    "{VARIABLE} names {}, which is not a file",
                    path.display()
                ));
            }
            keep_builtins(path);
            // SAFETY: loading a library runs its initialisers; the variable states that this one is NVRTC.
            let library = unsafe { Library::new(path) }
                .map_err(|e| format!("{} does not load: {}", path.display(), dl::reason(&e)))?;
            return Self::new(library).map_err(|e| format!("{}: {e}", path.display()));
        }
        let mut reasons = Vec::new();
        for name in NAMES {
            // SAFETY: as above; these names are NVRTC's.
            match unsafe { Library::new(*name) } {
                Ok(library) => return Self::new(library).map_err(|e| format!("{name}: {e}")),
                Err(e) => reasons.push(dl::reason(&e)),
            }
        }
        // A missing file is not worth reporting.
        reasons.retain(|r| !r.contains("No such file"));
        let names = NAMES.join(", ");
        Err(match &reasons[..] {
            [] => format!("no NVRTC library is here ({names})"),
            reasons => format!("no NVRTC library loads: {}", reasons.join("; ")),
        })
    }

    fn new(library: Library) -> Result<Self, String> {
        /// A function of the library.
        ///
        /// # Safety
        /// `T` is its type in `nvrtc.h`.
        unsafe fn function<T: Copy>(library: &Library, name: &CStr) -> Result<T, String> {
            // SAFETY: by this function's contract.
            unsafe { library.get::<T>(name) }
                .map(|f| *f)
                .map_err(|e| dl::reason(&e))
        }
        // SAFETY: each type is the one that `nvrtc.h` gives, by the types of this module.
        unsafe {
            let output = |size, bytes| -> Result<Output, String> {
                Ok(Output {
                    size: function(&library, size)?,
                    bytes: function(&library, bytes)?,
                })
            };
            let version: unsafe extern "C" fn(*mut c_int, *mut c_int) -> Code =
                function(&library, c"nvrtcVersion")?;
            let count: unsafe extern "C" fn(*mut c_int) -> Code =
                function(&library, c"nvrtcGetNumSupportedArchs")?;
            let list: unsafe extern "C" fn(*mut c_int) -> Code =
                function(&library, c"nvrtcGetSupportedArchs")?;
            let (mut major, mut minor, mut n) = (0, 0, 0);
            if version(&raw mut major, &raw mut minor) != 0 || count(&raw mut n) != 0 {
                return Err("it does not answer".into());
            }
            let mut architectures = vec![0; usize::try_from(n).unwrap_or(0)];
            if !architectures.is_empty() && list(architectures.as_mut_ptr()) != 0 {
                return Err("it does not say what it compiles for".into());
            }
            let mut architectures: Vec<u32> = architectures
                .into_iter()
                .filter_map(|a| u32::try_from(a).ok())
                .collect();
            architectures.sort_unstable();
            Ok(Nvrtc {
                create: function(&library, c"nvrtcCreateProgram")?,
                compile: function(&library, c"nvrtcCompileProgram")?,
                destroy: function(&library, c"nvrtcDestroyProgram")?,
                ptx: output(c"nvrtcGetPTXSize", c"nvrtcGetPTX")?,
                cubin: output(c"nvrtcGetCUBINSize", c"nvrtcGetCUBIN")?,
                log: output(c"nvrtcGetProgramLogSize", c"nvrtcGetProgramLog")?,
                error: function(&library, c"nvrtcGetErrorString")?,
                version: (major, minor),
                architectures,
                _library: library,
            })
        }
    }

    /// Name and version.
    pub fn version(&self) -> String {
        format!("NVRTC {}.{}", self.version.0, self.version.1)
    }

    /// The form for a device with a compute capability (`90` for 9.0). `None` if the device is too old.
    ///
    /// It is machine code if NVRTC compiles to it, because a driver that is older than NVRTC does not translate NVRTC's PTX.
    pub fn target(&self, capability: u32) -> Option<Target> {
        if self.architectures.contains(&capability) {
            return Some(Target::Cubin(capability));
        }
        let older = self.architectures.iter().filter(|&&a| a < capability);
        older.max().map(|&a| Target::Ptx(a))
    }

    fn reason(&self, code: Code) -> String {
        // SAFETY: it gives a string that is never freed, for any code.
        let text = unsafe { (self.error)(code) };
        if text.is_null() {
            return format!("error {code}");
        }
        // SAFETY: not null, and ends in NUL.
        let text = unsafe { CStr::from_ptr(text) };
        text.to_string_lossy().into_owned()
    }

    /// Compiles a text; the options include the target's.
    pub fn compile(
        &self,
        text: &str,
        options: &CompileOptions,
        target: Target,
    ) -> Result<Vec<u8>, Failure> {
        let nul = |_| Failure::Other("the text or an option holds a NUL".into());
        let text = CString::new(text).map_err(nul)?;
        let options: Vec<CString> = options
            .as_slice()
            .iter()
            .map(|o| CString::new(o.as_str()).map_err(nul))
            .collect::<Result<_, _>>()?;
        let options: Vec<*const c_char> = options.iter().map(|o| o.as_ptr()).collect();
        let mut program = std::ptr::null_mut();
        // SAFETY: the text ends in NUL and is alive until the program is destroyed; there are no headers.
        let code = unsafe {
            (self.create)(
                &raw mut program,
                text.as_ptr(),
                c"kernel.cu".as_ptr(),
                0,
                std::ptr::null(),
                std::ptr::null(),
            )
        };
        if code != 0 {
            return Err(Failure::Other(self.reason(code)));
        }
        let held = Held {
            nvrtc: self,
            program,
        };
        // SAFETY: the program is alive, and there are as many options as stated.
        let code = unsafe { (self.compile)(program, options.len() as c_int, options.as_ptr()) };
        if code != 0 {
            let log = held.output(self.log).unwrap_or_default();
            let log = String::from_utf8_lossy(&log);
            let log = log.trim_end_matches('\0').trim();
            return Err(Failure::Refused(match log {
                "" => self.reason(code),
                log => log.into(),
            }));
        }
        match target {
            Target::Ptx(_) => held.output(self.ptx),
            Target::Cubin(_) => held.output(self.cubin),
        }
    }
}

/// NVRTC loads its built-ins by their bare name. If its folder is not searched, this finds them only if they are already loaded.
fn keep_builtins(nvrtc: &Path) {
    let entries = nvrtc.parent().map(std::fs::read_dir);
    let files = entries.into_iter().flatten().flatten().flatten();
    let mut names: Vec<PathBuf> = files.map(|f| f.path()).collect();
    names.retain(|p| {
        let name = p.file_name().unwrap_or_default().to_string_lossy();
        name.contains("nvrtc-builtins") && !name.contains(".alt.")
    });
    for name in names {
        // SAFETY: NVRTC would load it next. It stays in memory.
        if let Ok(library) = unsafe { Library::new(name) } {
            std::mem::forget(library);
        }
    }
}

/// Destroys a program when it is dropped.
struct Held<'a> {
    nvrtc: &'a Nvrtc,
    program: Program,
}

impl Held<'_> {
    fn output(&self, output: Output) -> Result<Vec<u8>, Failure> {
        let check = |code| match code {
            0 => Ok(()),
            code => Err(Failure::Other(self.nvrtc.reason(code))),
        };
        let mut size = 0;
        // SAFETY: the program is alive as long as `self` is.
        check(unsafe { (output.size)(self.program, &raw mut size) })?;
        let mut bytes = vec![0u8; size];
        // SAFETY: as above; the buffer has the required size.
        check(unsafe { (output.bytes)(self.program, bytes.as_mut_ptr().cast()) })?;
        Ok(bytes)
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        // SAFETY: it was created by this library and is not used again.
        unsafe { (self.nvrtc.destroy)(&raw mut self.program) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_that_is_not_there_is_named() {
        let reason = Nvrtc::find(Some(Path::new("/nonexistent/libnvrtc.so"))).expect_err("no file");
        assert_eq!(
            reason,
            "CRUNCH_NVRTC names /nonexistent/libnvrtc.so, which is not a file"
        );
        let dir = std::env::temp_dir().join(format!("dc-nvrtc-{}", std::process::id()));
        std::fs::create_dir_all(&dir).expect("a scratch folder");
        let path = dir.join("libnvrtc.so");
        std::fs::write(&path, "no library").expect("writable");
        let reason = Nvrtc::find(Some(&path)).expect_err("no library");
        assert!(reason.contains("does not load"), "{reason}");
        std::fs::remove_dir_all(dir).expect("it was made above");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn another_library_is_not_taken_for_it() {
        // SAFETY: the C library is in memory already.
        let other = unsafe { Library::new("libc.so.6") }.expect("the C library");
        let reason = Nvrtc::new(other).expect_err("not NVRTC");
        assert!(reason.contains("nvrtcVersion"), "{reason}");
    }

    #[test]
    fn targets_are_named_as_nvrtc_names_them() {
        assert_eq!(Target::Cubin(90).option(), "--gpu-architecture=sm_90");
        assert_eq!(Target::Ptx(75).option(), "--gpu-architecture=compute_75");
    }
}
