//! Whether spans hold what conversations hold.

/// Whether spans hold what conversations hold; no, unless the agent or the run says so.
#[derive(Clone, Copy, Default)]
pub(crate) struct ContentSwitch(Option<bool>);

impl ContentSwitch {
    pub(crate) fn new(content: bool) -> Self {
        Self(Some(content))
    }

    /// This, with what `over` says in place of it.
    pub(crate) fn merged(self, over: Self) -> Self {
        Self(over.0.or(self.0))
    }

    pub(super) fn is_on(self) -> bool {
        self.0.unwrap_or(false)
    }
}
