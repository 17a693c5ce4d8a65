//! All 2^32 inputs of each function, numbers of binary32 or pairs of 16 bits. This takes minutes per function, so it runs only on request.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use kernels_gen::identity::identity_hex;
use kernels_gen::ir::Kernel;

use crate::asked::{Asked, number};
use crate::cases::{CASES, Case};
use crate::pairs::{PAIRS, PairCase};
use crate::state::{Kept, State};

/// Inputs per batch, and the number of batches of all inputs.
const BATCH: u64 = 1 << 16;
/// Batches between two saves: 2^26 inputs.
const ROUND: u64 = 1 << 10;

/// A function whose inputs have 32 bits together.
enum Subject {
    One(&'static Case),
    Two(&'static PairCase),
}

impl Subject {
    fn name(&self) -> &'static str {
        match self {
            Subject::One(case) => case.name,
            Subject::Two(case) => case.name,
        }
    }

    fn kernel(&self) -> &'static Kernel {
        match self {
            Subject::One(case) => case.kernel,
            Subject::Two(case) => case.kernel,
        }
    }

    /// All inputs with these upper 16 bits.
    fn look(&self, state: &mut State, upper: u16, quick: bool, scratch: &mut Vec<i32>) {
        match self {
            Subject::One(case) => {
                let xs: Vec<f32> = (0..BATCH as u32)
                    .map(|low| f32::from_bits(u32::from(upper) << 16 | low))
                    .collect();
                case.look_at_all(state, &xs, quick, scratch);
            }
            Subject::Two(case) => case.look_at_row(state, upper, quick, scratch),
        }
    }

    /// An input with its right result.
    fn wanted(&self, input: u32) -> String {
        let right = match self {
            Subject::One(case) => case.right(f32::from_bits(input)).map(f32::to_bits),
            Subject::Two(case) => case.right_bits(input),
        };
        right.map_or(format!("{input:08x}"), |r| format!("{input:08x} -> {r:x}"))
    }
}

/// One round of batches on all threads.
fn round(subject: &Subject, first: u64, count: u64, threads: usize, quick: bool) -> State {
    let next = AtomicU64::new(first);
    let total = Mutex::new(State::default());
    let work = || {
        let (mut state, mut scratch) = (State::default(), Vec::new());
        loop {
            let batch = next.fetch_add(1, Ordering::Relaxed);
            if batch >= first + count {
                break;
            }
            subject.look(&mut state, batch as u16, quick, &mut scratch);
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

/// `cargo xtask math` calls this with its options in the environment.
#[test]
#[ignore = "all 2^32 inputs of each function: cargo xtask math"]
fn full() {
    let asked = Asked::from_environment();
    let threads = number("CRUNCH_MATH_THREADS").map_or_else(
        || std::thread::available_parallelism().map_or(1, |n| n.get()),
        |n| n as usize,
    );
    let quick = std::env::var_os("CRUNCH_MATH_QUICK").is_some();
    println!("| function | inputs | misrounded | undecided | next to a midpoint |");
    println!("|---|---|---|---|---|");
    let (mut wrong, mut searched) = (Vec::new(), 0);
    let ones = CASES.iter().map(Subject::One);
    for subject in ones.chain(PAIRS.iter().map(Subject::Two)) {
        let own = subject.name();
        if !asked.names(own) {
            continue;
        }
        searched += 1;
        let lowered = kernels_gen::lower(subject.kernel()).expect("it is lowered");
        let file = own.replace("::", "-");
        let file = if quick { format!("{file}-quick") } else { file };
        let mut kept = Kept::new(asked.folder.as_deref(), &file, identity_hex(&lowered));
        while kept.state.batches < BATCH && !asked.is_late() {
            let found = round(&subject, kept.state.batches, ROUND, threads, quick);
            kept.add(&found);
        }
        let state = &kept.state;
        let inputs = match state.batches {
            BATCH => "all".into(),
            some => format!("{} of {BATCH} parts", some),
        };
        println!(
            "| `{own}` | {inputs} | {} | {} | {} |",
            state.misrounded, state.undecided, state.nears
        );
        if state.misrounded + state.undecided > 0 {
            let some = |kind: usize| -> Vec<String> {
                let inputs = state.listed[kind].iter().take(64);
                inputs.map(|&input| subject.wanted(input)).collect()
            };
            wrong.push(format!(
                "{own}: {}; undecided: {}",
                some(0).join(", "),
                some(1).join(", ")
            ));
        }
    }
    assert!(searched > 0, "no function has a name that was asked for");
    assert!(
        wrong.is_empty(),
        "misrounded or undecided inputs:\n{}",
        wrong.join("\n")
    );
}
