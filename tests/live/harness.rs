//! Runs the tests one after the other, as they share the server, and says so in the words of the standard harness.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use toolwright::BoxFuture;

use crate::llmock::Llmock;

/// The longest a test may take.
const LIMIT: Duration = Duration::from_secs(60);

pub(crate) struct Test {
    name: &'static str,
    run: Box<dyn Fn(Llmock) -> BoxFuture<'static, ()>>,
    missing: Option<&'static str>,
}

impl Test {
    /// Leaves the test out where what it needs besides the server is not there.
    pub(crate) fn needs(mut self, what: &'static str, is_there: bool) -> Self {
        self.missing = (!is_there).then_some(what);
        self
    }
}

pub(crate) fn test<F>(name: &'static str, run: fn(Llmock) -> F) -> Test
where
    F: Future<Output = ()> + Send + 'static,
{
    Test { name, run: Box::new(move |server| Box::pin(run(server))), missing: None }
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
    let (passed, failed, ignored) = match Llmock::executable() {
        _ if chosen.is_empty() => (0, 0, 0),
        Some(executable) => {
            let (server, _process) = Llmock::start(&executable);
            let (ignored, possible): (Vec<&Test>, Vec<&Test>) = chosen.iter().partition(|test| test.missing.is_some());
            ignored.iter().for_each(|test| ignore(test, test.missing.unwrap_or_default()));
            let passed = possible.iter().filter(|test| passes(test, &server)).count();
            (passed, possible.len() - passed, ignored.len())
        }
        None => {
            chosen.iter().for_each(|test| ignore(test, Llmock::NEEDED));
            (0, 0, chosen.len())
        }
    };
    println!(
        "\ntest result: {}. {passed} passed; {failed} failed; {ignored} ignored; 0 measured; {} filtered out; finished in \
         {:.2}s\n",
        if failed == 0 { "ok" } else { "FAILED" },
        tests.len() - chosen.len(),
        begun.elapsed().as_secs_f64()
    );
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn ignore(test: &Test, needed: &str) {
    println!("test {} ... ignored, it needs {needed}", test.name);
}

fn passes(test: &Test, server: &Llmock) -> bool {
    let ended = catch_unwind(AssertUnwindSafe(|| -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async {
            server.reset().await;
            tokio::time::timeout(LIMIT, (test.run)(server.clone())).await
        })?;
        Ok(())
    }));
    // A panic has said already what it found.
    let outcome = match &ended {
        Ok(Ok(())) => "ok".to_owned(),
        Ok(Err(error)) => format!("FAILED: {error}"),
        Err(_) => "FAILED".to_owned(),
    };
    println!("test {} ... {outcome}", test.name);
    matches!(ended, Ok(Ok(())))
}
