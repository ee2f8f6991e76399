//! Ids that are unique in this process and, for all practical purposes, beyond it.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// 32 hex digits: 64 random ones of the process, and a counter.
pub(crate) fn unique() -> String {
    static PROCESS: OnceLock<u64> = OnceLock::new();
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let process = *PROCESS.get_or_init(|| {
        let mut hasher = RandomState::new().build_hasher();
        hasher.write_u128(std::time::SystemTime::UNIX_EPOCH.elapsed().map_or(0, |since| since.as_nanos()));
        hasher.finish()
    });
    format!("{process:016x}{:016x}", NEXT.fetch_add(1, Ordering::Relaxed))
}
