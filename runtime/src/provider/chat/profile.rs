//! What a model behind the Chat Completions API can do, and how its server differs from OpenAI's.

use super::effort::Reasoning;
use super::role::SystemRole;
use crate::schema::Keywords;

/// What a model behind the Chat Completions API can do, as far as requests depend on it, and how its server differs from
/// OpenAI's.
///
/// Models are told by their names, as their provider has them. A server that no provider of this library stands for is
/// described by setting the fields; see
/// [`OpenAiChatModelBuilder::profile`](crate::provider::openai::OpenAiChatModelBuilder::profile).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ChatProfile {
    /// In whose name instructions and system prompts are sent.
    pub system_role: SystemRole,
    /// Whether system prompts and instructions may be several messages before all others; else they are joined.
    pub system_messages: bool,
    /// Whether the limit of an answer is called `max_completion_tokens`; else it is `max_tokens`.
    pub max_completion_tokens: bool,
    /// Whether a streamed reply tells its usage when asked to, with `stream_options`.
    pub stream_usage: bool,

    /// Whether the model takes tools.
    pub tools: bool,
    /// Whether the key `tools` is there when there are none.
    pub empty_tools: bool,
    /// In which form the server wants schemas of tools.
    pub schemas: SchemaForm,
    /// Whether tool definitions may be strict.
    pub strict_tools: bool,
    /// Whether strict schemas may limit the lengths of strings.
    pub strict_lengths: bool,
    /// Whether the server can be told that a response may hold several calls, or only one.
    pub parallel_tool_calls: bool,
    /// Whether the server heeds `tool_choice`; else only tools that may be called are sent, and calls are asked for in vain.
    pub tool_choice: bool,
    /// Whether `tool_choice` may be a list, as `allowed_tools`; else the other tools are left out of the request.
    pub allowed_tools: bool,
    /// Whether a tool that is chosen by its name is marked as a function.
    pub typed_tool_choice: bool,
    /// Whether the model can be made to call a tool.
    pub forced_tool_choice: bool,
    /// Whether it can while it thinks.
    pub forced_tool_choice_with_thinking: ForcedWithThinking,

    /// Whether the model can be held to a JSON schema as it writes text; else
    /// [`OutputSpec::native`](crate::OutputSpec::native) is refused.
    pub json_schema_output: bool,
    /// Whether the model can be held to JSON as it writes text, whatever the schema.
    pub json_object_output: bool,

    /// How the model reasons.
    pub reasoning: Reasoning,
    /// Which settings the model takes while it reasons.
    pub while_reasoning: WhileReasoning,
    /// How the server is told how much to think.
    pub thinking: ThinkingForm,
    /// Whether the model's text may hold thoughts, between `<think>` and `</think>`.
    pub think_tags: bool,
    /// How the model's thoughts are sent back.
    pub thoughts: ThoughtForm,
    /// Whether the model begins its text with blanks, so that a streamed text is no text before there is more.
    pub blank_beginnings: bool,

    /// Whether it sees images.
    pub images: bool,
    /// Whether it hears.
    pub audio: bool,
    /// Whether it sees films.
    pub video: bool,
    /// Whether it reads documents, such as PDFs.
    pub documents: bool,
    /// Whether the server fetches documents from URLs.
    pub document_urls: bool,
    /// Whether text files that tools return are sent as text; those of prompts are in any case.
    pub text_files: bool,

    /// How the server is told up to where a request may be cached.
    pub cache_points: CachePoints,
    /// Whether the server refuses a response whose call does not fit, and says what the model wrote; that is then the response.
    pub failed_generations: bool,
}

/// Whether a model that thinks can be made to call a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ForcedWithThinking {
    /// It can.
    Yes,
    /// Not if it was asked to think; where it thinks of itself, it does without.
    UnlessAsked,
    /// It cannot.
    No,
}

/// In which form a server wants schemas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SchemaForm {
    /// As OpenAI's models want them.
    OpenAi,
    /// As they are.
    Plain,
    /// As they are, with definitions in place of references to them.
    Inlined,
}

/// Which settings a model takes while it reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum WhileReasoning {
    /// All.
    All,
    /// All but penalties and texts to stop at.
    NoPenaltiesOrStops,
    /// No temperature, and nothing else of how words are chosen.
    NoSampling,
}

/// How a server is told how much to think; see [`ModelSettings::thinking`](crate::ModelSettings::thinking).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ThinkingForm {
    /// An effort that the model takes, as `reasoning_effort`.
    Effort,
    /// The same, and that earlier thoughts are kept, as `clear_thinking`.
    EffortKeepingThoughts,
    /// An effort as `reasoning_effort`, and whether thoughts are told apart from text, or hidden, as `reasoning_format`.
    Format,
    /// An effort as `reasoning.effort`, and `reasoning.enabled`.
    Object,
    /// An effort as `reasoning.effort`, with a temperature of 1; to think less, nothing.
    ObjectWithTemperature,
    /// `thinking.type`, which is `enabled` or `disabled`, and earlier thoughts are kept; an effort as `reasoning_effort`.
    Switch,
}

/// How a model's own thoughts are sent back to it. Those of other providers are not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ThoughtForm {
    /// In the field in which they came; those that came in tags go back in tags.
    AsTheyCame,
    /// In tags before the text.
    Tags,
    /// In `reasoning_content`, which every response with calls must have once one of them had thoughts.
    ReasoningContent,
    /// As the `reasoning_details` in which they came.
    Details,
}

/// How a server is told up to where a request may be cached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CachePoints {
    /// Not at all.
    Never,
    /// By marks in user messages.
    Marks,
    /// By at most four marks in user messages, each with how long it is to last.
    LastingMarks,
}

impl ChatProfile {
    /// What is known of an OpenAI model by its name; one that is not known is taken for an ordinary new one.
    #[must_use]
    pub fn of(model: &str) -> Self {
        Self {
            system_role: SystemRole::of(model),
            system_messages: true,
            max_completion_tokens: true,
            stream_usage: true,
            tools: true,
            empty_tools: false,
            schemas: SchemaForm::OpenAi,
            strict_tools: true,
            // Fine-tuned models reject what their bases take.
            strict_lengths: !model.starts_with("ft:"),
            parallel_tool_calls: true,
            tool_choice: true,
            allowed_tools: true,
            typed_tool_choice: true,
            forced_tool_choice: true,
            forced_tool_choice_with_thinking: ForcedWithThinking::Yes,
            json_schema_output: true,
            json_object_output: true,
            reasoning: Reasoning::of(model),
            while_reasoning: WhileReasoning::NoSampling,
            thinking: ThinkingForm::Effort,
            think_tags: false,
            thoughts: ThoughtForm::AsTheyCame,
            blank_beginnings: false,
            images: true,
            audio: model.contains("audio"),
            video: false,
            documents: true,
            document_urls: false,
            text_files: true,
            cache_points: CachePoints::Never,
            failed_generations: false,
        }
    }

    /// A model of which nothing is known, behind a server that speaks the API without what only OpenAI's own has.
    #[must_use]
    pub fn compatible() -> Self {
        Self {
            max_completion_tokens: false,
            strict_tools: false,
            strict_lengths: false,
            allowed_tools: false,
            reasoning: Reasoning::NEVER,
            while_reasoning: WhileReasoning::All,
            think_tags: true,
            audio: false,
            ..Self::of("")
        }
    }

    pub(super) fn keywords(&self) -> Keywords {
        if self.strict_lengths { Keywords::WithLengths } else { Keywords::WithoutLengths }
    }
}
