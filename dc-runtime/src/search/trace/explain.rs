//! Explanations for a compiled kernel whose values cannot be observed: the contraction that would give its results.
//!
//! The most frequent difference between two compilers is a product fused with the sum that uses it. The interpreter computes each possible
//! contraction, and then all of them together, at the input and at inputs near it. A contraction that gives the compiled kernel's results
//! at every one of them is an explanation. It is a conclusion, not an observation, and is reported as such.

use kernels_gen::interp::{Bits, canonical, clean};
use kernels_gen::ops::{Op, Prim};
use kernels_gen::program::{Func, Inst, InstKind, Program};

use crate::model::error::BackendError;
use crate::search::points::split_mix;

/// The number of inputs at which an explanation must hold.
const INPUTS: usize = 64;

/// A contraction that gives the compiled kernel's results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Contraction {
    /// The multiplication.
    pub product: usize,
    /// The addition or subtraction with which it is fused.
    pub sum: usize,
    /// The number of contractions, of which this is the first: 1 for a single contraction, otherwise all possible ones.
    pub together: usize,
    /// The number of inputs at which it was confirmed.
    pub inputs: usize,
}

/// A contraction that explains the results of `compiled` for the input and near it.
///
/// # Errors
/// If `compiled` fails.
pub(super) fn contraction(
    inlined: &Program,
    input: &[u64],
    mut compiled: impl FnMut(&[u64]) -> Result<Vec<u64>, BackendError>,
) -> Result<Option<Contraction>, BackendError> {
    let entry = inlined.entry();
    let single = candidates(entry);
    let mut seen = Vec::new();
    for input in near(entry, input) {
        let results = compiled(&input)?;
        seen.push((input, results));
    }
    // If two products are added, one of them is fused.
    let mut all = single.clone();
    all.dedup_by_key(|c| c.1);
    let hypotheses = single.iter().map(std::slice::from_ref);
    let together = (all.len() > 1).then_some(all.as_slice());
    for fused in hypotheses.chain(together) {
        let gives =
            |(input, results): &(Vec<u64>, Vec<u64>)| evaluate(inlined, input, fused) == *results;
        if seen.iter().all(gives) {
            return Ok(Some(Contraction {
                product: fused[0].0,
                sum: fused[0].1,
                together: fused.len(),
                inputs: seen.len(),
            }));
        }
    }
    Ok(None)
}

/// Each multiplication with each addition or subtraction that uses it.
fn candidates(func: &Func) -> Vec<(usize, usize)> {
    let is_product = |&i: &usize| func.insts[i].kind == InstKind::Op(Op::Mul);
    let mut found = Vec::new();
    for (sum, inst) in func.insts.iter().enumerate() {
        let adds = matches!(inst.kind, InstKind::Op(Op::Add | Op::Sub));
        if adds && inst.ty.is_float() {
            let mut products: Vec<usize> = inst.args.iter().map(|a| a.0 as usize).collect();
            products.dedup();
            found.extend(products.into_iter().filter(is_product).map(|p| (p, sum)));
        }
    }
    found
}

/// The input, and others that differ from it in the last bits.
fn near(func: &Func, input: &[u64]) -> Vec<Vec<u64>> {
    let mut random = 1;
    let mut inputs = vec![input.to_vec()];
    while inputs.len() < INPUTS {
        let moved = input.iter().zip(&func.params).map(|(&word, p)| {
            let by = split_mix(&mut random) % 4096;
            match p.1 {
                Prim::Mask => word,
                ty => clean(ty, word.wrapping_add(by)),
            }
        });
        inputs.push(moved.collect());
    }
    inputs
}

/// The results with these products fused into these sums.
fn evaluate(inlined: &Program, input: &[u64], fused: &[(usize, usize)]) -> Vec<u64> {
    let func = inlined.entry();
    let mut values: Vec<u64> = Vec::with_capacity(func.insts.len());
    for (i, inst) in func.insts.iter().enumerate() {
        let arg = |n: usize| &values[inst.args[n].0 as usize];
        let value = match inst.kind {
            InstKind::Param(n) => clean(inst.ty, input[n as usize]),
            InstKind::Const(bits) => bits,
            InstKind::Load(t) => Bits.load(inlined.table(t), func.ty(inst.args[0]), arg(0)),
            InstKind::Op(op) => match fused.iter().find(|f| f.1 == i) {
                Some(&(product, _)) => fuse(func, inst, op, product, &values),
                None => {
                    let prims: Vec<Prim> = inst.args.iter().map(|&a| func.ty(a)).collect();
                    let args: Vec<&u64> = (0..prims.len()).map(arg).collect();
                    Bits.op(op, &prims, &args)
                }
            },
            InstKind::Call(_) | InstKind::Result(_) => unreachable!("they are inlined"),
        };
        values.push(value);
    }
    let result = |r: &kernels_gen::program::Value| canonical(func.ty(*r), values[r.0 as usize]);
    func.results.iter().map(result).collect()
}

/// A sum or difference, with the product in it fused.
fn fuse(func: &Func, inst: &Inst, op: Op, product: usize, values: &[u64]) -> u64 {
    let prims = [inst.ty; 3];
    let negated = |x: u64| Bits.op(Op::Neg, &prims[..1], &[&x]);
    let factor = |n: usize| values[func.insts[product].args[n].0 as usize];
    let (mut x, y) = (factor(0), factor(1));
    let first = inst.args[0].0 as usize == product;
    let mut z = values[inst.args[usize::from(first)].0 as usize];
    match (op, first) {
        (Op::Sub, true) => z = negated(z),
        (Op::Sub, false) => x = negated(x),
        _ => {}
    }
    Bits.op(Op::Fma, &prims, &[&x, &y, &z])
}
