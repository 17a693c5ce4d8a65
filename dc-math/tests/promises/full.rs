//! All 2^32 inputs of each function: minutes each, so only when asked for.

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use kernels_gen::identity::identity_hex;

use crate::cases::{CASES, Case};
use crate::state::{Kept, State};

/// Inputs per batch, and the number of batches of all inputs.
const BATCH: u64 = 1 << 16;
/// Batches between two saves: 2^26 inputs.
const ROUND: u64 = 1 << 10;

/// One round of batches on all threads.
fn round(case: &Case, first: u64, count: u64, threads: usize, quick: bool) -> State {
    let next = AtomicU64::new(first);
    let total = Mutex::new(State::default());
    let work = || {
        let (mut state, mut scratch) = (State::default(), Vec::new());
        loop {
            let batch = next.fetch_add(1, Ordering::Relaxed);
            if batch >= first + count {
                break;
            }
            let xs: Vec<f32> = (0..BATCH as u32)
                .map(|low| f32::from_bits((batch as u32) << 16 | low))
                .collect();
            case.look(&mut state, &xs, quick, &mut scratch);
            state.batches += 1;
        }
        total.lock().expect("no thread panicked").merge(&state);
    };
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
    total.into_inner().expect("no thread panicked")
}

fn number(variable: &str) -> Option<f64> {
    let text = std::env::var(variable).ok()?;
    Some(
        text.parse()
            .unwrap_or_else(|_| panic!("{variable}: a number")),
    )
}

/// `cargo xtask math` calls this with its options in the environment.
#[test]
#[ignore = "all 2^32 inputs of each function: cargo xtask math"]
fn full() {
    let only = std::env::var("CRUNCH_MATH_ONLY").ok();
    let folder = std::env::var_os("CRUNCH_MATH_STATE").map(PathBuf::from);
    if let Some(folder) = &folder {
        std::fs::create_dir_all(folder).expect("the folder can be made");
    }
    let threads = number("CRUNCH_MATH_THREADS").map_or_else(
        || std::thread::available_parallelism().map_or(1, |n| n.get()),
        |n| n as usize,
    );
    let deadline =
        number("CRUNCH_MATH_MINUTES").map(|m| Instant::now() + Duration::from_secs_f64(60.0 * m));
    let quick = std::env::var_os("CRUNCH_MATH_QUICK").is_some();
    println!("| function | inputs | misrounded | undecided | next to a midpoint |");
    println!("|---|---|---|---|---|");
    let mut wrong = Vec::new();
    for case in CASES {
        if only
            .as_ref()
            .is_some_and(|o| o.split(',').all(|n| n != case.name))
        {
            continue;
        }
        let lowered = kernels_gen::lower(case.kernel).expect("it is lowered");
        let name = if quick {
            format!("{}-quick", case.name)
        } else {
            case.name.into()
        };
        let mut kept = Kept::new(folder.as_deref(), &name, identity_hex(&lowered));
        while kept.state.batches < BATCH && deadline.is_none_or(|d| Instant::now() < d) {
            let found = round(case, kept.state.batches, ROUND, threads, quick);
            kept.add(&found);
        }
        let state = &kept.state;
        let inputs = match state.batches {
            BATCH => "all".into(),
            some => format!("{} of {BATCH} parts", some),
        };
        println!(
            "| `{}` | {inputs} | {} | {} | {} |",
            case.name, state.misrounded, state.undecided, state.nears
        );
        if state.misrounded + state.undecided > 0 {
            wrong.push(format!(
                "{}: {:08x?}, undecided {:08x?}",
                case.name,
                &state.listed[0][..state.listed[0].len().min(64)],
                &state.listed[1][..state.listed[1].len().min(64)]
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "misrounded or undecided inputs:\n{}",
        wrong.join("\n")
    );
}
