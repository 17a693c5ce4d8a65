//! Kubernetes: an Indexed Job for the shards, and a Job that merges.

use serde_json::json;

use super::{Job, Written, script};
use crate::commands::submit::args::KubernetesArgs;
use crate::context::shell;

/// Where the volume is in the containers.
const FOLDER: &str = "/runs";

pub(super) fn write(args: &KubernetesArgs, job: &Job) -> Vec<Written> {
    let name = args.name.clone().unwrap_or_else(|| default_name(&job.name));
    let n = job.tasks;
    let parallelism = args.at_once.unwrap_or(n).min(n);
    // A string of JSON is one of YAML.
    let list = |words: &[String]| json!(words).to_string();
    let quoted = |text: &str| json!(text).to_string();
    let command = list(&job.words("auto"));
    let merge = format!(
        "test -e merged.crunch || exec {} merge merged.crunch .",
        super::quoted(&job.program)
    );
    let merge = list(&["sh".into(), "-c".into(), merge]);
    let (image, memory, claim) = (
        quoted(&args.image),
        quoted(&args.memory),
        quoted(&args.claim),
    );
    let (cpus, retries) = (args.cpus, args.retries);
    let tasks = format!(
        r#"# {n} shards, one for each index of this Job.
apiVersion: batch/v1
kind: Job
metadata:
  name: {name}
spec:
  # Each pod gets an index, JOB_COMPLETION_INDEX, which is its shard; the Job is complete when every index has succeeded.
  completionMode: Indexed
  completions: {n}
  # Pods at a time.
  parallelism: {parallelism}
  # Failures are counted for each index by itself: one bad node must not end the whole search (Kubernetes 1.29 and later).
  backoffLimitPerIndex: {retries}
  # A few shards that fail must not stop the others.
  maxFailedIndexes: {n}
  podFailurePolicy:
    rules:
      # Evicted, preempted, its node drained: no failure of the task. It has committed, and the next pod continues its file.
      - action: Ignore
        onPodConditions:
          - type: DisruptionTarget
            status: "True"
      # 5: stopped by SIGTERM with all that was searched committed.
      - action: Ignore
        onExitCodes:
          containerName: crunch
          operator: In
          values: [5]
      # 2: bad input, such as a file of another version; it would come again for every index.
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
          # The file is named after the shard; --continue: a later pod of the same index goes on with it.
          command: {command}
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
        r#"# Merges the run files of all shards; Kubernetes has no dependencies between Jobs, so submit.sh applies it at the right time.
apiVersion: batch/v1
kind: Job
metadata:
  name: {name}-merge
spec:
  backoffLimit: {retries}
  template:
    spec:
      restartPolicy: Never
      # The user of the image, who is not root; the group that the volume is given to, where its kind can be.
      securityContext: {{runAsUser: 65534, runAsGroup: 65534, fsGroup: 65534}}
      containers:
        - name: crunch
          image: {image}
          # A merge that was cut short leaves merged.crunch.part, never merged.crunch.
          command: {merge}
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
    let body = format!(
        r#"{apply_claim}kubectl{namespace} apply -f tasks.yaml || exit 1
# Until all indexes have succeeded, or the Job has failed. Interrupt it at will: started again, it waits again.
while :; do
    done=$(kubectl{namespace} get job {job_name} -o 'jsonpath={{.status.conditions[?(@.status=="True")].type}}') || exit 1
    case $done in
    *Complete*) break ;;
    *Failed*)
        kubectl{namespace} describe job {job_name}
        exit 1
        ;;
    esac
    sleep 10
done
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
    files
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
