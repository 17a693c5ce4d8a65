//! The backend `rust`: a suite compares a kernel with the plain function next to it, and detects a kernel that differs.

#![cfg(feature = "suite")]
#![allow(
    clippy::all,
    unused_assignments,
    reason = "the functions are written as people write them, and wrong"
)]

extern crate dc_runtime as doublecrunch;

use dc_runtime::isa::Isa;
use dc_runtime::kernel::{CrunchFn, Kind, LaneFn, Written};
use dc_runtime::model::candidate::{Candidate, Reference};
use dc_runtime::model::host::HostFunction;
use dc_runtime::model::kernel_ref::KernelRef;
use dc_runtime::prelude::*;
use dc_runtime::suite::{Entry, Environment, Suite};
use dc_runtime::sweep::Sweep;
use std::marker::PhantomData;

/// The kernel of one plain function beside another one: a fault of the macro.
struct Planted<Faulty, Function>(PhantomData<(Faulty, Function)>);

impl<A: LaneFn, B: LaneFn> CrunchFn for Planted<A, B> {
    type Call = ();
    const CALL: () = ();
    const KERNEL: &'static kernels_gen::ir::Kernel = A::KERNEL;
}
impl<A, B> LaneFn for Planted<A, B>
where
    A: LaneFn,
    B: LaneFn<Args = A::Args, Ret = A::Ret>,
{
    type Args = A::Args;
    type Ret = A::Ret;
    const WRITTEN: Option<Written<Self>> = B::WRITTEN;
    fn call<I: Isa>(args: <A::Args as Kind>::Lanes<I>) -> <A::Ret as Kind>::Lanes<I> {
        A::call::<I>(args)
    }
}

#[crunch]
fn returns(x: f32) -> f32 {
    if x > 1.5 {
        return x;
    }
    x * 2.0
}
#[crunch]
fn returns_elsewhere(x: f32) -> f32 {
    if x >= 1.5 {
        return x;
    }
    x * 2.0
}

#[crunch]
fn compares_bits(x: f32) -> f32 {
    if x.to_bits() << 2 < 0x7f80_0000 {
        x
    } else {
        x + 1.0
    }
}
#[crunch]
fn compares_signed(x: f32) -> f32 {
    if ((x.to_bits() << 2) as i32) < 0x7f80_0000 {
        x
    } else {
        x + 1.0
    }
}

#[crunch]
fn shadows(x: f32) -> f32 {
    let y = x + 1.0;
    {
        let y = x * 3.0;
        if y > 4.0 {
            return y;
        }
    }
    y
}
#[crunch]
fn shadows_too_long(x: f32) -> f32 {
    let mut y = x + 1.0;
    {
        y = x * 3.0;
        if y > 4.0 {
            return y;
        }
    }
    y
}

#[crunch]
fn loops(x: f32) -> f32 {
    let mut y = x;
    for _ in 0..4 {
        y = y * 0.5 + 1.0;
        if y > 1.875 {
            break;
        }
    }
    y
}
#[crunch]
fn loops_once_less(x: f32) -> f32 {
    let mut y = x;
    for _ in 0..3 {
        y = y * 0.5 + 1.0;
        if y > 1.875 {
            break;
        }
    }
    y
}

#[crunch]
fn panics(x: f32) -> f32 {
    assert!(x < 1.75, "only up to 1.75");
    x
}

#[crunch]
fn reference(x: f64) -> f64 {
    x
}

const fn entry<F: LaneFn, W: LaneFn>() -> Entry
where
    F: LaneFn<Args = (dc_runtime::kernel::kind::F32,), Ret = dc_runtime::kernel::kind::F32>,
    W: LaneFn<Args = F::Args, Ret = F::Ret>,
{
    Entry {
        sweep: Sweep::new::<Planted<F, W>, reference>("planted", "1.0..2.0"),
        within: 1e300,
        certificate: None,
        hunt: 0.0,
        inputs: 1 << 16,
        promises: &[],
    }
}

fn check(entry: Entry) -> Result<String, String> {
    let folder = std::env::temp_dir().join(format!("written-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    let suite = Suite {
        module: "written",
        folder: folder.to_str().expect("a path of text").to_string().leak(),
        entries: Vec::leak(vec![entry]),
        reductions: &[],
    };
    let environment = Environment {
        bless: true,
        ..Environment::default()
    };
    let result = suite.check_accuracy("planted", &environment);
    result.map_err(|e| e.to_string())
}

#[test]
fn a_kernel_is_its_function() {
    for entry in [
        entry::<returns, returns>(),
        entry::<compares_bits, compares_bits>(),
        entry::<shadows, shadows>(),
        entry::<loops, loops>(),
    ] {
        let text = check(entry).expect("they agree");
        assert!(
            text.contains("planted: rust is scalar bit for bit"),
            "{text}"
        );
    }
}

#[test]
fn planted_faults_are_found() {
    for entry in [
        entry::<returns_elsewhere, returns>(),
        entry::<compares_signed, compares_bits>(),
        entry::<shadows_too_long, shadows>(),
        entry::<loops_once_less, loops>(),
    ] {
        let name = entry.sweep.candidate().name();
        let text = check(entry).expect_err(name);
        for part in ["scalar differs from rust", "first input"] {
            assert!(text.contains(part), "{name}: {text}");
        }
    }
}

/// The same where the reference is a function of the host, which no backend can search.
#[test]
fn a_reference_of_the_host_is_no_obstacle() {
    const fn sweep<F: LaneFn>() -> Sweep {
        Sweep::accuracy_only(
            "planted",
            Candidate::Kernel(KernelRef::of::<F>()),
            Reference::Host(HostFunction::f64("itself", |x| x)),
            "1.0..2.0",
        )
    }
    let over = |sweep| Entry {
        sweep,
        ..entry::<returns, returns>()
    };
    let text = check(over(sweep::<Planted<returns, returns>>())).expect("they agree");
    assert!(
        text.contains("planted: rust is scalar bit for bit"),
        "{text}"
    );
    let text = check(over(sweep::<Planted<returns_elsewhere, returns>>())).expect_err("a fault");
    for part in ["scalar differs from rust", "first input  1.5 ", "0x1.8p1"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn a_panic_names_the_input() {
    let text = check(entry::<panics, panics>()).expect_err("it panics");
    assert!(
        text.contains("only up to 1.75") && text.contains("`panics` at 1.75"),
        "{text}"
    );
}
