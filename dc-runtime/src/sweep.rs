//! A sweep: an approximation, the reference it is held against, and the range of inputs.

use kernels_gen::ir::Ty;

use crate::backend::{CpuPoint, CpuSweep, KernelRef};
use crate::isa::{Avx2, Avx512, Scalar};
use crate::kernel::LaneFn;
use crate::run::columns;
use crate::search::key::Precision;
use crate::search::scan::{Avx2Level, Avx512Level, Pair, ScalarLevel, Types, routine, scan};
use crate::search::truth::Function;

/// An approximation with its reference, ready for every backend. Made by `Sweep::new`.
#[derive(Debug, Clone, Copy)]
pub struct Sweep {
    /// Name on the command line and in run files.
    pub name: &'static str,
    /// Precision of input and result.
    pub precision: Precision,
    /// The routine under test.
    pub approx: KernelRef,
    /// Its reference: double-double, or `DcDouble` for a `DcFloat` routine.
    pub reference: KernelRef,
    /// The metric: `judge_f64` or `judge_f32`.
    pub judge: KernelRef,
    /// The search loop's compiled forms.
    pub cpu: CpuSweep,
    /// The range searched when none is given, as on the command line.
    pub range: &'static str,
    /// What routine and reference are meant to compute, if MPFR knows it: for `crunch verify --oracle`.
    pub truth: Option<Function>,
}

impl KernelRef {
    /// A `#[crunch]` function, ready for every backend: `KernelRef::of::<name>()`.
    #[must_use]
    pub const fn of<K: LaneFn>() -> KernelRef {
        KernelRef {
            kernel: K::KERNEL,
            // One register a value: at points, time goes to the columns, and what is narrow compiles sooner.
            cpu: CpuPoint {
                scalar: columns::<K, Scalar<1>>,
                avx2: columns::<K, Avx2<1>>,
                avx512: columns::<K, Avx512<1>>,
            },
        }
    }
}

impl Sweep {
    /// The sweep of routine `A` against reference `R`, over `range` unless another is asked for.
    ///
    /// # Examples
    ///
    /// ```
    /// use dc_runtime::{prelude::*, sweep::Sweep};
    ///
    /// # extern crate dc_runtime as doublecrunch;
    /// #[crunch]
    /// fn third(x: DcDouble) -> DcDouble {
    ///     x * 0.333_333_333_333_333_3
    /// }
    /// #[crunch]
    /// fn third_exact(x: DcDouble) -> DcDoubleDouble {
    ///     dd_div(DcDoubleDouble::new(x, 0.0), DcDoubleDouble::new(3.0, 0.0))
    /// }
    ///
    /// let sweep = Sweep::new::<third, third_exact>("third", "1.0..2.0");
    /// let first = 1f64.to_bits() as i64;
    /// let block = (sweep.cpu.scalar)(first, 1 << 16);
    /// assert!(block.max.error() > 0.5 && block.max.error() < 1.0);
    /// ```
    #[must_use]
    pub const fn new<A: LaneFn, R: LaneFn>(name: &'static str, range: &'static str) -> Sweep
    where
        (Types<A>, Types<R>): Pair<A, R>,
    {
        Sweep {
            name,
            precision: <(Types<A>, Types<R>) as Pair<A, R>>::PRECISION,
            approx: routine::<A, R>(),
            reference: <(Types<A>, Types<R>) as Pair<A, R>>::REFERENCE,
            judge: <(Types<A>, Types<R>) as Pair<A, R>>::JUDGE,
            cpu: CpuSweep {
                scalar: scan::<A, R, ScalarLevel>,
                avx2: scan::<A, R, Avx2Level>,
                avx512: scan::<A, R, Avx512Level>,
            },
            range,
            truth: None,
        }
    }

    /// Whether the reference takes a binary32 input widened to binary64.
    #[must_use]
    pub(crate) fn widens(&self) -> bool {
        let params = self.reference.kernel.params;
        self.precision == Precision::F32 && params.first().is_some_and(|p| p.ty == Ty::F64)
    }

    /// Names the function that routine and reference are meant to compute, so that `crunch verify --oracle` can hold the
    /// reference against MPFR.
    #[must_use]
    pub const fn of(self, truth: Function) -> Sweep {
        Sweep {
            truth: Some(truth),
            ..self
        }
    }
}
