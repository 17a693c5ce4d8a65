//! The journal of an unfinished proof, from which a killed or interrupted proof is resumed. It has one line per step, each with a checksum
//! of all lines so far. A kill damages only the last lines, which are dropped.

use std::fmt;

use kernels_gen::identity::{fnv1a_128, identity_hex};
use kernels_gen::program::Program;

use super::{Closed, How, Kept, Note, Open, Share};
use crate::bound::RangeBound;
use crate::cell::Cell;
use crate::law::Truth;

/// The first line.
pub const HEADER: &str = "doublecrunch proof 1";

/// The subject of a proof. Steps of one proof are valid in another only if the whole subject is equal.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct About {
    /// The sweep's name.
    pub sweep: String,
    /// The range's text.
    pub range: String,
    /// The largest number of cells of the bound.
    pub cells: u64,
    /// The hash of the kernel.
    pub kernel: String,
    /// The function's name, or the hash of the reference kernel.
    pub function: String,
    /// The hash of the bound: its cells, classes and cases.
    pub bound: String,
    /// The version of this program.
    pub version: String,
}

impl About {
    /// The subject of a proof over the range of a bound.
    #[must_use]
    pub fn new(
        sweep: &str,
        range: &str,
        cells: u64,
        program: &Program,
        truth: &Truth,
        bound: &RangeBound,
    ) -> About {
        About {
            sweep: sweep.into(),
            // The range is written on one line, however it was given.
            range: range.split_whitespace().collect::<Vec<_>>().join(" "),
            cells,
            kernel: identity_hex(program),
            function: match truth {
                Truth::Law(law) => format!("{law:?}"),
                Truth::Power(power) => format!("{power:?}"),
                Truth::Stage(stage) => format!("{stage:?}"),
                Truth::Program(reference) => identity_hex(reference),
            },
            bound: hash(bound),
            version: env!("CARGO_PKG_VERSION").into(),
        }
    }

    fn fields(&self) -> [(&'static str, String); 7] {
        [
            ("sweep", self.sweep.clone()),
            ("range", self.range.clone()),
            ("cells", self.cells.to_string()),
            ("kernel", self.kernel.clone()),
            ("function", self.function.clone()),
            ("bound", self.bound.clone()),
            ("version", self.version.clone()),
        ]
    }

    /// The first difference from another subject: its name, and the two values.
    #[must_use]
    pub fn difference(&self, other: &About) -> Option<(&'static str, String, String)> {
        let both = self.fields().into_iter().zip(other.fields());
        both.into_iter()
            .find(|(a, b)| a.1 != b.1)
            .map(|(a, b)| (a.0, a.1, b.1))
    }
}

/// The hash of everything that numbers of pieces and stretches refer to.
fn hash(bound: &RangeBound) -> String {
    let mut bytes = Vec::new();
    let mut word = |w: u64| bytes.extend(w.to_le_bytes());
    for cell in &bound.cells {
        word(cell.class.map_or(u64::MAX, |c| c as u64));
        word(cell.cell.lo.to_bits());
        word(cell.cell.hi.to_bits());
        word(cell.error.bound().to_bits());
        let mut cases: Vec<_> = cell.case.iter().collect();
        cases.sort_by_key(|c| c.0);
        for (site, values) in cases {
            word(u64::from(*site));
            word(values.lo.to_bits());
            word(values.hi.to_bits());
        }
    }
    for class in &bound.classes {
        word(class.members.len() as u64);
        for member in &class.members {
            word(member.cell.lo.to_bits());
            word(member.cell.hi.to_bits());
        }
    }
    for cell in &bound.special {
        word(cell.lo.to_bits());
        word(cell.hi.to_bits());
    }
    format!("{:032x}", fnv1a_128(&bytes))
}

/// The running checksum of lines, each over all lines up to it.
#[derive(Debug, Clone)]
pub struct Chain(u64);

impl Default for Chain {
    fn default() -> Chain {
        Chain(0xcbf2_9ce4_8422_2325)
    }
}

impl Chain {
    /// FNV-1a with 64 bits, continued from line to line.
    fn next(&self, text: &str) -> u64 {
        let step = |h: u64, b: u8| (h ^ u64::from(b)).wrapping_mul(0x0000_0100_0000_01b3);
        let line = text.bytes().fold(self.0, step);
        step(line, b'\n')
    }

    /// A line of the file, with its checksum.
    pub fn seal(&mut self, text: &str) -> String {
        self.0 = self.next(text);
        format!("{text} {:016x}\n", self.0)
    }

    /// The text of a line of the file, if its checksum is correct.
    fn open<'a>(&mut self, line: &'a str) -> Option<&'a str> {
        let (text, sum) = line.rsplit_once(' ')?;
        let next = self.next(text);
        if sum != format!("{next:016x}") {
            return None;
        }
        self.0 = next;
        Some(text)
    }
}

/// The lines at the beginning of the journal.
#[must_use]
pub fn head(about: &About, share: Share, chain: &mut Chain) -> String {
    let mut text = chain.seal(HEADER);
    for (name, value) in about.fields() {
        text += &chain.seal(&format!("{name} {value}"));
    }
    text + &chain.seal(&format!("share {} {}", share.index, share.count))
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bits = |x: f64| format!("{:016x}", x.to_bits());
        match self {
            Note::Round(level) => write!(f, "round {}", bits(*level)),
            Note::Hit(x) => write!(f, "hit {}", bits(*x)),
            Note::Closed { piece, closed } => {
                let Closed { class, cell, how } = closed;
                let how = how.name();
                write!(
                    f,
                    "{how} {piece} {class} {} {}",
                    bits(cell.lo),
                    bits(cell.hi)
                )
            }
            Note::Open(open) => {
                let class = open.class.map_or("-".into(), |c| c.to_string());
                let Cell { lo, hi } = open.cell;
                let bound = bits(open.bound);
                write!(
                    f,
                    "open {class} {} {} {bound} {}",
                    bits(lo),
                    bits(hi),
                    open.why
                )
            }
            Note::Done { piece, below } => write!(f, "done {piece} {}", bits(*below)),
            Note::End => f.write_str("end"),
        }
    }
}

fn double(word: &str) -> Option<f64> {
    let bits = u64::from_str_radix(word, 16).ok()?;
    (word.len() == 16).then_some(f64::from_bits(bits))
}

impl Note {
    /// Parses a step.
    #[must_use]
    pub fn parse(text: &str) -> Option<Note> {
        let words: Vec<&str> = text.splitn(6, ' ').collect();
        Some(match words[..] {
            ["round", level] => Note::Round(double(level)?),
            ["hit", x] => Note::Hit(double(x)?),
            ["done", piece, below] => Note::Done {
                piece: piece.parse().ok()?,
                below: double(below)?,
            },
            ["open", class, lo, hi, bound, why] => Note::Open(Open {
                class: match class {
                    "-" => None,
                    n => Some(n.parse().ok()?),
                },
                cell: Cell {
                    lo: double(lo)?,
                    hi: double(hi)?,
                },
                bound: double(bound)?,
                why: why.into(),
            }),
            [how, piece, class, lo, hi] => Note::Closed {
                piece: piece.parse().ok()?,
                closed: Closed {
                    class: class.parse().ok()?,
                    cell: Cell {
                        lo: double(lo)?,
                        hi: double(hi)?,
                    },
                    how: How::named(how)?,
                },
            },
            ["end"] => Note::End,
            _ => return None,
        })
    }
}

/// A parsed journal.
#[derive(Debug)]
pub struct Journal {
    /// The subject of the proof.
    pub about: About,
    /// The share of the pieces.
    pub share: Share,
    /// The steps in its intact lines.
    pub kept: Kept,
    /// The number of bytes of these lines.
    pub whole: usize,
    /// The number of lines after them, which were cut short or damaged and are ignored.
    pub dropped: usize,
    /// The checksum with which the journal is continued.
    pub chain: Chain,
}

/// The reason why a text is not a journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoJournal {
    /// It does not begin with the header.
    Foreign,
    /// It ends within its first lines.
    Short,
}

impl Journal {
    /// Parses a text up to the first line whose checksum is wrong.
    ///
    /// # Errors
    /// If it is not a journal, or ends before the subject is complete.
    pub fn parse(text: &[u8]) -> Result<Journal, NoJournal> {
        let mut chain = Chain::default();
        let mut whole = 0;
        let mut rest = text;
        // The next line, if it is intact.
        let mut line = |chain: &mut Chain, whole: &mut usize| -> Option<String> {
            let end = rest.iter().position(|&b| b == b'\n')?;
            let text = std::str::from_utf8(&rest[..end]).ok()?;
            let text = chain.open(text)?.to_string();
            rest = &rest[end + 1..];
            *whole += end + 1;
            Some(text)
        };
        let first = line(&mut chain, &mut whole);
        if first.as_deref() != Some(HEADER) {
            let begins = HEADER.as_bytes().starts_with(text) || text.starts_with(HEADER.as_bytes());
            return Err(if begins {
                NoJournal::Short
            } else {
                NoJournal::Foreign
            });
        }
        let mut field = |name: &str| -> Result<String, NoJournal> {
            let text = line(&mut chain, &mut whole).ok_or(NoJournal::Short)?;
            let value = text.strip_prefix(name).and_then(|v| v.strip_prefix(' '));
            value.map(String::from).ok_or(NoJournal::Foreign)
        };
        let about = About {
            sweep: field("sweep")?,
            range: field("range")?,
            cells: field("cells")?.parse().map_err(|_| NoJournal::Foreign)?,
            kernel: field("kernel")?,
            function: field("function")?,
            bound: field("bound")?,
            version: field("version")?,
        };
        let share = field("share")?;
        let share = share.split_once(' ').and_then(|(i, n)| {
            let (index, count) = (i.parse().ok()?, n.parse().ok()?);
            (index < count).then_some(Share { index, count })
        });
        let share = share.ok_or(NoJournal::Foreign)?;
        let mut kept = Kept::default();
        loop {
            let (mut next, mut end) = (chain.clone(), whole);
            let note = line(&mut next, &mut end);
            let Some(note) = note.as_deref().and_then(Note::parse) else {
                break;
            };
            kept.add(note);
            (chain, whole) = (next, end);
        }
        let dropped = text[whole..].split_inclusive(|&b| b == b'\n').count();
        Ok(Journal {
            about,
            share,
            kept,
            whole,
            dropped,
            chain,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHARE: Share = Share { index: 1, count: 3 };

    fn notes() -> Vec<Note> {
        let cell = Cell { lo: 1.0, hi: 1.5 };
        vec![
            Note::Round(1.5),
            Note::Round(1.25),
            Note::Hit(1.125),
            Note::Closed {
                piece: 7,
                closed: Closed {
                    class: 0,
                    cell,
                    how: How::Lattice,
                },
            },
            Note::Done {
                piece: 7,
                below: f64::INFINITY,
            },
            Note::Open(Open {
                class: None,
                cell,
                bound: f64::INFINITY,
                why: "no finite number".into(),
            }),
            Note::End,
        ]
    }

    fn text() -> String {
        let mut chain = Chain::default();
        let about = About {
            sweep: "exp".into(),
            range: "1.0..2.0, 3.0".into(),
            cells: 5,
            ..About::default()
        };
        let mut text = head(&about, SHARE, &mut chain);
        for note in notes() {
            text += &chain.seal(&note.to_string());
        }
        text
    }

    #[test]
    fn what_is_written_is_read() {
        for note in notes() {
            assert_eq!(Note::parse(&note.to_string()).as_ref(), Some(&note));
        }
        let journal = Journal::parse(text().as_bytes()).expect("a proof");
        assert_eq!((journal.share, journal.dropped), (SHARE, 0));
        assert_eq!(journal.about.range, "1.0..2.0, 3.0");
        let kept = journal.kept;
        assert_eq!((kept.proven, kept.level), (Some(1.5), Some(1.25)));
        assert_eq!(
            (kept.worst, kept.pieces(), kept.ended),
            (Some(1.125), 1, true)
        );
        assert_eq!((kept.record.closed.len(), kept.record.open.len()), (1, 1));
    }

    /// Cut at any byte, a journal gives only the steps of its intact lines.
    #[test]
    fn a_torn_end_is_dropped() {
        let text = text();
        let whole = Journal::parse(text.as_bytes()).expect("a proof");
        for cut in 0..text.len() {
            match Journal::parse(&text.as_bytes()[..cut]) {
                Err(e) => assert_eq!(e, NoJournal::Short, "{cut}"),
                Ok(journal) => {
                    assert!(journal.whole <= cut && !journal.kept.ended, "{cut}");
                    assert_eq!(journal.dropped, usize::from(journal.whole < cut), "{cut}");
                    assert_eq!(journal.about, whole.about);
                }
            }
        }
    }

    /// If a line is changed, moved or removed, it and all following lines are ignored.
    #[test]
    fn damage_ends_a_proof() {
        let text = text();
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        for at in 9..lines.len() - 1 {
            let without = [&lines[..at], &lines[at + 1..]].concat().concat();
            let mut swapped = lines.clone();
            swapped.swap(at, at + 1);
            let mut other = lines.clone();
            let changed = format!("x{}", &lines[at][1..]);
            other[at] = &changed;
            for damaged in [without, swapped.concat(), other.concat()] {
                let journal = Journal::parse(damaged.as_bytes()).expect("its head is whole");
                let before: usize = lines[..at].iter().map(|l| l.len()).sum();
                assert_eq!(journal.whole, before, "line {at}: {damaged}");
                assert!(journal.dropped > 0);
            }
        }
        assert_eq!(
            Journal::parse(b"SQLite format 3\0").expect_err("something else"),
            NoJournal::Foreign
        );
    }
}
