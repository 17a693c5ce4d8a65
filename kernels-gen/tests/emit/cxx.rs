//! The host's compilers, and running the programs that they build.

use std::path::{Path, PathBuf};
use std::process::Command;

use kernels_gen::emit::{CHECK, Signature, Source, host_cuda};

/// The flags with which text on the host has the specified results.
pub const STRICT: &[&str] = &["-O2", "-std=c++17", "-ffp-contract=off"];

/// The C++ compilers of this machine; tests that need one are skipped where there is none.
pub fn compilers() -> Vec<&'static str> {
    let found: Vec<_> = ["g++", "clang++", "clang++-15"]
        .into_iter()
        .filter(|c| is_there(c))
        .collect();
    if found.is_empty() {
        skip("cuda-host", "no C++ compiler: install g++");
    }
    found
}

/// Reports that something cannot be tested here. Panics if `CRUNCH_REQUIRE` names it.
pub fn skip(name: &str, reason: &str) {
    let required = std::env::var("CRUNCH_REQUIRE").unwrap_or_default();
    assert!(
        !required.split([',', ' ']).any(|r| r == name),
        "{name} is required (CRUNCH_REQUIRE={required}), but: {reason}"
    );
    kernels_gen::skip::note(&format!("{name}: {reason}"));
}

/// Whether a program can be started.
pub fn is_there(program: &str) -> bool {
    Command::new(program)
        .arg("--version")
        .output()
        .is_ok_and(|out| out.status.success())
}

/// A new folder under the build's own temporary one.
pub fn scratch(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a scratch folder");
    dir
}

/// Runs a compiler; returns its messages if it fails.
pub fn run(command: &mut Command) -> Result<(), String> {
    let out = command.output().map_err(|e| format!("{command:?}: {e}"))?;
    if out.status.success() {
        Ok(())
    } else {
        Err(String::from_utf8_lossy(&out.stderr).into_owned())
    }
}

/// A `main` that reads words from stdin: the grid and block of threads, n, extra, then the arrays; and writes all
/// output arrays.
fn main_of(source: &Source) -> String {
    let body = match &source.signature {
        Signature::Point { inputs, outputs } => format!(
            "    const word n = get();\n    const unsigned ins = {}, outs = {};\n    \
             std::vector<std::vector<word>> in(ins, std::vector<word>(n)), out(outs, std::vector<word>(n, ~0ull));\n    \
             for (auto &v : in) for (auto &x : v) x = get();\n    \
             std::vector<const word *> ip; std::vector<word *> op;\n    \
             for (auto &v : in) ip.push_back(v.data());\n    for (auto &v : out) op.push_back(v.data());\n    \
             dc_launch_point(grid, block, ip.data(), op.data(), n);\n    for (auto &v : out) put(v);\n",
            inputs.len(),
            outputs.len()
        ),
        Signature::Sweep => "    const word first = get(), n = get(), len = get();\n    \
             std::vector<word> records(len * grid * block, ~0ull);\n    \
             dc_launch_sweep(grid, block, first, n, records.data());\n    put(records);\n    \
             const word each = 128, lost = 0x5e5e5e5e5e5e5e5eull;\n    \
             for (int twice = 0; twice < 2; ++twice) {\n        \
             std::vector<word> merged(len * ((grid * block + each - 1) / each), lost);\n        \
             dc_launch_merge(records.data(), grid * block, merged.data(), lost);\n        \
             for (word i = CHECK; i < merged.size(); i += len) merged[i] -= lost;\n        put(merged);\n        \
             records.back() = lost;\n    }\n"
            .replace("CHECK", &CHECK.to_string()),
        Signature::Maxima => unreachable!("its launches are tested with the search's stretches"),
    };
    format!(
        "#include <cstdio>\n#include <cstdlib>\n#include <vector>\ntypedef unsigned long long word;\n\
         static word get() {{ word x; if (fread(&x, 8, 1, stdin) != 1) abort(); return x; }}\n\
         static void put(const std::vector<word> &v) {{ if (fwrite(v.data(), 8, v.size(), stdout) != v.size()) abort(); }}\n\
         int main() {{\n    const unsigned grid = (unsigned)get(), block = (unsigned)get();\n{body}    return 0;\n}}\n"
    )
}

/// A CUDA text that was compiled for the host with a `main`.
pub struct Host {
    /// Removed with the program.
    dir: PathBuf,
    exe: PathBuf,
}

impl Host {
    /// Compiles it.
    pub fn of(name: &str, compiler: &str, flags: &[&str], source: &Source) -> Host {
        let dir = scratch(&format!("{name}-{compiler}"));
        let (cpp, exe) = (dir.join("text.cpp"), dir.join("text"));
        std::fs::write(&cpp, host_cuda(source) + &main_of(source))
            .expect("the scratch folder is writable");
        run(Command::new(compiler)
            .args(flags)
            .arg(&cpp)
            .arg("-o")
            .arg(&exe))
        .unwrap_or_else(|log| panic!("{compiler}: {log}"));
        Host { dir, exe }
    }

    /// Passes it words; returns the words that it prints.
    pub fn run(&self, words: &[u64]) -> Vec<u64> {
        use std::io::Write as _;
        use std::process::Stdio;
        let mut child = Command::new(&self.exe)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it was just built");
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        let mut stdin = child.stdin.take().expect("piped");
        let feed = std::thread::spawn(move || stdin.write_all(&bytes));
        let out = child.wait_with_output().expect("it runs");
        feed.join()
            .expect("no panic")
            .expect("it reads all its input");
        assert!(out.status.success(), "{:?}: {}", self.exe, out.status);
        out.stdout
            .chunks_exact(8)
            .map(|c| u64::from_le_bytes(c.try_into().expect("8 bytes")))
            .collect()
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.dir);
    }
}

/// Runs a point kernel over inputs, one array per parameter; returns the output arrays.
pub fn run_point(
    name: &str,
    compiler: &str,
    flags: &[&str],
    source: &Source,
    inputs: &[Vec<u64>],
) -> Vec<Vec<u64>> {
    let n = inputs[0].len();
    // A grid that neither divides n nor covers it, so that the stride is tested.
    let mut words = vec![3, 5, n as u64];
    words.extend(inputs.iter().flatten());
    let out = Host::of(name, compiler, flags, source).run(&words);
    out.chunks_exact(n).map(<[u64]>::to_vec).collect()
}
