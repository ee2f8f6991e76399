//! Requests of one model, and what can be seen in them.

use std::sync::{Arc, Mutex, PoisonError};

use reqwest::{Request, Response};
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use toolwright::error::BoxError;
use toolwright::message::{
    CachePoint, ModelRequest, ModelResponse, Outcome as CallOutcome, Prompt, RequestPart, ToolAvailabilityDeltaPart,
    ToolCallPart, ToolReturnPart, UserContent, UserPromptPart,
};
use toolwright::model::{AnyModel, ModelInput, PartEvents, RequestCache, Thinking};
use toolwright::native::{CodeExecution, NativeTool, WebFetch, WebSearch};
use toolwright::provider::Transport;
use toolwright::{BinaryContent, ErrorKind, History, Model, ModelSettings, ToolChoice, ToolDefinition};

use crate::engine::provider_model;

/// What a cell says, or what is wrong with the probe itself.
pub(super) type Outcome = Result<&'static str, String>;

const YES: &str = "yes";
const NO: &str = "no";
const REFUSED: &str = "refused";

/// The bytes of the files; in base64 they are `cHJvYmUgb2YgYSBmaWxl`.
const FILE: &[u8] = b"probe of a file";
const FILE_AS_TEXT: &str = "cHJvYmUgb2YgYSBmaWxl";

/// A transport that keeps what it is to send, and sends nothing.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Option<Sent>>>);

/// A request as it would have been sent.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sent {
    url: String,
    body: Value,
}

impl Transport for Kept {
    async fn send(&self, request: Request) -> Result<Response, BoxError> {
        let body = request.body().and_then(|body| body.as_bytes()).unwrap_or_default();
        let sent = Sent { url: request.url().to_string(), body: serde_json::from_slice(body)? };
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(sent);
        Err("nothing is sent".into())
    }
}

/// A model whose requests are looked at.
pub(super) struct Probe {
    model: AnyModel,
    kept: Kept,
    runtime: Runtime,
}

impl Probe {
    pub(super) fn new(api: &str, model: &str) -> Result<Self, String> {
        let kept = Kept::default();
        let model = provider_model(api, model, "http://localhost", kept.clone())?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        Ok(Self { model, kept, runtime: runtime.map_err(|error| error.to_string())? })
    }

    /// What is sent for this question; `None` where it is refused.
    fn ask(&self, input: &ModelInput, streamed: bool) -> Result<Option<Sent>, String> {
        let mut cache = RequestCache::default();
        let asked = self.runtime.block_on(async {
            match streamed {
                true => self.model.request_stream(input, &mut cache, &mut PartEvents::unheard()).await,
                false => self.model.request(input, &mut cache).await,
            }
        });
        let sent = self.kept.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        match (asked, sent) {
            (Err(_), Some(sent)) => Ok(Some(sent)),
            (Err(error), None) if error.kind() == ErrorKind::Misuse => Ok(None),
            (asked, _) => Err(format!("it was to be refused or kept, but came to {asked:?}")),
        }
    }

    /// The same where it must be sent.
    fn sent(&self, input: &ModelInput) -> Result<Sent, String> {
        self.ask(input, false)?.ok_or_else(|| "a plain question is refused".to_owned())
    }

    /// Whether settings make a difference to a question with tools.
    fn setting(&self, settings: ModelSettings) -> Outcome {
        let plain = self.sent(&question())?;
        Ok(match self.ask(&question().settings(base().merged(&settings)), false)? {
            None => REFUSED,
            Some(sent) if sent == plain => NO,
            Some(_) => YES,
        })
    }

    /// What comes of a choice among the tools.
    fn choice(&self, choice: ToolChoice) -> Outcome {
        let plain = self.sent(&question())?;
        let Some(sent) = self.ask(&question().settings(base().tool_choice(choice)), false)? else { return Ok(REFUSED) };
        let text = sent.body.to_string();
        let told = TOOLS.iter().filter(|name| text.contains(&description(name))).count();
        let is_free = sent == plain || told < TOOLS.len() && self.sent(&question_with(told))? == sent;
        Ok(match (told, is_free) {
            (0, _) => "by sending none",
            (told, true) if told < TOOLS.len() => "only these are sent",
            (_, true) => NO,
            (told, false) if told < TOOLS.len() => "yes, only these are sent",
            (_, false) => YES,
        })
    }

    /// Where a file goes that a tool has returned.
    fn file(&self, media_type: &str) -> Outcome {
        let call = ToolCallPart::new(TOOLS[0], json!({})).with_id("call_one1");
        let content = BinaryContent::new(FILE, media_type).with_identifier("f1");
        let answer = ToolReturnPart::answer(&call, content, CallOutcome::Success);
        let history = History::from_iter([
            ModelRequest::new(vec![prompt("Go.")]).into(),
            toolwright::message::Message::from(ModelResponse::new(vec![call.into()])),
            ModelRequest::new(vec![RequestPart::ToolReturn(answer)]).into(),
        ]);
        let sent = self.sent(&ModelInput::new(history).function_tools(tools(TOOLS.len())).settings(base()))?;
        let text = sent.body.to_string();
        Ok(match (text.contains(FILE_AS_TEXT), text.contains("<tool_result")) {
            (true, true) => "beside the result",
            (true, false) => "in the result",
            (false, _) if text.contains("was not sent") => "a note in its place",
            (false, _) => return Err(format!("the file is lost: {text}")),
        })
    }

    pub(super) fn streams(&self) -> Outcome {
        let streamed = self.ask(&question(), true)?;
        Ok(if streamed == Some(self.sent(&question())?) { NO } else { YES })
    }

    pub(super) fn required(&self) -> Outcome {
        self.choice(ToolChoice::Required)
    }

    pub(super) fn one_tool(&self) -> Outcome {
        self.choice(ToolChoice::tools([TOOLS[0]]))
    }

    pub(super) fn two_tools(&self) -> Outcome {
        self.choice(ToolChoice::tools([TOOLS[0], TOOLS[1]]))
    }

    pub(super) fn no_tool(&self) -> Outcome {
        self.choice(ToolChoice::None)
    }

    pub(super) fn one_at_a_time(&self) -> Outcome {
        self.setting(ModelSettings::new().parallel_tool_calls(false))
    }

    pub(super) fn strict(&self) -> Outcome {
        let with = |strict| {
            let tools = tools(1).into_iter().map(|tool| tool.with_strict(strict));
            self.sent(&ModelInput::prompt("Go.").function_tools(tools).settings(base()))
        };
        Ok(match (with(Some(true))?, with(None)?, with(Some(false))?) {
            (on, _, off) if on == off => NO,
            (on, unset, _) if on == unset => "yes, unless told otherwise",
            _ => "yes, where told so",
        })
    }

    pub(super) fn native_output(&self) -> Outcome {
        Ok(if self.model.has_native_output() { YES } else { NO })
    }

    pub(super) fn thinking(&self) -> Outcome {
        self.setting(ModelSettings::new().thinking(Thinking::High))
    }

    pub(super) fn image(&self) -> Outcome {
        self.file("image/png")
    }

    pub(super) fn pdf(&self) -> Outcome {
        self.file("application/pdf")
    }

    pub(super) fn sound(&self) -> Outcome {
        self.file("audio/wav")
    }

    pub(super) fn video(&self) -> Outcome {
        self.file("video/mp4")
    }

    pub(super) fn cache_point(&self) -> Outcome {
        let of = |content: Vec<UserContent>| {
            let part = RequestPart::UserPrompt(UserPromptPart::new(Prompt::from(content)));
            self.sent(&ModelInput::new(History::from_iter([ModelRequest::new(vec![part])])).settings(base()))
        };
        let words = || UserContent::from("Go.");
        let with = of(vec![words(), CachePoint::new().into(), words()])?;
        Ok(if with == of(vec![words(), words()])? { NO } else { YES })
    }

    pub(super) fn search(&self) -> Outcome {
        let hidden: Vec<_> = tools(1).into_iter().map(|tool| tool.with_defer_loading(true)).collect();
        let search = ToolDefinition::new("search_tools").with_description("Finds.").with_tool_kind("tool-search");
        let mut input = ModelInput::prompt("Go.").settings(base());
        input.function_tools = tools(2).into_iter().skip(1).chain([search]).collect();
        input.hidden_tools = hidden.clone().into();
        input.deferred_tools = hidden.into();
        let text = self.sent(&input)?.body.to_string();
        Ok(match (text.contains("\"search_tools\""), text.contains(&description(TOOLS[0]))) {
            (false, true) => "the provider",
            (true, false) => "the application, by a function tool",
            _ => return Err(format!("nobody, or both: {text}")),
        })
    }

    pub(super) fn newcomer(&self) -> Outcome {
        let delta = ToolAvailabilityDeltaPart::new(vec![TOOLS[1].to_owned()], None);
        let parts = vec![prompt("Go."), RequestPart::ToolAvailabilityDelta(delta)];
        let input = ModelInput::new(History::from_iter([ModelRequest::new(parts)]));
        let sent = self.sent(&input.function_tools(tools(2)).settings(base()))?;
        let text = sent.body.to_string();
        Ok(match text.contains("now available") {
            true => "listed, and announced in words",
            false if text.contains("defer_loading") => "listed hidden, and shown by a message",
            false if text.contains("additional_tools") => "brought by a message",
            false => return Err(format!("the newcomer is lost: {text}")),
        })
    }

    pub(super) fn web_search(&self) -> Outcome {
        self.native(WebSearch::new().into())
    }

    pub(super) fn web_fetch(&self) -> Outcome {
        self.native(WebFetch::new().into())
    }

    pub(super) fn code_execution(&self) -> Outcome {
        self.native(CodeExecution::new().into())
    }

    /// Whether a tool that the provider runs is sent, which the model has to say that it has.
    fn native(&self, tool: NativeTool) -> Outcome {
        if !self.model.has_native_tool(&tool) {
            return Ok(NO);
        }
        let kind = tool.kind().to_owned();
        let plain = self.sent(&question())?;
        match self.ask(&question().native_tools([tool]), false)? {
            Some(sent) if sent != plain => Ok(YES),
            sent => Err(format!("the model says that it has `{kind}`, but this is sent: {sent:?}")),
        }
    }

    pub(super) fn stop_sequences(&self) -> Outcome {
        self.setting(ModelSettings::new().stop_sequences(vec!["END".to_owned()]))
    }

    pub(super) fn seed(&self) -> Outcome {
        self.setting(ModelSettings::new().seed(7))
    }
}

const TOOLS: [&str; 3] = ["first", "second", "third"];

fn description(name: &str) -> String {
    format!("The tool that is {name}.")
}

fn tools(count: usize) -> Vec<ToolDefinition> {
    let parameters = json!({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": false});
    let tool = |name: &&str| {
        ToolDefinition::new(*name).with_description(description(name)).with_parameters(parameters.clone())
    };
    TOOLS[..count].iter().map(tool).collect()
}

fn prompt(text: &str) -> RequestPart {
    RequestPart::UserPrompt(UserPromptPart::new(text))
}

fn question() -> ModelInput {
    question_with(TOOLS.len())
}

fn question_with(count: usize) -> ModelInput {
    ModelInput::prompt("Go.").function_tools(tools(count)).settings(base())
}

/// Settings under which a request is tried once, and asked for at once.
fn base() -> ModelSettings {
    ModelSettings::new().max_retries(0_u32).max_tokens(1000)
}
