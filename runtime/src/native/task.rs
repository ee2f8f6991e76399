//! What tools of providers do, and within which limits.

use serde::Serialize;

use crate::json::Json;

/// What a tool of a provider does.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum NativeTask {
    /// Searches the web.
    WebSearch(WebSearch),
    /// Reads pages of the web.
    WebFetch(WebFetch),
    /// Runs code that the model writes.
    CodeExecution(CodeExecution),
    /// What only one provider has.
    Provider(ProviderTool),
}

/// Searches the web.
#[derive(Clone, Debug, Default, PartialEq)]
#[must_use]
pub struct WebSearch {
    pub(crate) sites: Sites,
    pub(crate) max_uses: Option<u32>,
    pub(crate) user_location: Option<UserLocation>,
}

/// Reads pages of the web.
#[derive(Clone, Debug, Default, PartialEq)]
#[must_use]
pub struct WebFetch {
    pub(crate) sites: Sites,
    pub(crate) max_uses: Option<u32>,
}

/// Runs code that the model writes, at the provider.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[must_use]
#[non_exhaustive]
pub struct CodeExecution;

/// Which sites a tool may use: all, unless one of the lists says otherwise.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Sites {
    pub(crate) allowed: Vec<String>,
    pub(crate) blocked: Vec<String>,
}

impl Sites {
    #[cfg(feature = "google")]
    pub(crate) fn are_limited(&self) -> bool {
        !self.allowed.is_empty() || !self.blocked.is_empty()
    }
}

/// Where the user is, as providers want to be told.
#[cfg(any(feature = "anthropic", feature = "openai"))]
#[derive(Serialize)]
pub(crate) struct Located<'a> {
    r#type: &'static str,
    #[serde(flatten)]
    location: &'a UserLocation,
}

#[cfg(any(feature = "anthropic", feature = "openai"))]
impl<'a> Located<'a> {
    pub(crate) fn at(location: &'a UserLocation) -> Self {
        Self { r#type: "approximate", location }
    }
}

/// Where the user is, roughly; what is not known is left out.
///
/// ```
/// use toolwright::native::{UserLocation, WebSearch};
///
/// let mut oslo = UserLocation::default();
/// oslo.city = Some("Oslo".to_owned());
/// oslo.country = Some("NO".to_owned());
/// let search = WebSearch::new().user_location(oslo);
/// # let _ = search;
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct UserLocation {
    /// The city.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub city: Option<String>,
    /// The country, by its two letters (ISO 3166-1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub country: Option<String>,
    /// The region or state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
    /// The time zone, by its IANA name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timezone: Option<String>,
}

impl WebSearch {
    /// The kind of such tools, for `unless_native`.
    pub const KIND: &'static str = "web_search";

    /// A search without limits.
    pub fn new() -> Self {
        Self::default()
    }

    /// How often it may search while one response is made: a limit that Anthropic alone keeps.
    pub fn max_uses(mut self, uses: u32) -> Self {
        self.max_uses = Some(uses);
        self
    }

    /// Where the user is, as a hint; Google does not take it.
    pub fn user_location(mut self, location: UserLocation) -> Self {
        self.user_location = Some(location);
        self
    }
}

impl WebFetch {
    /// The kind of such tools, for `unless_native`.
    pub const KIND: &'static str = "web_fetch";

    /// A reader of any page.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many pages it may read while one response is made: a limit that Anthropic alone keeps.
    pub fn max_uses(mut self, uses: u32) -> Self {
        self.max_uses = Some(uses);
        self
    }
}

macro_rules! sites {
    ($tool:ident) => {
        impl $tool {
            /// The only sites that it may use, such as `docs.rs`. Anthropic takes this or
            /// [`blocked_domains`](Self::blocked_domains), not both; Google neither.
            pub fn allowed_domains<S: Into<String>>(mut self, domains: impl IntoIterator<Item = S>) -> Self {
                self.sites.allowed.extend(domains.into_iter().map(Into::into));
                self
            }

            /// Sites that it may not use: Anthropic alone keeps them out.
            pub fn blocked_domains<S: Into<String>>(mut self, domains: impl IntoIterator<Item = S>) -> Self {
                self.sites.blocked.extend(domains.into_iter().map(Into::into));
                self
            }
        }
    };
}
sites!(WebSearch);
sites!(WebFetch);

impl CodeExecution {
    /// The kind of such tools, for `unless_native`.
    pub const KIND: &'static str = "code_execution";

    /// A place to run code.
    pub fn new() -> Self {
        Self
    }
}

/// A tool that only one provider has, in that provider's own words.
///
/// ```
/// use serde_json::json;
/// use toolwright::native::ProviderTool;
///
/// let files = ProviderTool::new("openai", "file_search", json!({"type": "file_search", "vector_store_ids": ["vs_1"]}));
/// # let _ = files;
/// ```
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub struct ProviderTool {
    provider: String,
    kind: String,
    definition: Json,
}

impl ProviderTool {
    /// The tool of this `kind`, for models whose [`system`](crate::Model::system) is `provider`; `definition` is sent among the
    /// tools of each request as it is.
    pub fn new(provider: impl Into<String>, kind: impl Into<String>, definition: impl Into<Json>) -> Self {
        Self { provider: provider.into(), kind: kind.into(), definition: definition.into() }
    }

    /// The provider that has it.
    #[must_use]
    pub fn provider(&self) -> &str {
        &self.provider
    }

    /// What kind of tool it is, for `unless_native`.
    #[must_use]
    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// What is sent of it.
    #[must_use]
    pub fn definition(&self) -> &Json {
        &self.definition
    }
}

macro_rules! tasks {
    ($($tool:ident: $variant:ident),*) => {
        $(
            impl From<$tool> for NativeTask {
                fn from(tool: $tool) -> Self {
                    Self::$variant(tool)
                }
            }
        )*
    };
}
tasks!(WebSearch: WebSearch, WebFetch: WebFetch, CodeExecution: CodeExecution, ProviderTool: Provider);
