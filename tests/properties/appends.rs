//! Invariant 3: what a provider is sent only grows.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde::Deserialize;
use serde_json::value::RawValue;
use toolwright::RecordedHistory;
use toolwright::model::{Model, ModelInput, RequestCache, request};
use toolwright::provider::openai::OpenAiChatModel;
use toolwright_tests::{Reply, Server};

use crate::world;

#[derive(Deserialize)]
struct Body<'a> {
    #[serde(borrow)]
    messages: &'a RawValue,
}

/// The messages that the model sends for these inputs: with what it keeps from step to step, and without.
async fn messages(model: &OpenAiChatModel, server: &Server, inputs: &[ModelInput]) -> (Vec<String>, Vec<String>) {
    let answer = r#"{"choices":[{"message":{"content":"done"}}]}"#;
    server.will_say(&vec![Reply::new(200, BTreeMap::new(), answer.to_owned()); inputs.len() * 2]);
    let mut cache = RequestCache::default();
    for input in inputs {
        model.request(input, &mut cache).await.expect("an answer");
    }
    for input in inputs {
        request(model, input).await.expect("an answer");
    }
    let read = |body: &[u8]| serde_json::from_slice::<Body<'_>>(body).expect("a body").messages.get().to_owned();
    let mut kept: Vec<_> = server.was_asked().iter().map(|asked| read(&asked.body)).collect();
    let fresh = kept.split_off(inputs.len());
    (kept, fresh)
}

#[test]
fn what_is_sent_to_openai_chat_only_grows() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let server = runtime.block_on(Server::start()).expect("a server");
    let model = OpenAiChatModel::builder("gpt-5.2").api_key("unused").base_url(server.url()).build().expect("a model");
    let config = ProptestConfig { cases: 192, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config, |(world in world::worlds())| {
        let (_, inputs, _) = world.play(None, &RecordedHistory::new());
        let (kept, fresh) = runtime.block_on(messages(&model, &server, &inputs));
        prop_assert_eq!(&kept, &fresh, "what is kept is not what would be written");
        for (earlier, later) in kept.iter().zip(kept.iter().skip(1)) {
            let earlier = earlier.strip_suffix(']').expect("an array");
            prop_assert!(later.starts_with(earlier), "{later}\ndoes not begin with\n{earlier}");
        }
    });
}
