//! The script for Gappa: its text, reviewed as a golden file, and the programs that are refused. The facade's
//! `tests/gappa.rs` shows on kernels that Gappa accepts it and that its bounds hold.

use std::path::Path;
use std::process::Command;

use kernels_gen::emit::{GappaRequest, gappa};
use kernels_gen::ops::{Op, Prim};
use kernels_gen::program::{Program, TableData};

use crate::build::{Builder, program, two_sum};
use crate::cxx;

/// Every operation that has a form; a helper called twice, locals that share a name, a value that nothing uses.
fn expressible() -> Program {
    let mut b = Builder::new("expressible", &[("x", Prim::F64), ("z", Prim::F32)]);
    let (x, z) = (b.param(0), b.param(1));
    let wide = b.op_to(Op::ToF64, &[z], Prim::F64);
    b.name(wide, "wide");
    let tenth = b.f64(-0.1);
    let product = b.op(Op::Mul, &[x, tenth]);
    b.name(product, "y");
    b.line(12);
    let first = b.call(0, &[product, wide], &[Prim::F64, Prim::F64]);
    b.name(first[0], "s");
    let second = b.call(0, &[first[0], x], &[Prim::F64, Prim::F64]);
    // These have no name here; they get those of the helper's own locals.
    let quotient = b.op(Op::Div, &[second[1], second[0]]);
    let negative = b.op(Op::Neg, &[x]);
    let size = b.op(Op::Abs, &[negative]);
    b.name(size, "My");
    b.line(13);
    let root = b.op(Op::Sqrt, &[size]);
    let narrow = b.op_to(Op::ToF32, &[root], Prim::F32);
    b.name(narrow, "f32");
    let inverse = b.op(Op::Recip, &[narrow]);
    let difference = b.op(Op::Sub, &[inverse, z]);
    let fused = b.op(Op::Fma, &[difference, z, narrow]);
    let again = b.op_to(Op::ToF64, &[fused], Prim::F64);
    b.op(Op::Add, &[again, again]);
    let sum = b.op(Op::Add, &[again, quotient]);
    b.name(sum, "y");
    program(vec![two_sum(), b.done(&[sum])])
}

fn request(ranges: &[&[[f64; 2]]]) -> GappaRequest<'static> {
    GappaRequest {
        ranges: ranges.iter().map(|r| r.to_vec()).collect(),
        ..GappaRequest::default()
    }
}

#[test]
fn script_is_as_reviewed() {
    let given = ["|x - z| <= 1".to_string()];
    let request = GappaRequest {
        given: &given,
        hints: "tmp11 ~ Mtmp11;\n$ x in 16;\n",
        ..request(&[&[[-2.0, -0.1], [0.1, 2.0]], &[[0.5, 1.0]]])
    };
    let script = gappa(&expressible(), &request).expect("all of it has a form");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/expressible.gappa");
    if std::env::var_os("CRUNCH_BLESS").is_some() {
        std::fs::write(&path, &script.text).expect("the golden folder is writable");
    }
    let want = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        want == script.text,
        "differs from {}; if that is meant, CRUNCH_BLESS=1 and review the diff. Now:\n{}",
        path.display(),
        script.text
    );
    let goal = &script.goals[0];
    assert_eq!((&goal.rounded[..], &goal.exact[..]), ("y_3", "My_3"));
    accepted(&path);
}

/// Checks that Gappa parses a script and finds a bound.
fn accepted(path: &Path) {
    if !cxx::is_there("gappa") {
        cxx::skip("gappa", "not here to read the golden script");
        return;
    }
    let output = Command::new("gappa").arg(path).output();
    let output = output.expect("it is there");
    // It also reports, and ends with an error, that it finds no bound of the relative error: the result may be 0.
    let answer = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(answer.contains("|y_3 - My_3| in [0, "), "{answer}");
}

/// One operation of `op` on parameters of these types.
fn one(op: Op, params: &[Prim], to: Prim) -> Program {
    let names = ["a", "b", "c"];
    let params: Vec<(&str, Prim)> = names.into_iter().zip(params.iter().copied()).collect();
    let mut b = Builder::new("one", &params);
    let args: Vec<_> = (0..params.len() as u32).map(|i| b.param(i)).collect();
    b.line(17);
    let y = b.op_to(op, &args, to);
    program(vec![b.done(&[y])])
}

#[test]
fn what_has_no_form_is_refused_with_its_line() {
    use Prim::{F64, I64, Mask};
    let ranges = request(&[&[[1.0, 2.0]][..]; 3]);
    let refusal = |p: &Program| gappa(p, &ranges).expect_err("it has no form").to_string();
    for (op, params, to, says) in [
        (Op::Lt, &[F64, F64][..], Mask, "`lt`"),
        (Op::Min, &[F64, F64], F64, "`min`"),
        (Op::CopySign, &[F64, F64], F64, "`copy_sign`"),
        (Op::Floor, &[F64], F64, "`floor`"),
        (Op::ToBits, &[F64], I64, "`to_bits`"),
        (Op::ToI64, &[F64], I64, "`to_i64`"),
        (Op::IsNan, &[F64], Mask, "`is_nan`"),
    ] {
        let e = refusal(&one(op, params, to));
        assert!(
            e.contains(says) && e.contains("src/by_hand.rs, line 17"),
            "{e}"
        );
        assert!(e.contains("--given") && !e.contains('\n'), "{e}");
    }
    let e = refusal(&one(Op::ToF64, &[I64], F64));
    assert!(e.contains("parameter `a`, which is no float"), "{e}");

    let mut b = Builder::new("integers", &[("x", F64)]);
    let five = b.i64(5);
    let y = b.op_to(Op::ToF64, &[five], F64);
    let e = refusal(&program(vec![b.done(&[y])]));
    assert!(e.contains("`to_f64` on integers"), "{e}");

    let mut b = Builder::new("constants", &[("x", F64)]);
    let infinity = b.f64(f64::INFINITY);
    let y = b.op(Op::Add, &[b.param(0), infinity]);
    let e = refusal(&program(vec![b.done(&[y])]));
    assert!(e.contains("the constant inf"), "{e}");

    let mut b = Builder::new("tables", &[("x", F64)]);
    let at = b.i64(0);
    let y = b.load(0, at, F64);
    let mut p = program(vec![b.done(&[y])]);
    p.tables = vec![TableData {
        name: "C".into(),
        elem: kernels_gen::ir::Elem::F64,
        bits: vec![0],
    }];
    let e = refusal(&p);
    assert!(e.contains("a table's entry"), "{e}");
}

#[test]
fn parameters_need_finite_ranges() {
    let p = one(Op::Add, &[Prim::F64; 2], Prim::F64);
    for ranges in [
        &[&[[1.0, 2.0]][..]][..],
        &[&[[0.0, 1.0]], &[[0.0, f64::INFINITY]]],
    ] {
        let e = gappa(&p, &request(ranges))
            .expect_err("no range of b")
            .to_string();
        assert!(e.contains("`b` has no finite range"), "{e}");
    }
}
