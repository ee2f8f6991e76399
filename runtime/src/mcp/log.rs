//! What a server has said besides the protocol, and why it is gone: for errors.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How much of it is kept, in bytes: the end of it.
const KEPT: usize = 2048;

/// What a server has said besides the protocol, and why it is gone.
#[derive(Debug, Default)]
pub(super) struct ServerLog(Mutex<Entries>);

#[derive(Debug, Default)]
struct Entries {
    said: VecDeque<u8>,
    ended: Option<String>,
}

impl ServerLog {
    fn entries(&self) -> MutexGuard<'_, Entries> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps what it said, as far as there is room: older words give way.
    pub(super) fn said(&self, bytes: &[u8]) {
        let said = &mut self.entries().said;
        said.extend(&bytes[bytes.len().saturating_sub(KEPT)..]);
        let excess = said.len().saturating_sub(KEPT);
        said.drain(..excess);
    }

    /// Keeps why it is gone; what is known first counts.
    pub(super) fn ended(&self, why: impl Into<String>) {
        self.entries().ended.get_or_insert(why.into());
    }

    /// Why it is gone, where that is known, and its last words.
    pub(super) fn told(&self) -> Option<String> {
        let entries = self.entries();
        let said: Vec<u8> = entries.said.iter().copied().collect();
        let said = String::from_utf8_lossy(&said);
        match (&entries.ended, said.trim()) {
            (None, "") => None,
            (Some(why), "") => Some(why.clone()),
            (None, said) => Some(format!("it said: {said}")),
            (Some(why), said) => Some(format!("{why}; it said: {said}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_words_are_kept_and_no_more() {
        let log = ServerLog::default();
        assert_eq!(log.told(), None);
        log.said(&[b'x'; 3 * KEPT]);
        log.said(b"no such directory\n");
        log.ended("it exited with exit status: 1");
        log.ended("it closed the connection");
        let told = log.told().expect("something");
        assert!(told.starts_with("it exited with exit status: 1; it said: xxx"), "{told}");
        assert!(told.ends_with("xno such directory") && told.len() < KEPT + 60, "{told}");
    }
}
