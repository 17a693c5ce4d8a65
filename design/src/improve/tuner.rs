//! Moves of constants, judged on cases. A move is kept if the largest error becomes smaller.

use kernels_gen::constants::Constants;
use kernels_gen::ops::Prim;

use super::cases::{Cases, Random};
use super::linear;
use crate::strips::Strips;

/// The number of steps of single constants, in last places, and of pairs.
const STEPS: u32 = 14;
const PAIRS: [i64; 4] = [1, 2, 4, 16];
/// Constants at most this far apart in the order of the source are moved together.
const NEAR: usize = 2;
/// Rounds of linear programs.
const LINEAR: usize = 6;
/// With at least this many constants, only those are moved on which the worst input depends.
const MANY: usize = 48;

/// Entries of tables: which varied constant, table, entry.
pub type Entries = Vec<(usize, usize, usize)>;

/// A program with the constants that are varied.
pub struct Tuner<'a> {
    constants: &'a Constants,
    varied: &'a [usize],
    strips: Strips,
    entries: Entries,
    pub(super) cases: Cases,
    pub(super) random: Random,
    /// The number of sets of constants that were tried.
    pub tried: u64,
    /// Whether the tuning must end.
    ends: &'a dyn Fn() -> bool,
}

/// The bits of the varied constants, with the largest error on the cases.
#[derive(Debug, Clone, PartialEq)]
pub struct Tuned {
    /// The bits.
    pub bits: Vec<u64>,
    /// The error in ULP.
    pub error: f64,
}

impl<'a> Tuner<'a> {
    /// # Errors
    /// The same as for [`Strips::new`].
    pub fn new(
        constants: &'a Constants,
        varied: &'a [usize],
        cases: Cases,
        ends: &'a dyn Fn() -> bool,
    ) -> Result<Tuner<'a>, String> {
        let (strips, entries) = strips(constants, varied)?;
        Ok(Tuner {
            constants,
            varied,
            strips,
            entries,
            cases,
            random: Random(0x9e37_79b9_7f4a_7c15),
            tried: 0,
            ends,
        })
    }

    pub(super) fn ty(&self, n: usize) -> Prim {
        self.constants.all[self.varied[n]].ty
    }

    /// Sets one constant.
    pub(super) fn set(&mut self, n: usize, bits: u64) {
        set(&mut self.strips, &self.entries, n, bits);
    }

    fn set_all(&mut self, bits: &[u64]) {
        for (n, &b) in bits.iter().enumerate() {
            self.set(n, b);
        }
    }

    /// The errors at other cases, with the current constants.
    pub(super) fn errors_at(&mut self, cases: &Cases) -> Vec<f64> {
        cases.errors(&mut self.strips)
    }

    /// The largest error with these constants.
    pub fn judge(&mut self, bits: &[u64]) -> f64 {
        self.set_all(bits);
        self.cases.largest(&mut self.strips, f64::INFINITY)
    }

    /// Puts the worst cases first, so that a bad set of constants is detected early.
    fn sort(&mut self, bits: &[u64]) {
        self.set_all(bits);
        let errors = self.cases.errors(&mut self.strips);
        let mut order: Vec<usize> = (0..errors.len()).collect();
        order.sort_by(|&a, &b| errors[b].abs().total_cmp(&errors[a].abs()));
        self.cases = self.cases.of(&order);
    }

    /// Accepts moved constants if they are better.
    fn take(&mut self, best: &mut Tuned, moved: &[(usize, u64)]) -> bool {
        self.tried += 1;
        for &(n, bits) in moved {
            self.set(n, bits);
        }
        let error = self.cases.largest(&mut self.strips, best.error);
        if error < best.error {
            for &(n, bits) in moved {
                best.bits[n] = bits;
            }
            best.error = error;
            return true;
        }
        for &(n, _) in moved {
            self.set(n, best.bits[n]);
        }
        false
    }

    fn moved(&self, best: &Tuned, n: usize, by: i64) -> Option<u64> {
        moved(self.ty(n), best.bits[n], by)
    }

    /// Better constants, starting from these, until no move helps.
    pub fn tune(&mut self, from: &[u64]) -> Tuned {
        let mut best = Tuned {
            bits: from.to_vec(),
            error: self.judge(from),
        };
        loop {
            let before = best.error;
            self.linear(&mut best);
            self.singles(&mut best);
            self.pairs(&mut best);
            // A gain of at least 1 in 10,000 is worth another round.
            if best.error > before * 0.9999 || (self.ends)() {
                return best;
            }
        }
    }

    /// Moves some constants at random, then continues as [`Tuner::tune`].
    pub fn restart(&mut self, from: &Tuned, places: u32) -> Tuned {
        let mut bits = from.bits.clone();
        for (n, b) in bits.iter_mut().enumerate() {
            if self.random.word() & 1 == 0 {
                continue;
            }
            let reach = 1i64 << (self.random.word() % u64::from(places + 1));
            let by = (self.random.word() % (2 * reach as u64 + 1)) as i64 - reach;
            if let Some(there) = moved(self.ty(n), *b, by) {
                *b = there;
            }
        }
        self.tune(&bits)
    }

    fn linear(&mut self, best: &mut Tuned) {
        for _ in 0..LINEAR {
            self.sort(&best.bits);
            self.set_all(&best.bits);
            if (self.ends)() {
                return;
            }
            let Some(bits) = linear::step(self, &best.bits) else {
                break;
            };
            self.set_all(&best.bits);
            let all: Vec<(usize, u64)> = bits.into_iter().enumerate().collect();
            let before = best.error;
            if !self.take(best, &all) || best.error > before * 0.999 {
                break;
            }
        }
        self.set_all(&best.bits);
    }

    /// The constants that are worth a move, in random order.
    fn order(&mut self, best: &Tuned) -> Vec<usize> {
        let mut order: Vec<usize> = (0..best.bits.len()).collect();
        if order.len() >= MANY {
            let worst = self.cases.of(&[0]);
            let now = self.errors_at(&worst)[0];
            order.retain(|&n| {
                let Some(bits) = self.moved(best, n, 1 << 20) else {
                    return false;
                };
                self.set(n, bits);
                let then = self.errors_at(&worst)[0];
                self.set(n, best.bits[n]);
                then != now
            });
        }
        for i in (1..order.len()).rev() {
            let j = (self.random.word() % (i as u64 + 1)) as usize;
            order.swap(i, j);
        }
        order
    }

    fn singles(&mut self, best: &mut Tuned) {
        loop {
            let before = best.error;
            self.sort(&best.bits);
            for n in self.order(best) {
                for step in (0..STEPS).rev() {
                    for sign in [1, -1] {
                        // As long as it helps.
                        while let Some(bits) = self.moved(best, n, sign << step) {
                            if (self.ends)() {
                                return;
                            }
                            if !self.take(best, &[(n, bits)]) {
                                break;
                            }
                        }
                    }
                }
            }
            if best.error == before {
                return;
            }
        }
    }

    fn pairs(&mut self, best: &mut Tuned) {
        self.sort(&best.bits);
        self.set_all(&best.bits);
        let order = self.order(best);
        for n in order {
            for m in n + 1..(n + 1 + NEAR).min(best.bits.len()) {
                for a in PAIRS {
                    for b in PAIRS {
                        for (a, b) in [(a, b), (a, -b), (-a, b), (-a, -b)] {
                            let (Some(x), Some(y)) =
                                (self.moved(best, n, a), self.moved(best, m, b))
                            else {
                                continue;
                            };
                            if (self.ends)() {
                                return;
                            }
                            self.take(best, &[(n, x), (m, y)]);
                        }
                    }
                }
            }
        }
    }

    /// The largest error if only this constant has its old value.
    fn alone(&mut self, best: &Tuned, n: usize, was: u64) -> f64 {
        self.set(n, was);
        let error = self.cases.largest(&mut self.strips, f64::INFINITY);
        self.set(n, best.bits[n]);
        error
    }

    /// The changed constants, each with the largest error if only this constant has its old value.
    pub fn worth(&mut self, best: &Tuned, was: &[u64]) -> Vec<(usize, f64)> {
        self.set_all(&best.bits);
        let changed = (0..was.len()).filter(|&n| best.bits[n] != was[n]);
        let changed: Vec<usize> = changed.collect();
        changed
            .into_iter()
            .map(|n| (n, self.alone(best, n, was[n])))
            .collect()
    }

    /// Restores constants whose change gains nothing.
    pub fn prune(&mut self, best: &mut Tuned, was: &[u64]) {
        self.set_all(&best.bits);
        for (n, &was) in was.iter().enumerate() {
            if best.bits[n] != was && self.alone(best, n, was) <= best.error {
                best.bits[n] = was;
                self.set(n, was);
            }
        }
        best.error = self.judge(&best.bits);
    }
}

/// A program with those constants as parameters, ready to run, and their places in tables.
///
/// # Errors
/// The same as for [`Strips::new`].
pub fn strips(constants: &Constants, varied: &[usize]) -> Result<(Strips, Entries), String> {
    let (program, entries) = constants.parametric(varied);
    let mut strips = Strips::new(&program)?;
    for (n, &v) in varied.iter().enumerate() {
        set(&mut strips, &entries, n, constants.all[v].bits);
    }
    Ok((strips, entries))
}

/// Sets a varied constant.
pub fn set(strips: &mut Strips, entries: &[(usize, usize, usize)], n: usize, bits: u64) {
    strips.set(n + 1, bits);
    for &(of, table, entry) in entries {
        if of == n {
            strips.set_entry(table, entry, bits);
        }
    }
}

/// The number this many last places away; `None` if it has another sign or is not finite.
#[must_use]
pub fn moved(ty: Prim, bits: u64, by: i64) -> Option<u64> {
    let (sign, largest) = match ty {
        Prim::F32 => (1 << 31, u64::from(f32::MAX.to_bits())),
        _ => (1 << 63, f64::MAX.to_bits()),
    };
    let magnitude = (bits & !sign).checked_add_signed(by)?;
    (0 < magnitude && magnitude <= largest).then_some(magnitude | bits & sign)
}

/// A number as a double.
#[must_use]
pub fn value(ty: Prim, bits: u64) -> f64 {
    match ty {
        Prim::F32 => f32::from_bits(bits as u32).into(),
        _ => f64::from_bits(bits),
    }
}

/// The bits of a double, rounded to a type.
#[must_use]
pub fn bits(ty: Prim, value: f64) -> u64 {
    match ty {
        Prim::F32 => u64::from((value as f32).to_bits()),
        _ => value.to_bits(),
    }
}
