//! Runs, their files, and the commands that read them.

use super::{RANGE, crunch, crunch_of, json};
use dc_driver::exit;
use dc_runtime::search::testing::{CHANGED, Folder};

#[test]
fn a_run_and_its_file() {
    let dir = Folder::new("driver-run");
    let path = dir.file("a run");
    let path = path.to_str().expect("UTF-8");
    let args = [
        "run",
        "test",
        "--range",
        RANGE,
        "--out",
        path,
        "-b",
        "scalar,avx2",
    ];
    let (code, v) = json(&args);
    assert_eq!(
        (code, &v["complete"], &v["inputs"]),
        (exit::OK, &true.into(), &1_048_577u64.into())
    );
    assert_eq!(v["backends"], serde_json::json!(["scalar", "avx2"]));
    let again = crunch(&args);
    assert_eq!(again.code, exit::INPUT);
    contains!(again.err, "exists already", "crunch resume");
    let (code, r) = json(&["resume", path]);
    assert_eq!(
        (code, &r["inputs"], &r["result"]),
        (exit::OK, &0.into(), &v["result"])
    );
    let e = crunch_of(&[CHANGED], &["resume", path]);
    assert_eq!(e.code, exit::INPUT);
    contains!(e.err, "the approximation is not the same");
    let e = crunch_of(&[], &["resume", path]);
    assert!(
        e.code == exit::INPUT && e.err.contains("no sweep is called `test`; there are: none"),
        "{}",
        e.err
    );
}

/// A run in three shards, merged, equals the run in one piece; and so do the results of the other commands.
#[test]
fn shards_merge_and_are_read() {
    let dir = Folder::new("driver-shards");
    let file = |name: &str| dir.file(name).to_str().expect("UTF-8").to_string();
    let run = |out: &str, more: &[&str]| {
        let mut args = vec![
            "run", "test", "--range", RANGE, "--block", "2^12", "-o", out, "-q", "-b", "scalar",
        ];
        args.extend(more);
        let e = crunch(&args);
        assert_eq!((e.code, e.out.as_str(), e.err.as_str()), (exit::OK, "", ""));
    };
    let (whole, merged) = (file("whole"), file("merged"));
    run(&whole, &[]);
    let parts: Vec<String> = (1..=3).map(|i| file(&format!("part{i}"))).collect();
    for (i, part) in parts.iter().enumerate() {
        run(part, &["--shard", &format!("{}/3", i + 1)]);
    }
    let e = crunch(&["merge", &merged, &parts[0], &parts[2]]);
    assert_eq!(e.code, exit::INPUT);
    assert!(
        e.err.contains("a gap: blocks 85 to 170") && e.err.lines().count() == 1,
        "{}",
        e.err
    );
    let e = crunch(&["merge", &merged, &parts[0], &parts[1], &parts[2]]);
    assert_eq!(e.code, exit::OK, "{}", e.err);
    let table = |file: &str| crunch(&["format", file, "--group", "1"]).out;
    assert_eq!(table(&whole), table(&merged));
    assert_eq!(table(&whole).lines().count(), 1 + 257);
    let (_, rows) = json(&["format", &whole, "--rows", "10"]);
    assert_eq!(rows.as_array().map(Vec::len), Some(10));

    let (code, status) = json(&["status", &whole, &merged]);
    assert_eq!(
        (code, &status[0]["state"], &status[0]["blocks"]),
        (exit::OK, &"complete".into(), &257.into())
    );
    assert_eq!(status[0]["result"], status[1]["result"]);
    assert_eq!(status[1]["sessions"].as_array().map(Vec::len), Some(3));
    let text = crunch(&["status", &whole, "--ulp", "distance"]).out;
    contains!(text, "257 of 257 blocks of 2^12", "(distance; ");
    for definition in ["absolute", "relative"] {
        let text = crunch(&["status", &whole, "--ulp", definition]).out;
        contains!(text, &format!(" {definition} (of the input"));
    }

    for kind in ["envelope", "histogram", "throughput"] {
        for ending in ["svg", "png"] {
            let out = file(&format!("{kind}.{ending}"));
            let e = crunch(&["plot", &whole, "-k", kind, "-o", &out, "--bound", "9"]);
            assert_eq!(e.code, exit::OK, "{}", e.err);
            let bytes = std::fs::read(&out).expect("a picture");
            assert!(bytes.len() > 2000, "{out}: {} bytes", bytes.len());
        }
    }
    let out = file("report.html");
    assert_eq!(crunch(&["plot", &whole, "-o", &out]).code, exit::OK);
    let html = std::fs::read_to_string(&out).expect("a report");
    for says in [
        "identity against identity",
        "fn name(x: DcDouble)",
        "<svg",
        "complete: 257 of 257",
        "scalar",
    ] {
        assert!(html.contains(says), "{says}");
    }
    assert!(
        !html
            .replace("http://www.w3.org/2000/svg", "")
            .contains("://")
    );
}
