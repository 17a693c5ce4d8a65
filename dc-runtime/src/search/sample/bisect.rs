//! The inputs at which a function's value changes, by evaluation and bisection.

/// The keys `k`, ascending, for which the values at `k - 1` and at `k` differ, as far as neighbours on the grid show it: a change that is
/// undone before the grid's next key is not found.
///
/// `grid` has keys in ascending stretches, `values` the function at each of them; `eval` evaluates the function at any keys. If two
/// neighbouring keys of a stretch differ, there is at least one change between them, and each half that still differs is bisected further.
/// At most `most` places, evenly chosen from all, are followed at the same time, and at most this many are found.
///
/// # Errors
/// As for `eval`.
pub(super) fn changes<E>(
    grid: &[Vec<i64>],
    values: &[u64],
    most: usize,
    mut eval: impl FnMut(&[i64]) -> Result<Vec<u64>, E>,
) -> Result<Vec<i64>, E> {
    let mut open: Vec<[(i64, u64); 2]> = Vec::new();
    let mut at = 0;
    for stretch in grid {
        let here = &values[at..at + stretch.len()];
        at += stretch.len();
        let points: Vec<(i64, u64)> = stretch.iter().copied().zip(here.iter().copied()).collect();
        let differ = points.windows(2).filter(|w| w[0].1 != w[1].1);
        open.extend(differ.map(|w| [w[0], w[1]]));
    }
    let mut found = Vec::new();
    while !open.is_empty() {
        open = evenly(open, most);
        let wide = |[a, b]: &[(i64, u64); 2]| i128::from(b.0) - i128::from(a.0) > 1;
        let (next, done): (Vec<_>, Vec<_>) = open.into_iter().partition(wide);
        found.extend(done.iter().map(|[_, b]| b.0));
        let middle =
            |[a, b]: &[(i64, u64); 2]| ((i128::from(a.0) + i128::from(b.0)).div_euclid(2)) as i64;
        let keys: Vec<i64> = next.iter().map(middle).collect();
        let values = eval(&keys)?;
        open = Vec::new();
        for ([a, b], m) in next.into_iter().zip(keys.into_iter().zip(values)) {
            open.extend([[a, m], [m, b]].into_iter().filter(|[x, y]| x.1 != y.1));
        }
    }
    found.sort_unstable();
    found.dedup();
    Ok(evenly(found, most))
}

/// At most `most` of them, evenly chosen, in order.
pub(super) fn evenly<T: Copy>(all: Vec<T>, most: usize) -> Vec<T> {
    if all.len() <= most {
        return all;
    }
    let n = all.len();
    (0..most)
        .map(|i| all[(2 * i + 1) * n / (2 * most)])
        .collect()
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    fn steps(grid: &[Vec<i64>], most: usize, f: impl Fn(i64) -> u64) -> Vec<i64> {
        let eval = |keys: &[i64]| Ok::<_, Infallible>(keys.iter().map(|&k| f(k)).collect());
        let values: Vec<u64> = grid.iter().flatten().map(|&k| f(k)).collect();
        let Ok(found) = changes(grid, &values, most, eval);
        found
    }

    #[test]
    fn every_step_between_differing_ends_is_found() {
        let stairs = |k: i64| k.div_euclid(1000) as u64;
        let grid = [vec![-5000, 4999], vec![100_000, 100_001]];
        let want: Vec<i64> = (-4..=4).map(|i| 1000 * i).collect();
        assert_eq!(steps(&grid, 4096, stairs), want);
        assert!(steps(&grid[1..], 4096, stairs).is_empty());
        assert_eq!(steps(&[vec![99_999, 100_000]], 4096, stairs), [100_000]);
        let all = [vec![i64::MIN, i64::MAX]];
        assert_eq!(steps(&all, 8, |k| u64::from(k >= -7)), [-7]);
    }

    #[test]
    fn of_too_many_steps_some_are_found_all_over() {
        let f = |k: i64| k.div_euclid(10) as u64;
        let found = steps(&[vec![0, 1_000_000]], 64, f);
        assert!(found.len() > 32 && found.len() <= 64, "{}", found.len());
        assert!(found.iter().all(|k| k % 10 == 0));
        assert!(
            found[0] < 50_000 && found[found.len() - 1] > 950_000,
            "{found:?}"
        );
    }
}
