//! One launch of an emitted kernel. Outputs are filled with a sentinel before the launch and every word is compared with the sentinel
//! afterwards. Then records are merged.

use kernels_gen::emit::{CHECK, PIECE, RECORD, Signature, check};

use super::{Piece, Polynomial};
use crate::model::block::BlockResult;
use crate::model::measure::Measure;

/// A kernel compiled for a device.
pub(super) trait Launch: Send {
    /// Runs a point kernel on columns of the same length. On the device, the outputs contain `sentinel` in every word before the kernel
    /// starts. After it has ended, their words are copied to `outputs`, which are as long as the inputs.
    fn point(
        &mut self,
        inputs: &[&[u64]],
        outputs: &mut [&mut [u64]],
        sentinel: u64,
    ) -> Result<(), String>;
    /// Runs a sweep kernel and returns its records, which contain `sentinel` in every word before it starts.
    fn sweep(&mut self, first: i64, count: u64, sentinel: u64) -> Result<Vec<u64>, String>;
    /// Runs the kernel of a search for maxima on pieces, with the words of each piece in one row; otherwise the same as [`Launch::sweep`].
    fn maxima(
        &mut self,
        first: i64,
        count: u64,
        pieces: &[u64],
        sentinel: u64,
    ) -> Result<Vec<u64>, String> {
        let _ = (first, count, pieces, sentinel);
        Err("it is not a search for maxima".into())
    }
}

/// Whether columns match the parameters and results of a point kernel: their numbers, and one common length.
pub(super) fn check_columns(
    signature: &Signature,
    inputs: &[&[u64]],
    outputs: &[&mut [u64]],
) -> Result<(), String> {
    let Signature::Point {
        inputs: ins,
        outputs: outs,
    } = signature
    else {
        return Err("it is a search kernel".into());
    };
    if (inputs.len(), outputs.len()) != (ins.len(), outs.len()) {
        return Err(format!(
            "it takes {} columns and gives {}, not {} and {}",
            ins.len(),
            outs.len(),
            inputs.len(),
            outputs.len()
        ));
    }
    let n = inputs.first().map_or(0, |i| i.len());
    if inputs.iter().any(|i| i.len() != n) || outputs.iter().any(|o| o.len() != n) {
        return Err("its columns differ in length".into());
    }
    Ok(())
}

/// Whether a kernel has the signature that a launch needs.
#[cfg(any(feature = "cuda", feature = "opencl"))]
pub(super) fn check_signature(signature: &Signature, want: &Signature) -> Result<(), String> {
    let kind = |s: &Signature| match s {
        Signature::Sweep => "a search",
        Signature::Maxima => "a search for maxima",
        Signature::Point { .. } => "a point",
    };
    match signature == want {
        true => Ok(()),
        false => Err(format!(
            "it is {} kernel, not {} kernel",
            kind(signature),
            kind(want)
        )),
    }
}

/// The words with which outputs are filled. The halves of each are equal, so that a device can fill 32-bit words.
///
/// A kernel may correctly compute the first one. Then it is run again with the second, and a word that is not written has first one value
/// and then the other.
const SENTINELS: [u64; 2] = [0xdead_beef_dead_beef, 0x5a5a_c3c3_5a5a_c3c3];

/// Runs `launch` with one sentinel, and again with another if a word equals the first.
fn written(mut launch: impl FnMut(u64) -> Result<Vec<u64>, String>) -> Result<Vec<u64>, String> {
    let first = launch(SENTINELS[0])?;
    if !first.contains(&SENTINELS[0]) {
        return Ok(first);
    }
    let second = launch(SENTINELS[1])?;
    let unwritten = |(&a, &b): (&u64, &u64)| a == SENTINELS[0] && b == SENTINELS[1];
    let survivors = first.iter().zip(&second).filter(|&w| unwritten(w)).count();
    if survivors > 0 {
        let at = first.iter().zip(&second).position(unwritten).unwrap_or(0);
        return Err(format!(
            "the kernel left {survivors} of {} output words unwritten, the first of them number {at}",
            first.len()
        ));
    }
    match first.iter().zip(&second).position(|(a, b)| a != b) {
        Some(at) => Err(format!(
            "two launches on the same inputs differ: output word {at} is {:#018x}, then {:#018x}",
            first[at], second[at]
        )),
        None => Ok(first),
    }
}

/// Runs a point kernel in launches of at most `chunk` elements, into `outputs`.
pub(super) fn point(
    launch: &mut dyn Launch,
    inputs: &[&[u64]],
    outputs: &mut [Vec<u64>],
    chunk: usize,
) -> Result<(), String> {
    let n = inputs.first().map_or(0, |i| i.len());
    if inputs.iter().any(|i| i.len() != n) {
        return Err("its input columns differ in length".into());
    }
    outputs.iter_mut().for_each(Vec::clear);
    let mut done = 0;
    while done < n {
        let len = chunk.min(n - done);
        let part: Vec<&[u64]> = inputs.iter().map(|i| &i[done..done + len]).collect();
        let words = written(|sentinel| {
            let mut words = vec![sentinel; len * outputs.len()];
            let mut columns: Vec<&mut [u64]> = words.chunks_exact_mut(len).collect();
            launch.point(&part, &mut columns, sentinel)?;
            Ok(words)
        })?;
        for (output, column) in outputs.iter_mut().zip(words.chunks_exact(len)) {
            output.extend_from_slice(column);
        }
        done += len;
    }
    Ok(())
}

/// Subtracts the sentinel from the checks of merged records. The merging kernel adds to the sentinel.
pub(super) fn checks_without(sentinel: u64, merged: &mut [u64]) {
    for record in merged.chunks_exact_mut(RECORD.len()) {
        record[CHECK] = record[CHECK].wrapping_sub(sentinel);
    }
}

/// Runs a sweep kernel in launches of at most `chunk` keys and merges all records.
pub(super) fn sweep(
    launch: &mut dyn Launch,
    first: i64,
    count: u64,
    chunk: u64,
) -> Result<BlockResult, String> {
    let mut total = BlockResult::EMPTY;
    let mut done = 0;
    while done < count {
        let (start, n) = (first.wrapping_add(done as i64), chunk.min(count - done));
        let words = written(|sentinel| launch.sweep(start, n, sentinel))?;
        total = total.merge(&records(&words, start, n)?);
        done += n;
    }
    Ok(total)
}

/// Runs the kernel of a search for maxima, in one launch; otherwise the same as [`sweep`].
pub(super) fn maxima(
    launch: &mut dyn Launch,
    first: i64,
    pieces: &[Piece],
) -> Result<(BlockResult, u64), String> {
    let count = pieces.iter().map(|p| u64::from(p.count)).sum();
    let rows: Vec<u64> = pieces.iter().flat_map(row).collect();
    let words = written(|sentinel| launch.maxima(first, count, &rows, sentinel))?;
    let block = records(&words, first, count)?;
    Ok((Measure::Maxima.of(&block), block.misrounded))
}

/// The words of a piece, as [`kernels_gen::emit::PIECE`] names them.
fn row(piece: &Piece) -> [u64; PIECE.len()] {
    let none = Polynomial {
        base: f64::NAN,
        low: 0.0,
        slope: 0.0,
        curve: 0.0,
        start: 0.0,
        step: 0.0,
        ulp: 0.0,
    };
    let p = piece.polynomial.unwrap_or(none);
    [
        u64::from(piece.count),
        p.base.to_bits(),
        p.low.to_bits(),
        p.slope.to_bits(),
        p.curve.to_bits(),
        p.start.to_bits(),
        p.step.to_bits(),
        p.ulp.to_bits(),
    ]
}

/// The result in the records of a launch of `n` keys from `start` on.
fn records(words: &[u64], start: i64, n: u64) -> Result<BlockResult, String> {
    let records = words.chunks_exact(RECORD.len());
    for (i, record) in records.clone().enumerate() {
        let (is, right) = (record[CHECK], check(record));
        if is != right {
            return Err(format!(
                "record {i} is not what the kernel wrote: its check is {is:#018x}, that of its words {right:#018x}; \
                     the device's memory, or a part between it and this program, has changed a word"
            ));
        }
    }
    let part = records.fold(BlockResult::EMPTY, |sum, r| {
        sum.merge(&BlockResult::of_record(r))
    });
    if let Some(wrong) = part.inconsistency() {
        return Err(format!(
            "of {n} inputs from key {start}, {wrong}: the kernel's counts contradict each other"
        ));
    }
    if part.count != n {
        return Err(format!(
            "{n} inputs from key {start} were requested, and {} were counted",
            part.count
        ));
    }
    Ok(part)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::block::BINS;

    #[test]
    fn records_are_decoded_in_order() {
        assert_eq!(
            RECORD[..17],
            [
                "count",
                "max_error",
                "max_key",
                "max_positive",
                "max_positive_key",
                "max_negative",
                "max_negative_key",
                "misrounded",
                "undecided",
                "nan",
                "nan_key",
                "infinity",
                "infinity_key",
                "zero_sign",
                "zero_sign_key",
                "digest",
                "check"
            ]
        );
        assert_eq!(RECORD.len(), 17 + BINS);
        let words: Vec<u64> = (100..100 + RECORD.len() as u64).collect();
        let r = BlockResult::of_record(&words);
        assert_eq!(
            (
                r.count,
                r.max.key,
                r.max_negative.error_bits,
                r.misrounded,
                r.undecided,
                r.faults[2].first_key
            ),
            (100, 102, 105, 107, 108, 114)
        );
        assert_eq!((r.digest, r.histogram[0], r.histogram[15]), (115, 117, 132));
    }

    /// A kernel that adds one to its input, except that it omits or invents the outputs selected by its fields.
    #[derive(Default)]
    struct Faulty {
        /// The element that is not written.
        skip: Option<usize>,
        /// Whether nothing is written.
        dead: bool,
        /// Whether each launch gives another result.
        random: bool,
        launches: u64,
    }

    impl Launch for Faulty {
        fn point(
            &mut self,
            inputs: &[&[u64]],
            outputs: &mut [&mut [u64]],
            sentinel: u64,
        ) -> Result<(), String> {
            self.launches += 1;
            for (i, &x) in inputs[0].iter().enumerate() {
                let noise = if self.random { self.launches - 1 } else { 0 };
                outputs[0][i] = match self.dead || self.skip == Some(i) {
                    true => sentinel,
                    false => (x + 1).wrapping_add(noise),
                };
            }
            Ok(())
        }
        fn sweep(&mut self, _: i64, count: u64, sentinel: u64) -> Result<Vec<u64>, String> {
            self.launches += 1;
            if self.dead {
                return Ok(vec![sentinel; RECORD.len()]);
            }
            // The second launch of a search loses an input.
            let lost = u64::from(self.random && self.launches == 2);
            Ok(record_of(&[
                ("count", count - lost),
                ("bin0", count - lost),
                ("max_key", 1),
                ("max_positive_key", NONE),
                ("max_negative_key", NONE),
            ]))
        }
    }

    fn eval(faulty: &mut Faulty, xs: &[u64]) -> Result<Vec<u64>, String> {
        let mut outputs = [vec![7; 3]];
        point(faulty, &[xs], &mut outputs, 4)?;
        Ok(outputs[0].clone())
    }

    #[test]
    fn a_survivor_is_a_failed_launch() {
        let xs: Vec<u64> = (0..10).collect();
        let good = eval(&mut Faulty::default(), &xs);
        assert_eq!(good, Ok((1..11).collect()));
        let dead = Faulty {
            dead: true,
            ..Faulty::default()
        };
        let skip = Faulty {
            skip: Some(2),
            ..Faulty::default()
        };
        for (mut faulty, says) in [(dead, "left 4 of 4"), (skip, "left 1 of 4")] {
            let error = eval(&mut faulty, &xs).expect_err("unwritten");
            assert!(error.contains(says), "{error}");
        }
        assert_eq!(eval(&mut Faulty::default(), &[]), Ok(vec![]));
    }

    #[test]
    fn a_result_that_equals_the_sentinel_is_a_result() {
        let xs = [1, SENTINELS[0] - 1, 2, SENTINELS[1] - 1];
        let mut faulty = Faulty::default();
        let want = vec![2, SENTINELS[0], 3, SENTINELS[1]];
        assert_eq!(eval(&mut faulty, &xs), Ok(want));
        assert_eq!(faulty.launches, 2);
        let mut random = Faulty {
            random: true,
            ..Faulty::default()
        };
        let error = eval(&mut random, &xs).expect_err("it is not stable");
        assert!(error.contains("differ"), "{error}");
    }

    #[test]
    fn a_search_counts_every_input() {
        let run = |faulty: &mut Faulty| sweep(faulty, -5, 1000, 256);
        let mut good = Faulty::default();
        assert_eq!(run(&mut good).map(|r| r.count), Ok(1000));
        assert_eq!(good.launches, 4);
        let dead = Faulty {
            dead: true,
            ..Faulty::default()
        };
        let short = Faulty {
            random: true,
            ..Faulty::default()
        };
        for (mut faulty, says) in [(dead, "unwritten"), (short, "255 were counted")] {
            let error = run(&mut faulty).expect_err("incomplete");
            assert!(error.contains(says), "{error}");
        }
        assert_eq!(sweep(&mut good, 0, 0, 256), Ok(BlockResult::EMPTY));
    }

    /// The correct records of two items, with one word changed.
    struct Flipped {
        word: usize,
        mask: u64,
    }

    const NONE: u64 = i64::MAX as u64;

    /// A record with its check; words that are not given are 0.
    fn record_of(words: &[(&str, u64)]) -> Vec<u64> {
        let mut record: Vec<u64> = vec![0; RECORD.len()];
        for (name, value) in words {
            let at = RECORD.iter().position(|w| w == name);
            record[at.expect("a word")] = *value;
        }
        record[CHECK] = check(&record);
        record
    }

    /// A record with all kinds of inputs and faults.
    fn item() -> Vec<u64> {
        record_of(&[
            ("count", 500),
            ("max_error", 1.5f64.to_bits()),
            ("max_key", 7),
            ("max_positive", 1.5f64.to_bits()),
            ("max_positive_key", 7),
            ("max_negative", 0.25f64.to_bits()),
            ("max_negative_key", 9),
            ("misrounded", 31),
            ("nan", 3),
            ("nan_key", 12),
            ("infinity", 2),
            ("infinity_key", 40),
            ("zero_sign", 1),
            ("zero_sign_key", 41),
            ("digest", 0x0123_4567_89ab_cdef),
            ("bin0", 480),
            ("bin6", 17),
        ])
    }

    impl Launch for Flipped {
        fn point(&mut self, _: &[&[u64]], _: &mut [&mut [u64]], _: u64) -> Result<(), String> {
            Err("it is a search kernel".into())
        }
        fn sweep(&mut self, _: i64, _: u64, _: u64) -> Result<Vec<u64>, String> {
            let mut words = [item(), item()].concat();
            words[self.word] ^= self.mask;
            Ok(words)
        }
    }

    /// Regression test: version 0.1 accepted 10 of 62 changed words: misrounded, faults and digest.
    #[test]
    fn no_flipped_word_of_a_record_is_accepted() {
        let run = |word, mask| sweep(&mut Flipped { word, mask }, 0, 1000, 1 << 20);
        let right = run(0, 0).expect("nothing is changed");
        assert_eq!((right.count, right.misrounded), (1000, 62));
        let mut refused = 0;
        for word in 0..2 * RECORD.len() {
            for mask in (0..64).map(|bit| 1 << bit).chain([u64::MAX, 0xff00]) {
                let e = run(word, mask).expect_err("a word is changed");
                let says = format!(
                    "record {} is not what the kernel wrote",
                    word / RECORD.len()
                );
                assert!(e.contains(&says) || e.contains("unwritten"), "{e}");
                refused += 1;
            }
        }
        assert_eq!(refused, 2 * RECORD.len() * 66);
    }

    /// A kernel with wrong counts but a correct check of its record.
    #[test]
    fn counts_that_cannot_be_are_refused() {
        struct Wrong(Vec<u64>);
        impl Launch for Wrong {
            fn point(&mut self, _: &[&[u64]], _: &mut [&mut [u64]], _: u64) -> Result<(), String> {
                Err("it is a search kernel".into())
            }
            fn sweep(&mut self, _: i64, _: u64, _: u64) -> Result<Vec<u64>, String> {
                Ok(self.0.clone())
            }
        }
        for (name, value, says) in [
            ("bin3", 4, "has 501 inputs in its histogram"),
            ("misrounded", 501, "501 are misrounded"),
            ("nan", 501, "501 are wrong special values"),
            ("max_negative", 2f64.to_bits(), "a larger one"),
            ("max_positive_key", NONE, "an error without an input"),
        ] {
            let mut record = item();
            let at = RECORD.iter().position(|w| *w == name).expect("a word");
            record[at] = value;
            record[CHECK] = check(&record);
            let e = sweep(&mut Wrong(record), 0, 500, 1 << 20).expect_err(name);
            assert!(e.contains(says), "{name}: {e}");
        }
    }
}
