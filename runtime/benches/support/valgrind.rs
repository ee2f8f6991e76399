//! What counting instructions needs.
#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::process::{Command, Stdio};

/// Whether this program was started anew by callgrind, for one figure.
pub(crate) fn is_counting() -> bool {
    std::env::args().any(|argument| argument == "--gungraun-run")
}

/// Whether instructions can be counted; says what is missing if not.
pub(crate) fn is_there() -> bool {
    for (program, remedy) in [
        ("valgrind", "install it with the system's package manager"),
        ("gungraun-runner", "install it with `cargo install gungraun-runner --version ^0.20`"),
    ] {
        if !can_start(program) {
            println!("instructions are not counted, as `{program}` is missing: {remedy}");
            return false;
        }
    }
    true
}

fn can_start(program: &str) -> bool {
    let version = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    !version.is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound)
}
