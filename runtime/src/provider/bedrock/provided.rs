//! Credentials from wherever the AWS SDKs find them.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use aws_config::{BehaviorVersion, Region};
use aws_credential_types::Credentials;
use aws_credential_types::provider::{ProvideCredentials, SharedCredentialsProvider};
use tokio::sync::Mutex;

use super::SYSTEM;
use crate::error::{Error, Result};

/// How long before they expire credentials are not used any more.
const MARGIN: Duration = Duration::from_secs(300);

/// Credentials that are asked for, and kept as long as they last. Cloning shares them.
#[derive(Clone)]
pub(super) struct Provided(Arc<Inner>);

struct Inner {
    provider: Option<SharedCredentialsProvider>,
    /// What the SDK's own chain is told, where no other provider is given.
    profile: Option<String>,
    region: String,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    chain: Option<SharedCredentialsProvider>,
    credentials: Option<Credentials>,
}

impl Provided {
    /// Those of a provider.
    pub(super) fn by(provider: SharedCredentialsProvider) -> Self {
        let kept = Mutex::default();
        Self(Arc::new(Inner { provider: Some(provider), profile: None, region: String::new(), kept }))
    }

    /// Those that the SDK's own chain finds, for this profile.
    pub(super) fn by_chain(profile: Option<String>, region: &str) -> Self {
        Self(Arc::new(Inner { provider: None, profile, region: region.to_owned(), kept: Mutex::default() }))
    }

    /// The credentials for a request that is made now.
    ///
    /// # Errors
    ///
    /// The provider's, when there are none.
    pub(super) async fn credentials(&self) -> Result<Credentials> {
        let mut kept = self.0.kept.lock().await;
        if let Some(credentials) = kept.credentials.as_ref().filter(|credentials| lasts(credentials, SystemTime::now()))
        {
            return Ok(credentials.clone());
        }
        let provider = match (&self.0.provider, &kept.chain) {
            (Some(provider), _) | (None, Some(provider)) => provider.clone(),
            (None, None) => kept.chain.insert(self.chain().await?).clone(),
        };
        let credentials = provider.provide_credentials().await.map_err(|error| {
            Error::provider(format!("{SYSTEM} was not asked: no AWS credentials could be had")).with_source(error)
        })?;
        Ok(kept.credentials.insert(credentials).clone())
    }

    async fn chain(&self) -> Result<SharedCredentialsProvider> {
        let mut loader = aws_config::defaults(BehaviorVersion::latest()).region(Region::new(self.0.region.clone()));
        if let Some(profile) = &self.0.profile {
            loader = loader.profile_name(profile);
        }
        let config = loader.load().await;
        config.credentials_provider().ok_or_else(|| Error::misuse("the AWS configuration has no source of credentials"))
    }
}

/// Whether credentials can be used a while yet.
fn lasts(credentials: &Credentials, now: SystemTime) -> bool {
    credentials.expiry().is_none_or(|expiry| now + MARGIN < expiry)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    #[derive(Debug, Default)]
    struct Counting(AtomicU64, Option<Duration>);

    impl ProvideCredentials for Counting {
        fn provide_credentials<'a>(&'a self) -> aws_credential_types::provider::future::ProvideCredentials<'a>
        where
            Self: 'a,
        {
            let asked = self.0.fetch_add(1, Ordering::Relaxed).to_string();
            let expiry = self.1.map(|lifetime| SystemTime::now() + lifetime);
            let made = Credentials::new(asked, "secret", None, expiry, "test");
            aws_credential_types::provider::future::ProvideCredentials::ready(Ok(made))
        }
    }

    async fn ids(lifetime: Option<Duration>) -> [String; 2] {
        let provided = Provided::by(SharedCredentialsProvider::new(Counting(AtomicU64::new(0), lifetime)));
        let id = async || provided.credentials().await.expect("credentials").access_key_id().to_owned();
        [id().await, id().await]
    }

    #[tokio::test]
    async fn credentials_are_kept_as_long_as_they_last() {
        assert_eq!(ids(None).await, ["0", "0"]);
        assert_eq!(ids(Some(Duration::from_secs(3600))).await, ["0", "0"]);
        assert_eq!(ids(Some(Duration::from_secs(60))).await, ["0", "1"]);
    }
}
