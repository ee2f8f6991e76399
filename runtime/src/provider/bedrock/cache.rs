//! How the API is told up to where it is to cache a request: by a block of its own behind what is cached.

use crate::message::CacheTtl;
use crate::provider::cache::CachePlan;

impl CachePlan {
    /// Lets nothing be remembered for longer than the model can.
    pub(super) fn at_most(mut self, longest: CacheTtl) -> Self {
        let places = self.tools.iter_mut().chain(self.system.iter_mut());
        places.chain(self.messages.iter_mut().map(|(_, ttl)| ttl)).for_each(|ttl| *ttl = longest.min(*ttl));
        self
    }
}

/// How a place is marked.
const FIVE_MINUTES: &[u8] = br#",{"cachePoint":{"type":"default","ttl":"5m"}}"#;
const HOUR: &[u8] = br#",{"cachePoint":{"type":"default","ttl":"1h"}}"#;
pub(super) const MARKS: [&[u8]; 2] = [FIVE_MINUTES, HOUR];

/// Appends a block that is a place, behind another block.
pub(super) fn append_place(out: &mut Vec<u8>, ttl: CacheTtl) {
    out.extend_from_slice(match ttl {
        CacheTtl::FiveMinutes => FIVE_MINUTES,
        CacheTtl::Hour => HOUR,
    });
}

/// Appends items that are each followed by a comma as a JSON array, with a place behind them.
pub(super) fn append_list(out: &mut Vec<u8>, items: &[u8], place: Option<CacheTtl>) {
    out.push(b'[');
    out.extend_from_slice(items.strip_suffix(b",").unwrap_or(items));
    if let Some(ttl) = place {
        append_place(out, ttl);
    }
    out.push(b']');
}
