//! Signatures on requests, by AWS's Signature Version 4.

use std::borrow::Cow;
use std::time::SystemTime;

use aws_credential_types::Credentials;
use aws_sigv4::http_request::{SignableBody, SignableRequest, SigningParams, SigningSettings, sign};
use aws_sigv4::sign::v4;
use reqwest::header::{HeaderName, HeaderValue};
use reqwest::{Body, Request, Response};

use super::credentials::Signing;
use crate::error::{BoxError, Error};
use crate::http::{AnyTransport, ApiKey, Transport};

/// The name by which signatures are for Bedrock.
const SERVICE: &str = "bedrock";

/// A transport that signs every request it is given, as it is then, and hands it on to another one.
pub(super) struct Signed {
    pub(super) inner: AnyTransport,
    pub(super) signing: Signing,
    pub(super) region: String,
}

impl Transport for Signed {
    async fn send(&self, mut request: Request) -> Result<Response, BoxError> {
        let credentials = self.signing.credentials().await?;
        sign_request(&mut request, &credentials, &self.region, SystemTime::now())?;
        let mut response = self.inner.send(request).await?;
        // Of what was sent, a server could only repeat the token.
        let secret = credentials.session_token().unwrap_or(credentials.secret_access_key());
        response.extensions_mut().insert(ApiKey::new(secret));
        Ok(response)
    }
}

/// Signs a request: all its headers, and every byte of its body.
///
/// # Errors
///
/// Misuse, when a header cannot be signed.
fn sign_request(request: &mut Request, credentials: &Credentials, region: &str, now: SystemTime) -> Result<(), Error> {
    let misuse = |error: BoxError| Error::misuse("the request cannot be signed").with_source(error);
    let identity = credentials.clone().into();
    let params = v4::SigningParams::builder()
        .identity(&identity)
        .region(region)
        .name(SERVICE)
        .time(now)
        .settings(SigningSettings::default())
        .build()
        .map_err(|error| misuse(error.into()))?;
    let params = SigningParams::from(params);
    let headers = request.headers().iter().map(|(name, value)| Some((name.as_str(), value.to_str().ok()?)));
    let headers: Option<Vec<_>> = headers.collect();
    let headers = headers.ok_or_else(|| misuse("a header is no ASCII text".into()))?;
    let body = request.body().and_then(Body::as_bytes).unwrap_or_default();
    let url = Cow::Borrowed(request.url().as_str());
    let signable = SignableRequest::new(request.method().as_str(), url, headers.into_iter(), SignableBody::Bytes(body))
        .map_err(|error| misuse(error.into()))?;
    let signed = sign(signable, &params).map_err(|error| misuse(error.into()))?;
    let (instructions, _) = signed.into_parts();
    for header in instructions.into_parts().0 {
        let mut value = HeaderValue::try_from(header.value()).map_err(|error| misuse(error.into()))?;
        // The signature and the token are nobody's business, whatever else is.
        value.set_sensitive(true);
        request.headers_mut().insert(HeaderName::from_static(header.name()), value);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn signed(body: &'static str, token: Option<&str>, seconds: u64) -> Request {
        let url = "https://bedrock-runtime.us-east-1.amazonaws.com/model/us.anthropic.claude-v1%3A0/converse";
        let mut request = Request::new(reqwest::Method::POST, url.parse().expect("a URL"));
        request.headers_mut().insert("content-type", HeaderValue::from_static("application/json"));
        *request.body_mut() = Some(body.into());
        let credentials = super::super::credentials::known("AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG", token);
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        sign_request(&mut request, &credentials, "us-east-1", now).expect("a signature");
        request
    }

    fn header<'r>(request: &'r Request, name: &str) -> Option<&'r str> {
        request.headers().get(name)?.to_str().ok()
    }

    /// What botocore 1.44.8 makes of the same request.
    #[test]
    fn signatures_are_those_of_the_sdk() {
        let request = signed(r#"{"messages":[]}"#, Some("the-token"), 1_700_000_000);
        assert_eq!(header(&request, "x-amz-date"), Some("20231114T221320Z"));
        assert_eq!(header(&request, "x-amz-security-token"), Some("the-token"));
        let expected = "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20231114/us-east-1/bedrock/aws4_request, \
                        SignedHeaders=content-type;host;x-amz-date;x-amz-security-token, \
                        Signature=390c0ec5cc42ed72b0e647f6b7aa2b87a62a6ad5bc22dd197e8bff15d71e9eff";
        assert_eq!(header(&request, "authorization"), Some(expected));
        assert!(!format!("{request:?}").contains("the-token"));
    }

    #[test]
    fn every_byte_and_the_moment_count() {
        let of = |body, seconds| header(&signed(body, None, seconds), "authorization").map(str::to_owned);
        assert_ne!(of("{}", 0), of("{ }", 0));
        assert_ne!(of("{}", 0), of("{}", 1));
        assert_eq!(of("{}", 7), of("{}", 7));
    }
}
