//! A fault injected in one backend is found among few kernels and made small. `cargo xtask fuzz --inject` does the others.

use doublecrunch::backend::discover;
use doublecrunch::backend::skip::skip;
use random_kernels::run::{TextOracle, text_backends};
use random_kernels::{compare, fault_injection, generate, inputs, shrink};

#[test]
fn an_injected_fault_is_found_and_made_small() {
    // One process has one faulty text at a time, so one after the other.
    for fault in ["interpreter/subnormal", "cuda-host/contraction"] {
        let filter = "interpreter,cuda-host".parse().expect("names of backends");
        let found = discover(&filter);
        if let Some(absent) = found.absent.first() {
            return skip(&absent.id, &format!("injected faults: {}", absent.reason));
        }
        let right = text_backends(&found);
        let backends = fault_injection::with_fault(right, fault_injection::named(fault));
        let columns = inputs::columns(3, 1536);
        let units: Vec<_> = (0..96).map(|n| generate::unit(3, n)).collect();
        let findings = compare::compare(&units, &columns, &backends);
        let first = findings
            .first()
            .unwrap_or_else(|| panic!("{fault} is not found among {} kernels", units.len()));
        let mut oracle = TextOracle {
            columns: &columns,
            backends: &backends,
        };
        let small = shrink::shrink(&units[first.unit], &mut oracle);
        let left = compare::compare(std::slice::from_ref(&small), &columns, &backends);
        assert!(!left.is_empty(), "{fault}: the small one does not show it");
        let operations = shrink::operations(&small).expect("it can be lowered");
        assert!(operations <= 5, "{fault}: {operations} operations");
        dc_runtime::backend::fault_injection::clear();
        let repaired = compare::compare(
            std::slice::from_ref(&small),
            &columns,
            &text_backends(&found),
        );
        assert!(repaired.is_empty(), "{fault}: {repaired:?}");
    }
}
