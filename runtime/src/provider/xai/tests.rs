//! What differs from OpenAI.

use serde_json::{Value, json};

use super::*;
use crate::BinaryContent;
use crate::error::ErrorKind;
use crate::http::server::{Server, reply};
use crate::message::{ModelRequest, Outcome, RequestPart, ToolReturnPart};
use crate::model::{self, ModelInput, ModelSettings, Thinking, ToolChoice};
use crate::provider::chat::tests::replies::short;
use crate::provider::chat::tests::{call, question, sent, tools, user};

fn model(name: &str) -> XaiModel {
    XaiModel::builder(name).api_key("xai-secret").build().expect("a model")
}

fn body(name: &str, settings: ModelSettings) -> (Value, Vec<String>) {
    sent(&model(name).0, &question().settings(settings)).expect("a body")
}

#[test]
fn it_is_found_below_its_url() {
    assert_eq!(model("grok-4.3").0.api.endpoint.as_str(), "https://api.x.ai/v1/chat/completions");
    if std::env::var_os("XAI_API_KEY").is_none() {
        let error = XaiModel::new("m").expect_err("no key");
        assert!(error.kind() == ErrorKind::Misuse && error.to_string().contains("XAI_API_KEY"), "{error}");
    }
}

#[test]
fn models_reason_as_their_names_say() {
    let effort =
        |name: &str, thinking| body(name, ModelSettings::new().thinking(thinking)).0["reasoning_effort"].clone();
    assert_eq!(effort("grok-4.3", Thinking::Off), "none");
    assert_eq!(effort("grok-4.3", Thinking::Minimal), "low");
    assert_eq!(effort("grok-4.5", Thinking::Off), "low");
    assert_eq!(effort("grok-3-mini-fast", Thinking::Medium), "high");
    assert_eq!(effort("grok-2-vision", Thinking::High), json!(null));
}

#[test]
fn models_that_reason_take_no_penalties() {
    let settings =
        || ModelSettings::new().temperature(0.5).presence_penalty(1.0).stop_sequences(vec!["END".to_owned()]);
    let (sent, notes) = body("grok-4.3", settings());
    assert_eq!((&sent["temperature"], sent.get("presence_penalty"), sent.get("stop")), (&json!(0.5), None, None));
    assert!(notes.len() == 1 && notes[0].contains("`presence_penalty`, `stop_sequences`"), "{notes:?}");
    let (sent, notes) = body("grok-4.3", settings().thinking(Thinking::Off));
    assert_eq!((&sent["presence_penalty"], &sent["stop"], notes.len()), (&json!(1.0), &json!(["END"]), 0));
}

#[test]
fn tools_can_be_forced_and_others_left_out() {
    let chosen = |choice| {
        let input = question().function_tools(tools("a b c")).settings(ModelSettings::new().tool_choice(choice));
        let (body, _) = sent(&model("grok-4.3").0, &input).expect("a body");
        (body["tool_choice"].clone(), body["tools"].as_array().map_or(0, Vec::len))
    };
    assert_eq!(chosen(ToolChoice::Required), (json!("required"), 3));
    assert_eq!(chosen(ToolChoice::tools(["b"])), (json!({"type": "function", "function": {"name": "b"}}), 3));
    assert_eq!(chosen(ToolChoice::tools(["a", "b"])), (json!("required"), 2));
}

#[test]
fn files_of_tools_go_beside_results_or_become_notes() {
    let result = |media_type: &str| {
        let call = call("t", "c");
        let file = BinaryContent::new(*b"abc", media_type).with_identifier("f");
        let answer = ToolReturnPart::answer(&call, file, Outcome::Success);
        let response = crate::message::ModelResponse::new(vec![call.into()]);
        let history = [user("Go."), response.into(), ModelRequest::new(vec![RequestPart::ToolReturn(answer)]).into()];
        let (body, _) = sent(&model("grok-4.3").0, &ModelInput::new(history.into_iter().collect())).expect("a body");
        (body["messages"][2]["content"].clone(), body["messages"][3]["content"][1]["type"].clone())
    };
    assert_eq!(result("image/png"), (json!("See file f."), json!("image_url")));
    assert_eq!(result("text/csv"), (json!("See file f."), json!("text")));
    for (media_type, what) in [("audio/wav", "audio files"), ("video/mp4", "video"), ("application/pdf", "documents")] {
        let (note, beside) = result(media_type);
        assert!(note.as_str().is_some_and(|note| note.ends_with(&format!("cannot read {what}."))), "{note}");
        assert_eq!(beside, json!(null));
    }
}

#[tokio::test]
async fn thoughts_are_kept_and_sent_back() {
    let message = json!({"role": "assistant", "content": "4", "reasoning_content": "hm"});
    let completion = json!({"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}).to_string();
    let server = Server::start(vec![reply(200, &[], &completion), reply(200, &[], &completion)]).await;
    let model = XaiModel::builder("grok-3-mini").api_key("k").base_url(&server.url).build().expect("a model");
    let response = model::request(&model, &question()).await.expect("an answer");
    assert_eq!(short(&response), ["thinking: hm", "text: 4"]);
    let history = [user("Go."), response.into(), user("Sure?")].into_iter().collect();
    model::request(&model, &ModelInput::new(history)).await.expect("an answer");
    let body: Value = serde_json::from_str(&server.bodies()[1]).expect("JSON");
    assert_eq!(body["messages"][1], message);
}
