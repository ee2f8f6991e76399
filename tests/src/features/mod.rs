//! What of a request each provider's API can carry, found out by looking at what is sent.

mod probe;

use std::fmt::Write;

use self::probe::{Outcome, Probe};

/// The APIs, as the cases call them, and a model of each.
const MODELS: &[(&str, &str, &str)] = &[
    ("OpenAI Chat", "openai-chat", "gpt-5.2"),
    ("OpenAI Responses", "openai-responses", "gpt-5.6"),
    ("Anthropic", "anthropic", "claude-sonnet-4-5"),
    ("Google", "google", "gemini-3-pro-preview"),
    ("Groq", "groq", "openai/gpt-oss-120b"),
    ("Hugging Face", "huggingface", "Qwen/Qwen3-32B"),
    ("xAI", "xai", "grok-4.3"),
    ("Mistral", "mistral", "mistral-large-latest"),
    ("Cohere", "cohere", "command-a-03-2025"),
    ("Bedrock", "bedrock", "us.anthropic.claude-sonnet-4-5-20250929-v1:0"),
];

/// Something that a request can ask for, and how to look for it.
struct Feature {
    title: &'static str,
    look: fn(&Probe) -> Outcome,
}

const FEATURES: &[Feature] = &[
    Feature { title: "replies that stream", look: Probe::streams },
    Feature { title: "some tool must be called", look: Probe::required },
    Feature { title: "one tool must be called", look: Probe::one_tool },
    Feature { title: "one of two tools must be called", look: Probe::two_tools },
    Feature { title: "no tool may be called", look: Probe::no_tool },
    Feature { title: "one call at a time", look: Probe::one_at_a_time },
    Feature { title: "strict schemas", look: Probe::strict },
    Feature { title: "structured output by the API (`.native()`)", look: Probe::native_output },
    Feature { title: "thinking, more or less of it", look: Probe::thinking },
    Feature { title: "images from tools", look: Probe::image },
    Feature { title: "PDFs from tools", look: Probe::pdf },
    Feature { title: "sound from tools", look: Probe::sound },
    Feature { title: "video from tools", look: Probe::video },
    Feature { title: "cache points in prompts", look: Probe::cache_point },
    Feature { title: "hidden tools are searched by", look: Probe::search },
    Feature { title: "a tool that comes while a run goes on is", look: Probe::newcomer },
    Feature { title: "a web search by the provider", look: Probe::web_search },
    Feature { title: "pages read by the provider", look: Probe::web_fetch },
    Feature { title: "code run by the provider", look: Probe::code_execution },
    Feature { title: "`stop_sequences`", look: Probe::stop_sequences },
    Feature { title: "`seed`", look: Probe::seed },
];

/// The table of features by API, in Markdown.
///
/// # Errors
///
/// When a model cannot be made, or a request cannot be looked at.
pub fn table() -> Result<String, String> {
    let probes = MODELS.iter().map(|(_, api, model)| Probe::new(api, model)).collect::<Result<Vec<_>, _>>()?;
    let mut table = String::from("| |");
    let mut line = String::from("|---|");
    for (title, _, model) in MODELS {
        // Writing to a string does not fail.
        let _ = write!(table, " {title}<br>`{model}` |");
        line.push_str("---|");
    }
    let _ = write!(table, "\n{line}\n");
    for Feature { title, look } in FEATURES {
        let _ = write!(table, "| {title} |");
        for probe in &probes {
            let _ = write!(table, " {} |", look(probe).map_err(|error| format!("{title}: {error}"))?);
        }
        table.push('\n');
    }
    Ok(table)
}
