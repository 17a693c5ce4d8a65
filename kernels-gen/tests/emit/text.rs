//! The constructs that a text contains.

use kernels_gen::emit::{CorrectF32Divide, Options, Source, point_kernel};
use kernels_gen::ops::{Op, Prim};

use crate::build::{Builder, mul_then_add, program, two_sum};
use crate::every_op::every_op;

/// The text without comments.
fn code(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let mut line = line.split("//").next().unwrap_or_default().to_string();
        while let (Some(a), Some(b)) = (line.find("/*"), line.find("*/")) {
            line.replace_range(a..b + 2, "");
        }
        out.push_str(&line);
        out.push('\n');
    }
    out
}

/// Lines with a bare operator in a statement that is not about integers.
fn bare_arithmetic(source: &Source) -> Vec<String> {
    code(&source.text)
        .lines()
        .filter(|line| {
            line.trim_start().starts_with("const double")
                || line.trim_start().starts_with("const float")
                || line.trim_start().starts_with("return")
        })
        .filter(|line| {
            [" + ", " - ", " * ", " / "]
                .iter()
                .any(|op| line.contains(op))
        })
        .map(str::to_string)
        .collect()
}

/// The programs that the tests build by hand pass the checker: emitters receive no others.
#[test]
fn programs_are_checked() {
    for p in [every_op(), mul_then_add(), crate::golden::mixture()] {
        assert_eq!(
            kernels_gen::check::check(&p).map_err(|e| e.to_string()),
            Ok(())
        );
    }
    for p in [Prim::F64, Prim::F32] {
        for p in crate::sweep::programs(p) {
            assert_eq!(
                kernels_gen::check::check(&p).map_err(|e| e.to_string()),
                Ok(())
            );
        }
    }
}

#[test]
fn cuda_has_no_bare_arithmetic_on_floats() {
    let source = point_kernel(&every_op(), &Options::cuda());
    assert_eq!(bare_arithmetic(&source), Vec::<String>::new());
    // The same check finds OpenCL's operators, which shows that it can fail.
    let opencl = point_kernel(&every_op(), &Options::opencl(CorrectF32Divide::Native));
    assert!(bare_arithmetic(&opencl).len() >= 8);
}

#[test]
fn opencl_switches_contraction_off_everywhere() {
    for (divide, lanes) in [
        (CorrectF32Divide::Native, 1),
        (CorrectF32Divide::Derived, 1),
        (CorrectF32Divide::Derived, 8),
    ] {
        let options = Options::opencl(divide).with_lanes(lanes);
        for source in [
            point_kernel(&every_op(), &options),
            crate::sweep::source(Prim::F32, &options),
        ] {
            let text = code(&source.text);
            let file_scope = text
                .lines()
                .filter(|l| *l == "#pragma OPENCL FP_CONTRACT OFF")
                .count();
            let bodies = text
                .lines()
                .filter(|l| l.ends_with(") {") && !l.contains("for (") && !l.contains("if ("));
            let in_bodies = text
                .matches(") {\n    #pragma OPENCL FP_CONTRACT OFF\n")
                .count();
            assert_eq!((file_scope, in_bodies), (1, bodies.count()), "{text}");
            assert_eq!(
                text.contains("dc_divide_f32"),
                divide == CorrectF32Divide::Derived
            );
        }
    }
}

#[test]
fn constants_travel_as_bits() {
    let values = [
        0.1,
        std::f64::consts::LN_2,
        5e-324,
        -0.0,
        f64::MAX,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        1e23,
    ];
    let mut b = Builder::new("consts", &[("x", Prim::F64)]);
    let results: Vec<_> = values.iter().map(|&x| b.f64(x)).collect();
    let p = program(vec![b.done(&results)]);
    for (options, open, close) in [
        (Options::cuda(), "__longlong_as_double(0x", "ull)"),
        (
            Options::opencl(CorrectF32Divide::Native),
            "as_double(0x",
            "UL)",
        ),
    ] {
        let text = point_kernel(&p, &options).text;
        for x in values {
            let want = format!("{open}{:016x}{close} /* {x:?} */", x.to_bits());
            assert!(text.contains(&want), "{want} in\n{text}");
        }
    }
    let columns = vec![vec![0]];
    for compiler in crate::cxx::compilers() {
        let out = crate::cxx::run_point(
            "consts",
            compiler,
            crate::cxx::STRICT,
            &point_kernel(&p, &Options::cuda()),
            &columns,
        );
        for (got, x) in out.iter().zip(values) {
            assert_eq!(
                got[0],
                if x.is_nan() {
                    0x7ff8_0000_0000_0000
                } else {
                    x.to_bits()
                }
            );
        }
    }
}

#[test]
fn only_used_functions_and_helpers() {
    let mut b = Builder::new("main_one", &[("x", Prim::F64)]);
    let (x, one) = (b.param(0), b.f64(1.0));
    let sum = b.call(0, &[x, one], &[Prim::F64, Prim::F64]);
    let again = b.call(0, &[sum[0], x], &[Prim::F64, Prim::F64]);
    // Nothing uses this call's results, so its callee is not emitted either.
    b.call(1, &[x], &[Prim::F64]);
    let unused = {
        let mut b = Builder::new("unused", &[("x", Prim::F64)]);
        let r = b.op(Op::Sqrt, &[b.param(0)]);
        b.done(&[r])
    };
    let p = program(vec![two_sum(), unused, b.done(&[again[0], sum[1]])]);
    let text = point_kernel(&p, &Options::cuda()).text;
    assert_eq!(text.matches("dc_f64x2 k_two_sum(").count(), 1, "{text}");
    assert!(
        !text.contains("unused") && !text.contains("sqrt") && !text.contains("dc_clamp"),
        "{text}"
    );
    assert_eq!(text.matches("typedef struct").count(), 1);
}

#[test]
fn references_to_the_source() {
    let mut options = Options::cuda();
    let text = point_kernel(&mul_then_add(), &options).text;
    // The source line itself follows; anything that would splice lines in C is cut off.
    assert!(
        text.contains("    // by_hand.rs:11  x * x // a comment that ends in\n"),
        "{text}"
    );
    options.line_directives = true;
    let text = point_kernel(&mul_then_add(), &options).text;
    assert!(text.contains("#line 11 \"src/by_hand.rs\"\n"), "{text}");
}
