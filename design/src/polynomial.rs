//! Polynomials in kernels: their powers, and the order of their evaluation.

use kernels_gen::syntax::Expr;

use crate::build::{Builder, add, div, mul, neg, sub};

/// The powers of a polynomial, and its form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Form {
    /// `c0 + c1 v + …`
    All,
    /// `v (c1 + c2 v + …)`
    NoConstant,
    /// `v + v² (c2 + c3 v + …)`
    FromSquare,
    /// `v (c1 + c3 v² + …)`
    Odd,
    /// `v + v³ (c3 + c5 v² + …)`
    OddFromCube,
    /// `v + v³ (c3 + c5 v² + …)`, where the product with `c3` and its sum with `v` have two words
    OddTwoWords,
    /// `c0 + c2 v² + …`
    Even,
    /// `1 + v² (c2 + c4 v² + …)`
    EvenFromSquare,
}

impl Form {
    /// The power of each of `n` coefficients.
    #[must_use]
    pub fn powers(self, n: u32) -> Vec<u32> {
        let (first, step) = match self {
            Form::All => (0, 1),
            Form::NoConstant => (1, 1),
            Form::FromSquare => (2, 1),
            Form::Odd => (1, 2),
            Form::OddFromCube | Form::OddTwoWords => (3, 2),
            Form::Even => (0, 2),
            Form::EvenFromSquare => (2, 2),
        };
        (0..n).map(|i| first + step * i).collect()
    }

    /// The power whose coefficient is 1, if there is one.
    #[must_use]
    pub const fn one(self) -> Option<u32> {
        match self {
            Form::FromSquare | Form::OddFromCube | Form::OddTwoWords => Some(1),
            Form::EvenFromSquare => Some(0),
            Form::All | Form::NoConstant | Form::Odd | Form::Even => None,
        }
    }

    /// The powers of `n` coefficients of a denominator `1 + …`.
    #[must_use]
    pub fn below(self, n: u32) -> Vec<u32> {
        let step = match self {
            Form::All | Form::NoConstant | Form::FromSquare => 1,
            _ => 2,
        };
        (1..=n).map(|i| step * i).collect()
    }

    /// Whether the first coefficient has two words. The second one follows all others.
    #[must_use]
    pub const fn two_words(self) -> bool {
        matches!(self, Form::OddTwoWords)
    }
}

/// The order of evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scheme {
    /// One coefficient after the other.
    Horner,
    /// Pairs, then pairs of pairs, and so on.
    Estrin,
    /// Even and odd powers separately.
    EvenOdd,
}

impl Scheme {
    /// All orders.
    pub const ALL: [Scheme; 3] = [Scheme::Horner, Scheme::Estrin, Scheme::EvenOdd];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Scheme::Horner => "Horner",
            Scheme::Estrin => "Estrin",
            Scheme::EvenOdd => "even/odd",
        }
    }

    /// Whether this order differs from Horner's for this many coefficients.
    #[must_use]
    pub const fn matters(self, n: u32) -> bool {
        match self {
            Scheme::Horner => true,
            Scheme::Estrin | Scheme::EvenOdd => n >= 4,
        }
    }
}

/// The plan by which a polynomial is evaluated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plan {
    /// Its powers.
    pub form: Form,
    /// The order of evaluation.
    pub scheme: Scheme,
    /// The number of coefficients.
    pub terms: u32,
    /// The number that is subtracted from the variable, or from its square; 0 for no subtraction.
    pub center: f64,
    /// The number of coefficients after 1 of the denominator, by which the part after the known terms is divided; 0 without a division.
    pub denominator: u32,
}

/// The polynomial at `v`.
pub fn polynomial(b: &mut Builder, plan: Plan, v: &Expr) -> Expr {
    let Plan {
        form,
        scheme,
        terms: n,
        center,
        denominator: _,
    } = plan;
    let minus = |b: &mut Builder| b.number("MINUS_CENTER", -center);
    let square = |b: &mut Builder| {
        let s = match center {
            0.0 => mul(v.clone(), v.clone()),
            _ => {
                let minus = minus(b);
                b.fma(v.clone(), v.clone(), minus)
            }
        };
        b.bind("s", s)
    };
    match form {
        Form::All if center != 0.0 => {
            let minus = minus(b);
            let v = b.bind("v", add(v.clone(), minus));
            ratio(b, plan, &v)
        }
        Form::All => ratio(b, plan, v),
        Form::NoConstant => {
            let p = ratio(b, plan, v);
            mul(v.clone(), p)
        }
        Form::FromSquare => {
            let (s, p) = from_square(b, plan, v);
            b.fma(s, p, v.clone())
        }
        Form::Odd => {
            let s = square(b);
            let p = ratio(b, plan, &s);
            mul(v.clone(), p)
        }
        Form::OddFromCube => {
            let s = square(b);
            let p = ratio(b, plan, &s);
            let cube = mul(v.clone(), s);
            b.fma(cube, p, v.clone())
        }
        Form::OddTwoWords => {
            let s = square(b);
            odd_in_two_words(b, scheme, n, v, &s)
        }
        Form::Even => {
            let s = square(b);
            ratio(b, plan, &s)
        }
        Form::EvenFromSquare => {
            let s = square(b);
            let p = ratio(b, plan, &s);
            let one = b.literal(1.0);
            b.fma(s, p, one)
        }
    }
}

/// The square of `v`, and the polynomial by which [`Form::FromSquare`] multiplies it.
pub fn from_square(b: &mut Builder, plan: Plan, v: &Expr) -> (Expr, Expr) {
    let p = ratio(b, plan, v);
    let s = b.bind("s", mul(v.clone(), v.clone()));
    (s, p)
}

/// `v + v³ (c + s q)`, `s = v²`, where only `s q` has one word.
fn odd_in_two_words(b: &mut Builder, scheme: Scheme, n: u32, v: &Expr, s: &Expr) -> Expr {
    let c = b.coefficient();
    let q = sum(b, scheme, n - 1, s);
    let q = b.bind("q", q);
    let c_lo = b.coefficient();
    let s_lo = b.fma(v.clone(), v.clone(), neg(s.clone()));
    let s_lo = b.bind("s_lo", s_lo);
    let u = b.bind("u", mul(s.clone(), q));
    let p = b.bind("p", add(c.clone(), u.clone()));
    let p_lo = add(add(sub(c, p.clone()), u), c_lo);
    let p_lo = b.bind("p_lo", p_lo);
    let cube = b.bind("cube", mul(v.clone(), s.clone()));
    let cube_lo = b.fma(v.clone(), s.clone(), neg(cube.clone()));
    let cube_lo = b.bind("cube_lo", cube_lo);
    let cube_lo = b.fma(v.clone(), s_lo, cube_lo);
    let cube_lo = b.bind("cube_lo", cube_lo);
    let t = b.bind("t", mul(cube.clone(), p.clone()));
    let t_lo = b.fma(cube.clone(), p.clone(), neg(t.clone()));
    let t_lo = b.bind("t_lo", t_lo);
    let t_lo = b.fma(cube, p_lo, t_lo);
    let t_lo = b.bind("t_lo", t_lo);
    let t_lo = b.fma(cube_lo, p, t_lo);
    let t_lo = b.bind("t_lo", t_lo);
    let y = b.bind("y", add(v.clone(), t.clone()));
    let y_lo = add(sub(v.clone(), y.clone()), t);
    let y_lo = b.bind("y_lo", y_lo);
    add(y, add(y_lo, t_lo))
}

/// `(c0 + c1 v + …) / (1 + d1 v + …)`, or without a division.
fn ratio(b: &mut Builder, plan: Plan, v: &Expr) -> Expr {
    let above = sum(b, plan.scheme, plan.terms, v);
    if plan.denominator == 0 {
        return above;
    }
    let above = b.bind("n", above);
    let below = sum(b, plan.scheme, plan.denominator, v);
    let below = b.fma(v.clone(), below, b.literal(1.0));
    let below = b.bind("d", below);
    b.bind("p", div(above, below))
}

/// `c0 + c1 v + …`, of the next `n` coefficients.
fn sum(b: &mut Builder, scheme: Scheme, n: u32, v: &Expr) -> Expr {
    let mut c: Vec<Expr> = (0..n).map(|_| b.coefficient()).collect();
    if n < 2 {
        return c.pop().unwrap_or_else(|| b.literal(0.0));
    }
    match scheme {
        Scheme::Horner => horner(b, &c, v, "p"),
        Scheme::EvenOdd if n < 4 => horner(b, &c, v, "p"),
        Scheme::EvenOdd => {
            let vv = b.bind("vv", mul(v.clone(), v.clone()));
            let each = |from: usize| c.iter().skip(from).step_by(2).cloned().collect::<Vec<_>>();
            let even = horner(b, &each(0), &vv, "even");
            let odd = horner(b, &each(1), &vv, "odd");
            let p = b.fma(v.clone(), odd, even);
            b.bind("p", p)
        }
        Scheme::Estrin => {
            let mut power = v.clone();
            while c.len() > 1 {
                let mut next = Vec::new();
                for pair in c.chunks(2) {
                    next.push(match pair {
                        [low, high] => {
                            let p = b.fma(power.clone(), high.clone(), low.clone());
                            b.bind("p", p)
                        }
                        _ => pair[0].clone(),
                    });
                }
                c = next;
                if c.len() > 1 {
                    power = b.bind("v", mul(power.clone(), power.clone()));
                }
            }
            c.remove(0)
        }
    }
}

fn horner(b: &mut Builder, c: &[Expr], v: &Expr, name: &str) -> Expr {
    let mut rest = c.iter().rev().cloned();
    let Some(mut p) = rest.next() else {
        return b.literal(0.0);
    };
    for c in rest {
        let next = b.fma(p, v.clone(), c);
        p = b.bind(name, next);
    }
    p
}
