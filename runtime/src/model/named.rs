//! Models by their names, as in `anthropic:claude-sonnet-4-5`.

use std::str::FromStr;

use super::{AnyModel, TestModel};
use crate::error::{Error, Result};
use crate::wording::{listed, nearest};

/// A provider, as the names of its models begin.
struct Provider {
    name: &'static str,
    /// The Cargo feature that it takes.
    feature: &'static str,
    /// Makes its model of a name, where the feature is switched on.
    make: Option<fn(&str) -> Result<AnyModel>>,
}

/// A row of the table: the model's type has a `new`, or the closure makes it.
macro_rules! provider {
    ($name:literal, $feature:literal, $module:ident::$model:ident) => {
        provider!($name, $feature, |name| crate::provider::$module::$model::new(name).map(AnyModel::new))
    };
    ($name:literal, $feature:literal, |$model:ident| $make:expr) => {
        Provider {
            name: $name,
            feature: $feature,
            #[cfg(feature = $feature)]
            make: Some(|$model| $make),
            #[cfg(not(feature = $feature))]
            make: None,
        }
    };
}

/// A row for Chat Completions at a service, or for Responses.
macro_rules! service {
    ($name:literal, $model:ident, $service:ident) => {
        provider!($name, "openai", |name| {
            use crate::provider::openai::{Service, $model};
            $model::at(Service::$service, name).build().map(AnyModel::new)
        })
    };
}

const PROVIDERS: &[Provider] = &[
    provider!("anthropic", "anthropic", anthropic::AnthropicModel),
    provider!("bedrock", "bedrock", bedrock::BedrockModel),
    provider!("cohere", "cohere", cohere::CohereModel),
    provider!("google", "google", google::GoogleModel),
    provider!("groq", "groq", groq::GroqModel),
    provider!("huggingface", "huggingface", huggingface::HuggingFaceModel),
    provider!("mistral", "mistral", mistral::MistralModel),
    provider!("openai", "openai", openai::OpenAiResponsesModel),
    provider!("openai-chat", "openai", openai::OpenAiChatModel),
    provider!("openai-responses", "openai", openai::OpenAiResponsesModel),
    provider!("xai", "xai", xai::XaiModel),
    service!("azure", OpenAiChatModel, Azure),
    service!("azure-responses", OpenAiResponsesModel, Azure),
    provider!("bedrock-mantle", "openai", |name| bedrock_mantle(name)),
    service!("cerebras", OpenAiChatModel, Cerebras),
    service!("crusoe", OpenAiChatModel, Crusoe),
    service!("deepseek", OpenAiChatModel, DeepSeek),
    service!("fireworks", OpenAiChatModel, Fireworks),
    service!("github-copilot", OpenAiChatModel, GitHubCopilot),
    service!("ollama", OpenAiChatModel, Ollama),
    service!("openrouter", OpenAiChatModel, OpenRouter),
    service!("snowflake", OpenAiChatModel, Snowflake),
    service!("together", OpenAiChatModel, Together),
    service!("vllm", OpenAiChatModel, Vllm),
    service!("zai", OpenAiChatModel, Zai),
];

/// A model at Bedrock Mantle, by the one API that it speaks.
#[cfg(feature = "openai")]
fn bedrock_mantle(name: &str) -> Result<AnyModel> {
    use crate::provider::openai::{OpenAiChatModel, OpenAiResponsesModel, Service};
    match Service::speaks_chat_at_bedrock_mantle(name) {
        true => OpenAiChatModel::at(Service::BedrockMantle, name).build().map(AnyModel::new),
        false => OpenAiResponsesModel::at(Service::BedrockMantle, name).build().map(AnyModel::new),
    }
}

impl AnyModel {
    /// A model by its provider and its name, as in `anthropic:claude-sonnet-4-5`, with its provider's key from the
    /// environment; `test` is a [`TestModel`].
    ///
    /// | provider | feature |
    /// |---|---|
    /// | `anthropic`, `bedrock`, `cohere`, `google`, `groq`, `huggingface`, `mistral`, `xai` | of the same name |
    /// | `openai` and `openai-responses` (by Responses), `openai-chat` | `openai` |
    /// | `azure`, `azure-responses`, `bedrock-mantle`, `cerebras`, `crusoe`, `deepseek`, `fireworks`, `github-copilot`, `ollama`, `openrouter`, `snowflake`, `together`, `vllm`, `zai` | `openai` |
    ///
    /// ```no_run
    /// # #[cfg(feature = "openai")]
    /// # fn main() -> toolwright::Result<()> {
    /// use toolwright::Agent;
    /// use toolwright::model::AnyModel;
    ///
    /// let agent = Agent::<()>::builder(AnyModel::named("openai:gpt-5.2")?).build()?;
    /// let other: AnyModel = "deepseek:deepseek-chat".parse()?;
    /// # let _ = (agent, other);
    /// # Ok(())
    /// # }
    /// # #[cfg(not(feature = "openai"))]
    /// # fn main() {}
    /// ```
    ///
    /// # Errors
    ///
    /// Misuse, when the name has no provider, when there is none of that name, when its feature is switched off, or when the
    /// model cannot be made, as when its key is missing.
    pub fn named(name: &str) -> Result<Self> {
        let name = name.trim();
        if name == "test" {
            return Ok(Self::new(TestModel::new()));
        }
        let Some((provider, model)) = name.split_once(':') else {
            return Err(Error::misuse(format!(
                "`{name}` names no provider: write it before the model, as in `openai:gpt-5.2`; there are {}",
                listed(names())
            )));
        };
        let known = PROVIDERS.iter().find(|known| known.name == provider).ok_or_else(|| unknown(provider))?;
        if model.trim().is_empty() {
            return Err(Error::misuse(format!("`{name}` names no model: write it behind the provider")));
        }
        let make = known.make.ok_or_else(|| {
            Error::misuse(format!(
                "the provider `{provider}` is not compiled in: switch on the feature `{}` of `toolwright`",
                known.feature
            ))
        })?;
        make(model.trim())
    }
}

impl FromStr for AnyModel {
    type Err = Error;

    /// The same as [`AnyModel::named`].
    fn from_str(name: &str) -> Result<Self> {
        Self::named(name)
    }
}

fn names() -> impl Iterator<Item = &'static str> {
    PROVIDERS.iter().map(|provider| provider.name)
}

fn unknown(provider: &str) -> Error {
    let all: Vec<_> = names().collect();
    let guess = nearest(provider, &all).map(|name| format!(": did you mean `{name}`?")).unwrap_or_default();
    Error::misuse(format!("there is no provider `{provider}`{guess} (there are {})", listed(all)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;
    use crate::model::Model;

    fn misuse(name: &str) -> String {
        let Err(error) = AnyModel::named(name) else { unreachable!("{name} was to be refused") };
        assert_eq!(error.kind(), ErrorKind::Misuse);
        error.to_string()
    }

    #[test]
    fn what_is_wrong_with_a_name_is_said() {
        assert!(misuse("gpt-5.2").contains("`openai:gpt-5.2`"));
        let text = misuse("opnai:gpt-5.2");
        assert!(text.contains("did you mean `openai`?") && text.contains("`zai`"), "{text}");
        let text = misuse("nobody-at-all:m");
        assert!(!text.contains("did you mean") && text.contains("`anthropic`"), "{text}");
        assert!(misuse("openai: ").contains("names no model"));
        assert_eq!(AnyModel::named(" test ").expect("a model").name(), "test");
    }

    #[test]
    fn every_provider_is_there_or_says_which_feature_it_takes() {
        for provider in PROVIDERS {
            let name = format!("{}:made-up", provider.name);
            match (AnyModel::named(&name), provider.make) {
                // A key or a region may be there where the tests run.
                (Ok(model), Some(_)) => assert_eq!(model.name(), "made-up"),
                (Err(error), Some(_)) => {
                    assert!(error.kind() == ErrorKind::Misuse && error.to_string().contains("set"), "{error}")
                }
                (Err(error), None) => assert!(error.to_string().contains(provider.feature), "{error}"),
                (Ok(_), None) => unreachable!("{name} cannot be made"),
            }
        }
    }

    #[cfg(feature = "openai")]
    #[test]
    fn services_that_want_no_key_are_made_at_once() {
        let model: AnyModel = "ollama:qwen3:8b".parse().expect("a model");
        assert_eq!((model.name(), model.system()), ("qwen3:8b", "ollama"));
    }

    #[cfg(feature = "openai")]
    #[test]
    fn all_services_have_names() {
        use crate::provider::openai::Service;
        for service in Service::ALL {
            assert!(names().any(|name| name == service.name()), "{service:?}");
        }
    }
}
