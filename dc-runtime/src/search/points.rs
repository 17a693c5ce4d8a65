//! Comparison of kernels with any arguments, at points: whether they have the same bits on every backend.
//!
//! Searches are for kernels of one or two arguments. This module is for all others, such as helper kernels and functions of eight numbers.
//! The inputs are all combinations of special values of each type, numbers of all magnitudes, and arguments that are close to one another
//! or to the other's negative, where cancellation reveals a contracted operation.

use std::sync::Arc;

use kernels_gen::LowerError;
use kernels_gen::ops::Prim;

use crate::model::backend::Backend;
use crate::model::error::BackendError;
use crate::model::kernel_ref::KernelRef;
use crate::model::key::Precision;
use crate::model::programs::program_of;
use crate::model::show;

/// Inputs of a kernel: one column of bits (zero-extended) for each flattened parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Points {
    types: Vec<Prim>,
    /// The columns, of one length.
    pub columns: Vec<Vec<u64>>,
}

/// The results of one backend.
#[derive(Debug, Clone)]
pub struct AtPoints {
    /// The backend's id.
    pub backend: String,
    /// One column of bits for each flattened result.
    pub results: Vec<Vec<u64>>,
    /// The first input at which it differs from the first backend.
    pub differs: Option<usize>,
}

impl Points {
    /// `count` inputs of a kernel, from a seed.
    ///
    /// # Errors
    /// If the kernel cannot be lowered.
    pub fn of(kernel: &KernelRef, count: usize, seed: u64) -> Result<Points, LowerError> {
        let types = types(kernel)?;
        let mut random = seed;
        let mut columns = vec![Vec::with_capacity(count); types.len()];
        for _ in 0..count {
            for i in 0..types.len() {
                let (before, rest) = columns.split_at_mut(i);
                let word = pick(types[i], before, &types, &mut random);
                rest[0].push(word);
            }
        }
        Ok(Points { types, columns })
    }

    /// These inputs, one column of bits for each flattened parameter.
    ///
    /// # Errors
    /// If the kernel cannot be lowered.
    ///
    /// # Panics
    /// If the number of columns is not that of its parameters, or their lengths differ.
    pub fn given(kernel: &KernelRef, columns: Vec<Vec<u64>>) -> Result<Points, LowerError> {
        let types = types(kernel)?;
        assert_eq!(
            columns.len(),
            types.len(),
            "{}: a column a parameter",
            kernel.kernel.name
        );
        assert!(
            columns.windows(2).all(|w| w[0].len() == w[1].len()),
            "columns of one length"
        );
        Ok(Points { types, columns })
    }

    /// One input as text: each argument in decimal, hexadecimal and bits.
    #[must_use]
    pub fn show(&self, i: usize) -> String {
        let shown = self.types.iter().zip(&self.columns);
        shown
            .map(|(t, c)| text(*t, c[i]))
            .collect::<Vec<_>>()
            .join(", ")
    }
}

/// A word of this type as text.
#[must_use]
pub fn text(prim: Prim, word: u64) -> String {
    match prim {
        Prim::F64 => show::full(Precision::F64, word),
        Prim::F32 => show::full(Precision::F32, word),
        Prim::I64 => format!("{} ({word:#x})", word as i64),
        Prim::I32 => format!("{} ({word:#x})", word as u32 as i32),
        Prim::Mask => (word != 0).to_string(),
    }
}

fn types(kernel: &KernelRef) -> Result<Vec<Prim>, LowerError> {
    let program = program_of(kernel.kernel)?;
    Ok(program.entry().params.iter().map(|p| p.1).collect())
}

/// Evaluates a kernel at points on every backend and compares each with the first, bit for bit.
///
/// # Errors
/// If a backend fails.
pub fn compare(
    kernel: &KernelRef,
    points: &Points,
    backends: &[Arc<dyn Backend>],
) -> Result<Vec<AtPoints>, BackendError> {
    let mut all: Vec<AtPoints> = Vec::new();
    let columns: Vec<&[u64]> = points.columns.iter().map(Vec::as_slice).collect();
    let words = program_of(kernel.kernel)
        .map_err(|e| BackendError::Lower {
            kernel: kernel.kernel.name.into(),
            reason: e.to_string(),
        })?
        .entry()
        .results
        .len();
    for backend in backends {
        let mut results = vec![Vec::new(); words];
        backend.load(kernel)?.eval(&columns, &mut results)?;
        let first = all.first().map_or(&results, |f| &f.results);
        let differs = (0..columns.first().map_or(0, |c| c.len()))
            .find(|&i| first.iter().zip(&results).any(|(a, b)| a[i] != b[i]));
        all.push(AtPoints {
            backend: backend.id().into(),
            results,
            differs,
        });
    }
    Ok(all)
}

/// One argument. `before` has the columns of the preceding arguments; their last words are those of this input.
fn pick(prim: Prim, before: &[Vec<u64>], types: &[Prim], random: &mut u64) -> u64 {
    let word = split_mix(random);
    let choice = split_mix(random);
    let related = before
        .iter()
        .zip(types)
        .filter(|(_, t)| **t == prim)
        .filter_map(|(c, _)| c.last().copied())
        .next_back();
    let (width, fraction, one) = match prim {
        Prim::Mask => return word & 1,
        Prim::I64 | Prim::F64 => (64, 52, 0x3ff0_0000_0000_0000_u64),
        Prim::I32 | Prim::F32 => (32, 23, 0x3f80_0000),
    };
    let all = u64::MAX >> (64 - width);
    let sign = 1 << (width - 1);
    let infinity = (all >> 1) & !((1 << fraction) - 1);
    if matches!(prim, Prim::I64 | Prim::I32) {
        let special = [0, 1, all, sign, sign - 1, sign + 1, 63, 0xff];
        return match choice % 4 {
            0 => special[(word % 8) as usize],
            1 => word % 100,
            _ => word & all,
        };
    }
    let special = [
        0,
        1,
        (1 << fraction) - 1,
        1 << fraction,
        one,
        infinity - 1,
        infinity,
        infinity + 1,
    ];
    let flip = ((word >> 32) & 1) * sign;
    match (choice % 8, related) {
        (0, _) => special[(word % 8) as usize] | flip,
        (1, _) => word & all,
        // A neighbour of another argument, with either sign.
        (2 | 3, Some(other)) => (other ^ flip).wrapping_add(word & 3) & all,
        // Within a factor of 2^16 of one.
        _ => {
            let exponent = ((word >> 40) & 31).wrapping_sub(16);
            let fraction_bits = word & ((1 << fraction) - 1);
            (one.wrapping_add(exponent << fraction) & all) | fraction_bits | flip
        }
    }
}

/// SplitMix64 (Steele, Lea and Flood, *Fast splittable pseudorandom number generators*, 2014).
pub(crate) fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
