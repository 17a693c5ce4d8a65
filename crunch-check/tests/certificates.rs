//! Certificates that `dc-exact` writes, given to the checker: unchanged, and with each possible kind of error.

use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use dc_exact::law::{Law, Truth};
use dc_runtime::sweeps;

mod support;

/// The certificate of a part of a built-in sweep.
fn certified(name: &'static str, law: Law, lo: f64, hi: f64) -> String {
    support::certified(name, Truth::Law(law), lo, hi)
}

/// The checker's output for a certificate, and whether it accepts it.
fn checked(text: &str, more: &[&str]) -> (bool, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("some.cert");
    std::fs::write(&path, text).expect("written");
    run(&path, more)
}

/// A sieve of few inputs: tests/contradictions.rs has the sieve's own tests.
const FEW: [&str; 2] = ["--sieve", "4096"];

fn run(path: &Path, more: &[&str]) -> (bool, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_crunch-check"));
    let output = command
        .arg(path)
        .args(FEW)
        .args(more)
        .output()
        .expect("it runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (
        output.status.success(),
        text(output.stdout) + &text(output.stderr),
    )
}

/// The worst input of `exp` is in it: 1.848082400995 ULP at 40492070a65a52cb.
fn exp() -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    TEXT.get_or_init(|| certified("exp", Law::Exp, 50.2534, 50.25345))
}

fn refused(text: &str, says: &str) {
    let (accepted, printed) = checked(text, &[]);
    assert!(!accepted && printed.contains(says), "{says}: {printed}");
    assert!(printed.contains("NOT PROVEN"), "{printed}");
}

#[test]
fn a_certificate_is_proved_again() {
    let (accepted, printed) = checked(exp(), &[]);
    assert!(accepted, "{printed}");
    for says in [
        "PROVEN: exp, as an approximation of e^x",
        "inputs        5.02534e1 to 5.025345e1",
        "largest error at most 1.848082400995",
        "40492070a65a52cb",
    ] {
        assert!(printed.contains(says), "{says}: {printed}");
    }
    let (accepted, printed) = checked(exp(), &["--quick"]);
    assert!(accepted && printed.contains("SAMPLED"), "{printed}");
}

/// A table-driven logarithm: next to 1 it splits a number, whose parts' errors cancel; the other inputs have a cell for each
/// entry.
#[test]
fn a_logarithm_is_proved_again_next_to_1_and_below_the_worst_input() {
    let text = certified("log-table", Law::Ln, 1.0646, 1.11876);
    let (accepted, printed) = checked(&text, &[]);
    assert!(accepted, "{printed}");
    for says in ["at most 0.520395758200", "3ff1e663529edc6f"] {
        assert!(printed.contains(says), "{says}: {printed}");
    }
}

/// Below 11/16 the integer from which the table's index is shifted is negative.
#[test]
fn a_table_entry_of_a_negative_number_is_one_cell() {
    let lo = 3.34e-4f64;
    let hi = f64::from_bits(lo.to_bits() + (1 << 14));
    let (accepted, printed) = checked(&certified("log-table", Law::Ln, lo, hi), &[]);
    assert!(accepted, "{printed}");
}

/// Ranges whose results are 0 and 1.
#[test]
fn cells_with_one_number_are_proved_again() {
    for (lo, hi) in [(-745.2, -745.14), (-1e-17, 1e-17)] {
        let text = certified("exp", Law::Exp, lo, hi);
        let (accepted, printed) = checked(&text, &[]);
        assert!(accepted, "{lo} to {hi}: {printed}");
        println!("{printed}");
    }
}

/// The checker finds the cells of such a stretch itself: it cuts where the integer of the reduction changes, and between binades of
/// the reduced argument; the least arguments are one cell.
#[test]
fn stretches_are_cut_by_the_checker() {
    for (name, lo, hi, least) in [
        ("exp", 50.253_17, 50.253_171, 2),
        // 72 ln 2 and 2^-9 above it.
        ("exp-table", 49.906_596_999, 49.906_597_001, 1),
        ("exp-table", 49.908_550_125, 49.908_550_126, 2),
    ] {
        let text = certified(name, Law::Exp, lo, hi);
        assert!(text.contains("\ncut "), "{text}");
        let (accepted, printed) = checked(&text, &[]);
        assert!(accepted, "{name}: {printed}");
        let cells = (printed.lines())
            .find_map(|l| l.split_once(" cells, in ")?.0.split(' ').next_back())
            .unwrap_or_else(|| panic!("{printed}"));
        let cells: u32 = cells.replace(',', "").parse().expect("a number");
        assert!(cells >= least, "{printed}");
    }
}

/// The kernel `1 + (x - x)`, or another sum, on doubles from `lo` to `hi`, as a constant approximation of the exponential.
fn as_constant(format: u32, (lo, hi): (f64, f64), error: f64, sum: &str) -> String {
    let bits = |x: f64| format!("{:016x}", x.to_bits());
    let ends = format!("{} {}", bits(lo), bits(hi));
    let lines = [
        format!("doublecrunch certificate {format}"),
        "sweep made-up".into(),
        "function exp".into(),
        format!("range {ends}"),
        format!("error {}", bits(error)),
        format!("worst {}", bits(hi)),
        "kernel".into(),
        "doublecrunch ir 1".into(),
        "fn f0 made_up".into(),
        "  %0: f64 = param".into(),
        "  %1: f64 = sub %0, %0".into(),
        "  %2: f64 = const 0x3ff0000000000000".into(),
        format!("  %3: f64 = {sum}"),
        "  return %3".into(),
        "end of kernel".into(),
        format!("cell {ends} constant"),
        "end\n".into(),
    ];
    lines.join("\n")
}

#[test]
fn a_constant_is_cut_until_it_is_seen_to_be_one() {
    // The ranges are seen to be one number only on parts that are narrower than 2^-53.
    let narrow = (2f64.powi(-50), 2f64.powi(-50) + 2f64.powi(-52));
    let sum = "add %2, %1";
    for format in [1, 2] {
        let (accepted, printed) = checked(&as_constant(format, narrow, 5.000_001, sum), &[]);
        assert!(accepted, "{printed}");
        assert!(printed.contains("; 3 cuts;"), "{printed}");
    }
    refused(&as_constant(2, narrow, 4.9, sum), "above the claim");
    // 1 + x is 2^32 numbers there, and within 10,000 ULP.
    let wide = (2f64.powi(-20), 2f64.powi(-19));
    let text = as_constant(2, wide, 10_000.0, "add %2, %0");
    refused(&text, "the kernel is no constant");
}

#[test]
fn a_gap_is_refused() {
    let mut cuts = exp().lines().filter(|l| l.starts_with("cut "));
    let last = cuts.next_back().expect("a stretch");
    refused(&exp().replace(&format!("{last}\n"), ""), "there is a gap");
}

/// The kernel would be evaluated at one of the zeros, and both would count as checked.
#[test]
fn a_cell_of_both_signs_is_refused() {
    for line in [
        "cut 8000000000000000 0000000000000000",
        "cell 8000000000000000 0000000000000000 constant",
    ] {
        let zeros = format!("{line}\ncut ");
        refused(&exp().replacen("cut ", &zeros, 1), "a cell of both signs");
    }
}

/// The lines of stretches.
fn stretches(text: &str) -> Vec<&str> {
    let proven = |l: &&str| {
        ["bound ", "lattice ", "inputs "]
            .iter()
            .any(|how| l.starts_with(how))
    };
    text.lines().filter(proven).collect()
}

/// Of a class whose cells are named.
#[test]
fn a_stretch_left_out_is_refused() {
    let text = log_polynomial();
    let all = stretches(text);
    for i in [0, all.len() / 2, all.len() - 1] {
        let without = text.replacen(&format!("{}\n", all[i]), "", 1);
        refused(&without, "its stretches do not hold the inputs");
    }
}

/// Of a class whose cells the checker finds, stretches are a plan, and what they do not hold is closed without one.
#[test]
fn what_no_stretch_of_a_found_class_holds_is_closed_all_the_same() {
    let none = stretches(exp())
        .iter()
        .fold(exp().to_string(), |text, line| {
            text.replacen(&format!("{line}\n"), "", 1)
        });
    let (accepted, printed) = checked(&none, &[]);
    assert!(accepted, "{printed}");
    let line = exp().lines().find(|l| l.starts_with("error "));
    let lower = format!("error {:016x}", 1.848_082f64.to_bits());
    refused(
        &none.replace(line.expect("an error"), &lower),
        "above the claim",
    );
}

#[test]
fn plans_are_of_one_class_each() {
    let class = "class 0 reduced\n";
    let of = exp().lines().find(|l| l.starts_with("of ")).expect("it");
    let twice = exp().replace(class, &format!("{class}{of}\nclass 1 reduced\n"));
    refused(&twice, "class 1 is there twice");
    let named = exp().replacen(
        "cut ",
        &format!("{} 0\ncut ", of.replace("of ", "cell ")),
        1,
    );
    refused(&named, "its cells are named");
    refused(
        &exp().replace(of, "of 3ff0000000000000 3ff8000000000000"),
        "class 0: on 1e0 to 1.5e0 the kernel is no line",
    );
    refused(&exp().replace(of, &format!("{of}\n{of}")), "a second cell");
}

/// A claim below the worst input's error, which lattices find.
#[test]
fn a_lower_error_is_refused() {
    let line = exp().lines().find(|l| l.starts_with("error "));
    let line = line.expect("an error");
    for claim in [1.848_082f64, 1.847] {
        let lower = format!("error {:016x}", claim.to_bits());
        refused(&exp().replace(line, &lower), "ULP, above the claim");
    }
}

#[test]
fn another_kernel_is_refused() {
    // One coefficient is changed in its third place from the last, and then a constant of the reduction.
    for (constant, other) in [
        ("0x3fcd17099887e074", "0x3fcd17099887e078"),
        ("0x3fe62e4000000000", "0x3fe62e4000000001"),
    ] {
        assert!(exp().contains(constant));
        let (accepted, printed) = checked(&exp().replace(constant, other), &[]);
        assert!(!accepted && printed.contains("NOT PROVEN"), "{printed}");
    }
    let other = exp().replace("function exp\n", "function ln\n");
    refused(&other, "");
}

#[test]
fn damaged_files_are_refused_with_the_line() {
    let text = exp();
    refused(&text[..text.len() - 4], "it is not whole");
    refused(
        &text.replacen("\ncut ", "\ncut x", 1),
        "are not the bits of a finite double",
    );
    refused(&text.replacen("range ", "rnge ", 1), "is not understood");
    refused(
        &text.replacen("certificate 2", "certificate 3", 1),
        "line 1: it is of format 3, and this checker reads formats 1 and 2",
    );
    refused(&text.replacen("fn f0", "gn f0", 1), "is not understood");
    let (accepted, printed) = run(Path::new("/there/is/no/such.cert"), &[]);
    assert!(!accepted && printed.contains("No such file"), "{printed}");
}

/// The worst input of `log-polynomial` is in it: 0.733008683861 ULP at 3ff69ebd513f2c49.
fn log_polynomial() -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    TEXT.get_or_init(|| {
        let sweep = (sweeps::ALL.iter()).find(|s| s.name() == "log-polynomial");
        let reference = sweep
            .and_then(|s| s.reference().kernel())
            .expect("a kernel");
        let reference = kernels_gen::lower(reference.kernel).expect("it lowers");
        let truth = Truth::Program(reference);
        support::certified("log-polynomial", truth, 1.41375, 1.41376)
    })
}

#[test]
fn the_function_may_be_a_reference_in_real_arithmetic() {
    let text = log_polynomial();
    let (accepted, printed) = checked(text, &[]);
    assert!(accepted, "{printed}");
    for says in [
        "PROVEN: log-polynomial, as an approximation of its reference in real arithmetic",
        "largest error at most 0.7330086838",
    ] {
        assert!(printed.contains(says), "{says}: {printed}");
    }
    // A coefficient of the reference is changed by one unit in its last place: the bound of the method's error is no
    // longer as small as claimed.
    let at = text.find("\nreference\n").expect("a reference");
    let (before, after) = text.split_at(at);
    let constant = after.find("= const 0x3f").expect("a coefficient") + "= const ".len();
    let word = &after[constant..constant + 18];
    let bits = u64::from_str_radix(&word[2..], 16).expect("bits");
    let other = after.replacen(word, &format!("{:#018x}", bits + (1 << 30)), 1);
    refused(&format!("{before}{other}"), "above the claim");
    refused(
        &text.replace("\nreference\n", "\nreferences\n"),
        "not understood",
    );
    refused(
        &text.replace("function reference\n", "function ln\n"),
        "two functions",
    );
}
