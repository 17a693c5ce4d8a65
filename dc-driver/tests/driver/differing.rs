//! `verify --differ` names the action of a compiler or a processor, if it explains the first difference.

use serde_json::Value;

use super::{Ended, on_processors};
use dc_driver::exit;
use dc_runtime::model::candidate::{Candidate, Reference};
use dc_runtime::model::host::HostFunction;
use dc_runtime::model::kernel_ref::KernelRef;
use dc_runtime::prelude::*;
use dc_runtime::sweep::Sweep;

#[crunch]
fn less_one(x: DcFloat) -> DcFloat {
    x * x - 1.0
}

const fn sweep(name: &'static str, candidate: Candidate) -> Sweep {
    let reference = Reference::Host(HostFunction::f64("squares", |x| x * x - 1.0));
    Sweep::accuracy_only(name, candidate, reference, "1.0..=0x1.01p0")
}

const PLAIN: Sweep = sweep("plain", Candidate::Kernel(KernelRef::of::<less_one>()));
const FUSED: Sweep = sweep(
    "fused",
    Candidate::Host(HostFunction::f32("fused", |x| x.mul_add(x, -1.0))),
);
const OTHER: Sweep = sweep(
    "other",
    Candidate::Host(HostFunction::f32("other", |x| x * 1.5)),
);

fn differ(a: &str, b: &str, more: &[&str]) -> Ended {
    let args = [&["verify", "--differ", a, b], more].concat();
    on_processors(&[PLAIN, FUSED, OTHER], &args)
}

#[test]
fn contraction_is_named_whichever_comes_first() {
    for (a, b) in [("plain", "fused"), ("fused", "plain")] {
        let e = differ(a, b, &[]);
        assert_eq!(e.code, exit::FINDING, "{}{}", e.out, e.err);
        let line = "\n  cause       contraction: plain with each product and sum fused gives the result of fused there\n";
        assert!(e.out.contains(line), "{}", e.out);
        let e = differ(a, b, &["--json"]);
        let document: Value = serde_json::from_str(&e.out).expect("a document");
        assert_eq!(document["cause"]["name"], "contraction");
        assert_eq!(document["cause"]["of"], "plain");
    }
}

/// Where no cause is named, the reason is, with what to do.
#[test]
fn what_is_not_explained_says_why() {
    for (a, b, says) in [
        (
            "plain",
            "other",
            "not found: neither contraction nor flush-to-zero nor excess precision of plain gives the result of other there",
        ),
        (
            "fused",
            "other",
            "not known: both are compiled code, of which only the results are known; give the source of one instead, such as exp.c:my_exp, \
             to test contraction, flush-to-zero and excess precision",
        ),
    ] {
        let e = differ(a, b, &[]);
        assert_eq!(e.code, exit::FINDING, "{}{}", e.out, e.err);
        let line = format!("\n  cause       {says}\n");
        assert!(e.out.contains(&line), "{}", e.out);
        let e = differ(a, b, &["--json"]);
        let document: Value = serde_json::from_str(&e.out).expect("a document");
        assert!(document["cause"].is_null(), "{document}");
        let why = document["no_cause"].as_str().expect("a reason");
        assert!(says.ends_with(why), "{document}");
    }
    // Without a difference there is nothing to explain.
    let e = differ("plain", "plain", &[]);
    assert!(e.code == exit::OK && !e.out.contains("cause"), "{}", e.out);
}
