//! The search for the largest errors alone: its maxima, their inputs and the faults are those of the full search, to the bit, on
//! every instruction set, and almost no input needs the reference.

use doublecrunch::backend::{Filter, discover};
use doublecrunch::model::measure::{Measure, digest_term_of_result};
use doublecrunch::prelude::*;
use doublecrunch::search::block::BlockResult;
use doublecrunch::search::engine::{self, Device, Job, Outcome, Stop};
use doublecrunch::search::key::Precision;
use doublecrunch::search::plan::Plan;
use doublecrunch::search::range::Range;
use doublecrunch::search::record::Record;
use doublecrunch::search::truth::Function;
use doublecrunch::sweep::Sweep;
use doublecrunch::{computes, sweeps};

fn key(x: f64) -> i64 {
    Precision::F64.key_of_bits(x.to_bits())
}

/// The range of `count` keys around a number.
fn around(x: f64, count: u64) -> Range {
    let first = key(x) - count as i64 / 2;
    let number = |key: i64| f64::from_bits(Precision::F64.bits_of_key(key));
    let (first, last) = (number(first), number(first + count as i64 - 1));
    Range::parse(&format!("{first:?}..={last:?}"), Precision::F64).expect("a range")
}

fn search(sweep: &Sweep, range: &Range, device: &Device) -> Result<(BlockResult, Outcome), String> {
    let plan = Plan::new(range.clone(), Some(40)).expect("a plan");
    let job = Job::new(sweep, &plan, vec![device.clone()]);
    let mut records: Vec<Record> = Vec::new();
    let outcome =
        engine::run(&job, &mut records, &Stop::new(), &mut |_| ()).map_err(|e| e.to_string())?;
    let total = records
        .iter()
        .fold(BlockResult::EMPTY, |sum, r| sum.merge(&r.result));
    Ok((total, outcome))
}

/// The processor's backends, and what runs CUDA's text, with one worker each.
fn devices() -> Vec<Device> {
    let found = discover(
        &"scalar,avx2,avx512,neon,cuda-host,cuda"
            .parse::<Filter>()
            .expect("a filter"),
    );
    let one = |backend| Device {
        backend,
        workers: 1,
    };
    found.backends.into_iter().map(one).collect()
}

/// Those that search it for maxima: CUDA's search is of binary64.
fn devices_for(sweep: &Sweep) -> Vec<Device> {
    let cuda = |d: &Device| d.backend.id().starts_with("cuda");
    let mut devices = devices();
    devices.retain(|d| sweep.precision() == Precision::F64 || !cuda(d));
    devices
}

/// Compares both measures; returns the share of inputs at which the reference was evaluated. The full search is that of the
/// processor's widest instruction set: other tests show that all backends give its bits.
fn same(sweep: &Sweep, range: &Range) -> f64 {
    let devices = devices_for(sweep);
    let of_processor = |d: &&Device| !d.backend.id().starts_with("cuda");
    let widest = devices.iter().rfind(of_processor).expect("plain Rust");
    let (full, _) = search(sweep, range, widest).expect("a search");
    let mut share = 0.0f64;
    let mut digest = None;
    for device in &devices {
        let name = format!("{} on {} over {range}", sweep.name(), device.backend.id());
        let maxima = sweep.measuring(Measure::Maxima);
        let (alone, outcome) =
            search(&maxima, range, device).unwrap_or_else(|e| panic!("{name}: {e}"));
        let want = BlockResult {
            digest: alone.digest,
            ..Measure::Maxima.of(&full)
        };
        assert_eq!(alone, want, "{name}");
        assert_eq!(*digest.get_or_insert(alone.digest), alone.digest, "{name}");
        share = share.max(outcome.in_full as f64 / alone.count as f64);
    }
    share
}

/// Inside a binade, at a power of two, where values pass one, where functions are steep or flat, large and small, and where
/// there are no numbers.
const PLACES: [f64; 17] = [
    1.37,
    1.0,
    1.414,
    0.75,
    1.000_000_004,
    0.5,
    2.0,
    -0.7,
    -4.0,
    693.0,
    -708.4,
    -744.9,
    1e-5,
    -1e-300,
    3e200,
    0.0,
    f64::MIN_POSITIVE,
];

#[test]
fn maxima_are_those_of_the_full_search() {
    // In so short a range there are many records, and near some of these places functions are straight lines of a rational slope,
    // whose errors recur: the rest of the 102.
    let mut few = 0;
    for sweep in sweeps::ALL
        .iter()
        .filter(|s| s.has_maxima() && s.precision() == Precision::F64)
    {
        let whole = Range::parse(sweep.range(), Precision::F64).expect("its range");
        let inside =
            |x: &f64| (whole.spans().iter()).any(|s| (s.first..=s.last).contains(&key(*x)));
        for x in PLACES.into_iter().filter(inside) {
            let share = same(sweep, &around(x, 300_001));
            println!(
                "{:<22} around {x:<24}: the reference at {:.4} of the inputs",
                sweep.name(),
                share
            );
            few += usize::from(share < 0.25);
        }
    }
    assert!(few >= 45, "{few}");
    // Keys run over from the last NaN to the first of the other sign.
    let cbrt = sweeps::ALL
        .iter()
        .find(|s| s.name() == "cbrt-freebsd")
        .expect("a sweep");
    for range in [
        "bits:0x7fffffffffff0000..=bits:0x7fffffffffffffff",
        "bits:0xfff0000000000010..=bits:0xffefffffffff0000",
    ] {
        same(cbrt, &Range::parse(range, Precision::F64).expect(range));
    }
}

/// Correct, except for faults of every kind, and results above and below by some ULP.
#[crunch]
fn faulty_f32(x: DcFloat) -> DcFloat {
    let bits = x.to_bits();
    let mut y = x;
    if bits & 0xfff == 77 {
        y = NAN_F32;
    }
    if bits & 0x1fff == 99 {
        y = INFINITY_F32;
    }
    if bits & 0x7fff == 1001 {
        y = 0.0;
    }
    if bits & 0x3f == 5 {
        y = DcFloat::from_bits(bits + ((bits >> 14) & 3) - 1);
    }
    y
}
const NAN_F32: f32 = f32::NAN;
const INFINITY_F32: f32 = f32::INFINITY;

/// It has both signs of zero, NaNs and numbers that round to infinity or to zero.
#[crunch]
fn faulty_f32_reference(x: DcDouble) -> DcDouble {
    let bits = x.to_bits();
    let mut y = x * 1.000_000_000_1;
    if (bits >> 29) & 0xfff == 1001 {
        y = -0.0;
    }
    if (bits >> 29) & 0xfff == 3001 {
        y = x * 1e-46;
    }
    if (bits >> 29) & 0xffff == 3000 {
        y = NAN;
    }
    y
}

/// Without an error: the first input counts as the worst.
#[crunch]
fn exact_f32(x: DcFloat) -> DcFloat {
    x + x
}
#[crunch]
fn exact_f32_reference(x: DcDouble) -> DcDouble {
    x + x
}

static EXACT_F32: Sweep = Sweep::new::<exact_f32, exact_f32_reference>("exact-f32", "all");
static FAULTY_F32: Sweep = Sweep::new::<faulty_f32, faulty_f32_reference>("faulty-f32", "all");

/// In binary32, across zeros, subnormals, powers of two, infinities, NaNs and the last key.
#[test]
fn maxima_of_binary32_are_those_of_the_full_search() {
    let p = Precision::F32;
    let key = |x: f32| p.key_of_bits(x.to_bits().into());
    let places = [
        key(1.0),
        key(-2.0),
        key(1.3),
        key(0.0),
        key(f32::MIN_POSITIVE),
        // The ends of what is compared with the records.
        key(f32::from_bits(1 << 20)),
        key(1.7e38),
        key(-2.0f32.powi(127)),
        key(f32::INFINITY),
        key(f32::NEG_INFINITY),
        key(88.72),
        key(-103.97),
        p.max_key() - 50_000,
        p.min_key() + 50_000,
    ];
    let of_binary32 = |s: &&Sweep| s.has_maxima() && s.precision() == Precision::F32;
    let mut sweeps: Vec<&Sweep> = sweeps::ALL.iter().filter(of_binary32).collect();
    assert!(!sweeps.is_empty());
    sweeps.extend([&FAULTY_F32, &EXACT_F32]);
    for sweep in sweeps {
        for at in places {
            let [first, last] = [at - 50_000, at + 50_000];
            let [first, last] =
                [first, last].map(|k| p.bits_of_key(k.clamp(p.min_key(), p.max_key())));
            let range =
                Range::parse(&format!("bits:{first:#x}..=bits:{last:#x}"), p).expect("a range");
            same(sweep, &range);
        }
    }
}

/// 1.0 + 2^-20 and another input of the same stretch, where a routine is wrong.
const SPIKE: f64 = 1.000_000_953_674_316_4;
const HOLE: f64 = 1.000_000_953_680_316_4;

/// `1 / x`, with an error of a few ULP at one input and a NaN at another.
#[crunch]
fn wrong_at_two(x: DcDouble) -> DcDouble {
    let y = 1.0 / x;
    let y = if x == SPIKE { y + 4e-16 } else { y };
    if x == HOLE { y * NAN } else { y }
}

const NAN: f64 = f64::NAN;

/// A reference that is off by 2^-58.
#[crunch]
fn nearly_recip(x: DcDouble) -> DcDoubleDouble {
    let r = dd_recip(x);
    DcDoubleDouble::new(r.hi, r.lo + 3.469_446_951_953_614e-18)
}

static WRONG_AT_TWO: Sweep =
    Sweep::computing::<wrong_at_two, computes::recip>("wrong-at-two", "1.0..2.0")
        .with_maxima::<wrong_at_two>();

/// One input in a stretch of 2^21 is found, whatever is wrong with it.
#[test]
fn single_inputs_are_found() {
    let range = around(SPIKE, 20_000_000);
    let share = same(&WRONG_AT_TWO, &range);
    assert!(share < 0.1, "{share}");
    for device in devices() {
        let (found, _) =
            search(&WRONG_AT_TWO.measuring(Measure::Maxima), &range, &device).expect("a search");
        assert_eq!(found.max.key, key(SPIKE));
        assert!(
            found.max.error() > 1.0 && found.max.error() < 5.0,
            "{found:?}"
        );
        assert_eq!(
            (found.faults[0].count, found.faults[0].first_key),
            (1, key(HOLE))
        );
        // What is not measured is not counted.
        assert_eq!(
            (found.misrounded, found.undecided, found.histogram),
            (0, 0, [0; 16])
        );
    }
}

/// The digest is of the results' bits alone, NaNs included.
#[test]
fn the_digest_is_of_the_results() {
    let across_infinity = Range::parse("bits:0x7f7ff000..=bits:0x7f801000", Precision::F32);
    for (sweep, range) in [
        (&WRONG_AT_TWO, around(HOLE, 5003)),
        (&FAULTY_F32, across_infinity.expect("a range")),
    ] {
        let keys: Vec<i64> = range
            .spans()
            .iter()
            .flat_map(|s| s.first..=s.last)
            .collect();
        let bits = |&k: &i64| sweep.precision().bits_of_key(k);
        let inputs = [keys.iter().map(bits).collect()];
        let mut results = [Vec::new()];
        sweep
            .candidate()
            .eval(&inputs, &mut results)
            .expect("results");
        let terms = keys
            .iter()
            .zip(&results[0])
            .map(|(&k, &bits)| digest_term_of_result(k, bits));
        let want = terms.fold(0, u64::wrapping_add);
        for device in devices_for(sweep) {
            let maxima = sweep.measuring(Measure::Maxima);
            let found = search(&maxima, &range, &device).expect("a search").0;
            assert_eq!(found.digest, want, "{}", sweep.name());
        }
    }
}

#[test]
fn what_cannot_be_measured_is_refused() {
    let range = around(1.37, 5000);
    let devices = devices();
    let refused = |sweep: &Sweep, device: &Device| {
        let maxima = sweep.measuring(Measure::Maxima);
        search(&maxima, &range, device).expect_err(sweep.name())
    };
    // A reference that is not its function.
    let off = Sweep::new::<wrong_at_two, nearly_recip>("off", "1.0..2.0").of(Function::Recip);
    for device in &devices {
        let e = refused(&off.with_maxima::<wrong_at_two>(), device);
        assert!(
            e.contains("the reference is") && e.contains("ULP from its function"),
            "{e}"
        );
    }
    let e = refused(&off, &devices[0]);
    assert!(e.contains("with_maxima"), "{e}");
    let other = off.with_maxima::<sweeps::rcp_newton>();
    let e = refused(&other, &devices[0]);
    assert!(
        e.contains("`rcp_newton`") && e.contains("`wrong_at_two`"),
        "{e}"
    );
    for device in devices
        .iter()
        .filter(|d| d.backend.id().starts_with("cuda"))
    {
        let maxima = FAULTY_F32.measuring(Measure::Maxima);
        let e = engine::load(&*device.backend, &maxima);
        let e = e.err().expect("refused").to_string();
        assert!(
            e.contains("in binary32") && e.contains("Take scalar"),
            "{e}"
        );
    }
    let interpreter = discover(&"interpreter".parse().expect("a filter")).backends[0].clone();
    let e = refused(&WRONG_AT_TWO, &Device::new(interpreter, 1));
    assert!(e.contains("Take scalar"), "{e}");
}
