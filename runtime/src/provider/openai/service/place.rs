//! Where a service is, and where on it a model is asked.

use reqwest::Url;

use crate::error::{Error, Result};
use crate::provider::connection::Connection;

/// What the environment says, by variable.
pub(super) type Environment<'e> = &'e dyn Fn(&str) -> Option<String>;

/// Which of OpenAI's APIs is spoken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Spoken {
    Chat,
    Responses,
}

impl Spoken {
    /// Its place below a service's URL.
    pub(super) fn path(self) -> &'static [&'static str] {
        match self {
            Self::Chat => &["chat", "completions"],
            Self::Responses => &["responses"],
        }
    }
}

/// Who is asked at a service, and by which API.
pub(in super::super) struct Addressee<'a> {
    pub(in super::super) api: Spoken,
    pub(in super::super) model: &'a str,
    /// The version of the service's API, where it has any.
    pub(in super::super) version: Option<&'a str>,
}

/// Where a service is.
pub(super) enum Place {
    /// At a URL, unless one of the variables has another.
    At(&'static str, &'static [&'static str]),
    /// Where a variable says.
    Told(&'static str),
    /// At a URL that is made of what one of the variables says, such as a region.
    Of { what: &'static str, variables: &'static [&'static str], url: fn(&str) -> Option<String> },
}

impl Place {
    /// The URL; `service` is asked.
    ///
    /// # Errors
    ///
    /// Misuse, when a variable that is needed is not set, or says nothing useful.
    pub(super) fn url(&self, service: &str, environment: Environment<'_>) -> Result<String> {
        let first = |variables: &[&str]| variables.iter().find_map(|variable| said(environment, variable));
        match self {
            Self::At(url, variables) => Ok(first(variables).unwrap_or_else(|| (*url).to_owned())),
            Self::Told(variable) => said(environment, variable).ok_or_else(|| {
                Error::misuse(format!(
                    "{service} has no URL of its own: set {variable}, or give one with `.base_url(…)`"
                ))
            }),
            Self::Of { what, variables, url } => {
                let names = variables.join(" or ");
                let value = first(variables).ok_or_else(|| {
                    Error::misuse(format!(
                        "the {what} at {service} is not known: set {names}, or give a URL with `.base_url(…)`"
                    ))
                })?;
                url(&value).ok_or_else(|| {
                    Error::misuse(format!(
                        "what {names} says is no {what} of {service}; set it, or give a URL with `.base_url(…)`"
                    ))
                })
            }
        }
    }

    /// The variable that may say the URL, for errors.
    pub(super) fn variable(&self) -> &'static str {
        let variables = match self {
            Self::At(_, variables) | Self::Of { variables, .. } => *variables,
            Self::Told(variable) => return variable,
        };
        variables.first().copied().unwrap_or_default()
    }
}

/// What a variable says, unless it is blank.
pub(super) fn said(environment: Environment<'_>, variable: &str) -> Option<String> {
    let value = environment(variable)?;
    let value = value.trim();
    (!value.is_empty()).then(|| value.to_owned())
}

/// Right below the service's URL.
pub(super) fn below(connection: &Connection, addressee: &Addressee<'_>) -> Result<Url> {
    no_version(addressee)?;
    connection.endpoint(addressee.api.path().iter().copied())
}

/// Refuses a version of an API that has none.
///
/// # Errors
///
/// Misuse, if there is one.
pub(super) fn no_version(addressee: &Addressee<'_>) -> Result<()> {
    match addressee.version {
        Some(_) => Err(Error::misuse("`api_version` is for Azure's dated APIs alone; leave it out")),
        None => Ok(()),
    }
}
