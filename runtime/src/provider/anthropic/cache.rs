//! How the API is told up to where it is to cache a request: a place is a block that says so.

use crate::message::CacheTtl;
use crate::provider::blocks::MESSAGE_END;
use crate::provider::cache::append_cache_control;

/// How a message of the system's ends, behind its last block.
pub(super) const SYSTEM_END: &[u8] = br#"],"role":"system"},"#;

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

/// Within the last block of these messages, where it says that it is a place. Thoughts cannot be one.
pub(super) fn last_block_end(messages: &[u8]) -> Option<usize> {
    let thoughts = [br#""type":"thinking"}"#.as_slice(), br#""type":"redacted_thinking"}"#];
    let blocks = messages.strip_suffix(MESSAGE_END).or_else(|| messages.strip_suffix(SYSTEM_END))?;
    (!thoughts.iter().any(|end| blocks.ends_with(end))).then(|| blocks.len() - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_within_a_block() {
        let mut out = Vec::new();
        append_list(&mut out, br#"{"a":1},{"b":2},"#, Some(CacheTtl::Hour));
        let expected = r#"[{"a":1},{"b":2,"cache_control":{"type":"ephemeral","ttl":"1h"}}]"#;
        assert_eq!(String::from_utf8_lossy(&out), expected);
        out.clear();
        append_list(&mut out, br#"{"a":1},"#, None);
        assert_eq!(String::from_utf8_lossy(&out), r#"[{"a":1}]"#);
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
