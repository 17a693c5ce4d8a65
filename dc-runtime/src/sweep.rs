//! Sweeps of kernels. The layer below defines their data; [`crate::scan`] has the search loop compiled for them.

use kernels_gen::ir::{Param, Ty};

use crate::builtins::reference::computes::ReferenceFor;
use crate::isa::sets::per_isa;
use crate::kernel::LaneFn;
use crate::kernel::kind;
use crate::model::candidate::{Candidate, Reference};
use crate::model::integers::Int;
use crate::model::key::Precision;
use crate::model::measure::{Alone, Measure};
use crate::model::signature::Number;
use crate::model::space::InputSpace;
use crate::model::stored::{Format, Stored};
use crate::scan::levels::*;
use crate::scan::{Comparable, Types, metrics, results};

pub use crate::model::sweep::Sweep;

/// The library's references, for candidates that are not kernels: `computed::f32::<computes::sin>()`.
pub mod computed {
    use crate::builtins::reference::computes::ReferenceFor;
    use crate::kernel::kind;
    use crate::model::candidate::Reference;
    use crate::model::kernel_ref::KernelRef;

    /// The reference of a function, for candidates in binary32.
    #[must_use]
    pub const fn f32<F: ReferenceFor<((kind::F32,), kind::F32)>>() -> Reference {
        Reference::Kernel(KernelRef::of::<F::Kernel>())
    }

    /// The reference of a function, for candidates in binary64.
    #[must_use]
    pub const fn f64<F: ReferenceFor<((kind::F64,), kind::F64)>>() -> Reference {
        Reference::Kernel(KernelRef::of::<F::Kernel>())
    }

    /// The reference of a function of two arguments, for candidates in binary32.
    #[must_use]
    pub const fn f32_two<F: ReferenceFor<((kind::F32, kind::F32), kind::F32)>>() -> Reference {
        Reference::Kernel(KernelRef::of::<F::Kernel>())
    }

    /// The reference of a function of two arguments, for candidates in binary64.
    #[must_use]
    pub const fn f64_two<F: ReferenceFor<((kind::F64, kind::F64), kind::F64)>>() -> Reference {
        Reference::Kernel(KernelRef::of::<F::Kernel>())
    }
}

impl Sweep {
    /// A sweep of routine `A` against reference `R`, over `range` unless the command line gives another one. Every backend can search it.
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
    /// let block = (sweep.compiled().scalar)(first, 1 << 16);
    /// assert!(block.max.error() > 0.5 && block.max.error() < 1.0);
    /// ```
    #[must_use]
    pub const fn new<A: LaneFn, R: LaneFn>(name: &'static str, range: &'static str) -> Sweep
    where
        (Types<A>, Types<R>): Comparable<A, R>,
    {
        Sweep {
            name,
            precision: <(Types<A>, Types<R>) as Comparable<A, R>>::PRECISION,
            inputs: <(Types<A>, Types<R>) as Comparable<A, R>>::INPUTS,
            candidate: Candidate::Kernel(<(Types<A>, Types<R>) as Comparable<A, R>>::ROUTINE),
            reference: Reference::Kernel(<(Types<A>, Types<R>) as Comparable<A, R>>::REFERENCE),
            metric: <(Types<A>, Types<R>) as Comparable<A, R>>::METRIC,
            cpu: <(Types<A>, Types<R>) as Comparable<A, R>>::COMPILED,
            measured: <(Types<A>, Types<R>) as Comparable<A, R>>::MEASURED,
            range,
            truth: None,
            within: None,
            tolerated: &[],
            measure: Measure::Full,
            alone: None,
            decide: <(Types<A>, Types<R>) as Comparable<A, R>>::DECIDE,
        }
    }

    /// The same sweep with another measure. Absolute and relative errors need two kernels with results in binary32 or binary64; backends refuse
    /// them for any other sweep.
    #[must_use]
    pub const fn measuring(self, measure: Measure) -> Sweep {
        let metric = match (measure, self.precision) {
            (Measure::Full | Measure::Maxima, _) => self.metric,
            (Measure::Absolute, Precision::F32) => metrics::absolute_error_f32(),
            (Measure::Absolute, Precision::F64) => metrics::absolute_error_f64(),
            (Measure::Relative, Precision::F32) => metrics::relative_error_f32(),
            (Measure::Relative, Precision::F64) => metrics::relative_error_f64(),
        };
        Sweep {
            measure,
            metric,
            ..self
        }
    }

    /// A sweep that measures the accuracy of a function of the host, or of a kernel whose reference is a function of the host. The search and
    /// the metric are the same as in [`Sweep::new`], but they run only on the processor, and no backends are compared.
    ///
    /// # Panics
    /// At compile time, if candidate and reference do not match. A candidate in binary32 needs a reference `DcDouble -> DcDouble` or `DcFloat ->
    /// DcDouble`, or a function of the host in binary64, whose accuracy is then an assumption. A candidate in binary64 needs a kernel `DcDouble ->
    /// DcDoubleDouble`. For either precision, the reference may be a formula, which also gives the bits of a radius: if its own error is too large,
    /// inputs are undecided. A candidate of two arguments needs a reference of two. For two kernels, use [`Sweep::new`].
    ///
    /// # Examples
    ///
    /// ```
    /// use dc_runtime::model::candidate::{Candidate, Reference};
    /// use dc_runtime::model::host::HostFunction;
    /// use dc_runtime::sweep::Sweep;
    ///
    /// const SIN: Sweep = Sweep::accuracy_only(
    ///     "sin",
    ///     Candidate::Host(HostFunction::f32("f32::sin", f32::sin)),
    ///     Reference::Host(HostFunction::f64("f64::sin", f64::sin)),
    ///     "0.0..=2.0",
    /// );
    /// assert!(SIN.kernels().is_none());
    /// ```
    #[must_use]
    pub const fn accuracy_only(
        name: &'static str,
        candidate: Candidate,
        reference: Reference,
        range: &'static str,
    ) -> Sweep {
        let inputs = match &candidate {
            Candidate::Host(f) => f.inputs(),
            Candidate::Library(f) => f.inputs(),
            Candidate::Device(f) => f.inputs(),
            Candidate::Kernel(k) => match (k.kernel.params, &k.kernel.ret) {
                ([Param { ty: Ty::F32, .. }], Ty::F32) => InputSpace::Numbers(Precision::F32),
                ([Param { ty: Ty::F64, .. }], Ty::F64) => InputSpace::Numbers(Precision::F64),
                ([Param { ty: Ty::F32, .. }, Param { ty: Ty::F32, .. }], Ty::F32) => {
                    InputSpace::pairs(Precision::F32)
                }
                ([Param { ty: Ty::F64, .. }, Param { ty: Ty::F64, .. }], Ty::F64) => {
                    InputSpace::pairs(Precision::F64)
                }
                _ => panic!(
                    "the candidate is neither `DcFloat -> DcFloat` nor `DcDouble -> DcDouble`, of one argument or two"
                ),
            },
        };
        let (precision, rounded) = match &candidate {
            Candidate::Library(f) => (f.signature().result.precision(), f.signature().rounded()),
            _ => (inputs.precision(), None),
        };
        let given = match &reference {
            Reference::Kernel(k) | Reference::Formula(k) => k.kernel.params.len(),
            Reference::Host(f) => f.inputs().arguments().len(),
            Reference::Library(f) => f.inputs().arguments().len(),
            #[cfg(feature = "mpfr")]
            Reference::Mpfr(m) => m.function().arguments(),
        };
        if given != inputs.doubles() {
            panic!("candidate and reference are not of as many arguments")
        }
        match (precision, &reference, &candidate) {
            (_, Reference::Formula(k), _) => match (k.kernel.params, &k.kernel.ret) {
                ([Param { ty: Ty::F64, .. }, ..], Ty::Tuple([Ty::Dd, Ty::I64])) => {}
                _ => panic!("a formula is a kernel `DcDouble -> (DcDoubleDouble, DcLong)`"),
            },
            (_, _, Candidate::Library(f)) if !f.signature().is_plain() => panic!(
                "the reference of a function whose arguments and result are not both of binary32 or of binary64 is a formula"
            ),
            (_, Reference::Kernel(_), Candidate::Kernel(_)) => {
                panic!("two kernels make a sweep that all backends search: take `Sweep::new`")
            }
            (Precision::F32, Reference::Host(f), _) if matches!(f.precision(), Precision::F64) => {}
            (Precision::F32, Reference::Library(f), _)
                if matches!(f.inputs().precision(), Precision::F64) => {}
            #[cfg(feature = "mpfr")]
            (_, Reference::Mpfr(_), _) => {}
            (_, Reference::Host(_) | Reference::Library(_), _) => panic!(
                "a function of the host or of a library is a reference in binary64 of candidates in binary32, and of no others"
            ),
            (Precision::F32, Reference::Kernel(k), _) => match (k.kernel.params, &k.kernel.ret) {
                (
                    [Param { ty: Ty::F64, .. }]
                    | [Param { ty: Ty::F32, .. }]
                    | [Param { ty: Ty::F64, .. }, Param { ty: Ty::F64, .. }]
                    | [Param { ty: Ty::F32, .. }, Param { ty: Ty::F32, .. }],
                    Ty::F64,
                ) => {}
                _ => panic!(
                    "the reference of a candidate in binary32 is neither `DcDouble -> DcDouble` nor `DcFloat -> DcDouble`"
                ),
            },
            (Precision::F64, Reference::Kernel(k), _) => match (k.kernel.params, &k.kernel.ret) {
                (
                    [Param { ty: Ty::F64, .. }]
                    | [Param { ty: Ty::F64, .. }, Param { ty: Ty::F64, .. }],
                    Ty::Dd | Ty::F64,
                ) => {}
                _ => panic!(
                    "the reference of a candidate in binary64 is not `DcDouble -> DcDoubleDouble`"
                ),
            },
        }
        Sweep {
            name,
            inputs,
            precision,
            candidate,
            metric: match (rounded, precision, &reference) {
                (Some(Number::F16), ..) => metrics::rounding_error_half(),
                (Some(Number::Bf16), ..) => metrics::rounding_error_bfloat(),
                (Some(Number::F32), ..) => metrics::rounding_error_f32(),
                (Some(Number::F64), ..) => metrics::rounding_error_f64(),
                (Some(Number::Integer(Int::I32)), ..) => metrics::integer_error_i32(),
                (Some(Number::Integer(Int::U32)), ..) => metrics::integer_error_u32(),
                (Some(Number::Integer(Int::I64)), ..) => metrics::integer_error_i64(),
                (Some(Number::Integer(Int::U64)), ..) => metrics::integer_error_u64(),
                (None, Precision::F32, Reference::Formula(_)) => metrics::known_ulp_error_f32(),
                (None, Precision::F64, Reference::Formula(_)) => metrics::known_ulp_error_f64(),
                (None, Precision::F32, _) => metrics::ulp_error_f32(),
                (None, Precision::F64, _) => metrics::ulp_error_f64(),
            },
            reference,
            cpu: None,
            measured: None,
            range,
            truth: None,
            within: None,
            tolerated: &[],
            measure: Measure::Full,
            alone: None,
            decide: None,
        }
    }

    /// The same sweep of two kernels in binary32, for numbers that are stored in 16 bits. The arguments are all numbers of the format, or all pairs
    /// of them. Errors are in ULP of the format.
    ///
    /// This is for routines that are written for `DcFloat` and end with [`round_to_half`](crate::prelude::round_to_half()) or
    /// [`round_to_bfloat`](crate::prelude::round_to_bfloat()). A sweep of a routine of [`DcHalf`](crate::prelude::DcHalf) or
    /// [`DcBfloat`](crate::prelude::DcBfloat) is already such a sweep.
    ///
    /// # Panics
    /// At compile time, if the sweep's kernels are not in binary32.
    ///
    /// # Examples
    ///
    /// ```
    /// use dc_runtime::model::stored::Format;
    /// use dc_runtime::{computes, prelude::*, sweep::Sweep};
    ///
    /// # extern crate dc_runtime as doublecrunch;
    /// #[crunch]
    /// fn root(x: DcFloat) -> DcFloat {
    ///     round_to_half(x.sqrt())
    /// }
    ///
    /// const ROOT: Sweep = Sweep::computing::<root, computes::sqrt>("sqrt", "all").stored(Format::Half);
    /// assert_eq!(ROOT.inputs().signature(), "half");
    /// ```
    #[must_use]
    pub const fn stored(self, format: Format) -> Sweep {
        let pairs = match (self.inputs, self.kernels().is_some(), self.precision) {
            (InputSpace::Numbers(_), true, Precision::F32) => false,
            (InputSpace::Pairs(_), true, Precision::F32) => true,
            _ => panic!(
                "numbers of 16 bits are stored by kernels `DcFloat -> DcFloat`, of one argument or two"
            ),
        };
        Sweep {
            inputs: InputSpace::Stored(Stored { format, pairs }),
            metric: match format {
                Format::Half => metrics::ulp_error_half(),
                Format::Bfloat => metrics::ulp_error_bfloat(),
            },
            // The compiled loops compute the metric of binary32.
            cpu: None,
            measured: None,
            decide: None,
            ..self
        }
    }

    /// The same sweep, with an additional loop of its routine `A` without the reference. A search for only the largest errors
    /// ([`Measure::Maxima`]) then becomes possible, and is several times as fast.
    ///
    /// # Examples
    ///
    /// ```
    /// use dc_runtime::{computes, prelude::*, sweep::Sweep};
    ///
    /// # extern crate dc_runtime as doublecrunch;
    /// #[crunch]
    /// fn quick_root(x: DcDouble) -> DcDouble {
    ///     1.0 / x.sqrt()
    /// }
    ///
    /// let sweep = Sweep::computing::<quick_root, computes::rsqrt>("quick-root", "1.0..4.0").with_maxima::<quick_root>();
    /// assert!(sweep.has_maxima());
    /// ```
    #[must_use]
    pub const fn with_maxima<A: LaneFn<Args = (kind::F64,), Ret = kind::F64>>(self) -> Sweep {
        Sweep {
            alone: Some(Alone {
                kernel: A::KERNEL,
                cpu: per_isa!(L: level => results::<A, L>),
            }),
            ..self
        }
    }

    /// A sweep of routine `A` against the library's reference of function `F` in the routine's precision. It also names the function
    /// ([`Sweep::of`]).
    ///
    /// # Examples
    ///
    /// ```
    /// use dc_runtime::{computes, prelude::*, sweep::Sweep};
    ///
    /// # extern crate dc_runtime as doublecrunch;
    /// #[crunch]
    /// fn small_sine(x: DcFloat) -> DcFloat {
    ///     x - x * x * x * 0.166_666_67
    /// }
    ///
    /// let sweep = Sweep::computing::<small_sine, computes::sin>("small-sine", "0.0..0.001");
    /// assert_eq!(sweep.reference().name(), "sin_f32_reference");
    /// ```
    #[must_use]
    pub const fn computing<A: LaneFn, F: ReferenceFor<Types<A>>>(
        name: &'static str,
        range: &'static str,
    ) -> Sweep
    where
        (Types<A>, Types<F::Kernel>): Comparable<A, F::Kernel>,
    {
        Sweep::new::<A, F::Kernel>(name, range).of(F::FUNCTION)
    }
}
