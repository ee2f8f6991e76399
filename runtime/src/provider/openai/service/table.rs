//! The services, one by one.

use super::Service;
use super::place::Place::{At, Of, Told};
use super::place::below;
use super::row::Header::{Always, Variable};
use super::row::Key::{In, InOwnHeader, MayBeIn};
use super::row::Row;
use super::{azure, mantle, profile};
use crate::provider::chat::ChatProfile;

/// What is the same for all models of a service.
pub(super) fn row(service: Service) -> &'static Row {
    match service {
        Service::OpenAi => &OPENAI,
        Service::Azure => &AZURE,
        Service::BedrockMantle => &BEDROCK_MANTLE,
        Service::Cerebras => &CEREBRAS,
        Service::Crusoe => &CRUSOE,
        Service::DeepSeek => &DEEPSEEK,
        Service::Fireworks => &FIREWORKS,
        Service::GitHubCopilot => &GITHUB_COPILOT,
        Service::Ollama => &OLLAMA,
        Service::OpenRouter => &OPENROUTER,
        Service::Snowflake => &SNOWFLAKE,
        Service::Together => &TOGETHER,
        Service::Vllm => &VLLM,
        Service::Zai => &ZAI,
    }
}

static OPENAI: Row = Row {
    name: "openai",
    key: In(&["OPENAI_API_KEY"]),
    place: At("https://api.openai.com/v1", &["OPENAI_BASE_URL"]),
    headers: &[],
    endpoint: below,
    profile: ChatProfile::of,
};

static AZURE: Row = Row {
    name: "azure",
    key: InOwnHeader("api-key", "AZURE_OPENAI_API_KEY"),
    place: Told("AZURE_OPENAI_ENDPOINT"),
    headers: &[],
    endpoint: azure::endpoint,
    profile: profile::azure,
};

static BEDROCK_MANTLE: Row = Row {
    name: "bedrock-mantle",
    key: In(&["AWS_BEARER_TOKEN_BEDROCK"]),
    place: Of { what: "region", variables: &["AWS_REGION", "AWS_DEFAULT_REGION"], url: mantle::url },
    headers: &[],
    endpoint: mantle::endpoint,
    profile: profile::bedrock_mantle,
};

static CEREBRAS: Row = Row {
    name: "cerebras",
    key: In(&["CEREBRAS_API_KEY"]),
    place: At("https://api.cerebras.ai/v1", &["CEREBRAS_BASE_URL"]),
    headers: &[],
    endpoint: below,
    profile: profile::cerebras,
};

static CRUSOE: Row = Row {
    name: "crusoe",
    key: In(&["CRUSOE_API_KEY"]),
    place: At("https://api.inference.crusoecloud.com/v1", &["CRUSOE_BASE_URL"]),
    headers: &[],
    endpoint: below,
    profile: profile::crusoe,
};

static DEEPSEEK: Row = Row {
    name: "deepseek",
    key: In(&["DEEPSEEK_API_KEY"]),
    place: At("https://api.deepseek.com", &["DEEPSEEK_BASE_URL"]),
    headers: &[],
    endpoint: below,
    profile: profile::deepseek,
};

static FIREWORKS: Row = Row {
    name: "fireworks",
    key: In(&["FIREWORKS_API_KEY"]),
    place: At("https://api.fireworks.ai/inference/v1", &["FIREWORKS_BASE_URL"]),
    headers: &[],
    endpoint: below,
    profile: profile::fireworks,
};

static GITHUB_COPILOT: Row = Row {
    name: "github-copilot",
    // Not the keys of GitHub's other APIs, which are none of its business.
    key: In(&["GITHUB_COPILOT_API_KEY", "GITHUB_COPILOT_API_TOKEN", "COPILOT_GITHUB_TOKEN"]),
    place: At(
        "https://api.githubcopilot.com",
        &["GITHUB_COPILOT_BASE_URL", "COPILOT_API_URL", "GITHUB_COPILOT_API_BASE"],
    ),
    headers: &[
        ("copilot-integration-id", Variable("GITHUB_COPILOT_INTEGRATION_ID", Some("vscode-chat"))),
        ("editor-version", Always(concat!("toolwright/", env!("CARGO_PKG_VERSION")))),
        ("openai-intent", Always("conversation-panel")),
        ("x-github-api-version", Always("2025-04-01")),
    ],
    endpoint: below,
    profile: profile::github_copilot,
};

static OLLAMA: Row = Row {
    name: "ollama",
    key: MayBeIn(&["OLLAMA_API_KEY"]),
    place: At("http://localhost:11434/v1", &["OLLAMA_BASE_URL"]),
    headers: &[],
    endpoint: below,
    profile: profile::ollama,
};

static OPENROUTER: Row = Row {
    name: "openrouter",
    key: In(&["OPENROUTER_API_KEY"]),
    place: At("https://openrouter.ai/api/v1", &["OPENROUTER_BASE_URL"]),
    // Whose requests they are, for its rankings.
    headers: &[
        ("http-referer", Variable("OPENROUTER_APP_URL", None)),
        ("x-title", Variable("OPENROUTER_APP_TITLE", None)),
    ],
    endpoint: below,
    profile: profile::openrouter,
};

static SNOWFLAKE: Row = Row {
    name: "snowflake",
    key: In(&["SNOWFLAKE_TOKEN"]),
    place: Of { what: "account", variables: &["SNOWFLAKE_ACCOUNT"], url: snowflake_url },
    headers: &[],
    endpoint: below,
    profile: profile::snowflake,
};

static TOGETHER: Row = Row {
    name: "together",
    key: In(&["TOGETHER_API_KEY"]),
    place: At("https://api.together.xyz/v1", &["TOGETHER_BASE_URL"]),
    headers: &[],
    endpoint: below,
    profile: profile::together,
};

static VLLM: Row = Row {
    name: "vllm",
    key: MayBeIn(&["VLLM_API_KEY"]),
    place: At("http://localhost:8000/v1", &["VLLM_BASE_URL"]),
    headers: &[],
    endpoint: below,
    profile: profile::vllm,
};

static ZAI: Row = Row {
    name: "zai",
    key: In(&["ZAI_API_KEY"]),
    place: At("https://api.z.ai/api/paas/v4", &["ZAI_BASE_URL"]),
    headers: &[],
    endpoint: below,
    profile: profile::zai,
};

/// The URL of an account, which may be said with its host. It is an account's name and nothing else, so that no token can be
/// sent elsewhere.
fn snowflake_url(account: &str) -> Option<String> {
    const HOST: &str = ".snowflakecomputing.com";
    let account = account.trim_start_matches("https://").trim_end_matches('/');
    let account = account.strip_suffix(HOST).unwrap_or(account);
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    (!account.is_empty() && account.bytes().all(is_name)).then(|| format!("https://{account}{HOST}/api/v2/cortex/v1"))
}
