//! The measurement of a reference after the first batches of its inputs, saved in a file, so that the same command
//! resumes.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::functions::Found;

/// The measurement of a reference after the first batches.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct State {
    pub batches: u64,
    pub found: Found,
    /// Inputs whose result is within 2^-12 ULP of a midpoint of two doubles, or of a double.
    pub near: u64,
}

impl State {
    fn merge(&mut self, other: State) {
        self.batches += other.batches;
        self.near += other.near;
        self.found.merge(other.found);
    }

    /// The state as a line of a file, for this kernel and these inputs alone.
    fn line(&self, identity: &str) -> String {
        let Found {
            inputs,
            error,
            at,
            wrong,
        } = self.found;
        let wrong = wrong.map_or("-".into(), |x| format!("{:016x}", x.to_bits()));
        format!(
            "{identity} {} {} {inputs} {:016x} {:016x} {wrong}\n",
            self.batches,
            self.near,
            error.to_bits(),
            at.to_bits()
        )
    }

    fn of_line(line: &str, identity: &str) -> Option<State> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [of, batches, near, inputs, error, at, wrong] = words[..] else {
            return None;
        };
        let number = |word: &str| Some(f64::from_bits(u64::from_str_radix(word, 16).ok()?));
        (of == identity).then_some(())?;
        Some(State {
            batches: batches.parse().ok()?,
            near: near.parse().ok()?,
            found: Found {
                inputs: inputs.parse().ok()?,
                error: number(error)?,
                at: number(at)?,
                wrong: match wrong {
                    "-" => None,
                    x => Some(number(x)?),
                },
            },
        })
    }
}

/// A state with its file, if there is a folder for it.
#[derive(Debug)]
pub struct Kept {
    pub state: State,
    identity: String,
    file: Option<PathBuf>,
}

impl Kept {
    /// The state that the file `name` has for `identity`, else the one that `begin` returns.
    pub fn new(name: &str, identity: String, begin: impl FnOnce() -> State) -> Kept {
        let file = folder().map(|f| f.join(name));
        let text = file.as_ref().and_then(|f| std::fs::read_to_string(f).ok());
        let state = text.and_then(|t| State::of_line(&t, &identity));
        Kept {
            state: state.unwrap_or_else(begin),
            identity,
            file,
        }
    }

    /// Runs `batches` further batches on all threads, each by `look`, and writes the new state to the file.
    pub fn proceed(&mut self, batches: u64, look: impl Fn(&mut State, u64) + Sync) {
        let first = self.state.batches;
        self.state.merge(on_all_threads(first, batches, look));
        if let Some(file) = &self.file {
            // The file is replaced atomically: if the process is killed, the earlier file remains.
            let new = file.with_extension("new");
            std::fs::write(&new, self.state.line(&self.identity))
                .expect("the folder can be written to");
            std::fs::rename(&new, file).expect("it can be renamed");
        }
    }
}

fn on_all_threads(first: u64, count: u64, look: impl Fn(&mut State, u64) + Sync) -> State {
    let total = Mutex::new(State::default());
    let next = AtomicU64::new(first);
    let work = || {
        let mut state = State::default();
        loop {
            let b = next.fetch_add(1, Ordering::Relaxed);
            if b >= first + count {
                break;
            }
            look(&mut state, b);
            state.batches += 1;
        }
        total.lock().expect("no thread panicked").merge(state);
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, |n| n.get()) {
            scope.spawn(work);
        }
    });
    total.into_inner().expect("no thread panicked")
}

/// The folder in `CRUNCH_REFERENCE_STATE`, created if missing.
fn folder() -> Option<PathBuf> {
    let folder = std::env::var_os("CRUNCH_REFERENCE_STATE").map(PathBuf::from)?;
    std::fs::create_dir_all::<&Path>(folder.as_ref()).expect("the folder can be made");
    Some(folder)
}

/// Continues the cases, with the batches that each lacks, until all have the wanted number or the time is over. The
/// case with the fewest is always next, so that all have about as many at any time.
pub fn in_turn<C: AsRef<Kept>>(cases: &mut [C], wanted: u64, proceed: impl Fn(&mut C, u64)) {
    let deadline = deadline();
    let batches = |case: &C| case.as_ref().state.batches;
    while deadline.is_none_or(|d| Instant::now() < d) {
        let behind = cases.iter_mut().min_by_key(|c| batches(c));
        let Some(case) = behind.filter(|c| batches(c) < wanted) else {
            break;
        };
        let rest = wanted - batches(case);
        proceed(case, rest);
    }
}

/// The time at which `CRUNCH_REFERENCE_MINUTES` have passed.
fn deadline() -> Option<Instant> {
    let minutes = std::env::var("CRUNCH_REFERENCE_MINUTES").ok();
    let minutes: f64 = minutes?.parse().expect("a number of minutes");
    Some(Instant::now() + Duration::from_secs_f64(60.0 * minutes))
}

#[test]
fn a_state_is_read_as_it_was_written() {
    let state = State {
        batches: 3,
        found: Found {
            inputs: 12_000,
            error: (-104.5f64).exp2(),
            at: -0.1,
            wrong: Some(1e300),
        },
        near: 48,
    };
    let line = state.line("abc-1");
    assert_eq!(State::of_line(&line, "abc-1"), Some(state));
    assert_eq!(State::of_line(&line, "abd-1"), None, "another kernel");
    assert_eq!(State::of_line(&line[..20], "abc-1"), None, "half a file");
}
