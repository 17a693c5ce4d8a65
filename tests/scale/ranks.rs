//! Ranks of Open MPI, and tasks of GNU parallel.

use doublecrunch::backend::skip::skip;

use super::{RANGE, clean, crunch, program, same_as_unsharded, submit_four, succeed, text};

#[test]
fn four_ranks_of_open_mpi_are_the_unsharded_run() {
    let here = program("mpirun").is_some_and(|p| {
        let version = clean(p).arg("--version").output();
        version.is_ok_and(|o| String::from_utf8_lossy(&o.stdout).contains("Open MPI"))
    });
    if !here {
        skip("openmpi", "not here; as root: apt-get install openmpi-bin");
        return;
    }
    let dir = tempfile::tempdir().expect("a folder");
    let job = dir.path().join("a job");
    // In containers everything is root's.
    succeed(
        submit_four("mpi", &job, &["--launcher", "mpirun --oversubscribe"])
            .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
            .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
    );
    for i in 1..=4 {
        assert!(job.join(format!("reciprocal.{i}-of-4.crunch")).exists());
    }
    same_as_unsharded(&job.join("merged.crunch"), RANGE);
    // Again: nothing is done twice.
    let again = clean("sh")
        .arg(job.join("submit.sh"))
        .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
        .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
        .output();
    let again = again.expect("a shell");
    let said = String::from_utf8_lossy(&again.stdout);
    assert!(
        again.status.success() && said.matches("complete already").count() == 4,
        "{said}"
    );
}

#[test]
fn four_tasks_of_gnu_parallel_are_the_unsharded_run() {
    let here = program("parallel").is_some_and(|p| {
        let version = clean(p).arg("--version").output();
        version.is_ok_and(|o| o.stdout.starts_with(b"GNU parallel"))
    });
    if !here {
        skip("parallel", "not here; as root: apt-get install parallel");
        return;
    }
    let dir = tempfile::tempdir().expect("a folder");
    let job = dir.path().join("a job");
    // It keeps its settings in the home, which need not be there.
    succeed(submit_four("parallel", &job, &["--at-once", "2"]).env("PARALLEL_HOME", dir.path()));
    same_as_unsharded(&job.join("merged.crunch"), RANGE);
}

/// A proof in four shards by one command: the certificate has the maximum of the proof in one piece; a shard that is gone is named,
/// and proven again.
#[test]
fn four_shards_of_a_proof_are_one_certificate() {
    let dir = tempfile::tempdir().expect("a folder");
    let job = dir.path().join("a job");
    let proof = ["exp", "--range", "50.2534..50.25345"];
    // One rank after the other is no less an engine than several.
    let launcher = dir.path().join("launcher");
    let ranks = "shift; n=$1; shift\nfor i in $(seq 0 $((n - 1))); do PMI_RANK=$i PMI_SIZE=$n \"$@\" || exit; done\n";
    std::fs::write(&launcher, ranks).expect("a script");
    let launcher = format!("sh {}", text(&launcher));
    let mut submit = crunch(&["submit", "mpi"]);
    submit
        .args(proof)
        .args(["--exact", "--tasks", "4", "--go", "--launcher", &launcher])
        .args(["--dir", text(&job)]);
    succeed(&mut submit);
    let maximum = |path: &std::path::Path| -> Vec<String> {
        let certificate = std::fs::read_to_string(path).expect("a certificate");
        let claims = certificate.lines().filter(|l| {
            ["range ", "error ", "worst "]
                .iter()
                .any(|c| l.starts_with(c))
        });
        claims.map(String::from).collect()
    };
    let whole = dir.path().join("whole.cert");
    let mut exact = crunch(&["exact"]);
    succeed(exact.args(proof).args(["--certificate", text(&whole)]));
    let merged = job.join("exp.cert");
    assert_eq!(
        (maximum(&whole).len(), maximum(&merged)),
        (3, maximum(&whole))
    );

    let status = || succeed(&mut crunch(&["status", text(&job)]));
    assert!(status().contains("4 complete") && status().contains("the certificate is"));
    for gone in [&merged, &job.join("exp.cert.2-of-4.part")] {
        std::fs::remove_file(gone).expect("it is gone");
    }
    let said = status();
    assert!(said.contains("3 complete, 1 missing"), "{said}");
    let remedy = said.split('`').find(|c| c.starts_with("crunch exact "));
    let remedy = remedy
        .unwrap_or_else(|| panic!("{said}"))
        .replacen("crunch", "\"$CRUNCH\"", 1);
    let shell = |line: &str| {
        succeed(
            clean("sh")
                .args(["-c", line])
                .env("CRUNCH", env!("CARGO_BIN_EXE_crunch")),
        )
    };
    shell(&remedy);
    assert!(status().contains("4 complete"), "{}", status());
    succeed(&mut crunch(&["merge", text(&merged), text(&job)]));
    assert_eq!(maximum(&merged), maximum(&whole));
}
