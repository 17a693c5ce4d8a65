use std::cell::Cell;
use std::convert::Infallible;

use super::*;

/// A binade, and the one of its 4,096 parts in which the smooth error is largest.
const BINADE: i64 = 1 << 52;
const PART: i64 = 1 << 40;
const PEAK: i64 = 2_741;

/// Roundings: a sum of eight saw-teeth whose slopes change slowly, within ±1.6.
fn roundings(key: i64) -> f64 {
    const SLOPES: [f64; 8] = [
        0.618_034, 0.414_214, 0.302_776, 0.732_051, 0.236_068, 0.645_751, 0.162_278, 0.872_983,
    ];
    let x = (key & 0x3ff_ffff) as f64;
    let saw = |(i, slope): (usize, &f64)| {
        let start = (key >> 26) as f64 * (0.569_840_3 + 0.1 * i as f64);
        let x = start + x * slope + x * x * 1e-11 * (i as f64 - 3.4);
        2.0 * (x - x.floor()) - 1.0
    };
    0.2 * SLOPES.iter().enumerate().map(saw).sum::<f64>()
}

/// A smooth error that differs from part to part, and is by 0.12 larger in one of them.
fn smooth(key: i64) -> f64 {
    match key / PART {
        PEAK => -0.42,
        part => 0.3 * ((part * 97 % 4_096) as f64 / 2_048.0 - 1.0),
    }
}

fn error(key: i64) -> f64 {
    smooth(key) + roundings(key)
}

fn strata() -> Vec<Span> {
    let part = |i: i64| Span {
        first: i * BINADE / 8,
        last: (i + 1) * BINADE / 8 - 1,
    };
    (0..8).map(part).collect()
}

/// A budget of inputs alone.
fn of(inputs: u64) -> Budget<'static> {
    let time = &|| 0.0;
    Budget { inputs, time }
}

fn estimated(inputs: u64, seed: u64) -> Levels {
    let Ok(found) = levels(&strata(), &of(inputs), seed, |keys| {
        let list = |keys: &Vec<i64>| keys.iter().map(|&k| error(k)).collect();
        Ok::<_, Infallible>(Some(keys.iter().map(list).collect()))
    });
    found
}

/// The smooth error is largest in one of 4,096 parts. The levels find it, while the worst of as many inputs at random are elsewhere: a search that begins
/// at the worst inputs, as before there were levels, does not begin there.
#[test]
fn a_narrow_part_is_found_by_its_level() {
    for seed in [1, 2] {
        let found = estimated(3 << 20, seed);
        let best = found.best[0];
        assert_eq!(best.span.first / PART, PEAK, "{best:?}");
        assert_eq!(best.span.last / PART, PEAK, "{best:?}");
        assert!(best.sign < 0.0, "{best:?}");
        let mut random = seed;
        let mut sample: Vec<Found> = (0..found.inputs)
            .map(|_| split_mix(&mut random) as i64 & (BINADE - 1))
            .map(|key| (key, error(key).abs()))
            .collect();
        sample.sort_by(|a, b| b.1.total_cmp(&a.1));
        let there = sample[..32].iter().filter(|f| f.0 / PART == PEAK).count();
        println!(
            "{best:?}; {there} of the 32 worst of {} inputs",
            sample.len()
        );
        assert!(there <= 2, "{there}");
    }
}

/// The same seed gives the same stretches; no input that was evaluated has a larger error than the first of the worst.
#[test]
fn it_depends_on_the_seed_alone() {
    let (a, b, c) = (
        estimated(1 << 18, 7),
        estimated(1 << 18, 7),
        estimated(1 << 18, 8),
    );
    assert!(a == b && a != c);
    let mut most = 0.0_f64;
    let Ok(found) = levels(&strata(), &of(1 << 18), 7, |keys| {
        let list = |keys: &Vec<i64>| keys.iter().map(|&k| error(k)).collect();
        let errors: Vec<Vec<f64>> = keys.iter().map(list).collect();
        let all = errors.iter().flatten();
        most = all.map(|e| e.abs()).fold(most, f64::max);
        Ok::<_, Infallible>(Some(errors))
    });
    assert_eq!(found, a);
    assert_eq!(found.worst[0].1, most);
    assert!(found.worst.is_sorted_by(|x, y| x.1 >= y.1));
}

/// The inputs are as many as the budget has, also with those of the best stretches, which are sampled again. Where the time is over sooner, the estimates end
/// then, and have sampled these as well.
#[test]
fn estimates_stay_within_their_budget() {
    for inputs in [1 << 20, 3 << 20, 8 << 20] {
        let found = estimated(inputs, 3);
        println!("{} of {inputs}", found.inputs);
        assert!(
            found.inputs > inputs / 5 * 4,
            "{} of {inputs}",
            found.inputs
        );
        // The last stretches are cut together.
        assert!(
            found.inputs < inputs + (1 << 17),
            "{} of {inputs}",
            found.inputs
        );
    }
    let (calls, most) = (Cell::new(0), Cell::new(0));
    let budget = Budget {
        inputs: 1 << 30,
        time: &|| f64::from(calls.get()) / 60.0,
    };
    let Ok(found) = levels(&strata(), &budget, 3, |keys| {
        calls.set(calls.get() + 1);
        let longest = keys.iter().map(Vec::len).max().unwrap_or(0);
        most.set(longest.max(most.get()));
        let list = |keys: &Vec<i64>| keys.iter().map(|&k| error(k)).collect();
        Ok::<_, Infallible>(Some(keys.iter().map(list).collect()))
    });
    assert!((40..=50).contains(&calls.get()), "{}", calls.get());
    assert!(
        !found.best.is_empty() && most.get() >= 3 * ENOUGH,
        "{most:?}"
    );
}

/// Those that are kept are the worst of all that were evaluated, however many these are.
#[test]
fn the_worst_of_all_are_kept() {
    let binade = |i: i64| Span {
        first: i * BINADE,
        last: (i + 1) * BINADE - 1,
    };
    let strata: Vec<Span> = (0..256).map(binade).collect();
    let mut all: Vec<Found> = Vec::new();
    let Ok(found) = levels(&strata, &of(1 << 18), 7, |keys| {
        // The binades differ.
        let one = |&k: &i64| error(k) * (1.0 + (k / BINADE) as f64 / 64.0);
        let list = |keys: &Vec<i64>| keys.iter().map(one).collect();
        let errors: Vec<Vec<f64>> = keys.iter().map(list).collect();
        let magnitudes = errors.iter().flatten().map(|e| e.abs());
        all.extend(keys.iter().flatten().copied().zip(magnitudes));
        Ok::<_, Infallible>(Some(errors))
    });
    assert!(all.len() > 1 << 17);
    all.retain(|f| f.1 > 0.5);
    trim(&mut all);
    assert_eq!((found.worst.len(), found.worst == all), (WORST, true));
}

/// A result that is the argument has errors up to one half, of which many are near that: the level is not far beyond it.
#[test]
fn a_level_is_not_far_beyond_errors_that_end_sharply() {
    let level = |error: &dyn Fn(f64) -> f64| {
        let mut stretch = Stretch::new(strata()[0]);
        let points = (0..1 << 12).map(|i| (i, error(f64::from(i as u32) / 4096.0)));
        stretch.errors = points.collect();
        stretch.judge();
        stretch.level
    };
    let sharp = level(&|x| if x < 0.5 { 0.5 } else { -0.5 + x / 100.0 });
    assert!((0.5..0.52).contains(&sharp), "{sharp}");
    let uniform = level(&|x| x - 0.5);
    assert!((0.5..0.6).contains(&uniform), "{uniform}");
    let shifted = level(&|x| x - 0.45);
    assert!((shifted - uniform - 0.05).abs() < 1e-3, "{shifted}");
}

/// A function that is undefined in most places, or whose errors are infinite, has levels where it is defined.
#[test]
fn undefined_and_infinite_errors_are_left_out() {
    let Ok(found) = levels(&strata(), &of(1 << 16), 1, |keys| {
        let one = |&k: &i64| match k {
            k if k < BINADE / 2 => f64::NAN,
            k if k % 3 == 0 => f64::INFINITY,
            k => error(k),
        };
        let list = |keys: &Vec<i64>| keys.iter().map(one).collect();
        Ok::<_, Infallible>(Some(keys.iter().map(list).collect()))
    });
    assert!(
        found.best[0].span.first >= BINADE / 2,
        "{:?}",
        found.best[0]
    );
    assert!(found.best.iter().all(|l| l.level.is_finite()));
    assert!(found.worst.iter().all(|f| f.1.is_finite()));
    // An end by `evaluate` is no error.
    let Ok(none) = levels(&strata(), &of(1 << 16), 1, |_| Ok::<_, Infallible>(None));
    assert_eq!(none, Levels::default());
}

/// Where many stretches are alike, as the binades of a periodic function, the search ends after its first samples, and returns all of them without
/// a sign. Where some have a larger smooth error, it does not. Those with no error but the last rounding do not count.
#[test]
fn levels_end_where_no_stretch_stands_out() {
    // A last rounding, as of a function that rounds nearly correctly.
    let last = |k: i64| split_mix(&mut { k as u64 }) as i64 as f64 / 2f64.powi(64);
    let of = |parts: i64, error: &dyn Fn(i64, i64) -> f64| {
        let part = |i: i64| Span {
            first: i * (BINADE / 128),
            last: (i + 1) * (BINADE / 128) - 1,
        };
        let strata: Vec<Span> = (0..parts).map(part).collect();
        let Ok(found) = levels(&strata, &of(1 << 18), 5, |keys| {
            let one = |&k: &i64| error(k / (BINADE / 128), k);
            let list = |keys: &Vec<i64>| keys.iter().map(one).collect();
            Ok::<_, Infallible>(Some(keys.iter().map(list).collect()))
        });
        found
    };
    let alike = of(128, &|_, k| 0.3 + last(k));
    let all = |found: &Levels| found.best.len() == 128 && found.best.iter().all(|l| l.sign == 0.0);
    assert!(all(&alike) && !alike.worst.is_empty());
    assert_eq!(alike.inputs, 128 * FEW as u64);
    // The signs do not matter.
    let signs = of(128, &|part, k| {
        last(k) + if part % 2 == 0 { 0.3 } else { -0.3 }
    });
    assert!(all(&signs));
    let apart = of(128, &|part, k| {
        last(k) + if part >= 100 { 0.9 } else { 0.0 }
    });
    assert!(apart.best[0].span.first >= 100 * (BINADE / 128) && apart.best[0].sign == 1.0);
    assert!(apart.inputs > 1 << 17);
    // Most results are the arguments; of the others none stands out.
    let few = |part, k| if part < 50 { 0.0 } else { last(k) };
    let few = of(128, &few);
    assert!(few.best.len() <= 78 && few.best.iter().all(|l| l.span.first >= 50 * (BINADE / 128)));
    // Few stretches may have parts that stand out.
    let parts = of(8, &|_, k| 0.3 + last(k)).best;
    assert!(!parts.is_empty() && parts.iter().all(|l| l.sign == 1.0));
}
