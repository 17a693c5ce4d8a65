//! The inputs of the short form.

/// Zeros, subnormal and largest numbers, powers of two, small multiples of 1/4 and of pi/4, each with its neighbours; NaN.
pub fn edges() -> Vec<f32> {
    let mut all = vec![0.0, f32::from_bits(1), f32::MIN_POSITIVE, f32::MAX, 1e30];
    all.extend((-149..128).map(|e| 2f64.powi(e) as f32));
    all.extend((1..200).map(|n| n as f32 / 4.0));
    all.extend((1..200).map(|n| (f64::from(n) * std::f64::consts::FRAC_PI_4) as f32));
    let near = |x: f32| [x.next_down(), x, x.next_up()];
    let positive: Vec<f32> = all.into_iter().flat_map(near).collect();
    let mut all: Vec<f32> = positive.iter().flat_map(|&x| [x, -x]).collect();
    all.extend([f32::INFINITY, -f32::INFINITY, f32::NAN]);
    all
}

/// One number of every 2^16 consecutive ones: each upper half with a lower half of its own.
pub fn sample() -> Vec<f32> {
    (0..1u32 << 16)
        .map(|high| f32::from_bits(high << 16 | (high.wrapping_mul(0x9e37) & 0xffff)))
        .collect()
}

/// Random words, the same ones for a seed.
pub fn random(seed: u64) -> impl FnMut() -> u64 {
    let mut state = seed;
    move || {
        state = state
            .wrapping_mul(0x5851_f42d_4c95_7f2d)
            .wrapping_add(0x1405_7b7e_f767_814f);
        state ^ (state >> 29)
    }
}

/// The number from 0 to 1 with a word's upper bits.
pub fn unit(word: u64) -> f64 {
    (word >> 11) as f64 / 9_007_199_254_740_992.0
}

/// The inputs of a function whose true value is closest to a midpoint of two results: what a search of all inputs found.
pub fn hard(name: &str) -> Vec<f32> {
    words(name).map(f32::from_bits).collect()
}

/// The bits of these inputs; of a pair of 16 bits, the first number's above.
pub fn words(name: &str) -> impl Iterator<Item = u32> {
    let all = include_str!("hard.txt").lines();
    let mut lines = all.filter_map(|line| line.split_once(' '));
    let found = lines.find(|(of, _)| *of == name);
    let inputs = found.into_iter().flat_map(|(_, inputs)| inputs.split(' '));
    inputs.map(|x| u32::from_str_radix(x, 16).expect("bits in hexadecimal digits"))
}
