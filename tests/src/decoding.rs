//! What becomes of bytes from outside: an answer or an error, and what was answered can be stored and sent on.
//!
//! Decoders are private, so they are reached as a server reaches them: by a reply to a request.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use reqwest::{Request, Response};
use serde::de::IgnoredAny;
use serde_json::Value;
use tokio::runtime::{Builder, Runtime};
use toolwright::error::{BoxError, ErrorKind};
use toolwright::message::{History, Message, ModelRequest, ModelResponse, RequestPart, ResponsePart, UserPromptPart};
use toolwright::model::{AnyModel, ModelInput, PartEvent, PartEvents, RequestCache};
use toolwright::provider::Transport;
use toolwright::provider::anthropic::AnthropicModel;
use toolwright::provider::bedrock::BedrockModel;
use toolwright::provider::cohere::CohereModel;
use toolwright::provider::google::GoogleModel;
use toolwright::provider::groq::GroqModel;
use toolwright::provider::mistral::MistralModel;
use toolwright::provider::openai::{OpenAiChatModel, OpenAiResponsesModel};
use toolwright::{Model, ModelSettings, ToolDefinition};

/// Whose API a reply is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Api {
    /// OpenAI's Chat Completions.
    OpenAiChat,
    /// OpenAI's Responses.
    OpenAiResponses,
    /// Anthropic's Messages.
    Anthropic,
    /// Google's Gemini.
    Google,
    /// Groq's dialect of Chat Completions.
    Groq,
    /// Mistral's.
    Mistral,
    /// Cohere's Chat, version 2.
    Cohere,
    /// Bedrock's Converse.
    Bedrock,
}

impl Api {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::OpenAiChat,
        Self::OpenAiResponses,
        Self::Anthropic,
        Self::Google,
        Self::Groq,
        Self::Mistral,
        Self::Cohere,
        Self::Bedrock,
    ];
}

/// How a reply comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Form {
    /// As one JSON document.
    Whole,
    /// As server-sent events.
    Streamed,
}

/// A model of each API, whose server gives the replies it is told to.
pub struct Decoders {
    runtime: Runtime,
    server: Arc<Canned>,
    models: Vec<(Api, AnyModel)>,
}

impl Decoders {
    /// Makes the models.
    ///
    /// # Errors
    ///
    /// When a model or a runtime cannot be made, and why.
    pub fn new() -> Result<Self, String> {
        let server = Arc::new(Canned::default());
        let made = |api| Ok::<_, String>((api, model(api, server.clone())?));
        Ok(Self {
            runtime: Builder::new_current_thread().enable_time().build().map_err(|error| error.to_string())?,
            models: Api::ALL.into_iter().map(made).collect::<Result<_, _>>()?,
            server,
        })
    }

    /// Gives a reply to the model of its API. Gives what was answered, or the words of a proper error.
    ///
    /// # Errors
    ///
    /// What is wrong with what the model made of it.
    pub fn read(&self, api: Api, form: Form, reply: &[u8]) -> Result<Result<ModelResponse, String>, String> {
        self.server.replies_with(form, reply);
        let input = ModelInput::new([asked()].into_iter().collect()).function_tools(tools());
        let mut told = BTreeMap::new();
        let mut listener = |event: PartEvent| {
            if let PartEvent::End { index, part, .. } = event {
                told.insert(index, part);
            }
        };
        let mut cache = RequestCache::default();
        let model = self.model(api)?;
        let answered = self.runtime.block_on(async {
            match form {
                Form::Whole => model.request(&input, &mut cache).await,
                Form::Streamed => model.request_stream(&input, &mut cache, &mut PartEvents::new(&mut listener)).await,
            }
        });
        match answered {
            Ok(response) => {
                if form == Form::Streamed {
                    check_told(&told, &response)?;
                }
                let history: History = [asked(), response.clone().into()].into_iter().collect();
                let kept = self.check_history(&history)?;
                if kept > 64 * (reply.len() + 1024) {
                    return Err(format!("{kept} bytes are kept of a reply of {}", reply.len()));
                }
                Ok(Ok(response))
            }
            Err(error) => {
                let words = error.to_string();
                if !matches!(error.kind(), ErrorKind::Provider | ErrorKind::ModelBehavior) || words.len() > 8192 {
                    return Err(format!("an error that is not a server's: {words}"));
                }
                Ok(Err(words))
            }
        }
    }

    /// Reads a stored history, stores it again, and sends it to every API.
    ///
    /// # Errors
    ///
    /// What is wrong with what was stored or sent. That a text is no history is no fault.
    pub fn read_history(&self, stored: &str) -> Result<(), String> {
        match History::from_json(stored) {
            Ok(history) => self.check_history(&history).map(drop),
            Err(_) => Ok(()),
        }
    }

    /// Sends a tool with this schema to every API, as strict and as it is.
    ///
    /// # Errors
    ///
    /// What is wrong with what was sent.
    pub fn read_schema(&self, schema: &Value) -> Result<(), String> {
        let tool = ToolDefinition::new("tool").with_parameters(schema.clone());
        let tools = [tool.clone().with_name("strict").with_strict(true), tool];
        self.send(&ModelInput::new([asked()].into_iter().collect()).function_tools(tools))
    }

    /// Stores a history, and gives how many bytes that takes; loads it, and sends it to every API.
    fn check_history(&self, history: &History) -> Result<usize, String> {
        let stored = history.to_json();
        let loaded = History::from_json(&stored).map_err(|error| format!("a history is not loaded: {error}"))?;
        let again = loaded.to_json();
        if again != stored {
            return Err(format!("a history changes as it is stored: {stored}\nis then {again}"));
        }
        self.send(&ModelInput::new(history.clone()).function_tools(tools()))?;
        Ok(stored.len())
    }

    fn send(&self, input: &ModelInput) -> Result<(), String> {
        for (api, model) in &self.models {
            self.server.replies_with(Form::Whole, b"");
            // That there is no answer is an error in any case; what counts is what was sent.
            let _ = self.runtime.block_on(model.request(input, &mut RequestCache::default()));
            if let Some(body) = self.server.take_asked() {
                let text = std::str::from_utf8(&body).map_err(|_| format!("{api:?} is sent what is no UTF-8"))?;
                // To pass over a value takes no stack, however deep it is.
                serde_json::from_str::<IgnoredAny>(text)
                    .map_err(|error| format!("{api:?} is sent what is no JSON: {error}: {text}"))?;
            }
        }
        Ok(())
    }

    fn model(&self, api: Api) -> Result<&AnyModel, String> {
        let model = self.models.iter().find(|(of, _)| *of == api);
        model.map(|(_, model)| model).ok_or_else(|| format!("{api:?} has no model"))
    }
}

/// The last event of a part must hold all of it. A refused answer has no parts, whatever was told before.
fn check_told(told: &BTreeMap<usize, ResponsePart>, response: &ModelResponse) -> Result<(), String> {
    let is_same = response.parts.len() == told.len() && response.parts.iter().eq(told.values());
    if is_same || response.parts.is_empty() {
        return Ok(());
    }
    Err(format!("the parts that were told of are not those of the response: {told:?}, {:?}", response.parts))
}

fn asked() -> Message {
    ModelRequest::new(vec![RequestPart::UserPrompt(UserPromptPart::new("Go."))]).into()
}

/// One that is sent by its name, and one that is sent by a stand-in.
fn tools() -> [ToolDefinition; 2] {
    [ToolDefinition::new("add"), ToolDefinition::new("look up")]
}

fn model(api: Api, server: Arc<Canned>) -> Result<AnyModel, String> {
    let once = ModelSettings::new().max_retries(0);
    macro_rules! built {
        ($model:ident, $name:literal) => {
            $model::builder($name).api_key("unused").transport(server).settings(once).build().map(AnyModel::new)
        };
    }
    let model = match api {
        Api::OpenAiChat => built!(OpenAiChatModel, "gpt-5.2"),
        Api::OpenAiResponses => built!(OpenAiResponsesModel, "gpt-5.2"),
        Api::Anthropic => built!(AnthropicModel, "claude-sonnet-4-5"),
        Api::Google => built!(GoogleModel, "gemini-2.5-flash"),
        Api::Groq => built!(GroqModel, "qwen/qwen3-32b"),
        Api::Mistral => built!(MistralModel, "magistral-small-latest"),
        Api::Cohere => built!(CohereModel, "command-a-reasoning-08-2025"),
        Api::Bedrock => BedrockModel::builder("us.anthropic.claude-sonnet-4-5-20250929-v1:0")
            .api_key("unused")
            .region("us-east-1")
            .transport(server)
            .settings(once.max_tokens(1000))
            .build()
            .map(AnyModel::new),
    };
    model.map_err(|error| error.to_string())
}

/// A server that gives one reply to everything, and keeps what it was last asked.
#[derive(Default)]
struct Canned(Mutex<Exchange>);

#[derive(Default)]
struct Exchange {
    content_type: &'static str,
    reply: Vec<u8>,
    asked: Option<Vec<u8>>,
}

impl Canned {
    fn replies_with(&self, form: Form, reply: &[u8]) {
        let content_type = match form {
            Form::Whole => "application/json",
            Form::Streamed => "text/event-stream",
        };
        *self.exchange() = Exchange { content_type, reply: reply.to_vec(), asked: None };
    }

    fn take_asked(&self) -> Option<Vec<u8>> {
        self.exchange().asked.take()
    }

    fn exchange(&self) -> std::sync::MutexGuard<'_, Exchange> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Transport for Canned {
    async fn send(&self, request: Request) -> Result<Response, BoxError> {
        let mut exchange = self.exchange();
        exchange.asked = request.body().and_then(reqwest::Body::as_bytes).map(<[u8]>::to_vec);
        let response = http::Response::builder().header("content-type", exchange.content_type);
        Ok(response.body(exchange.reply.clone())?.into())
    }
}
