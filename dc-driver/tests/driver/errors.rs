//! `--metric absolute` and `relative` on the command line: their largest errors are at other inputs than in ULP, every
//! output has their unit, and runs of different errors are not mixed.

use serde_json::Value;

use super::on_processors;
use dc_driver::exit;
use dc_runtime::search::testing::Folder;
use dc_runtime::sweeps;

fn crunch(args: &[&str]) -> super::Ended {
    on_processors(sweeps::ALL, args)
}

/// Results from 2 to 4, where the error in ULP is largest, and from 4 to 8, where an ULP is twice as large.
const RANGE: [&str; 3] = [
    "exp",
    "--range",
    "1.0..1.0000000000009, 1.7..1.7000000000009",
];

fn run(more: &[&str], out: &str) -> Value {
    let args = [
        &["--json", "run", "-q", "--block", "2^12", "-o", out],
        &RANGE[..],
        more,
    ]
    .concat();
    let e = crunch(&args);
    assert_eq!(e.code, exit::OK, "{}{}", e.out, e.err);
    serde_json::from_str(&e.out).expect("JSON")
}

fn number(v: &Value) -> f64 {
    let text = v.as_str().and_then(|text| text.parse().ok());
    (v.as_f64().or(text)).unwrap_or_else(|| panic!("{v} is no number"))
}

#[test]
fn errors_without_a_unit_are_searched_for() {
    let dir = Folder::new("errors");
    let file = |name: &str| dir.file(name).to_str().expect("UTF-8").to_string();
    let ulp = run(&["-b", "scalar"], &file("ulp"));
    for (metric, other) in [("absolute", "relative"), ("relative", "absolute")] {
        let whole = file(metric);
        let v = run(&["-b", "scalar", "--metric", metric], &whole);
        // What does not depend on the error is the same; the error is another, in other bins.
        for same in ["inputs", "misrounded", "undecided", "faults", "digest"] {
            assert_eq!(v["result"][same], ulp["result"][same], "{metric}: {same}");
        }
        assert_eq!(
            (&v["result"]["unit"], &v["result"]["measure"]),
            (&metric.into(), &metric.into())
        );
        assert_ne!(
            v["result"]["histogram_edges"],
            ulp["result"]["histogram_edges"]
        );
        assert_eq!(v["result"]["fine_histogram"]["inputs"], 0);
        let error = number(&v["worst"]["error"]);
        assert_eq!(Some(error), v["result"]["max_error"]["error"].as_f64());
        let result = number(&v["worst"]["result"]["decimal"]);
        // The worst in ULP, and the largest error here, both in ULP of this result.
        let in_ulp = number(&ulp["worst"]["error"]);
        let here = match metric {
            "absolute" => error / 2f64.powi(-50),
            _ => error * result / 2f64.powi(-51),
        };
        match metric {
            "absolute" => assert!(result > 4.0 && here > in_ulp / 2.0 && here < in_ulp, "{v}"),
            _ => assert!(result < 4.0 && (here / in_ulp - 1.0).abs() < 1e-12, "{v}"),
        }
        // Of no input that is worst in ULP is it larger.
        let shown = crunch(&["--json", "status", &file("ulp"), "--ulp", metric]);
        let shown: Value = serde_json::from_str(&shown.out).expect("JSON");
        assert!(number(&shown[0]["worst"]["error"]) <= error, "{shown}");

        // The definition of every operation, and another instruction set's kernels, in parts.
        let [first, second, joined] =
            ["1", "2", "joined"].map(|part| file(&format!("{metric}-{part}")));
        run(
            &["-b", "interpreter", "--metric", metric, "--shard", "1/2"],
            &first,
        );
        run(
            &["-b", "fastest", "--metric", metric, "--shard", "2/2"],
            &second,
        );
        let e = crunch(&["--json", "merge", &joined, &first, &second]);
        let merged: Value = serde_json::from_str(&e.out).unwrap_or_else(|_| panic!("{}", e.err));
        assert_eq!(
            (&merged["result"], &merged["worst"]),
            (&v["result"], &v["worst"])
        );

        // The run file has the error: it goes on with it, and is not another's.
        let e = crunch(&["resume", &whole]);
        contains!(e.out, "complete already", &format!(" {metric}\n"));
        let e = crunch(&["status", &whole]);
        assert!(
            e.out.contains("worst error   ") && !e.out.contains("ULP"),
            "{}",
            e.out
        );
        let mixed = file("mixed");
        run(
            &["-b", "scalar", "--metric", other, "--shard", "1/2"],
            &mixed,
        );
        let e = crunch(&["merge", &file("none"), &mixed, &second]);
        assert!(
            e.code == exit::INPUT && e.err.contains("the metrics are"),
            "{}",
            e.err
        );
        std::fs::remove_file(&mixed).expect("the run file");

        let picture = file(&format!("{metric}.svg"));
        assert_eq!(crunch(&["plot", &whole, "-o", &picture]).code, exit::OK);
        let svg = std::fs::read_to_string(&picture).expect("the picture");
        assert!(
            svg.contains(&format!("{metric} error")) && !svg.contains("ULP"),
            "{svg}"
        );
        for (args, says) in [
            (
                &["plot", &whole, "-k", "histogram"][..],
                "has bins in ULP; draw the envelope",
            ),
            (&["plot", &whole, "--bound", "1"], "--bound is in ULP"),
            (&["plot", &whole, &file("ulp")], "no common axis"),
            (&["status", &whole, "--ulp", "kahan"], "leave --ulp out"),
        ] {
            let e = crunch(args);
            assert!(
                e.code == exit::INPUT && e.err.contains(says),
                "{args:?}: {}",
                e.err
            );
        }
    }
    for (args, says) in [
        (
            &["run", "exp", "--metric", "ulp"][..],
            "without --metric it is the error in ULP",
        ),
        (
            &["run", "exp", "--metric", "absolute", "--measure", "maxima"],
            "cannot be used with",
        ),
    ] {
        let e = crunch(args);
        assert!(
            e.code == exit::INPUT && e.err.contains(says),
            "{args:?}: {}",
            e.err
        );
    }
}
