use super::cuts::{binades, cut};
use super::*;
use crate::backend::{Filter, discover};
use crate::model::block::BlockResult;
use crate::model::key::Precision;
use crate::sweeps::testing::exp_42;
use crate::sweeps::{self, exp_reference};

fn range(text: &str, p: Precision) -> Range {
    Range::parse(text, p).expect(text)
}

fn sweep(name: &str) -> &'static Sweep {
    sweeps::ALL.iter().find(|s| s.name == name).expect(name)
}

fn key(x: f64) -> i64 {
    Precision::F64.key_of_bits(x.to_bits())
}

/// The result of a search in plain Rust.
fn search(sweep: &Sweep, sample: &Sample) -> BlockResult {
    let spans = sample.range.spans().iter();
    let stretches = spans.fold(BlockResult::EMPTY, |sum, s| {
        sum.merge(&(sweep.compiled().scalar)(s.first, s.count() as u64))
    });
    let Some(singles) = &sample.singles else {
        return stretches;
    };
    let backends = discover(&Filter::processor()).backends;
    let over = sweep.over(singles.space());
    let loaded = backends[0].load_sweep(&over);
    let found = loaded
        .and_then(|mut s| s.run(0, singles.count() as u64))
        .expect("a search");
    stretches.merge(&singles.space().located(&found))
}

#[test]
fn the_routine_that_returns_42_is_noticed() {
    const WRONG: Sweep = Sweep::new::<exp_42, exp_reference>("exp", "-745.2..=709.8");
    for inputs in [1 << 12, 1 << 14, 1 << 20] {
        let sample = Sample::of(
            &WRONG,
            &range(WRONG.range, WRONG.precision),
            &Wanted::of(&WRONG, inputs),
        );
        let found = search(&WRONG, &sample);
        assert!(found.max.error() > 1e15, "{inputs}: {}", found.max.error());
        let share = found.histogram[15] as f64 / found.count as f64;
        assert!(share > 0.2, "{inputs}: {share}");
    }
}

#[test]
fn every_stratum_is_taken() {
    for (name, text, binades_of_input) in [
        ("reciprocal", "all", 4096),
        ("reciprocal", "1.0..8.0", 3),
        ("reciprocal-f32", "-4.0..=-1.0, 2.0..1e3", 3 + 9),
        ("reciprocal-f32", "all", 512),
        ("exp", "-745.2..=709.8", 1033 + 1033),
    ] {
        let sweep = sweep(name);
        let p = sweep.precision;
        let whole = range(text, p);
        let known = whole.spans()[0].first + 100_000;
        let wanted = Wanted {
            known: &[known],
            ..Wanted::of(sweep, 1 << 20)
        };
        let s = Sample::of(sweep, &whole, &wanted);
        let strata = s.strata.clone().expect("it is a sample");
        assert_eq!(strata.inputs, binades_of_input, "{text}");
        assert_eq!(strata.unknown, None);
        let cuts = Cuts::find(sweep, &whole);
        let mut least = 16;
        for way in cuts.ways() {
            for stratum in cut(&whole, way) {
                let n = stratum.count();
                let here = Range::from_spans(p, vec![stratum]).expect("a stratum");
                let taken = here.intersection(&s.range).count();
                assert!(taken >= n.min(least), "{text}: {taken} of {n}, {stratum:?}");
            }
            // There may be more pieces than stretches.
            least = 1;
        }
        let n = s.count();
        assert!(n > 1 << 19 && n < (1 << 20) + (1 << 17), "{text}: {n}");
        assert_eq!((s.of, s.is_exhaustive()), (whole.count(), false));
        assert_eq!(whole.intersection(&s.range), s.range, "{text}");
        for key in [known, known - 512, known + 512, whole.spans()[0].first] {
            assert!(
                s.range.contains(key) || !whole.contains(key),
                "{text}: {key}"
            );
        }
        assert_eq!(Sample::of(sweep, &whole, &wanted), s);
        let other = Wanted { seed: 8, ..wanted };
        assert_ne!(Sample::of(sweep, &whole, &other).range, s.range);
        if text == "all" {
            for special in specials(p) {
                assert!(s.range.contains(special), "{name}: {special}");
            }
        }
    }
}

/// `exp` is cut where x log2 e + 1/2 becomes the next integer, and where the result becomes the next power of two.
#[test]
fn the_pieces_of_exp_are_found() {
    let exp = sweep("exp");
    let whole = range("0.1..100.0", Precision::F64);
    let cuts = Cuts::find(exp, &whole);
    let ln_2 = std::f64::consts::LN_2;
    let near = |cuts: &[i64], x: f64| cuts.iter().any(|&c| (c - key(x)).abs() < 1 << 8);
    for n in 1..=143 {
        let x = (f64::from(n) - 0.5) * ln_2;
        assert!(near(&cuts.pieces, x), "piece {n}, at {x}");
        let x = f64::from(n) * ln_2;
        assert!(near(&cuts.results, x), "result 2^{n}, at {x}");
    }
    assert_eq!(cuts.results.len(), 144);
    // 2^-3 to 2^6.
    assert_eq!(cuts.inputs.len(), 10);
}

/// A routine with a table: every entry's first input is a cut.
#[test]
fn the_entries_of_a_table_are_found() {
    let cuts = Cuts::find(sweep("reciprocal"), &range("1.0..2.0", Precision::F64));
    // VRECPE has a table of 8 bits.
    assert!(cuts.pieces.len() >= 255, "{}", cuts.pieces.len());
    let s = Sample::of(
        sweep("reciprocal"),
        &range("1.0..2.0", Precision::F64),
        &Wanted::of(sweep("reciprocal"), 1 << 20),
    );
    for c in cuts.pieces {
        assert!(s.range.contains(c) && s.range.contains(c - 1), "{c}");
    }
}

/// Half of a sample are single inputs: in each stratum, in no stretch, and a search of them is that of each by itself.
#[test]
fn half_of_a_sample_is_single_inputs_at_random_places() {
    for (name, text) in [
        ("exp", "-745.2..=709.8"),
        ("reciprocal-f32", "all"),
        ("reciprocal", "1.0..8.0"),
    ] {
        let sweep = sweep(name);
        let whole = range(text, sweep.precision);
        let s = Sample::of(sweep, &whole, &Wanted::of(sweep, 1 << 18));
        let singles = s.singles.clone().expect("single inputs");
        let share = singles.count() as f64 / s.count() as f64;
        assert!((0.47..0.53).contains(&share), "{text}: {share}");
        let space = singles.space();
        let p = sweep.precision;
        let key = |n: i64| p.key_of_bits(space.words(n).next().expect("one word"));
        let keys: Vec<i64> = (0..singles.count() as i64).map(key).collect();
        assert!(keys.windows(2).all(|w| w[0] < w[1]), "{text}");
        for &k in keys.iter().step_by(17) {
            assert!(whole.contains(k) && !s.range.contains(k), "{text}: {k}");
        }
        let low = keys.iter().filter(|&&k| k & 1 == 1).count() as f64 / keys.len() as f64;
        assert!((0.48..0.52).contains(&low), "{text}: {low}");
        if name == "exp" {
            let used = keys.iter().map(|&k| p.value_of_key(k).abs());
            let used = used.filter(|x| (0.001..700.0).contains(x)).count();
            assert!(used > keys.len() / 3, "{used} of {}", keys.len());
        }
        assert!(s.misses().expect("a sample").contains("at random places"));
        // A stretch with singles in it, cut at each of them.
        let span = Span {
            first: keys[40],
            last: keys[44],
        };
        let around = Range::covering(p, vec![span]);
        let left = s.without_singles(&around);
        assert_eq!(left.count(), around.count() - 5);
        assert!(keys[40..=44].iter().all(|&k| !left.contains(k)));
        // Backends agree on them, and with each input by itself.
        let few = Range::from_spans(
            space,
            vec![Span {
                first: 5,
                last: 2004,
            }],
        )
        .expect("few");
        let over = sweep.over(space);
        let found: Vec<BlockResult> = discover(&"scalar,interpreter".parse().expect("a filter"))
            .backends
            .iter()
            .map(|b| {
                b.load_sweep(&over)
                    .and_then(|mut s| s.run(5, few.count() as u64))
                    .expect("a search")
            })
            .collect();
        assert!(
            found.len() >= 2 && found.windows(2).all(|w| w[0] == w[1]),
            "{found:?}"
        );
        let alone = (5..2005).fold(BlockResult::EMPTY, |sum, n| {
            sum.merge(&(sweep.compiled().scalar)(key(n), 1))
        });
        let located = BlockResult {
            digest: alone.digest,
            ..space.located(&found[0])
        };
        assert_eq!(located, alone, "{text}");
    }
}

#[test]
fn what_is_small_is_taken_whole() {
    let f32s = sweep("reciprocal-f32");
    let whole = range("1.0..=0x1.001p0", Precision::F32);
    let s = Sample::of(f32s, &whole, &Wanted::of(f32s, 1 << 20));
    assert_eq!((s.is_exhaustive(), &s.range), (true, &whole));
    assert_eq!(s.describe(), None);
    let s = Sample::of(f32s, &whole, &Wanted::of(f32s, 100));
    assert!(!s.range.spans().is_empty() && s.count() < 300, "{s:?}");
}

#[test]
fn few_stretches_are_spread_over_all() {
    let exp = sweep("exp");
    let whole = range(exp.range, exp.precision);
    let wanted = Wanted {
        stretches: 24,
        ..Wanted::of(exp, 1 << 12)
    };
    let s = Sample::of_stretches(exp, &whole, &wanted);
    let (n, spans) = (s.count(), s.range.spans().len());
    assert!(n < 5000 && spans < 200, "{n} in {spans}");
    // The range in which programs call it.
    let used = range("-700.0..=-0.001, 0.001..=700.0", Precision::F64);
    let used = used.intersection(&s.range).count();
    assert!(used > n / 3, "{used} of {n}");
}

#[test]
fn binades_end_where_exponents_change() {
    for text in ["-3.0..=-0.9", "0.9..=3.0"] {
        let r = range(text, Precision::F64);
        let cut = binades(Precision::F64, r.spans()[0]);
        assert!(cut.len() > 1 && cut[cut.len() - 1].last == r.spans()[0].last);
        for b in &cut {
            let exponent = |key| (r.precision().bits_of_key(key) >> 52) & 0x7ff;
            assert_eq!(exponent(b.first), exponent(b.last), "{text}");
            let ends = b.last == r.spans()[0].last;
            assert!(ends || exponent(b.last) != exponent(b.last + 1), "{text}");
        }
    }
}
