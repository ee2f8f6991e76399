//! Azure, whose APIs are found in three ways.

use reqwest::Url;

use super::place::{Addressee, Spoken, no_version};
use crate::error::{Error, Result};
use crate::provider::connection::Connection;

/// Whether a URL is that of one model that Azure serves by itself.
pub(super) fn is_serverless(url: &str) -> bool {
    let host = Url::parse(url).ok().and_then(|url| url.host_str().map(str::to_owned));
    host.is_some_and(|host| host.ends_with(".models.ai.azure.com"))
}

/// Where a deployment is asked.
///
/// | the URL | where |
/// |---|---|
/// | ends with `v1` | right below it, without a version |
/// | is a single model's | below its `v1`, without a version |
/// | is a resource's, and no version is said | below its `openai/v1` |
/// | is a resource's, and a version is said | at the deployment, or with Responses at all of them, in that version |
///
/// # Errors
///
/// Misuse, when a version is said where there is none.
pub(super) fn endpoint(connection: &Connection, addressee: &Addressee<'_>) -> Result<Url> {
    let path = addressee.api.path().iter().copied();
    if connection.ends_with("v1") {
        no_version(addressee)?;
        return connection.endpoint(path);
    }
    if is_serverless(&connection.shown_url) {
        no_version(addressee)?;
        return connection.endpoint(["v1"].into_iter().chain(path));
    }
    let Some(version) = addressee.version else {
        return connection.endpoint(["openai", "v1"].into_iter().chain(path));
    };
    if version.trim().is_empty() {
        return Err(Error::misuse("`api_version` is empty; give a date such as `2024-10-21`, or leave it out"));
    }
    let mut url = match addressee.api {
        Spoken::Chat => connection.endpoint(["openai", "deployments", addressee.model].into_iter().chain(path))?,
        Spoken::Responses => connection.endpoint(["openai"].into_iter().chain(path))?,
    };
    url.query_pairs_mut().append_pair("api-version", version.trim());
    Ok(url)
}
