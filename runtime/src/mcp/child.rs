//! A server's process, while it runs.

use std::io;
use std::mem::replace;
use std::process::Stdio;
use std::time::Duration;

use process_wrap::tokio::{ChildWrapper, CommandWrap};
use tokio::io::AsyncReadExt;
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};
use tokio::time::timeout;

use super::command::McpCommand;
use super::log::ServerLog;

/// How long a server that is gone is given to say what it has left to say.
pub(super) const LAST_WORDS: Duration = Duration::from_millis(500);
/// How long a server may take to end once its input is closed.
const GRACE: Duration = Duration::from_secs(2);

/// A server's process. It is killed with all that it has started, at the latest when this is dropped.
pub(super) struct ServerProcess {
    process: Box<dyn ChildWrapper>,
    stderr: Option<ChildStderr>,
    /// Whether nothing of it is left.
    is_over: bool,
}

impl ServerProcess {
    /// Starts it, with pipes for its input and output.
    ///
    /// # Errors
    ///
    /// The system's, when there is no such program or no process to spare.
    pub(super) fn start(command: &McpCommand) -> io::Result<(Self, ChildStdin, ChildStdout)> {
        let mut wrap = CommandWrap::with_new(&command.program, |process| {
            if command.clear_env {
                process.env_clear();
            }
            process.args(&command.args).envs(&command.env);
            process.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
            if let Some(dir) = &command.dir {
                process.current_dir(dir);
            }
        });
        #[cfg(unix)]
        wrap.wrap(process_wrap::tokio::ProcessGroup::leader());
        #[cfg(windows)]
        wrap.wrap(process_wrap::tokio::JobObject);
        let mut process = wrap.spawn()?;
        let (stdin, stdout, stderr) = (process.stdin().take(), process.stdout().take(), process.stderr().take());
        let running = Self { process, stderr, is_over: false };
        let (Some(stdin), Some(stdout)) = (stdin, stdout) else {
            return Err(io::Error::other("the process has no pipes"));
        };
        Ok((running, stdin, stdout))
    }

    /// Waits until it says something on its standard error, and keeps that; forever, where it says nothing more there.
    pub(super) async fn note(&mut self, log: &ServerLog) {
        let Some(stderr) = &mut self.stderr else { return std::future::pending().await };
        let mut buffer = [0; 1024];
        match stderr.read(&mut buffer).await {
            Ok(read @ 1..) => log.said(&buffer[..read]),
            _ => self.stderr = None,
        }
    }

    /// Keeps what it said last, and how it ended, where it has.
    pub(super) async fn note_end(&mut self, log: &ServerLog) {
        let last_words = async {
            while self.stderr.is_some() {
                self.note(log).await;
            }
        };
        // A process that it has started may keep the pipe open.
        let _ = timeout(LAST_WORDS, last_words).await;
        if let Ok(Ok(status)) = timeout(LAST_WORDS, self.process.wait()).await {
            log.ended(format!("it ended with {status}"));
            self.kill();
        }
    }

    /// Waits until it has ended, and ends it where it takes too long, with all that it has started.
    pub(super) async fn end(&mut self) {
        let has_ended = self.is_over || timeout(GRACE, self.process.wait()).await.is_ok();
        self.kill();
        if !has_ended {
            // What was killed is gone soon; nobody is to hang where the system does not say so.
            let _ = timeout(GRACE, self.process.wait()).await;
        }
    }

    /// Ends what is left of it: what it has started may outlive it.
    fn kill(&mut self) {
        if !replace(&mut self.is_over, true) {
            // Nothing may be left.
            let _ = self.process.start_kill();
        }
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        self.kill();
    }
}
