//! `reduce`.

use serde_json::Value;

use super::{Ended, crunch_program, discover, processors};
use dc_driver::{Program, exit};
use dc_runtime::model::key::Precision;
use dc_runtime::prelude::crunch;
use dc_runtime::reductions::{Function, Order, Reduction};

#[crunch]
fn added(x: [f64; 4]) -> f64 {
    ((x[0] + x[1]) + x[2]) + x[3]
}

#[crunch]
fn in_pairs(x: [f64; 4]) -> f64 {
    (x[0] + x[1]) + (x[2] + x[3])
}

/// Without the third number.
#[crunch]
fn short(x: [f64; 4]) -> f64 {
    (x[0] + x[1]) + x[3]
}

/// NaN is taken for zero.
#[crunch]
fn deaf(x: [f64; 4]) -> f64 {
    let last = if x[3].is_nan() { 0.0 } else { x[3] };
    ((x[0] + x[1]) + x[2]) + last
}

const RIGHT: Reduction = Reduction {
    name: "right",
    function: Function::Sum,
    orders: &[
        Order::of::<added>("sequential").within(3.0),
        Order::of::<in_pairs>("pairwise").within(2.0),
    ],
};
const SHORT: Reduction = Reduction {
    name: "short",
    function: Function::Sum,
    orders: &[
        Order::of::<added>("sequential").within(3.0),
        Order::of::<short>("short").within(3.0),
    ],
};
const DEAF: Reduction = Reduction {
    name: "deaf",
    function: Function::Sum,
    orders: &[Order::of::<deaf>("deaf")],
};
const MISFIT: Reduction = Reduction {
    name: "misfit",
    function: Function::SampleVariance,
    orders: &[Order::of::<of_one>("one")],
};

#[crunch]
fn of_one(x: [f64; 1]) -> f64 {
    x[0]
}

fn reduce(reductions: &[Reduction], args: &[&str]) -> Ended {
    let program = Program {
        reductions,
        ..Program::default()
    };
    crunch_program(&program, &processors, &[&["reduce"], args].concat())
}

#[test]
fn errors_orders_and_backends_are_shown() {
    let e = reduce(&[RIGHT, SHORT], &["right", "--inputs", "4096"]);
    assert_eq!((e.code, e.err.as_str()), (exit::OK, ""), "{}", e.out);
    for text in [
        "right: sum of 4 numbers of f64, 4,096 vectors, seed 0, a sample (not exhaustive)\n",
        "errors in u Σ|x|, u = 2^-53",
        "baseline",
        "rust",
        "interpreter",
        "bitwise identical",
        "sequential: NaN or an infinity in place of the true value: ",
    ] {
        assert!(e.out.contains(text), "{text}: {}", e.out);
    }
    assert!(!e.out.contains("FINDING"), "{}", e.out);
    let e = reduce(&[RIGHT], &["--json", "--inputs", "4096"]);
    let all: Value = serde_json::from_str(&e.out).expect("JSON");
    let orders = all[0]["orders"].as_array().expect("orders");
    for (order, within) in orders.iter().zip([3.0, 2.0]) {
        let error = order["error"]["value"].as_f64().expect("a number").abs();
        assert!(error > 0.4 && error <= within, "{order}");
    }
    assert_eq!(orders[0]["other_bits"]["vectors"], 0);
    assert!(
        orders[1]["other_bits"]["vectors"].as_u64() > Some(500),
        "{all}"
    );
    // The vector that is named is one where both orders differ.
    let first = orders[1]["other_bits"]["first"].as_u64().expect("a number");
    let at = reduce(&[RIGHT], &["right", "--json", "--at", &first.to_string()]);
    let at: Value = serde_json::from_str(&at.out).expect("JSON");
    let bits = |i: usize| at["orders"][i]["result"].clone();
    assert_ne!(bits(0), bits(1), "{at}");
}

#[test]
fn a_number_that_is_left_out_is_a_finding() {
    let e = reduce(&[SHORT], &["--inputs", "2048"]);
    assert_eq!(e.code, exit::FINDING, "{}", e.out);
    let text = "FINDING: short: the largest error, ";
    assert!(e.out.contains(text), "{}", e.out);
    assert!(
        e.out.contains("u Σ|x|, is above the allowed 3"),
        "{}",
        e.out
    );
    let e = reduce(&[DEAF], &["--inputs", "2048"]);
    assert_eq!(e.code, exit::FINDING, "{}", e.out);
    let text = "FINDING: deaf: wrong at infinities or NaN: ";
    assert!(e.out.contains(text), "{}", e.out);
}

#[test]
fn a_vector_is_shown() {
    let e = reduce(&[RIGHT, SHORT], &["short", "--at", "4"]);
    assert_eq!((e.code, e.err.as_str()), (exit::OK, ""), "{}", e.out);
    let one = dc_runtime::model::show::full(Precision::F64, 1f64.to_bits());
    for text in [
        "short, vector 4, seed 0: special values\n",
        &format!("x[0]        {one}\n"),
        "true value  0.0\n",
        "sequential  0.0 = 0x0p0 (0x0000000000000000), error 0 u Σ|x|, 0 ULP\n",
        "u Σ|x|, no error in ULP\n",
    ] {
        assert!(e.out.contains(text), "{text}: {}", e.out);
    }
}

/// Every result of a softmax is judged, and the worst is named.
#[test]
fn the_worst_of_several_results_is_named() {
    let all = dc_runtime::sweeps::reductions::ALL;
    let e = reduce(all, &["softmax-8", "--inputs", "2048"]);
    assert_eq!((e.code, e.err.as_str()), (exit::OK, ""), "{}", e.out);
    for text in [
        "softmax-8: softmax of 8 numbers of f64, 2,048 vectors, seed 0, a sample (not exhaustive)\n",
        "errors in u (1 + max x - x[k]) y[k], u = 2^-53",
        "; true values to 2^-94 of themselves",
        "unshifted: NaN or an infinity in place of the true value: ",
    ] {
        assert!(e.out.contains(text), "{text}: {}", e.out);
    }
    assert!(
        !e.out.contains("sequential: NaN or an infinity"),
        "{}",
        e.out
    );
    let e = reduce(all, &["softmax-8", "--inputs", "2048", "--json"]);
    let found: Value = serde_json::from_str(&e.out).expect("JSON");
    let worst = &found[0]["orders"][0]["error"];
    let (vector, index) = (&worst["vector"], worst["index"].as_u64().expect("one"));
    let at = reduce(all, &["softmax-8", "--at", &vector.to_string(), "--json"]);
    let at: Value = serde_json::from_str(&at.out).expect("JSON");
    // Four orders at each of the eight results.
    let rows = at["orders"].as_array().expect("orders");
    assert_eq!(
        (rows.len(), at["true_values"].as_array().map(Vec::len)),
        (32, Some(8))
    );
    let row = &rows[4 * index as usize];
    assert_eq!(
        (&row["order"], &row["index"]),
        (&"sequential".into(), &index.into())
    );
    assert_eq!(row["error"], worst["value"]);
    let text = reduce(all, &["softmax-8", "--at", &vector.to_string()]).out;
    assert!(text.contains(&format!("true y[{index}]")), "{text}");
}

#[test]
fn what_cannot_be_compared_is_refused() {
    for (reductions, args, says) in [
        (&[][..], &[][..], "this program has no reductions"),
        (
            &[],
            &["sum"],
            "no reduction is called `sum`; there are: none",
        ),
        (
            &[RIGHT],
            &["sum"],
            "no reduction is called `sum`; there are: right",
        ),
        (
            &[RIGHT, SHORT],
            &["--at", "1"],
            "--at 1 shows a vector of one reduction; name one, as in reduce right --at 1",
        ),
        (
            &[MISFIT],
            &[],
            "`of_one` computes no sample_variance of numbers: it takes 1 numbers; take at least 2",
        ),
        (&[RIGHT, RIGHT], &[], "two reductions are called `right`"),
    ] {
        let e = reduce(reductions, args);
        assert_eq!((e.code, e.out.as_str()), (exit::INPUT, ""), "{args:?}");
        assert!(e.err.contains(says), "{args:?}: {}", e.err);
    }
}

/// Backends that are refused are named, and the command fails.
#[test]
fn a_refused_backend_is_not_silent() {
    let program = Program {
        reductions: &[RIGHT],
        ..Program::default()
    };
    let found = |filter: &dc_runtime::backend::Filter| {
        let mut found = processors(filter);
        found.refused = discover(filter).refused;
        found
    };
    let e = crunch_program(&program, &found, &["reduce", "--inputs", "64"]);
    assert_eq!(e.code, exit::UNAVAILABLE, "{}", e.out);
    assert!(e.out.contains("REFUSED, not compared"), "{}", e.out);
    contains!(e.err, "opencl:odd/0 must not be trusted");
}

#[test]
fn reductions_are_listed_and_their_kernels_can_be_emitted() {
    let program = Program {
        reductions: &[RIGHT],
        ..Program::default()
    };
    let e = crunch_program(&program, &processors, &["list"]);
    contains!(e.out, "right      sum       sequential, pairwise");
    let e = crunch_program(&program, &processors, &["emit", "in_pairs", "-t", "ir"]);
    assert_eq!(e.code, exit::OK, "{}", e.err);
}
