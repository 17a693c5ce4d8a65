//! The image of Kubernetes, as far as it can be held without an engine for images: the instructions of the `Containerfile` against the
//! repository and against what `submit kubernetes` writes; and the program as the image's user. That the build stage builds is a
//! test of its own, which takes minutes.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::{BLOCK, RANGE, clean, crunch, output, program, said, succeed, text};

/// The user of the image and its group: nobody, in Debian.
const USER: u32 = 65534;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(name: &str) -> String {
    std::fs::read_to_string(root().join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// An instruction and its words, with variables replaced by the values that `ARG` gives them.
type Instruction = (String, String);

/// The stages of a `Containerfile`: a line of comments, or an end with a backslash, is none of an instruction.
fn stages(file: &str) -> Vec<Vec<Instruction>> {
    let mut variables: Vec<(String, String)> = Vec::new();
    let mut stages: Vec<Vec<Instruction>> = vec![Vec::new()];
    let lines = file.lines().filter(|l| !l.trim_start().starts_with('#'));
    let joined = lines.collect::<Vec<_>>().join("\n").replace("\\\n", " ");
    for line in joined.lines().map(str::trim).filter(|l| !l.is_empty()) {
        let (name, words) = line.split_once(' ').unwrap_or((line, ""));
        let mut words = words.split_whitespace().collect::<Vec<_>>().join(" ");
        for (variable, value) in &variables {
            words = words.replace(&format!("${{{variable}}}"), value);
            words = words.replace(&format!("${variable}"), value);
        }
        if name == "ARG"
            && let Some((variable, value)) = words.split_once('=')
        {
            variables.push((variable.into(), value.into()));
        }
        if name == "FROM" {
            stages.push(Vec::new());
        }
        let last = stages.last_mut().expect("a stage");
        last.push((name.into(), words));
    }
    stages
}

/// The files that `COPY . .` takes: those that git has, but for what `.dockerignore` names.
fn context(tracked: &[String], ignored: &str) -> Vec<PathBuf> {
    let ignored: Vec<&str> = ignored
        .lines()
        .map(str::trim)
        .filter(|l| !l.is_empty())
        .collect();
    let out = |file: &str| {
        let path = Path::new(file);
        ignored.iter().any(|i| path.starts_with(i))
    };
    let files = tracked.iter().filter(|f| !out(f));
    files.map(PathBuf::from).collect()
}

/// What cargo says of the workspace.
fn metadata() -> Value {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(root());
    cargo.args([
        "metadata",
        "--no-deps",
        "--format-version",
        "1",
        "--offline",
        "--locked",
    ]);
    serde_json::from_str(&succeed(&mut cargo)).expect("JSON")
}

/// What does not hold of the image that a file describes.
fn errors(file: &str, ignored: &str, tracked: &[String], metadata: &Value) -> Vec<String> {
    let mut errors = Vec::new();
    let mut hold = |holds: bool, what: &str| {
        if !holds {
            errors.push(what.to_string());
        }
    };
    let stages = stages(file);
    let [head, build, image] = &stages[..] else {
        return vec![format!("{} stages, not two", stages.len() - 1)];
    };
    let of = |stage: &[Instruction], name: &str| -> Vec<String> {
        let all = stage.iter().filter(|(n, _)| n == name);
        all.map(|(_, words)| words.clone()).collect()
    };
    let one = |stage: &[Instruction], name: &str| of(stage, name).pop().unwrap_or_default();
    hold(
        head.iter().all(|(n, _)| n == "ARG"),
        "only ARG is before the first stage",
    );

    // The base images: given by arguments, so that they can be named by digests; of one Debian, whose C library the program needs.
    let from = file.lines().filter(|l| l.starts_with("FROM "));
    let from: Vec<&str> = from.map(str::trim).collect();
    hold(
        from == ["FROM ${BUILD} AS build", "FROM ${BASE}"],
        "the base images are arguments",
    );
    let tag = |stage: &[Instruction]| {
        let image = one(stage, "FROM");
        let image = image.split(' ').next().unwrap_or_default().to_string();
        image.rsplit(':').next().unwrap_or_default().to_string()
    };
    let (of_build, of_image) = (tag(build), tag(image));
    let debian = of_image
        .strip_suffix("-slim")
        .unwrap_or(&of_image)
        .to_string();
    hold(
        of_build.ends_with(&format!("-{debian}")) && !debian.is_empty(),
        "both images are of one Debian",
    );

    // The build: what it copies is there, and is all that cargo reads.
    hold(
        of(build, "COPY") == [". ."],
        "the build copies the repository",
    );
    let files = context(tracked, ignored);
    let has = |path: &str| files.iter().any(|f| f == Path::new(path));
    hold(
        has("Cargo.toml") && has("Cargo.lock"),
        "cargo's manifest and lock file are copied",
    );
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let sources = package["targets"].as_array().into_iter().flatten();
        let sources = sources.filter_map(|t| t["src_path"].as_str());
        for path in sources.chain(package["manifest_path"].as_str()) {
            let path = Path::new(path)
                .strip_prefix(root())
                .unwrap_or(Path::new(path));
            hold(
                files.iter().any(|f| f == path),
                &format!("{} is copied", path.display()),
            );
        }
    }
    let run = one(build, "RUN");
    let words: Vec<&str> = run.split(' ').collect();
    let after = |option: &str| {
        let at = words.iter().position(|w| *w == option)?;
        words.get(at + 1).map(|w| w.trim_matches('"'))
    };
    hold(
        run.starts_with("cargo build --release --locked --no-default-features "),
        "cargo's command",
    );
    let package = metadata["packages"].as_array().into_iter().flatten();
    let package = package
        .clone()
        .find(|p| p["name"] == "doublecrunch")
        .unwrap_or(&Value::Null);
    let features: Vec<&str> = after("--features").unwrap_or_default().split(',').collect();
    for feature in &features {
        hold(
            package["features"].get(feature).is_some(),
            &format!("{feature} is a feature"),
        );
        // The loader of OpenCL is no part of the base image.
        hold(
            !["opencl", "mpfr"].contains(feature),
            &format!("{feature} links what the image lacks"),
        );
    }
    let bin = after("--bin").unwrap_or_default();
    let targets = package["targets"].as_array().into_iter().flatten();
    let target = targets
        .clone()
        .find(|t| t["name"] == bin && t["kind"][0] == "bin");
    hold(target.is_some(), "its program is one of the workspace");
    let needed = target.and_then(|t| t["required-features"].as_array());
    let needed = needed.into_iter().flatten().filter_map(Value::as_str);
    hold(
        needed.into_iter().all(|f| features.contains(&f)),
        "its features are those that the program needs",
    );

    // What one stage makes the other takes; and it is what pods start.
    let built = format!("/out/{bin}");
    hold(
        run.contains(&format!("install -D -m 755 target/release/{bin} {built}")),
        "the program is installed for every user",
    );
    let copied = one(image, "COPY");
    let copied: Vec<&str> = copied.split(' ').collect();
    hold(
        copied.len() == 3 && copied[..2] == ["--from=build", &*built],
        "the image takes the program",
    );
    let place = copied.last().copied().unwrap_or_default();
    hold(
        Path::new(place).parent() == Some(Path::new("/usr/local/bin")),
        "it is on the path",
    );
    let list = |name: &str| serde_json::from_str::<Vec<String>>(&one(image, name));
    // As a list: a shell in front of it would not pass SIGTERM on.
    hold(
        list("ENTRYPOINT").is_ok_and(|words| words == [place]),
        "it is the entry point, as a list",
    );
    hold(
        list("CMD").is_ok_and(|words| words == ["doctor"]),
        "without a command it says what it finds",
    );
    hold(
        one(image, "USER") == format!("{USER}:{USER}"),
        "its user is nobody",
    );
    let known = ["FROM", "COPY", "WORKDIR", "USER", "ENTRYPOINT", "CMD"];
    hold(
        image.iter().all(|(n, _)| known.contains(&&**n)),
        "nothing else is in the image",
    );

    // The manifests: their command is the image's program, their user and folder are its own.
    let manifest = [
        "submit",
        "kubernetes",
        "reciprocal",
        "--range",
        RANGE,
        "--tasks",
        "4",
        "--image",
        "an/image",
        "--claim",
        "runs",
        "--dry-run",
    ];
    let manifest = succeed(&mut crunch(&manifest));
    let name = Path::new(place)
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    for (line, count) in [
        (format!("command: [\"{name}\","), 1),
        (format!("exec {name} merge "), 1),
        (
            format!("runAsUser: {USER}, runAsGroup: {USER}, fsGroup: {USER}"),
            2,
        ),
        (format!("workingDir: {}\n", one(image, "WORKDIR")), 2),
        (format!("mountPath: {}\n", one(image, "WORKDIR")), 2),
    ] {
        hold(
            manifest.matches(&line).count() == count,
            &format!("the manifests have {}", line.trim()),
        );
    }
    errors
}

/// The file as it is; and with faults, each of which is found.
#[test]
fn the_image_is_what_the_manifests_start() {
    if program("git").is_none() || !root().join(".git").exists() {
        return;
    }
    let (file, ignored) = (read("Containerfile"), read(".dockerignore"));
    let tracked = succeed(Command::new("git").current_dir(root()).arg("ls-files"));
    let tracked: Vec<String> = tracked.lines().map(String::from).collect();
    let metadata = metadata();
    let errors = |file: &str, ignored: &str| errors(file, ignored, &tracked, &metadata);
    assert_eq!(errors(&file, &ignored), [""; 0]);
    for (right, wrong, found) in [
        ("COPY . .", "COPY src src", "the build copies"),
        ("cli,cuda", "cli,opencl", "opencl links"),
        ("cli,cuda", "cli,gpu", "gpu is a feature"),
        ("cli,cuda", "cuda", "that the program needs"),
        ("--bin crunch", "--bin crush", "one of the workspace"),
        ("--locked ", "", "cargo's command"),
        ("-m 755", "-m 700", "for every user"),
        (
            "--from=build /out/crunch",
            "--from=build /crunch",
            "takes the program",
        ),
        ("/usr/local/bin/crunch\n#", "/opt/crunch\n#", "on the path"),
        (
            "[\"/usr/local/bin/crunch\"]",
            "/usr/local/bin/crunch",
            "as a list",
        ),
        ("CMD [\"doctor\"]", "CMD [\"sh\"]", "what it finds"),
        ("USER 65534:65534", "USER 0", "nobody"),
        ("WORKDIR /runs", "WORKDIR /data", "workingDir"),
        ("debian:bookworm-slim", "debian:trixie-slim", "one Debian"),
        ("FROM ${BASE}", "FROM debian:bookworm-slim", "are arguments"),
        (
            "USER 65534",
            "RUN apt-get update\nUSER 65534",
            "nothing else",
        ),
    ] {
        assert!(file.contains(right), "{right}");
        let errors = errors(&file.replace(right, wrong), &ignored);
        assert!(
            errors.iter().any(|e| e.contains(found)),
            "{wrong}: {errors:?}"
        );
    }
    for (wrong, found) in [
        ("Cargo.lock", "lock file"),
        ("dc-exact", "dc-exact/Cargo.toml is copied"),
        ("src/bin", "is copied"),
    ] {
        let errors = errors(&file, &format!("{ignored}\n{wrong}\n"));
        assert!(
            errors.iter().any(|e| e.contains(found)),
            "{wrong}: {errors:?}"
        );
    }
}

/// A pod's command as the image's user: it writes into a volume that is the group's, reads what it finds of the machine, and needs no
/// home and no writable folder besides.
#[test]
fn the_image_s_user_can_do_a_task() {
    use std::os::unix::fs::{PermissionsExt as _, chown};
    // Not in TMPDIR, which may be a folder that other users cannot enter.
    let dir = tempfile::tempdir_in("/tmp").expect("a folder");
    let mode = |path: &Path, mode| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("permissions");
    };
    mode(dir.path(), 0o755);
    let (program_, volume) = (dir.path().join("crunch"), dir.path().join("runs"));
    std::fs::copy(env!("CARGO_BIN_EXE_crunch"), &program_).expect("a copy");
    mode(&program_, 0o755);
    std::fs::create_dir(&volume).expect("a folder");
    // As `fsGroup` gives it to pods.
    let given = chown(&volume, Some(0), Some(USER)).is_ok();
    let Some(setpriv) = program("setpriv").filter(|_| given) else {
        return;
    };
    mode(&volume, 0o2775);
    let as_user = |words: &[&str]| {
        let user = USER.to_string();
        let mut command = clean(&setpriv);
        command
            .args([
                "--reuid",
                &user,
                "--regid",
                &user,
                "--clear-groups",
                "--no-new-privs",
                "--",
            ])
            .arg(&program_)
            .args(words)
            .current_dir(&volume)
            .env_clear()
            .env("PATH", "/usr/local/bin:/usr/bin:/bin");
        output(&mut command)
    };
    let task = [
        "run",
        "reciprocal",
        "--range",
        RANGE,
        "--block",
        BLOCK,
        "-j",
        "1",
    ];
    let claim = ["--backend", "fastest", "--shards", "4", "--task-time", "1h"];
    for words in [
        &[&task[..], &claim].concat()[..],
        &["merge", "merged.crunch", "."],
        &["doctor"],
    ] {
        let o = as_user(words);
        assert!(o.status.success(), "{words:?}: {}", said(&o));
    }
    super::same_as_unsharded(&volume.join("merged.crunch"), RANGE);
    // A volume that is not its own is said to be so.
    mode(&volume, 0o755);
    let o = as_user(&[&task[..], &["--shard", "1/2", "--backend", "scalar"]].concat());
    assert!(
        o.status.code() == Some(4) && said(&o).contains("change its owner or mode"),
        "{}",
        said(&o)
    );
}

/// The command of the build stage, in a copy of what it copies: a release build of minutes, with `--ignored`.
#[test]
#[ignore = "a release build with one unit of code per crate"]
fn the_build_stage_builds() {
    let stages = stages(&read("Containerfile"));
    let tracked = succeed(Command::new("git").current_dir(root()).arg("ls-files"));
    let tracked: Vec<String> = tracked.lines().map(String::from).collect();
    let dir = tempfile::tempdir().expect("a folder");
    let (source, out) = (dir.path().join("src"), dir.path().join("out"));
    for file in context(&tracked, &read(".dockerignore")) {
        let to = source.join(&file);
        std::fs::create_dir_all(to.parent().expect("a folder")).expect("a folder");
        std::fs::copy(root().join(&file), &to).expect("a copy");
    }
    // The image's toolchain is under that name in the image alone.
    let settings = stages[1]
        .iter()
        .filter(|(n, w)| n == "ENV" && !w.starts_with("RUSTUP"));
    let mut command: String = settings
        .map(|(_, words)| format!("export {words}\n"))
        .collect();
    let run = stages[1].iter().find(|(n, _)| n == "RUN");
    command.push_str(&run.expect("a command").1);
    let command = command.replace("/out/", &format!("{}/", text(&out)));
    let command = command.replace("prefix=/src=", &format!("prefix={}=", text(&source)));
    succeed(clean("sh").current_dir(&source).args(["-c", &command]));
    let doctor = output(clean(out.join("crunch")).arg("doctor"));
    assert!(doctor.status.success(), "{}", said(&doctor));
}
