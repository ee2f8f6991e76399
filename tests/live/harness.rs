//! Runs the tests over a server one after the other, as they share it, and says so in the words of the standard harness.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use toolwright::BoxFuture;

use crate::llmock::Llmock;
use crate::server::{Server, Servers};

/// The longest a test may take.
const LIMIT: Duration = Duration::from_secs(60);

/// The test over its server, where that is there.
type OverServer = dyn Fn(&Servers) -> Option<BoxFuture<'static, ()>> + Sync;

pub(crate) struct Test {
    name: &'static str,
    run: Box<OverServer>,
    server: &'static str,
    missing: Option<&'static str>,
}

impl Test {
    /// Leaves the test out where what it needs besides the server is not there.
    pub(crate) fn needs(mut self, what: &'static str, is_there: bool) -> Self {
        self.missing = (!is_there).then_some(what);
        self
    }
}

pub(crate) fn test<S, F>(name: &'static str, run: fn(S) -> F) -> Test
where
    S: Server,
    F: Future<Output = ()> + Send + 'static,
{
    let over = move |server: S| async move {
        server.reset().await;
        run(server).await;
    };
    let run = move |servers: &Servers| S::of(servers).map(|server| Box::pin(over(server.clone())) as BoxFuture<'_, ()>);
    Test { name, run: Box::new(run), server: S::NEEDED, missing: None }
}

#[derive(PartialEq)]
enum Outcome {
    Passed,
    Failed,
    Ignored,
}

/// Runs the tests that the command line names, all if it names none.
pub(crate) fn run(tests: &[Test]) -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    // Options come after the names, and some of them have values.
    let filters: Vec<&String> = args.iter().take_while(|arg| !arg.starts_with('-')).collect();
    let chosen = |test: &&Test| filters.is_empty() || filters.iter().any(|filter| test.name.contains(*filter));
    let chosen: Vec<&Test> = tests.iter().filter(chosen).collect();
    if args.iter().any(|arg| arg == "--list") {
        chosen.iter().for_each(|test| println!("{}: test", test.name));
        return ExitCode::SUCCESS;
    }
    let begun = Instant::now();
    println!("\nrunning {} tests", chosen.len());
    let outcomes = if chosen.is_empty() { Vec::new() } else { outcomes(&chosen, &Servers::start()) };
    let count = |which: Outcome| outcomes.iter().filter(|outcome| **outcome == which).count();
    let (passed, failed, ignored) = (count(Outcome::Passed), count(Outcome::Failed), count(Outcome::Ignored));
    println!(
        "\ntest result: {}. {passed} passed; {failed} failed; {ignored} ignored; 0 measured; {} filtered out; finished in \
         {:.2}s\n",
        if failed == 0 { "ok" } else { "FAILED" },
        tests.len() - chosen.len(),
        begun.elapsed().as_secs_f64()
    );
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Runs tests over different servers side by side.
fn outcomes(tests: &[&Test], servers: &Servers) -> Vec<Outcome> {
    let (some, others): (Vec<&Test>, Vec<&Test>) = tests.iter().partition(|test| test.server == Llmock::NEEDED);
    let run = |tests: Vec<&Test>| tests.into_iter().map(|test| outcome(test, servers)).collect::<Vec<_>>();
    thread::scope(|scope| {
        let others = scope.spawn(|| run(others));
        let mut outcomes = run(some);
        outcomes.extend(others.join().expect("a test that panics is caught"));
        outcomes
    })
}

fn outcome(test: &Test, servers: &Servers) -> Outcome {
    let over_server = (test.run)(servers);
    let missing = if over_server.is_none() { Some(test.server) } else { test.missing };
    let (outcome, said) = match (over_server, missing) {
        (Some(over_server), None) => match ended(over_server) {
            Ok(()) => (Outcome::Passed, "ok".to_owned()),
            Err(said) => (Outcome::Failed, format!("FAILED{said}")),
        },
        (_, missing) => (Outcome::Ignored, format!("ignored, it needs {}", missing.unwrap_or_default())),
    };
    println!("test {} ... {said}", test.name);
    outcome
}

/// Runs a test to its end; what else there is to say where it failed.
fn ended(test: BoxFuture<'static, ()>) -> Result<(), String> {
    let ended = catch_unwind(AssertUnwindSafe(|| -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async { tokio::time::timeout(LIMIT, test).await })?;
        Ok(())
    }));
    // A panic has said already what it found.
    ended.map_err(|_| String::new())?.map_err(|error| format!(": {error}"))
}
