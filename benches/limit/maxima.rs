//! Our search for only the largest errors, for comparison with rivals that search for nothing else.

use std::cell::RefCell;

use doublecrunch::backend::discover;
use doublecrunch::model::measure::Measure;
use doublecrunch::search::block::BlockResult;
use doublecrunch::search::engine;
use doublecrunch::sweep::Sweep;

use super::measure::Contestant;

/// How many times as long the stretches are as those of others: a search takes pieces of 2^24 inputs, and each piece begins without a
/// record.
const LONGER: u64 = 8;

/// One for each of these instruction sets, if the sweep can be searched so. The stretches begin where others' do.
///
/// # Panics
/// If the largest errors are not those of the full search.
pub fn contestants<'a>(
    sweep: &'static Sweep,
    stretches: &[(i64, u64)],
    sets: impl Iterator<Item = &'a str>,
) -> Vec<Contestant<'static>> {
    if !sweep.has_maxima() {
        return Vec::new();
    }
    let longer: Vec<(i64, u64)> = stretches.iter().map(|s| (s.0, LONGER * s.1)).collect();
    let inputs = longer.iter().map(|s| s.1).sum();
    let of = |set: &str| {
        let found = discover(&set.parse().expect("a backend"));
        let backend = found.get(set).expect("it is here");
        let mut full = backend.load_sweep(sweep).expect("it is compiled");
        let maxima = sweep.measuring(Measure::Maxima);
        let mut kernel = engine::load(&**backend, &maxima).expect("it is compiled");
        for &(first, count) in stretches {
            let [want, mut found] = [&mut full, &mut kernel]
                .map(|k| Measure::Maxima.of(&k.run(first, count).expect("it runs")));
            found.digest = want.digest;
            assert_eq!(found, want, "{set}");
        }
        let (kernel, longer) = (RefCell::new(kernel), longer.clone());
        Contestant::new(format!("ours, {set}, maxima"), inputs, move || {
            let mut kernel = kernel.borrow_mut();
            for &(first, count) in &longer {
                std::hint::black_box::<BlockResult>(kernel.run(first, count).expect("it runs"));
            }
        })
    };
    sets.map(of).collect()
}
