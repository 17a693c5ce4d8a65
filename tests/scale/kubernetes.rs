//! The manifests of `submit kubernetes`, held against the schemas of Kubernetes' API; and what their containers run.

use std::path::{Path, PathBuf};

use doublecrunch::backend::skip::skip;
use serde_json::Value;

use super::{BLOCK, RANGE, clean, crunch, program, same_as_unsharded, succeed, text};

/// The first version that knows all fields of the manifests, and the newest one of the package.
const VERSIONS: [&str; 2] = ["v1.29", "v1.37"];

/// A rate at which [`RANGE`] is four tasks of 20 s. The real one is higher, so that the first task does all.
const RATE: &str = "2.1e5";

/// The definitions of a version, every one of which refuses fields that it does not know.
fn definitions(version: &str) -> Option<Value> {
    let path = PathBuf::from(std::env::var_os("CRUNCH_KUBERNETES_SCHEMAS")?);
    let all = path.parent()?.parent()?;
    let mut folders: Vec<PathBuf> = std::fs::read_dir(all)
        .ok()?
        .flatten()
        .map(|f| f.path())
        .collect();
    folders.retain(|f| {
        let name = f.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with(&format!("{version}.")) && name.ends_with("-local-strict")
    });
    let text = std::fs::read_to_string(folders.first()?.join("_definitions.json")).ok()?;
    serde_json::from_str(&text).ok()
}

/// What a value violates of a schema: the keywords that these definitions use. One that is not known is an error, so
/// that nothing is overlooked.
fn check(value: &Value, schema: &Value, all: &Value, at: &str, errors: &mut Vec<String>) {
    let Some(schema) = schema.as_object() else {
        return;
    };
    for (keyword, rule) in schema {
        match keyword.as_str() {
            "$ref" => {
                let name = rule
                    .as_str()
                    .and_then(|r| r.rsplit('/').next())
                    .unwrap_or_default();
                let definition = all.get("$defs").or_else(|| all.get("definitions"));
                match definition.and_then(|d| d.get(name)) {
                    Some(schema) => check(value, schema, all, at, errors),
                    None => errors.push(format!("{at}: no definition {name}")),
                }
            }
            "type" => {
                let one = |t: &Value| match t.as_str().unwrap_or_default() {
                    "object" => value.is_object(),
                    "array" => value.is_array(),
                    "string" => value.is_string(),
                    "integer" => value.is_i64() || value.is_u64(),
                    "number" => value.is_number(),
                    "boolean" => value.is_boolean(),
                    "null" => value.is_null(),
                    _ => false,
                };
                let good = match rule.as_array() {
                    Some(types) => types.iter().any(one),
                    None => one(rule),
                };
                if !good {
                    errors.push(format!("{at}: {value} is not of type {rule}"));
                }
            }
            "enum" => {
                if !rule.as_array().is_some_and(|r| r.contains(value)) {
                    errors.push(format!("{at}: {value} is none of {rule}"));
                }
            }
            "oneOf" | "anyOf" => {
                let fits = |s: &&Value| {
                    let mut errors = Vec::new();
                    check(value, s, all, at, &mut errors);
                    errors.is_empty()
                };
                if !rule.as_array().is_some_and(|r| r.iter().any(|s| fits(&s))) {
                    errors.push(format!("{at}: {value} fits none of {rule}"));
                }
            }
            "required" => {
                let names = rule
                    .as_array()
                    .into_iter()
                    .flatten()
                    .filter_map(Value::as_str);
                for name in names.filter(|n| value.is_object() && value.get(n).is_none()) {
                    errors.push(format!("{at}: {name} is missing"));
                }
            }
            "properties" => {
                for (name, of) in value.as_object().into_iter().flatten() {
                    if let Some(schema) = rule.get(name) {
                        check(of, schema, all, &format!("{at}.{name}"), errors);
                    }
                }
            }
            "additionalProperties" => {
                let known = schema.get("properties");
                for (name, of) in value.as_object().into_iter().flatten() {
                    if known.is_some_and(|k| k.get(name).is_some()) {
                        continue;
                    }
                    match rule {
                        Value::Bool(false) => errors.push(format!("{at}: {name} is no field")),
                        rule => check(of, rule, all, &format!("{at}.{name}"), errors),
                    }
                }
            }
            "items" => {
                for (i, item) in value.as_array().into_iter().flatten().enumerate() {
                    check(item, rule, all, &format!("{at}[{i}]"), errors);
                }
            }
            "description" | "format" | "default" | "$schema" | "title" => {}
            other if other.starts_with("x-kubernetes-") => {}
            other => errors.push(format!("{at}: the keyword {other} is not checked here")),
        }
    }
}

/// A document of YAML, read by Python's module.
fn yaml(python: &Path, path: &Path) -> Value {
    let convert = "import json, sys, yaml; print(json.dumps(yaml.safe_load(open(sys.argv[1]))))";
    let json = succeed(clean(python).args(["-c", convert, text(path)]));
    serde_json::from_str(&json).expect("JSON")
}

#[test]
fn the_manifests_are_the_api_s_and_their_commands_are_the_unsharded_run() {
    // A pod that is started again after its index has succeeded does nothing.
    manifests(&["--tasks", "4"], "complete already");
}

#[test]
fn the_manifests_of_tasks_of_a_time_are_the_api_s_and_their_commands_are_the_unsharded_run() {
    manifests(&["--task-time", "20s", "--rate", RATE], "no shard is open");
}

/// The manifests of tasks with these arguments, their commands index by index, and what a task says that is started once more.
fn manifests(tasks: &[&str], again: &str) {
    // The system's has what apt installs.
    let mut pythons = program("python3")
        .into_iter()
        .chain(["/usr/bin/python3".into()]);
    let python = pythons.find(|p| {
        let import = clean(p).args(["-c", "import yaml"]).output();
        import.is_ok_and(|o| o.status.success())
    });
    let schemas: Vec<Value> = VERSIONS.iter().filter_map(|v| definitions(v)).collect();
    let Some(python) = python.filter(|_| schemas.len() == VERSIONS.len()) else {
        let reason = "Python's yaml or the schemas of Kubernetes' API are not here; `cargo xtask setup --only cluster`";
        skip("kubernetes", reason);
        return;
    };
    let dir = tempfile::tempdir().expect("a folder");
    let job = dir.path().join("a job");
    let search = ["submit", "kubernetes", "reciprocal", "--range", RANGE];
    let blocks = ["--block", BLOCK, "-b", "scalar"];
    let image = ["--image", "registry.example/crunch:1"];
    let volume = ["--claim", "runs", "--storage", "10Gi"];
    let here = [
        "--dir",
        text(&job),
        "--program",
        env!("CARGO_BIN_EXE_crunch"),
    ];
    let submit = [&search[..], &blocks, tasks, &image, &volume, &here];
    succeed(&mut crunch(&submit.concat()));
    let (tasks, merge) = (
        yaml(&python, &job.join("tasks.yaml")),
        yaml(&python, &job.join("merge.yaml")),
    );
    let claim = yaml(&python, &job.join("claim.yaml"));
    let of_job = "io.k8s.api.batch.v1.Job";
    let of_claim = "io.k8s.api.core.v1.PersistentVolumeClaim";
    for (all, version) in schemas.iter().zip(VERSIONS) {
        let errors = |value: &Value, name: &str| {
            let mut errors = Vec::new();
            let schema = serde_json::json!({ "$ref": format!("#/{name}") });
            check(value, &schema, all, "", &mut errors);
            errors
        };
        for (value, name) in [(&tasks, of_job), (&merge, of_job), (&claim, of_claim)] {
            assert_eq!(errors(value, name), Vec::<String>::new(), "{version}");
        }
        // What the API does not know is noticed: the check does not pass by looking at nothing.
        let mut wrong = tasks.clone();
        wrong["spec"]["backOffLimitPerIndex"] = 1.into();
        wrong["spec"]["completions"] = "four".into();
        wrong["spec"]["template"]["spec"]["containers"][0]["workingDirectory"] = "/".into();
        wrong["spec"]["podFailurePolicy"]["rules"][0]
            .as_object_mut()
            .expect("a rule")
            .remove("action");
        assert_eq!(
            errors(&wrong, of_job).len(),
            4,
            "{:?}",
            errors(&wrong, of_job)
        );
    }
    // Each index by hand, with what Kubernetes sets and what the manifest does; then the merge.
    let words = |job: &Value| -> (Vec<String>, Value) {
        let container = &job["spec"]["template"]["spec"]["containers"][0];
        let words = container["command"].as_array().expect("a command").iter();
        let words = words.map(|w| w.as_str().expect("a word").to_string());
        (words.collect(), container.clone())
    };
    let volume = dir.path().join("volume");
    std::fs::create_dir(&volume).expect("a folder");
    let run = |job: &Value, index: Option<u64>| {
        let (words, container) = words(job);
        let mut command = clean(&words[0]);
        command.args(&words[1..]).current_dir(&volume);
        for variable in container["env"].as_array().into_iter().flatten() {
            let word = |name: &str| variable[name].as_str().expect("a text").to_string();
            command.env(word("name"), word("value"));
        }
        if let Some(index) = index {
            command.env("JOB_COMPLETION_INDEX", index.to_string());
        }
        succeed(&mut command)
    };
    let indexes = tasks["spec"]["completions"].as_u64().expect("a number");
    assert_eq!(indexes, 4);
    for index in 0..indexes {
        run(&tasks, Some(index));
    }
    run(&merge, None);
    same_as_unsharded(&volume.join("merged.crunch"), RANGE);
    let said = run(&tasks, Some(2));
    assert!(said.contains(again), "{said}");
    run(&merge, None);
}
