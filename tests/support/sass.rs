//! PTX to machine code, and the analysis of the machine code.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};

use super::{Error, tool};

#[path = "sass_loop.rs"]
pub mod hot;

/// Machine code as text, as `nvdisasm -c` writes it.
pub struct Sass {
    /// The whole text.
    pub text: String,
    /// The registers of the kernel that uses most.
    pub registers: u32,
    /// Bytes of local memory, that is, of spilled registers: stack frames and spills of all functions.
    pub local: u32,
    /// Bytes of shared memory per block, of the kernel that uses most.
    #[allow(dead_code, reason = "the command uses what the tests do not")]
    pub shared: u32,
}

impl Sass {
    /// Compiles PTX.
    pub fn of_ptx(workspace: &Path, ptx: &str, arch: &str) -> Result<Self, Error> {
        let mut all = Sass::of_each(workspace, &[ptx], arch)?;
        Ok(all.remove(0))
    }

    /// Compiles PTX texts of one header as one module, in which the symbols of each have a suffix of their own. nvdisasm takes a
    /// quarter of a second for its tables of instructions before it reads anything.
    pub fn of_each(
        workspace: &Path,
        texts: &[impl AsRef<str>],
        arch: &str,
    ) -> Result<Vec<Self>, Error> {
        let (ptxas, nvdisasm) = (
            tool(workspace, "CRUNCH_PTXAS")?,
            tool(workspace, "CRUNCH_NVDISASM")?,
        );
        let folder = Folder::new()?;
        let (source, code) = (folder.0.join("kernel.ptx"), folder.0.join("kernel.cubin"));
        let mut module = String::new();
        for (i, ptx) in texts.iter().enumerate() {
            let (header, rest) = split_header(ptx.as_ref());
            if i == 0 {
                module += header;
            } else if !module.starts_with(header) {
                return Err(Error::Failed(format!("not all headers are {header:?}")));
            }
            module += &renamed(rest, &suffix(i));
        }
        std::fs::write(&source, module)
            .map_err(|e| Error::Failed(format!("{}: {e}", source.display())))?;
        let assembled = output(
            Command::new(ptxas)
                .args(["--verbose".into(), format!("--gpu-name={arch}")])
                .arg("-o")
                .arg(&code)
                .arg(&source),
        )?;
        let log = String::from_utf8_lossy(&assembled.stderr);
        // Without data-flow analysis, which adds nothing to the text and takes a third of the time.
        let disassembled = output(Command::new(nvdisasm).args(["-ndf", "-c"]).arg(&code))?;
        let disassembled = String::from_utf8_lossy(&disassembled.stdout);
        let logs = parts(&log, |line| {
            let (_, name) = line.split_once("Compiling entry function '")?;
            Some(name.split('\'').next().unwrap_or_default())
        });
        let sections = parts(&disassembled, function);
        let of = |(i, ptx): (usize, &str)| {
            let (mut all, mut text) = (String::new(), String::new());
            for entry in entries(ptx) {
                let entry = entry.to_string() + &suffix(i);
                let missing =
                    |program| Error::Failed(format!("{program} names no kernel {entry}:\n{log}"));
                all += logs.get(&*entry).ok_or_else(|| missing("ptxas"))?;
                text += sections.get(&*entry).ok_or_else(|| missing("nvdisasm"))?;
            }
            let text = text.replace(&suffix(i), "");
            let (registers, local, shared) = resources(&all).ok_or_else(|| {
                Error::Failed(format!("ptxas does not say what the kernel takes:\n{log}"))
            })?;
            Ok(Sass {
                text,
                registers,
                local,
                shared,
            })
        };
        let texts = texts.iter().map(AsRef::as_ref);
        texts.enumerate().map(of).collect()
    }

    /// How often each operation occurs in each kernel, its subroutines included: `counts["kernel"].of("DFMA")`.
    /// Modifiers (`.RN`, `.FTZ`) are left off.
    #[must_use]
    pub fn counts(&self) -> BTreeMap<String, Counts> {
        let mut functions: BTreeMap<String, Counts> = BTreeMap::new();
        let mut current = None;
        for line in self.text.lines() {
            if let Some(name) = function(line) {
                current = Some(name.to_string());
            } else if let (Some(name), Some(operation)) = (&current, operation(line)) {
                functions.entry(name.clone()).or_default().add(operation);
            }
        }
        functions
    }
}

/// A separate operation in the counts: adding -0 copies a number, possibly with another sign.
pub const MOVE: &str = "MOVE";

/// The operation in a line such as `  /*0120*/  @!P0 DFMA.RN R4, R6, R8, R10 ;`, without its modifiers.
fn operation(line: &str) -> Option<&str> {
    let (_, rest) = line.trim_start().strip_prefix("/*")?.split_once("*/")?;
    let rest = rest.trim_start();
    // A predicate may precede it.
    let rest = match rest.starts_with('@') {
        true => rest.split_once(' ')?.1.trim_start(),
        false => rest,
    };
    let (word, operands) = rest.split_once(' ').unwrap_or((rest, ""));
    let word = word.trim_end_matches(';').split('.').next()?;
    // `x + -0` is `x` for every `x`; the operation only applies the sign modifier of the other operand.
    let copies = matches!(word, "DADD" | "FADD") && operands.split(", ").any(|o| o == "-RZ");
    Some(if copies { MOVE } else { word }).filter(|w| !w.is_empty())
}

/// The function in a line such as `.text.rcp_newton_sweep:`, with which its section begins.
fn function(line: &str) -> Option<&str> {
    line.strip_prefix(".text.")?.strip_suffix(':')
}

/// The entries of a PTX text, from lines such as `.visible .entry rcp_newton_sweep(`.
fn entries(ptx: &str) -> impl Iterator<Item = &str> {
    let after = ptx.lines().filter_map(|l| l.split_once(".entry "));
    after.map(|(_, rest)| rest.split('(').next().unwrap_or_default().trim())
}

/// The symbols that a PTX text declares: its entries, and functions and variables outside of them, as in
/// `.global .align 8 .b8 table[64] = {..};` and `.func  (.param .b64 r) helper(`.
fn symbols(ptx: &str) -> impl Iterator<Item = &str> {
    let outside = [".global ", ".const ", ".func ", ".visible ", ".weak "];
    let declarations = ptx
        .lines()
        .filter(move |l| outside.iter().any(|o| l.starts_with(o)));
    declarations.filter_map(|line| {
        let line = line.split('=').next().unwrap_or_default();
        // The last word before the parameters, the length or the end; a result in parentheses precedes a function's name.
        let line = match line.strip_prefix(".func").map(str::trim_start) {
            Some(rest) if rest.starts_with('(') => rest.split_once(')')?.1,
            _ => line,
        };
        let name = line.split(['(', '[', ';']).next().unwrap_or_default();
        name.split_whitespace().last()
    })
}

/// The suffix of the symbols of the text with that number.
fn suffix(number: usize) -> String {
    format!("_of_text_{number}_")
}

/// A PTX text in which the symbols that it declares have a suffix.
fn renamed(ptx: &str, suffix: &str) -> String {
    let declared: BTreeSet<&str> = symbols(ptx).collect();
    let mut out = String::new();
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
    let mut rest = ptx;
    while let Some(start) = rest.find(is_part) {
        let (before, word) = rest.split_at(start);
        let end = word.find(|c| !is_part(c)).unwrap_or(word.len());
        let (word, after) = word.split_at(end);
        out += before;
        out += word;
        if declared.contains(word) {
            out += suffix;
        }
        rest = after;
    }
    out + rest
}

/// A PTX text's version, target and size of addresses, and what follows.
fn split_header(ptx: &str) -> (&str, &str) {
    let last = ptx.find(".address_size").unwrap_or(0);
    let end = ptx[last..].find('\n').map_or(ptx.len(), |n| last + n + 1);
    ptx.split_at(end)
}

/// A text cut at the lines that name a kernel: each part by the name with which it begins. What precedes the first is left off.
fn parts(text: &str, name: impl Fn(&str) -> Option<&str>) -> BTreeMap<&str, String> {
    let mut parts: BTreeMap<&str, String> = BTreeMap::new();
    let mut current = None;
    for line in text.lines() {
        current = name(line).or(current);
        if let Some(name) = current {
            *parts.entry(name).or_default() += &format!("{line}\n");
        }
    }
    parts
}

/// Registers, bytes of local memory and of shared memory, from the output of `ptxas --verbose`.
fn resources(log: &str) -> Option<(u32, u32, u32)> {
    let mut words = log
        .split([' ', ',', '\n'])
        .filter(|w| !w.is_empty())
        .peekable();
    let (mut registers, mut local, mut shared) = (None, None, 0);
    let mut last = "";
    while let Some(word) = words.next() {
        // "Used 32 registers"; "0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads"
        if word == "registers" {
            registers = registers.max(last.parse::<u32>().ok());
        } else if word == "bytes" && matches!(words.peek(), Some(&("stack" | "spill"))) {
            local = Some(local.unwrap_or(0) + last.parse::<u32>().ok()?);
        } else if word == "bytes" && words.peek() == Some(&"smem") {
            shared = shared.max(last.parse::<u32>().ok()?);
        }
        last = word;
    }
    Some((registers?, local?, shared))
}

/// How often each operation occurs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts(pub BTreeMap<String, usize>);

impl Counts {
    fn add(&mut self, operation: &str) {
        *self.0.entry(operation.to_string()).or_default() += 1;
    }

    /// The count of one operation; zero if it does not occur.
    #[must_use]
    pub fn of(&self, operation: &str) -> usize {
        self.0.get(operation).copied().unwrap_or_default()
    }
}

/// A temporary folder, removed when dropped.
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

fn output(command: &mut Command) -> Result<Output, Error> {
    let program = command.get_program().to_string_lossy().into_owned();
    let out = command
        .output()
        .map_err(|e| Error::Unavailable(format!("{program} cannot be started: {e}")))?;
    if out.status.success() {
        return Ok(out);
    }
    Err(Error::Failed(format!(
        "{program}: {}\n{}",
        out.status,
        String::from_utf8_lossy(&out.stderr)
    )))
}

#[cfg(test)]
mod tests {
    use super::{MOVE, entries, operation, renamed, resources, split_header, symbols};

    #[test]
    fn operations_are_read_with_predicates_and_without_modifiers() {
        for (line, want) in [
            (
                "        /*0120*/                   DFMA.RN R4, R6, R8, R10 ;",
                Some("DFMA"),
            ),
            (
                "        /*0270*/              @!P0 BRA `(.L_x_0) ;",
                Some("BRA"),
            ),
            ("        /*02a0*/                   NOP;", Some("NOP")),
            (
                "        /*1710*/                   DADD R54, -RZ, |R66|.reuse ;",
                Some(MOVE),
            ),
            (
                "        /*1710*/                   FADD.FTZ R5, R6, RZ ;",
                Some("FADD"),
            ),
            (
                "        /*1710*/                   DADD R5, R6, -R7 ;",
                Some("DADD"),
            ),
            (".L_x_0:", None),
            (
                "//--------------------- .text.k --------------------------",
                None,
            ),
        ] {
            assert_eq!(operation(line), want, "{line}");
        }
    }

    #[test]
    fn symbols_of_all_forms_are_found() {
        let ptx = ".visible .entry k_exp(\n.visible .entry merge()\n.global .align 8 .b8 table[16] = {1, 2};\n\
             .const .align 8 .f64 c = 0d0;\n.func  (.param .b64 r) helper(\n.func other(\n\t.local .b8 inner[8];\n";
        let found: Vec<&str> = symbols(ptx).collect();
        assert_eq!(found, ["k_exp", "merge", "table", "c", "helper", "other"]);
        assert_eq!(entries(ptx).collect::<Vec<_>>(), ["k_exp", "merge"]);
        let text = ".version 9.0\n.target sm_90\n.address_size 64\n\n.func f(";
        assert_eq!(split_header(text).1, "\n.func f(");
        assert_eq!(
            renamed(".func f(\n\tcall f, f1, f$;\n", "_1"),
            ".func f_1(\n\tcall f_1, f1, f$;\n"
        );
    }

    #[test]
    fn resources_are_the_most_registers_and_all_local_memory() {
        let log = "ptxas info    : Function properties for a\n    16 bytes stack frame, 8 bytes spill stores, 4 bytes spill loads\n\
             ptxas info    : Used 32 registers, used 0 barriers, 8192 bytes smem, 376 bytes cmem[0]\n    \
             0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\nptxas info    : Used 8 registers, used 1 barriers\n";
        assert_eq!(resources(log), Some((32, 28, 8192)));
        assert_eq!(resources("ptxas info : nothing\n"), None);
    }
}
