//! Shards: a run, divided by blocks over processes or machines.

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
    /// On anything else.
    pub fn parse(text: &str) -> Result<Shard, ShardError> {
        let bad = || ShardError::Text(super::range::quote(text));
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
    /// The blocks, of `total`, of this shard: consecutive ones; the numbers of any two shards differ by at most one.
    #[must_use]
    pub fn blocks(self, total: u64) -> ops::Range<u64> {
        let cut = |i: u32| (u128::from(total) * u128::from(i) / u128::from(self.count)) as u64;
        cut(self.index - 1)..cut(self.index)
    }

    /// The shard of this process according to the environment variables of an array job, if there are any.
    ///
    /// Slurm: `SLURM_ARRAY_TASK_ID`, with `SLURM_ARRAY_TASK_COUNT`, and `_MIN` and `_STEP` where the numbers do not
    /// start at 0. Kubernetes: `JOB_COMPLETION_INDEX`, from 0; it gives the pod no count, so the job must set
    /// `JOB_COMPLETION_COUNT` (or `JOB_COMPLETIONS`).
    ///
    /// # Errors
    /// If the variables are set but define no shard.
    pub fn from_environment(
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Option<Shard>, ShardError> {
        let number = |name: &'static str| match variable(name) {
            None => Ok(None),
            Some(text) => match text.trim().parse::<u32>() {
                Ok(n) => Ok(Some(n)),
                Err(_) => Err(ShardError::Variable {
                    name,
                    text: super::range::quote(&text),
                }),
            },
        };
        let slurm = number("SLURM_ARRAY_TASK_ID")?;
        let kubernetes = number("JOB_COMPLETION_INDEX")?;
        if slurm.is_some() && kubernetes.is_some() {
            return Err(ShardError::Both);
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
        if let Some(id) = kubernetes {
            let name = "JOB_COMPLETION_INDEX";
            let count = match number("JOB_COMPLETION_COUNT")? {
                Some(n) => n,
                None => {
                    number("JOB_COMPLETIONS")?.ok_or(ShardError::NoCount("JOB_COMPLETION_COUNT"))?
                }
            };
            return match id.checked_add(1).and_then(|i| Shard::new(i, count)) {
                Some(shard) => Ok(Some(shard)),
                None => Err(ShardError::Outside { name, id, count }),
            };
        }
        Ok(None)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

/// The error that a text or an environment defines no shard.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ShardError {
    /// The text is not `i/n`.
    #[error("shard `{0}`: write i/n, with i from 1 to n, as in 1/4")]
    Text(String),
    /// A variable is no number.
    #[error("{name} is `{text}`, not a number; unset it, or give --shard i/n")]
    Variable {
        /// The variable.
        name: &'static str,
        /// Its value.
        text: String,
    },
    /// There is an array job's index without the number of its tasks.
    #[error(
        "this is a task of an array job, but {0} is not set; set it to the number of tasks, or give --shard i/n"
    )]
    NoCount(&'static str),
    /// Both systems of array jobs define a shard.
    #[error(
        "SLURM_ARRAY_TASK_ID and JOB_COMPLETION_INDEX are both set, and it is not known whose task this is; unset one, \
         or give --shard i/n"
    )]
    Both,
    /// The index is outside of the job's range.
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
        assert_eq!(e, ShardError::Both);
        assert!(e.to_string().contains("unset one, or give --shard i/n"));
    }
}
