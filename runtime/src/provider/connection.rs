//! How a provider is reached: its key, its address, and what carries the requests.

use std::time::Duration;

use reqwest::Url;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

use super::tokens::Tokens;
use crate::error::{Error, Result};
use crate::http::{AnyTransport, ApiKey, Client, Request, Transport};
use crate::model::ModelSettings;

/// What is the same for all models of a provider.
pub(crate) struct Access {
    /// The provider's name in messages and errors.
    pub(crate) system: &'static str,
    /// The environment variables that may hold the key; the first that does counts.
    pub(crate) key_variables: &'static [&'static str],
    /// The environment variable with another server's URL.
    pub(crate) url_variable: &'static str,
    pub(crate) default_url: &'static str,
    /// The header that carries the key.
    pub(crate) key_header: fn(&ApiKey) -> Result<(HeaderName, HeaderValue)>,
}

/// How a model is reached.
pub(crate) struct Connection {
    /// The provider's name in messages and errors.
    pub(crate) system: &'static str,
    client: Client,
    base_url: Url,
    /// Where the server is, without anything secret.
    pub(crate) shown_url: String,
    key: ApiKey,
    headers: HeaderMap,
}

impl Connection {
    /// The URL of these path segments below the server's.
    ///
    /// # Errors
    ///
    /// Misuse, when the server's URL can have none; it was looked at already, so it does.
    pub(crate) fn endpoint<'s>(&self, segments: impl IntoIterator<Item = &'s str>) -> Result<Url> {
        let mut url = self.base_url.clone();
        url.path_segments_mut()
            .map_err(|()| Error::misuse("the base URL has no path"))?
            .pop_if_empty()
            .extend(segments);
        Ok(url)
    }

    /// The server's host.
    pub(crate) fn host(&self) -> Option<&str> {
        self.base_url.host_str()
    }

    /// Whether the server's URL ends with this path segment.
    pub(crate) fn ends_with(&self, segment: &str) -> bool {
        self.base_url.path_segments().into_iter().flatten().rfind(|segment| !segment.is_empty()) == Some(segment)
    }

    /// A POST of `body`, with the key in its header.
    pub(crate) fn request<'a>(&'a self, url: &'a Url, body: Vec<u8>, settings: &'a ModelSettings) -> Request<'a> {
        Request { provider: self.system, url, headers: self.headers.clone(), key: &self.key, body, settings }
    }

    #[cfg(test)]
    pub(crate) fn headers(&self) -> &HeaderMap {
        &self.headers
    }

    pub(crate) fn client(&self) -> &Client {
        &self.client
    }
}

/// What is said about how a model is reached; the rest comes from the environment.
#[derive(Clone, Default)]
pub(crate) struct ConnectionBuilder {
    pub(crate) key: Option<ApiKey>,
    pub(crate) base_url: Option<String>,
    pub(crate) transport: Option<AnyTransport>,
    pub(crate) first_byte: Option<Duration>,
    /// Where tokens come from that go in place of a key.
    pub(crate) tokens: Option<Tokens>,
}

impl ConnectionBuilder {
    pub(crate) fn transport(&mut self, transport: impl Transport) {
        self.transport = Some(AnyTransport::new(transport));
    }

    /// The connection; `builder` is how the user makes a builder, for errors.
    ///
    /// # Errors
    ///
    /// Misuse, when no key is given or set, when the URL is none, or when no HTTP client can be made.
    pub(crate) fn build(self, access: &Access, builder: &str) -> Result<Connection> {
        let key = self.key.clone().or_else(|| access.key_variables.iter().find_map(|name| ApiKey::from_env(name)));
        let key = key.ok_or_else(|| {
            let variables = access.key_variables.join(" or ");
            Error::misuse(format!("no API key: set {variables}, or give one with `{builder}.api_key(…)`"))
        })?;
        let from_env = || std::env::var(access.url_variable).ok().filter(|url| !url.trim().is_empty());
        let base_url = self.base_url.clone().or_else(from_env);
        let headers = HeaderMap::from_iter([(access.key_header)(&key)?]);
        let base_url = base_url.as_deref().unwrap_or(access.default_url);
        self.open(access.system, (base_url, access.url_variable), key, headers)
    }

    /// The connection to a server at a URL, which a variable of the environment may say; every request has these headers.
    ///
    /// # Errors
    ///
    /// Misuse, when the URL is none, or when no HTTP client can be made.
    pub(crate) fn open(
        self,
        system: &'static str,
        (url, variable): (&str, &str),
        key: ApiKey,
        headers: HeaderMap,
    ) -> Result<Connection> {
        let (base_url, shown_url) = read_url(url, variable)?;
        let client = self.transport.map_or_else(Client::new, |transport| Ok(Client::over(transport)))?;
        let client = match self.first_byte {
            Some(limit) => client.first_byte(limit),
            None => client,
        };
        Ok(Connection { system, client, base_url, shown_url, key, headers })
    }
}

/// The URL, and the same without user, password and query.
fn read_url(text: &str, variable: &str) -> Result<(Url, String)> {
    let misuse =
        || Error::misuse(format!("the base URL is no http or https URL; it is set by `base_url` or by {variable}"));
    let url = Url::parse(text.trim()).map_err(|error| misuse().with_source(error))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(misuse());
    }
    let mut shown = url.clone();
    shown.set_query(None);
    // Both only fail for URLs without a host, which these have.
    let _ = (shown.set_username(""), shown.set_password(None));
    Ok((url, shown.into()))
}

/// The methods of a model's builder that say how it is reached. The builder has a `name`, a `connection` and `settings`; `key` and `url`
/// are the environment variables that they stand over, and `example` is a URL.
macro_rules! connection_methods {
    ($builder:ident, key: $key:literal, url: $url:literal, example: $example:literal) => {
        impl $builder {
            #[doc = concat!("The API key, instead of the one in `", $key, "`. It is never shown. A server that wants none is given any.")]
            #[must_use]
            pub fn api_key(mut self, key: impl AsRef<str>) -> Self {
                self.connection.key = Some($crate::http::ApiKey::new(key.as_ref()));
                self
            }

            #[doc = concat!("Where the API is, such as `", $example, "`, instead of where `", $url, "` says.")]
            #[must_use]
            pub fn base_url(mut self, url: impl Into<String>) -> Self {
                self.connection.base_url = Some(url.into());
                self
            }

            /// The HTTP client, with whatever proxies and certificates it has. It should follow no redirects, as the library's
            /// own client does not. That one is shared by all models that are given none, and has a thread for its connections.
            #[must_use]
            pub fn client(self, client: reqwest::Client) -> Self {
                self.transport(client)
            }

            /// What carries requests, in place of an HTTP client; see [`Transport`](crate::provider::Transport).
            #[must_use]
            pub fn transport(mut self, transport: impl $crate::provider::Transport) -> Self {
                self.connection.transport(transport);
                self
            }

            /// How long the server may take to begin its reply, and be silent within a streamed one; five minutes unless set. A
            /// reply that does not begin is asked for again, as often as
            /// [`ModelSettings::max_retries`](crate::ModelSettings::max_retries) says.
            #[must_use]
            pub fn first_byte_timeout(mut self, limit: std::time::Duration) -> Self {
                self.connection.first_byte = Some(limit);
                self
            }

            /// The model's own settings, under those of agents and runs.
            #[must_use]
            pub fn settings(mut self, settings: $crate::ModelSettings) -> Self {
                self.settings = settings;
                self
            }
        }

        impl std::fmt::Debug for $builder {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_struct(stringify!($builder)).field("name", &self.name).finish_non_exhaustive()
            }
        }
    };
}
pub(crate) use connection_methods;
