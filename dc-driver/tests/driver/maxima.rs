//! `--measure maxima` on the command line: values that were not measured are shown as such everywhere, and measures are not mixed.

use serde_json::Value;

use super::on_processors;
use dc_driver::exit;
use dc_runtime::search::testing::Folder;
use dc_runtime::sweeps;

fn crunch(args: &[&str]) -> super::Ended {
    on_processors(sweeps::ALL, args)
}

const RANGE: [&str; 6] = ["exp", "--range", "1.0..1.0000000001", "-b", "scalar", "-q"];

fn run(measure: &[&str], shard: &str, out: &str) -> super::Ended {
    let mut args = vec!["run"];
    args.extend(RANGE);
    args.extend(["--shard", shard, "-o", out, "--block", "2^16"]);
    args.extend(measure);
    crunch(&args)
}

#[test]
fn what_was_not_measured_is_shown_as_such() {
    let dir = Folder::new("maxima");
    let [full, maxima, half, other, joined, report, picture] = [
        "full",
        "maxima",
        "half",
        "other",
        "joined",
        "report.html",
        "picture.svg",
    ]
    .map(|n| dir.file(n));
    let [full, maxima, half, other, joined, report, picture] =
        [&full, &maxima, &half, &other, &joined, &report, &picture]
            .map(|p| p.to_str().expect("UTF-8"));
    for (measure, shard, out) in [
        (&[][..], "1/1", full),
        (&["--measure", "maxima"], "1/1", maxima),
        (&["--measure", "maxima"], "1/2", half),
        (&["--measure", "full"], "2/2", other),
    ] {
        let e = run(measure, shard, out);
        assert_eq!(e.code, exit::OK, "{}", e.err);
    }
    let status = |file| -> Value {
        let e = crunch(&["--json", "status", file]);
        serde_json::from_str(&e.out).unwrap_or_else(|why| panic!("{why}: {}{}", e.out, e.err))
    };
    let of = |v: &Value| v.get(0).unwrap_or(v)["result"].clone();
    let (want, found) = (of(&status(full)), of(&status(maxima)));
    for same in [
        "inputs",
        "max_error",
        "max_positive",
        "max_negative",
        "faults",
    ] {
        assert_eq!(want[same], found[same], "{same}");
    }
    assert_eq!(
        (&want["measure"], &found["measure"]),
        (&"full".into(), &"maxima".into())
    );
    for absent in ["misrounded", "misrounded_share", "undecided", "histogram"] {
        assert!(
            !want[absent].is_null() && found[absent].is_null(),
            "{absent}: {found}"
        );
    }
    let e = crunch(&["status", maxima]);
    assert!(e.out.contains("misrounded    not measured"), "{}", e.out);
    // The run file has the measure: it is complete, and its worst input is evaluated again.
    let e = crunch(&["resume", maxima]);
    assert!(
        e.code == exit::OK && e.out.contains("complete already"),
        "{}{}",
        e.out,
        e.err
    );
    let table = crunch(&["format", maxima]).out;
    let [names, first] = [0, 1].map(|i| {
        table
            .lines()
            .nth(i)
            .expect("a line")
            .split('\t')
            .collect::<Vec<_>>()
    });
    let at = names
        .iter()
        .position(|n| *n == "misrounded")
        .expect("the column");
    assert_eq!(
        (first[at], first[at + 1], first[at + 2]),
        ("", "", ""),
        "{table}"
    );
    let e = crunch(&["plot", maxima, "--kind", "histogram", "-o", picture]);
    assert!(
        e.code != exit::OK && e.err.contains("--measure full"),
        "{}",
        e.err
    );
    let e = crunch(&["plot", maxima, "--kind", "report", "-o", report]);
    assert_eq!(e.code, exit::OK, "{}", e.err);
    let html = std::fs::read_to_string(report).expect("the report");
    assert!(html.contains("not measured"), "{html}");
    let e = crunch(&["merge", joined, half, other]);
    assert!(
        e.code != exit::OK && e.err.contains("handbook, maxima"),
        "{}",
        e.err
    );
}

/// Without `--block`: each block has records of its own, so that these searches have fewer blocks.
#[test]
fn blocks_suit_what_is_measured() {
    let dir = Folder::new("maxima-blocks");
    for (measure, blocks) in [
        ("full", "128 of 128 blocks of 2^16 inputs"),
        ("maxima", "64 of 64 blocks of 2^17 inputs"),
    ] {
        let out = dir.file(measure);
        let out = out.to_str().expect("UTF-8");
        let range = "bits:0x3ff0000000000000..=bits:0x3ff00000007fffff";
        let args = ["run", "reciprocal", "--range", range, "-b", "scalar", "-q"];
        let e = crunch(&[&args[..], &["--measure", measure, "-o", out]].concat());
        assert_eq!(e.code, exit::OK, "{}", e.err);
        let status = crunch(&["status", out]).out;
        assert!(status.contains(blocks), "{measure}: {status}");
    }
}

#[test]
fn the_measure_is_refused_where_it_cannot_be() {
    let dir = Folder::new("maxima-refused");
    let out = dir.file("run");
    let out = out.to_str().expect("UTF-8");
    let of =
        |args: &[&str]| crunch(&[&["run", "-q", "-o", out, "--measure", "maxima"], args].concat());
    let e = of(&["exp", "--range", "1.0..1.0000001", "-b", "interpreter"]);
    assert!(
        e.code != exit::OK && e.err.contains("Take scalar"),
        "{}",
        e.err
    );
    let e = of(&["reciprocal-f32", "-b", "interpreter", "--range", "1.0..1.1"]);
    assert!(
        e.code != exit::OK && e.err.contains("Take scalar"),
        "{}",
        e.err
    );
    let e = of(&["exp", "--time", "1s"]);
    assert!(
        e.code == exit::INPUT && e.err.contains("--time"),
        "{}",
        e.err
    );
    let e = crunch(&["run", "exp", "--measure", "most"]);
    assert!(
        e.code == exit::INPUT && e.err.contains("full and maxima"),
        "{}",
        e.err
    );
}
