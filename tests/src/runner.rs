//! Plays cases side by side: each on a thread and a runtime of its own, bounded in time; a panic is a failure.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use crate::case::{Case, Suite};
use crate::engine;
use crate::report::Report;

/// How long a case may take in real time. Most take a millisecond; none waits for anything real.
const LIMIT: Duration = Duration::from_secs(20);

/// Plays all cases of a suite.
#[must_use]
pub fn play(suite: Suite) -> Report {
    play_by(engine::play, suite, LIMIT)
}

/// Plays one case; the error is the first difference.
type Player = fn(&Case) -> Result<(), String>;

fn play_by(player: Player, suite: Suite, limit: Duration) -> Report {
    let cases: Vec<_> = suite.cases.into_iter().map(Arc::new).collect();
    let lanes = thread::available_parallelism().map_or(2, usize::from) * 2;
    let (sender, ended) = mpsc::channel();
    let mut running: HashMap<usize, Instant> = HashMap::new();
    let mut report = Report::default();
    let mut next = 0;
    while next < cases.len() || !running.is_empty() {
        while next < cases.len() && running.len() < lanes {
            start(player, next, cases[next].clone(), sender.clone());
            running.insert(next, Instant::now());
            next += 1;
        }
        match ended.recv_timeout(Duration::from_millis(100)) {
            // What ended after it was given up is counted already.
            Ok((index, result)) if running.remove(&index).is_some() => report.add(&cases[index], result),
            Ok(_) | Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        let overdue: Vec<_> =
            running.iter().filter(|(_, since)| since.elapsed() > limit).map(|(index, _)| *index).collect();
        for index in overdue {
            running.remove(&index);
            report.add(&cases[index], Err(format!("has not ended after {limit:?}")));
        }
    }
    report
}

type Ended = (usize, Result<(), String>);

/// Starts a case on a thread of its own: one that never ends takes no other with it.
fn start(player: Player, index: usize, case: Arc<Case>, ended: Sender<Ended>) {
    let lost = ended.clone();
    let started = thread::Builder::new().spawn(move || {
        let result = catch_unwind(AssertUnwindSafe(|| player(&case)))
            .unwrap_or_else(|panic| Err(format!("panicked: {}", words_of(&*panic))));
        // Nobody listens any more once the whole suite has ended.
        let _ = ended.send((index, result));
    });
    if let Err(error) = started {
        let _ = lost.send((index, Err(format!("could not be started: {error}"))));
    }
}

fn words_of(panic: &(dyn std::any::Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("with no words")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_that_panics_or_never_ends_takes_no_other_with_it() {
        let player: Player = |case| match case.id.as_str() {
            // Without the noise of the panic hook.
            "s/panics" => std::panic::resume_unwind(Box::new("on purpose")),
            "s/never-ends" => loop {
                thread::sleep(Duration::from_secs(1));
            },
            "s/fails" => Err("wrong".to_owned()),
            _ => Ok(()),
        };
        let case = |id: &str| Case::new(id, serde_json::Map::new());
        let cases = ["s/panics", "s/never-ends", "s/fails", "s/passes", "t/passes"].map(case).to_vec();
        let report = play_by(player, Suite { cases }, Duration::from_secs(1));
        let shown = "s 1/4\nt 1/1\nconformance: 2 passed, 3 failed";
        assert_eq!(report.to_string(), shown);
        assert_eq!(report.failures["s/panics"], "panicked: on purpose");
        assert_eq!(report.failures["s/never-ends"], "has not ended after 1s");
        assert_eq!(report.failures["s/fails"], "wrong");
    }
}
