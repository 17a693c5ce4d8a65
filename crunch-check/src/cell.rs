//! A kernel on a cell of inputs: what is constant there is computed, what is real becomes a line.

use crate::ir::{Inst, Program, Type, What};
use crate::number::power_double;
use crate::point::{apply, load, of_double, operand_type, to_double, to_int};
use crate::residual::{Assumed, Builder, Kind, Line, Made, Node, Stop, expo, ulp};

/// What a kernel is on a cell.
pub enum Outcome {
    /// One number: its bits.
    Constant(u64),
    /// A line.
    Line(Line),
}

/// A value on a cell.
#[derive(Debug, Clone, Copy)]
enum Over {
    /// These bits.
    Const(u64),
    /// An operation of the line.
    Real(usize),
    /// A float in a range, which is no NaN.
    Float(f64, f64),
    /// An integer in a range.
    Int(i64, i64),
    /// The bits of an operation of the line, whose sign is one, plus a constant.
    Word(usize, i64),
    /// Nothing is known.
    Any,
}

/// A kernel on the doubles from `lo` to `hi`, which have one sign. With `constants`, sums whose rounding is that of a
/// constant are taken as exact, with the rounded constant.
///
/// # Errors
/// Where it is more than one line, or not finite, or has an operation that is not known here.
pub fn outcome(program: &Program, lo: f64, hi: f64, constants: bool) -> Result<Outcome, Stop> {
    let none = Assumed::new();
    let mut run = Run::new(program, &none);
    run.builder.constants = constants;
    let values = run.values(lo, hi)?;
    match values[program.result] {
        Over::Const(bits) => Ok(Outcome::Constant(bits)),
        Over::Real(i) => Ok(Outcome::Line(Line::live(&run.builder.nodes, i))),
        _ => Err(Stop::No(
            "the kernel is more than one line on the cell".into(),
        )),
    }
}

/// A reference on the doubles from `lo` to `hi`, of which no operation on what depends on the input is rounded: the sum of
/// its results.
///
/// # Errors
/// As [`outcome`].
pub fn in_reals(program: &Program, lo: f64, hi: f64) -> Result<Line, Stop> {
    let none = Assumed::new();
    let mut run = Run::new(program, &none);
    run.builder.reals = true;
    let values = run.values(lo, hi)?;
    let mut node = |site: usize| match values[site] {
        Over::Real(i) => Ok(i),
        Over::Const(bits) if f64::from_bits(bits).is_finite() => {
            Ok(run.builder.constant(f64::from_bits(bits), site))
        }
        _ => Err(Stop::No(
            "the reference is more than one line on the cell".into(),
        )),
    };
    let high = node(program.result)?;
    let result = match program.low {
        None => high,
        Some(low) => {
            let low = node(low)?;
            let (a, b) = (run.builder.nodes[high], run.builder.nodes[low]);
            run.builder.nodes.push(Node {
                kind: Kind::Add(high, low),
                lo: a.lo + b.lo,
                hi: a.hi + b.hi,
                ..a
            });
            run.builder.nodes.len() - 1
        }
    };
    Ok(Line::live(&run.builder.nodes, result))
}

struct Run<'a> {
    program: &'a Program,
    builder: Builder<'a>,
}

fn full(ty: Type) -> (i64, i64) {
    if ty == Type::I32 {
        (i32::MIN.into(), i32::MAX.into())
    } else {
        (i64::MIN, i64::MAX)
    }
}

fn int(ty: Type, lo: i128, hi: i128) -> Over {
    let (least, most) = full(ty);
    if lo < i128::from(least) || hi > i128::from(most) {
        return Over::Any;
    }
    if lo == hi {
        return Over::Const(if ty == Type::I32 {
            lo as u32 as u64
        } else {
            lo as u64
        });
    }
    Over::Int(lo as i64, hi as i64)
}

fn mask(m: bool) -> Over {
    Over::Const(m.into())
}

impl<'a> Run<'a> {
    fn new(program: &'a Program, none: &'a Assumed) -> Run<'a> {
        Run {
            program,
            builder: Builder {
                assumed: none,
                constants: false,
                reals: false,
                nodes: Vec::new(),
            },
        }
    }

    /// The values of all instructions.
    fn values(&mut self, lo: f64, hi: f64) -> Result<Vec<Over>, Stop> {
        let program = self.program;
        let mut values: Vec<Over> = Vec::with_capacity(program.insts.len());
        for (site, inst) in program.insts.iter().enumerate() {
            let args: Vec<Over> = inst.args.iter().map(|&a| values[a]).collect();
            let value = match &inst.what {
                What::Param if inst.ty != Type::F64 => {
                    return Err(Stop::No("the kernel's argument is not binary64".into()));
                }
                What::Param if lo == hi && !self.builder.reals => Over::Const(lo.to_bits()),
                What::Param => {
                    let grid = ulp(if lo.abs() < hi.abs() { lo } else { hi });
                    self.builder.nodes.push(Node {
                        kind: Kind::Input,
                        site,
                        lo,
                        hi,
                        grid,
                        rounding: None,
                    });
                    Over::Real(self.builder.nodes.len() - 1)
                }
                What::Const(bits) => Over::Const(*bits),
                What::Load(table) => self.load(*table, inst, args[0]),
                What::Op(name) => self.op(site, inst, name, &args)?,
            };
            values.push(value);
        }
        Ok(values)
    }

    /// A float's range; `None` where it may be NaN.
    fn range(&self, ty: Type, value: Over) -> Option<(f64, f64)> {
        match value {
            Over::Const(bits) => Some(to_double(ty, bits))
                .filter(|x| !x.is_nan())
                .map(|x| (x, x)),
            Over::Real(i) => Some((self.builder.nodes[i].lo, self.builder.nodes[i].hi)),
            Over::Float(lo, hi) => Some((lo, hi)),
            _ => None,
        }
    }

    fn ints(&self, ty: Type, value: Over) -> (i64, i64) {
        match value {
            Over::Const(bits) => (to_int(ty, bits), to_int(ty, bits)),
            Over::Int(lo, hi) => (lo, hi),
            Over::Word(i, plus) => {
                let node = &self.builder.nodes[i];
                let ends = [node.lo, node.hi].map(|x| (x.to_bits() as i64).checked_add(plus));
                match ends {
                    [Some(a), Some(b)] => (a.min(b), a.max(b)),
                    _ => full(ty),
                }
            }
            _ => full(ty),
        }
    }

    fn load(&self, table: usize, inst: &Inst, index: Over) -> Over {
        let ty = operand_type(self.program, inst);
        let (lo, hi) = self.ints(ty, index);
        let bits = &self.program.tables[table].bits;
        let entries = if lo == hi {
            return Over::Const(load(self.program, table, ty, lo as u64));
        } else if lo >= 0 && (hi as u64) < bits.len() as u64 {
            &bits[lo as usize..=hi as usize]
        } else {
            &bits[..]
        };
        if entries.iter().all(|e| *e == entries[0]) {
            return Over::Const(entries[0]);
        }
        if inst.ty.is_float() {
            let numbers = entries.iter().map(|&e| to_double(inst.ty, e));
            if numbers.clone().any(f64::is_nan) {
                return Over::Any;
            }
            let lo = numbers.clone().fold(f64::INFINITY, f64::min);
            let hi = numbers.fold(f64::NEG_INFINITY, f64::max);
            return Over::Float(lo, hi);
        }
        let numbers = entries.iter().map(|&e| to_int(inst.ty, e));
        let (lo, hi) = (
            numbers.clone().min().unwrap_or(0),
            numbers.max().unwrap_or(0),
        );
        Over::Int(lo, hi)
    }

    fn op(&mut self, site: usize, inst: &Inst, name: &str, args: &[Over]) -> Result<Over, Stop> {
        let ty = operand_type(self.program, inst);
        let known = |a: &Over| matches!(a, Over::Const(_));
        if args.iter().all(known) {
            let words: Vec<u64> = args
                .iter()
                .map(|a| if let Over::Const(w) = a { *w } else { 0 })
                .collect();
            return apply(name, ty, inst.ty, &words)
                .map(Over::Const)
                .map_err(Stop::No);
        }
        Ok(match name {
            "select" => match args[0] {
                Over::Const(m) => args[if m != 0 { 1 } else { 2 }],
                _ => self.either(ty, args[1], args[2]),
            },
            "add" | "sub" | "mul" | "div" | "fma" | "sqrt" | "recip" if ty == Type::F64 => {
                self.real(site, name, args)?
            }
            "neg" | "abs" | "copy_sign" | "min" | "max" if ty.is_float() => {
                self.chosen(site, ty, name, args)?
            }
            "lt" | "le" | "gt" | "ge" | "eq" | "ne" => self.comparison(ty, name, args),
            "is_nan" => self.range(ty, args[0]).map_or(Over::Any, |_| mask(false)),
            "is_sign_negative" => match self.range(ty, args[0]) {
                Some((lo, _)) if lo > 0.0 => mask(false),
                Some((_, hi)) if hi < 0.0 => mask(true),
                _ => Over::Any,
            },
            "to_f64" if ty.is_float() => args[0],
            "to_bits" if ty == Type::F64 && self.signed(args[0]).is_some() => {
                self.signed(args[0]).map_or(Over::Any, |i| Over::Word(i, 0))
            }
            // Monotone in their one operand.
            "floor" | "ceil" | "trunc" | "round_ties_even" | "to_f32" | "to_f64" | "to_i64"
            | "to_bits" | "to_i32" => self.monotone(ty, inst.ty, name, args[0]),
            "add" | "sub" if self.moved(name, args).is_some() => {
                self.moved(name, args).unwrap_or(Over::Any)
            }
            "from_bits" => {
                if let Over::Word(i, plus) = args[0]
                    && let Some(scaled) = self.scaled(site, i, plus)?
                {
                    return Ok(scaled);
                }
                let (lo, hi) = self.ints(ty, args[0]);
                let (p, q) = (to_double(inst.ty, lo as u64), to_double(inst.ty, hi as u64));
                if p.is_nan() || q.is_nan() || (lo < 0) != (hi < 0) {
                    Over::Any
                } else {
                    Over::Float(p.min(q), p.max(q))
                }
            }
            "and" | "or" | "xor" | "not" if ty == Type::Mask => Over::Any,
            _ if !ty.is_float() => self.integer(ty, name, args),
            // Arithmetic of binary32 on what varies, and whatever else: an operation on unknown values.
            _ => Over::Any,
        })
    }

    fn either(&self, ty: Type, a: Over, b: Over) -> Over {
        if ty.is_float() {
            return match (self.range(ty, a), self.range(ty, b)) {
                (Some(x), Some(y)) => Over::Float(x.0.min(y.0), x.1.max(y.1)),
                _ => Over::Any,
            };
        }
        if ty == Type::Mask {
            return Over::Any;
        }
        let (x, y) = (self.ints(ty, a), self.ints(ty, b));
        int(ty, x.0.min(y.0).into(), x.1.max(y.1).into())
    }

    /// The operation that a value is, if it has one sign.
    fn signed(&self, value: Over) -> Option<usize> {
        let Over::Real(i) = value else { return None };
        let node = &self.builder.nodes[i];
        (node.lo > 0.0 || node.hi < 0.0).then_some(i)
    }

    /// The bits of an operation, plus or minus a constant.
    fn moved(&self, name: &str, args: &[Over]) -> Option<Over> {
        let (i, plus, by) = match (name, args[0], args[1]) {
            ("add", Over::Word(i, plus), Over::Const(c))
            | ("add", Over::Const(c), Over::Word(i, plus)) => (i, plus, c as i64),
            ("sub", Over::Word(i, plus), Over::Const(c)) => (i, plus, (c as i64).checked_neg()?),
            _ => return None,
        };
        Some(Over::Word(i, plus.checked_add(by)?))
    }

    /// The number whose bits are an operation's, with another exponent: it times a power of two, if all are normal.
    fn scaled(&mut self, site: usize, i: usize, plus: i64) -> Result<Option<Over>, Stop> {
        if plus == 0 {
            return Ok(Some(Over::Real(i)));
        }
        let by = plus >> 52;
        let (lo, hi) = (self.builder.nodes[i].lo, self.builder.nodes[i].hi);
        let normal = |e: i64| (-1022..=1023).contains(&e);
        let ends = [i64::from(expo(lo)), i64::from(expo(hi))];
        if plus != by << 52 || !normal(by) || !ends.iter().all(|&e| normal(e) && normal(e + by)) {
            return Ok(None);
        }
        let factor = self.builder.constant(power_double(by as i32), site);
        Ok(match self.builder.make(Kind::Mul(i, factor), site)? {
            Made::Node(i) => Some(Over::Real(i)),
            Made::Const(c) => Some(Over::Const(c.to_bits())),
        })
    }

    /// An operation on binary64.
    fn real(&mut self, site: usize, name: &str, args: &[Over]) -> Result<Over, Stop> {
        let mut nodes = Vec::new();
        for &a in args {
            nodes.push(match a {
                Over::Real(i) => i,
                Over::Const(bits) if f64::from_bits(bits).is_finite() => {
                    self.builder.constant(f64::from_bits(bits), site)
                }
                // On what is no line only the range is known, of the operations that are monotone in each operand.
                _ => return Ok(self.range_of(name, args)),
            });
        }
        let kind = match name {
            "add" => Kind::Add(nodes[0], nodes[1]),
            "sub" => Kind::Sub(nodes[0], nodes[1]),
            "mul" => Kind::Mul(nodes[0], nodes[1]),
            "div" => Kind::Div(nodes[0], nodes[1]),
            "fma" => Kind::Fma(nodes[0], nodes[1], nodes[2]),
            "sqrt" => Kind::Sqrt(nodes[0]),
            _ => {
                let one = self.builder.constant(1.0, site);
                Kind::Div(one, nodes[0])
            }
        };
        Ok(match self.builder.make(kind, site) {
            Ok(Made::Node(i)) => Over::Real(i),
            Ok(Made::Const(c)) => Over::Const(c.to_bits()),
            Err(Stop::Empty) => return Err(Stop::Empty),
            // It may not matter for the result.
            Err(Stop::No(_)) => self.range_of(name, args),
        })
    }

    fn range_of(&self, name: &str, args: &[Over]) -> Over {
        let ranges: Option<Vec<(f64, f64)>> =
            args.iter().map(|&a| self.range(Type::F64, a)).collect();
        let Some(ranges) = ranges else {
            return Over::Any;
        };
        let zero = |r: &(f64, f64)| r.0 <= 0.0 && r.1 >= 0.0;
        let endless = |r: &(f64, f64)| !(r.0.is_finite() && r.1.is_finite());
        let divides = matches!(name, "div" | "recip");
        if divides && ranges.last().is_some_and(zero)
            || ranges.iter().any(endless) && ranges.iter().any(zero)
        {
            return Over::Any;
        }
        let (mut lo, mut hi) = (f64::INFINITY, f64::NEG_INFINITY);
        for corner in 0..1usize << ranges.len() {
            let words: Vec<u64> = ranges
                .iter()
                .enumerate()
                .map(|(i, r)| if corner >> i & 1 == 0 { r.0 } else { r.1 }.to_bits())
                .collect();
            let Ok(y) = apply(name, Type::F64, Type::F64, &words) else {
                return Over::Any;
            };
            let y = f64::from_bits(y);
            if y.is_nan() {
                return Over::Any;
            }
            lo = lo.min(y);
            hi = hi.max(y);
        }
        if lo.to_bits() == hi.to_bits() {
            Over::Const(lo.to_bits())
        } else {
            Over::Float(lo, hi)
        }
    }

    fn negated(&mut self, site: usize, ty: Type, value: Over) -> Result<Over, Stop> {
        Ok(match value {
            Over::Real(i) => match self.builder.make(Kind::Neg(i), site)? {
                Made::Node(i) => Over::Real(i),
                Made::Const(c) => Over::Const(of_double(ty, c)),
            },
            _ => self
                .range(ty, value)
                .map_or(Over::Any, |(lo, hi)| Over::Float(-hi, -lo)),
        })
    }

    /// Operations that give an operand, or it with the other sign.
    fn chosen(&mut self, site: usize, ty: Type, name: &str, args: &[Over]) -> Result<Over, Stop> {
        let Some(a) = self.range(ty, args[0]) else {
            return Ok(Over::Any);
        };
        match name {
            "neg" => return self.negated(site, ty, args[0]),
            "abs" if a.0 > 0.0 => return Ok(args[0]),
            "abs" if a.1 < 0.0 => return self.negated(site, ty, args[0]),
            "abs" => return Ok(Over::Float(0.0, a.0.abs().max(a.1.abs()))),
            _ => {}
        }
        let Some(b) = self.range(ty, args[1]) else {
            return Ok(Over::Any);
        };
        if name == "copy_sign" {
            let negative = match args[1] {
                Over::Const(bits) => Some(to_double(ty, bits).is_sign_negative()),
                _ if b.0 > 0.0 => Some(false),
                _ if b.1 < 0.0 => Some(true),
                _ => None,
            };
            return match negative {
                Some(n) if a.0 > 0.0 && !n || a.1 < 0.0 && n => Ok(args[0]),
                Some(n) if a.0 > 0.0 && n || a.1 < 0.0 && !n => self.negated(site, ty, args[0]),
                _ => {
                    let most = a.0.abs().max(a.1.abs());
                    Ok(Over::Float(-most, most))
                }
            };
        }
        // The second operand, unless the first is less (or greater).
        let first = match name {
            "min" if a.1 < b.0 => Some(true),
            "min" if a.0 >= b.1 => Some(false),
            "max" if a.0 > b.1 => Some(true),
            "max" if a.1 <= b.0 => Some(false),
            _ => None,
        };
        Ok(match first {
            Some(first) => args[usize::from(!first)],
            None if name == "min" => Over::Float(a.0.min(b.0), a.1.min(b.1)),
            None => Over::Float(a.0.max(b.0), a.1.max(b.1)),
        })
    }

    fn comparison(&self, ty: Type, name: &str, args: &[Over]) -> Over {
        // -1: all of a are below all of b; 1: above; 0: both are one and the same.
        let (below, above, touch_below, touch_above, same);
        if ty.is_float() {
            let (Some(a), Some(b)) = (self.range(ty, args[0]), self.range(ty, args[1])) else {
                return Over::Any;
            };
            (below, above, touch_below, touch_above) =
                (a.1 < b.0, a.0 > b.1, a.1 <= b.0, a.0 >= b.1);
            same = a.0 == a.1 && b == a;
        } else {
            let (a, b) = (self.ints(ty, args[0]), self.ints(ty, args[1]));
            (below, above, touch_below, touch_above) =
                (a.1 < b.0, a.0 > b.1, a.1 <= b.0, a.0 >= b.1);
            same = a.0 == a.1 && b == a;
        }
        let known = match name {
            "lt" if below => Some(true),
            "lt" if touch_above => Some(false),
            "le" if touch_below => Some(true),
            "le" if above => Some(false),
            "gt" if above => Some(true),
            "gt" if touch_below => Some(false),
            "ge" if touch_above => Some(true),
            "ge" if below => Some(false),
            "eq" if same => Some(true),
            "eq" if below || above => Some(false),
            "ne" if same => Some(false),
            "ne" if below || above => Some(true),
            _ => None,
        };
        known.map_or(Over::Any, mask)
    }

    fn monotone(&self, ty: Type, out: Type, name: &str, value: Over) -> Over {
        let ends = if ty.is_float() {
            let Some((lo, hi)) = self.range(ty, value) else {
                return Over::Any;
            };
            if name == "to_bits" && lo <= 0.0 && hi >= 0.0 {
                return Over::Any;
            }
            [of_double(ty, lo), of_double(ty, hi)]
        } else {
            let (lo, hi) = self.ints(ty, value);
            if name == "to_i32" && lo >> 31 != hi >> 31 {
                return Over::Any;
            }
            [lo as u64, hi as u64]
        };
        let [Ok(a), Ok(b)] = ends.map(|w| apply(name, ty, out, &[w])) else {
            return Over::Any;
        };
        if a == b {
            return Over::Const(a);
        }
        if out.is_float() {
            return Over::Float(to_double(out, a), to_double(out, b));
        }
        // The bits of negative numbers fall as they rise.
        let (a, b) = (to_int(out, a), to_int(out, b));
        Over::Int(a.min(b), a.max(b))
    }

    fn integer(&self, ty: Type, name: &str, args: &[Over]) -> Over {
        let a = self.ints(ty, args[0]);
        let b = args.get(1).map_or(a, |&b| self.ints(ty, b));
        let wide = |x: i64| i128::from(x);
        let corners = |f: fn(i128, i128) -> i128| {
            let all = [(a.0, b.0), (a.0, b.1), (a.1, b.0), (a.1, b.1)]
                .map(|(x, y)| f(x.into(), y.into()));
            let (lo, hi) = (all.iter().min(), all.iter().max());
            lo.zip(hi).map_or(Over::Any, |(lo, hi)| int(ty, *lo, *hi))
        };
        let bits = if ty == Type::I32 { 32 } else { 64 };
        let amount = (b.0 == b.1).then_some(b.0 as u32 & (bits - 1));
        match (name, amount) {
            ("add", _) => corners(|x, y| x + y),
            ("sub", _) => corners(|x, y| x - y),
            ("mul", _) => corners(i128::saturating_mul),
            ("min", _) => corners(i128::min),
            ("max", _) => corners(i128::max),
            ("neg", _) => int(ty, -wide(a.1), -wide(a.0)),
            ("not", _) => int(ty, !wide(a.1), !wide(a.0)),
            ("shl", Some(n)) => int(ty, wide(a.0) << n, wide(a.1) << n),
            ("shr", Some(n)) => int(ty, wide(a.0 >> n), wide(a.1 >> n)),
            ("shr_logical", Some(n)) if a.0 >= 0 => int(ty, wide(a.0 >> n), wide(a.1 >> n)),
            ("and" | "or" | "xor", _) => self.bitwise(ty, name, a, b),
            _ => Over::Any,
        }
    }

    /// Bits above the highest that varies are known; a known 0 of an `and` and a known 1 of an `or` decide the result's.
    fn bitwise(&self, ty: Type, name: &str, a: (i64, i64), b: (i64, i64)) -> Over {
        let varying = |r: (i64, i64)| match 64 - ((r.0 ^ r.1) as u64).leading_zeros() {
            64 => u64::MAX,
            n => (1u64 << n) - 1,
        };
        let (va, vb) = (varying(a), varying(b));
        let (ka, kb) = (a.0 as u64, b.0 as u64);
        let (vary, base) = match name {
            "and" => ((va | vb) & (va | ka) & (vb | kb), ka & kb),
            "or" => ((va | vb) & (va | !ka) & (vb | !kb), ka | kb),
            _ => (va | vb, ka ^ kb),
        };
        let sign = if ty == Type::I32 {
            1u64 << 31
        } else {
            1u64 << 63
        };
        if vary & sign != 0 {
            return Over::Any;
        }
        let base = base & !vary;
        int(ty, (base as i64).into(), ((base | vary) as i64).into())
    }
}
