//! Amazon Bedrock's Converse API, for models of many makers.

mod cache;
mod content;
mod credentials;
mod decode;
mod environment;
mod manner;
mod message;
mod model_id;
mod profile;
mod profile_file;
#[cfg(feature = "aws-config")]
mod provided;
mod reasoning;
mod region;
mod request;
mod result;
mod sign;
mod stream;
#[cfg(test)]
mod tests;
mod tools;

use std::fmt::Write;
use std::sync::Arc;

use aws_credential_types::Credentials;
use reqwest::Url;
use reqwest::header::{AUTHORIZATION, HeaderMap};

pub use super::claude::{AnthropicProfile, HowToThink, NoThinking};
pub use profile::{BedrockContent, BedrockProfile};
pub use reasoning::{BedrockReasoning, ReasoningLevels};

use self::credentials::{Found, Identity, Signing};
use self::environment::Environment;
use self::manner::Manner;
use self::request::{Sent, Target};
use self::sign::Signed;
use self::stream::StreamedConverse;
use super::cache::CacheSettings;
use super::claude::MOST_AT_ONCE;
use super::connection::{Connection, ConnectionBuilder, connection_methods};
use super::exchange::{Api, Asked, Encoded, Exchange, Shared, exchange_model};
use super::name::WireNames;
use super::stream::read_stream;
use crate::error::{Error, Result};
use crate::http::{AnyTransport, ApiKey, Reply, ReplyStream};
use crate::message::{CacheTtl, ModelResponse};
use crate::model::{ModelSettings, PartEvents, RequestCache};

/// The provider's name in messages.
const SYSTEM: &str = "bedrock";
/// The variable with another server's URL, for errors.
const URL_VARIABLE: &str = "AWS_ENDPOINT_URL_BEDROCK_RUNTIME";

/// A model behind Amazon Bedrock's Converse API. Cloning shares it, its connections included.
///
/// ```no_run
/// use toolwright::provider::bedrock::BedrockModel;
///
/// # fn main() -> toolwright::Result<()> {
/// let model = BedrockModel::new("us.anthropic.claude-sonnet-4-5-20250929-v1:0")?;
/// # let _ = model;
/// # Ok(())
/// # }
/// ```
///
/// A model is named by its id, by that of an inference profile (`us.…`, `eu.…`, `global.…`), or by the ARN of either or of
/// anything else that the API takes. What it can do is told from its name, and can be corrected with
/// [`BedrockModelBuilder::profile`].
///
/// # Who asks, and where
///
/// Requests carry a key of Bedrock's own (`AWS_BEARER_TOKEN_BEDROCK`), or are signed with AWS credentials: those in
/// `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN`, else those that a profile has in `~/.aws/credentials`
/// or `~/.aws/config`; `AWS_PROFILE`, `AWS_SHARED_CREDENTIALS_FILE` and `AWS_CONFIG_FILE` say which profile, and where the
/// files are. All that is read when the model is built. Credentials that come from a network or from another process, as roles
/// and single sign-on have them, take the Cargo feature `aws-config`, with which they are asked for when a request is sent.
///
/// The region is that of `AWS_REGION` or `AWS_DEFAULT_REGION`, of the profile, or of the model's ARN. Every attempt to send a
/// request is signed for itself, over the bytes that are sent then, and before a [`Transport`](crate::provider::Transport) of
/// yours is given it: what that changes, the signature does not cover.
///
/// # What the API has no setting for
///
/// Guardrails, service tiers, metadata and the like go with [`ModelSettings::extra_body`], as does what a model takes beside
/// what the API knows of (`additionalModelRequestFields`):
///
/// ```
/// use serde_json::json;
/// use toolwright::ModelSettings;
///
/// let extra = json!({
///     "guardrailConfig": {"guardrailIdentifier": "xbgw7g293v7o", "guardrailVersion": "DRAFT"},
///     "additionalModelRequestFields": {"top_k": 50},
/// });
/// let settings = ModelSettings::new().extra_body(extra.as_object().cloned().unwrap_or_default());
/// # let _ = settings;
/// ```
#[derive(Clone)]
pub struct BedrockModel(Shared<Converse>);

exchange_model!(BedrockModel);

/// The API and the model's place in it.
struct Converse {
    model: String,
    target: Target,
    /// Where to ask for a reply at once, and for one in pieces.
    endpoint: Url,
    stream_endpoint: Url,
}

impl BedrockModel {
    /// The model of this id, asked as the environment says.
    ///
    /// # Errors
    ///
    /// Misuse, when there are no credentials or no region, or the URL is none.
    pub fn new(name: impl Into<String>) -> Result<Self> {
        Self::builder(name).build()
    }

    /// The model of this id, with more to say about it.
    pub fn builder(name: impl Into<String>) -> BedrockModelBuilder {
        let name = name.into();
        BedrockModelBuilder {
            profile: BedrockProfile::of(&name),
            name,
            connection: ConnectionBuilder::default(),
            settings: ModelSettings::default(),
            cache: CacheSettings::default(),
            region: None,
            aws_profile: None,
            credentials: None,
            #[cfg(feature = "aws-config")]
            provided: None,
        }
    }

    /// What the model is taken to be able to do.
    #[must_use]
    pub fn profile(&self) -> &BedrockProfile {
        &self.0.api.target.profile
    }
}

impl Api for Converse {
    fn has_native_output(&self) -> bool {
        self.target.profile.json_schema_output
    }

    fn endpoint(&self, streamed: bool) -> &Url {
        if streamed { &self.stream_endpoint } else { &self.endpoint }
    }

    fn encode(&self, asked: &Asked<'_>, cache: &mut RequestCache) -> Result<Encoded> {
        request::body(asked, &self.target, cache.get::<Sent>())
    }

    fn cache_marks(&self) -> &'static [&'static [u8]] {
        &cache::MARKS
    }

    fn decode(&self, reply: &Reply, names: &WireNames<'_>, provider_url: &str) -> Result<ModelResponse> {
        decode::response(reply, &self.model, names, provider_url)
    }

    async fn read(
        &self,
        stream: ReplyStream,
        names: &WireNames<'_>,
        events: &mut PartEvents<'_>,
        provider_url: &str,
    ) -> Result<ModelResponse> {
        let reply = StreamedConverse::new(&self.model, names, events);
        read_stream(stream.in_frames(), reply, provider_url).await
    }

    fn streams_unheard(&self, settings: &ModelSettings) -> bool {
        Manner::of(&self.target.profile, settings).max_tokens().is_some_and(|most| most > MOST_AT_ONCE)
    }
}

/// Says how a [`BedrockModel`] is reached and what it can do.
#[derive(Clone)]
pub struct BedrockModelBuilder {
    name: String,
    profile: BedrockProfile,
    connection: ConnectionBuilder,
    settings: ModelSettings,
    cache: CacheSettings,
    region: Option<String>,
    aws_profile: Option<String>,
    credentials: Option<Credentials>,
    #[cfg(feature = "aws-config")]
    provided: Option<provided::Provided>,
}

impl BedrockModelBuilder {
    /// The AWS region, instead of what the environment or a profile says.
    #[must_use]
    pub fn region(mut self, region: impl Into<String>) -> Self {
        self.region = Some(region.into());
        self
    }

    /// The AWS credentials that requests are signed with, instead of those in the environment or a profile. They are never
    /// shown. A session token belongs to credentials that are only lent.
    ///
    /// ```
    /// # use toolwright::provider::bedrock::BedrockModel;
    /// let model = BedrockModel::builder("us.amazon.nova-lite-v1:0")
    ///     .region("us-east-1")
    ///     .credentials("AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", None)
    ///     .build()?;
    /// # Ok::<(), toolwright::Error>(())
    /// ```
    #[must_use]
    pub fn credentials(
        mut self,
        access_key_id: impl AsRef<str>,
        secret_access_key: impl AsRef<str>,
        session_token: Option<&str>,
    ) -> Self {
        self.credentials = Some(credentials::known(access_key_id.as_ref(), secret_access_key.as_ref(), session_token));
        self
    }

    /// The AWS profile whose region and credentials count, instead of what the environment says.
    #[must_use]
    pub fn aws_profile(mut self, name: impl Into<String>) -> Self {
        self.aws_profile = Some(name.into());
        self
    }

    /// The region and the credentials of an AWS configuration, wherever it has them from. They are asked for when a request
    /// is sent, and kept as long as they last.
    ///
    /// ```no_run
    /// use aws_config::BehaviorVersion;
    /// use toolwright::provider::bedrock::BedrockModel;
    ///
    /// # async fn model() -> toolwright::Result<()> {
    /// let config = aws_config::load_defaults(BehaviorVersion::latest()).await;
    /// let model = BedrockModel::builder("us.amazon.nova-lite-v1:0").aws_config(&config).build()?;
    /// # let _ = model;
    /// # Ok(())
    /// # }
    /// ```
    #[cfg(feature = "aws-config")]
    #[must_use]
    pub fn aws_config(mut self, config: &aws_config::SdkConfig) -> Self {
        self.region = config.region().map(|region| region.as_ref().to_owned()).or(self.region);
        self.provided = config.credentials_provider().map(provided::Provided::by).or(self.provided);
        self
    }

    /// Lets the provider cache the definitions of tools, up to the last one, where the model does that.
    ///
    /// A request has at most four places up to which it is cached, this and those of the other methods included. Where
    /// prompts name more with [`CachePoint`](crate::message::CachePoint), the newest count. What is cached for longer has to
    /// come first, so tools and instructions are remembered at least as long as what follows.
    #[must_use]
    pub fn cache_tools(mut self, ttl: CacheTtl) -> Self {
        self.cache.tools = Some(ttl);
        self
    }

    /// Lets the provider cache the system prompt and the instructions, and the tools before them.
    #[must_use]
    pub fn cache_instructions(mut self, ttl: CacheTtl) -> Self {
        self.cache.instructions = Some(ttl);
        self
    }

    /// Lets the provider cache the conversation, in every request up to its end, or to the last place before that which the API
    /// takes: the next request of a run then finds all but what is new.
    #[must_use]
    pub fn cache_history(mut self, ttl: CacheTtl) -> Self {
        self.cache.history = Some(ttl);
        self
    }

    /// Corrects what the model is taken to be able to do.
    ///
    /// ```
    /// # use toolwright::provider::bedrock::{BedrockModel, BedrockProfile};
    /// let arn = "arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/x1y2";
    /// let model = BedrockModel::builder(arn)
    ///     .api_key("unused")
    ///     .profile(|profile| *profile = BedrockProfile::of("anthropic.claude-sonnet-4-5-20250929-v1:0"))
    ///     .build()?;
    /// # Ok::<(), toolwright::Error>(())
    /// ```
    #[must_use]
    pub fn profile(mut self, correct: impl FnOnce(&mut BedrockProfile)) -> Self {
        correct(&mut self.profile);
        self
    }

    /// The model.
    ///
    /// # Errors
    ///
    /// Misuse, when there are no credentials or no region, when the URL or the id is none, or when no HTTP client can be made.
    pub fn build(self) -> Result<BedrockModel> {
        let environment = Environment::process();
        let aws_profile = self.aws_profile.clone().unwrap_or_else(|| environment.profile_name());
        let settings = environment.profile(&aws_profile);
        let region = region::region(self.region.as_deref(), &environment, &settings, &self.name)?;
        let url = self.connection.base_url.clone().or_else(|| region::other_url(&environment, &settings));
        let url = match url {
            Some(url) => url,
            None => region::url_of(region.as_deref().ok_or_else(region::nowhere)?),
        };
        let identity = self.identity(&environment, &settings, region.as_deref())?;
        let connection = connection(self.connection, identity, region, &url)?;
        let endpoint = |operation| endpoint(&connection, &self.name, operation);
        let api = Converse {
            target: Target { profile: self.profile, cache: self.cache },
            endpoint: endpoint("converse")?,
            stream_endpoint: endpoint("converse-stream")?,
            model: self.name.clone(),
        };
        Ok(BedrockModel(Arc::new(Exchange { name: self.name, settings: self.settings, connection, api })))
    }

    fn identity(
        &self,
        environment: &Environment<'_>,
        settings: &profile_file::ProfileSettings,
        region: Option<&str>,
    ) -> Result<Identity> {
        if let Some(key) = &self.connection.key {
            return Ok(Identity::Key(key.clone()));
        }
        if let Some(credentials) = &self.credentials {
            return Ok(Identity::Signature(Signing::Known(credentials.clone())));
        }
        #[cfg(feature = "aws-config")]
        if let Some(provided) = &self.provided {
            return Ok(Identity::Signature(Signing::Provided(provided.clone())));
        }
        let found = Found::of(environment, self.aws_profile.as_deref(), settings);
        match found.identity {
            Some(identity) => Ok(identity),
            None => elsewhere(found.hint, self.aws_profile.clone(), region),
        }
    }
}

/// Who asks where neither variables nor files say it: whoever the SDK's own chain finds.
#[cfg(feature = "aws-config")]
fn elsewhere(_hint: Option<String>, profile: Option<String>, region: Option<&str>) -> Result<Identity> {
    let provided = provided::Provided::by_chain(profile, region.ok_or_else(region::nowhere)?);
    Ok(Identity::Signature(Signing::Provided(provided)))
}

#[cfg(not(feature = "aws-config"))]
fn elsewhere(hint: Option<String>, _profile: Option<String>, _region: Option<&str>) -> Result<Identity> {
    Err(credentials::nobody(hint))
}

fn connection(
    mut builder: ConnectionBuilder,
    identity: Identity,
    region: Option<String>,
    url: &str,
) -> Result<Connection> {
    match identity {
        Identity::Key(key) => {
            let headers = HeaderMap::from_iter([(AUTHORIZATION, key.bearer()?)]);
            builder.open(SYSTEM, (url, URL_VARIABLE), key, headers)
        }
        Identity::Signature(signing) => {
            let region = region.ok_or_else(region::nowhere)?;
            let inner = builder.transport.take().map_or_else(AnyTransport::own, Ok)?;
            builder.transport(Signed { inner, signing, region });
            // The credentials that a request was signed with come with its reply.
            builder.open(SYSTEM, (url, URL_VARIABLE), ApiKey::new(""), HeaderMap::new())
        }
    }
}

/// Where to ask a model for something.
fn endpoint(connection: &Connection, model: &str, operation: &str) -> Result<Url> {
    if matches!(model, "" | "." | "..") {
        return Err(Error::misuse(format!("{model:?} is no id of a model at Bedrock")));
    }
    let mut url = connection.endpoint(["model"])?;
    // Ids have colons and, in ARNs, slashes, which are no part of the path's own.
    let path = format!("{}/{}/{operation}", url.path(), percent_encoded(model));
    url.set_path(&path);
    Ok(url)
}

fn percent_encoded(text: &str) -> String {
    text.bytes().fold(String::with_capacity(text.len() + 16), |mut encoded, byte| {
        match byte {
            b'-' | b'.' | b'_' | b'~' => encoded.push(char::from(byte)),
            _ if byte.is_ascii_alphanumeric() => encoded.push(char::from(byte)),
            _ => {
                // Writing to a string does not fail.
                let _ = write!(encoded, "%{byte:02X}");
            }
        }
        encoded
    })
}

connection_methods!(
    BedrockModelBuilder,
    key: "AWS_BEARER_TOKEN_BEDROCK",
    url: "AWS_ENDPOINT_URL_BEDROCK_RUNTIME",
    example: "http://localhost:8000"
);
