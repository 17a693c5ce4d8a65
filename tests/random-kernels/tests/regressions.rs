//! What random kernels have found stays fixed: each kernel of `regressions/` on every backend, at the input that failed
//! and at the columns that all random kernels are run on.
#![allow(
    non_camel_case_types,
    unused_parens,
    missing_docs,
    reason = "the kernels are as they were found"
)]

use doublecrunch::backend::{Backend, CpuPoint, Discovery, Filter, KernelRef, discover};
use doublecrunch::isa::Scalar;
use doublecrunch::kernel::LaneFn;
use doublecrunch::run::columns;
use random_kernels::compare::first_difference;
use random_kernels::inputs;

/// A kernel and where it failed.
struct Regression {
    name: &'static str,
    /// As everything is compiled, and with single registers.
    forms: [KernelRef; 2],
    columns: &'static [usize],
    input: &'static [u64],
}

/// A kernel with a register a value, as `eval` is compiled.
const fn narrow<K: LaneFn>() -> KernelRef {
    #[cfg(target_arch = "x86_64")]
    use doublecrunch::isa::{Avx2, Avx512};
    #[cfg(not(target_arch = "x86_64"))]
    use doublecrunch::isa::{Scalar as Avx2, Scalar as Avx512};
    KernelRef {
        kernel: K::KERNEL,
        written: None,
        cpu: CpuPoint {
            scalar: columns::<K, Scalar<1>>,
            avx2: columns::<K, Avx2<1>>,
            avx512: columns::<K, Avx512<1>>,
        },
    }
}

macro_rules! regressions {
    ($($name:ident)*) => {
        $(mod $name;)*
        /// All of them.
        pub(super) const ALL: &[super::Regression] = &[$(super::Regression {
            name: stringify!($name),
            forms: [
                doublecrunch::backend::KernelRef::of::<$name::Entry>(),
                super::narrow::<$name::Entry>(),
            ],
            columns: $name::COLUMNS,
            input: $name::INPUT,
        }),*];
    };
}

#[path = "../regressions/mod.rs"]
mod found;

fn backends() -> Discovery {
    let found = discover(&Filter::all());
    for absent in &found.absent {
        doublecrunch::backend::skip::skip(&absent.id, &absent.reason);
    }
    for (id, error) in &found.refused {
        doublecrunch::backend::skip::skip(id, &error.to_string());
    }
    found
}

#[test]
fn what_was_found_is_mended() {
    let found = backends();
    let rows = inputs::columns(1, 2048);
    let oracle = found.get("interpreter").expect("it is everywhere");
    assert!(!found::ALL.is_empty());
    for r in found::ALL {
        let given: Vec<Vec<u64>> = r
            .columns
            .iter()
            .zip(r.input)
            .map(|(&c, &word)| {
                std::iter::once(word)
                    .chain(rows[c].iter().copied())
                    .collect()
            })
            .collect();
        let given: Vec<&[u64]> = given.iter().map(Vec::as_slice).collect();
        let results = kernels_gen::lower(r.forms[0].kernel)
            .unwrap_or_else(|e| panic!("{}: {e}", r.name))
            .entry()
            .results
            .len();
        let run = |backend: &dyn Backend, form: &KernelRef| {
            let mut out = vec![Vec::new(); results];
            backend
                .load(form)
                .and_then(|mut k| k.eval(&given, &mut out))
                .unwrap_or_else(|e| panic!("{} on {}: {e}", r.name, backend.id()));
            out
        };
        let wanted = run(&**oracle, &r.forms[0]);
        for backend in &found.backends {
            for form in &r.forms {
                let difference = first_difference(&wanted, &run(&**backend, form));
                assert!(
                    difference.is_none(),
                    "{} on {}: {difference:?}",
                    r.name,
                    backend.id()
                );
            }
        }
    }
}

/// A file that the list does not name would never be run.
#[test]
fn every_file_is_in_the_list() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("regressions");
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .expect("the folder is there")
        .map(|entry| {
            entry
                .expect("readable")
                .file_name()
                .into_string()
                .expect("a name")
        })
        .filter_map(|name| Some(name.strip_suffix(".rs")?.to_string()).filter(|n| n != "mod"))
        .collect();
    names.sort();
    let listed: Vec<&str> = found::ALL.iter().map(|r| r.name).collect();
    assert_eq!(names, listed);
    let list = std::fs::read_to_string(folder.join("mod.rs")).expect("the list");
    assert_eq!(list, random_kernels::regressions::list(&names));
}
