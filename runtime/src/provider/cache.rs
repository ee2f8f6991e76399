//! Up to where a provider is to cache a request.
//!
//! Some APIs cache what they are told to, up to four places, of which one that comes later is never remembered for longer than
//! one before it.

use crate::message::CacheTtl;

/// The most places of a request.
const MOST: usize = 4;

/// What is cached without being said in prompts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CacheSettings {
    pub(crate) tools: Option<CacheTtl>,
    pub(crate) instructions: Option<CacheTtl>,
    pub(crate) history: Option<CacheTtl>,
}

/// The places of one request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CachePlan {
    pub(crate) tools: Option<CacheTtl>,
    pub(crate) system: Option<CacheTtl>,
    /// In the messages, by position, in order.
    pub(crate) messages: Vec<(usize, CacheTtl)>,
}

/// What of a request can be cached.
pub(crate) struct Cacheable<'a> {
    pub(crate) has_tools: bool,
    pub(crate) has_system: bool,
    /// Where the last place of the messages can be.
    pub(crate) end: Option<usize>,
    /// Where prompts say so.
    pub(crate) points: &'a [(usize, CacheTtl)],
}

impl CachePlan {
    /// The places of a request. Where there are too many, the oldest of the conversation go.
    pub(crate) fn of(settings: CacheSettings, request: &Cacheable<'_>) -> Self {
        let mut plan = Self {
            tools: settings.tools.filter(|_| request.has_tools),
            system: settings.instructions.filter(|_| request.has_system),
            messages: request.points.to_vec(),
        };
        let end = settings.history.and_then(|ttl| Some((request.end?, ttl)));
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

    /// Appends messages, with the places among them, each as `append_place` writes it.
    pub(crate) fn append_messages(&self, out: &mut Vec<u8>, messages: &[u8], append_place: fn(&mut Vec<u8>, CacheTtl)) {
        let mut written = 0;
        for (at, ttl) in &self.messages {
            out.extend_from_slice(&messages[written..*at]);
            append_place(out, *ttl);
            written = *at;
        }
        out.extend_from_slice(&messages[written..]);
    }
}

/// How a block says that it is a place.
const FIVE_MINUTES: &[u8] = br#","cache_control":{"type":"ephemeral","ttl":"5m"}"#;
const HOUR: &[u8] = br#","cache_control":{"type":"ephemeral","ttl":"1h"}"#;
pub(crate) const CACHE_CONTROLS: [&[u8]; 2] = [FIVE_MINUTES, HOUR];

/// Appends to an object that it is a place, as Claude's API has it.
pub(crate) fn append_cache_control(out: &mut Vec<u8>, ttl: CacheTtl) {
    out.extend_from_slice(match ttl {
        CacheTtl::FiveMinutes => FIVE_MINUTES,
        CacheTtl::Hour => HOUR,
    });
}

#[cfg(test)]
mod tests {
    use super::CacheTtl::{FiveMinutes, Hour};
    use super::*;

    const MESSAGES: &[u8] = b"[a][b][c]";
    const END: usize = MESSAGES.len() - 1;

    fn plan(settings: CacheSettings, points: &[(usize, CacheTtl)]) -> CachePlan {
        CachePlan::of(settings, &Cacheable { has_tools: true, has_system: true, end: Some(END), points })
    }

    #[test]
    fn places_are_where_prompts_and_settings_say() {
        let settings = CacheSettings { tools: Some(FiveMinutes), instructions: None, history: Some(FiveMinutes) };
        let made = plan(settings, &[(2, FiveMinutes)]);
        assert_eq!((made.tools, made.system), (Some(FiveMinutes), None));
        assert_eq!(made.messages, [(2, FiveMinutes), (END, FiveMinutes)]);
        let mut out = Vec::new();
        made.append_messages(&mut out, MESSAGES, |out, _| out.push(b'!'));
        assert_eq!(String::from_utf8_lossy(&out), "[a!][b][c!]");
        assert_eq!(plan(CacheSettings::default(), &[]), CachePlan::default());
        let nothing = Cacheable { has_tools: false, has_system: false, end: None, points: &[] };
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
        newest(all, &[5, END]);
    }

    #[test]
    fn no_place_outlives_one_before_it() {
        let minutes = CacheSettings { tools: Some(FiveMinutes), instructions: Some(FiveMinutes), history: None };
        let made = plan(minutes, &[(2, Hour), (END, FiveMinutes)]);
        assert_eq!((made.tools, made.system), (Some(Hour), Some(Hour)));
        assert_eq!(made.messages, [(2, Hour), (END, FiveMinutes)]);
        let history = CacheSettings { history: Some(Hour), ..CacheSettings::default() };
        assert_eq!(plan(history, &[(END, FiveMinutes)]).messages, [(END, FiveMinutes)], "a prompt knows better");
        assert_eq!(plan(history, &[(2, FiveMinutes)]).messages, [(2, Hour), (END, Hour)]);
        assert_eq!(plan(history, &[(2, FiveMinutes), (2, Hour)]).messages[0], (2, Hour));
    }
}
