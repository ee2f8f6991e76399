//! Who a model is asked as: with a key of Bedrock's own, or with AWS credentials, which requests are signed with.

use std::fmt;

use aws_credential_types::Credentials;

use super::environment::Environment;
use super::profile_file::ProfileSettings;
#[cfg(feature = "aws-config")]
use super::provided::Provided;
#[cfg(any(test, not(feature = "aws-config")))]
use crate::error::Error;
use crate::error::Result;
use crate::http::ApiKey;

/// How requests prove whose they are.
pub(super) enum Identity {
    /// By a key of Bedrock's own.
    Key(ApiKey),
    /// By a signature made with these.
    Signature(Signing),
}

/// Where the credentials come from that requests are signed with.
pub(super) enum Signing {
    /// They are known, and stay the same.
    Known(Credentials),
    /// They are asked for, and change.
    #[cfg(feature = "aws-config")]
    Provided(Provided),
}

impl fmt::Debug for Signing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Signing(..)")
    }
}

impl Signing {
    /// The credentials for a request that is made now.
    ///
    /// # Errors
    ///
    /// The provider's, when none can be had.
    pub(super) async fn credentials(&self) -> Result<Credentials> {
        match self {
            Self::Known(credentials) => Ok(credentials.clone()),
            #[cfg(feature = "aws-config")]
            Self::Provided(provided) => provided.credentials().await,
        }
    }
}

/// AWS credentials that are known.
pub(super) fn known(access_key_id: &str, secret_access_key: &str, session_token: Option<&str>) -> Credentials {
    let token = session_token.map(|token| token.trim().to_owned()).filter(|token| !token.is_empty());
    Credentials::new(access_key_id.trim(), secret_access_key.trim(), token, None, "toolwright")
}

/// What the environment says about who asks.
pub(super) struct Found {
    pub(super) identity: Option<Identity>,
    /// Why there is none, where something is there that only the SDK's own chain can use.
    pub(super) hint: Option<String>,
}

impl Found {
    /// Looks for a key of Bedrock's own, for credentials in the environment, and for those of a profile. Whoever names the
    /// profile means it before all others.
    pub(super) fn of(environment: &Environment<'_>, named: Option<&str>, settings: &ProfileSettings) -> Self {
        let from_profile = || of_profile(settings).map(Identity::Signature);
        let identity = match named {
            Some(_) => from_profile(),
            None => of_variables(environment).or_else(from_profile),
        };
        let hint = match identity {
            Some(_) => None,
            None => hint(environment, named, settings),
        };
        Self { identity, hint }
    }
}

fn of_variables(environment: &Environment<'_>) -> Option<Identity> {
    if let Some(key) = environment.get("AWS_BEARER_TOKEN_BEDROCK") {
        return Some(Identity::Key(ApiKey::new(&key)));
    }
    let id = environment.get("AWS_ACCESS_KEY_ID")?;
    let secret = environment.get("AWS_SECRET_ACCESS_KEY")?;
    let token = environment.get("AWS_SESSION_TOKEN");
    Some(Identity::Signature(Signing::Known(known(&id, &secret, token.as_deref()))))
}

fn of_profile(settings: &ProfileSettings) -> Option<Signing> {
    let id = settings.get("aws_access_key_id")?;
    let secret = settings.get("aws_secret_access_key")?;
    // With a role, these are only what it is assumed with.
    let is_their_own = settings.get("role_arn").is_none();
    is_their_own.then(|| Signing::Known(known(id, secret, settings.get("aws_session_token"))))
}

/// Settings of a profile that lead to credentials by way of a network or a process, and how.
const BY_OTHER_WAYS: [(&str, &str); 6] = [
    ("role_arn", "a role that has to be assumed"),
    ("sso_session", "a single sign-on"),
    ("sso_start_url", "a single sign-on"),
    ("login_session", "a login"),
    ("web_identity_token_file", "a web identity"),
    ("credential_process", "another process"),
];

/// Variables that lead to credentials by way of a network.
const BY_NETWORK: [(&str, &str); 3] = [
    ("AWS_WEB_IDENTITY_TOKEN_FILE", "a web identity"),
    ("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "the container's own service"),
    ("AWS_CONTAINER_CREDENTIALS_FULL_URI", "the container's own service"),
];

fn hint(environment: &Environment<'_>, named: Option<&str>, settings: &ProfileSettings) -> Option<String> {
    let by_profile = BY_OTHER_WAYS.iter().find(|(setting, _)| settings.get(setting).is_some());
    if let Some((setting, way)) = by_profile {
        return Some(format!("the AWS profile has credentials only by way of {way} (`{setting}`)"));
    }
    if let Some(name) = named.filter(|_| settings.is_empty()) {
        return Some(format!("there is no AWS profile `{name}`"));
    }
    let by_variable = BY_NETWORK.iter().find(|(variable, _)| environment.get(variable).is_some());
    by_variable.map(|(variable, way)| format!("the environment has credentials only by way of {way} (`{variable}`)"))
}

/// The error for a model that nobody asks.
#[cfg(any(test, not(feature = "aws-config")))]
pub(super) fn nobody(hint: Option<String>) -> Error {
    let why = hint.map_or_else(String::new, |hint| format!(": {hint}"));
    Error::misuse(format!(
        "no AWS credentials{why}; set AWS_BEARER_TOKEN_BEDROCK, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, keep keys in a \
         profile (`aws_profile`, AWS_PROFILE), or give some with `BedrockModel::builder(…).api_key(…)` or `.credentials(…)`; \
         credentials that come from a network or a process take the Cargo feature `aws-config`"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;
    use std::path::PathBuf;

    /// Files of this test's own.
    struct Home(PathBuf);

    impl Home {
        fn with(test: &str, config: &str, credentials: &str) -> Self {
            let path = std::env::temp_dir().join(format!("toolwright-{}-{test}", std::process::id()));
            std::fs::create_dir_all(path.join(".aws")).expect("a directory");
            std::fs::write(path.join(".aws/config"), config).expect("a file");
            std::fs::write(path.join(".aws/credentials"), credentials).expect("a file");
            Self(path)
        }

        fn found(&self, variables: &[(&str, &str)], named: Option<&str>) -> (String, Option<String>) {
            let mut all: HashMap<_, _> = variables.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
            all.insert("HOME", self.0.to_string_lossy().into_owned());
            let read = |name: &str| all.get(name).cloned();
            let environment = Environment::of(&read);
            let profile = environment.profile(&named.map_or_else(|| environment.profile_name(), str::to_owned));
            let found = Found::of(&environment, named, &profile);
            let shown = match found.identity {
                Some(Identity::Key(key)) => format!("{:?}", key.bearer().expect("a header").to_str()),
                Some(Identity::Signature(Signing::Known(known))) => {
                    format!("{} {} {:?}", known.access_key_id(), known.secret_access_key(), known.session_token())
                }
                #[cfg(feature = "aws-config")]
                Some(Identity::Signature(Signing::Provided(_))) => "provided".to_owned(),
                None => "nobody".to_owned(),
            };
            (shown, found.hint)
        }
    }

    impl Drop for Home {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    const KEYS: [(&str, &str); 3] =
        [("AWS_ACCESS_KEY_ID", "AKENV"), ("AWS_SECRET_ACCESS_KEY", " env "), ("AWS_SESSION_TOKEN", "token")];

    #[test]
    fn variables_count_before_files_and_a_named_profile_before_both() {
        let config = "[default]\nregion = eu-west-1\naws_access_key_id = AKCONFIG\naws_secret_access_key = config\n";
        let credentials = "[default]\naws_access_key_id = AKFILE\naws_secret_access_key = file\n\
                           [work]\naws_access_key_id = AKWORK\naws_secret_access_key = work\naws_session_token = t";
        let home = Home::with("order", config, credentials);
        assert_eq!(home.found(&[], None).0, "AKFILE file None");
        assert_eq!(home.found(&[("AWS_PROFILE", "work")], None).0, "AKWORK work Some(\"t\")");
        assert_eq!(home.found(&KEYS, None).0, "AKENV env Some(\"token\")");
        assert_eq!(home.found(&KEYS[..1], None).0, "AKFILE file None");
        assert_eq!(home.found(&KEYS, Some("work")).0, "AKWORK work Some(\"t\")");
        let key = [("AWS_BEARER_TOKEN_BEDROCK", "own")];
        assert_eq!(home.found(&[&KEYS[..], &key].concat(), None).0, "Ok(\"Bearer own\")");
        assert_eq!(home.found(&[("AWS_SHARED_CREDENTIALS_FILE", "~/nowhere")], None).0, "AKCONFIG config None");
    }

    #[test]
    fn what_takes_a_network_or_a_process_is_named() {
        let config = "[profile role]\nrole_arn = arn:x\naws_access_key_id = a\naws_secret_access_key = b\n\
                      [profile sso]\nsso_session = x\n[profile process]\ncredential_process = /bin/x\n[profile empty]\nregion = x\n";
        let home = Home::with("ways", config, "");
        for (named, hint) in [("role", "role_arn"), ("sso", "sso_session"), ("process", "credential_process")] {
            let (shown, told) = home.found(&KEYS, Some(named));
            assert_eq!(shown, "nobody");
            assert!(told.as_ref().is_some_and(|told| told.contains(hint)), "{told:?}");
            assert!(nobody(told).to_string().contains("aws-config"));
        }
        assert!(home.found(&[], Some("nobody")).1.is_some_and(|told| told.contains("`nobody`")));
        assert_eq!(home.found(&[], Some("empty")).1, None);
        let container = [("AWS_CONTAINER_CREDENTIALS_FULL_URI", "http://x")];
        assert!(home.found(&container, None).1.is_some_and(|told| told.contains("container")));
        assert!(nobody(None).to_string().contains("AWS_BEARER_TOKEN_BEDROCK"));
    }
}
