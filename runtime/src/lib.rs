//! Toolwright hands Rust functions to language models as tools, and lets you decide at every step of a run which of them
//! the model sees, in what form, and what happens when it calls them.
//!
//! ```
//! use toolwright::model::TestModel;
//! use toolwright::{Agent, RunContext, tool, tools};
//!
//! /// Look up a customer's balance, in cents.
//! #[tool]
//! async fn balance(
//!     ctx: &RunContext<Vec<i64>>,
//!     /// The customer's number.
//!     customer: usize,
//! ) -> Result<i64, toolwright::ModelRetry> {
//!     let known = ctx.deps().get(customer).copied();
//!     known.ok_or_else(|| toolwright::ModelRetry::new("There is no such customer."))
//! }
//!
//! # #[tokio::main]
//! # async fn main() -> toolwright::Result<()> {
//! let agent = Agent::<Vec<i64>>::builder(TestModel::new()).tools(tools![balance]).build()?;
//! let result = agent.run("How much does customer 0 have?").deps(vec![1250]).await?;
//! assert_eq!(result.output(), r#"{"balance":1250}"#);
//! # Ok(())
//! # }
//! ```
//!
//! # Where to find what
//!
//! | for | see |
//! |---|---|
//! | making tools | [`tool`](macro@tool), [`tools!`], [`RawTool`], [`ToolReturn`] |
//! | making a toolset of methods that share a value, or of a module | [`toolset`](macro@toolset) |
//! | saying that a call has no result | [`ModelRetry`], [`ToolFailed`], [`ApprovalRequired`], [`CallDeferred`] |
//! | knowing a tool whatever it is called | [`tool_kind`](macro@tool_kind), [`tool::kind`], [`RunContext::tool_name_for_kind`] |
//! | deciding what the model sees | [`prepare`], [`Tool::with_prepare`], [`AgentBuilder::prepare_tools`] |
//! | putting tools together | [`toolset`](mod@toolset), [`ToolsetExt`] |
//! | bringing what belongs together; hooks around requests and calls | [`capability`], [`Capability`](capability::Capability) |
//! | letting the model load instructions and tools when it needs them | [`capability::OnDemand`] |
//! | editing a conversation before it is sent | [`capability::ProcessHistory`] |
//! | putting an agent together where its parts are | [`agent`](macro@agent), [`instructions`](macro@instructions), [`output_validator`](macro@output_validator), [`RegisteredAgent`] |
//! | building and running agents | [`Agent`], [`AgentBuilder`], [`Run`], [`RunResult`] |
//! | what a run comes to | [`OutputSpec`], [`OutputTool`], [`EndStrategy`] |
//! | coming to one of several things: values, text, files | [`AgentOutput`](macro@AgentOutput), [`AgentBuilder::output_of`] |
//! | checking what a run comes to, or making it by a function | [`AgentBuilder::output_validator`], [`OutputTool::function`] |
//! | hiding tools until they are needed | [`ToolsetExt::defer_loading`], [`ToolSearch`], [`ToolReturn::reveal`] |
//! | bringing tools while a run goes on | [`FunctionToolset::add`], [`toolset::DynamicToolset`] |
//! | tools of MCP servers | [`docs::mcp`], [`mcp::McpToolset`], [`mcp::McpConfig`] |
//! | letting a tool step aside for another | [`ToolDefinition::with_unless_tool_kind`] |
//! | tools that the provider itself runs, such as its web search | [`native`], [`AgentBuilder::native_tool`] |
//! | pausing and going on | [`DeferredToolRequests`], [`DeferredToolResults`], [`Agent::resume`] |
//! | answering at once what would pause | [`AgentBuilder::handle_deferred`] |
//! | watching a run | [`Run::stream`], [`Run::on_event`], [`Event`], [`RunContext::emit`], [`model::PartDelta`] |
//! | asking why the model cannot see a tool | [`report`], [`RunResult::steps`], [`Event::StepReport`] |
//! | running an agent inside another's tool | [`Run::within`] |
//! | seeing runs in traces | [`docs::traces`], [`AgentBuilder::trace_content`] |
//! | stopping a run | [`Run::deadline`], [`Run::cancel_on`], [`RunContext::cancel`], [`Tool::with_timeout`] |
//! | conversations | [`message`], [`History`], [`RecordedHistory`] |
//! | models | [`model`], [`provider`], [`provider::Transport`] |
//! | several models: one after the other where one fails, or some requests at a time | [`model::FallbackModel`], [`model::LimitedModel`] |
//! | asking a model without an agent | [`model::request`], [`model::request_stream`], [`model::request_blocking`] |
//! | what goes wrong | [`Error`], [`ErrorKind`] |
//!
//! What all this costs is told in [`docs::performance`].
//!
//! Parameters, results and outputs that are types of your own derive `serde::Deserialize`, `serde::Serialize` and
//! `schemars::JsonSchema`; for that, your `Cargo.toml` needs `serde` (with `derive`) and `schemars` 1.
//!
//! # Models
//!
//! These APIs are spoken, at once and streamed:
//!
//! | API | model | feature | where its key is |
//! |---|---|---|---|
//! | OpenAI Chat Completions, and the many servers that speak it | [`OpenAiChatModel`](provider::openai::OpenAiChatModel) | `openai` | `OPENAI_API_KEY` |
//! | OpenAI Responses | [`OpenAiResponsesModel`](provider::openai::OpenAiResponsesModel) | `openai` | `OPENAI_API_KEY` |
//! | Anthropic Messages | [`AnthropicModel`](provider::anthropic::AnthropicModel) | `anthropic` | `ANTHROPIC_API_KEY` |
//! | Google Gemini | [`GoogleModel`](provider::google::GoogleModel) | `google` | `GOOGLE_API_KEY` or `GEMINI_API_KEY` |
//! | Groq | [`GroqModel`](provider::groq::GroqModel) | `groq` | `GROQ_API_KEY` |
//! | Hugging Face's router | [`HuggingFaceModel`](provider::huggingface::HuggingFaceModel) | `huggingface` | `HF_TOKEN` |
//! | xAI | [`XaiModel`](provider::xai::XaiModel) | `xai` | `XAI_API_KEY` |
//! | Azure, Cerebras, Crusoe, DeepSeek, Fireworks, GitHub Copilot, Ollama, OpenRouter, Snowflake, Together, vLLM, Z.AI, Bedrock Mantle | [`OpenAiChatModel::at`](provider::openai::OpenAiChatModel::at) or [`OpenAiResponsesModel::at`](provider::openai::OpenAiResponsesModel::at) | `openai` | see [`Service`](provider::openai::Service) |
//! | Mistral | [`MistralModel`](provider::mistral::MistralModel) | `mistral` | `MISTRAL_API_KEY` |
//! | Cohere Chat, version 2 | [`CohereModel`](provider::cohere::CohereModel) | `cohere` | `CO_API_KEY` |
//! | Amazon Bedrock Converse | [`BedrockModel`](provider::bedrock::BedrockModel) | `bedrock` | `AWS_BEARER_TOKEN_BEDROCK`, or AWS credentials |
//!
//! [`AnyModel::named`](model::AnyModel::named) makes any of them by provider and name, as in `groq:openai/gpt-oss-120b`.
//!
//! Requests go through an HTTP client, or through a [`Transport`](provider::Transport) of yours. What implements [`Model`]
//! is a model.
//!
//! # Testing
//!
//! [`TestModel`](model::TestModel) calls every tool once, with arguments made from its schema; it shows what it was last
//! asked. [`FunctionModel`](model::FunctionModel) answers what a function of yours says. An annotated function is still a
//! function: call it with [`RunContext::detached`].
//!
//! # What cannot be had
//!
//! An `async` tool that never yields cannot be timed out or cancelled: nothing else runs meanwhile. A blocking tool's thread
//! cannot be stopped: when its call times out or its run is cancelled, the thread runs to its end, and its result is
//! discarded.

// The macros name this crate from outside; so do its own tests and examples of them.
extern crate self as toolwright;

#[doc(hidden)]
pub mod __private;
mod agent;
pub mod args;
mod blocking;
mod cancel;
pub mod capability;
mod choice;
mod context;
mod deferred;
mod discovery;
pub mod error;
mod event;
#[cfg(feature = "http")]
#[cfg_attr(not(feature = "provider"), allow(unused_imports, unreachable_pub, reason = "no provider is switched on"))]
#[cfg_attr(not(feature = "full"), allow(dead_code, reason = "no provider needs all that they share"))]
mod http;
mod id;
pub mod json;
mod later;
#[cfg(feature = "mcp")]
pub mod mcp;
pub mod message;
mod meter;
pub mod model;
pub mod native;
mod output;
mod panics;
pub mod prepare;
#[cfg(feature = "provider")]
#[cfg_attr(not(feature = "full"), allow(dead_code, unused_imports, reason = "no provider needs all that they share"))]
pub mod provider;
mod repair;
pub mod report;
mod retry;
mod schema;
mod search;
mod supersede;
pub mod tool;
pub mod toolset;
mod trace;
mod transcript;
mod usage;
pub mod validator;
mod wording;

pub use agent::{
    Agent, AgentBuilder, Dependencies, EndStrategy, HasDeps, InstructionsFunction, IntoInstructions, NeedsDeps,
    RegisteredAgent, Run, RunResult, RunStream,
};
pub use context::{ModelInfo, RunContext};
pub use deferred::{
    Approval, DeferredAnswers, DeferredHandler, DeferredResult, DeferredToolRequests, DeferredToolResults,
    MaybeDeferred,
};
pub use error::{Error, ErrorKind, Result};
pub use event::Event;
pub use json::Json;
pub use later::{BoxFuture, Later};
pub use message::{AudioUrl, BinaryContent, DocumentUrl, File, History, ImageUrl, VideoUrl};
pub use model::{Model, ModelSettings, ToolChoice};
pub use native::NativeTool;
pub use output::{
    AgentOutput, FromContext, JoinContext, NoContext, OutputFormat, OutputFunction, OutputMode, OutputSpec, OutputTool,
    OutputValidator, OutputValue, ValidatedOutput,
};
pub use report::StepReport;
pub use retry::Retries;
pub use search::ToolSearch;
pub use tokio_util::sync::CancellationToken;
pub use tool::kind::ToolKind;
pub use tool::{
    ApprovalRequired, CallDeferred, CallKind, ModelRetry, RawTool, Tool, ToolDefinition, ToolFailed, ToolReturn,
};
pub use toolset::{ExternalToolset, FunctionToolset, Toolset, ToolsetExt};
pub use transcript::RecordedHistory;
pub use usage::{RequestUsage, RunUsage, UsageLimits};

/// Longer reads.
#[cfg(doc)]
pub mod docs {
    #[cfg(feature = "mcp")]
    #[doc = include_str!("../docs/mcp.md")]
    pub mod mcp {}
    #[doc = include_str!("../docs/performance.md")]
    pub mod performance {}
    #[doc = include_str!("../docs/providers.md")]
    pub mod providers {}
    #[cfg(feature = "tracing")]
    #[doc = include_str!("../docs/traces.md")]
    pub mod traces {}
}

/// The README's programs are tests, too.
#[cfg(all(doctest, feature = "full"))]
#[doc = include_str!("../../README.md")]
struct Readme;

#[cfg(feature = "macros")]
#[doc(inline)]
pub use toolwright_macros::{
    AgentOutput, agent, instructions, output_validator, prepare_output_tools, prepare_tools, tool, tool_kind, toolset,
};

/// Makes a list of tools out of the types that `#[tool]` made; a generic tool is named with its types. Two of one name are an error
/// when the program is built.
///
/// ```
/// # #[cfg(feature = "macros")]
/// # {
/// use toolwright::{Tool, tool, tools};
///
/// /// Adds two numbers.
/// #[tool]
/// fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// /// Says it again.
/// #[tool]
/// fn echo<T: serde::Serialize>(value: T) -> T {
///     value
/// }
///
/// let tools: Vec<Tool<()>> = tools![add, echo::<String>];
/// assert_eq!(tools.iter().map(Tool::name).collect::<Vec<_>>(), ["add", "echo"]);
/// # }
/// ```
#[macro_export]
macro_rules! tools {
    ($($tool:ty),* $(,)?) => {
        {
            #[allow(unused_imports)]
            use $crate::__private::Nameless as _;
            #[allow(long_running_const_eval)]
            let () = const { $crate::__private::check_names(&[$($crate::__private::NameOf::<$tool>::NAME),*]) };
            $crate::__private::std::vec![$($crate::Tool::typed::<$tool>()),*]
        }
    };
}
