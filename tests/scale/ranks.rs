//! Ranks of Open MPI, and tasks of GNU parallel.

use doublecrunch::backend::skip::skip;

use super::{RANGE, clean, program, same_as_unsharded, submit_four, succeed};

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
