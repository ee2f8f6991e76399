//! What a model behind the Responses API can do.

use crate::provider::availability::{Additions, Channels, Deferral};
use crate::provider::chat::{Reasoning, SystemRole};
use crate::schema::Keywords;

/// What a model behind the Responses API can do, as far as requests depend on it.
///
/// OpenAI's own models are told by their names. A server that speaks the API but knows less of it is described by setting
/// the fields; see [`OpenAiResponsesModelBuilder::profile`](super::OpenAiResponsesModelBuilder::profile).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OpenAiResponsesProfile {
    /// In whose name system prompts are sent; instructions have a field of their own.
    pub system_role: SystemRole,
    /// Whether tool definitions may be strict.
    pub strict_tools: bool,
    /// Whether strict schemas may limit the lengths of strings.
    pub strict_lengths: bool,
    /// Whether `tool_choice` may be a list, as `allowed_tools`; else the other tools are left out of the request.
    pub allowed_tools: bool,
    /// Whether the model can be held to a JSON schema as it writes text.
    pub json_schema_output: bool,
    /// Whether the model can be made to call a tool.
    pub forced_tool_choice: bool,
    /// How the model reasons.
    pub reasoning: Reasoning,
    /// Whether its thoughts are asked for, encrypted, and sent back with everything that came with them by its id.
    pub encrypted_reasoning: bool,
    /// Whether its texts tell commentary from answers, and want to be sent back with that.
    pub phases: bool,
    /// Whether the API searches hidden tools, or carries the application's search, and keeps the schemas of such tools from the
    /// model until they are found. Where it is not said, OpenAI's own server does, and no other.
    pub tool_search: Option<bool>,
    /// Whether the conversation can add tools, with their definitions (`additional_tools`). Where it is not said, it can at
    /// OpenAI's own server, and at no other.
    pub additional_tools: Option<bool>,
    /// Whether `tool_choice` may name a tool that the conversation has added; else a request that does has the tool among its
    /// own.
    pub choice_of_additional_tools: bool,
    /// Whether the server runs tools of its own, such as a web search. Where it is not said, OpenAI's own does, and no other.
    pub native_tools: Option<bool>,
    /// Whether it sees images, in prompts and in results of tools.
    pub images: bool,
    /// Whether it reads documents, such as PDFs, in prompts and in results of tools.
    pub documents: bool,
}

/// Families whose texts have a phase.
const WITH_PHASES: [&str; 5] = ["gpt-5.3-codex", "gpt-5.4", "gpt-5.5", "gpt-5.6", "gpt-6"];

/// Families whose tools the API searches, but for [`WITHOUT_SEARCH`].
const WITH_SEARCH: [&str; 4] = ["gpt-5.4", "gpt-5.5", "gpt-5.6", "gpt-6"];

const WITHOUT_SEARCH: &str = "gpt-5.4-nano";

/// Families that can be made to call tools that the conversation has added.
const WITH_CHOICE_OF_ADDITIONS: [&str; 2] = ["gpt-5.6", "gpt-6"];

impl OpenAiResponsesProfile {
    /// What is known of an OpenAI model by its name; one that is not known is taken for an ordinary new one.
    #[must_use]
    pub fn of(model: &str) -> Self {
        let reasoning = Reasoning::of(model);
        let is_of = |families: &[&str]| families.iter().any(|family| model.starts_with(family));
        let has_search = is_of(&WITH_SEARCH) && !model.starts_with(WITHOUT_SEARCH);
        Self {
            system_role: SystemRole::of(model),
            strict_tools: true,
            // Fine-tuned models reject what their bases take.
            strict_lengths: !model.starts_with("ft:"),
            allowed_tools: true,
            json_schema_output: true,
            forced_tool_choice: true,
            reasoning,
            encrypted_reasoning: reasoning != Reasoning::NEVER,
            phases: is_of(&WITH_PHASES),
            tool_search: (!has_search).then_some(false),
            additional_tools: None,
            choice_of_additional_tools: is_of(&WITH_CHOICE_OF_ADDITIONS),
            native_tools: None,
            images: true,
            documents: true,
        }
    }

    /// The profile at OpenAI's own server, or at another one.
    pub(super) fn at(mut self, is_openai: bool) -> Self {
        self.tool_search.get_or_insert(is_openai);
        self.additional_tools.get_or_insert(is_openai);
        self.native_tools.get_or_insert(is_openai);
        self
    }

    /// What there is for tools that the model is not to see at once.
    pub(super) fn channels(&self) -> Channels {
        let search = self.tool_search == Some(true);
        Channels {
            search,
            deferral: if search { Deferral::WithSearch } else { Deferral::Never },
            additions: if self.additional_tools == Some(true) { Additions::Definitions } else { Additions::Words },
        }
    }

    pub(super) fn keywords(&self) -> Keywords {
        if self.strict_lengths { Keywords::WithLengths } else { Keywords::WithoutLengths }
    }
}
