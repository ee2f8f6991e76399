//! What servers ask for in the middle of a call.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Map, Value, json};
use toolwright::error::BoxError;
use toolwright::mcp::{Elicitation, ElicitationAnswer, ElicitationForm, McpToolset};
use toolwright::message::ModelResponse;
use toolwright::model::{self, ModelInput, TestModel};
use toolwright_tests::mcp::{McpPeer, pipe, text, tool};

use super::answer;

/// What a server is answered that asks for something in the middle of a call.
async fn asked(method: &'static str, params: Value, treat: impl FnOnce(McpToolset<()>) -> McpToolset<()>) -> Value {
    let (client, mut peer) = pipe();
    let (answered, answer_of) = tokio::sync::oneshot::channel();
    tokio::spawn(async move {
        peer.shake_hands().await;
        peer.list(&json!([tool("t")])).await;
        let request = peer.hear_request("tools/call").await.expect("a call");
        let answer = peer.ask(7, method, params).await.expect("an answer");
        answered.send(answer).expect("somebody asks");
        peer.answer(&request, text("there")).await;
        peer.hear().await
    });
    answer(treat(McpToolset::pipe(client)), "t", json!({})).await;
    answer_of.await.expect("an answer")
}

fn form() -> Value {
    json!({"message": "Your name?", "requestedSchema": {
        "type": "object", "properties": {"name": {"type": "string"}, "age": {"type": "integer", "default": 7}},
    }})
}

#[tokio::test]
async fn users_are_asked_by_the_application() {
    let handler = |asked: Elicitation| async move {
        assert_eq!(asked.message, "Your name?");
        let ElicitationForm::Fields(schema) = &asked.asks_for else { panic!("no form: {asked:?}") };
        assert_eq!(schema["properties"]["name"]["type"], "string");
        Ok::<_, Infallible>(ElicitationAnswer::Accept(Map::from_iter([("name".to_owned(), "Ada".into())])))
    };
    let answer = asked("elicitation/create", form(), |toolset| toolset.on_elicitation(handler)).await;
    assert_eq!(answer["result"], json!({"action": "accept", "content": {"name": "Ada", "age": 7}}));
    let url = json!({"mode": "url", "message": "Log in.", "url": "https://a/", "elicitationId": "1"});
    let handler = |asked: Elicitation| async move {
        assert!(matches!(asked.asks_for, ElicitationForm::Url { ref url, .. } if url == "https://a/"));
        Ok::<_, Infallible>(ElicitationAnswer::Cancel)
    };
    let answer = asked("elicitation/create", url, |toolset| toolset.on_elicitation(handler)).await;
    assert_eq!(answer["result"], json!({"action": "cancel"}));
}

#[tokio::test]
async fn without_a_handler_servers_are_told_no() {
    let answer = asked("elicitation/create", form(), |toolset| toolset).await;
    assert_eq!(answer["result"], json!({"action": "decline"}));
    let answer = asked("sampling/createMessage", json!({"messages": [], "maxTokens": 1}), |toolset| toolset).await;
    assert_eq!(answer["error"]["code"], -32601);
    let answer = asked("roots/list", json!({}), |toolset| toolset).await;
    assert_eq!(answer["result"], json!({"roots": []}));
    let answer = asked("some/thing", json!({}), |toolset| toolset).await;
    assert_eq!(answer["error"]["code"], -32601);
}

#[tokio::test]
async fn a_handler_that_fails_tells_the_server_nothing_of_itself() {
    let failing = |_: Elicitation| async { Err::<ElicitationAnswer, BoxError>("the key is hunter2".into()) };
    let panicking = |_: Elicitation| async { panic!("the key is hunter2") };
    let failed = asked("elicitation/create", form(), |toolset| toolset.on_elicitation(failing)).await;
    let panicked =
        asked("elicitation/create", form(), |toolset| toolset.on_elicitation::<_, _, Infallible>(panicking)).await;
    for answer in [failed, panicked] {
        assert_eq!(answer["error"]["code"], -32603, "{answer}");
        assert!(!answer.to_string().contains("hunter2"), "{answer}");
    }
}

#[tokio::test]
async fn models_are_asked_by_the_application() {
    let handler = |input: ModelInput| async move {
        assert_eq!(input.instructions.as_deref(), Some("Be brief."));
        assert_eq!(input.settings.max_tokens, Some(50));
        assert_eq!(input.history.len(), 3);
        model::request(&TestModel::new().custom_output_text("Paris"), &input).await
    };
    let message = |role: &str, text: &str| json!({"role": role, "content": {"type": "text", "text": text}});
    let params = json!({
        "messages": [message("user", "Hi."), message("assistant", "Hello."), message("user", "The capital?")],
        "systemPrompt": "Be brief.", "maxTokens": 50, "temperature": 0.5,
    });
    let answer = asked("sampling/createMessage", params, |toolset| toolset.on_sampling(handler)).await;
    assert_eq!(answer["result"]["content"], json!({"type": "text", "text": "Paris"}));
    assert_eq!(answer["result"]["role"], "assistant");
    let tools = json!({"messages": [message("user", "Hi.")], "maxTokens": 1, "tools": [tool("t")]});
    let handler = |_: ModelInput| async { Ok::<_, Infallible>(ModelResponse::text("never")) };
    let answer = asked("sampling/createMessage", tools, |toolset| toolset.on_sampling(handler)).await;
    assert_eq!(answer["error"]["code"], -32602);
}

/// What a client says it can do.
async fn capabilities(treat: impl FnOnce(McpToolset<()>) -> McpToolset<()>) -> Value {
    let (client, mut peer) = pipe();
    let heard = peer.heard();
    tokio::spawn(async move { peer.serve(&json!([tool("t")]), |_, _| text("there")).await });
    answer(treat(McpToolset::pipe(client)), "t", json!({})).await;
    let first = heard.lock().expect("a lock")[0].clone();
    first["params"]["capabilities"].clone()
}

#[tokio::test]
async fn only_what_can_be_answered_is_promised() {
    assert_eq!(capabilities(|toolset| toolset).await, json!({}));
    let elicits = |_: Elicitation| async { Ok::<_, Infallible>(ElicitationAnswer::Decline) };
    let samples = |_: ModelInput| async { Ok::<_, Infallible>(ModelResponse::text("")) };
    let both = capabilities(|toolset| toolset.on_elicitation(elicits).on_sampling(samples)).await;
    assert!(both["elicitation"]["form"].is_object() && both["elicitation"]["url"].is_object(), "{both}");
    assert!(both["sampling"].is_object(), "{both}");
}

/// A server of a version without a handshake, which asks for more in results; and is gone then, where it is not `patient`.
/// `begun` counts the calls.
async fn serve_newer(mut peer: McpPeer, is_patient: bool, begun: Arc<AtomicUsize>) {
    while let Some(message) = peer.hear().await {
        let params = &message["params"];
        match message["method"].as_str() {
            Some("initialize") => peer.refuse(&message, -32601, "no such method").await,
            Some("server/discover") => {
                let about = json!({
                    "resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}},
                    "serverInfo": {"name": "new", "version": "1"}, "ttlMs": 0, "cacheScope": "private",
                });
                peer.answer(&message, about).await;
            }
            Some("tools/list") => {
                peer.answer(&message, json!({"resultType": "complete", "tools": [tool("t")]})).await;
            }
            Some("tools/call") if params.get("inputResponses").is_none() => {
                begun.fetch_add(1, Ordering::Relaxed);
                let asks = json!({"name": {"method": "elicitation/create", "params": form()}});
                let asked = json!({"resultType": "input_required", "inputRequests": asks, "requestState": "s"});
                peer.answer(&message, asked).await;
                if !is_patient {
                    return;
                }
            }
            Some("tools/call") => {
                let said = text(&json!([params["inputResponses"], params["requestState"]]).to_string());
                peer.answer(&message, said).await;
            }
            _ => {}
        }
    }
}

/// A toolset at such a server; and how many calls have begun.
fn newer(is_patient: bool) -> (McpToolset<()>, Arc<AtomicUsize>) {
    let begun: Arc<AtomicUsize> = Arc::default();
    let counter = begun.clone();
    let connect = move || {
        let (client, peer) = pipe();
        tokio::spawn(serve_newer(peer, is_patient, counter.clone()));
        std::future::ready(Ok(client))
    };
    (McpToolset::connect_with(connect), begun)
}

#[tokio::test]
async fn newer_servers_ask_in_results() {
    let handler = |_: Elicitation| async {
        Ok::<_, Infallible>(ElicitationAnswer::Accept(Map::from_iter([("name".to_owned(), "Ada".into())])))
    };
    let part = answer(newer(true).0.on_elicitation(handler), "t", json!({})).await;
    let said = crate::support::said(&part.content);
    assert!(said.contains(r#""content":{"name":"Ada","age":7}"#) && said.ends_with(r#","s"]"#), "{said}");
}

#[tokio::test]
async fn a_call_that_breaks_off_when_it_is_answered_is_not_made_again() {
    let handler = |_: Elicitation| async {
        // The server is gone when the user has made up their mind.
        tokio::time::sleep(Duration::from_millis(200)).await;
        Ok::<_, Infallible>(ElicitationAnswer::Decline)
    };
    let (toolset, begun) = newer(false);
    let part = answer(toolset.on_elicitation(handler), "t", json!({})).await;
    let said = crate::support::said(&part.content);
    assert!(said.contains("may or may not have run"), "{said}");
    assert_eq!(begun.load(Ordering::Relaxed), 1);
}
