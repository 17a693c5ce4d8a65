//! The order of the doubles: each double has an index, and neighbours have consecutive indices.

/// The index of a double in the order of doubles, -0 before 0.
pub fn rank(x: f64) -> i64 {
    let bits = x.to_bits() as i64;
    if bits < 0 {
        -1 - (bits & i64::MAX)
    } else {
        bits
    }
}

/// The double of a rank.
pub fn double(rank: i64) -> f64 {
    f64::from_bits(if rank < 0 {
        (-1 - rank) as u64 | 1 << 63
    } else {
        rank as u64
    })
}

/// The last number of the lower half of the numbers from `lo` to `hi`: it is below `hi` if `lo` is.
pub fn half(lo: i64, hi: i64) -> i64 {
    lo + (hi - lo) / 2
}

#[cfg(test)]
mod tests {
    use super::{double, half, rank};

    #[test]
    fn doubles_are_in_order() {
        let least = f64::from_bits(1);
        let all = [-f64::MAX, -1.5, -least, -0.0, 0.0, least, 1.0, f64::MAX];
        for x in all {
            assert_eq!(double(rank(x)).to_bits(), x.to_bits());
        }
        assert!(all.is_sorted_by_key(|&x| rank(x)));
        assert_eq!(rank(-0.0) + 1, rank(0.0));
    }

    #[test]
    fn halves_are_of_one_size() {
        let ends = [-f64::MAX, -1.5, -0.0, 0.0, 5e-324, 1.0, 2.0, f64::MAX].map(rank);
        for lo in ends {
            for hi in [1, 2, 3, 40].map(|n| lo + n).into_iter().chain(ends) {
                if lo < hi && (lo < 0) == (hi < 0) {
                    let middle = half(lo, hi);
                    assert!(lo <= middle && middle < hi, "{lo} {hi}");
                    assert!(((middle - lo + 1) - (hi - middle)).abs() <= 1, "{lo} {hi}");
                }
            }
        }
    }
}
