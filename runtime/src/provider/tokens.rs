//! Tokens that are asked for before each request, in place of a key.

use std::sync::Arc;

use reqwest::header::AUTHORIZATION;
use reqwest::{Request, Response};

use crate::error::{BoxError, Error};
use crate::http::{AnyTransport, ApiKey, Transport};
use crate::later::BoxFuture;

/// Where tokens come from.
#[derive(Clone)]
pub(crate) struct Tokens(Arc<dyn Fn() -> BoxFuture<'static, Result<String, BoxError>> + Send + Sync>);

impl Tokens {
    /// Those that a function gives, again and again; it may keep one as long as it is good.
    pub(crate) fn new<F, E>(give: impl Fn() -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<String, E>> + Send + 'static,
        E: Into<BoxError>,
    {
        Self(Arc::new(move || {
            let token = give();
            Box::pin(async move { token.await.map_err(Into::into) })
        }))
    }
}

/// A transport that puts a token to every request, and hands it on to another one.
pub(crate) struct Authorized {
    pub(crate) inner: AnyTransport,
    pub(crate) tokens: Tokens,
    /// Who asks for them, for errors.
    pub(crate) system: &'static str,
}

impl Transport for Authorized {
    async fn send(&self, mut request: Request) -> Result<Response, BoxError> {
        let token = (self.tokens.0)().await.map_err(|error| {
            Error::provider(format!("there is no token for {}, as its provider of tokens failed", self.system))
                .with_source(error)
        })?;
        if token.trim().is_empty() {
            return Err(Error::misuse(format!("the token for {} is empty", self.system)).into());
        }
        let token = ApiKey::new(&token);
        request.headers_mut().insert(AUTHORIZATION, token.bearer()?);
        let mut response = self.inner.send(request).await?;
        response.extensions_mut().insert(token);
        Ok(response)
    }
}
