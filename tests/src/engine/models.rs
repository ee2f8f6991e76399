//! The models of a case: a script, the test model, or a provider's before a server of ours.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use serde::Deserialize;
use serde_json::Value;
use toolwright::message::{Arguments, ModelResponse, ResponsePart, TextPart, ToolCallPart};
use toolwright::model::{
    AnyModel, FunctionModel, ModelInput, PartEvent, PartEvents, RequestCache, SearchStrategy, TestModel,
};
use toolwright::provider::Transport;
use toolwright::provider::anthropic::AnthropicModel;
use toolwright::provider::bedrock::BedrockModel;
use toolwright::provider::cohere::CohereModel;
use toolwright::provider::google::GoogleModel;
use toolwright::provider::groq::GroqModel;
use toolwright::provider::huggingface::HuggingFaceModel;
use toolwright::provider::mistral::MistralModel;
use toolwright::provider::openai::{OpenAiChatModel, OpenAiResponsesModel};
use toolwright::provider::xai::XaiModel;
use toolwright::{Error, Model, ModelSettings};

use super::log::Log;

/// One thing that a scripted model says.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Said {
    Text(SaidText),
    Call(SaidCall),
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SaidText {
    text: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SaidCall {
    call: String,
    #[serde(default)]
    args: Value,
    id: Option<String>,
}

impl Said {
    fn part(self) -> ResponsePart {
        match self {
            Self::Text(said) => TextPart::new(said.text).into(),
            Self::Call(said) => {
                let call = ToolCallPart::new(said.call, Arguments::from(said.args));
                said.id.into_iter().fold(call, ToolCallPart::with_id).into()
            }
        }
    }
}

/// What a scripted model will say, turn after turn.
#[derive(Clone, Debug, Default)]
pub(crate) struct Script(Arc<Mutex<VecDeque<Vec<Said>>>>);

impl Script {
    pub(crate) fn will_say(&self, turns: &[Vec<Said>]) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = turns.iter().cloned().collect();
    }

    fn next(&self) -> Result<ModelResponse, Error> {
        let turn = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        let turn = turn.ok_or_else(|| Error::provider("the case has no more replies"))?;
        Ok(ModelResponse::new(turn.into_iter().map(Said::part).collect()))
    }

    pub(crate) fn model(&self) -> AnyModel {
        let script = self.clone();
        AnyModel::new(FunctionModel::new(move |_: &ModelInput| script.next()))
    }
}

/// How the test model answers.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct TestModelSpec {
    call_tools: Option<Vec<String>>,
    custom_output_text: Option<String>,
    custom_output_args: Option<Value>,
    seed: u64,
}

impl TestModelSpec {
    pub(crate) fn model(self) -> AnyModel {
        let mut model = TestModel::new().seed(self.seed);
        if let Some(names) = self.call_tools {
            model = model.call_tools(names);
        }
        if let Some(text) = self.custom_output_text {
            model = model.custom_output_text(text);
        }
        if let Some(args) = self.custom_output_args {
            model = model.custom_output_args(args);
        }
        AnyModel::new(model)
    }
}

/// A provider's model that takes the server at `url` for its provider, and asks it by way of `transport`.
pub(crate) fn provider_model(api: &str, name: &str, url: &str, transport: impl Transport) -> Result<AnyModel, String> {
    const KEY: &str = "test-key";
    let model = match api {
        "openai-chat" => OpenAiChatModel::builder(name)
            .api_key(KEY)
            .base_url(format!("{url}/v1"))
            .transport(transport)
            .build()
            .map(AnyModel::new),
        "anthropic" => {
            AnthropicModel::builder(name).api_key(KEY).base_url(url).transport(transport).build().map(AnyModel::new)
        }
        "bedrock" => {
            BedrockModel::builder(name).api_key(KEY).base_url(url).transport(transport).build().map(AnyModel::new)
        }
        "cohere" => {
            CohereModel::builder(name).api_key(KEY).base_url(url).transport(transport).build().map(AnyModel::new)
        }
        "google" => {
            GoogleModel::builder(name).api_key(KEY).base_url(url).transport(transport).build().map(AnyModel::new)
        }
        "groq" => GroqModel::builder(name).api_key(KEY).base_url(url).transport(transport).build().map(AnyModel::new),
        "huggingface" => {
            HuggingFaceModel::builder(name).api_key(KEY).base_url(url).transport(transport).build().map(AnyModel::new)
        }
        "openai-responses" => OpenAiResponsesModel::builder(name)
            .api_key(KEY)
            .base_url(format!("{url}/v1"))
            // The server at `url` is taken for OpenAI's own.
            .profile(|profile| {
                profile.tool_search.get_or_insert(true);
                profile.additional_tools.get_or_insert(true);
                profile.native_tools.get_or_insert(true);
            })
            .transport(transport)
            .build()
            .map(AnyModel::new),
        "xai" => XaiModel::builder(name).api_key(KEY).base_url(url).transport(transport).build().map(AnyModel::new),
        "mistral" => MistralModel::builder(name)
            .api_key(KEY)
            .base_url(format!("{url}/v1"))
            .transport(transport)
            .build()
            .map(AnyModel::new),
        _ => return Err(format!("needs the provider `{api}`")),
    };
    model.map_err(|error| format!("the model of {api} cannot be built: {error}"))
}

/// The client of all models: reading the system's certificates for each would take longer than playing its case.
///
/// It keeps no connections, as each case has a runtime of its own.
pub(crate) fn client() -> Result<reqwest::Client, String> {
    static CLIENT: OnceLock<Result<reqwest::Client, String>> = OnceLock::new();
    let build =
        || reqwest::Client::builder().pool_max_idle_per_host(0).no_proxy().build().map_err(|error| error.to_string());
    CLIENT.get_or_init(build).clone()
}

/// Whether a model is asked for streamed replies.
#[derive(Clone, Debug, Default)]
pub(crate) struct Streamed(Arc<AtomicBool>);

impl Streamed {
    pub(crate) fn set(&self, streamed: bool) {
        self.0.store(streamed, Ordering::Relaxed);
    }
}

/// A model that logs what it is asked.
pub(crate) struct Logged {
    pub(crate) model: AnyModel,
    pub(crate) log: Log,
    pub(crate) streamed: Streamed,
}

impl Logged {
    /// Asks for a streamed reply; what its events tell of must be the response.
    async fn streamed(&self, input: &ModelInput, cache: &mut RequestCache) -> Result<ModelResponse, Error> {
        let mut told = BTreeMap::new();
        let mut listen = |event| match event {
            PartEvent::Start { index, part, .. } | PartEvent::End { index, part, .. } => {
                told.insert(index, part);
            }
            _ => {}
        };
        let response = self.model.request_stream(input, cache, &mut PartEvents::new(&mut listen)).await?;
        if told.into_values().eq(response.parts.iter().cloned()) {
            Ok(response)
        } else {
            Err(Error::misuse("the events of the stream tell of other parts than its response has"))
        }
    }
}

impl Model for Logged {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn system(&self) -> &str {
        self.model.system()
    }

    fn settings(&self) -> Option<&ModelSettings> {
        self.model.settings()
    }

    fn can_search(&self, strategy: SearchStrategy) -> bool {
        self.model.can_search(strategy)
    }

    async fn request(&self, input: &ModelInput, cache: &mut RequestCache) -> Result<ModelResponse, Error> {
        self.log.asked(input);
        let response = match self.streamed.0.load(Ordering::Relaxed) {
            true => self.streamed(input, cache).await?,
            false => self.model.request(input, cache).await?,
        };
        self.log.answered(input, &response);
        Ok(response)
    }
}
