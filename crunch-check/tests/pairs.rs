//! Certificates of pairs that `dc-exact` writes, given to the checker: unchanged, and with the kernels of others.

extern crate dc_runtime as doublecrunch;

use std::ffi::OsString;
use std::process::Command;

use dc_driver::{Backends, exit, run};
use dc_exact::num::float::{BINARY32, BINARY64, Format};
use dc_exact::pairs::{Function, PairBox, Sign, Span, Subject, bound_pairs, certificate};
use dc_runtime::backend::discover;
use dc_runtime::computes;
use dc_runtime::kernel::CrunchFn;
use dc_runtime::prelude::*;
use dc_runtime::sweep::Sweep;
use kernels_gen::ir::Kernel;
use kernels_gen::lower;
use kernels_gen::text::text;

/// The checker's output for a certificate, and whether it accepts it.
fn checked(text: &str) -> (bool, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("pairs.cert");
    std::fs::write(&path, text).expect("written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_crunch-check"));
    let output = command.arg(&path).args(["--sieve", "2000"]).output();
    let output = output.expect("it runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    let printed = text(output.stdout) + &text(output.stderr);
    (output.status.success(), printed)
}

/// The zeros and all others, of each argument.
fn all(format: Format) -> Vec<PairBox> {
    let least = match format == BINARY32 {
        true => f64::from(f32::from_bits(1)),
        false => f64::from_bits(1),
    };
    let others = Span {
        lo: least,
        hi: format.max(),
        sign: Sign::Any,
    };
    let spans = [Span::ZERO, others];
    let pair = |x: Span| {
        spans.map(|y| PairBox {
            spans: [x, y],
            first_is_larger: None,
        })
    };
    spans.into_iter().flat_map(pair).collect()
}

/// The certificate of what is proven of a kernel.
fn certified(kernel: &'static Kernel, function: Function, boxes: &[PairBox]) -> String {
    let program = lower(kernel).expect("a kernel");
    let bound = bound_pairs(&program, function, boxes, 20_000, 1, &|| false);
    let subject = Subject {
        sweep: "some",
        program: &program,
        function,
        boxes,
    };
    certificate(subject, &bound).expect("a bound")
}

#[crunch]
fn hypot_wide(x: DcFloat, y: DcFloat) -> DcFloat {
    let (a, b) = (x.to_f64(), y.to_f64());
    let length = a.mul_add(a, b * b).sqrt().to_f32();
    let infinite = (x.abs() == f32::INFINITY) | (y.abs() == f32::INFINITY);
    if infinite { f32::INFINITY } else { length }
}

#[crunch]
fn hypot_plain(x: DcFloat, y: DcFloat) -> DcFloat {
    (x * x + y * y).sqrt()
}

#[crunch]
fn div(x: DcDouble, y: DcDouble) -> DcDouble {
    x / y
}

#[crunch]
fn div_single(x: DcFloat, y: DcFloat) -> DcFloat {
    x / y
}

#[crunch]
fn div_by_recip(x: DcDouble, y: DcDouble) -> DcDouble {
    x * y.recip()
}

macro_rules! odd {
    ($name:ident, $up:literal, $down:literal, $last:literal) => {
        #[crunch]
        fn $name(x: DcFloat, y: DcFloat) -> DcFloat {
            let (x, y) = (x.to_f64(), y.to_f64());
            let s = two_sum(x * x, y * y);
            let root = s.hi.sqrt();
            let exact = (-root).mul_add(root, s.hi);
            let rest = exact + s.lo;
            let bits = root.to_bits();
            let odd = if rest > 0.0 { bits + $up } else { bits + $down };
            let inexact = (rest > 0.0) | (rest < 0.0);
            let even = (bits & 1) == $last;
            let length = if inexact & even {
                DcDouble::from_bits(odd)
            } else {
                root
            };
            length.to_f32()
        }
    };
}
odd!(right, 1, -1, 0);
odd!(backwards, -1, 1, 0);
odd!(two_steps, 2, -1, 0);
odd!(of_odd_ones, 1, -1, 1);

/// The length of binary64, scaled by comparisons: this crate does not depend on the library.
#[path = "../../dc-math/src/f64/length.rs"]
mod length;

fn span(lo: f64, hi: f64, sign: Sign) -> Span {
    Span { lo, hi, sign }
}

#[test]
fn what_is_proven_is_proven_again() {
    let hypot = Function::Hypot;
    let part = |x: Span, y: Span| {
        vec![PairBox {
            spans: [x, y],
            first_is_larger: None,
        }]
    };
    let near = |sign| span(2f64.powi(-20), 2f64.powi(20), sign);
    let wide = span(2f64.powi(-500), 2f64.powi(500), Sign::Any);
    for (text, says) in [
        (
            certified(right::KERNEL, hypot, &all(BINARY32)),
            "all pairs of finite numbers of binary32",
        ),
        (
            certified(hypot_wide::KERNEL, hypot, &all(BINARY32)),
            "all pairs of finite numbers of binary32",
        ),
        (
            certified(div::KERNEL, Function::Div, &all(BINARY64)),
            "binary64 but those with y = 0",
        ),
        (
            certified(div_single::KERNEL, Function::Div, &all(BINARY32)),
            "rounding      to nearest",
        ),
        (
            certified(div_by_recip::KERNEL, Function::Div, &part(wide, wide)),
            "|y| from",
        ),
        (
            certified(
                hypot_plain::KERNEL,
                hypot,
                &part(near(Sign::Plus), near(Sign::Minus)),
            ),
            "y from -1.048576e6",
        ),
    ] {
        let (accepted, printed) = checked(&text);
        assert!(
            accepted && printed.starts_with("PROVEN"),
            "{printed}\n{text}"
        );
        assert!(printed.contains(says), "{says}: {printed}");
        // A claim below it, where the bound is as low as the checker's.
        if text.contains("recip") {
            continue;
        }
        let claim = text.lines().find(|l| l.starts_with("error ")).expect("it");
        let error = f64::from_bits(u64::from_str_radix(&claim[6..], 16).expect("bits"));
        let lower = format!("error {:016x}", (error * (1.0 - 1e-9)).to_bits());
        let (accepted, printed) = checked(&text.replace(claim, &lower));
        assert!(!accepted, "{printed}");
    }
}

/// The certificate of a search that took a wrong kernel for the right one.
#[test]
fn another_kernel_is_refused() {
    let program = |kernel| text(&lower(kernel).expect("a kernel"));
    let proven = certified(right::KERNEL, Function::Hypot, &all(BINARY32));
    let own = program(right::KERNEL);
    assert!(proven.contains(own.trim_end()));
    for wrong in [
        backwards::KERNEL,
        two_steps::KERNEL,
        of_odd_ones::KERNEL,
        hypot_wide::KERNEL,
        div_single::KERNEL,
    ] {
        let changed = proven.replace(own.trim_end(), program(wrong).trim_end());
        assert_ne!(changed, proven);
        let (accepted, printed) = checked(&changed);
        assert!(!accepted, "{}: {printed}", wrong.name);
        assert!(printed.contains("NOT PROVEN"), "{printed}");
    }
}

/// The library's length in binary64 over all pairs, and the same certificate of kernels with another constant or without a word.
#[test]
fn the_length_of_binary64_is_proven_and_others_are_not() {
    let proven = certified(length::hypot::KERNEL, Function::Hypot, &all(BINARY64));
    let (accepted, printed) = checked(&proven);
    println!("{printed}");
    assert!(accepted && printed.starts_with("PROVEN"), "{printed}");
    assert!(
        printed.contains("all pairs of finite numbers of binary64"),
        "{printed}"
    );
    let claim = proven
        .lines()
        .find(|l| l.starts_with("error "))
        .expect("it");
    let error = f64::from_bits(u64::from_str_radix(&claim[6..], 16).expect("bits"));
    assert!(error <= 0.5 + 1e-14, "{error}");
    let (accepted, printed) = checked(&proven.replace(claim, "error 3fe0000000000000"));
    assert!(!accepted, "{printed}");
    // The claim that people read about.
    let claimed = proven.replace(claim, &format!("error {:016x}", 0.500_000_1f64.to_bits()));
    let theorem = format!("<= {error} ulp");
    let claimed = claimed.replace(&theorem, "<= 0.5000001 ulp");
    let (accepted, printed) = checked(&claimed);
    assert!(accepted, "{printed}");
    let power = |e: u64| format!("f64 = const {:#018x} ", e << 52);
    let changes = [
        ("a factor", power(1023 - 700), power(1023 - 701)),
        ("the unit", power(1023 - 322), power(1023 - 321)),
        ("the unit", power(1023 - 322), power(1023 - 323)),
        ("short vectors", power(1023 - 300), power(1023 - 350)),
        ("short vectors", power(1023 - 300), power(1023 - 600)),
        ("long vectors", power(1023 + 400), power(1023 + 520)),
        ("the step", power(1022), power(1021)),
        ("the order", " = max ".into(), " = min ".into()),
        ("the unit's limit", " = lt ".into(), " = gt ".into()),
        ("the squares", " = fma ".into(), " = mul ".into()),
    ];
    for (what, old, new) in changes {
        let changed = claimed.replace(&old, &new);
        assert_ne!(changed, claimed, "{what}: {old}");
        let (accepted, printed) = checked(&changed);
        assert!(!accepted, "{what}: {old} {new} {printed}");
    }
}

/// What has no bound is not in the claim.
#[test]
fn a_part_that_is_proven_is_claimed() {
    let large = span(1.0, 1e30, Sign::Any);
    let boxes = [PairBox {
        spans: [large; 2],
        first_is_larger: None,
    }];
    let text = certified(hypot_plain::KERNEL, Function::Hypot, &boxes);
    assert!(
        !text.contains(&format!("{:016x}", 1e30f64.to_bits())),
        "{text}"
    );
    let (accepted, printed) = checked(&text);
    assert!(accepted, "{printed}\n{text}");
}

/// From the command to the checker's program: what `bound` writes and reports, and a fault in the file.
#[test]
fn what_bound_writes_is_proven() {
    const SWEEPS: &[Sweep] = &[
        Sweep::computing::<right, computes::hypot>("hypotf", "all"),
        Sweep::computing::<hypot_wide, computes::hypot>("hypot-wide", "all"),
        Sweep::computing::<div_single, computes::div>("divf", "all"),
        Sweep::computing::<length::hypot, computes::hypot>("hypot", "all"),
    ];
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("pairs.cert");
    let file = path.to_str().expect("UTF-8");
    for (name, boxes) in [("hypotf", 4), ("hypot-wide", 4), ("divf", 6), ("hypot", 12)] {
        let bound = |more: &[&str]| {
            let args = [&["crunch", "bound", name, "--certificate", file][..], more].concat();
            let backends = Backends {
                discover: &discover,
                required: &|_| Ok(()),
            };
            let args = args.into_iter().map(OsString::from).collect();
            let (mut out, mut err) = (Vec::new(), Vec::new());
            let code = run(args, SWEEPS, &backends, &mut out, &mut err);
            let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
            assert_eq!(code, exit::OK, "{}", text(err));
            text(out)
        };
        let shown = bound(&[]);
        println!("{shown}");
        assert!(
            shown.contains(" bytes, proven again with the checker's code in "),
            "{shown}"
        );
        let shown = bound(&["--json"]);
        assert!(shown.contains("\"certificate_proven\": true"), "{shown}");
        let text = std::fs::read_to_string(&path).expect("written");
        let (accepted, printed) = checked(&text);
        println!("{printed}");
        assert!(accepted, "{printed}");
        let lines: Vec<&str> = text.lines().filter(|l| l.starts_with("box ")).collect();
        assert_eq!(lines.len(), boxes, "{text}");
        for line in lines {
            let (accepted, printed) = checked(&text.replace(&format!("{line}\n"), ""));
            assert!(!accepted && printed.contains("in no box"), "{printed}");
        }
    }
}
