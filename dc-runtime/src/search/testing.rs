//! A sweep and backends for the tests of this module tree: everything is integer arithmetic on bits, and any input
//! can be given a wrong result.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Barrier};
use std::time::Duration;

use kernels_gen::ir;

use super::engine::Stop;
use crate::model::backend::{Backend, Hardware, PointKernel, SweepKernel};
use crate::model::block::{BlockResult, FLAG_EXCLUDED, FLAG_MISROUNDED, FLAG_NAN};
use crate::model::candidate::{Candidate, Reference};
use crate::model::error::BackendError;
use crate::model::kernel_ref::{CpuPoint, CpuSweep, KernelRef};
use crate::model::key::Precision;
use crate::model::measure::Measure;
use crate::model::space::InputSpace;
use crate::sweep::Sweep;

const LOC: ir::Loc = ir::Loc { line: 1, col: 1 };

/// `fn name(x: DcDouble) -> DcDouble { x }`, for the identity of a run.
const fn kernel(name: &'static str, value: &'static ir::Expr) -> ir::Kernel {
    ir::Kernel {
        name,
        module: "testing",
        file: "testing.rs",
        line: 1,
        source: "fn name(x: DcDouble) -> DcDouble { … }",
        generics: &[],
        params: &[ir::Param {
            name: "x",
            ty: ir::Ty::F64,
            length: ir::Length::ANY,
        }],
        ret: ir::Ty::F64,
        locals: &["x"],
        body: ir::Block {
            stmts: &[],
            value: Some(value),
        },
    }
}

static X: ir::Expr = ir::Expr {
    kind: ir::ExprKind::Local(0),
    loc: LOC,
};
static NEGATED: ir::Expr = ir::Expr {
    kind: ir::ExprKind::Unary(ir::UnOp::Neg, &X),
    loc: LOC,
};
static APPROX: ir::Kernel = kernel("identity", &X);
static OTHER: ir::Kernel = kernel("negation", &NEGATED);

fn hash(x: u64) -> u64 {
    let x = (x ^ x >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
    let x = (x ^ x >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    x ^ x >> 33
}

fn approx(bits: u64) -> u64 {
    bits.wrapping_add(hash(bits) & 7).wrapping_sub(3)
}

fn metric(key: i64, a: u64, reference: u64) -> (f64, i64, i64, i64) {
    let digest_term = hash(key as u64 ^ hash(a)) as i64;
    if f64::from_bits(reference).is_nan() {
        return (0.0, 0, FLAG_NAN | FLAG_EXCLUDED, digest_term);
    }
    let steps = a.wrapping_sub(reference) as i64 as f64;
    // There are few distinct errors, so that ties are common.
    let error = steps + (hash(a) & 0xff) as f64 / 256.0;
    let bin = if error.abs() < 2.0 {
        (error.abs() * 4.0) as i64
    } else {
        7 + error.abs().log2() as i64
    };
    let flags = if error == 0.0 { 0 } else { FLAG_MISROUNDED };
    (error, bin, flags, digest_term)
}

/// The result of a block of this one input, when it is wrong.
pub fn wrong_one(key: i64) -> BlockResult {
    sweep_fn(SWEEP.inputs, key, 1, Some(key))
}

fn sweep_fn(space: InputSpace, first: i64, count: u64, wrong: Option<i64>) -> BlockResult {
    let mut sum = BlockResult::EMPTY;
    for i in 0..count {
        let key = first.wrapping_add_unsigned(i);
        let bits = space.words(key).next().expect("one argument");
        let flipped = wrong == Some(Precision::F64.key_of_bits(bits));
        let (error, bin, flags, digest_term) = metric(key, approx(bits) ^ u64::from(flipped), bits);
        sum.add(key, error, bin, flags, digest_term);
    }
    sum
}

fn plain_sweep(first: i64, count: u64) -> BlockResult {
    sweep_fn(InputSpace::Numbers(Precision::F64), first, count, None)
}

fn approx_fn(inputs: &[&[u64]], outputs: &mut [Vec<u64>]) {
    outputs[0] = inputs[0].iter().map(|&b| approx(b)).collect();
}
fn reference_fn(inputs: &[&[u64]], outputs: &mut [Vec<u64>]) {
    outputs[0] = inputs[0].to_vec();
}
fn metric_fn(inputs: &[&[u64]], outputs: &mut [Vec<u64>]) {
    for o in outputs.iter_mut() {
        o.clear();
    }
    for ((&key, &a), &r) in inputs[0].iter().zip(inputs[1]).zip(inputs[2]) {
        let (error, bin, flags, digest_term) = metric(key as i64, a, r);
        for (o, w) in outputs.iter_mut().zip([
            error.to_bits(),
            bin as u64,
            flags as u64,
            digest_term as u64,
        ]) {
            o.push(w);
        }
    }
}

const fn point(f: crate::model::kernel_ref::PointFn) -> CpuPoint {
    CpuPoint::all(f)
}

/// A sweep with errors of up to 5 "ULP".
pub static SWEEP: Sweep = Sweep {
    name: "test",
    inputs: InputSpace::Numbers(Precision::F64),
    precision: Precision::F64,
    candidate: Candidate::Kernel(KernelRef {
        kernel: &APPROX,
        cpu: point(approx_fn),
        written: None,
    }),
    reference: Reference::Kernel(KernelRef {
        kernel: &APPROX,
        cpu: point(reference_fn),
        written: None,
    }),
    metric: KernelRef {
        kernel: &APPROX,
        cpu: point(metric_fn),
        written: None,
    },
    cpu: Some(CpuSweep::all(plain_sweep)),
    measured: None,
    range: "1.0..=0x1.000001p0",
    truth: None,
    within: None,
    tolerated: &[],
    measure: Measure::Full,
    alone: None,
    decide: None,
};

/// The same sweep with another approximation.
pub static CHANGED: Sweep = Sweep {
    candidate: Candidate::Kernel(KernelRef {
        kernel: &OTHER,
        cpu: point(approx_fn),
        written: None,
    }),
    ..SWEEP
};

/// Requests a stop in the n-th launch of all the backends that share it. The interruption is at a point that does not depend on the speed
/// of the machine.
#[derive(Debug, Clone)]
pub struct Interruption {
    launches: Arc<AtomicU64>,
    at: u64,
    stop: Stop,
}

impl Interruption {
    pub fn new(at: u64, stop: &Stop) -> Interruption {
        Interruption {
            launches: Arc::default(),
            at,
            stop: stop.clone(),
        }
    }
    fn count(&self) {
        if self.launches.fetch_add(1, Ordering::SeqCst) + 1 == self.at {
            self.stop.ask();
        }
    }
}

/// A backend that can be wrong, fail, be interrupted, or wait until others work too.
#[derive(Debug, Clone)]
pub struct Fake {
    pub id: String,
    /// The result at this key has its last bit flipped.
    pub wrong: Option<i64>,
    /// A launch that reaches this key fails.
    pub broken: Option<i64>,
    /// Every launch fails.
    pub dead: bool,
    /// Every launch panics.
    pub panics: bool,
    /// Errors are right but digests are not: the bits of the result differ.
    pub other_bits: bool,
    /// Every launch leaves its thread in another floating-point environment.
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    pub fast: bool,
    pub interruption: Option<Interruption>,
    /// After this number of inputs, every launch takes this long.
    pub slow: Option<(Arc<AtomicU64>, Duration)>,
    /// Each worker waits here in its first launch.
    pub gate: Option<Arc<Barrier>>,
    pub batch: u64,
}

impl Fake {
    pub fn new(id: &str) -> Fake {
        Fake {
            id: id.into(),
            wrong: None,
            broken: None,
            dead: false,
            panics: false,
            other_bits: false,
            #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
            fast: false,
            interruption: None,
            slow: None,
            gate: None,
            batch: 1 << 14,
        }
    }
    pub fn shared(self) -> Arc<dyn Backend> {
        Arc::new(self)
    }
}

impl crate::model::backend::sealed::Sealed for Fake {}

impl Backend for Fake {
    fn id(&self) -> &str {
        &self.id
    }
    fn describe(&self) -> String {
        "a fake".into()
    }
    fn load(&self, kernel: &KernelRef) -> Result<Box<dyn PointKernel>, BackendError> {
        struct Point(crate::model::kernel_ref::PointFn, Option<i64>);
        impl PointKernel for Point {
            fn eval(
                &mut self,
                inputs: &[&[u64]],
                outputs: &mut [Vec<u64>],
            ) -> Result<(), BackendError> {
                (self.0)(inputs, outputs);
                if self.0 as usize == approx_fn as *const () as usize {
                    for (o, &i) in outputs[0].iter_mut().zip(inputs[0]) {
                        *o ^= u64::from(Some(Precision::F64.key_of_bits(i)) == self.1);
                    }
                }
                Ok(())
            }
        }
        Ok(Box::new(Point(kernel.cpu.scalar, self.wrong)))
    }
    fn load_sweep(&self, sweep: &Sweep) -> Result<Box<dyn SweepKernel>, BackendError> {
        struct Search(Fake, InputSpace);
        impl SweepKernel for Search {
            fn run(&mut self, first: i64, count: u64) -> Result<BlockResult, BackendError> {
                assert!(!self.0.panics, "as asked");
                let broken = |k: i64| (k.wrapping_sub(first) as u64) < count;
                if self.0.dead || self.0.broken.is_some_and(broken) {
                    return Err(BackendError::Launch {
                        backend: self.0.id.clone(),
                        kernel: "search".into(),
                        reason: "as asked".into(),
                    });
                }
                if let Some(gate) = self.0.gate.take() {
                    gate.wait();
                }
                if let Some(i) = &self.0.interruption {
                    i.count();
                }
                if let Some((inputs, time)) = &self.0.slow {
                    let left = inputs.load(Ordering::SeqCst);
                    inputs.store(left.saturating_sub(count), Ordering::SeqCst);
                    if left == 0 {
                        std::thread::sleep(*time);
                    }
                }
                let mut result = sweep_fn(self.1, first, count, self.0.wrong);
                result.digest = result
                    .digest
                    .wrapping_add(u64::from(self.0.other_bits) * count);
                #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
                if self.0.fast {
                    // SAFETY: no arithmetic follows before the caller's guard checks.
                    unsafe { crate::fenv::FAST.set() };
                }
                Ok(result)
            }
        }
        Ok(Box::new(Search(self.clone(), sweep.inputs)))
    }
    fn preferred_batch(&self) -> u64 {
        self.batch
    }
    fn hardware(&self) -> Hardware {
        match self.id.starts_with("cuda:") {
            true => Hardware::Cuda,
            false => Hardware::Processor,
        }
    }
}

/// A separate folder for a test, which is removed at the end.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("crunch-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a folder for the test");
        Folder(path)
    }
    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn the_fake_agrees_with_itself() {
    let key = 0x3ff0_0000_0000_0007;
    let mut sum = BlockResult::EMPTY;
    for k in key..key + 100 {
        sum = sum.merge(&plain_sweep(k, 1));
    }
    assert_eq!(sum, plain_sweep(key, 100));
    assert_ne!(sum, sweep_fn(SWEEP.inputs, key, 100, Some(key + 50)));
}
