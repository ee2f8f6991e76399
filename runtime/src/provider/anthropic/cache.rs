//! Up to where the provider is to cache a request.
//!
//! The API caches what it is told to, up to four places, of which one that comes later is never remembered for longer than one
//! before it. A place is a block that says so.

use crate::message::CacheTtl;

/// The most places of a request.
const MOST: usize = 4;

/// How a message ends, behind its last block; and how one of the system's does.
pub(super) const MESSAGE_END: &[u8] = b"]},";
pub(super) const SYSTEM_END: &[u8] = br#"],"role":"system"},"#;

/// What is cached without being said in prompts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct CacheSettings {
    pub(super) tools: Option<CacheTtl>,
    pub(super) instructions: Option<CacheTtl>,
    pub(super) history: Option<CacheTtl>,
}

/// The places of one request.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct CachePlan {
    pub(super) tools: Option<CacheTtl>,
    pub(super) system: Option<CacheTtl>,
    /// In the messages, by position, in order.
    pub(super) messages: Vec<(usize, CacheTtl)>,
}

/// What of a request can be cached.
pub(super) struct Cacheable<'a> {
    pub(super) has_tools: bool,
    pub(super) has_system: bool,
    pub(super) messages: &'a [u8],
    /// Where prompts say so.
    pub(super) points: &'a [(usize, CacheTtl)],
}

impl CachePlan {
    /// The places of a request. Where there are too many, the oldest of the conversation go.
    pub(super) fn of(settings: CacheSettings, request: &Cacheable<'_>) -> Self {
        let mut plan = Self {
            tools: settings.tools.filter(|_| request.has_tools),
            system: settings.instructions.filter(|_| request.has_system),
            messages: request.points.to_vec(),
        };
        let end = settings.history.and_then(|ttl| Some((last_block_end(request.messages)?, ttl)));
        // What a prompt says of its own end counts.
        plan.messages.extend(end.filter(|(end, _)| request.points.iter().all(|(at, _)| at != end)));
        plan.messages.sort_by_key(|(at, _)| *at);
        plan.messages.dedup_by(|later, earlier| {
            let is_same = later.0 == earlier.0;
            if is_same {
                earlier.1 = earlier.1.max(later.1);
            }
            is_same
        });
        let taken = usize::from(plan.tools.is_some()) + usize::from(plan.system.is_some());
        plan.messages.drain(..plan.messages.len().saturating_sub(MOST - taken));
        plan.order();
        plan
    }

    /// Lets every place be remembered at least as long as those after it.
    fn order(&mut self) {
        let mut longest = CacheTtl::default();
        let places = self.tools.iter_mut().chain(self.system.iter_mut());
        let in_messages = self.messages.iter_mut().map(|(_, ttl)| ttl);
        for ttl in places.chain(in_messages).rev() {
            longest = longest.max(*ttl);
            *ttl = longest;
        }
    }

    /// Appends messages, with the places among them.
    pub(super) fn append_messages(&self, out: &mut Vec<u8>, messages: &[u8]) {
        let mut written = 0;
        for (at, ttl) in &self.messages {
            out.extend_from_slice(&messages[written..*at]);
            append_cache_control(out, *ttl);
            written = *at;
        }
        out.extend_from_slice(&messages[written..]);
    }
}

/// Appends items that are each followed by a comma as a JSON array, the last of which is a place.
pub(super) fn append_list(out: &mut Vec<u8>, items: &[u8], place: Option<CacheTtl>) {
    out.push(b'[');
    match (items.strip_suffix(b"},"), place) {
        (Some(items), Some(ttl)) => {
            out.extend_from_slice(items);
            append_cache_control(out, ttl);
            out.push(b'}');
        }
        _ => out.extend_from_slice(items.strip_suffix(b",").unwrap_or(items)),
    }
    out.push(b']');
}

pub(super) fn append_cache_control(out: &mut Vec<u8>, ttl: CacheTtl) {
    out.extend_from_slice(match ttl {
        CacheTtl::FiveMinutes => br#","cache_control":{"type":"ephemeral","ttl":"5m"}"#,
        CacheTtl::Hour => br#","cache_control":{"type":"ephemeral","ttl":"1h"}"#,
    });
}

/// Within the last block of these messages, where it says that it is a place. Thoughts cannot be one.
pub(super) fn last_block_end(messages: &[u8]) -> Option<usize> {
    let thoughts = [br#""type":"thinking"}"#.as_slice(), br#""type":"redacted_thinking"}"#];
    let blocks = messages.strip_suffix(MESSAGE_END).or_else(|| messages.strip_suffix(SYSTEM_END))?;
    (!thoughts.iter().any(|end| blocks.ends_with(end))).then(|| blocks.len() - 1)
}

#[cfg(test)]
mod tests {
    use super::CacheTtl::{FiveMinutes, Hour};
    use super::*;

    const MESSAGES: &[u8] = br#"{"role":"user","content":[{"a":1},{"b":2}]},{"role":"user","content":[{"c":3}]},"#;
    const C: usize = MESSAGES.len() - 4;

    fn plan(settings: CacheSettings, points: &[(usize, CacheTtl)]) -> CachePlan {
        CachePlan::of(settings, &Cacheable { has_tools: true, has_system: true, messages: MESSAGES, points })
    }

    #[test]
    fn places_are_where_prompts_and_settings_say() {
        let settings = CacheSettings { tools: Some(FiveMinutes), instructions: None, history: Some(FiveMinutes) };
        let made = plan(settings, &[(32, FiveMinutes)]);
        assert_eq!((made.tools, made.system), (Some(FiveMinutes), None));
        assert_eq!(made.messages, [(32, FiveMinutes), (C, FiveMinutes)]);
        let mut out = Vec::new();
        made.append_messages(&mut out, MESSAGES);
        let place = r#","cache_control":{"type":"ephemeral","ttl":"5m"}}"#;
        let expected = format!(
            r#"{{"role":"user","content":[{{"a":1{place},{{"b":2}}]}},{{"role":"user","content":[{{"c":3{place}]}},"#
        );
        assert_eq!(String::from_utf8_lossy(&out), expected);
        assert_eq!(plan(CacheSettings::default(), &[]), CachePlan::default());
        let nothing = Cacheable { has_tools: false, has_system: false, messages: b"", points: &[] };
        let all = CacheSettings { tools: Some(Hour), instructions: Some(Hour), history: Some(Hour) };
        assert_eq!(CachePlan::of(all, &nothing), CachePlan::default());
    }

    #[test]
    fn there_are_four_at_most_and_the_newest_count() {
        let points: Vec<_> = [1, 2, 3, 4, 4, 5].map(|at| (at, FiveMinutes)).into();
        let newest = |settings, expected: &[usize]| {
            let made = plan(settings, &points).messages;
            assert_eq!(made.iter().map(|(at, _)| *at).collect::<Vec<_>>(), expected);
        };
        newest(CacheSettings::default(), &[2, 3, 4, 5]);
        let all =
            CacheSettings { tools: Some(FiveMinutes), instructions: Some(FiveMinutes), history: Some(FiveMinutes) };
        newest(all, &[5, C]);
    }

    #[test]
    fn no_place_outlives_one_before_it() {
        let minutes = CacheSettings { tools: Some(FiveMinutes), instructions: Some(FiveMinutes), history: None };
        let made = plan(minutes, &[(32, Hour), (C, FiveMinutes)]);
        assert_eq!((made.tools, made.system), (Some(Hour), Some(Hour)));
        assert_eq!(made.messages, [(32, Hour), (C, FiveMinutes)]);
        let history = CacheSettings { history: Some(Hour), ..CacheSettings::default() };
        assert_eq!(plan(history, &[(C, FiveMinutes)]).messages, [(C, FiveMinutes)], "a prompt knows better");
        assert_eq!(plan(history, &[(32, FiveMinutes)]).messages, [(32, Hour), (C, Hour)]);
        assert_eq!(plan(history, &[(32, FiveMinutes), (32, Hour)]).messages[0], (32, Hour));
    }

    #[test]
    fn thoughts_are_no_place() {
        assert_eq!(last_block_end(br#"{"role":"assistant","content":[{"thinking":"","type":"thinking"}]},"#), None);
        let text = br#"{"role":"assistant","content":[{"type":"text","text":""type":"thinking""}]},"#;
        assert_eq!(last_block_end(text), Some(text.len() - 4));
        let system = br#"{"content":[{"a":1}],"role":"system"},"#;
        assert_eq!(last_block_end(system), Some(18));
        assert_eq!(last_block_end(b""), None);
    }
}
