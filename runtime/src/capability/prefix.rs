//! A prefix for the tools of one capability.

use super::{Capability, delegate};
use crate::toolset::{AnyToolset, ToolsetExt};

/// Puts a prefix before the names of the tools that a capability brings; other tools of the agent keep theirs. Made with
/// [`CapabilityExt::prefix_tools`](super::CapabilityExt::prefix_tools), too.
#[derive(Debug)]
pub struct PrefixTools<C> {
    prefix: String,
    inner: C,
}

impl<C> PrefixTools<C> {
    /// Puts `prefix` and an underscore before the names of the tools of `capability`.
    #[must_use]
    pub fn new(prefix: impl Into<String>, capability: C) -> Self {
        Self { prefix: prefix.into(), inner: capability }
    }
}

impl<D: Send + Sync + 'static, C: Capability<D>> Capability<D> for PrefixTools<C> {
    fn toolsets(&self) -> Vec<AnyToolset<D>> {
        let prefixed = |toolset: AnyToolset<D>| toolset.prefixed(self.prefix.as_str()).boxed();
        self.inner.toolsets().into_iter().map(prefixed).collect()
    }

    delegate!(id description defer_loading hooks);
}
