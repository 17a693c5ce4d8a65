//! Clusters in which time is a number: nodes of any rate, deaths, and more tasks than nodes.

use std::collections::VecDeque;
use std::convert::Infallible;

use super::*;
use crate::model::key::Precision;
use crate::search::range::Range;

const HOUR: f64 = 3600.0;

/// A shard as the shared folder has it.
#[derive(Debug, Clone, Default)]
struct Entry {
    done: u128,
    begun: bool,
    holder: Option<usize>,
}

/// The folder as one moment has it.
struct Shared<'a> {
    plan: &'a Plan,
    shards: Vec<Entry>,
}

impl Folder for Shared<'_> {
    type Error = Infallible;
    fn refresh(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
    fn look(&mut self, shard: Shard) -> Result<Found, Infallible> {
        let entry = &self.shards[shard.index() as usize - 1];
        let left = self.plan.inputs(shard) - entry.done;
        Ok(match entry {
            _ if left == 0 => Found::Complete,
            Entry {
                holder: Some(_), ..
            } => Found::Held,
            Entry { begun: false, .. } => Found::Missing,
            _ => Found::Begun(left),
        })
    }
}

/// A process of a task, in its shard.
struct Process<'a> {
    task: usize,
    started: f64,
    claims: Claims<'a>,
    /// The shard, since when it is searched, and when this ends.
    now: Option<(Shard, f64, f64)>,
}

impl Process<'_> {
    fn end(&self, clock: f64, why: Option<End>) -> Ended {
        Ended {
            task: self.task,
            started: self.started,
            ended: clock,
            inputs: self.claims.inputs(),
            why,
        }
    }
}

/// How a process ended: its task, when it was started, when it ended, what it searched, and why; none if it died.
#[derive(Debug)]
struct Ended {
    task: usize,
    started: f64,
    ended: f64,
    inputs: u128,
    why: Option<End>,
}

/// A cluster: the rate of each node, and the job.
struct Cluster<'a> {
    plan: &'a Plan,
    shards: u32,
    tasks: u32,
    rates: Vec<f64>,
    time: Option<f64>,
    /// Whether a process that begins a shard dies in it.
    dies: &'a mut dyn FnMut() -> bool,
}

impl<'a> Cluster<'a> {
    /// Runs the job: every node takes the next task that waits; a task that died, or whose time was up, waits again. Returns all
    /// processes, in the order in which they ended, when the last shard was complete, and the folder.
    fn run(self) -> (Vec<Ended>, f64, Shared<'a>) {
        let mut shared = Shared {
            plan: self.plan,
            shards: vec![Entry::default(); self.shards as usize],
        };
        let mut waiting: VecDeque<usize> = (0..self.tasks as usize).collect();
        let mut nodes: Vec<Option<Process>> = self.rates.iter().map(|_| None).collect();
        let (mut clock, mut ended, mut complete) = (0.0_f64, Vec::new(), 0.0_f64);
        loop {
            // Whoever has nothing to do takes a task, and a process that is between two shards looks for one.
            for (node, process) in nodes.iter_mut().enumerate() {
                while let Some(end) =
                    self.step(clock, (node, &mut *process), &mut waiting, &mut shared)
                {
                    ended.push(end);
                }
            }
            let busy = nodes.iter().enumerate();
            let next = busy.filter_map(|(i, p)| Some((p.as_ref()?.now?.2, i)));
            let Some((at, node)) = next.min_by(|a, b| a.0.total_cmp(&b.0)) else {
                if waiting.is_empty() {
                    return (ended, complete, shared);
                }
                continue;
            };
            clock = at;
            let process = &mut nodes[node];
            let p = process.as_mut().expect("a process");
            let (shard, since, _) = p.now.take().expect("a shard");
            let entry = &mut shared.shards[shard.index() as usize - 1];
            let left = self.plan.inputs(shard) - entry.done;
            let done = (((at - since) * self.rates[node]).round() as u128).min(left);
            entry.holder = None;
            if (self.dies)() {
                // What it had committed before.
                entry.done += done / 2;
                waiting.push_back(p.task);
                ended.push(p.end(clock, None));
                *process = None;
                continue;
            }
            entry.done += done;
            if done == left {
                complete = clock;
            }
            p.claims
                .searched(done as u64, Duration::from_secs_f64(at - since));
        }
    }

    /// What a node does at a moment in which it is in no shard; how its process ended, if it did.
    fn step(
        &self,
        clock: f64,
        (node, process): (usize, &mut Option<Process<'a>>),
        waiting: &mut VecDeque<usize>,
        shared: &mut Shared<'_>,
    ) -> Option<Ended> {
        if process.is_none() {
            let task = waiting.pop_front()?;
            let place = Shard::new(task as u32 + 1, self.tasks).expect("a place");
            let time = self.time.map(Duration::from_secs_f64);
            *process = Some(Process {
                task,
                started: clock,
                claims: Claims::new(self.plan, self.shards, place, time),
                now: None,
            });
        }
        let p = process.as_mut().filter(|p| p.now.is_none())?;
        let at = Duration::from_secs_f64(clock - p.started);
        match p.claims.next(at, shared).expect("no error") {
            Next::Search(shard, limit) => {
                let entry = &mut shared.shards[shard.index() as usize - 1];
                assert_eq!(entry.holder, None, "two processes in {shard}");
                (entry.holder, entry.begun) = (Some(node), true);
                let left = self.plan.inputs(shard) - entry.done;
                let takes = left as f64 / self.rates[node];
                let takes = limit.map_or(takes, |l| takes.min(l.as_secs_f64()));
                assert!(takes > 0.0, "{shard} is taken for no time");
                p.now = Some((shard, clock, clock + takes));
                None
            }
            Next::End(why) => {
                if why == End::TimeUp {
                    waiting.push_back(p.task);
                }
                let end = p.end(clock, Some(why));
                *process = None;
                Some(end)
            }
        }
    }
}

/// 2^`log2` inputs in blocks of 2^12.
fn plan(log2: u32) -> Plan {
    let first = 1.0_f64.to_bits();
    let text = format!("bits:{first:#x}..=bits:{:#x}", first + (1 << log2) - 1);
    let range = Range::parse(&text, Precision::F64).expect("a range");
    Plan::new(range, Some(12)).expect("a plan")
}

/// Two nodes of 1 and 3 times a rate, of which the job expects twice: each ends in its time, the shards go to them by their rates,
/// and the job ends with a short shard.
#[test]
fn a_fast_and_a_slow_node_take_shards_by_their_rates() {
    let plan = plan(26);
    let inputs = (1_u64 << 26) as f64;
    // Two tasks of an hour at the expected rate.
    let expected = inputs / (2.0 * HOUR);
    let rates = vec![expected * 0.5, expected * 1.5];
    let (ended, complete, _) = Cluster {
        plan: &plan,
        shards: 2 * EACH,
        tasks: 2,
        rates: rates.clone(),
        time: Some(HOUR),
        dies: &mut || false,
    }
    .run();
    let of = |task| {
        let of_task = ended.iter().filter(move |e| e.task == task);
        of_task.map(|e| e.inputs as f64).sum::<f64>() / inputs
    };
    assert!((of(0) - 0.25).abs() < 1.0 / 16.0, "{ended:?}");
    assert!((of(1) - 0.75).abs() < 1.0 / 16.0, "{ended:?}");
    for e in &ended {
        assert!(e.ended - e.started <= HOUR * 1.0625, "{e:?}");
    }
    // One shard of the slow node is a quarter of an hour; shards of one for each task would take it two hours.
    assert!((HOUR..=HOUR * 1.25).contains(&complete), "{complete}");
}

/// Nodes that are as fast as expected, but for a few parts in a hundred: each task is started once, and does its share.
#[test]
fn nodes_that_are_alike_start_each_task_once() {
    let plan = plan(28);
    let expected = (1_u64 << 28) as f64 / (16.0 * HOUR);
    // Four nodes for sixteen tasks.
    let rates = [0.97, 1.0, 1.02, 1.05].map(|r| r * expected).to_vec();
    let (ended, complete, _) = Cluster {
        plan: &plan,
        shards: 16 * EACH,
        tasks: 16,
        rates,
        time: Some(HOUR),
        dies: &mut || false,
    }
    .run();
    assert_eq!(ended.len(), 16, "{ended:?}");
    assert!(
        ended.iter().all(|e| e.why != Some(End::TimeUp)),
        "{ended:?}"
    );
    assert!(complete < 4.0 * HOUR * 1.07, "{complete}");
}

/// A node that is too slow for any shard does a part of one, and is started again.
#[test]
fn a_node_that_is_too_slow_for_a_shard_does_a_part() {
    let plan = plan(24);
    let expected = (1_u64 << 24) as f64 / HOUR;
    let (ended, ..) = Cluster {
        plan: &plan,
        shards: EACH,
        tasks: 1,
        rates: vec![expected / 20.0],
        time: Some(HOUR),
        dies: &mut || false,
    }
    .run();
    assert!(ended.len() > 15, "{ended:?}");
    for e in &ended {
        assert!(e.ended - e.started <= HOUR * 1.1251, "{e:?}");
    }
    assert_eq!(ended.last().and_then(|e| e.why), Some(End::NothingOpen));
}

/// Jobs of every kind, at random: whatever the rates, the number of nodes and the deaths, once every task has ended the run is
/// complete, no input was searched by two at once, and no process took much longer than its time.
#[test]
fn a_job_whose_tasks_have_all_ended_is_complete() {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move |below: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % below
    };
    let plan = plan(22);
    let inputs = 1_u128 << 22;
    let mut restarted = 0;
    for case in 0..400 {
        let tasks = 1 + random(12) as u32;
        let shards = (tasks * (1 + random(12) as u32)).min(plan.blocks() as u32);
        let expected = inputs as f64 / (f64::from(tasks) * HOUR);
        let nodes = 1 + random(u64::from(tasks));
        let rates: Vec<f64> = (0..nodes)
            .map(|_| expected * 2.0_f64.powf(random(600) as f64 / 100.0 - 3.0))
            .collect();
        let time = (random(5) > 0).then_some(HOUR);
        // Up to every fourth shard is the end of a process, for a while: a cluster on which all die for ever ends nothing.
        let (often, mut deaths) = (random(4) * 8, 30);
        let mut more = random(1 << 32);
        let mut dies = || {
            more = more.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let dies = deaths > 0 && (more >> 33) % 32 < often;
            deaths -= i32::from(dies);
            dies
        };
        let (ended, _, shared) = Cluster {
            plan: &plan,
            shards,
            tasks,
            rates: rates.clone(),
            time,
            dies: &mut dies,
        }
        .run();
        let what = format!("case {case}: {tasks} tasks, {shards} shards, {rates:?}, {time:?}");
        let done: u128 = shared.shards.iter().map(|s| s.done).sum();
        assert_eq!(done, inputs, "{what}: {ended:?}");
        for e in ended.iter().filter(|_| time.is_some()) {
            assert!(e.ended - e.started <= HOUR * 1.1251, "{what}: {e:?}");
        }
        restarted += ended.len() - tasks as usize;
    }
    assert!(restarted > 1000, "{restarted}: there were few deaths");
}

/// Without a time tasks go on until nothing is open, and all end within a shard of each other.
#[test]
fn without_a_time_all_end_together() {
    let plan = plan(26);
    let expected = (1_u64 << 26) as f64 / (4.0 * HOUR);
    let rates = [0.2, 0.5, 1.0, 2.3].map(|r| r * expected).to_vec();
    let (ended, complete, _) = Cluster {
        plan: &plan,
        shards: 4 * EACH,
        tasks: 4,
        rates,
        time: None,
        dies: &mut || false,
    }
    .run();
    assert_eq!(ended.len(), 4);
    let slowest = HOUR / 8.0 / 0.2;
    assert!(
        ended.iter().all(|e| complete - e.ended <= slowest),
        "{ended:?}"
    );
}

/// Tasks begin at places of their own, and meet those of others last.
#[test]
fn the_order_of_a_task() {
    let plan = plan(16);
    let order = |place: &str, shards| {
        let place = Shard::parse(place).expect("a place");
        let claims = Claims::new(&plan, shards, place, None);
        claims.order().map(Shard::index).collect::<Vec<_>>()
    };
    assert_eq!(order("1/3", 9), [1, 2, 3, 6, 5, 4, 9, 8, 7]);
    assert_eq!(order("3/3", 9), [7, 8, 9, 3, 2, 1, 6, 5, 4]);
    assert_eq!(order("2/2", 3), [2, 3, 1]);
    // More tasks than shards: those without a place of their own help.
    assert_eq!(order("1/4", 2), [1, 2]);
    assert_eq!(order("3/4", 2), [2, 1]);
}

/// When its time is up and its share is done, a task ends well where others have yet to begin, and is started again where a shard was
/// left: whoever left it may have ended well by then.
#[test]
fn what_was_begun_is_nobody_s_but_the_last_one_s() {
    let plan = plan(16);
    let mut folder = Shared {
        plan: &plan,
        shards: vec![Entry::default(); 4],
    };
    let place = Shard::new(1, 2).expect("a place");
    let mut claims = Claims::new(&plan, 4, place, Some(Duration::from_secs(10)));
    let all = plan.inputs(Shard::new(1, 4).expect("a shard"));
    let next = |claims: &Claims, folder: &mut Shared, seconds| {
        let now = Duration::from_secs(seconds);
        claims.next(now, folder).expect("no error")
    };
    for i in 0..2 {
        let limit = Some(Duration::from_secs_f64(11.25) - Duration::from_secs(5 * i));
        let shard = Shard::new(i as u32 + 1, 4).expect("a shard");
        let found = next(&claims, &mut folder, 5 * i);
        assert_eq!(found, Next::Search(shard, limit));
        assert_eq!(
            next(&claims, &mut folder, 20) == Next::End(End::TimeUp),
            i > 0,
            "its first shard fits always, and one is not its share"
        );
        folder.shards[i as usize].done = all;
        claims.searched(all as u64, Duration::from_secs(5));
    }
    assert_eq!(next(&claims, &mut folder, 10), Next::End(End::ShareDone));
    folder.shards[3] = Entry {
        done: 1,
        begun: true,
        holder: None,
    };
    assert_eq!(next(&claims, &mut folder, 10), Next::End(End::TimeUp));
    // While others hold them it is their work, and nothing is open.
    (folder.shards[2].holder, folder.shards[3].holder) = (Some(1), Some(2));
    assert_eq!(next(&claims, &mut folder, 10), Next::End(End::NothingOpen));
    // What nobody can take is not waited for.
    folder.shards[2].holder = None;
    claims.refuse(Shard::new(3, 4).expect("a shard"));
    assert_eq!(next(&claims, &mut folder, 1), Next::End(End::NothingOpen));
}
