//! A server that is a program, which is started.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::PathBuf;

use super::secrets::Secrets;

/// A server that is a program: it is started, and spoken to over its standard input and output.
///
/// Its environment is that of this process, unless [`clear_env`](Self::clear_env) empties it. It is ended with the
/// connection, together with all that it has started.
#[derive(Clone)]
#[must_use]
pub struct McpCommand {
    pub(super) program: OsString,
    pub(super) args: Vec<OsString>,
    pub(super) env: BTreeMap<OsString, OsString>,
    pub(super) clear_env: bool,
    pub(super) dir: Option<PathBuf>,
    secrets: Vec<String>,
}

impl McpCommand {
    /// The program, by its path, or by a name that is looked up in `PATH`.
    pub fn new(program: impl AsRef<OsStr>) -> Self {
        Self {
            program: program.as_ref().to_owned(),
            args: Vec::new(),
            env: BTreeMap::new(),
            clear_env: false,
            dir: None,
            secrets: Vec::new(),
        }
    }

    /// Adds an argument.
    pub fn arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.args.push(arg.as_ref().to_owned());
        self
    }

    /// Adds arguments.
    pub fn args<A: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = A>) -> Self {
        self.args.extend(args.into_iter().map(|arg| arg.as_ref().to_owned()));
        self
    }

    /// Sets a variable of its environment. Neither errors nor `Debug` show the value; one of less than eight bytes is not taken out
    /// of what the program says, as it may well be a word.
    pub fn env(mut self, variable: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        self.env.insert(variable.as_ref().to_owned(), value.as_ref().to_owned());
        self
    }

    /// Gives it nothing of this process's environment.
    pub fn clear_env(mut self) -> Self {
        self.clear_env = true;
        self
    }

    /// The directory it runs in; this process's, unless set.
    pub fn current_dir(mut self, dir: impl Into<PathBuf>) -> Self {
        self.dir = Some(dir.into());
        self
    }

    /// Keeps what else must not be shown.
    pub(super) fn with_secrets(mut self, secrets: Vec<String>) -> Self {
        self.secrets = secrets;
        self
    }

    pub(super) fn secrets(&self) -> Secrets {
        Secrets::new(
            self.env.values().filter_map(|value| value.to_str()).chain(self.secrets.iter().map(String::as_str)),
        )
    }
}

impl fmt::Debug for McpCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("McpCommand")
            .field("program", &self.program)
            .field("args", &self.args.len())
            .field("env", &self.env.keys())
            .field("dir", &self.dir)
            .finish_non_exhaustive()
    }
}
