//! Where events go: to the run's listener, in the order in which they happened.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError, TryLockError};

use super::Event;
use crate::error::BoxError;
use crate::panics::catch;

/// What listens to a run.
pub(crate) type Listener = Box<dyn FnMut(Event) + Send>;

/// Tells the run's listener what happens.
///
/// Tools on threads of their own tell, too, and a listener may cause events itself: what happens meanwhile waits in line.
#[derive(Default)]
pub(crate) struct EventSink {
    listener: Option<Mutex<Listener>>,
    waiting: Mutex<VecDeque<Event>>,
    /// What the listener panicked with; it is told nothing more.
    failure: Mutex<Option<BoxError>>,
}

impl EventSink {
    pub(crate) fn new(listener: Option<Listener>) -> Self {
        Self { listener: listener.map(Mutex::new), waiting: Mutex::default(), failure: Mutex::default() }
    }

    /// Whether anybody listens: an event nobody hears need not be made.
    pub(crate) fn is_heard(&self) -> bool {
        self.listener.is_some()
    }

    /// Whether the listener has failed.
    pub(crate) fn has_failed(&self) -> bool {
        self.is_heard() && self.failure.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    pub(crate) fn take_failure(&self) -> Option<BoxError> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    pub(crate) fn emit(&self, event: Event) {
        let Some(listener) = &self.listener else { return };
        if self.has_failed() {
            return;
        }
        self.wait_in_line(event);
        while self.is_waiting() {
            let mut listener = match listener.try_lock() {
                Ok(listener) => listener,
                Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
                // Whoever is telling looks again once they have let go.
                Err(TryLockError::WouldBlock) => return,
            };
            while let Some(event) = self.next() {
                if let Err(panic) = catch(|| listener(event)) {
                    *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(panic);
                    return;
                }
            }
        }
    }

    fn is_waiting(&self) -> bool {
        !self.waiting.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    fn wait_in_line(&self, event: Event) {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).push_back(event);
    }

    fn next(&self) -> Option<Event> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).pop_front()
    }
}
