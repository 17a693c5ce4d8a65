//! Comparisons and choices in a form that no compiler replaces by its own minimum or maximum.
//!
//! If a compiler finds `x < c ? x : c` for a constant `c`, it may use an instruction that orders zeros, −0 below +0, although the text
//! gives `c` for both. NVRTC 13 does this (`min.f64`), and LLVM up to version 22 does it for AArch64 (`fminnm`). LLVM 15 replaces `x > 0 ?
//! c : x` by `x >= 0 ? c : x` if `c` is −0. Only constants that are zeros are affected, and a compiler may find a constant when it inlines.
//! So
//!
//! - a comparison with a zero in the text is replaced by one with the least subnormal number: `x < 0` becomes `x <= -2^-1074`;
//! - a choice between the two compared numbers also compares their bits. The compiler does not know that this condition follows from the
//!   comparison: `a < b` implies that they differ.

use super::expr::constant;
use super::lang::Lang;
use super::link::LinkedFunc;
use crate::ops::{Op, Prim};
use crate::program::{Inst, InstKind, Value};

/// The text of such an operation, from the texts of its operands. `None` if it is not such an operation, or needs no other form.
pub(super) fn choice(
    lang: &dyn Lang,
    f: &LinkedFunc,
    inst: &Inst,
    args: &[String],
) -> Option<String> {
    let InstKind::Op(op) = inst.kind else {
        return None;
    };
    match op {
        Op::Lt | Op::Le | Op::Gt | Op::Ge => {
            let on = type_of(f, inst.args[0]);
            let text = beside_zero(lang, f, op, &inst.args, args)?;
            Some(lang.mask(on, &text))
        }
        Op::Min | Op::Max => {
            let op = if op == Op::Min { Op::Lt } else { Op::Gt };
            let text = condition(lang, f, op, &inst.args, args)?;
            Some(format!("{text} ? {} : {}", args[0], args[1]))
        }
        Op::Select => {
            let (mut of, mut negated) = (inst.args[0], false);
            while let InstKind::Op(Op::Not) = at(f, of).kind {
                (of, negated) = (at(f, of).args[0], !negated);
            }
            let InstKind::Op(op @ (Op::Lt | Op::Le | Op::Gt | Op::Ge)) = at(f, of).kind else {
                return None;
            };
            let [a, b] = at(f, of).args[..] else {
                return None;
            };
            let [first, second] = if (a, b) == (inst.args[1], inst.args[2]) {
                [&args[1], &args[2]]
            } else if (b, a) == (inst.args[1], inst.args[2]) {
                [&args[2], &args[1]]
            } else {
                return None;
            };
            let texts = [first.clone(), second.clone()];
            let text = condition(lang, f, op, &[a, b], &texts)?;
            let [yes, no] = if negated { [2, 1] } else { [1, 2] };
            Some(format!("{text} ? {} : {}", args[yes], args[no]))
        }
        _ => None,
    }
}

fn at<'a>(f: &'a LinkedFunc, v: Value) -> &'a Inst {
    &f.insts[v.0 as usize]
}

fn type_of(f: &LinkedFunc, v: Value) -> Prim {
    at(f, v).ty
}

/// The bits of a constant.
fn bits(f: &LinkedFunc, v: Value) -> Option<u64> {
    match at(f, v).kind {
        InstKind::Const(bits) => Some(bits),
        _ => None,
    }
}

fn sign(p: Prim) -> u64 {
    if p == Prim::F64 { 1 << 63 } else { 1 << 31 }
}

/// A comparison of floats, one of which is a zero in the text.
fn beside_zero(
    lang: &dyn Lang,
    f: &LinkedFunc,
    op: Op,
    values: &[Value],
    texts: &[String],
) -> Option<String> {
    let p = type_of(f, values[0]);
    if !p.is_float() {
        return None;
    }
    let zero = |i: usize| bits(f, values[i]).is_some_and(|b| b & !sign(p) == 0);
    let (x, op) = match [zero(0), zero(1)] {
        [false, true] => (0, op),
        [true, false] => (1, mirrored(op)),
        _ => return None,
    };
    // The least number above zero, or the greatest below.
    let (sign_of, relation) = match op {
        Op::Lt => (sign(p), "<="),
        Op::Le => (0, "<"),
        Op::Gt => (0, ">="),
        _ => (sign(p), ">"),
    };
    let neighbour = constant(lang, p, sign_of | 1);
    Some(format!("{} {relation} {neighbour}", texts[x]))
}

/// The comparison with its operands exchanged.
fn mirrored(op: Op) -> Op {
    match op {
        Op::Lt => Op::Gt,
        Op::Le => Op::Ge,
        Op::Gt => Op::Lt,
        _ => Op::Le,
    }
}

/// The condition of a choice between the two numbers that `op` compares.
fn condition(
    lang: &dyn Lang,
    f: &LinkedFunc,
    op: Op,
    values: &[Value],
    texts: &[String],
) -> Option<String> {
    let p = type_of(f, values[0]);
    if !p.is_float() {
        return None;
    }
    if let Some(text) = beside_zero(lang, f, op, values, texts) {
        return Some(text);
    }
    // A constant that is no zero, in sight of the compiler: nothing is lost by an instruction that orders zeros.
    if values.iter().any(|&v| bits(f, v).is_some()) {
        return None;
    }
    let [a, b] = [0, 1].map(|i| lang.raw_bits(p, &texts[i]));
    let [x, y] = [&texts[0], &texts[1]];
    Some(match op {
        Op::Lt => format!("(({x} < {y}) & ({a} != {b}))"),
        Op::Gt => format!("(({x} > {y}) & ({a} != {b}))"),
        Op::Le => format!("(({x} <= {y}) | ({a} == {b}))"),
        _ => format!("(({x} >= {y}) | ({a} == {b}))"),
    })
}
