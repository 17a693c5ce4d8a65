//! Kubernetes: an Indexed Job for the shards, and a Job that merges them.

use serde_json::json;

use super::job::{Job, Written, comments, script};
use crate::commands::submit::args::KubernetesArgs;
use crate::context::shell;
use crate::failure::Failure;
use dc_runtime::model::show;

/// The volume's path in the containers.
const FOLDER: &str = "/runs";

/// The API's limits of an Indexed Job, which are not in its schemas: indexes are signed 32-bit numbers, and a Job with more than `LARGE`
/// indexes may have at most `FEW` pods at a time and as many failed indexes.
const INDEXES: u32 = i32::MAX as u32;
const LARGE: u32 = 100_000;
const FEW: u32 = 10_000;

/// The number of pods at a time and of failed indexes for a Job of `n` indexes, and the largest allowed number of both.
fn limits(n: u32, at_once: Option<u32>) -> Result<(u32, u32, u32), Failure> {
    let count = |n: u32| show::count(n.into());
    if n > INDEXES {
        return Err(Failure::input(format!(
            "{} tasks: a Job of Kubernetes has up to {} indexes; submit fewer and longer tasks",
            count(n),
            count(INDEXES)
        )));
    }
    let most = match n > LARGE {
        true => FEW,
        false => LARGE,
    };
    match at_once {
        Some(pods) if pods.min(n) > most => Err(Failure::input(format!(
            "--at-once {pods}: Kubernetes allows up to {} pods at a time of a Job of {} indexes",
            count(most),
            count(n)
        ))),
        given => Ok((given.unwrap_or(most).min(n), n.min(most), most)),
    }
}

pub(super) fn write(args: &KubernetesArgs, job: &Job) -> Result<Vec<Written>, Failure> {
    let name = args.name.clone().unwrap_or_else(|| default_name(&job.name));
    let n = job.tasks;
    let (parallelism, failed, most) = limits(n, args.at_once)?;
    // A string of JSON is one of YAML.
    let list = |words: &[String]| json!(words).to_string();
    let quoted = |text: &str| json!(text).to_string();
    let command = list(&job.words("auto"));
    let reasons = comments("          ", &job.reasons());
    let (out, merge) = job.merging();
    let merge = list(&["sh".into(), "-c".into(), merge]);
    let (image, memory, claim) = (
        quoted(&args.image),
        quoted(&args.memory),
        quoted(&args.claim),
    );
    let (about, number) = (job.tasks(), job.number());
    let time_up = match job.claims {
        None => "",
        Some(_) => ", or its time is up and shards are open",
    };
    let (cpus, retries) = (args.cpus, args.retries);
    let tasks = format!(
        r#"# {about}: a task is an index of this Job.
apiVersion: batch/v1
kind: Job
metadata:
  name: {name}
spec:
  # Each pod gets an index, JOB_COMPLETION_INDEX, from 0, which is {number}; the Job is complete when
  # every index has succeeded.
  completionMode: Indexed
  completions: {n}
  # Pods at a time (the API allows up to {most} here).
  parallelism: {parallelism}
  # Failures are counted for each index by itself: one bad node must not end the whole search (Kubernetes 1.29 and later).
  backoffLimitPerIndex: {retries}
  # Shards that fail must not stop the others: all may (of very many indexes, as many as the API allows).
  maxFailedIndexes: {failed}
  podFailurePolicy:
    rules:
      # Evicted, preempted, its node drained: no failure of the task. It has committed, and the next pod continues its file.
      - action: Ignore
        onPodConditions:
          - type: DisruptionTarget
            status: "True"
      # 5: stopped by SIGTERM{time_up}, with all that was searched committed.
      - action: Ignore
        onExitCodes:
          containerName: crunch
          operator: In
          values: [5]
      # 2: bad input, such as a file of another version; it would come again for every index. Other codes count as failures of
      # the index and are tried again: 3, a backend that this node lacks; 4, a device, the volume, or a pod of the same index
      # that has not ended yet and holds the file's lock.
      - action: FailJob
        onExitCodes:
          containerName: crunch
          operator: In
          values: [2]
  template:
    spec:
      # A new pod for each try, as the policies above require.
      restartPolicy: Never
      # Time to commit after SIGTERM, which takes less than a second unless the volume is slow.
      terminationGracePeriodSeconds: 60
      # The user of the image, who is not root; the group that the volume is given to, where its kind can be.
      securityContext: {{runAsUser: 65534, runAsGroup: 65534, fsGroup: 65534}}
      containers:
        - name: crunch
          image: {image}
{reasons}          command: {command}
          # Where the volume is: the run files are made there.
          workingDir: {FOLDER}
          env:
            # Kubernetes gives a pod its index, not the number of them.
            - name: JOB_COMPLETIONS
              value: "{n}"
          resources:
            # Requests and limits are the same, so that a rate holds for all pods.
            requests: {{cpu: "{cpus}", memory: {memory}}}
            limits: {{cpu: "{cpus}", memory: {memory}}}
          volumeMounts:
            - name: runs
              mountPath: {FOLDER}
      volumes:
        # Shared by all pods, with locks between nodes (NFS with lockd or version 4, CephFS).
        - name: runs
          persistentVolumeClaim:
            claimName: {claim}
"#
    );
    let merging = format!(
        r#"# Puts the files of all shards together; Kubernetes has no dependencies between Jobs, so submit.sh applies it at the right time.
apiVersion: batch/v1
kind: Job
metadata:
  name: {name}-merge
spec:
  # So often it is tried again, as when its node dies.
  backoffLimit: {retries}
  template:
    spec:
      # A new pod for each try, whose predecessor's log is kept.
      restartPolicy: Never
      # The user of the image, who is not root; the group that the volume is given to, where its kind can be.
      securityContext: {{runAsUser: 65534, runAsGroup: 65534, fsGroup: 65534}}
      containers:
        - name: crunch
          image: {image}
          # A merge that was cut short does not leave {out}.
          command: {merge}
          # Where the volume is, with the files of all shards.
          workingDir: {FOLDER}
          volumeMounts:
            - name: runs
              mountPath: {FOLDER}
      volumes:
        - name: runs
          persistentVolumeClaim:
            claimName: {claim}
"#
    );
    let namespace = args.namespace.as_ref();
    let namespace = namespace.map_or(String::new(), |n| format!(" --namespace {n}"));
    let apply_claim = match args.storage {
        Some(_) => format!("kubectl{namespace} apply -f claim.yaml || exit 1\n"),
        None => String::new(),
    };
    let job_name = shell(name.as_ref());
    let merge_name = shell(format!("{name}-merge").as_ref());
    let body = format!(
        r#"# What is true of a Job: Complete, Failed; nothing while it runs, or where there is none.
condition() {{
    kubectl{namespace} get job "$1" --ignore-not-found -o 'jsonpath={{.status.conditions[?(@.status=="True")].type}}'
}}
# A Job that has failed stays so, whatever is applied: it is deleted, and what its indexes have done is in their files.
again() {{
    case $(condition "$1") in
    *Failed*) kubectl{namespace} delete job "$1" || exit 1 ;;
    esac
}}
{apply_claim}again {job_name}
kubectl{namespace} apply -f tasks.yaml || exit 1
# Until all indexes have succeeded, or the Job has failed. Interrupt it at will: started again, it waits again.
while :; do
    done=$(condition {job_name}) || exit 1
    case $done in
    *Complete*) break ;;
    *Failed*)
        kubectl{namespace} describe job {job_name}
        exit 1
        ;;
    esac
    sleep 10
done
again {merge_name}
kubectl{namespace} apply -f merge.yaml
"#
    );
    let mut files = Vec::new();
    if let Some(size) = &args.storage {
        let claim = format!(
            r#"# The volume of the run files.
apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: {claim}
spec:
  # The pods are on many nodes.
  accessModes: [ReadWriteMany]
  resources:
    requests:
      storage: {}
"#,
            quoted(size)
        );
        files.push(Written::new("claim.yaml", claim));
    }
    files.extend([
        Written::new("tasks.yaml", tasks),
        Written::new("merge.yaml", merging),
        Written::new(
            "submit.sh",
            script("Applies the tasks, waits for them, then merges.", &body),
        ),
    ]);
    Ok(files)
}

/// A name that Kubernetes accepts.
fn default_name(sweep: &str) -> String {
    let plain = |c: char| match c.is_ascii_alphanumeric() {
        true => c.to_ascii_lowercase(),
        false => '-',
    };
    let name: String = sweep.chars().map(plain).take(45).collect();
    format!("crunch-{}", name.trim_matches('-'))
}
