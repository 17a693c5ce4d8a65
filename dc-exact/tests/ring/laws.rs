//! Each law, compared with brute force, and with the checker's law, which shares no code with it.
//!
//! The kernels are Taylor polynomials with the law's own coefficients. If the law's derivatives are wrong, the kernel is wrong in the same
//! way, so that its bound stays small. Its errors come only from values, and do not stay small.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crunch_check::{Options, check};
use dc_exact::bound::{Effort, bound_range};
use dc_exact::cell::{Cell, Values};
use dc_exact::exact::{self, prove};
use dc_exact::law::{Angle, Law, Stage, Truth};
use dc_exact::num::float::{BINARY64, exponent, power};
use dc_exact::point::{Hit, error_at};
use kernels_gen::ir::{BinOp, Const, ExprKind, Pat, Stmt, Ty};
use kernels_gen::program::Program;

use crate::hold::step;
use crate::lowered::{self, Lowered};
use crate::numeric::{E, binary, expr, leak_str, local, of_one};
use crate::random::Random;
use crate::stretch::cut;

/// The number of coefficients.
const TERMS: usize = 8;

/// `c0 + t (c1 + t (c2 + …))` with `t = (x - center) / 2^scale`, exactly, for numbers that are near to the center.
fn polynomial(name: &str, center: f64, scale: i32, coefficients: &[f64]) -> Program {
    let number = |x: f64| expr(ExprKind::Const(Const::F64(x)));
    let (mut names, mut stmts) = (vec!["x"], Vec::new());
    let mut bind = |value: E| {
        let n = names.len() as u32;
        names.push(leak_str(&format!("v{n}")));
        stmts.push(Stmt::Let(Pat::Local(n), None, value));
        local(n)
    };
    let t = bind(binary(BinOp::Sub, local(0), number(center)));
    let half = number(power(-(scale / 2)));
    let t = bind(binary(BinOp::Mul, t, half));
    let t = bind(binary(BinOp::Mul, t, number(power(-(scale - scale / 2)))));
    let mut coefficients = coefficients.iter().rev();
    let mut sum = number(*coefficients.next().expect("one"));
    for &c in coefficients {
        let product = bind(binary(BinOp::Mul, sum, t));
        sum = bind(binary(BinOp::Add, product, number(c)));
    }
    kernels_gen::lower(of_one(name, Ty::F64, names, stmts)).expect("it lowers")
}

/// `x 2^e`
fn scaled(x: f64, e: i32) -> f64 {
    x * power(e / 2) * power(e - e / 2)
}

/// A law at a place, and the kernel for the numbers beside it.
struct Place {
    name: String,
    truth: Truth,
    program: Program,
    cell: Cell,
}

impl Place {
    /// The numbers within a part of the distance to the nearest singularity, or to 0.
    fn new(law: Law, center: f64, radius: f64) -> Place {
        Place::of(law.name(), Truth::Law(law), center, radius)
    }

    /// `ln |Γ|` beside zero k below 0, with the distance from it as the argument.
    fn from_zero(k: u8, center: f64, radius: f64) -> Place {
        let truth = Truth::Stage(Stage {
            law: Law::LnGamma,
            plus: Angle::ZERO,
            turn: 0,
            zero: k,
            scale: 0,
            low: None,
            slack: 0.0,
            words: false,
        });
        Place::of(&format!("lgamma from zero {k}"), truth, center, radius)
    }

    fn of(name: &str, truth: Truth, center: f64, radius: f64) -> Place {
        let (lo, hi) = (center - radius, center + radius);
        let cell = Cell { lo, hi };
        // Values near the ends of the format are given divided by a power of two.
        let function = [0, 900, -700, -900, -1010, -1060]
            .into_iter()
            .find_map(|e| {
                let function = truth.enclose::<TERMS>(cell, center, radius, e);
                let function = function.unwrap_or_else(|why| panic!("{name} {center}: {why:?}"));
                let size = function.at.0[0].h.abs();
                (size > 2f64.powi(-200) && size < 2f64.powi(200)).then_some((function, e))
            });
        let (function, e) = function.expect("a scale");
        let scale = exponent(radius);
        let part = scaled(radius, -scale);
        let mut by = 1.0;
        let coefficients = function.at.0.map(|c| {
            let y = scaled(c.mid() / by, e);
            by *= part;
            y
        });
        let name = format!("{name} at {center:e}");
        let program = polynomial(&name, center, scale, &coefficients);
        Place {
            name,
            truth,
            program,
            cell,
        }
    }

    fn error(&self, values: &mut Values, x: f64) -> f64 {
        let error = error_at(&self.program, &self.truth, values, x);
        error
            .unwrap_or_else(|| panic!("{} at {x:e}", self.name))
            .abs()
            .lo
    }

    /// The bound, and the largest error of inputs at random and at the ends.
    fn bound_and_sample(&self, inputs: u64, random: &mut Random) -> [f64; 2] {
        let effort = Effort {
            tolerance: 1e-2,
            cells: 4000,
            values: 400_000,
            threads: 1,
            by_series: false,
            rounded: false,
        };
        let bound = bound_range(&self.program, &self.truth, &[self.cell], effort);
        assert!(
            bound.special.is_empty(),
            "{}: {:?}",
            self.name,
            bound.special
        );
        let mut values = Values::new(&self.program);
        let Cell { lo, hi } = self.cell;
        let mut worst = 0.0f64;
        for i in 0..inputs {
            let part = random.below(1 << 53) as f64 * (f64::EPSILON / 2.0);
            let x = match i {
                0 => lo,
                1 => hi,
                _ => (lo + (hi - lo) * part).clamp(lo, hi),
            };
            let error = self.error(&mut values, x);
            assert!(
                error <= bound.bound,
                "{} at {x:e}: {error} is above {}",
                self.name,
                bound.bound
            );
            worst = worst.max(error);
        }
        [bound.bound, worst]
    }

    /// A short stretch of its inputs: the maximum by lattice and by brute force, and claims below it.
    fn short(&self, lg: u32, lowered: &mut Lowered) {
        let from = self.cell.lo + 0.77 * (self.cell.hi - self.cell.lo);
        let far = step(from.abs(), (1 << lg) - 1, BINARY64).copysign(from);
        let cell = Cell {
            lo: from.min(far),
            hi: from.max(far),
        };
        let bound = bound_range(&self.program, &self.truth, &[cell], Effort::default());
        let known = Hit {
            x: f64::NAN,
            error: 0.0,
        };
        let effort = exact::Effort {
            threads: 1,
            time: Duration::from_secs(60),
            list: false,
        };
        let stop = AtomicBool::new(false);
        let found = prove(
            &self.program,
            &self.truth,
            &bound,
            known,
            effort,
            &stop,
            &mut |_| {},
        );
        let mut values = Values::new(&self.program);
        let all = (0..1u64 << lg).map(|i| step(from.abs(), i, BINARY64).copysign(from));
        let worst = all.map(|x| self.error(&mut values, x)).fold(0.0, f64::max);
        assert!(found.is_exact(), "{}: {:?}", self.name, found.open.first());
        let off = (found.worst.error.abs() - worst).abs();
        assert!(
            off < 1e-9,
            "{}: {} and {worst}",
            self.name,
            found.worst.error
        );
        lowered::stretch(&self.name, &self.program, &self.truth, cell, lowered);
    }
}

/// Laws, with places and radii.
const PLACES: &[(Law, &[(f64, f64)])] = &[
    (Law::Exp2, &[(0.7, 0.01), (-1021.3, 0.01), (1e-9, 5e-10)]),
    (Law::Exp10, &[(0.31, 0.01), (-300.7, 0.01)]),
    (
        Law::ExpM1,
        &[(0.3, 0.01), (-0.002, 1e-4), (2.5, 0.01), (1e-200, 1e-201)],
    ),
    (Law::Exp2M1, &[(0.3, 0.01), (-20.1, 0.01), (3e-310, 1e-311)]),
    (Law::Exp10M1, &[(0.1, 0.005), (-0.002, 1e-4), (7.3, 0.01)]),
    (Law::Log2, &[(0.7, 0.01), (1.01, 1e-4), (3e-300, 1e-302)]),
    (Law::Log10, &[(0.7, 0.01), (1.01, 1e-4), (3e300, 1e298)]),
    (
        Law::Ln1p,
        &[
            (0.7, 0.01),
            (-0.9, 1e-3),
            (0.01, 1e-4),
            (3e300, 1e298),
            (2e-305, 1e-307),
        ],
    ),
    (Law::Log2p1, &[(0.7, 0.01), (0.01, 1e-4)]),
    (Law::Log10p1, &[(0.7, 0.01), (0.01, 1e-4)]),
    (
        Law::Tan,
        &[(0.7, 0.01), (1.55, 1e-3), (-700.1, 1e-3), (1e-4, 1e-6)],
    ),
    (
        Law::SinPi,
        &[
            (0.3, 0.005),
            (0.999, 1e-5),
            (100.4, 0.005),
            (1e-200, 1e-202),
        ],
    ),
    (Law::CosPi, &[(0.3, 0.005), (0.499, 1e-5), (7.9, 0.005)]),
    (Law::TanPi, &[(0.2, 0.002), (0.49, 1e-4), (-3.3, 0.002)]),
    (Law::Asin, &[(0.3, 0.01), (0.99, 1e-4), (-0.001, 1e-5)]),
    (Law::Acos, &[(0.3, 0.01), (0.99, 1e-4), (-0.9, 1e-3)]),
    (
        Law::Atan,
        &[(0.3, 0.01), (2.5, 0.02), (3e5, 1e3), (-1e-3, 1e-5)],
    ),
    (Law::AsinPi, &[(0.3, 0.01), (0.99, 1e-4)]),
    (Law::AcosPi, &[(0.3, 0.01), (0.99, 1e-4)]),
    (Law::AtanPi, &[(0.3, 0.01), (3e5, 1e3)]),
    (
        Law::Sinh,
        &[(0.2, 0.005), (1.7, 0.01), (-705.3, 0.01), (1e-3, 1e-5)],
    ),
    (Law::Cosh, &[(0.2, 0.005), (1.7, 0.01), (-705.3, 0.01)]),
    (
        Law::Tanh,
        &[(0.2, 0.005), (1.2, 0.01), (-7.3, 0.01), (1e-3, 1e-5)],
    ),
    (
        Law::Asinh,
        &[(0.3, 0.01), (5.5, 0.05), (-3e200, 1e198), (1e-3, 1e-5)],
    ),
    (
        Law::Acosh,
        &[(1.3, 0.005), (5.5, 0.05), (3e200, 1e198), (1.001, 1e-5)],
    ),
    (Law::Atanh, &[(0.3, 0.01), (-0.99, 1e-4), (1e-3, 1e-5)]),
    (
        Law::Erf,
        &[(0.3, 0.005), (1.3, 0.01), (-2.7, 0.01), (1e-3, 1e-5)],
    ),
    (
        Law::Erfc,
        &[(0.3, 0.005), (1.3, 0.01), (-2.7, 0.01), (26.1, 0.001)],
    ),
    (
        Law::Sigmoid,
        &[(0.3, 0.01), (-30.1, 0.01), (-700.1, 0.01), (7.7, 0.01)],
    ),
    (
        Law::Logit,
        &[(0.3, 0.005), (0.51, 1e-4), (0.99, 1e-4), (1e-300, 1e-302)],
    ),
    (
        Law::Softplus,
        &[(0.3, 0.01), (-30.1, 0.01), (-700.1, 0.01), (17.7, 0.05)],
    ),
    (
        Law::Silu,
        &[(0.3, 0.005), (-30.1, 0.01), (-1.3, 0.005), (17.7, 0.05)],
    ),
    (
        Law::Gelu,
        &[(0.3, 0.005), (-30.1, 0.005), (-0.8, 0.005), (17.7, 0.05)],
    ),
    (
        Law::Mish,
        &[(0.3, 0.005), (-30.1, 0.01), (-1.2, 0.005), (17.7, 0.05)],
    ),
    (
        Law::Gamma,
        &[
            (0.3, 0.002),
            (1.46, 0.01),
            (2.7, 0.01),
            (170.3, 0.005),
            (1e-250, 1e-252),
            (-2.5, 0.002),
            (-3.999, 1e-5),
            (-160.4, 0.002),
        ],
    ),
    (
        Law::LnGamma,
        &[
            (0.3, 0.002),
            (1.4, 0.005),
            (2.01, 1e-4),
            (30.1, 0.1),
            (3e250, 1e248),
            (-0.4, 0.002),
            (-3.5, 0.002),
            (-300.3, 0.002),
        ],
    ),
    (
        Law::SrgbToLinear,
        &[(0.3, 0.005), (0.0406, 1e-5), (0.02, 0.001)],
    ),
    (
        Law::SrgbFromLinear,
        &[(0.3, 0.005), (0.00314, 1e-6), (0.002, 1e-4)],
    ),
];

/// Numbers of zeros of `ln |Γ|`, each with places beside it.
const ZEROS: &[(u8, &[(f64, f64)])] = &[
    (1, &[(0.125, 0.002), (-0.1537, 0.001), (3e-17, 1e-18)]),
    (2, &[(0.2, 0.002), (-0.09, 0.001)]),
    (5, &[(-0.01, 1e-4), (1e-9, 1e-11)]),
    (17, &[(1e-7, 1e-9), (-1e-15, 1e-17)]),
    (30, &[(-1e-15, 1e-17), (1.5e-15, 1e-17)]),
    (40, &[(2e-22, 1e-24)]),
];

/// The places of each function.
fn places() -> impl Iterator<Item = Vec<Place>> {
    let laws = PLACES.iter().map(|(law, places)| {
        let of = |&(center, radius): &(f64, f64)| Place::new(*law, center, radius);
        places.iter().map(of).collect()
    });
    let zeros = ZEROS.iter().map(|(k, places)| {
        let of = |&(center, radius): &(f64, f64)| Place::from_zero(*k, center, radius);
        places.iter().map(of).collect()
    });
    laws.chain(zeros)
}

/// All laws have places: those that are not among them have built-in routines.
#[test]
fn every_law_is_compared() {
    let closed = [
        Law::Exp,
        Law::Ln,
        Law::Recip,
        Law::Sqrt,
        Law::RecipSqrt,
        Law::Cbrt,
        Law::Sin,
        Law::Cos,
    ];
    for law in Law::ALL {
        let here = PLACES.iter().any(|(l, _)| l == law);
        assert!(here != closed.contains(law), "{law:?}");
    }
}

/// `cargo test --release -p dc-exact --test ring -- --ignored laws_bound --nocapture`
#[test]
#[ignore = "half a minute"]
fn laws_bound_the_errors_of_their_kernels_at_more_inputs() {
    bounds_hold(100_000);
}

#[test]
fn laws_bound_the_errors_of_their_kernels() {
    bounds_hold(4000);
}

/// Compares the bounds with the errors of that many inputs of each law.
fn bounds_hold(inputs_of_each: u64) {
    let mut random = Random::of(47, 1);
    let (mut inputs, mut wide) = (0, Vec::new());
    for places in places() {
        let each = inputs_of_each / places.len() as u64;
        for place in places {
            let [bound, worst] = place.bound_and_sample(each, &mut random);
            inputs += each;
            println!("{}: at most {bound:.4}, {worst:.4} of {each}", place.name);
            // The checker's own derivatives over the whole cell.
            let options = Options {
                every: 1,
                jobs: 1,
                sieve: 0,
            };
            let claim = 1.2 * bound + 1e-6;
            let text = cut(&place.program, &place.truth, place.cell, claim);
            let checked = check(&text, options);
            assert!(checked.is_ok(), "{}: {:?}", place.name, checked.err());
            // A bound that is far above all errors has no use, and shows that the law's derivatives are not those of its values.
            if bound > 1.5 * worst + 1e-6 {
                wide.push(place.name);
            }
        }
    }
    println!("{inputs} inputs");
    assert_eq!(wide, Vec::<String>::new());
}

#[test]
fn maxima_of_short_stretches_are_those_of_brute_force_and_of_the_checker() {
    maxima_agree(7);
}

/// `cargo test --release -p dc-exact --test ring -- --ignored maxima_of --nocapture`
#[test]
#[ignore = "half a minute"]
fn maxima_of_stretches_are_those_of_brute_force_and_of_the_checker() {
    maxima_agree(11);
}

/// Compares the maxima of stretches of `2^lg` inputs, and has the checker refuse claims below them.
fn maxima_agree(lg: u32) {
    let mut lowered = Lowered::default();
    // Beside the first zero, values are not known to the digits that decide which input has the largest error.
    for place in places().take(PLACES.len()).flatten() {
        place.short(lg, &mut lowered);
    }
    println!("{}", lowered.line());
    assert_eq!(lowered.accepted, Vec::<String>::new());
    // Some kernels have no errors, and some errors are not known well enough.
    assert!(
        lowered.proven >= 80 && lowered.lowered >= 400,
        "{}",
        lowered.line()
    );
}
