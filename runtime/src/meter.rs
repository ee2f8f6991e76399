//! What a run has used of what it may, together with the runs within it.

use std::iter::{once, successors};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::error::Result;
use crate::message::{FailedAttempt, ModelResponse};
use crate::usage::{RunUsage, UsageLimits};

/// What a run has used of what it may, together with the runs within it: what one of them uses counts for it, for its
/// caller, for the caller's caller, and so on.
///
/// Room for requests and calls is kept before they are made, so that runs side by side do not pass a limit together.
#[derive(Debug)]
pub(crate) struct Meter {
    limits: UsageLimits,
    caller: Option<Arc<Meter>>,
    counts: Mutex<Counts>,
}

#[derive(Debug, Default)]
struct Counts {
    used: RunUsage,
    ahead: Ahead,
}

/// What is about to be used.
#[derive(Clone, Copy, Debug, Default)]
struct Ahead {
    requests: u64,
    tool_calls: u64,
}

impl Meter {
    /// A meter of a run, within that of its caller.
    pub(crate) fn new(limits: UsageLimits, caller: Option<Arc<Self>>) -> Arc<Self> {
        Arc::new(Self { limits, caller, counts: Mutex::default() })
    }

    pub(crate) fn used(&self) -> RunUsage {
        self.counts().used.clone()
    }

    /// Keeps room for a request.
    pub(crate) fn reserve_request(self: &Arc<Self>) -> Result<Reserved> {
        self.reserve(Ahead { requests: 1, tool_calls: 0 })
    }

    /// Keeps room for calls of tools.
    pub(crate) fn reserve_calls(self: &Arc<Self>, tool_calls: u64) -> Result<Reserved> {
        self.reserve(Ahead { requests: 0, tool_calls })
    }

    /// Room for nothing, by which calls are counted that need none.
    pub(crate) fn no_room(self: &Arc<Self>) -> Reserved {
        Reserved { meter: self.clone(), levels: self.levels().count(), ahead: Ahead::default() }
    }

    /// Whether the tokens used so far are no more than may be.
    pub(crate) fn check_tokens(&self) -> Result<()> {
        self.levels().try_for_each(|(level, whose)| level.limits.check_tokens(&level.counts().used, whose))
    }

    fn reserve(self: &Arc<Self>, ahead: Ahead) -> Result<Reserved> {
        // Where a caller refuses, what was kept before is let go.
        let mut reserved = Reserved { meter: self.clone(), levels: 0, ahead };
        for (level, whose) in self.levels() {
            level.keep_room(ahead, whose)?;
            reserved.levels += 1;
        }
        Ok(reserved)
    }

    fn keep_room(&self, more: Ahead, whose: &str) -> Result<()> {
        let counts = &mut *self.counts();
        let (requests, tool_calls) =
            (counts.used.requests + counts.ahead.requests, counts.used.tool_calls + counts.ahead.tool_calls);
        if more.requests > 0 {
            self.limits.check_before_request(requests, whose)?;
        }
        self.limits.check_before_calls(tool_calls, more.tool_calls, whose)?;
        counts.ahead.requests += more.requests;
        counts.ahead.tool_calls += more.tool_calls;
        Ok(())
    }

    /// The run's own meter, its caller's, and so on; before each stands in words whose it is.
    fn levels(&self) -> impl Iterator<Item = (&Self, &'static str)> {
        let callers = successors(self.caller.as_deref(), |meter| meter.caller.as_deref());
        once((self, "")).chain(callers.map(|caller| (caller, "caller's ")))
    }

    fn counts(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Room that is kept until what it is for is done, or is not done after all.
#[derive(Debug)]
pub(crate) struct Reserved {
    meter: Arc<Meter>,
    /// How many callers keep it, the run itself included.
    levels: usize,
    ahead: Ahead,
}

impl Reserved {
    /// A request that room was kept for was answered.
    pub(crate) fn request_done(mut self, response: &ModelResponse) {
        self.attempts_failed(&response.failed_attempts);
        let was_ahead = std::mem::take(&mut self.ahead.requests);
        self.update(|counts| {
            counts.ahead.requests -= was_ahead;
            counts.used.requests += 1;
            counts.used.add_tokens(&response.usage);
        });
    }

    /// Attempts at a request came to nothing, which cost tokens all the same.
    pub(crate) fn attempts_failed(&self, attempts: &[FailedAttempt]) {
        for usage in attempts.iter().filter_map(|attempt| attempt.usage.as_ref()) {
            self.update(|counts| counts.used.add_tokens(usage));
        }
    }

    /// A call has ended; only one that gave a result counts. There may have been no room kept for it, as for one that
    /// somebody outside has allowed.
    pub(crate) fn call_ended(&mut self, succeeded: bool) {
        let was_ahead = self.ahead.tool_calls.min(1);
        self.ahead.tool_calls -= was_ahead;
        self.update(|counts| {
            counts.ahead.tool_calls -= was_ahead;
            counts.used.tool_calls += u64::from(succeeded);
        });
    }

    fn update(&self, update: impl Fn(&mut Counts)) {
        self.meter.levels().take(self.levels).for_each(|(level, _)| update(&mut level.counts()));
    }
}

impl Drop for Reserved {
    fn drop(&mut self) {
        let Ahead { requests, tool_calls } = self.ahead;
        self.update(|counts| {
            counts.ahead.requests -= requests;
            counts.ahead.tool_calls -= tool_calls;
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn response(tokens: u64) -> ModelResponse {
        let mut response = ModelResponse::new(Vec::new());
        response.usage.input_tokens = tokens;
        response
    }

    fn nested(limits: UsageLimits) -> (Arc<Meter>, Arc<Meter>) {
        let caller = Meter::new(limits, None);
        (caller.clone(), Meter::new(UsageLimits::none(), Some(caller)))
    }

    #[test]
    fn what_a_run_uses_counts_for_its_callers() {
        let (caller, within) = nested(UsageLimits::none());
        within.reserve_request().expect("no limit").request_done(&response(7));
        caller.reserve_request().expect("no limit").request_done(&response(1));
        let mut calls = within.reserve_calls(2).expect("no limit");
        calls.call_ended(true);
        calls.call_ended(false);
        calls.call_ended(true);
        drop(calls);
        let counts = |meter: &Meter| {
            let used = meter.used();
            (used.requests, used.tool_calls, used.input_tokens, meter.counts().ahead.tool_calls)
        };
        assert_eq!(counts(&within), (1, 2, 7, 0));
        assert_eq!(counts(&caller), (2, 2, 8, 0));
    }

    #[test]
    fn room_is_kept_until_it_is_let_go() {
        let (caller, within) = nested(UsageLimits::none().requests(1).tool_calls(2));
        let request = within.reserve_request().expect("the first");
        let refused = Meter::new(UsageLimits::none(), Some(caller.clone())).reserve_request().expect_err("full");
        assert!(refused.to_string().contains("the caller's request_limit of 1"), "{refused}");
        drop(request);
        let _again = caller.reserve_request().expect("it was not made after all");

        let mut calls = within.reserve_calls(2).expect("room for two");
        assert!(caller.reserve_calls(1).is_err());
        calls.call_ended(false);
        calls.call_ended(true);
        let _last = within.reserve_calls(1).expect("one of them gave nothing");
        assert!(within.reserve_calls(1).is_err());
        assert!(within.reserve_calls(0).is_ok());
        assert_eq!(within.counts().ahead.tool_calls, 1, "what was refused is kept by nobody");
    }

    #[test]
    fn the_tokens_of_a_run_within_are_those_of_its_caller() {
        let (caller, within) = nested(UsageLimits::none().total_tokens(10));
        within.reserve_request().expect("no limit").request_done(&response(10));
        assert!(within.check_tokens().is_ok());
        caller.reserve_request().expect("no limit").request_done(&response(1));
        let passed = within.check_tokens().expect_err("11 of 10");
        assert!(passed.to_string().contains("the caller's run has used 11 tokens"), "{passed}");
    }
}
