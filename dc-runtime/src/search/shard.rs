//! Shards: the blocks of a run, divided over processes or machines.

use std::fmt;
use std::ops;

/// Part `index` of `count` of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shard {
    index: u32,
    count: u32,
}

impl Shard {
    /// The whole run.
    pub const WHOLE: Shard = Shard { index: 1, count: 1 };

    /// Shard `index`, from 1, of `count`.
    #[must_use]
    pub fn new(index: u32, count: u32) -> Option<Shard> {
        (index >= 1 && index <= count).then_some(Shard { index, count })
    }
    /// Parses `i/n`, i from 1 to n.
    ///
    /// # Errors
    /// If the text is anything else.
    pub fn parse(text: &str) -> Result<Shard, ShardError> {
        let bad = || ShardError::Text(crate::model::show::quote(text));
        let (i, n) = text.split_once('/').ok_or_else(bad)?;
        let number = |s: &str| s.trim().parse::<u32>().map_err(|_| bad());
        Shard::new(number(i)?, number(n)?).ok_or_else(bad)
    }
    /// Its number, from 1.
    #[must_use]
    pub fn index(self) -> u32 {
        self.index
    }
    /// The number of shards.
    #[must_use]
    pub fn count(self) -> u32 {
        self.count
    }
    /// Whether it is the whole run.
    #[must_use]
    pub fn is_whole(self) -> bool {
        self.count == 1
    }
    /// The blocks of this shard, out of `total`. They are consecutive, and the numbers of blocks of any two shards differ by at most one.
    #[must_use]
    pub fn blocks(self, total: u64) -> ops::Range<u64> {
        let cut = |i: u32| (u128::from(total) * u128::from(i) / u128::from(self.count)) as u64;
        cut(self.index - 1)..cut(self.index)
    }

    /// The shard of this process according to the environment variables of an array job or of an MPI launcher, if there are any.
    ///
    /// Slurm: `SLURM_ARRAY_TASK_ID`, with `SLURM_ARRAY_TASK_COUNT`, and `_MIN` and `_STEP` if the numbers do not start at 0. Kubernetes:
    /// `JOB_COMPLETION_INDEX`, from 0. Kubernetes gives the pod no count, so the job must set `JOB_COMPLETION_COUNT` (or
    /// `JOB_COMPLETIONS`). MPI: the rank and the number of ranks, see `RANKS`. A single rank is not a shard.
    ///
    /// # Errors
    /// If the variables are set but define no shard, or two.
    pub fn from_environment(
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Option<Shard>, ShardError> {
        let number = |name: &'static str| number(name, &variable);
        let slurm = number("SLURM_ARRAY_TASK_ID")?;
        let kubernetes = number("JOB_COMPLETION_INDEX")?;
        let rank = rank(&variable)?;
        let set = [
            ("SLURM_ARRAY_TASK_ID", slurm.is_some()),
            ("JOB_COMPLETION_INDEX", kubernetes.is_some()),
            (rank.map_or("", |r| r.0), rank.is_some()),
        ];
        let mut set = set.iter().filter(|s| s.1).map(|s| s.0);
        if let (Some(a), Some(b)) = (set.next(), set.next()) {
            return Err(ShardError::Two([a, b]));
        }
        if let Some(id) = slurm {
            let name = "SLURM_ARRAY_TASK_ID";
            let count = number("SLURM_ARRAY_TASK_COUNT")?
                .ok_or(ShardError::NoCount("SLURM_ARRAY_TASK_COUNT"))?;
            let min = number("SLURM_ARRAY_TASK_MIN")?.unwrap_or(0);
            let step = number("SLURM_ARRAY_TASK_STEP")?.unwrap_or(1).max(1);
            let offset = id.checked_sub(min).filter(|o| o % step == 0);
            let index = offset.and_then(|o| (o / step).checked_add(1));
            return match index.and_then(|i| Shard::new(i, count)) {
                Some(shard) => Ok(Some(shard)),
                None => Err(ShardError::Outside { name, id, count }),
            };
        }
        let (name, id, count) = match (kubernetes, rank) {
            (Some(id), _) => {
                let count = match number("JOB_COMPLETION_COUNT")? {
                    Some(n) => n,
                    None => number("JOB_COMPLETIONS")?
                        .ok_or(ShardError::NoCount("JOB_COMPLETION_COUNT"))?,
                };
                ("JOB_COMPLETION_INDEX", id, count)
            }
            (None, Some(rank)) => rank,
            (None, None) => return Ok(None),
        };
        match id.checked_add(1).and_then(|i| Shard::new(i, count)) {
            Some(shard) => Ok(Some(shard)),
            None => Err(ShardError::Outside { name, id, count }),
        }
    }
}

/// The variables of a process's rank and of the number of ranks, in the order in which they are looked for. Ranks of `mpirun` in an
/// allocation of Slurm inherit the variables of the step that started their daemon, so Slurm's own variables come last. PMIx defines no
/// variable for the number; its launchers set their own.
const RANKS: [(&str, &str); 5] = [
    // Open MPI
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
    // MVAPICH
    ("MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"),
    // MPICH, Intel MPI, `srun --mpi=pmi2`
    ("PMI_RANK", "PMI_SIZE"),
    // `srun --mpi=pmix`
    ("PMIX_RANK", "SLURM_STEP_NUM_TASKS"),
    // `srun`
    ("SLURM_PROCID", "SLURM_STEP_NUM_TASKS"),
];

/// A variable that is a number.
fn number(
    name: &'static str,
    variable: impl Fn(&str) -> Option<String>,
) -> Result<Option<u32>, ShardError> {
    match variable(name) {
        None => Ok(None),
        Some(text) => match text.trim().parse::<u32>() {
            Ok(n) => Ok(Some(n)),
            Err(_) => Err(ShardError::Variable {
                name,
                text: crate::model::show::quote(&text),
            }),
        },
    }
}

/// The name of the variable with the rank of this process, its rank and the number of ranks, if there are several.
fn rank(
    variable: impl Fn(&str) -> Option<String>,
) -> Result<Option<(&'static str, u32, u32)>, ShardError> {
    for (rank, size) in RANKS {
        // A batch script has the rank 0 of no step.
        if rank == "SLURM_PROCID" && variable(size).is_none() {
            continue;
        }
        if let Some(id) = number(rank, &variable)? {
            let count = number(size, &variable)?.ok_or(ShardError::NoCount(size))?;
            return Ok((count > 1).then_some((rank, id, count)));
        }
    }
    Ok(None)
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

/// The error for a text or an environment that defines no shard.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ShardError {
    /// The text is not `i/n`.
    #[error("shard `{0}`: write i/n, with i from 1 to n, as in 1/4")]
    Text(String),
    /// A variable is not a number.
    #[error("{name} is `{text}`, not a number; unset it, or give --shard i/n")]
    Variable {
        /// The variable.
        name: &'static str,
        /// Its value.
        text: String,
    },
    /// The index of an array job's task is given without the number of tasks.
    #[error(
        "this is a task of an array job, or a rank, but {0} is not set; set it to the number of tasks, or give --shard i/n"
    )]
    NoCount(&'static str),
    /// Two systems define a shard.
    #[error(
        "{} and {} are both set, and it is not clear which one applies; unset one, or give --shard i/n",
        .0[0], .0[1]
    )]
    Two([&'static str; 2]),
    /// The index is outside the job's range.
    #[error("{name} is {id}, which is none of {count} consecutive tasks; give --shard i/n")]
    Outside {
        /// The variable.
        name: &'static str,
        /// Its value.
        id: u32,
        /// Number of tasks.
        count: u32,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_tile_the_blocks() {
        for (total, n) in [
            (0, 3),
            (1, 3),
            (10, 3),
            (1 << 40, 7),
            (5, 5),
            (u64::MAX, 1000),
        ] {
            let mut at = 0;
            for i in 1..=n {
                let r = Shard::new(i, n).expect("a shard").blocks(total);
                assert_eq!(r.start, at);
                assert!((r.end - r.start).abs_diff(total / u64::from(n)) <= 1);
                at = r.end;
            }
            assert_eq!(at, total);
        }
    }

    #[test]
    fn texts() {
        assert_eq!(Shard::parse("2/4"), Ok(Shard { index: 2, count: 4 }));
        for bad in [
            "",
            "1",
            "0/4",
            "5/4",
            "1/0",
            "-1/4",
            "a/b",
            "1/4/2",
            "1/4294967296",
            "1\n/x",
        ] {
            let e = Shard::parse(bad).expect_err(bad).to_string();
            assert!(e.contains("from 1 to n") && !e.contains('\n'), "{e}");
        }
    }

    #[test]
    fn environments() {
        let shard = |vars: &[(&str, &str)]| {
            Shard::from_environment(|name| {
                vars.iter()
                    .find(|(n, _)| *n == name)
                    .map(|(_, v)| (*v).to_string())
            })
            .map(|s| s.map(|s| (s.index, s.count)))
        };
        assert_eq!(shard(&[]), Ok(None));
        let slurm = [
            ("SLURM_ARRAY_TASK_ID", "7"),
            ("SLURM_ARRAY_TASK_COUNT", "4"),
            ("SLURM_ARRAY_TASK_MIN", "5"),
        ];
        assert_eq!(shard(&slurm), Ok(Some((3, 4))));
        let stepped = [
            slurm[0],
            slurm[1],
            ("SLURM_ARRAY_TASK_MIN", "1"),
            ("SLURM_ARRAY_TASK_STEP", "2"),
        ];
        assert_eq!(shard(&stepped), Ok(Some((4, 4))));
        let k8s = [("JOB_COMPLETION_INDEX", "0"), ("JOB_COMPLETION_COUNT", "3")];
        assert_eq!(shard(&k8s), Ok(Some((1, 3))));
        assert_eq!(
            shard(&k8s[..1]),
            Err(ShardError::NoCount("JOB_COMPLETION_COUNT"))
        );
        assert_eq!(
            shard(&slurm[..1]),
            Err(ShardError::NoCount("SLURM_ARRAY_TASK_COUNT"))
        );
        assert!(matches!(
            shard(&[("SLURM_ARRAY_TASK_ID", "9"), slurm[1], slurm[2]]),
            Err(ShardError::Outside { id: 9, .. })
        ));
        assert!(matches!(
            shard(&[("JOB_COMPLETION_INDEX", "x")]),
            Err(ShardError::Variable { .. })
        ));
    }

    #[test]
    fn slurm_and_kubernetes_at_once_are_refused() {
        let both = |name: &str| Some(if name.ends_with("COUNT") { "4" } else { "1" }.to_string());
        let e = Shard::from_environment(both).expect_err("two shards");
        assert_eq!(
            e,
            ShardError::Two(["SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX"])
        );
        assert!(e.to_string().contains("unset one, or give --shard i/n"));
    }

    #[test]
    fn ranks() {
        let shard = |vars: &[(&str, &str)]| {
            let find = |name: &str| vars.iter().find(|(n, _)| *n == name);
            Shard::from_environment(|name| find(name).map(|(_, v)| (*v).to_string()))
                .map(|s| s.map(|s| (s.index, s.count)))
        };
        for (rank, size) in RANKS {
            assert_eq!(
                shard(&[(rank, "2"), (size, "3")]),
                Ok(Some((3, 3))),
                "{rank}"
            );
            assert_eq!(shard(&[(rank, "0"), (size, "1")]), Ok(None), "{rank}");
            assert!(matches!(
                shard(&[(rank, "3"), (size, "3")]),
                Err(ShardError::Outside { id: 3, .. })
            ));
            let array = [
                ("SLURM_ARRAY_TASK_ID", "1"),
                ("SLURM_ARRAY_TASK_COUNT", "2"),
            ];
            assert_eq!(
                shard(&[array[0], array[1], (rank, "1"), (size, "2")]),
                Err(ShardError::Two(["SLURM_ARRAY_TASK_ID", rank]))
            );
            // An array's task that is one process.
            assert_eq!(
                shard(&[array[0], array[1], (rank, "0"), (size, "1")]),
                Ok(Some((2, 2)))
            );
        }
        assert_eq!(
            shard(&[("PMI_RANK", "1")]),
            Err(ShardError::NoCount("PMI_SIZE"))
        );
        // In a batch script.
        assert_eq!(
            shard(&[("SLURM_PROCID", "0"), ("SLURM_NTASKS", "4")]),
            Ok(None)
        );
        // `mpirun` of two ranks on one node of an allocation: the daemon is a step of one task.
        let inherited = [
            ("OMPI_COMM_WORLD_RANK", "1"),
            ("OMPI_COMM_WORLD_SIZE", "2"),
            ("SLURM_PROCID", "0"),
            ("SLURM_STEP_NUM_TASKS", "1"),
        ];
        assert_eq!(shard(&inherited), Ok(Some((2, 2))));
    }
}
