//! Who searches hidden tools, and how.

/// How tools that are hidden until found are searched, as models are told (specification: "Tool Search").
///
/// An agent's [`ToolSearch`](crate::ToolSearch) says it; who runs the search follows from it and from the model: the
/// provider, the application by way of the provider's own search, or the application by a function tool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SearchStrategy {
    /// The provider's own search where it has one; else keywords.
    #[default]
    Automatic,
    /// Keywords, by the application.
    Keywords,
    /// A function of the application's.
    Custom,
    /// The provider's own, by BM25.
    Bm25,
    /// The provider's own, by regular expressions that the model writes.
    Regex,
}

impl SearchStrategy {
    /// Whether only a provider can search so.
    #[must_use]
    pub fn is_only_the_providers(self) -> bool {
        matches!(self, Self::Bm25 | Self::Regex)
    }

    /// The name by which it is called.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Automatic => "automatic",
            Self::Keywords => "keywords",
            Self::Custom => "custom",
            Self::Bm25 => "bm25",
            Self::Regex => "regex",
        }
    }
}
