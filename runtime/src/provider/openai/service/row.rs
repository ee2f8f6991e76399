//! What is the same for all models of a service.

use reqwest::Url;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};

use super::place::{Addressee, Environment, Place, said};
use crate::error::{Error, Result};
use crate::http::{AnyTransport, ApiKey};
use crate::provider::chat::ChatProfile;
use crate::provider::connection::{Connection, ConnectionBuilder};
use crate::provider::tokens::Authorized;

/// What is the same for all models of a service.
pub(super) struct Row {
    /// Its name in messages, errors and model names.
    pub(super) name: &'static str,
    pub(super) key: Key,
    pub(super) place: Place,
    /// Headers of every request.
    pub(super) headers: &'static [(&'static str, Header)],
    /// Where on it a model is asked.
    pub(super) endpoint: fn(&Connection, &Addressee<'_>) -> Result<Url>,
    /// What is known of a model by its name.
    pub(super) profile: fn(&str) -> ChatProfile,
}

/// How a service knows who asks.
pub(super) enum Key {
    /// By a key in one of these variables.
    In(&'static [&'static str]),
    /// The same, where the server wants one at all.
    MayBeIn(&'static [&'static str]),
    /// By a key in this variable, in a header of its own; `Authorization` is for tokens.
    InOwnHeader(&'static str, &'static str),
}

/// What a header says.
pub(super) enum Header {
    Always(&'static str),
    /// What a variable says, or else this.
    Variable(&'static str, Option<&'static str>),
}

impl Row {
    /// Opens a connection, and says where on it a model is asked.
    ///
    /// # Errors
    ///
    /// Misuse, when a key or a URL is missing or none, or when no HTTP client can be made.
    pub(super) fn connect(
        &self,
        mut connection: ConnectionBuilder,
        addressee: &Addressee<'_>,
        environment: Environment<'_>,
    ) -> Result<(Connection, Url)> {
        let url = match connection.base_url.take() {
            Some(url) => url,
            None => self.place.url(self.name, environment)?,
        };
        let mut headers = HeaderMap::new();
        let key = match connection.tokens.take() {
            Some(tokens) => {
                let inner = connection.transport.take().map_or_else(AnyTransport::own, Ok)?;
                connection.transport(Authorized { inner, tokens, system: self.name });
                ApiKey::new("")
            }
            None => self.authorize(&mut headers, &connection, &url, environment)?,
        };
        for (name, header) in self.headers {
            let value = match header {
                Header::Always(value) => Some((*value).to_owned()),
                Header::Variable(variable, default) => {
                    said(environment, variable).or_else(|| default.map(str::to_owned))
                }
            };
            if let Some(value) = value {
                let value = HeaderValue::try_from(value);
                let misuse = |_| Error::misuse(format!("the header `{name}` of {} cannot be sent", self.name));
                headers.insert(HeaderName::from_static(name), value.map_err(misuse)?);
            }
        }
        let connection = connection.open(self.name, (&url, self.place.variable()), key, headers)?;
        let endpoint = (self.endpoint)(&connection, addressee)?;
        Ok((connection, endpoint))
    }

    /// Adds the header with the key, and gives back the key.
    fn authorize(
        &self,
        headers: &mut HeaderMap,
        connection: &ConnectionBuilder,
        url: &str,
        environment: Environment<'_>,
    ) -> Result<ApiKey> {
        let own = |variables: &[&str]| {
            let from_env = || variables.iter().find_map(|variable| said(environment, variable));
            connection.key.clone().or_else(|| from_env().map(|key| ApiKey::new(&key)))
        };
        let missing = |variables: &[&str]| {
            let variables = variables.join(" or ");
            Error::misuse(format!("no API key for {}: set {variables}, or give one with `.api_key(…)`", self.name))
        };
        match self.key {
            Key::In(variables) => {
                let key = own(variables).ok_or_else(|| missing(variables))?;
                headers.insert(AUTHORIZATION, key.bearer()?);
                Ok(key)
            }
            Key::MayBeIn(variables) => {
                let key = own(variables);
                if let Some(key) = &key {
                    headers.insert(AUTHORIZATION, key.bearer()?);
                }
                Ok(key.unwrap_or_else(|| ApiKey::new("")))
            }
            Key::InOwnHeader(header, variable) => {
                let key = own(&[variable]).ok_or_else(|| missing(&[variable]))?;
                match super::azure::is_serverless(url) {
                    true => headers.insert(AUTHORIZATION, key.bearer()?),
                    false => headers.insert(HeaderName::from_static(header), key.plain()?),
                };
                Ok(key)
            }
        }
    }
}
