//! Whether a failed request is sent again, and when.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::{Duration, SystemTime};

use reqwest::header::{HeaderMap, RETRY_AFTER};
use serde::Deserialize;

/// The first pause; each next one is twice as long.
const FIRST: Duration = Duration::from_millis(500);
/// The longest pause of our own choosing.
const LONGEST: Duration = Duration::from_secs(8);
/// The longest pause that a server may ask for. When it wants a longer one, the error goes to the caller at once: trying
/// earlier would be rude, and waiting longer is not for the library to decide.
const LONGEST_ASKED: Duration = Duration::from_secs(60);

/// Counts the attempts of one request.
pub(super) struct Backoff {
    left: u32,
    next: Duration,
}

impl Backoff {
    pub(super) fn new(max_retries: u32) -> Self {
        Self { left: max_retries, next: FIRST }
    }

    /// How long to wait for the next attempt; `None` for no further one. `asked` is what the server wants.
    pub(super) fn pause(&mut self, asked: Option<Duration>) -> Option<Duration> {
        self.left = self.left.checked_sub(1)?;
        let own = self.next;
        self.next = (own * 2).min(LONGEST);
        match asked {
            Some(asked) if asked > LONGEST_ASKED => None,
            Some(asked) => Some(asked),
            None => Some(jittered(own)),
        }
    }
}

/// Between three quarters and all of `pause`, so that clients that failed together do not come back together.
fn jittered(pause: Duration) -> Duration {
    let random = RandomState::new().build_hasher().finish() % 1024;
    pause - pause / 4 * u32::try_from(random).unwrap_or_default() / 1024
}

/// The pause that a server asks for: `retry-after-ms`, or `Retry-After` in seconds or as a date.
pub(super) fn asked_pause(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let text = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    if let Some(pause) = text("retry-after-ms").and_then(|text| seconds(text, 1000.0)) {
        return Some(pause);
    }
    let asked = text(RETRY_AFTER.as_str())?;
    seconds(asked, 1.0).or_else(|| {
        let date = jiff::fmt::rfc2822::DateTimeParser::new().parse_timestamp(asked).ok()?;
        Some(SystemTime::from(date).duration_since(now).unwrap_or_default())
    })
}

/// The pause that the body of a refusal asks for, as Google's do, which have no header for it.
pub(super) fn asked_pause_in(body: &[u8]) -> Option<Duration> {
    #[derive(Deserialize)]
    struct Body {
        error: Refusal,
    }
    #[derive(Deserialize)]
    struct Refusal {
        details: Vec<Detail>,
    }
    #[derive(Deserialize)]
    struct Detail {
        #[serde(rename = "retryDelay")]
        retry_delay: Option<String>,
    }
    let body: Body = serde_json::from_slice(body).ok()?;
    body.error.details.iter().find_map(|detail| seconds(detail.retry_delay.as_deref()?.strip_suffix('s')?, 1.0))
}

fn seconds(text: &str, per_second: f64) -> Option<Duration> {
    let number: f64 = text.parse().ok()?;
    Duration::try_from_secs_f64(number / per_second).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqwest::header::{HeaderName, HeaderValue};

    fn asked(name: &'static str, value: &'static str, now: u64) -> Option<Duration> {
        let headers = HeaderMap::from_iter([(HeaderName::from_static(name), HeaderValue::from_static(value))]);
        asked_pause(&headers, SystemTime::UNIX_EPOCH + Duration::from_secs(now))
    }

    #[test]
    fn pauses_grow_up_to_a_limit_and_end() {
        let mut backoff = Backoff::new(7);
        let pauses: Vec<_> = std::iter::from_fn(|| backoff.pause(None)).collect();
        assert_eq!(pauses.len(), 7);
        for (pause, longest) in pauses.iter().zip([500, 1000, 2000, 4000, 8000, 8000, 8000]) {
            let longest = Duration::from_millis(longest);
            assert!(*pause <= longest && *pause >= longest * 3 / 4, "{pause:?} {longest:?}");
        }
        assert_eq!(Backoff::new(0).pause(None), None);
    }

    #[test]
    fn the_server_is_listened_to_within_reason() {
        let mut backoff = Backoff::new(9);
        assert_eq!(backoff.pause(Some(Duration::ZERO)), Some(Duration::ZERO));
        assert_eq!(backoff.pause(Some(Duration::from_secs(60))), Some(Duration::from_secs(60)));
        assert_eq!(backoff.pause(Some(Duration::from_secs(61))), None);
    }

    #[test]
    fn every_form_of_retry_after_is_read() {
        assert_eq!(asked("retry-after-ms", "250", 0), Some(Duration::from_millis(250)));
        assert_eq!(asked("retry-after", "3", 0), Some(Duration::from_secs(3)));
        assert_eq!(asked("retry-after", "0.5", 0), Some(Duration::from_millis(500)));
        assert_eq!(asked("retry-after", "Thu, 01 Jan 1970 00:01:40 GMT", 40), Some(Duration::from_secs(60)));
        assert_eq!(asked("retry-after", "Thu, 01 Jan 1970 00:01:40 GMT", 400), Some(Duration::ZERO));
        for nonsense in ["", "soon", "-1", "NaN", "1e400"] {
            assert_eq!(asked("retry-after", nonsense, 0), None, "{nonsense}");
        }
    }

    #[test]
    fn a_body_may_ask_for_a_pause() {
        let body = r#"{"error": {"code": 429, "details": [{"@type": "type.googleapis.com/google.rpc.Help", "links": []},
            {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "1.5s"}]}}"#;
        assert_eq!(asked_pause_in(body.as_bytes()), Some(Duration::from_millis(1500)));
        for nothing in
            ["", "[]", r#"{"error": "no"}"#, r#"{"error": {"details": [{"retryDelay": "soon"}, {"retryDelay": "s"}]}}"#]
        {
            assert_eq!(asked_pause_in(nothing.as_bytes()), None, "{nothing}");
        }
    }
}
