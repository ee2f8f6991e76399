//! How far a call has come, as its server tells.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tokio::sync::mpsc;

/// How many reports wait for the run; more than it can take are left out.
const WAITING: usize = 64;

/// How far a call has come.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Progress {
    pub(super) done: f64,
    pub(super) total: Option<f64>,
    pub(super) message: Option<String>,
}

/// What a request takes with it on its way to the transport: where its progress is told, and that it went out.
#[derive(Clone)]
pub(super) struct Passport {
    pub(super) progress: mpsc::Sender<Progress>,
    pub(super) sent: Arc<AtomicBool>,
}

/// Where progress is told, and where it is heard.
pub(super) fn channel() -> (mpsc::Sender<Progress>, mpsc::Receiver<Progress>) {
    mpsc::channel(WAITING)
}
