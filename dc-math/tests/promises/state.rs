//! The results at the first batches of a function's inputs, in a file, so that the same command resumes.

use std::fmt::Write as _;
#[cfg(feature = "full")]
use std::path::{Path, PathBuf};

use crate::check::Verdict;

/// So many inputs of a kind are listed; the rest is only counted.
const LISTED: usize = 1 << 12;

/// What was found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct State {
    /// Batches of 2^16 inputs that are done.
    pub batches: u64,
    pub misrounded: u64,
    pub undecided: u64,
    /// Inputs whose true value is next to a midpoint of two results.
    pub nears: u64,
    /// The bits of misrounded inputs, of undecided ones, and of those near a midpoint; of a pair, both numbers' bits, the first above.
    pub listed: [Vec<u32>; 3],
}

const KINDS: [&str; 3] = ["misrounded", "undecided", "near"];

impl State {
    /// What is wrong with a function; nothing if no input is misrounded or undecided.
    pub fn complaint(&self, name: &str) -> Option<String> {
        let [misrounded, undecided, _] = &self.listed;
        let wrong = !misrounded.is_empty() || !undecided.is_empty();
        wrong.then(|| format!("{name}: misrounded {misrounded:08x?}, undecided {undecided:08x?}"))
    }

    fn list(&mut self, kind: usize, input: u32) {
        if self.listed[kind].len() < LISTED {
            self.listed[kind].push(input);
        }
    }

    /// An input that was looked at closer; it is listed if no argument decides its result.
    pub fn near(&mut self, input: u32, listed: bool) {
        self.nears += 1;
        if listed {
            self.list(2, input);
        }
    }

    pub fn count(&mut self, input: u32, verdict: Verdict) {
        match verdict {
            Verdict::Right => {}
            Verdict::Misrounded => {
                self.misrounded += 1;
                self.list(0, input);
            }
            Verdict::Undecided => {
                self.undecided += 1;
                self.list(1, input);
            }
        }
    }

    #[cfg(feature = "full")]
    pub fn merge(&mut self, other: &State) {
        self.batches += other.batches;
        self.misrounded += other.misrounded;
        self.undecided += other.undecided;
        self.nears += other.nears;
        for (mine, others) in self.listed.iter_mut().zip(&other.listed) {
            let room = LISTED - mine.len();
            mine.extend(others.iter().take(room));
            mine.sort_unstable();
        }
    }

    #[cfg(any(test, feature = "full"))]
    /// The text of its file, for kernels of that identity alone.
    pub fn text(&self, identity: &str) -> String {
        let mut text = format!(
            "{identity}\n{} {} {} {}\n",
            self.batches, self.misrounded, self.undecided, self.nears
        );
        for (kind, listed) in KINDS.iter().zip(&self.listed) {
            text += kind;
            for x in listed {
                let _ = write!(text, " {x:08x}");
            }
            text += "\n";
        }
        text
    }

    pub fn of_text(text: &str, identity: &str) -> Option<State> {
        let mut lines = text.lines();
        (lines.next()? == identity).then_some(())?;
        let numbers: Vec<u64> = (lines.next()?.split(' '))
            .map(|n| n.parse().ok())
            .collect::<Option<_>>()?;
        let [batches, misrounded, undecided, nears] = numbers[..] else {
            return None;
        };
        let mut listed: [Vec<u32>; 3] = Default::default();
        for (kind, list) in KINDS.iter().zip(&mut listed) {
            let mut words = lines.next()?.split(' ');
            (words.next()? == *kind).then_some(())?;
            *list = words
                .map(|x| u32::from_str_radix(x, 16).ok())
                .collect::<Option<_>>()?;
        }
        Some(State {
            batches,
            misrounded,
            undecided,
            nears,
            listed,
        })
    }
}

/// A state with its file, if there is a folder for it.
#[cfg(feature = "full")]
pub struct Kept {
    pub state: State,
    identity: String,
    file: Option<PathBuf>,
}

#[cfg(feature = "full")]
impl Kept {
    /// The state in the folder's file for this function, if it is of these kernels.
    pub fn new(folder: Option<&Path>, name: &str, identity: String) -> Kept {
        let file = folder.map(|f| f.join(format!("{name}.txt")));
        let text = file.as_ref().and_then(|f| std::fs::read_to_string(f).ok());
        let state = text.and_then(|t| State::of_text(&t, &identity));
        Kept {
            state: state.unwrap_or_default(),
            identity,
            file,
        }
    }

    /// Adds what further batches found. The file is replaced at once: if the process is killed, the earlier one remains.
    pub fn add(&mut self, found: &State) {
        self.state.merge(found);
        if let Some(file) = &self.file {
            let new = file.with_extension("new");
            std::fs::write(&new, self.state.text(&self.identity)).expect("the folder is writable");
            std::fs::rename(&new, file).expect("it can be renamed");
        }
    }
}

#[test]
fn a_state_is_read_as_it_was_written() {
    let mut state = State {
        batches: 7,
        ..State::default()
    };
    state.near(1, true);
    state.near(1 << 31, true);
    state.near(2, false);
    state.count(3, Verdict::Misrounded);
    assert_eq!((state.nears, state.listed[2].len()), (3, 2));
    let text = state.text("abc");
    assert_eq!(State::of_text(&text, "abc"), Some(state));
    assert_eq!(State::of_text(&text, "abd"), None, "another kernel");
    assert_eq!(State::of_text(&text[..20], "abc"), None, "half a file");
}
