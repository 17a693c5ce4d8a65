//! Faults are injected; the trace must name them, and nothing else.

use std::sync::Arc;

use kernels_gen::ops::Op;
use kernels_gen::program::Inst;

use super::*;
use crate::backend::fault_injection::Fault;
use crate::backend::testing::{
    altered_host, contracted, contracting, faulty, interpreter, rewriting,
};
use crate::backend::{Discovery, Filter, discover};
use crate::kernel::CrunchFn;
use crate::model::key::Precision;
use crate::prelude::*;
use crate::search::testing::Folder;

/// Two calls deep: a fault injected here must be found from outside.
#[crunch]
fn innermost(a: DcDouble, b: DcDouble) -> DcDouble {
    let square = a * a;
    let shifted = square + b;
    shifted * 0.1
}

#[crunch]
fn middle(a: DcDouble) -> DcDouble {
    let first = innermost(a, 0.3);
    innermost(first, 0.001)
}

const TABLE: [f64; 5] = [0.1, 0.7, -1.3, 2.9, 1e-3];

/// A mask, a loop, a table, a double-double and helpers.
#[crunch]
fn routine(x: DcDouble) -> DcDouble {
    let mut sum = x * 0.7;
    for i in 0..3 {
        let weight = TABLE[i];
        sum = sum * x + weight;
    }
    let entry = TABLE[(x * 2.0).to_i64()];
    let wide = dd_mul(
        DcDoubleDouble::new(sum, 0.0),
        DcDoubleDouble::new(entry, 0.0),
    );
    let chosen = if x < 1.3 { middle(sum) } else { -sum };
    chosen + wide.lo * 3.0 - wide.hi * 0.001
}

#[crunch]
fn reference(x: DcDouble) -> DcDoubleDouble {
    let square = x * x;
    two_sum(square + 0.1, x)
}

const SWEEP: Sweep = Sweep::new::<routine, reference>("traced", "1.0..2.0");
const ROUTINE: KernelRef = KernelRef::of::<routine>();

/// The line of the file in which a kernel's source contains a text.
fn line_of(kernel: &Kernel, text: &str) -> u32 {
    let at = kernel.source.lines().position(|l| l.contains(text));
    kernel.line + at.expect("the text is in the kernel") as u32
}

fn trace_at(x: f64, a: &Arc<dyn Backend>, b: &Arc<dyn Backend>) -> Traced {
    kernel(&ROUTINE, [&**a, &**b], &[x.to_bits()], Depth::Everything).expect("a trace")
}

/// The first input from 1.1 on at which two backends give a kernel different results.
fn first_difference(of: &KernelRef, a: &Arc<dyn Backend>, b: &Arc<dyn Backend>) -> Traced {
    (0..1000)
        .map(|i| 1.1 + f64::from(i) * 1e-3)
        .map(|x| kernel(of, [&**a, &**b], &[x.to_bits()], Depth::Differences).expect("a trace"))
        .find(|t| t.compiled[0] != t.compiled[1])
        .expect("the fault shows somewhere")
}

fn all() -> Discovery {
    let families: &[&str] = &[
        "scalar,avx2,interpreter,cuda-host",
        #[cfg(feature = "opencl")]
        "opencl:pocl",
    ];
    discover(&families.join(",").parse::<Filter>().expect("a list"))
}

#[test]
fn a_contraction_two_calls_deep_is_named() {
    let line = line_of(innermost::KERNEL, "square + b");
    // Only the operation in the second call.
    let wrong = contracting(|func, product, sum| {
        let shifted = |i: &Inst| i.name.as_deref() == Some("shifted");
        shifted(&func.insts[sum]) && func.insts[..product].iter().any(shifted)
    });
    let t = first_difference(&ROUTINE, &interpreter(), &wrong);
    let Finding::Operation(at) = t.finding else {
        panic!("{:?}", t.finding);
    };
    let o = &t.operations[at];
    assert_eq!(
        (o.what, o.name.as_deref()),
        (What::Op(Op::Add), Some("shifted"))
    );
    let sites: Vec<(&str, u32)> = o
        .sites
        .iter()
        .map(|s| (s.origin.name.as_str(), s.loc.line))
        .collect();
    let calls = [
        ("routine", line_of(routine::KERNEL, "middle(sum)")),
        ("middle", line_of(middle::KERNEL, "innermost(first, 0.001)")),
        ("innermost", line),
    ];
    assert_eq!(sites, calls);
    // The operands are equal on both, and the results are those of the two ways of computing.
    let [square, b] = o.operands[..] else {
        panic!("{o:?}")
    };
    let value = |i: usize| t.operations[i].values.map(f64::from_bits);
    let (factor, b) = (value(t.operations[square].operands[0]), value(b));
    assert_eq!((factor[0], b[0]), (factor[1], b[1]));
    let want = [
        factor[0] * factor[0] + b[0],
        factor[0].mul_add(factor[0], b[0]),
    ];
    assert_eq!(value(at), want);
    assert_ne!(want[0], want[1]);
    let text = lines(&t).join("\n");
    for says in [
        "`routine`: rewritten parts from interpreter at %".to_string(),
        format!(
            "routine at dc-runtime/src/search/trace/tests.rs:{}:",
            calls[0].1
        ),
        format!(
            " -> middle at dc-runtime/src/search/trace/tests.rs:{}:",
            calls[1].1
        ),
        format!(" -> innermost at dc-runtime/src/search/trace/tests.rs:{line}:26"),
        format!("{line} |     let shifted = square + b;\n"),
        " |                          ^ add\n".into(),
        "\n    square ".into(),
        format!("\n    interpreter  {:?} = 0x", want[0]),
        format!("\n    rewritten    {:?} = 0x", want[1]),
    ] {
        assert!(text.contains(&says), "{says:?} is missing:\n{text}");
    }
}

#[test]
fn nothing_is_found_where_nothing_differs() {
    let found = all();
    let first = found.get("scalar").expect("plain Rust");
    for other in &found.backends {
        for x in [1.1, 1.5, -3.0, 0.0, f64::NAN, f64::INFINITY, 1e-310] {
            let t = trace_at(x, first, other);
            assert_eq!(t.finding, Finding::Same, "{} at {x}", other.id());
            assert_eq!(t.one_by_one(0), t.compiled[0], "{} at {x}", other.id());
            assert!(t.operations.len() > 40, "{}", t.operations.len());
        }
        // Compilers need much time for the metric.
        if other.id().contains(['-', ':']) {
            continue;
        }
        let key = Precision::F64.key_of_bits(1.1f64.to_bits());
        let parts = sweep(&SWEEP, [&**first, &**other], key, Depth::Everything);
        let roles: Vec<Role> = parts.iter().map(|p| p.role).collect();
        assert_eq!(roles, [Role::Routine, Role::Reference, Role::Metric]);
        for p in &parts {
            assert!(!p.differs(), "{}: {:?}", other.id(), p.role);
            let t = p.traced.as_ref().expect("a trace");
            assert_eq!(t.compiled[0], t.one_by_one(1));
        }
    }
}

#[test]
fn the_values_are_the_interpreters() {
    let program = kernels_gen::lower(routine::KERNEL).expect("lowered");
    let x = 1.2345f64.to_bits();
    let t = trace_at(f64::from_bits(x), &interpreter(), &interpreter());
    let mut entries = trace(&program, &[x]).into_iter();
    for o in &t.operations {
        let site = o.sites.last().expect("a place");
        let found = entries.any(|e| (e.bits, e.loc, e.ty) == (o.values[0], site.loc, o.ty));
        assert!(found, "{o:?}");
    }
}

#[test]
fn a_fault_in_the_reference_alone_is_found_in_the_reference_alone() {
    let (right, wrong) = (interpreter(), contracted("reference"));
    let key = (0..1000i64)
        .map(|i| 1.1f64.to_bits() as i64 + i)
        .find(|&k| {
            let found = sweep(&SWEEP, [&*right, &*wrong], k, Depth::Differences);
            found.iter().any(Part::differs)
        })
        .expect("the fault shows somewhere");
    for depth in [Depth::Differences, Depth::Everything] {
        let parts = sweep(&SWEEP, [&*right, &*wrong], key, depth);
        let differs: Vec<(Role, bool)> = parts.iter().map(|p| (p.role, p.differs())).collect();
        // The metric is not traced where its inputs differ.
        assert_eq!(differs, [(Role::Routine, false), (Role::Reference, true)]);
        let t = parts[1].traced.as_ref().expect("a trace");
        let Finding::Operation(at) = t.finding else {
            panic!("{:?}", t.finding);
        };
        let site = &t.operations[at].sites[0];
        assert_eq!(site.loc.line, line_of(reference::KERNEL, "square + 0.1"));
        let text = part_lines(&parts).join("\n");
        assert!(
            text.starts_with("routine `routine`: the same on both"),
            "{text}"
        );
        assert!(
            text.contains("\nreference `reference`: contracted parts from"),
            "{text}"
        );
    }
}

#[test]
fn a_fault_in_the_metric_is_found_there() {
    // The word of the digest, computed with a sum in place of a product.
    let wrong = rewriting(|mut program| {
        let entry = program.funcs.last_mut().expect("an entry");
        let product = |i: &&mut Inst| i.kind == InstKind::Op(Op::Mul) && i.ty == Prim::I64;
        if entry.origin.name == "ulp_error_f64" {
            let last = entry.insts.iter_mut().rfind(product);
            last.expect("a product of integers").kind = InstKind::Op(Op::Add);
        }
        program
    });
    let key = 1.1f64.to_bits() as i64;
    let parts = sweep(&SWEEP, [&*interpreter(), &*wrong], key, Depth::Differences);
    assert_eq!(parts.len(), 3);
    assert!(parts[2].differs() && parts[2].kernel.name == "ulp_error_f64");
    let t = parts[2].traced.as_ref().expect("a trace");
    let Finding::Operation(at) = t.finding else {
        panic!("{:?}", t.finding);
    };
    assert_eq!(
        (t.operations[at].what, t.operations[at].ty),
        (What::Op(Op::Mul), Prim::I64)
    );
}

/// A fault that disappears when the product is a result, as with real compilers.
#[test]
fn a_contraction_that_hides_is_cornered() {
    let line = line_of(innermost::KERNEL, "square + b");
    let wrong = contracting(|func, product, sum| {
        let shown = func.results.iter().any(|r| r.0 as usize == product);
        func.insts[sum].name.as_deref() == Some("shifted") && !shown
    });
    let t = first_difference(&ROUTINE, &interpreter(), &wrong);
    let Finding::Compiled([None, Some(Compiled::Merged { at, got, with })]) = &t.finding else {
        panic!("{:?}", t.finding);
    };
    let o = &t.operations[*at];
    assert_eq!(o.sites.last().map(|s| s.loc.line), Some(line));
    assert_eq!(o.values[0], o.values[1]);
    assert_ne!(o.values[0], *got);
    let names: Vec<String> = with.iter().map(|&w| operand(&t, w)).collect();
    assert_eq!(names, ["square"]);
    let text = lines(&t).join("\n");
    assert!(
        text.contains("where square is not kept: the compiler merges them"),
        "{text}"
    );
    assert!(text.contains("\n        by itself "), "{text}");
}

/// Values of other types: an entry of a table, a mask.
#[test]
fn loads_and_masks_are_named() {
    let t = trace_at(3.0, &interpreter(), &faulty(Fault::IndexModulo));
    let Finding::Operation(at) = t.finding else {
        panic!("{:?}", t.finding);
    };
    let o = &t.operations[at];
    assert_eq!((o.what, o.name.as_deref()), (What::Load, Some("entry")));
    assert_eq!(o.values, [TABLE[4], TABLE[6 % 5]].map(f64::to_bits));
    let text = lines(&t).join("\n");
    assert!(text.contains("^ load\n"), "{text}");
    assert!(text.contains("to_i64  6 (0x6)\n"), "{text}");

    // A comparison that returns true for equal operands.
    let wrong = rewriting(|mut program| {
        let entry = program.funcs.last_mut().expect("an entry");
        let less = |i: &&mut Inst| i.kind == InstKind::Op(Op::Lt);
        if let Some(i) = entry.insts.iter_mut().find(less) {
            i.kind = InstKind::Op(Op::Le);
        }
        program
    });
    assert_eq!(trace_at(1.2, &interpreter(), &wrong).finding, Finding::Same);
    let t = trace_at(1.3, &interpreter(), &wrong);
    let Finding::Operation(at) = t.finding else {
        panic!("{:?}", t.finding);
    };
    assert_eq!(
        (t.operations[at].what, t.operations[at].values),
        (What::Op(Op::Lt), [0, 1])
    );
    let text = lines(&t).join("\n");
    for says in [
        "^ lt\n",
        "\n    interpreter  false\n",
        "\n    rewritten    true",
    ] {
        assert!(text.contains(says), "{says:?} is missing:\n{text}");
    }
}

/// As the routine, compiled by a compiler that contracts one operation, and as a routine with another constant.
#[crunch]
fn short(x: DcDouble) -> DcDouble {
    let cube = x * x * x;
    1.0 - cube + x * 0.1
}
#[crunch]
fn short_contracted(x: DcDouble) -> DcDouble {
    (-(x * x)).mul_add(x, 1.0) + x * 0.1
}
#[crunch]
fn short_contracted_throughout(x: DcDouble) -> DcDouble {
    x.mul_add(0.1, (-(x * x)).mul_add(x, 1.0))
}
#[crunch]
fn short_otherwise(x: DcDouble) -> DcDouble {
    let cube = x * x * x;
    1.000_000_1 - cube + x * 0.1
}

/// A compiled form whose values cannot be observed: a contraction is concluded from the results, any other fault is
/// reported as being in the form.
#[test]
fn a_wrong_compiled_form_is_told_from_wrong_operations() {
    let found = all();
    for id in ["scalar", "avx2"] {
        let Some(cpu) = found.get(id) else { continue };
        let right = interpreter();
        for (wrong, together) in [
            (KernelRef::of::<short>(), None),
            (KernelRef::of::<short_contracted>(), Some(1)),
            (KernelRef::of::<short_contracted_throughout>(), Some(2)),
            (KernelRef::of::<short_otherwise>(), None),
        ] {
            let altered = KernelRef {
                kernel: short::KERNEL,
                cpu: wrong.cpu,
                written: None,
            };
            let differs = wrong.kernel.name != "short";
            let traced = (0..1000).map(|i| {
                let x = 1.1 + f64::from(i) * 1e-3;
                kernel(
                    &altered,
                    [&*right, &**cpu],
                    &[x.to_bits()],
                    Depth::Everything,
                )
                .expect("a trace")
            });
            let t = traced
                .into_iter()
                .find(|t| (t.compiled[0] != t.compiled[1]) == differs);
            let t = t.expect("the fault shows somewhere");
            if !differs {
                assert_eq!(t.finding, Finding::Same);
                continue;
            }
            let Finding::Compiled([None, Some(Compiled::Form(why))]) = &t.finding else {
                panic!("{:?}", t.finding);
            };
            assert_eq!(why.map(|c| c.together), together, "{}", wrong.kernel.name);
            assert_eq!(t.compiled[0], t.one_by_one(1));
            let text = lines(&t).join("\n");
            match why {
                None => assert!(text.contains("no contraction explains it"), "{text}"),
                Some(c) => {
                    let sum = &t.operations[c.sum];
                    let line = line_of(short::KERNEL, "1.0 - cube");
                    assert_eq!((sum.what, sum.sites[0].loc.line), (What::Op(Op::Sub), line));
                    assert_eq!(operand(&t, c.product), "cube");
                    assert!(
                        text.contains(&format!("\n        {line} |     1.0 - cube")),
                        "{text}"
                    );
                }
            }
        }
    }
}

/// Real compilers that contract: their change disappears as soon as the product is a result.
#[cfg(any(target_arch = "x86_64", feature = "opencl"))]
#[test]
fn real_contractions_are_cornered() {
    let folder = Folder::new("trace-contraction");
    let mut backends = Vec::new();
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("fma") {
        backends.extend(crate::backend::testing::contracting_host(
            &folder.file("host"),
        ));
    }
    #[cfg(feature = "opencl")]
    backends.extend(crate::backend::testing::altered_pocl(
        &folder.file("pocl"),
        |text| {
            text.replace(
                "#pragma OPENCL FP_CONTRACT OFF",
                "#pragma clang fp contract(fast)",
            )
        },
    ));
    let scalar = all().get("scalar").expect("plain Rust").clone();
    for wrong in &backends {
        let t = first_difference(&KernelRef::of::<short>(), &scalar, wrong);
        let Finding::Compiled([None, Some(Compiled::Merged { at, got, with })]) = &t.finding else {
            panic!("{}: {:?}", wrong.id(), t.finding);
        };
        let sum = &t.operations[*at];
        assert!(matches!(sum.what, What::Op(Op::Add | Op::Sub)), "{sum:?}");
        let products = with.iter().map(|&w| &t.operations[w]);
        let fused = products.into_iter().any(|p| {
            assert_eq!(p.what, What::Op(Op::Mul));
            let value = |i: usize| f64::from_bits(t.operations[i].values[0]);
            let [x, y] = [value(p.operands[0]), value(p.operands[1])];
            let other = |i: usize| value(sum.operands[i]);
            [
                x.mul_add(y, other(0)),
                x.mul_add(y, other(1)),
                x.mul_add(y, -other(1)),
                (-x).mul_add(y, other(0)),
            ]
            .contains(&f64::from_bits(*got))
        });
        assert!(fused, "{}: {}", wrong.id(), lines(&t).join("\n"));
    }
}

/// A text with another meaning: the operation is named on each backend that compiles texts.
#[test]
fn a_wrong_emitter_is_found_at_the_operation() {
    let folder = Folder::new("trace-emitter");
    let mut backends = Vec::new();
    // The first sum with that name gets another sign, or another factor.
    backends.extend(altered_host(&folder.file("host"), |source| {
        let text = kernels_gen::emit::host_cuda(source);
        let (before, rest) = text.split_once("shifted = __dadd_rn(").expect("the sum");
        let (args, after) = rest.split_once(')').expect("its end");
        format!("{before}shifted = -__dadd_rn({args}){after}")
    }));
    #[cfg(feature = "opencl")]
    backends.extend(crate::backend::testing::altered_pocl(
        &folder.file("pocl"),
        |text| text.replacen("shifted = ", "shifted = -0.5 * ", 1),
    ));
    let right = interpreter();
    for wrong in &backends {
        let t = trace_at(1.1, &right, wrong);
        let Finding::Operation(at) = t.finding else {
            panic!("{}: {:?}", wrong.id(), t.finding);
        };
        let o = &t.operations[at];
        assert_eq!(o.name.as_deref(), Some("shifted"), "{}", wrong.id());
        assert_eq!(o.sites.len(), 3);
    }
}
