//! The fine histogram: the distribution of the errors of a sample of the inputs, in bins of 1/64 ULP.
//!
//! Every backend counts every input in the coarse bins of [`super::block`]. A counter for each of 136 bins would need memory for each lane
//! of a device. Its update for each input would cost a processor about a cycle, a tenth of the time of a short routine. The shape of a
//! distribution needs far fewer inputs. So the search on the host evaluates one input of each stretch of `2^k` keys again, with the
//! compiled kernels of plain Rust, and counts these here. The number of the stretch determines which of its inputs is taken, so counts do
//! not depend on backends, blocks, threads or resumption.

/// The number of bins per ULP, below [`LINEAR`] ULP.
const PER_ULP: usize = 64;
/// From this number of ULP on, each bin is an octave.
const LINEAR: usize = 2;
/// The number of bins: 1/64 ULP up to 2, an octave up to 256, and one bin for all larger errors.
pub const FINE_BINS: usize = PER_ULP * LINEAR + 8;

/// The bin of an error in ULP, of either sign.
#[must_use]
pub fn fine_bin(error: f64) -> usize {
    let size = error.abs();
    if size < LINEAR as f64 {
        return (size * PER_ULP as f64) as usize;
    }
    // The exponent: 1 in the first octave, [2, 4).
    let octave = (size.to_bits() >> 52) as usize - 1023 - LINEAR.ilog2() as usize;
    (PER_ULP * LINEAR + octave).min(FINE_BINS - 1)
}

/// Lower edge of a bin in ULP.
#[must_use]
pub fn fine_floor(bin: usize) -> f64 {
    match bin.checked_sub(PER_ULP * LINEAR) {
        None => bin as f64 / PER_ULP as f64,
        Some(octave) => LINEAR as f64 * f64::powi(2.0, octave as i32),
    }
}

/// Counts of a sample's inputs by error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fine(pub [u64; FINE_BINS]);

impl Default for Fine {
    fn default() -> Self {
        Fine::EMPTY
    }
}

impl Fine {
    /// The counts of no inputs.
    pub const EMPTY: Fine = Fine([0; FINE_BINS]);

    /// The number of inputs counted.
    #[must_use]
    pub fn inputs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The sum of the counts of both samples.
    #[must_use]
    pub fn merge(mut self, other: &Fine) -> Fine {
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a += b;
        }
        self
    }
}

/// The sampled inputs of a search: one of each stretch of `2^k` neighbouring keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sampling {
    log2: u32,
}

impl Sampling {
    /// The sampling of a search of this many inputs: at least 2^16 of them (all, if there are fewer), and one of 2^12 for large numbers. An
    /// evaluation in plain Rust takes about ten times as long as in a search. So this takes 0.3 % of the time of a long search, and a few
    /// milliseconds of a short one.
    #[must_use]
    pub fn of(inputs: u128) -> Sampling {
        Sampling {
            log2: inputs.max(1).ilog2().saturating_sub(16).min(12),
        }
    }

    /// The length of a stretch. One key of each stretch is evaluated.
    #[must_use]
    pub const fn stretch(self) -> u64 {
        1 << self.log2
    }

    /// The sampled keys among `count` from `first` on, ascending.
    pub fn keys(self, first: i64, count: u64) -> impl Iterator<Item = i64> {
        let end = i128::from(first) + i128::from(count);
        let stretches = match count {
            0 => 0..0,
            _ => i128::from(first >> self.log2)..((end - 1) >> self.log2) + 1,
        };
        stretches.filter_map(move |stretch| {
            let within = mix(stretch as u64) & (self.stretch() - 1);
            let key = (stretch << self.log2) + i128::from(within);
            (i128::from(first) <= key && key < end).then_some(key as i64)
        })
    }
}

/// The finalizer of SplitMix64 (Steele, Lea and Flood, 2014): every bit of the result depends on every bit of the number.
const fn mix(mut n: u64) -> u64 {
    n = (n ^ (n >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    n = (n ^ (n >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    n ^ (n >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_have_the_edges_that_they_claim() {
        for bin in 0..FINE_BINS {
            let floor = fine_floor(bin);
            assert_eq!(fine_bin(floor), bin, "{floor}");
            assert_eq!(fine_bin(-floor), bin);
            if bin > 0 {
                assert_eq!(fine_bin(floor.next_down()), bin - 1, "{floor}");
            }
        }
        assert_eq!(fine_floor(32), 0.5);
        assert_eq!(fine_floor(FINE_BINS - 1), 256.0);
        for large in [256.0, 1e300, f64::MAX, f64::INFINITY] {
            assert_eq!(fine_bin(large), FINE_BINS - 1);
        }
    }

    /// The sampled keys do not depend on how a range is cut: one in each whole stretch.
    #[test]
    fn samples_do_not_depend_on_pieces() {
        let sampling = Sampling::of(1 << 22);
        assert_eq!(sampling.stretch(), 64);
        for first in [-100_000i64, -64, 0, 77, i64::MIN, i64::MAX - 9999] {
            let whole: Vec<i64> = sampling.keys(first, 10_000).collect();
            let mut pieces = Vec::new();
            let mut at = 0u64;
            for size in [1u64, 63, 64, 65, 1000, 2807, 6000] {
                pieces.extend(sampling.keys(first + at as i64, size));
                at += size;
            }
            assert_eq!(at, 10_000);
            assert_eq!(whole, pieces);
            let stretches: Vec<i64> = whole.iter().map(|k| k >> 6).collect();
            assert!(stretches.windows(2).all(|w| w[1] == w[0] + 1), "{first}");
            assert!((155..=157).contains(&whole.len()), "{}", whole.len());
        }
        assert_eq!(sampling.keys(5, 0).count(), 0);
    }

    #[test]
    fn short_searches_are_sampled_whole_and_long_ones_thinly() {
        for (inputs, stretch) in [
            (0, 1),
            (1, 1),
            ((1 << 17) - 1, 1),
            (1 << 17, 2),
            (1 << 28, 4096),
            (1 << 64, 4096),
        ] {
            assert_eq!(Sampling::of(inputs).stretch(), stretch, "{inputs}");
        }
        assert_eq!(
            Sampling::of(99).keys(-3, 7).collect::<Vec<_>>(),
            [-3, -2, -1, 0, 1, 2, 3]
        );
    }
}
