//! Invariant 3: what a provider is sent only grows.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::value::RawValue;
use toolwright::model::{AnyModel, Model, ModelInput, RequestCache, request};
use toolwright::provider::cohere::CohereModel;
use toolwright::provider::mistral::MistralModel;
use toolwright::provider::openai::{OpenAiChatModel, OpenAiResponsesModel};
use toolwright::{Error, RecordedHistory};
use toolwright_tests::{Reply, Server};

use crate::world;

/// What is different from API to API.
struct Api {
    model: fn(&str) -> Result<AnyModel, Error>,
    /// A reply that says little.
    answer: &'static str,
    /// The key under which a request has its messages.
    messages: &'static str,
}

const OPENAI_CHAT: Api = Api {
    model: |url| OpenAiChatModel::builder("gpt-5.2").api_key("unused").base_url(url).build().map(AnyModel::new),
    answer: r#"{"choices":[{"message":{"content":"done"}}]}"#,
    messages: "messages",
};

const OPENAI_RESPONSES: Api = Api {
    model: |url| OpenAiResponsesModel::builder("gpt-5.2").api_key("unused").base_url(url).build().map(AnyModel::new),
    answer: r#"{"output":[]}"#,
    messages: "input",
};

const MISTRAL: Api = Api {
    model: |url| {
        MistralModel::builder("magistral-small-latest").api_key("unused").base_url(url).build().map(AnyModel::new)
    },
    answer: r#"{"choices":[{"message":{"content":"done"}}]}"#,
    messages: "messages",
};

const COHERE: Api = Api {
    model: |url| CohereModel::builder("command-a-03-2025").api_key("unused").base_url(url).build().map(AnyModel::new),
    answer: r#"{"message":{"content":[{"type":"text","text":"done"}]}}"#,
    messages: "messages",
};

impl Api {
    /// The messages that the model sends for these inputs: with what it keeps from step to step, and without.
    async fn messages(&self, model: &AnyModel, server: &Server, inputs: &[ModelInput]) -> (Vec<String>, Vec<String>) {
        server.will_say(&vec![Reply::new(200, BTreeMap::new(), self.answer.to_owned()); inputs.len() * 2]);
        let mut cache = RequestCache::default();
        for input in inputs {
            model.request(input, &mut cache).await.expect("an answer");
        }
        for input in inputs {
            request(model, input).await.expect("an answer");
        }
        let read = |body: &[u8]| {
            let body: BTreeMap<&str, &RawValue> = serde_json::from_slice(body).expect("a body");
            body[self.messages].get().to_owned()
        };
        let mut kept: Vec<_> = server.was_asked().iter().map(|asked| read(&asked.body)).collect();
        let fresh = kept.split_off(inputs.len());
        (kept, fresh)
    }

    fn check(&self) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let server = runtime.block_on(Server::start()).expect("a server");
        let model = (self.model)(server.url()).expect("a model");
        let config = ProptestConfig { cases: 192, failure_persistence: None, ..ProptestConfig::default() };
        proptest!(config, |(world in world::worlds())| {
            let (_, inputs, _) = world.play(None, &RecordedHistory::new());
            let (kept, fresh) = runtime.block_on(self.messages(&model, &server, &inputs));
            prop_assert_eq!(&kept, &fresh, "what is kept is not what would be written");
            for (earlier, later) in kept.iter().zip(kept.iter().skip(1)) {
                let earlier = earlier.strip_suffix(']').expect("an array");
                prop_assert!(later.starts_with(earlier), "{later}\ndoes not begin with\n{earlier}");
            }
        });
    }
}

#[test]
fn what_is_sent_to_openai_chat_only_grows() {
    OPENAI_CHAT.check();
}

#[test]
fn what_is_sent_to_openai_responses_only_grows() {
    OPENAI_RESPONSES.check();
}

#[test]
fn what_is_sent_to_mistral_only_grows() {
    MISTRAL.check();
}

#[test]
fn what_is_sent_to_cohere_only_grows() {
    COHERE.check();
}
