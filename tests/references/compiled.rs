//! The kernels of the references as compiled in `dc-references`, so that this crate does not compile them a second
//! time.

use dc_references::reference;
use doublecrunch::backend::PointFn;
use doublecrunch::isa::{Avx2, Avx512, Isa as _};
use doublecrunch::prelude::*;
use doublecrunch::search::key::Precision;

/// A reference of one argument, on the widest instruction set of this processor.
#[derive(Clone, Copy)]
pub struct Map(PointFn);

impl Map {
    /// The reference of a function for routines of that precision.
    pub fn of(function: &str, precision: Precision) -> Map {
        let found = reference(function, precision).unwrap_or_else(|| panic!("{function}"));
        let cpu = found.kernel().expect("it is a kernel").cpu;
        let eval = if Avx512::<1>::detect().is_some() {
            cpu.avx512
        } else if Avx2::<1>::detect().is_some() {
            cpu.avx2
        } else {
            cpu.scalar
        };
        Map(eval)
    }

    fn columns(self, xs: &[f64], words: usize) -> Vec<Vec<u64>> {
        let bits: Vec<u64> = xs.iter().map(|x| x.to_bits()).collect();
        let mut columns = vec![Vec::new(); words];
        (self.0)(&[&bits], &mut columns);
        columns
    }

    /// Results with one word.
    pub fn binary32(self, xs: &[f64]) -> Vec<f64> {
        let columns = self.columns(xs, 1);
        columns[0].iter().map(|&y| f64::from_bits(y)).collect()
    }

    /// Results with two words.
    pub fn binary64(self, xs: &[f64]) -> Vec<DoubleDouble> {
        let columns = self.columns(xs, 2);
        let words = columns[0].iter().zip(&columns[1]);
        words
            .map(|(&hi, &lo)| DoubleDouble {
                hi: f64::from_bits(hi),
                lo: f64::from_bits(lo),
            })
            .collect()
    }
}
