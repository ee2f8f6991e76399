//! What is known of each service's models by their names.
//!
//! A service serves models of many makers. What holds for a model wherever it is served is told by its family; what is said here
//! is what the service adds or takes away.

use super::mantle;
use crate::provider::chat::Effort::{self, High, Low, Medium, Minimal, XHigh};
use crate::provider::chat::{
    CachePoints, ChatProfile, ForcedWithThinking, Reasoning, SchemaForm, ThinkingForm, ThoughtForm, WhileReasoning,
    bare_name,
};
use crate::provider::openai::OpenAiResponsesProfile;

const FROM_LOW: Reasoning = Reasoning::new(&[Low, Medium, High], true);
const FROM_NONE: Reasoning = Reasoning::new(&[Effort::None, Low, Medium, High], true);
const ON_REQUEST: Reasoning = Reasoning::new(&[Low, Medium, High], false);
const LOW_OR_HIGH: Reasoning = Reasoning::new(&[Low, High], true);
/// It is on or off.
const SWITCHED: Reasoning = Reasoning::new(&[Effort::None], true);

/// Claude models that cannot be made to call a tool.
const UNFORCED_CLAUDE: [&str; 4] = ["claude-opus-5-5", "claude-sonnet-5-5", "claude-fable-5-1", "claude-mythos-5-1"];

/// A model that anybody can serve, behind a server that reads no documents.
fn open(model: &str) -> ChatProfile {
    let reasoning = if bare_name(model).starts_with("gpt-oss") { FROM_LOW } else { Reasoning::NEVER };
    ChatProfile { documents: false, reasoning, ..ChatProfile::compatible() }.with_family(model)
}

/// A model of OpenAI's that another serves.
fn openai(model: &str) -> ChatProfile {
    ChatProfile { documents: false, ..ChatProfile::of(model) }
}

fn begins(name: &str, prefixes: &[&str]) -> bool {
    prefixes.iter().any(|prefix| name.starts_with(prefix))
}

pub(super) fn azure(model: &str) -> ChatProfile {
    let name = model.to_ascii_lowercase();
    let of_others = ["llama", "meta-", "deepseek", "mistral", "ministral", "magistral", "cohere-", "grok", "phi"];
    if !begins(&name, &of_others) {
        return openai(&name);
    }
    let mistral = begins(&name, &["mistral", "ministral", "magistral"]);
    let grok = name.starts_with("grok");
    let profile = ChatProfile { max_completion_tokens: !mistral, ..open(&name) };
    ChatProfile { schemas: if grok { SchemaForm::Inlined } else { profile.schemas }, ..profile }
}

pub(super) fn bedrock_mantle(model: &str) -> ChatProfile {
    openai(mantle::bare_name(model))
}

pub(super) fn bedrock_mantle_responses(model: &str) -> OpenAiResponsesProfile {
    let name = mantle::bare_name(model);
    OpenAiResponsesProfile { forced_tool_choice: !name.starts_with("gpt-oss"), ..OpenAiResponsesProfile::of(name) }
}

/// A model behind Responses at a service that has it beside Chat Completions, by what it can do there.
pub(super) fn responses(chat: &ChatProfile) -> OpenAiResponsesProfile {
    OpenAiResponsesProfile {
        system_role: chat.system_role,
        strict_tools: chat.strict_tools,
        strict_lengths: chat.strict_lengths,
        allowed_tools: false,
        json_schema_output: true,
        forced_tool_choice: chat.forced_tool_choice,
        reasoning: chat.reasoning,
        encrypted_reasoning: false,
        phases: false,
        tool_search: Some(false),
        additional_tools: Some(false),
        choice_of_additional_tools: false,
        native_tools: Some(false),
        images: chat.images,
        documents: chat.documents,
    }
}

pub(super) fn cerebras(model: &str) -> ChatProfile {
    let name = bare_name(model);
    let glm = name.starts_with("zai-");
    let reasoning = match &*name {
        name if name.starts_with("gpt-oss") => FROM_LOW,
        name if begins(name, &["kimi-k3", "zai-glm-5.3"]) => LOW_OR_HIGH,
        name if begins(name, &["zai-", "qwen-3.8"]) => SWITCHED,
        _ => Reasoning::NEVER,
    };
    ChatProfile {
        max_completion_tokens: true,
        strict_tools: true,
        reasoning,
        // GLM is told its own thoughts among its words, and the service has to leave them there.
        thinking: if glm { ThinkingForm::EffortKeepingThoughts } else { ThinkingForm::Effort },
        thoughts: if glm { ThoughtForm::Tags } else { ThoughtForm::AsTheyCame },
        ..open(model)
    }
}

pub(super) fn crusoe(model: &str) -> ChatProfile {
    ChatProfile { max_completion_tokens: true, ..open(model) }
}

pub(super) fn deepseek(model: &str) -> ChatProfile {
    let switched = model == "deepseek-flash" || model.starts_with("deepseek-v4-");
    let always = model == "deepseek-reasoner" || begins(&bare_name(model), &["deepseek-r1"]);
    ChatProfile {
        reasoning: match (switched, always) {
            (true, _) => Reasoning::new(&[Effort::None, Low, High], true),
            (false, true) => Reasoning::new(&[], true),
            (false, false) => Reasoning::NEVER,
        },
        thoughts: ThoughtForm::ReasoningContent,
        forced_tool_choice: !always,
        forced_tool_choice_with_thinking: ForcedWithThinking::No,
        json_schema_output: false,
        images: false,
        ..open(model)
    }
}

pub(super) fn fireworks(model: &str) -> ChatProfile {
    // Points in versions are written as `p`.
    open(&model.replace("5p3", "5.3"))
}

pub(super) fn github_copilot(model: &str) -> ChatProfile {
    let name = bare_name(model);
    let base = ChatProfile { documents: false, max_completion_tokens: true, ..ChatProfile::compatible() };
    match &*name {
        name if begins(name, &["gpt-", "o1", "o3", "o4"]) => ChatProfile { allowed_tools: false, ..openai(name) },
        name if name.starts_with("claude-") => ChatProfile {
            reasoning: ON_REQUEST,
            forced_tool_choice: !begins(&name.replace('.', "-"), &UNFORCED_CLAUDE),
            json_schema_output: false,
            ..base
        },
        name if name.starts_with("gemini-") => ChatProfile { reasoning: ON_REQUEST, ..base },
        name => base.with_family(name),
    }
}

pub(super) fn ollama(model: &str) -> ChatProfile {
    ChatProfile {
        tool_choice: false,
        // What runs elsewhere is not held to schemas there.
        json_schema_output: !model.ends_with("-cloud"),
        ..open(model)
    }
}

/// How the names of models begin that OpenRouter never lets be without reasoning, by maker.
const MANDATORY_REASONING: [(&str, &[&str]); 12] = [
    ("anthropic", &["claude-sonnet-5-5", "claude-fable-latest", "claude-opus-latest", "claude-sonnet-latest"]),
    (
        "google",
        &["gemini-3.5-flash", "gemini-3.6-flash", "gemini-3.7-flash", "gemini-3.8-flash", "gemini-flash-latest"],
    ),
    ("meta", &["muse-"]),
    ("minimax", &["minimax-m2.5", "minimax-m2.7", "minimax-m3.1-flash"]),
    ("mistralai", &["mistral-large-4-0"]),
    ("moonshotai", &["kimi-k2.7-code", "kimi-k2-thinking"]),
    ("openai", &["gpt-5.2-codex", "gpt-oss-", "gpt-6.1-terra-pro", "gpt-astra-latest", "gpt-sol-latest"]),
    ("perplexity", &["sonar-pro-search", "sonar-reasoning-pro"]),
    ("qwen", &["qwen3.8-max", "qwen3-vl-30b-a3b-thinking", "qwen3-next-80b-a3b-thinking", "qwen3-235b-a22b-thinking"]),
    ("stepfun", &["step-3.5-flash", "step-3.7-flash", "step-5-preview"]),
    ("x-ai", &["grok-4.20-multi-agent", "grok-build", "grok-latest"]),
    ("z-ai", &["glm-5.3", "glm-latest", "glm-flash-latest"]),
];

pub(super) fn openrouter(model: &str) -> ChatProfile {
    let lower = model.trim_start_matches('~').to_ascii_lowercase();
    let maker = lower.split('/').next().unwrap_or_default();
    let claude = maker == "anthropic";
    let name = if claude { bare_name(&lower).replace('.', "-") } else { bare_name(&lower) };
    let google = maker == "google";
    let mandatory = MANDATORY_REASONING.iter().any(|(of, names)| *of == maker && begins(&name, names));
    ChatProfile {
        strict_tools: true,
        forced_tool_choice: !(claude && begins(&name, &UNFORCED_CLAUDE)),
        // Where Claude is made to call a tool, its thoughts are dropped without a word.
        forced_tool_choice_with_thinking: match claude {
            true => ForcedWithThinking::UnlessAsked,
            false => ForcedWithThinking::Yes,
        },
        reasoning: match mandatory {
            true => Reasoning::new(&[Minimal, Low, Medium, High], true),
            false => Reasoning::new(&[Effort::None, Low, Medium, High], false),
        },
        thinking: ThinkingForm::Object,
        think_tags: false,
        thoughts: ThoughtForm::Details,
        audio: google || name.contains("audio"),
        video: google,
        documents: true,
        document_urls: true,
        cache_points: match maker {
            "anthropic" => CachePoints::LastingMarks,
            "google" => CachePoints::Marks,
            _ => CachePoints::Never,
        },
        ..ChatProfile::compatible().with_family(&name)
    }
}

pub(super) fn snowflake(model: &str) -> ChatProfile {
    let name = model.to_ascii_lowercase();
    if name.starts_with("claude") {
        return ChatProfile {
            max_completion_tokens: true,
            documents: false,
            reasoning: ON_REQUEST,
            thinking: ThinkingForm::ObjectWithTemperature,
            thoughts: ThoughtForm::Details,
            forced_tool_choice: !begins(&name, &UNFORCED_CLAUDE),
            json_object_output: false,
            ..ChatProfile::compatible()
        };
    }
    if let Some(name) = name.strip_prefix("openai-") {
        return ChatProfile { strict_tools: false, allowed_tools: false, ..openai(name) };
    }
    ChatProfile {
        max_completion_tokens: true,
        tools: false,
        json_schema_output: false,
        json_object_output: false,
        ..open(&name)
    }
}

pub(super) fn together(model: &str) -> ChatProfile {
    let profile = open(model);
    let thinks = bare_name(model).starts_with("deepseek-v4-");
    ChatProfile { forced_tool_choice: profile.forced_tool_choice && !thinks, ..profile }
}

pub(super) fn vllm(model: &str) -> ChatProfile {
    let name = bare_name(model);
    let qwen3 = name.starts_with("qwen3") && !begins(&name, &["qwen3-coder", "qwen3.8"]) && !name.contains("-instruct");
    let reasoning = match () {
        () if name.starts_with("gpt-oss") || (qwen3 && name.contains("-thinking")) => FROM_LOW,
        () if qwen3 || begins(&name, &["gemma-4", "deepseek-v4-"]) => FROM_NONE,
        () => Reasoning::NEVER,
    };
    let profile = open(model);
    ChatProfile {
        // Some of its templates refuse a second one.
        system_messages: false,
        strict_tools: true,
        forced_tool_choice: !name.starts_with("gpt-oss"),
        reasoning,
        ..profile
    }
}

pub(super) fn zai(model: &str) -> ChatProfile {
    let name = bare_name(model);
    let reasoning = match &*name {
        name if name.starts_with("glm-5.3") => LOW_OR_HIGH,
        name if name.starts_with("glm-5.2") => Reasoning::new(&[Effort::None, Minimal, Low, Medium, High, XHigh], true),
        name if begins(name, &["glm-5", "glm-4.7", "glm-4.6", "glm-4.5"]) => SWITCHED,
        _ => Reasoning::NEVER,
    };
    ChatProfile {
        reasoning,
        thinking: ThinkingForm::Switch,
        thoughts: ThoughtForm::ReasoningContent,
        json_schema_output: false,
        // Models that see have a `v` behind their version.
        images: name.split('-').nth(1).is_some_and(|version| version.ends_with('v')),
        while_reasoning: WhileReasoning::All,
        ..open(model)
    }
}
