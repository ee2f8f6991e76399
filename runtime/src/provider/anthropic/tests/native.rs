//! Tools that the provider runs itself, in replies that come in events.
#![allow(clippy::panic, reason = "a test that finds the wrong variant says so")]

use super::replies::{message, reached};
use super::streams::{arguments, of_blocks, start, stop};
use super::*;
use crate::http::server::{Server, reply};
use crate::message::ResponsePart;

fn untimed(parts: &[ResponsePart]) -> Vec<Value> {
    let untimed = |part: &ResponsePart| {
        let mut part = serde_json::to_value(part).expect("JSON");
        part["timestamp"].take();
        part
    };
    parts.iter().map(untimed).collect()
}

#[tokio::test]
async fn what_the_provider_ran_is_the_same_in_pieces() -> Result<()> {
    let call = |input: Value| json!({"type": "server_tool_use", "id": "s1", "name": "web_search", "input": input});
    let failure = json!({"type": "web_search_tool_result_error", "error_code": "max_uses_exceeded"});
    let result = json!({"type": "web_search_tool_result", "tool_use_id": "s1", "content": failure});
    let pieces = [
        start(0, call(json!({}))),
        arguments(0, r#"{"query":"#),
        arguments(0, r#""a"}"#),
        stop(0),
        start(1, result.clone()),
        stop(1),
    ];
    let streamed = of_blocks(&pieces).expect("a response");
    let body = message(json!([call(json!({"query": "a"})), result]), json!("end_turn"));
    let server = Server::start(vec![reply(200, &[], &body)]).await;
    let whole = reached(&server).build()?.request(&question(), &mut RequestCache::default()).await?;
    assert_eq!(untimed(&streamed.parts), untimed(&whole.parts));
    let ResponsePart::BuiltinToolCall(call) = &streamed.parts[0] else { panic!("{:?}", streamed.parts) };
    assert_eq!((&*call.tool_name, call.args.text()), ("web_search", r#"{"query":"a"}"#));
    Ok(())
}
