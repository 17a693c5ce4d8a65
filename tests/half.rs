//! Numbers that are stored in 16 bits: conversions and routines, with the same bits on every backend and correct for every number.

#[path = "support/same_bits.rs"]
mod same_bits;
mod support;

use doublecrunch::backend::{Backend, KernelRef, Speed};
use doublecrunch::search::block::BlockResult;
use doublecrunch::search::engine::{self, Device, Groups, Job, Stop};
use doublecrunch::search::plan::Plan;
use doublecrunch::search::points::Points;
use doublecrunch::search::range::Range;
use doublecrunch::search::record::Record;
use doublecrunch::search::stored::Format;
use doublecrunch::sweep::Sweep;
use doublecrunch::{computes, prelude::*};
use same_bits::same_bits;

#[crunch]
fn widened(bits: DcInt) -> (DcFloat, DcFloat) {
    (half_to_f32(bits), bfloat_to_f32(bits))
}

#[crunch]
fn narrowed(x: DcFloat) -> (DcInt, DcInt) {
    (f32_to_half(x), f32_to_bfloat(x))
}

#[crunch]
fn half_root(x: DcFloat) -> DcFloat {
    round_to_half(x.sqrt())
}

#[crunch]
fn bfloat_root(x: DcFloat) -> DcFloat {
    round_to_bfloat(x.sqrt())
}

#[crunch]
fn half_quotient(x: DcFloat, y: DcFloat) -> DcFloat {
    round_to_half(x / y)
}

#[crunch]
fn bfloat_quotient(x: DcFloat, y: DcFloat) -> DcFloat {
    round_to_bfloat(x / y)
}

/// The same with the types of what is stored.
#[crunch]
fn typed_half_root(x: DcHalf) -> DcHalf {
    x.to_f32().sqrt().to_half()
}

#[crunch]
fn typed_bfloat_root(x: DcBfloat) -> DcBfloat {
    x.to_f32().sqrt().to_bfloat()
}

#[crunch]
fn typed_half_quotient(x: DcHalf, y: DcHalf) -> DcHalf {
    (x.to_f32() / y.to_f32()).to_half()
}

#[crunch]
fn typed_bfloat_quotient(x: DcBfloat, y: DcBfloat) -> DcBfloat {
    (x.to_f32() / y.to_f32()).to_bfloat()
}

/// A type of 16 bits wherever a value may be: in a tuple, on a `let`, in the arms of an `if`, passed to a kernel.
#[crunch]
fn larger_and_its_root(pair: (DcHalf, DcHalf)) -> (DcHalf, DcBfloat) {
    let (x, y) = (pair.0.to_f32(), pair.1.to_f32());
    let larger: DcHalf = if x > y { pair.0 } else { pair.1 };
    let root: DcHalf = typed_half_root(larger);
    (larger, root.to_f32().to_bfloat())
}

/// Stored with truncation in place of rounding.
#[crunch]
fn cut_off(x: DcFloat) -> DcFloat {
    DcFloat::from_bits(x.recip().to_bits() & 0xffff_0000)
}

/// 1 / x as 2 / (2 x), which overflows.
#[crunch]
fn half_recip(x: DcFloat) -> DcFloat {
    round_to_half(2.0 / round_to_half(x + x))
}

const HALF_ROOT: Sweep =
    Sweep::computing::<half_root, computes::sqrt>("half-root", "all").stored(Format::Half);
const BFLOAT_ROOT: Sweep =
    Sweep::computing::<bfloat_root, computes::sqrt>("bfloat-root", "all").stored(Format::Bfloat);
const HALF_QUOTIENT: Sweep =
    Sweep::computing::<half_quotient, computes::div>("half-quotient", "all").stored(Format::Half);
const BFLOAT_QUOTIENT: Sweep =
    Sweep::computing::<bfloat_quotient, computes::div>("bfloat-quotient", "all")
        .stored(Format::Bfloat);
const CUT_OFF: Sweep =
    Sweep::computing::<cut_off, computes::recip>("cut-off", "all").stored(Format::Bfloat);
const TYPED: [(&Sweep, Sweep); 4] = [
    (
        &HALF_ROOT,
        Sweep::computing::<typed_half_root, computes::sqrt>("half-root", "all"),
    ),
    (
        &BFLOAT_ROOT,
        Sweep::computing::<typed_bfloat_root, computes::sqrt>("bfloat-root", "all"),
    ),
    (
        &HALF_QUOTIENT,
        Sweep::computing::<typed_half_quotient, computes::div>("half-quotient", "all"),
    ),
    (
        &BFLOAT_QUOTIENT,
        Sweep::computing::<typed_bfloat_quotient, computes::div>("bfloat-quotient", "all"),
    ),
];
const HALF_RECIP: Sweep =
    Sweep::computing::<half_recip, computes::recip>("half-recip", "all").stored(Format::Half);

fn search(sweep: &Sweep, range: &str, backend: &std::sync::Arc<dyn Backend>) -> BlockResult {
    let range = Range::parse(range, sweep.inputs()).expect("a range");
    let plan = Plan::new(range, None).expect("a plan");
    let job = Job {
        sweep,
        plan: &plan,
        pending: std::iter::once(0..plan.blocks()).collect(),
        spread: None,
        parts: Vec::new(),
        devices: vec![Device::new(backend.clone(), 2)],
        groups: Groups::default(),
        limit: None,
        recheck: true,
        sampling: None,
    };
    let mut records: Vec<Record> = Vec::new();
    let done = engine::run(&job, &mut records, &Stop::new(), &mut |_| {});
    done.unwrap_or_else(|e| panic!("{} on {}: {e}", sweep.name(), backend.id()))
        .progress
        .result
}

#[test]
fn conversions_have_the_same_bits_on_every_backend() {
    let backends = support::backends("half", "all");
    let all: Vec<u64> = (0..1 << 16).collect();
    let widened = KernelRef::of::<widened>();
    let points = Points::given(&widened, vec![all.clone()]).expect("a kernel");
    same_bits(&widened, &points, &backends);
    // Numbers of bfloat16 and of binary16, the midpoints of two neighbours of either, and the numbers next to these.
    let halves = all
        .iter()
        .map(|&b| b << 13 & 0x0fff_ffff | (b & 0x8000) << 16);
    let centres = all
        .iter()
        .map(|&b| b << 16)
        .chain(halves.map(|b| b + (112 << 23)));
    let near = |at: u64| {
        [
            at,
            at ^ 1,
            at ^ 0x8000,
            at ^ 0x8001,
            at ^ 0x1000,
            at ^ 0x1001,
        ]
    };
    let floats: Vec<u64> = centres
        .flat_map(near)
        .map(|b| b & 0xffff_ffff)
        .step_by(7)
        .collect();
    let narrowed = KernelRef::of::<narrowed>();
    let points = Points::given(&narrowed, vec![floats]).expect("a kernel");
    same_bits(&narrowed, &points, &backends);
}

#[test]
fn all_numbers_are_searched_alike_on_every_backend() {
    let backends = support::backends("half", "all");
    for (sweep, range, misrounded) in [
        (&HALF_ROOT, "all", false),
        (&BFLOAT_ROOT, "all", false),
        (&HALF_RECIP, "all", true),
        (&CUT_OFF, "all", true),
        // Binary32 has more than twice as many bits plus two as either format: rounding twice equals rounding once.
        (&HALF_QUOTIENT, "2^16", false),
        (&BFLOAT_QUOTIENT, "2^16", false),
    ] {
        let wanted = search(sweep, range, &backends[0]);
        assert_eq!(wanted.count, 1 << 16);
        assert_eq!(
            wanted.misrounded > 0,
            misrounded,
            "{}: {wanted:?}",
            sweep.name()
        );
        if !misrounded {
            assert!(
                wanted.max.error() <= 0.5 && wanted.faults.iter().all(|f| f.count == 0),
                "{wanted:?}"
            );
        }
        for backend in &backends[1..] {
            let range = if backend.speed() == Speed::Simulated {
                "2^12"
            } else {
                range
            };
            let found = search(sweep, range, backend);
            let wanted = search(sweep, range, &backends[0]);
            assert_eq!(found, wanted, "{} on {}", sweep.name(), backend.id());
        }
    }
    // The largest numbers become infinite when doubled, and their reciprocals 0; truncation errs by up to one ULP.
    let recip = search(&HALF_RECIP, "all", &backends[0]);
    assert!(recip.max.error() > 500.0, "{recip:?}");
    let cut = search(&CUT_OFF, "all", &backends[0]);
    assert!(cut.max.error() > 0.9 && cut.max.error() < 1.0, "{cut:?}");
}

/// A sweep of a routine of `DcHalf` or `DcBfloat` is that of the same routine of `DcFloat` with the format named.
#[test]
fn types_of_sixteen_bits_are_numbers_that_are_stored() {
    let backends = support::backends("half", "all");
    for (sweep, typed) in &TYPED {
        assert_eq!(
            (typed.inputs(), typed.precision()),
            (sweep.inputs(), sweep.precision())
        );
        for backend in &backends {
            let range = match backend.speed() {
                Speed::Simulated => "2^8",
                _ => "2^12",
            };
            let (wanted, found) = (search(sweep, range, backend), search(typed, range, backend));
            assert_eq!(found, wanted, "{} on {}", sweep.name(), backend.id());
        }
    }
}

/// Outside of kernels they are their bits.
#[test]
fn types_of_sixteen_bits_are_bits_outside_of_kernels() {
    assert_eq!(typed_half_root::eval(0x4400), 0x4000);
    assert_eq!(typed_bfloat_root::eval(0x4080), 0x4000);
    // The least subnormal of binary16 is 2^-24; -1 has no root.
    assert_eq!(typed_half_root::eval(0x0001), 0x0c00);
    assert_eq!(typed_half_root::eval(0xbc00), 0x7e00);
    let all: Vec<u16> = (0..=u16::MAX).collect();
    let ones = vec![0x3c00; all.len()];
    let mut quotients = vec![0; all.len()];
    typed_half_quotient::map(&all, &ones, &mut quotients);
    for (x, y) in all.iter().zip(quotients) {
        let nan = x & 0x7fff > 0x7c00;
        assert_eq!(y, if nan { 0x7e00 } else { *x }, "{x:04x} / 1");
    }
    assert_eq!(
        larger_and_its_root::eval((0x4400, 0xc400)),
        (0x4400, 0x4000)
    );
    let kernel = KernelRef::of::<larger_and_its_root>();
    let words = |bits: f32| vec![u64::from(bits.to_bits())];
    let points = Points::given(&kernel, vec![words(4.0), words(-4.0)]).expect("a kernel");
    same_bits(&kernel, &points, &support::backends("half", "all"));
}

#[test]
#[ignore = "long: all 2^32 pairs of both formats, minutes; cargo test --release --test half all_pairs -- --ignored"]
fn all_pairs_are_right() {
    let backends = support::backends("half", "scalar,avx2,avx512");
    let widest = backends.last().expect("scalar code runs everywhere");
    for sweep in [&HALF_QUOTIENT, &BFLOAT_QUOTIENT] {
        let found = search(sweep, "all", widest);
        assert_eq!((found.count, found.misrounded), (1 << 32, 0));
        assert!(
            found.max.error() <= 0.5 && found.faults.iter().all(|f| f.count == 0),
            "{found:?}"
        );
    }
}
