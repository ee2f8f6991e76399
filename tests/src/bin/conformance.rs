//! Plays conformance cases: `conformance [DIR] [--only REGEX]...`.
//!
//! Without a directory, the workspace's own copy of the cases. Each section is a line `section passed/total`, each
//! failing case a line on standard error, and the exit code says whether any failed.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use regex::Regex;
use toolwright_tests::{Suite, play};

#[derive(Default)]
struct Options {
    directory: Option<PathBuf>,
    only: Vec<Regex>,
}

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            let _ = writeln!(io::stderr(), "{error}");
            ExitCode::from(2)
        }
    }
}

fn run() -> io::Result<bool> {
    let options =
        options(std::env::args().skip(1)).map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
    let mut suite = match &options.directory {
        Some(directory) => Suite::load(directory)
            .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", directory.display())))?,
        None => Suite::packed()?,
    };
    if !options.only.is_empty() {
        suite = suite.only(&options.only);
    }
    let report = play(suite);
    let mut stderr = io::stderr().lock();
    for (id, difference) in &report.failures {
        writeln!(stderr, "{id}: {difference}")?;
    }
    writeln!(io::stdout(), "{report}")?;
    Ok(report.failures.is_empty())
}

fn options(mut arguments: impl Iterator<Item = String>) -> Result<Options, String> {
    let mut options = Options::default();
    while let Some(argument) = arguments.next() {
        if argument == "--only" {
            let expression = arguments.next().ok_or("`--only` needs an expression")?;
            options.only.push(Regex::new(&expression).map_err(|error| error.to_string())?);
        } else if argument.starts_with('-') || options.directory.is_some() {
            return Err(format!("`{argument}`: usage: conformance [DIR] [--only REGEX]..."));
        } else {
            options.directory = Some(argument.into());
        }
    }
    Ok(options)
}
