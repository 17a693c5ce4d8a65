//! Random choices: SplitMix64 (Steele, Lea and Flood, *Fast splittable pseudorandom number generators*, 2014).

/// A generator of choices.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// One for each pair of seed and number: kernel 17 of a seed is the same whatever was generated before it.
    #[must_use]
    pub fn of(seed: u64, number: u64) -> Self {
        let mut outer = Random(seed);
        let mut inner = Random(outer.word() ^ number.wrapping_mul(0x2545_f491_4f6c_dd1d));
        Random(inner.word())
    }

    /// 64 random bits.
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`; 0 if there is none.
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.word()) * n as u128) >> 64) as usize
    }

    /// A number of a range, both ends included.
    pub fn within(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    /// True in so many of a hundred cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of several.
    ///
    /// # Panics
    /// When there is none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// One of several, each in proportion to its weight.
    ///
    /// # Panics
    /// When all weights are 0.
    pub fn weighted<T: Copy>(&mut self, items: &[(usize, T)]) -> T {
        let mut at = self.below(items.iter().map(|i| i.0).sum());
        for &(weight, item) in items {
            if at < weight {
                return item;
            }
            at -= weight;
        }
        panic!("nothing to choose from")
    }
}
