//! Certified bounds, compared with brute force: random kernels, and faults that are injected to see that a wrong bound
//! is noticed.
//!
//! | file | what |
//! |---|---|
//! | `bits` | routines that make numbers of bits |
//! | `numeric` | random kernels that resemble routines for functions |
//! | `point` | a kernel at one input: its computed value, and the value in real arithmetic |
//! | `columns` | the same for many consecutive inputs at once |
//! | `hold` | a kernel's bound over a stretch, compared with inputs of it |
//! | `parted` | kernels written by hand, for properties that random ones do not have |
//! | `complete` | the search with proof, compared with all inputs of a stretch |
//! | `inner`, `visits` | kernels whose values inside are at the ends of the format; what is claimed of them |
//! | `laws` | each function with derivatives in closed form |
//! | `lowered` | claims below the truth, which `crunch-check` must refuse, in all forms of a certificate (`stretch`, `forms`) |

extern crate dc_runtime as doublecrunch;

mod bits;
mod columns;
mod complete;
#[path = "../forms.rs"]
mod forms;
mod hold;
mod inner;
#[path = "../../../crunch-check/tests/support/kept.rs"]
mod kept;
#[path = "../../../crunch-check/tests/support/kernels.rs"]
#[allow(dead_code, reason = "other tests need the order of the numbers")]
mod kernels;
mod laws;
mod lowered;
mod numeric;
#[path = "../parsed.rs"]
mod parsed;
mod parted;
mod point;
#[path = "../../../tests/random-kernels/src/random.rs"]
mod random;
mod stretch;
mod visits;

#[test]
fn no_error_is_above_its_bound() {
    let kernels = 150;
    let total = hold::numeric(7, 0, kernels);
    println!(
        "reduced ({kernels} kernels of the 2,000 of the long run): {}",
        total.line()
    );
    assert!(total.failures.is_empty(), "{}", total.failures.join("\n"));
    // Where few inputs were compared with the bounds, a wrong bound would not be noticed.
    assert!(
        total.bounded >= 100 && total.inputs >= 200_000,
        "{}",
        total.line()
    );
    assert!(total.tight >= 30, "{}", total.line());
}

/// `RING_KERNELS=2000 RING_SEED=1 cargo test -p dc-exact --test ring -- --ignored --nocapture`
#[test]
#[ignore = "minutes"]
fn no_error_is_above_its_bound_in_a_long_run() {
    let number = |name: &str, default: u64| {
        std::env::var(name).map_or(default, |text| text.parse().expect("a number"))
    };
    let (seed, kernels) = (number("RING_SEED", 1), number("RING_KERNELS", 2000));
    let total = hold::numeric(seed, number("RING_FROM", 0), kernels);
    println!("seed {seed}: {}", total.line());
    assert!(total.failures.is_empty(), "{}", total.failures.join("\n"));
}

/// Every input of a stretch is evaluated; the search must find each of those above a level.
#[test]
fn no_input_above_a_level_is_missed() {
    let kernels = 24;
    let total = complete::numeric(11, 0, kernels, [14, 15], 256);
    println!(
        "reduced ({kernels} kernels, short stretches): {}",
        total.line()
    );
    assert!(total.failures.is_empty(), "{}", total.failures.join("\n"));
    // Where no input is above a level, none can be missed.
    assert!(
        total.searched >= 8 && total.hits >= 1000,
        "{}",
        total.line()
    );
}

/// `RING_KERNELS=2000 RING_TIME=8 cargo test --release -p dc-exact --test ring -- --ignored no_input --nocapture`
#[test]
#[ignore = "long: an hour of a core"]
fn no_input_above_a_level_is_missed_in_a_long_run() {
    let number = |name: &str, default: u64| {
        std::env::var(name).map_or(default, |text| text.parse().expect("a number"))
    };
    let bits = ["RING_LEAST", "RING_MOST"].map(|name| number(name, 20) as u32);
    let (seed, kernels) = (number("RING_SEED", 1), number("RING_KERNELS", 200));
    let hits = number("RING_HITS", 2048) as usize;
    let total = complete::numeric(seed, number("RING_FROM", 0), kernels, bits, hits);
    println!("seed {seed}: {}", total.line());
    assert!(total.failures.is_empty(), "{}", total.failures.join("\n"));
}
