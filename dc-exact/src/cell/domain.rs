//! The evaluation of a kernel over a cell.
//!
//! Values that are constant on the cell are computed. Values that are real functions of the input are written as the residual program. For
//! all other values that vary (integers, masks and values rounded to integers), only the range is stored. If such a value is combined with
//! a real one, the result has no residual, and the cell must be cut.

use std::collections::{BTreeSet, HashMap};
use std::convert::Infallible;

use kernels_gen::interp::{Bits, Domain, Site, canonical, eval};
use kernels_gen::ops::{Op, Prim};
use kernels_gen::program::{Func, Program, TableData};

use super::eft::{Transform, transform};
use super::line::{Line, Low};
use super::residual::{Index, Kind, Operation, Place, Residual, TwoWords};
use super::values::{Integers, bits, number, signed, word};
use super::{Cell, input_format};
use crate::num::Interval;
use crate::num::float::{BINARY32, BINARY64, Format, greater, grid, lesser};
use crate::num::interval::{add_down, add_up};

/// Bounds of computed values that come from outside this evaluation, by site: from a tighter evaluation, or from the assumptions of a case
/// distinction.
pub type Tight = HashMap<u32, Interval>;

/// The result of an evaluation.
#[derive(Debug)]
pub struct Evaluated {
    /// The kernel's results.
    pub results: Vec<Outcome>,
    /// Places of the operations in the source.
    pub(crate) places: Vec<Place>,
    sites: Sites,
    /// Whether a decision about a number made from an integer was postponed.
    pub put_off: bool,
    /// All operations on real numbers, including those on which no result depends.
    pub(crate) operations: Vec<Operation>,
    /// The values from which integers are made, in order.
    pub(crate) made_integers: Vec<Index>,
}

/// The result of a kernel on a cell.
#[derive(Debug, Clone)]
pub enum Outcome {
    /// A constant, by its bits.
    Constant(u64),
    /// A program in real arithmetic.
    Residual(Residual),
    /// It is not one program on the whole cell. Contains the site of the value that varies but must not, or of the result.
    Varies {
        /// The site.
        site: u32,
        /// Whether the site is a mask of an integer that would be one line if the bits that do not pass were constant.
        carries: bool,
    },
    /// It would be one program on smaller cells, wherever the cell is cut. Contains the site of the value whose range is too wide.
    Wide {
        /// The site.
        site: u32,
    },
    /// No input of the cell meets the assumed bounds.
    Empty,
}

/// A value over a cell.
#[derive(Debug, Clone, Copy)]
pub(super) enum Over {
    /// A constant, by its bits.
    Const(u64),
    /// An operation of the residual.
    Real(Index),
    /// A float within the range, in which -0 is below 0, that is not a real expression of the input. It may be NaN if the flag is set.
    Step(Interval, bool, u32),
    /// An integer that varies within the range.
    Int(Integers, u32),
    /// An integer that varies within the range; it is the line with this number.
    Line(u32, Integers, u32),
    /// The bits of an operation of the residual, whose results have one sign, plus a constant; and the site since which they vary.
    Word(Index, i64, u32),
    /// The lowest bits of a word, which varies within the range.
    Low(Low, Integers, u32),
    /// A mask whose value is unknown.
    Mask(u32),
}

impl Over {
    /// The site since which it varies. `None` for constants and real numbers.
    pub(super) fn since(&self) -> Option<u32> {
        match *self {
            Over::Const(_) | Over::Real(_) => None,
            Over::Step(_, _, site)
            | Over::Int(_, site)
            | Over::Line(_, _, site)
            | Over::Word(_, _, site)
            | Over::Low(_, _, site)
            | Over::Mask(site) => Some(site),
        }
    }
}

/// Sites at which a number is made from an integer.
pub type Sites = BTreeSet<u32>;

/// Evaluates a kernel of one float over a cell. `real` selects the meaning only in real arithmetic, as for a reference. Then a rounding
/// that is the same on the whole cell is not applied, and a single input is not a constant.
#[must_use]
pub fn evaluate(program: &Program, cell: Cell, tight: &Tight, real: bool) -> Evaluated {
    evaluate_with(
        program,
        cell,
        tight,
        real,
        TwoWords::default(),
        Affine::default(),
    )
}

/// The same for a kernel whose numbers may have two words.
#[must_use]
pub fn evaluate_two_words(
    program: &Program,
    cell: Cell,
    tight: &Tight,
    two: TwoWords,
) -> Evaluated {
    evaluate_with(program, cell, tight, false, two, Affine::default())
}

/// Evaluates a kernel over a cell. If a number is made from an integer that has more than `most` values, its site is added to `sites`. At
/// these sites the number is an affine function with a deviation, if possible, so the cell need not be cut at each value. If `patient` is
/// set, the decision for a number that depends on other such numbers waits for cells on which these are constants.
#[must_use]
pub fn evaluate_affine(
    program: &Program,
    cell: Cell,
    two: TwoWords,
    most: u64,
    sites: &mut Sites,
    patient: bool,
) -> Evaluated {
    let affine = Affine {
        most,
        patient,
        sites: std::mem::take(sites),
        ..Affine::default()
    };
    let mut evaluated = evaluate_with(program, cell, &Tight::new(), false, two, affine);
    std::mem::swap(sites, &mut evaluated.sites);
    evaluated
}

/// The treatment of numbers that are affine functions of others.
pub(super) struct Affine {
    /// An integer with more values than this is not cut at each of them.
    pub(super) most: u64,
    /// Whether the decision waits until numbers that vary earlier are constants,
    pub(super) patient: bool,
    /// and whether it has waited.
    pub(super) put_off: bool,
    /// Sites at which numbers are made from integers with more values.
    pub(super) sites: Sites,
    /// Sites of numbers that are in more than one binade, although their bits are used.
    pub(super) wide: Sites,
}

impl Default for Affine {
    fn default() -> Affine {
        Affine {
            most: u64::MAX,
            patient: false,
            put_off: false,
            sites: Sites::new(),
            wide: Sites::new(),
        }
    }
}

/// Room for the operations of most kernels.
const OPERATIONS: usize = 64;

fn evaluate_with(
    program: &Program,
    cell: Cell,
    tight: &Tight,
    real: bool,
    two: TwoWords,
    affine: Affine,
) -> Evaluated {
    let ty = program.entry().params[0].1;
    let mut domain = Cells {
        real,
        affine,
        operations: Vec::with_capacity(OPERATIONS),
        places: Vec::with_capacity(OPERATIONS),
        ..Cells::new(tight)
    };
    let input = if cell.lo == cell.hi && !real {
        Over::Const(bits(ty, cell.lo))
    } else {
        domain.input(Interval::new(cell.lo, cell.hi), input_format(program))
    };
    let low = two.low.map(|low| domain.low_word(low));
    let both = [input, low.unwrap_or(input)];
    let inputs = &both[..1 + usize::from(low.is_some())];
    let Ok(mut results) = eval(program, &mut domain, inputs);
    if two.results
        && let Some(sum) = domain.in_words(&results)
    {
        results = vec![sum];
    }
    let outcome = |value: &Over| match *value {
        _ if domain.empty => Outcome::Empty,
        Over::Const(bits) => Outcome::Constant(bits),
        Over::Real(i) => Outcome::Residual(Residual::live(&domain.operations, i)),
        Over::Step(_, _, site)
        | Over::Int(_, site)
        | Over::Line(_, _, site)
        | Over::Word(_, _, site)
        | Over::Low(_, _, site)
        | Over::Mask(site) => match domain.affine.wide.contains(&site) {
            true => Outcome::Wide { site },
            false => Outcome::Varies {
                site,
                carries: domain.carries.contains(&site),
            },
        },
    };
    Evaluated {
        results: results.iter().map(outcome).collect(),
        places: domain.places,
        sites: domain.affine.sites,
        put_off: domain.affine.put_off,
        operations: domain.operations,
        made_integers: domain.made_integers,
    }
}

pub(super) struct Cells<'a> {
    pub(super) tight: &'a Tight,
    pub(super) real: bool,
    pub(super) operations: Vec<Operation>,
    pub(super) places: Vec<Place>,
    /// Sites whose values vary, besides real numbers, where constants are needed. Everything computed from such an operation changes at
    /// each input, so the cell is cut where these sites change.
    pub(super) mixed: Vec<u32>,
    /// Sites since which numbers made from integers vary.
    pub(super) stepped: Vec<u32>,
    pub(super) lines: Vec<Line>,
    /// Sites of masks that do not let all varying bits pass.
    pub(super) carries: Vec<u32>,
    pub(super) affine: Affine,
    /// Operations from which integers are made.
    pub(super) made_integers: Vec<Index>,
    /// The bounds of `tight` cannot be met.
    pub(super) empty: bool,
}

pub(super) fn format_of(ty: Prim) -> Format {
    if ty == Prim::F32 { BINARY32 } else { BINARY64 }
}

impl<'a> Cells<'a> {
    /// An evaluation that has not begun.
    pub(super) fn new(tight: &'a Tight) -> Cells<'a> {
        Cells {
            tight,
            real: false,
            operations: Vec::new(),
            places: Vec::new(),
            mixed: Vec::new(),
            stepped: Vec::new(),
            lines: Vec::new(),
            carries: Vec::new(),
            affine: Affine::default(),
            made_integers: Vec::new(),
            empty: false,
        }
    }
}

impl Cells<'_> {
    /// The computed values of a site, within the bounds of `tight`.
    pub(super) fn tightened(&mut self, site: u32, values: Interval) -> Interval {
        let Some(bound) = self.tight.get(&site) else {
            return values;
        };
        let both = values.meet(*bound);
        self.empty |= both.is_none();
        both.unwrap_or(values)
    }

    /// The input, with this range.
    pub(super) fn input(&mut self, range: Interval, format: Format) -> Over {
        self.push(Operation {
            kind: Kind::Input,
            site: 0,
            format,
            values: range,
            reals: range,
            grid: format.ulp(range.least()),
            direction: None,
            rounding: None,
        })
    }

    /// The range of a float. `None` if it may be NaN.
    pub(super) fn range(&self, ty: Prim, value: &Over) -> Option<Interval> {
        match *value {
            Over::Const(bits) => {
                let x = number(ty, bits);
                (!x.is_nan()).then(|| Interval::point(x))
            }
            Over::Real(i) => Some(self.operations[i as usize].values),
            Over::Step(range, nan, _) => (!nan).then_some(range),
            Over::Int(..) | Over::Line(..) | Over::Word(..) | Over::Low(..) | Over::Mask(_) => None,
        }
    }

    pub(super) fn integers(&self, ty: Prim, value: &Over) -> Integers {
        match *value {
            Over::Const(bits) => Integers {
                lo: signed(ty, bits),
                hi: signed(ty, bits),
            },
            Over::Int(range, _) | Over::Line(_, range, _) | Over::Low(_, range, _) => range,
            Over::Word(i, plus, _) => self.word_range(i, plus),
            _ => Integers::all(ty),
        }
    }

    pub(super) fn unknown(ty: Prim, site: u32) -> Over {
        match ty {
            Prim::F64 | Prim::F32 => Over::Step(Interval::ALL, true, site),
            Prim::I64 | Prim::I32 => Over::Int(Integers::all(ty), site),
            Prim::Mask => Over::Mask(site),
        }
    }

    /// The site since which an operand may be NaN, or is an integer in place of a number. The cell is cut there, because everything
    /// computed from it changes at other places too.
    pub(super) fn unknown_operand(args: &[&Over]) -> Option<u32> {
        args.iter().find_map(|a| match **a {
            Over::Step(_, true, site)
            | Over::Int(_, site)
            | Over::Line(_, _, site)
            | Over::Low(_, _, site)
            | Over::Mask(site) => Some(site),
            _ => None,
        })
    }

    pub(super) fn integer(ty: Prim, range: Integers, site: u32) -> Over {
        if range.lo == range.hi {
            Over::Const(word(ty, range.lo))
        } else {
            Over::Int(range, site)
        }
    }

    /// The index of an operand in the residual.
    pub(super) fn operand(&mut self, ty: Prim, value: &Over, site: u32) -> Option<Index> {
        match *value {
            Over::Real(i) => Some(i),
            Over::Const(bits) => {
                let x = number(ty, bits);
                if !x.is_finite() {
                    return None;
                }
                self.operations.push(Operation {
                    kind: Kind::Const(x),
                    site,
                    format: format_of(ty),
                    values: Interval::point(x),
                    reals: Interval::point(x),
                    grid: grid(x),
                    direction: None,
                    rounding: None,
                });
                Some(self.operations.len() as Index - 1)
            }
            _ => None,
        }
    }

    pub(super) fn push(&mut self, operation: Operation) -> Over {
        self.operations.push(operation);
        Over::Real(self.operations.len() as Index - 1)
    }

    pub(super) fn label(&mut self, site: Site<'_>, op: Op) {
        self.places.push(Place::of(site, op));
    }
}

impl Domain for Cells<'_> {
    type Value = Over;
    type Refusal = Infallible;

    fn constant(&mut self, _: Site<'_>, _: Prim, bits: u64) -> Result<Over, Infallible> {
        Ok(Over::Const(bits))
    }

    fn op(
        &mut self,
        site: Site<'_>,
        op: Op,
        prims: &[Prim],
        args: &[&Over],
    ) -> Result<Over, Infallible> {
        let out = site.instruction().ty;
        let plain = Self::constants(op, prims, args);
        let plain = [&plain[0], &plain[1], &plain[2]];
        let args = &plain[..args.len()];
        let mut words = [0u64; 3];
        let all = args.iter().zip(&mut words).all(|(a, w)| match **a {
            Over::Const(bits) => {
                *w = bits;
                true
            }
            _ => false,
        });
        if all {
            let refs = [&words[0], &words[1], &words[2]];
            let result = Bits.op(op, prims, &refs[..args.len()]);
            return Ok(Over::Const(canonical(out, result)));
        }
        // A branch that is not taken must not determine where the cell is cut.
        if let (Op::Select, Over::Const(m)) = (op, args[0]) {
            return Ok(*args[if *m != 0 { 1 } else { 2 }]);
        }
        let value = self.operation(site, op, prims, args);
        Ok(self.since_mixed(value, args))
    }

    fn load(
        &mut self,
        site: Site<'_>,
        table: &TableData,
        ty: Prim,
        index: &Over,
    ) -> Result<Over, Infallible> {
        let at = site.number;
        let out = table.prim();
        if let Over::Const(bits) = index {
            return Ok(Over::Const(Bits.load(table, ty, bits)));
        }
        let range = self.integers(ty, index);
        if range.lo == range.hi {
            return Ok(Over::Const(Bits.load(table, ty, &word(ty, range.lo))));
        }
        // The entries that may be read: all of them, unless the range of the index is within the table.
        let last = table.bits.len() as i64 - 1;
        let entries = if range.lo >= 0 && range.hi <= last {
            &table.bits[range.lo as usize..=range.hi as usize]
        } else {
            &table.bits[..]
        };
        if entries.iter().all(|&e| e == entries[0]) {
            return Ok(Over::Const(entries[0]));
        }
        let value = if out.is_float() {
            let numbers = entries.iter().map(|&e| number(out, e));
            let (mut lo, mut hi, mut nan) = (f64::INFINITY, f64::NEG_INFINITY, false);
            for x in numbers {
                nan |= x.is_nan();
                lo = lesser(lo, x);
                hi = greater(hi, x);
            }
            Over::Step(Interval::new(lo, hi), nan, at)
        } else {
            let numbers = entries.iter().map(|&e| signed(out, e));
            let lo = numbers.clone().min().unwrap_or_default();
            let hi = numbers.max().unwrap_or_default();
            Over::Int(Integers { lo, hi }, at)
        };
        Ok(self.since_mixed(value, &[index]))
    }

    fn call(
        &mut self,
        site: Site<'_>,
        callee: &Func,
        args: &[Over],
    ) -> Result<Option<Vec<Over>>, Infallible> {
        if !args.iter().any(|a| matches!(a, Over::Real(_))) {
            return Ok(None);
        }
        let Some(transform) = transform(callee) else {
            return Ok(None);
        };
        let known = |a: &Over| matches!(a, Over::Real(_) | Over::Const(_));
        if args.len() != 2 || !args.iter().all(known) {
            return Ok(None);
        }
        let pair = [&args[0], &args[1]];
        let ranges = [
            self.range(Prim::F64, pair[0]),
            self.range(Prim::F64, pair[1]),
        ];
        let [Some(a), Some(b)] = ranges else {
            return Ok(None);
        };
        // `two_prod` is recognized by its operations. Dekker's sum requires operands ordered by magnitude.
        let transforms = match transform {
            Transform::TwoSum => true,
            Transform::FastTwoSum => a.least() >= b.magnitude(),
        };
        // No partial result of the error may overflow.
        let large = add_up(a.magnitude(), b.magnitude()) > 1e307;
        if !transforms || large || add_down(a.magnitude(), b.magnitude()) == 0.0 {
            return Ok(None);
        }
        // Where `b` may be -0, Dekker's error `b - (s - a)` of an exact sum may be -0 as well.
        let zero_known = match transform {
            Transform::TwoSum => true,
            Transform::FastTwoSum => !b.contains(0.0),
        };
        Ok(self.two_sum(site, &pair, zero_known))
    }
}
