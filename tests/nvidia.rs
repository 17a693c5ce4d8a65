//! The output of NVIDIA's compilers for the CUDA text, on a machine without a GPU: NVRTC accepts the text, the PTX rounds
//! every operation separately, and the machine code has exactly the additions, products and fused operations of the IR.
//!
//! The tests exclude contraction: ptxas fuses a product with an addition unless both state their rounding. Each check
//! is therefore also made to fail, on the same text with its intrinsics replaced by plain `*` and `+`.
//!
//! The tests need what `cargo xtask setup --only nvidia` installs. Where it is missing the tests report that they are
//! skipped, and fail if `CRUNCH_REQUIRE` names `nvrtc` or `sass`.

#[path = "nvidia/choices.rs"]
mod choices;
#[path = "nvidia/functions.rs"]
mod functions;
#[path = "nvidia/loops.rs"]
mod loops;
#[path = "support/nvidia.rs"]
mod nvidia;
#[path = "support/texts.rs"]
mod texts;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use doublecrunch::backend::options::{CompileOptions, Compiler};
use doublecrunch::backend::skip::skip;

use kernels_gen::emit::merge_entry;
use nvidia::sass::{Counts, Sass};
use nvidia::{Error, Nvrtc, STRICT};
use texts::{Text, sweeps, texts};

/// The architectures for which PTX is compiled and checked: the first is that of the A100, the second that of the H100.
const ARCHITECTURES: [&str; 2] = ["sm_80", "sm_90"];
/// The operations that `texts::Arithmetic` counts, by their names in machine code.
const MACHINE: [&str; 6] = ["DADD", "DMUL", "DFMA", "FADD", "FMUL", "FFMA"];
/// The texts that are compiled and disassembled together.
const TOGETHER: usize = 16;
/// Options under which the compilers may fuse and approximate.
const LOOSE: [&str; 2] = ["--fmad=true", "--use_fast_math"];
/// Before a text: its intrinsics become plain operators, which the compilers may fuse.
const PLAIN: &str = "#define __dmul_rn(a, b) ((a) * (b))\n#define __dadd_rn(a, b) ((a) + (b))\n\
    #define __dsub_rn(a, b) ((a) - (b))\n#define __fmul_rn(a, b) ((a) * (b))\n\
    #define __fadd_rn(a, b) ((a) + (b))\n#define __fsub_rn(a, b) ((a) - (b))\n";

fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The result of an available compiler; `None` if it is missing and not required.
fn need<T>(proof: &str, outcome: Result<T, Error>) -> Option<T> {
    match outcome {
        Ok(value) => Some(value),
        Err(e @ Error::Unavailable(_)) => {
            skip(proof, &e.to_string());
            None
        }
        Err(e @ Error::Failed(_)) => panic!("{e}"),
    }
}

/// The faults in the roundings and in the numbers of operations of PTX.
fn faults_of_ptx(ptx: &str, want: &texts::Ptx) -> Vec<String> {
    let mut faults = Vec::new();
    let mut got = texts::Ptx::default();
    for line in ptx.lines() {
        let line = line.trim_start();
        let line = match line.starts_with('@') {
            true => line.split_once(' ').map_or("", |l| l.1.trim_start()),
            false => line,
        };
        let mut parts = line
            .split([' ', '\t'])
            .next()
            .unwrap_or_default()
            .split('.');
        let operation = parts.next().unwrap_or_default();
        let modifiers: Vec<&str> = parts.collect();
        let Some(precision) = ["f64", "f32"]
            .into_iter()
            .find(|p| modifiers.last() == Some(p))
        else {
            continue;
        };
        if modifiers
            .iter()
            .any(|m| ["ftz", "approx", "full", "sat"].contains(m))
        {
            faults.push(format!("inexact: {line}"));
        }
        let arithmetic = ["add", "sub", "mul", "fma", "mad", "div", "rcp", "sqrt"];
        if !arithmetic.contains(&operation) {
            continue;
        }
        // Without a rounding in its name, PTX's `add` and `mul` may be fused (PTX ISA, "Floating Point Instructions"). The
        // metric's fast path has one sum toward zero.
        if modifiers[0] != "rn" && !line.starts_with("add.rz.f64") {
            faults.push(format!("free to be fused: {line}"));
        }
        *got.entry((operation.replace("sub", "add"), precision))
            .or_default() += 1;
    }
    if got != *want {
        faults.push(format!("the IR says {want:?}, the PTX {got:?}"));
    }
    faults
}

/// Additions, products, fused operations of binary64, then of binary32.
fn arithmetic(counts: &Counts) -> texts::Arithmetic {
    MACHINE.map(|name| counts.of(name) as u64)
}

/// The PTX of a text with the strict options. Two tests need that of each text: it is compiled once.
fn strict(nvrtc: &Nvrtc, text: &Text, arch: &'static str) -> String {
    type Compiled = BTreeMap<(String, &'static str), Arc<OnceLock<String>>>;
    static COMPILED: Mutex<Compiled> = Mutex::new(BTreeMap::new());
    let entry = {
        let mut all = COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = all.entry((text.source.text.clone(), arch)).or_default();
        Arc::clone(entry)
    };
    let ptx = entry.get_or_init(|| {
        nvrtc
            .ptx(&text.source.text, arch, &STRICT)
            .unwrap_or_else(|e| panic!("{}: {e}", text.name))
    });
    ptx.clone()
}

/// The machine code of texts with such options, each with its arithmetic.
fn machine_code(
    nvrtc: &Nvrtc,
    texts: &[Text],
    arch: &'static str,
    options: &[&str],
) -> Option<Vec<(Sass, texts::Arithmetic)>> {
    let ptx = |text: &Text| match options == STRICT {
        true => strict(nvrtc, text, arch),
        false => nvrtc
            .ptx(&text.source.text, arch, options)
            .unwrap_or_else(|e| panic!("{}: {e}", text.name)),
    };
    let ptx: Vec<String> = texts.iter().map(ptx).collect();
    let all = need("sass", Sass::of_each(workspace(), &ptx, arch))?;
    let found = all.into_iter().zip(texts).map(|(sass, text)| {
        let found = arithmetic_of(&sass, text);
        (sass, found)
    });
    Some(found.collect())
}

/// The arithmetic in the machine code of a text.
fn arithmetic_of(sass: &Sass, text: &Text) -> texts::Arithmetic {
    let mut counts = sass.counts();
    // The kernel that merges records has no arithmetic.
    if let Some(merge) = counts.remove(&merge_entry(&text.source.entry)) {
        assert_eq!(arithmetic(&merge), [0; 6], "{}", text.name);
    }
    let functions: Vec<&String> = counts.keys().collect();
    assert_eq!(functions, [&text.source.entry], "{}", text.name);
    arithmetic(&counts[&text.source.entry])
}

/// What divisions, reciprocals and square roots add: subroutines of additions, products and fused operations.
struct Expansions(Vec<(texts::Slow, texts::Arithmetic)>);

impl Expansions {
    /// Measured on kernels that contain nothing else.
    fn measure(nvrtc: &Nvrtc, arch: &'static str) -> Option<Self> {
        let (slow, texts): (Vec<_>, Vec<_>) = texts::slow_alone().into_iter().unzip();
        let codes = machine_code(nvrtc, &texts, arch, &STRICT)?;
        let each = slow.into_iter().zip(&texts).zip(codes);
        let each = each.map(|((slow, text), (_, found))| {
            assert_eq!(text.arithmetic, [0; 6], "{}: nothing beside it", text.name);
            assert!(found.iter().sum::<u64>() > 3, "{}: {found:?}", text.name);
            (slow, found)
        });
        Some(Expansions(each.collect()))
    }

    /// The required number of each operation in a text; `None` if it is unknown, since two divisions of a kernel may
    /// share work.
    fn expect(&self, text: &Text) -> [Option<u64>; 6] {
        let mut want = text.arithmetic.map(Some);
        for (slow, expansion) in &self.0 {
            let times = text.slow.get(slow).copied().unwrap_or(0);
            for (want, more) in want.iter_mut().zip(expansion) {
                *want = match times {
                    0 => *want,
                    1 => want.map(|w| w + more),
                    _ => want.filter(|_| *more == 0),
                };
            }
        }
        want
    }
}

/// Which operations a text has too many or too few of.
fn faults_of_machine_code(want: [Option<u64>; 6], found: texts::Arithmetic) -> Vec<String> {
    let each = MACHINE.iter().zip(want).zip(found);
    each.filter(|((_, want), found)| want.is_some_and(|w| w != *found))
        .map(|((name, want), found)| {
            format!("{found} {name}, the IR says {}", want.unwrap_or_default())
        })
        .collect()
}

/// The searches of libraries' routines, in which ptxas merges two sums or products with the same operands, or duplicates one in two branches: the bits
/// are the same. Fused operations must be those of the IR, so that none replaces a sum and a product.
const LIBRARY: [&str; 5] = [
    "sweep exp-fdlibm",
    "sweep exp-table",
    "sweep log-table",
    "sweep sin-fdlibm",
    "sweep cbrt-freebsd",
];

/// Accepts the counts found where sums (DADD) and products (DMUL) differ by at most three.
fn nearly(want: &mut [Option<u64>; 6], found: texts::Arithmetic) {
    for (want, found) in want.iter_mut().zip(found).take(2) {
        *want = want.map(|w| if w.abs_diff(found) <= 3 { found } else { w });
    }
}

#[test]
fn the_options_are_those_of_the_backend() {
    let options = CompileOptions::with(Compiler::Nvrtc, &[], &[]).expect("nothing added");
    assert_eq!(options.as_slice(), STRICT);
}

#[test]
fn every_builtin_kernel_is_among_the_texts() {
    let listed: Vec<String> = texts().iter().map(|t| t.source.text.clone()).collect();
    let mut seen = 0;
    let folder = workspace().join("dc-runtime/src/builtins");
    for path in ["", "dd", "instructions", "poly"]
        .iter()
        .flat_map(|sub| std::fs::read_dir(folder.join(sub)).expect("it is there"))
        .map(|file| file.expect("readable").path())
        // Absolute and relative errors compute some numbers twice, which compilers compute once: their operations cannot be
        // counted. What they give is held against the interpreter.
        // Those of plain functions are Rust's own operations, and are compared with these (dc-runtime/tests/annotate.rs).
        .filter(|path| {
            path.is_file() && !path.ends_with("plain_error.rs") && !path.ends_with("plain.rs")
        })
    {
        let text = std::fs::read_to_string(path).expect("UTF-8");
        for part in text.split("#[crunch]\npub fn ").skip(1) {
            let name = part.split('(').next().unwrap_or_default();
            let function = format!(" k_{name}(");
            assert!(
                listed.iter().any(|t| t.contains(&function)),
                "{name} is in no text: add it to support/texts.rs"
            );
            seen += 1;
        }
    }
    assert!(seen >= 65, "{seen} kernels found: has the folder moved?");
}

#[test]
fn ptx_has_the_operations_of_the_ir_each_rounded_to_nearest() {
    let Some(nvrtc) = need("nvrtc", Nvrtc::open(workspace())) else {
        return;
    };
    for text in texts().iter().chain(&sweeps()) {
        for arch in ARCHITECTURES {
            let ptx = strict(&nvrtc, text, arch);
            for says in [
                format!(".target {arch}"),
                format!(".entry {}(", text.source.entry),
            ] {
                assert!(ptx.contains(&says), "{}: {ptx}", text.name);
            }
            let faults = faults_of_ptx(&ptx, &text.ptx);
            assert_eq!(faults, Vec::<String>::new(), "{} for {arch}", text.name);
        }
    }
}

/// Compares the machine code of a text with its IR.
fn check_machine_code(
    expansions: &Expansions,
    arch: &str,
    text: &Text,
    (sass, found): (Sass, texts::Arithmetic),
) {
    let mut want = expansions.expect(text);
    // These need more registers than a search leaves them: the amounts are recorded and must not grow.
    let mut spilled = 0;
    if LIBRARY.contains(&text.name.as_str()) {
        nearly(&mut want, found);
        spilled = 64;
    }
    let faults = faults_of_machine_code(want, found);
    println!(
        "{arch} {:<22} {found:?}, {} registers",
        text.name, sass.registers
    );
    assert_eq!(faults, Vec::<String>::new(), "{} for {arch}", text.name);
    assert!(
        sass.local <= spilled,
        "{} for {arch} has {} bytes of registers in local memory",
        text.name,
        sass.local
    );
}

#[test]
fn machine_code_has_the_operations_of_the_ir() {
    let Some(nvrtc) = need("sass", Nvrtc::open(workspace())) else {
        return;
    };
    let mut jobs = Vec::new();
    let mut measured = Vec::new();
    for arch in ARCHITECTURES {
        let Some(expansions) = Expansions::measure(&nvrtc, arch) else {
            return;
        };
        measured.push((arch, expansions));
        // The paper's searches and their kernels for both architectures; the rest, to save time, for the newer one.
        let of_the_paper = |t: &Text| match t.name.starts_with("sweep ") {
            true => !LIBRARY.contains(&t.name.as_str()),
            false => t.name.starts_with("rcp"),
        };
        let chosen = texts().into_iter().chain(sweeps());
        let chosen = chosen.filter(|t| arch == "sm_90" || of_the_paper(t));
        let mut chosen = chosen.peekable();
        while chosen.peek().is_some() {
            jobs.push((arch, chosen.by_ref().take(TOGETHER).collect::<Vec<Text>>()));
        }
    }
    // On all processors: this is the longest of these tests, and other test binaries wait for its end.
    let next = AtomicUsize::new(0);
    let work = || {
        let nvrtc = need("sass", Nvrtc::open(workspace()))?;
        while let Some((arch, texts)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            let (_, expansions) = measured.iter().find(|m| m.0 == *arch)?;
            let codes = machine_code(&nvrtc, texts, arch, &STRICT)?;
            for (text, code) in texts.iter().zip(codes) {
                check_machine_code(expansions, arch, text, code);
            }
        }
        Some(())
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, |n| n.get()) {
            scope.spawn(work);
        }
    });
}

#[test]
fn options_that_allow_fusing_change_nothing() {
    let Some(nvrtc) = need("sass", Nvrtc::open(workspace())) else {
        return;
    };
    let texts = [texts::mul_then_add(), texts::mul_then_add_f32()];
    let Some(codes) = machine_code(&nvrtc, &texts, "sm_90", &LOOSE) else {
        return;
    };
    for (text, (_, found)) in texts.iter().zip(codes) {
        assert_eq!(found, text.arithmetic, "{}", text.name);
    }
}

/// The control: the checks above detect contraction.
#[test]
fn contraction_is_caught() {
    let Some(nvrtc) = need("sass", Nvrtc::open(workspace())) else {
        return;
    };
    let Some(expansions) = Expansions::measure(&nvrtc, "sm_90") else {
        return;
    };
    let mut controls = vec![texts::mul_then_add(), texts::mul_then_add_f32()];
    controls.extend(
        sweeps()
            .into_iter()
            .filter(|t| t.name == "sweep reciprocal"),
    );
    assert_eq!(controls.len(), 3);
    for text in &mut controls {
        text.source.text.insert_str(0, PLAIN);
        let name = &text.name;
        let ptx = nvrtc
            .ptx(&text.source.text, "sm_90", &["--fmad=true"])
            .expect("it is CUDA");
        // NVRTC itself may leave the fusing to ptxas.
        let faults = faults_of_ptx(&ptx, &text.ptx);
        assert!(
            faults
                .iter()
                .any(|f| f.contains("fma") || f.starts_with("free to be fused")),
            "{name}: {faults:?}"
        );
    }
    let faults_with = |option: &str| -> Option<Vec<Vec<String>>> {
        let codes = machine_code(&nvrtc, &controls, "sm_90", &[option])?;
        let each = controls.iter().zip(codes);
        let each = each.map(|(t, (_, found))| faults_of_machine_code(expansions.expect(t), found));
        Some(each.collect())
    };
    let Some(fused) = faults_with("--fmad=true") else {
        return;
    };
    // Without fusing there is no fault.
    let separate = faults_with("--fmad=false").expect("as above");
    for ((text, fused), separate) in controls.iter().zip(fused).zip(separate) {
        let name = &text.name;
        assert!(fused.iter().any(|f| f.contains("FMA")), "{name}: {fused:?}");
        assert_eq!(separate, Vec::<String>::new(), "{name}");
    }
}

/// The arithmetic instructions of a text with their roundings, `add.rz.f64` or `DADD.RZ`, and how often each occurs.
fn rounded(lines: &str, operations: &[&str]) -> BTreeMap<String, u64> {
    let mut found = BTreeMap::new();
    for word in lines.split([' ', '\t', '\n']) {
        let operation = word.split('.').next().unwrap_or_default();
        if operations.contains(&operation) {
            *found.entry(word.to_string()).or_default() += 1;
        }
    }
    found
}

/// The faults in the roundings in the PTX of directed operations: each operation must occur once in each direction,
/// sums and differences together twice, and no other arithmetic.
fn faults_of_directed_ptx(ptx: &str, precision: &str, operations: &[(&str, u64)]) -> Vec<String> {
    let names = ["add", "sub", "mul", "fma", "mad", "div", "rcp", "sqrt"];
    let mut want = BTreeMap::new();
    for (operation, times) in operations {
        for direction in ["rz", "rp", "rm"] {
            want.insert(format!("{operation}.{direction}.{precision}"), *times);
        }
    }
    let mut found = BTreeMap::new();
    for (name, n) in rounded(ptx, &names) {
        // Those of integers, `add.s64` and `mul.wide.u32`.
        if name.ends_with(precision) {
            *found.entry(name.replace("sub.", "add.")).or_default() += n;
        }
    }
    if found == want {
        return Vec::new();
    }
    vec![format!("it has {found:?}, not {want:?}")]
}

#[test]
fn directed_roundings_are_in_ptx_and_machine_code() {
    let Some(nvrtc) = need("nvrtc", Nvrtc::open(workspace())) else {
        return;
    };
    for (precision, fast, slow) in texts::directed() {
        let ptx = |text: &str| {
            let ptx = nvrtc.ptx(text, "sm_90", &STRICT);
            ptx.unwrap_or_else(|e| panic!("{precision}: {e}"))
        };
        let operations = [("add", 2), ("mul", 1), ("fma", 1)];
        let code = ptx(&fast.text);
        let faults = faults_of_directed_ptx(&code, precision, &operations);
        assert_eq!(faults, Vec::<String>::new());
        let others = ptx(&slow.text);
        let faults =
            faults_of_directed_ptx(&others, precision, &[("div", 1), ("rcp", 1), ("sqrt", 1)]);
        assert_eq!(faults, Vec::<String>::new());
        // The control: one direction in place of another.
        let astray = ptx(&fast.text.replacen("_ru(", "_rd(", 1));
        assert!(!faults_of_directed_ptx(&astray, precision, &operations).is_empty());

        let Some(sass) = need("sass", Sass::of_ptx(workspace(), &code, "sm_90")) else {
            return;
        };
        let letter = if precision == "f64" { "D" } else { "F" };
        let names = ["ADD", "MUL", "FMA"].map(|name| format!("{letter}{name}"));
        let found = rounded(&sass.text, &names.each_ref().map(String::as_str));
        let mut want = BTreeMap::new();
        for (name, times) in names.iter().zip([2, 1, 1]) {
            for direction in ["RZ", "RP", "RM"] {
                want.insert(format!("{name}.{direction}"), times);
            }
        }
        assert_eq!(found, want);
        println!("{precision}: {found:?}");
        // Divisions and roots are subroutines, whose last operations round in the direction.
        let sass = need("sass", Sass::of_ptx(workspace(), &others, "sm_90"));
        let sass = sass.expect("as above").text;
        for direction in [".RZ", ".RP", ".RM"] {
            let last = format!("{letter}FMA{direction} ");
            println!("{precision}: {} of {last}", sass.matches(&last).count());
            assert!(sass.contains(&last), "{precision}: no {last} in {sass}");
        }
    }
}

#[test]
fn what_nvrtc_refuses_is_an_error_with_its_log() {
    let Some(nvrtc) = need("nvrtc", Nvrtc::open(workspace())) else {
        return;
    };
    let error = nvrtc
        .ptx(
            "extern \"C\" __global__ void k() { nonsense; }",
            "sm_90",
            &STRICT,
        )
        .expect_err("no CUDA");
    assert!(
        matches!(&error, Error::Failed(log) if log.contains("nonsense")),
        "{error}"
    );
}
