//! How many tokens a piece of work took: a request, or a run.

use crate::usage::{RequestUsage, RunUsage};

/// How many tokens a piece of work took.
pub(super) struct Tokens {
    pub(super) input: u64,
    pub(super) output: u64,
    pub(super) cache_read: u64,
    pub(super) cache_write: u64,
}

impl From<&RequestUsage> for Tokens {
    fn from(usage: &RequestUsage) -> Self {
        Self {
            input: usage.input_tokens,
            output: usage.output_tokens,
            cache_read: usage.cache_read_tokens,
            cache_write: usage.cache_write_tokens,
        }
    }
}

impl From<&RunUsage> for Tokens {
    fn from(usage: &RunUsage) -> Self {
        Self {
            input: usage.input_tokens,
            output: usage.output_tokens,
            cache_read: usage.cache_read_tokens,
            cache_write: usage.cache_write_tokens,
        }
    }
}
