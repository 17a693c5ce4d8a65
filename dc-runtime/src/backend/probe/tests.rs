use Prim::{F32, F64, I32, I64};

use super::super::cpu;
use super::super::fault_injection::{Fault, Faulty, Rewritten};
use super::super::interp::Interp;
use super::*;
#[cfg(target_arch = "x86_64")]
use crate::fenv::Environment;
use crate::isa::sets::InstructionSet;

#[test]
fn there_is_a_name_for_each_result() {
    for group in groups(0) {
        let program = lowered(group.kernel.kernel).expect("it lowers");
        assert_eq!(
            program.entry().results.len(),
            group.names.len(),
            "{}",
            group.name
        );
        assert_eq!(
            program.entry().params.len(),
            group.inputs.len(),
            "{}",
            group.name
        );
    }
}

#[test]
fn the_probe_holds_every_operation() {
    use kernels_gen::ops::Op;
    use kernels_gen::program::InstKind;
    let mut seen = std::collections::HashSet::new();
    for group in groups(0) {
        let program = lowered(group.kernel.kernel).expect("it lowers").inlined();
        for func in &program.funcs {
            for inst in &func.insts {
                if let InstKind::Op(op) = inst.kind {
                    seen.insert((op, func.ty(inst.args[usize::from(op == Op::Select)])));
                }
            }
        }
    }
    let methods = kernels_gen::ops::METHODS.iter();
    for (op, on) in methods.filter(|m| m.op != Op::Select).map(|m| (m.op, m.on)) {
        for &p in on {
            assert!(seen.contains(&(op, p)), "{op:?} on {p:?}");
        }
    }
    for op in [
        Op::Add,
        Op::Sub,
        Op::Mul,
        Op::Neg,
        Op::Lt,
        Op::Le,
        Op::Gt,
        Op::Ge,
        Op::Eq,
        Op::Ne,
    ] {
        for p in [F64, F32, I64, I32] {
            assert!(seen.contains(&(op, p)), "{op:?} on {p:?}");
        }
    }
    for op in [Op::And, Op::Or, Op::Xor, Op::Not, Op::Shl, Op::Shr] {
        assert!(
            seen.contains(&(op, I64)) && seen.contains(&(op, I32)),
            "{op:?}"
        );
    }
}

#[test]
fn the_interpreter_and_every_instruction_set_here_pass() {
    probe(&Interp).expect("the oracle");
    probe(&Faulty(Fault::None)).expect("the fixture without a fault");
    for &set in InstructionSet::ALL {
        if let Ok(cpu) = cpu::detect(set) {
            probe(&cpu).unwrap_or_else(|e| panic!("{e}"));
        }
    }
}

#[test]
fn every_liberty_is_refused_by_name() {
    use Fault::*;
    let both = |fault: fn(Prim) -> Fault| [fault(F64), fault(F32)];
    let ints = |fault: fn(Prim) -> Fault| [fault(I64), fault(I32)];
    let mut cases: Vec<(Fault, &str)> = vec![
        (NarrowTruncates, "x.to_f32()"),
        (NarrowFlushes, "x.to_f32()"),
        (NarrowTwice, "i.to_f32()"),
        (IndexModulo, "a table of 3"),
        (IndexClamped, "a table of 4"),
        (Cancels, "the rounding error of a + b"),
    ];
    for (faults, formula) in [
        (both(FlushResults), "a + b"),
        (both(FlushOperands), "a + b"),
        (both(FmaUnfused), "a.mul_add(b, c)"),
        (both(DivideByReciprocal), "a / b"),
        (both(ReciprocalEstimate), "a.recip()"),
        (both(RootByReciprocal), "a.sqrt()"),
        (both(RoundAway), "a.round_ties_even()"),
        (both(MinOfIeee), "a.min(b)"),
        (both(TimesZero), "a * 0.0"),
        (both(PlusZero), "a + 0.0"),
        (both(ToIntIndefinite), "to_i64()"),
        (both(NotEqualOrdered), "!="),
        (both(RawNanBits), "a.to_bits()"),
        (both(RawNanOutput), ""),
        (both(CopiesNanSign), "a.copysign(b)"),
        (both(DirectedNearest), "_rz("),
        (both(DirectedNearest), "a.add_ru(b)"),
        (both(DirectedAstray), "a.sqrt_ru()"),
        (both(DirectedZero), "a.sub_rd(b)"),
        (both(DirectedOverflow), "a.mul_rz(b)"),
        (both(DirectedFlush), "a.mul_add_ru(b, c)"),
        (ints(ShiftsOut), "<<"),
        (ints(ShiftsZeros), ">>"),
        (ints(Unsigned), "<"),
    ] {
        cases.extend(faults.map(|f| (f, formula)));
    }
    for (fault, formula) in cases {
        let outcomes = examine(&Faulty(fault)).expect("it runs");
        let wrong: Vec<&Outcome> = outcomes.iter().filter(|o| o.mismatch.is_some()).collect();
        assert!(
            wrong.iter().any(|o| o.formula.contains(formula)),
            "{fault:?}: {wrong:?}"
        );
        let error = probe(&Faulty(fault)).expect_err("refused").to_string();
        assert!(error.starts_with("faulty is refused: "), "{error}");
        // Any operation can show it, and so also those that test contraction.
        if matches!(fault, FlushResults(_)) {
            assert!(error.contains("flush to zero ("), "{error}");
        }
    }
}

#[test]
fn one_contracted_operation_is_refused_with_input_and_bits() {
    let error = probe(&Rewritten::contracted(None)).expect_err("refused");
    assert!(matches!(error, BackendError::Refused { .. }));
    let error = error.to_string();
    for part in [
        "contraction (f64)",
        "a = ",
        "0x3c90000000000000",
        "0x0000000000000000",
    ] {
        assert!(error.contains(part), "{part}: {error}");
    }
}

/// A backend that gives one kernel's results for another's.
struct Blind;

impl crate::model::backend::sealed::Sealed for Blind {}

impl Backend for Blind {
    fn id(&self) -> &str {
        "blind"
    }
    fn describe(&self) -> String {
        "the control runs unfused".into()
    }
    fn load(&self, kernel: &KernelRef) -> Result<Box<dyn super::super::PointKernel>, BackendError> {
        let control = KernelRef::of::<double::contracted>();
        // Kernels are compared by name, because a constant has no address of its own.
        let name = |k: &KernelRef| (k.kernel.module, k.kernel.name);
        let kernel = if name(kernel) == name(&control) {
            KernelRef::of::<double::separate>()
        } else {
            *kernel
        };
        Interp.load(&kernel)
    }
    fn load_sweep(
        &self,
        sweep: &crate::sweep::Sweep,
    ) -> Result<Box<dyn super::super::SweepKernel>, BackendError> {
        Interp.load_sweep(sweep)
    }
}

#[test]
fn a_control_that_goes_unnoticed_is_a_refusal() {
    let error = probe(&Blind).expect_err("refused").to_string();
    assert!(error.contains("cannot see contraction"), "{error}");
}

#[test]
fn a_search_that_is_wrong_is_refused() {
    // Points are correct: none of the probe's kernels has this name.
    let only = Some(SEARCHED.candidate.name());
    let error = probe(&Rewritten::contracted(only)).expect_err("refused");
    assert!(matches!(error, BackendError::Refused { .. }));
    let error = error.to_string();
    assert!(error.contains("refused: search: "), "{error}");
    assert!(error.ends_with("digest"), "{error}");
}

/// A library built with `-ffast-math` sets these bits when it is loaded. They change the interpreter's own arithmetic as
/// well, so only the known results can detect it.
#[test]
#[cfg(target_arch = "x86_64")]
fn a_thread_in_another_mode_is_probed_in_the_default() {
    use core::arch::asm;
    /// Restores the control register on all paths.
    struct Mode(u32);
    impl Mode {
        fn set(bits: u32) -> Mode {
            let mut before = 0u32;
            // SAFETY: a valid address for the register's 32 bits. Rust assumes the mode that is restored when the guard
            // is dropped; values that are computed until then are only compared.
            unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut before) };
            let now = before | bits;
            // SAFETY: as above.
            unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const now) };
            Mode(before)
        }
    }
    impl Drop for Mode {
        fn drop(&mut self) {
            // SAFETY: as in `set`.
            unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const self.0) };
        }
    }
    for (name, bits) in [
        ("results flushed to zero", 1 << 15),
        ("operands flushed to zero", 1 << 6),
        ("rounding down", 1 << 13),
        ("rounding up", 2 << 13),
        ("rounding toward zero", 3 << 13),
    ] {
        let mode = Mode::set(bits);
        let verdicts = [
            probe(&Interp),
            probe(&cpu::detect(InstructionSet::Scalar).expect("everywhere")),
        ];
        let kept = Environment::current();
        drop(mode);
        for verdict in verdicts {
            verdict.expect(name);
        }
        assert_ne!(
            kept,
            Environment::DEFAULT,
            "{name}: what the thread had is put back"
        );
    }
    probe(&Interp).expect("as it was");
}
