//! The instructions of this machine's processor, and their comparison with emulations on every input.

use std::sync::atomic::{AtomicU64, Ordering};

use super::catalogue::{Function, Run};

/// An instruction that can run on this architecture.
#[derive(Debug, Clone, Copy)]
pub struct HostInstruction {
    /// Its name in lower case, as in the emulations.
    pub name: &'static str,
    /// The function that it estimates.
    pub function: Function,
    /// The processor feature that it needs.
    pub needs: &'static str,
    /// Whether the processor has the feature.
    pub detect: fn() -> bool,
    /// The instruction over a slice.
    ///
    /// # Panics
    /// If the processor lacks the feature.
    pub run: Run,
}

/// The instructions of this architecture.
#[cfg(target_arch = "x86_64")]
pub const INSTRUCTIONS: &[HostInstruction] = &[
    HostInstruction {
        name: "rcpps",
        function: Function::Reciprocal,
        needs: "SSE",
        detect: || true,
        run: x86::rcpps,
    },
    HostInstruction {
        name: "rsqrtps",
        function: Function::ReciprocalSquareRoot,
        needs: "SSE",
        detect: || true,
        run: x86::rsqrtps,
    },
    HostInstruction {
        name: "vrcp14ps",
        function: Function::Reciprocal,
        needs: "AVX-512F",
        detect: || is_x86_feature_detected!("avx512f"),
        run: x86::vrcp14ps,
    },
    HostInstruction {
        name: "vrsqrt14ps",
        function: Function::ReciprocalSquareRoot,
        needs: "AVX-512F",
        detect: || is_x86_feature_detected!("avx512f"),
        run: x86::vrsqrt14ps,
    },
];

/// The instructions of this architecture.
#[cfg(target_arch = "aarch64")]
pub const INSTRUCTIONS: &[HostInstruction] = &[
    HostInstruction {
        name: "frecpe",
        function: Function::Reciprocal,
        needs: "Advanced SIMD",
        detect: || std::arch::is_aarch64_feature_detected!("neon"),
        run: arm::frecpe,
    },
    HostInstruction {
        name: "frsqrte",
        function: Function::ReciprocalSquareRoot,
        needs: "Advanced SIMD",
        detect: || std::arch::is_aarch64_feature_detected!("neon"),
        run: arm::frsqrte,
    },
];

/// The instructions of this architecture: this program can run none here.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
pub const INSTRUCTIONS: &[HostInstruction] = &[];

#[cfg(target_arch = "aarch64")]
pub(super) mod arm {
    use core::arch::aarch64::{vld1q_f32, vst1q_f32};
    use core::arch::asm;

    /// The default of FPCR.
    const A64: u64 = 0;
    /// The FPCR value with which the A64 instructions behave like those of Advanced SIMD in AArch32, whose control word is fixed: flush to
    /// zero (FZ) and default NaN (DN).
    #[cfg(test)]
    const AARCH32: u64 = 1 << 24 | 1 << 25;

    macro_rules! over_slices {
        ($($(#[$on:meta])* $name:ident = $instruction:literal, $fpcr:ident;)+) => {$(
            $(#[$on])*
            pub(in super::super) fn $name(x: &[f32], out: &mut [f32]) {
                assert_eq!(x.len(), out.len());
                for (x, out) in x.chunks(4).zip(out.chunks_mut(4)) {
                    let mut lanes = [1.0f32; 4];
                    lanes[..x.len()].copy_from_slice(x);
                    // SAFETY: the array has as many elements as the vector; at the end the control word is what it was.
                    unsafe {
                        let mut v = vld1q_f32(lanes.as_ptr());
                        asm!(
                            "mrs {before}, fpcr",
                            "msr fpcr, {during}",
                            concat!($instruction, " {v:v}.4s, {v:v}.4s"),
                            "msr fpcr, {before}",
                            before = out(reg) _,
                            during = in(reg) $fpcr,
                            v = inout(vreg) v,
                            options(nomem, nostack, preserves_flags),
                        );
                        vst1q_f32(lanes.as_mut_ptr(), v);
                    }
                    out.copy_from_slice(&lanes[..x.len()]);
                }
            }
        )+};
    }
    over_slices! {
        frecpe = "frecpe", A64;
        frsqrte = "frsqrte", A64;
        #[cfg(test)] vrecpe = "frecpe", AARCH32;
        #[cfg(test)] vrsqrte = "frsqrte", AARCH32;
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use core::arch::x86_64::{
        _mm_loadu_ps, _mm_rcp_ps, _mm_rsqrt_ps, _mm_storeu_ps, _mm512_loadu_ps, _mm512_rcp14_ps,
        _mm512_rsqrt14_ps, _mm512_storeu_ps,
    };

    macro_rules! over_slices {
        ($name:ident, $vector:ident, $feature:tt, $lanes:literal, $load:ident, $op:ident, $store:ident) => {
            pub(super) fn $name(x: &[f32], out: &mut [f32]) {
                assert!(is_x86_feature_detected!($feature), "no {}", $feature);
                assert_eq!(x.len(), out.len());
                // SAFETY: the feature has just been detected.
                unsafe { $vector(x, out) }
            }
            #[target_feature(enable = $feature)]
            fn $vector(x: &[f32], out: &mut [f32]) {
                let (vectors, rest) = x.as_chunks::<$lanes>();
                let (out, rest_out) = out.as_chunks_mut::<$lanes>();
                for (x, out) in vectors.iter().zip(out) {
                    // SAFETY: the array has as many elements as the vector.
                    let v = $op(unsafe { $load(x.as_ptr()) });
                    // SAFETY: as above.
                    unsafe { $store(out.as_mut_ptr(), v) };
                }
                if !rest.is_empty() {
                    let mut lanes = [1.0f32; $lanes];
                    lanes[..rest.len()].copy_from_slice(rest);
                    // SAFETY: as above.
                    let v = $op(unsafe { $load(lanes.as_ptr()) });
                    // SAFETY: as above.
                    unsafe { $store(lanes.as_mut_ptr(), v) };
                    rest_out.copy_from_slice(&lanes[..rest.len()]);
                }
            }
        };
    }
    over_slices!(
        rcpps,
        rcpps_vector,
        "sse",
        4,
        _mm_loadu_ps,
        _mm_rcp_ps,
        _mm_storeu_ps
    );
    over_slices!(
        rsqrtps,
        rsqrtps_vector,
        "sse",
        4,
        _mm_loadu_ps,
        _mm_rsqrt_ps,
        _mm_storeu_ps
    );
    over_slices!(
        vrcp14ps,
        vrcp14ps_vector,
        "avx512f",
        16,
        _mm512_loadu_ps,
        _mm512_rcp14_ps,
        _mm512_storeu_ps
    );
    over_slices!(
        vrsqrt14ps,
        vrsqrt14ps_vector,
        "avx512f",
        16,
        _mm512_loadu_ps,
        _mm512_rsqrt14_ps,
        _mm512_storeu_ps
    );
}

/// An input at which two functions differ; NaNs are canonical.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Difference {
    /// Bits of the input.
    pub input: u32,
    /// Bits of the instruction's result.
    pub instruction: u32,
    /// Bits of the emulation's result.
    pub emulation: u32,
}

/// The number of inputs that a thread processes at a time: inputs and both results stay in the first-level cache.
const CHUNK: u64 = 1 << 11;

/// Compares emulations with an instruction on all 2^32 inputs. Returns, for each emulation, the first input at which they differ, in the
/// order of bits.
#[must_use]
pub fn compare(instruction: Run, emulations: &[Run], threads: usize) -> Vec<Option<Difference>> {
    let next = AtomicU64::new(0);
    let first: Vec<AtomicU64> = emulations
        .iter()
        .map(|_| AtomicU64::new(u64::MAX))
        .collect();
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                let mut inputs = vec![0.0f32; CHUNK as usize];
                let mut expected = inputs.clone();
                let mut results = inputs.clone();
                loop {
                    let start = next.fetch_add(CHUNK, Ordering::Relaxed);
                    // A difference found in this chunk would be an earlier one.
                    let open = |f: &AtomicU64| f.load(Ordering::Relaxed) > start;
                    if start >= 1 << 32 || !first.iter().any(open) {
                        return;
                    }
                    for (bits, x) in (start..).zip(&mut inputs) {
                        *x = f32::from_bits(bits as u32);
                    }
                    instruction(&inputs, &mut expected);
                    for (f, emulation) in first.iter().zip(emulations) {
                        if !open(f) {
                            continue;
                        }
                        emulation(&inputs, &mut results);
                        if let Some(i) = first_difference(&expected, &results) {
                            f.fetch_min(start + i as u64, Ordering::Relaxed);
                        }
                    }
                }
            });
        }
    });
    let difference = |(f, emulation): (AtomicU64, &Run)| {
        let input = u32::try_from(f.into_inner()).ok()?;
        Some(Difference {
            input,
            instruction: at(instruction, input),
            emulation: at(*emulation, input),
        })
    };
    first.into_iter().zip(emulations).map(difference).collect()
}

/// The index at which the bits of two slices first differ. NaNs are equal.
pub(super) fn first_difference(a: &[f32], b: &[f32]) -> Option<usize> {
    let pairs = || a.iter().zip(b);
    // The loop has no exit, so that it is vectorized; in most cases there is no difference.
    let any = pairs().fold(0, |any, (&a, &b)| any | (canonical(a) ^ canonical(b)));
    if any == 0 {
        return None;
    }
    pairs().position(|(&a, &b)| canonical(a) != canonical(b))
}

/// The result of a function for one input, as bits; NaNs are canonical.
fn at(run: Run, input: u32) -> u32 {
    let mut out = [0.0];
    run(&[f32::from_bits(input)], &mut out);
    canonical(out[0])
}

fn canonical(x: f32) -> u32 {
    if x.is_nan() { 0x7fc0_0000 } else { x.to_bits() }
}
