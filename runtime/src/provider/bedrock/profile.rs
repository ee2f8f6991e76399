//! What models behind Bedrock can do.

use super::model_id::ModelId;
use super::reasoning::{BedrockReasoning, EFFORTS_FROM_LOW, GLM, GPT, GROK, NOVA, ONLY_HIGH, QWEN};
use crate::message::CacheTtl;
use crate::provider::claude::{AnthropicProfile, HowToThink};

/// What a model behind Bedrock's Converse API can do, as far as requests depend on it.
///
/// Models are told by their ids. One whose id says nothing, such as the ARN of an application's inference profile, is taken for
/// one that does what all do: start from what is known of another with [`of`](Self::of), or set the fields; see
/// [`BedrockModelBuilder::profile`](super::BedrockModelBuilder::profile).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BedrockProfile {
    /// For a model of Anthropic's: how it thinks, whether it can be made to call a tool, and how much it writes.
    pub claude: Option<AnthropicProfile>,
    /// How a model of another maker's is asked to think.
    pub reasoning: BedrockReasoning,
    /// Whether it can be told which tools to call.
    pub tool_choice: bool,
    /// Whether it takes a temperature and the like.
    pub sampling: bool,
    /// Whether tool definitions may be strict.
    pub strict_tools: bool,
    /// Whether it can be held to a JSON schema as it writes its text.
    pub json_schema_output: bool,
    /// Whether definitions within a schema have to stand where they are referred to.
    pub inlined_definitions: bool,
    /// Whether it sees images.
    pub images: bool,
    /// Whether it reads documents: PDF, Word, Excel, HTML and what else is text.
    pub documents: bool,
    /// Whether it watches videos.
    pub video: bool,
    /// What tool results may hold besides text and data.
    pub in_results: BedrockContent,
    /// What may stand beside tool results in a message. Anything else follows in a message of its own.
    pub beside_results: BedrockContent,
    /// Whether data in results is sent as JSON, not as text.
    pub json_results: bool,
    /// Whether results say if their calls failed.
    pub result_status: bool,
    /// Whether a conversation may begin with what the model said.
    pub leading_response: bool,
    /// Whether it takes its thoughts back.
    pub own_thoughts: bool,
    /// For how long it remembers the beginning of a request where it is told to, at most; `None` if it does not.
    pub caching: Option<CacheTtl>,
    /// Whether it remembers definitions of tools, too.
    pub tool_caching: bool,
}

/// Sorts of content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BedrockContent {
    /// Words.
    pub text: bool,
    /// Images.
    pub images: bool,
    /// Documents.
    pub documents: bool,
    /// Videos.
    pub video: bool,
}

impl BedrockContent {
    /// Nothing.
    pub const NOTHING: Self = Self { text: false, images: false, documents: false, video: false };
    /// All sorts.
    pub const EVERYTHING: Self = Self { text: true, images: true, documents: true, video: true };
    const TEXT_AND_IMAGES: Self = Self { text: true, images: true, ..Self::NOTHING };
    const TEXT_AND_DOCUMENTS: Self = Self { text: true, documents: true, ..Self::NOTHING };
    const TEXT: Self = Self { text: true, ..Self::NOTHING };
    const ALL_BUT_VIDEO: Self = Self { video: false, ..Self::EVERYTHING };
}

impl BedrockProfile {
    /// What is known of a model by its id.
    #[must_use]
    pub fn of(model: &str) -> Self {
        let ModelId { maker, name, .. } = ModelId::of(model);
        let begins = |names: &[&str]| names.iter().any(|begin| name.starts_with(begin));
        match maker {
            "anthropic" => claude(name),
            "amazon" if name.contains("nova-micro") => Self { images: false, documents: false, video: false, ..NOVAS },
            "amazon" if name.starts_with("nova-2") => Self { reasoning: NOVA, ..NOVAS },
            "amazon" if name.contains("nova") => NOVAS,
            "amazon" => Self { inlined_definitions: true, ..ORDINARY },
            "meta" => Self { inlined_definitions: true, in_results: BedrockContent::ALL_BUT_VIDEO, ..ALONE },
            "mistral" => Self {
                in_results: BedrockContent::TEXT_AND_DOCUMENTS,
                json_results: true,
                ..held(ALONE, begins(&["magistral-small", "ministral-3", "mistral-large-3", "voxtral"]))
            },
            "writer" => Self { result_status: false, ..ALONE },
            "deepseek" if name.contains("r1") => Self { own_thoughts: true, ..ORDINARY },
            "deepseek" if name == "v3.2" => Self { reasoning: ONLY_HIGH, ..ORDINARY },
            "qwen" => Self {
                reasoning: if begins(&["qwen3-coder"]) { BedrockReasoning::Unsaid } else { QWEN },
                in_results: BedrockContent::TEXT,
                leading_response: true,
                ..held(ORDINARY, begins(&["qwen3"]))
            },
            "google" => held(ORDINARY, begins(&["gemma-3-12b-it", "gemma-3-27b-it"])),
            "minimax" => held(ORDINARY, begins(&["minimax-m2"])),
            "nvidia" => held(ORDINARY, begins(&["nemotron-nano"])),
            "zai" => Self { reasoning: if begins(&["glm-5.3"]) { GLM } else { ONLY_HIGH }, ..CHOOSING },
            "moonshot" | "moonshotai" => Self { in_results: BedrockContent::TEXT, ..CHOOSING },
            "xai" => Self { reasoning: GROK, tool_choice: true, sampling: false, ..ORDINARY },
            "openai" if begins(&["gpt-oss"]) => {
                Self { reasoning: EFFORTS_FROM_LOW, inlined_definitions: true, ..ORDINARY }
            }
            "openai" => Self { reasoning: GPT, sampling: false, ..ORDINARY },
            _ => ORDINARY,
        }
    }

    /// Whether the request is remembered up to a PDF: Claude reads one page by page, and takes other documents for text.
    pub(super) fn remembers_pdfs(&self) -> bool {
        self.claude.is_some()
    }
}

/// Does what all do, and sees images.
const ORDINARY: BedrockProfile = BedrockProfile {
    claude: None,
    reasoning: BedrockReasoning::Unsaid,
    tool_choice: false,
    sampling: true,
    strict_tools: false,
    json_schema_output: false,
    inlined_definitions: false,
    images: true,
    documents: true,
    video: false,
    in_results: BedrockContent::TEXT_AND_IMAGES,
    beside_results: BedrockContent::EVERYTHING,
    json_results: false,
    result_status: true,
    leading_response: false,
    own_thoughts: false,
    caching: None,
    tool_caching: false,
};

const NOVAS: BedrockProfile = BedrockProfile {
    tool_choice: true,
    inlined_definitions: true,
    video: true,
    caching: Some(CacheTtl::FiveMinutes),
    ..ORDINARY
};

/// Wants results to stand alone.
const ALONE: BedrockProfile = BedrockProfile { beside_results: BedrockContent::NOTHING, ..ORDINARY };

/// Takes a tool choice, and can be held to schemas.
const CHOOSING: BedrockProfile = BedrockProfile {
    tool_choice: true,
    leading_response: true,
    strict_tools: true,
    json_schema_output: true,
    ..ORDINARY
};

fn held(profile: BedrockProfile, to_schemas: bool) -> BedrockProfile {
    BedrockProfile { strict_tools: to_schemas, json_schema_output: to_schemas, ..profile }
}

/// What Anthropic's own API does not have at Bedrock, by the start of a model's name: strict tools and JSON schemas.
const NOT_HELD: [&str; 2] = ["claude-opus-4-1", "claude-fable-5"];
/// Models that remember for an hour.
const HOURLY: [&str; 10] = [
    "claude-fable-5",
    "claude-haiku-4-5",
    "claude-haiku-5",
    "claude-mythos-5",
    "claude-opus-4-5",
    "claude-opus-4-6",
    "claude-opus-4-7",
    "claude-opus-4-8",
    "claude-opus-5",
    "claude-sonnet-5",
];

fn claude(name: &str) -> BedrockProfile {
    let mut own = AnthropicProfile::of(name);
    // An effort is only taken from models that decide for themselves how much to think.
    own.effort &= own.thinking == HowToThink::Adaptive;
    let is_held = own.strict_tools && !NOT_HELD.iter().any(|begin| name.starts_with(begin));
    let is_hourly =
        HOURLY.iter().chain(&["claude-sonnet-4-5", "claude-sonnet-4-6"]).any(|begin| name.starts_with(begin));
    BedrockProfile {
        claude: Some(own),
        tool_choice: true,
        in_results: BedrockContent::ALL_BUT_VIDEO,
        beside_results: BedrockContent::TEXT_AND_IMAGES,
        leading_response: true,
        own_thoughts: true,
        caching: Some(if is_hourly { CacheTtl::Hour } else { CacheTtl::FiveMinutes }),
        tool_caching: true,
        ..held(ORDINARY, is_held)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_tell_what_models_can_do() {
        let of = BedrockProfile::of;
        let sonnet = of("us.anthropic.claude-sonnet-4-5-20250929-v1:0");
        assert!(sonnet.strict_tools && sonnet.json_schema_output && sonnet.own_thoughts && !sonnet.video);
        assert_eq!(sonnet.caching, Some(CacheTtl::Hour));
        assert_eq!(of("anthropic.claude-3-7-sonnet-20250219-v1:0").caching, Some(CacheTtl::FiveMinutes));
        assert!(!of("anthropic.claude-opus-4-1-20250805-v1:0").strict_tools);
        let effort = |id| of(id).claude.is_some_and(|claude| claude.effort);
        assert!(effort("global.anthropic.claude-opus-4-8") && !effort("anthropic.claude-opus-4-5-20251101-v1:0"));
        assert!(of("us.amazon.nova-pro-v1:0").video && !of("us.amazon.nova-micro-v1:0").images);
        assert_eq!(of("global.amazon.nova-2-lite-v1:0").reasoning, NOVA);
        assert!(!of("us.meta.llama4-scout-17b-instruct-v1:0").beside_results.text);
        assert!(of("mistral.mistral-large-3-675b-instruct").json_results);
        assert!(!of("us.writer.palmyra-x5-v1:0").result_status);
        assert!(of("openai.gpt-oss-120b-1:0").inlined_definitions && of("openai.gpt-oss-120b-1:0").sampling);
        assert!(!of("global.openai.gpt-6-luna").sampling && !of("global.xai.grok-4.7").sampling);
        assert!(of("zai.glm-4.7").strict_tools && of("moonshot.kimi-k2-thinking").tool_choice);
        for unknown in ["", "llama", "ai21.jamba-1-5-large-v1:0", "arn:aws:bedrock:us-east-1:1:provisioned-model/x"] {
            assert_eq!(of(unknown), ORDINARY, "{unknown}");
        }
    }
}
