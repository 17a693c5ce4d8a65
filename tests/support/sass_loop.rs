//! The loop of a kernel in machine code: the instructions per input.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::{Counts, Sass, operation};

/// Kinds of instructions, by the unit that executes them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// The binary64 pipe: sums, products, fused operations, comparisons.
    Fp64,
    /// Conversions, roundings to integers, first approximations.
    Special,
    /// Loads, stores, atomics.
    Memory,
    /// Branches, and the instructions that reconverge threads after them.
    Branch,
    /// Integers, binary32, moves, predicates.
    Other,
}

impl Kind {
    /// All.
    pub const ALL: [Kind; 5] = [
        Kind::Fp64,
        Kind::Special,
        Kind::Memory,
        Kind::Branch,
        Kind::Other,
    ];

    fn of(operation: &str) -> Kind {
        match operation {
            "DADD" | "DMUL" | "DFMA" | "DSETP" | "DMNMX" | super::MOVE => Kind::Fp64,
            "MUFU" | "F2F" | "F2I" | "I2F" | "FRND" => Kind::Special,
            "LD" | "LDG" | "LDS" | "LDL" | "LDC" | "LDCU" | "ST" | "STG" | "STS" | "STL"
            | "ATOM" | "ATOMG" | "ATOMS" | "RED" | "REDG" => Kind::Memory,
            "BRA" | "BRX" | "JMP" | "CALL" | "RET" | "EXIT" | "BSSY" | "BSYNC" | "BREAK"
            | "WARPSYNC" | "YIELD" | "NOP" => Kind::Branch,
            _ => Kind::Other,
        }
    }
}

/// The longest loop of a kernel.
#[derive(Debug, Clone)]
pub struct Loop {
    /// The instructions for an input for which every skippable branch is skipped: the shortest path through the loop.
    pub path: Counts,
    /// All instructions of the loop.
    pub all: Counts,
    /// The subroutines it calls anywhere.
    pub calls: BTreeSet<String>,
}

impl Loop {
    /// How many instructions of a kind are on the path.
    pub fn count(&self, kind: Kind) -> usize {
        let each = self.path.0.iter();
        each.filter(|(name, _)| Kind::of(name) == kind)
            .map(|(_, n)| n)
            .sum()
    }

    /// All instructions on the path.
    pub fn total(&self) -> usize {
        self.path.0.values().sum()
    }

    /// The cycles in which a scheduler issues them, if its binary64 pipe accepts one instruction of a warp every
    /// `binary64` cycles.
    pub fn cycles(&self, binary64: usize) -> usize {
        self.total().max(binary64 * self.count(Kind::Fp64))
    }
}

impl fmt::Display for Loop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} instructions", self.total())?;
        for kind in Kind::ALL {
            write!(f, ", {} {kind:?}", self.count(kind))?;
        }
        write!(
            f,
            "; {} in the whole loop",
            self.all.0.values().sum::<usize>()
        )
    }
}

/// An instruction of a kernel.
struct Line<'a> {
    operation: &'a str,
    /// Whether it is executed only under a condition.
    conditional: bool,
    /// The label that it jumps to.
    target: Option<&'a str>,
}

fn line(text: &str) -> Option<Line<'_>> {
    let operation = operation(text)?;
    // BSSY names the point where threads reconverge; it is no jump.
    let goes = ["BRA", "CALL", "JMP"].contains(&operation);
    let target = text.split_once("`(").and_then(|t| t.1.split(')').next());
    let words = text.split_once("*/")?.1.trim_start();
    // `@P0 BRA …` and `BRA P0, …`; unconditional convergence is `BRA.U`.
    let predicate = |w: &str| w.trim_start_matches('!').starts_with('P') && w.ends_with(',');
    Some(Line {
        operation,
        conditional: words.starts_with('@') || words.split(' ').any(predicate) && goes,
        target: target.filter(|_| goes),
    })
}

impl Sass {
    /// The longest loop of a kernel, if it has one; if more than half of it is another loop, that one.
    pub fn longest_loop(&self, kernel: &str) -> Option<Loop> {
        let head = format!(".text.{kernel}:");
        let mut lines = Vec::new();
        let mut labels = BTreeMap::new();
        let text = self.text.lines().skip_while(|l| *l != head).skip(1);
        for text in text.take_while(|l| !l.starts_with(".text.")) {
            if let Some(label) = text.strip_suffix(':').filter(|l| !l.contains(' ')) {
                labels.insert(label, lines.len());
            }
            lines.extend(line(text));
        }
        let place = |line: &Line<'_>| labels.get(line.target?).copied();
        let branches = lines.iter().enumerate().filter(|l| l.1.operation == "BRA");
        // At the end of the text a `BRA` to itself stops the prefetcher.
        let back = branches.filter_map(|(i, l)| Some((place(l)?, i)).filter(|(to, _)| *to < i));
        let mut loops: Vec<(usize, usize)> = back.collect();
        loops.sort_by_key(|(to, from)| from - to);
        let (mut first, mut last) = loops.pop()?;
        while let Some((to, from)) = loops.pop() {
            if to >= first && from < last && 2 * (from - to) > last - first {
                (first, last) = (to, from);
            }
        }

        // The least number of instructions from the first to each, by relaxation until nothing changes.
        let far = usize::MAX;
        let mut least = vec![far; lines.len()];
        let mut before = vec![None; lines.len()];
        least[first] = 1;
        let mut changed = true;
        while changed {
            changed = false;
            for i in first..=last {
                if least[i] == far {
                    continue;
                }
                let l = &lines[i];
                let jumps = l.operation == "BRA";
                let ends = ["EXIT", "RET", "CALL", "BRX", "JMP"].contains(&l.operation);
                let falls = l.conditional || !(jumps || ends);
                let next = falls.then_some(i + 1);
                for to in next.into_iter().chain(place(l).filter(|_| jumps)) {
                    if to <= last && to > first && least[i] + 1 < least[to] {
                        (least[to], before[to], changed) = (least[i] + 1, Some(i), true);
                    }
                }
            }
        }
        let (mut path, mut at) = (Counts::default(), Some(last));
        while let Some(i) = at {
            path.add(lines[i].operation);
            at = before[i];
        }
        let mut all = Counts::default();
        let body = &lines[first..=last];
        body.iter().for_each(|l| all.add(l.operation));
        // ptxas sometimes leaves a loop by a call of a label of the kernel itself.
        let calls = body.iter().filter(|l| l.operation == "CALL");
        let calls = calls.filter_map(|l| l.target.filter(|t| !t.starts_with('.')));
        let calls = calls.map(String::from).collect();
        (least[last] != far).then_some(Loop { path, all, calls })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = ".text.k:
        /*0000*/                   MOV R1, c[0x0][0x28] ;
.L_x_5:
        /*0010*/                   DMUL R2, R2, R4 ;
        /*0020*/                   BSSY B0, `(.L_x_2) ;
        /*0030*/               @P0 BRA `(.L_x_1) ;
        /*0040*/                   DADD R2, R2, 1 ;
        /*0050*/                   CALL.REL.NOINC `($__internal_0_$slow) ;
        /*0060*/                   DADD R2, R2, 1 ;
        /*0070*/                   BRA `(.L_x_2) ;
.L_x_1:
        /*0080*/                   LDS R8, [R9] ;
.L_x_2:
        /*0090*/                   BSYNC B0 ;
        /*00a0*/              @!P1 BRA `(.L_x_5) ;
        /*00b0*/                   EXIT ;
.L_x_9:
        /*00c0*/                   BRA `(.L_x_9);
.text.other:
.L_x_0:
        /*0010*/                   DMUL R2, R2, R4 ;
";

    #[test]
    fn the_path_leaves_out_what_can_be_left_out() {
        let sass = Sass {
            text: TEXT.into(),
            registers: 8,
            local: 0,
            shared: 0,
        };
        let found = sass.longest_loop("k").expect("it has one");
        let each = Kind::ALL.map(|k| found.count(k));
        assert_eq!((each, found.total()), ([1, 0, 1, 4, 0], 6), "{found}");
        assert_eq!(found.all.0.values().sum::<usize>(), 10);
        assert_eq!(found.all.of("DADD"), 2);
        assert_eq!(found.cycles(2), 6);
        assert_eq!(found.cycles(7), 7);
        assert_eq!(
            found.calls.iter().collect::<Vec<_>>(),
            ["$__internal_0_$slow"]
        );
        assert!(sass.longest_loop("other").is_none());
    }
}
