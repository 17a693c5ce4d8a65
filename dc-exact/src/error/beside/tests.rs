//! Bounds of kernels with a low word, compared with errors at sampled arguments. Each bound is nearly attained, so a term that is missing, or counted twice,
//! is found from one side or the other.

use kernels_gen::interp::{Bits, eval};
use kernels_gen::program::Program;

use crate::bound::{Effort, RangeBound, bound_range};
use crate::cell::Cell;
use crate::cell::random::parsed::program;
use crate::law::{Angle, Law, Stage, TERMS, Truth};
use crate::num::dyadic::Random;
use crate::num::float::BINARY64;
use crate::num::{Ball, Ring};

/// The text of a kernel of x, %0, and l, %1.
struct Text {
    lines: String,
    next: u32,
}

impl Text {
    fn new() -> Self {
        Self {
            lines: "fn f0\n  %0: f64 = param\n  %1: f64 = param\n".into(),
            next: 2,
        }
    }

    fn add(&mut self, what: &str) -> u32 {
        self.lines
            .push_str(&format!("  %{}: f64 = {what}\n", self.next));
        self.next += 1;
        self.next - 1
    }

    fn number(&mut self, x: f64) -> u32 {
        self.add(&format!("const {:#018x}", x.to_bits()))
    }

    /// `1 + (r + (r² p(r) + low))`, which is `e^(r + low)` where the low word is tiny and |r| at most 0.03, for the numbers of r and the low word.
    fn exponential(mut self, r: u32, low: u32) -> String {
        let mut p = self.number(1.0 / 40_320.0);
        for factorial in [5040.0, 720.0, 120.0, 24.0, 6.0, 2.0] {
            let c = self.number(1.0 / factorial);
            p = self.add(&format!("fma %{r}, %{p}, %{c}"));
        }
        let square = self.add(&format!("mul %{r}, %{r}"));
        let rest = self.add(&format!("fma %{square}, %{p}, %{low}"));
        let sum = self.add(&format!("add %{r}, %{rest}"));
        let one = self.number(1.0);
        let result = self.add(&format!("add %{one}, %{sum}"));
        self.lines + &format!("  return %{result}\n")
    }
}

/// The low word is added last: the derivative by it is 1, and the function's is e^x.
fn added_last() -> String {
    Text::new().exponential(0, 1)
}

/// The low word is added first, and the error of this sum last: the derivative is nearly the function's.
fn added_first() -> String {
    let mut text = Text::new();
    let r = text.add("add %0, %1");
    let rest = text.add(&format!("sub %0, %{r}"));
    let rest = text.add(&format!("add %{rest}, %1"));
    text.exponential(r, rest)
}

/// The error in ULP of a result with respect to the function at `x + l + s`.
fn error(kernel: &Program, stage: Stage, x: f64, l: f64, s: f64) -> f64 {
    let Ok(words) = eval(kernel, &mut Bits, &[x.to_bits(), l.to_bits()]);
    let radius = stage.reach();
    let series = Truth::Stage(stage).enclose::<TERMS>(Cell { lo: x, hi: x }, x, radius, 0);
    let coefficients = series.expect("a value").at.0.into_iter().rev();
    let t = Ball::number(l)
        .add(Ball::number(s))
        .div(Ball::number(radius));
    let truth = coefficients.fold(Ball::ZERO, |sum, c| sum.mul(t).add(c));
    let apart = Ball::number(f64::from_bits(words[0])).sub(truth);
    // Next to a power of two, the words may round to it from below.
    let below = truth.h - f64::from(truth.l < 0.0) * f64::EPSILON;
    apart.mid() * 2f64.powi(-BINARY64.ulp(below))
}

fn bounded(kernel: &Program, stage: Stage, cell: Cell) -> RangeBound {
    let effort = Effort {
        threads: 1,
        ..Effort::default()
    };
    let bound = bound_range(kernel, &Truth::Stage(stage), &[cell], effort);
    assert!(bound.special.is_empty() && !bound.unfinished, "{stage:?}");
    bound
}

/// The largest of many sampled errors, none of which is above the bound.
fn sampled(kernel: &Program, stage: Stage, cell: Cell, bound: f64) -> f64 {
    let mut random = Random(5);
    let low = stage.low.expect("a low word");
    let mut most: f64 = 0.0;
    for k in 0..6000 {
        let part = [0.0, 1.0, random.unit().abs()][k % 3];
        let x = (cell.lo + (cell.hi - cell.lo) * part).clamp(cell.lo, cell.hi);
        let within = low * random.unit();
        let l = random.of(&[low, -low, 0.0, within]);
        let s = random.of(&[stage.slack, -stage.slack, 0.0]);
        let error = error(kernel, stage, x, l, s).abs();
        assert!(
            error <= bound,
            "{stage:?} at {x:e} {l:e} {s:e}: {error} above {bound}"
        );
        most = most.max(error);
    }
    most
}

#[test]
fn bounds_with_a_low_word_hold_and_are_nearly_attained() {
    let two = |e: i32| 2f64.powi(e);
    let above = Cell {
        lo: 0.015,
        hi: 0.03,
    };
    let below = Cell {
        lo: -0.03,
        hi: -1e-9,
    };
    // The kernel, the exponents of the largest low word and of the slack (0 for none), and how much of its bound is attained.
    let cases = [
        // The difference of the derivatives.
        (added_last(), -30, 0, 0.99),
        // The second derivative.
        (added_last(), -9, 0, 0.9),
        // The slack alone, and with the low word.
        (added_first(), -60, -40, 0.99),
        (added_last(), -30, -34, 0.99),
        (added_first(), -30, -25, 0.99),
        // Neither: roundings, of which not all are attained at once.
        (added_first(), -30, 0, 0.93),
        (added_first(), -53, -62, 0.93),
    ];
    for (text, low, slack, attained) in cases {
        let stage = Stage {
            law: Law::Exp,
            plus: Angle::ZERO,
            turn: 0,
            zero: 0,
            scale: 0,
            low: Some(two(low)),
            slack: if slack == 0 { 0.0 } else { two(slack) },
            words: false,
        };
        let kernel = program(&text);
        for cell in [above, below] {
            let bound = bounded(&kernel, stage, cell).bound;
            let most = sampled(&kernel, stage, cell, bound);
            assert!(
                most > attained * bound,
                "{stage:?} {cell:?}: {most} of {bound}"
            );
        }
    }
}

/// One number as the result, and a single input: the function varies with the low word.
#[test]
fn what_does_not_depend_on_the_low_word_has_its_error() {
    let mut text = Text::new();
    let one = text.number(1.0);
    let kernel = program(&(text.lines + &format!("  return %{one}\n")));
    let stage = Stage {
        law: Law::Exp,
        plus: Angle::ZERO,
        turn: 0,
        zero: 0,
        scale: 0,
        low: Some(2f64.powi(-40)),
        slack: 0.0,
        words: false,
    };
    let first = program(&added_first());
    for x in [1e-17, 1e-13, 0.01] {
        let cell = Cell { lo: x, hi: x };
        let bound = bounded(&kernel, stage, cell).bound;
        // The unit of numbers below 1 is half of that above.
        let unit = if x < stage.reach() { 53 } else { 52 };
        let most = (stage.reach() + x) * 2f64.powi(unit);
        assert!(bound >= 0.99 * most && bound < 1.1 * most, "{x:e}: {bound}");
        assert!(sampled(&kernel, stage, cell, bound) > 0.45 * bound);
        let bound = bounded(&first, stage, cell).bound;
        assert!((0.5..1.6).contains(&bound), "{x:e}: {bound}");
        sampled(&first, stage, cell, bound);
    }
}

/// x - x²/2 and its error in two words, as ln(1 + x).
#[test]
fn the_sum_of_two_words_is_not_rounded() {
    let mut text = Text::new();
    let half = text.number(-0.5);
    let square = text.add("mul %0, %0");
    let low = text.add(&format!("mul %{square}, %{half}"));
    let text = text
        .lines
        .replace("  %1: f64 = param\n", "  %1: f64 = const 0x0\n");
    let kernel = program(&(text + &format!("  return %0, %{low}\n")));
    let stage = Stage {
        law: Law::Ln1p,
        plus: Angle::ZERO,
        turn: 0,
        zero: 0,
        scale: 0,
        low: None,
        slack: 0.0,
        words: true,
    };
    // x³/3 - x⁴/4 is left, in units of 2^-72.
    let (lo, hi) = (2f64.powi(-20), 1.5 * 2f64.powi(-20));
    let bound = bounded(&kernel, stage, Cell { lo, hi }).bound;
    let left = (hi.powi(3) / 3.0 - hi.powi(4) / 4.0) * 2f64.powi(72);
    let rounding = 2f64.powi(-41 - 53 + 72);
    assert!(
        bound > left && bound < left * 1.001 + rounding,
        "{bound} {left}"
    );
}
