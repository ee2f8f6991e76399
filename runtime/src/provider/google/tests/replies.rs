//! What replies become, over HTTP.

use super::*;
use crate::error::ErrorKind;
use crate::http::server::{Server, reply};
use crate::message::FinishReason;
use crate::model;

pub(super) fn reached(server: &Server) -> GoogleModel {
    let builder = GoogleModel::builder("gemini-3-flash-preview").api_key("AIza-secret").base_url(&server.url);
    builder.settings(ModelSettings::new().max_retries(0).seed(1)).build().expect("a model")
}

async fn answered(body: &str) -> Result<ModelResponse> {
    let server = Server::start(vec![reply(200, &["x-request-id: r1"], body)]).await;
    model::request(&reached(&server), &question()).await
}

fn completion(parts: Value, finish_reason: Value) -> String {
    let candidate =
        json!({"content": {"role": "model", "parts": parts}, "finishReason": finish_reason, "index": 0, "new": 1});
    json!({"candidates": [candidate], "modelVersion": "gemini-3-x", "responseId": "r", "new": {}}).to_string()
}

#[tokio::test]
async fn a_question_is_asked_and_answered() {
    let server = Server::start(vec![reply(200, &[], &completion(json!([{"text": "done"}]), json!("STOP")))]).await;
    let response = model::request(&reached(&server), &question()).await.expect("an answer");
    assert_eq!((short(&response), response.finish_reason), (vec!["text: done".to_owned()], Some(FinishReason::Stop)));
    assert_eq!(response.provider_name.as_deref(), Some("google"));
    assert_eq!(
        (response.provider_response_id.as_deref(), response.model_name.as_deref()),
        (Some("r"), Some("gemini-3-x"))
    );
    assert_eq!(response.provider_details.map(|details| details.to_value()), Some(json!({"finish_reason": "STOP"})));
    let request = &server.requests()[0];
    let line = "POST /v1beta/models/gemini-3-flash-preview:generateContent HTTP/1.1\r\n";
    assert!(request.starts_with(line) && request.contains("x-goog-api-key: AIza-secret\r\n"), "{request}");
    let body: Value = serde_json::from_str(&server.bodies()[0]).expect("JSON");
    let contents = json!([{"role": "user", "parts": [{"text": "Go."}]}]);
    assert_eq!(body, json!({"generationConfig": {"seed": 1}, "contents": contents}));
}

#[tokio::test]
async fn calls_come_back_under_the_tools_own_names() {
    let names = ["日本", "9lives", "a.b"];
    let call = |name: &str| json!({"functionCall": {"name": NAMES.wire(name), "args": {"x": 1}, "id": name.len().to_string()}});
    let server = Server::start(vec![reply(200, &[], &completion(names.map(call).into(), json!("STOP")))]).await;
    let input = question().function_tools(names.map(ToolDefinition::new));
    let response = model::request(&reached(&server), &input).await.expect("calls");
    assert_eq!(short(&response), names.map(|name| format!("call {name}({{\"x\":1}})")));
    let ids: Vec<_> = response.tool_calls().map(|call| call.tool_call_id.as_str()).collect();
    assert_eq!(ids, ["6", "6", "3"]);
}

#[tokio::test]
async fn parts_are_read_as_far_as_they_are_known() {
    for (parts, expected) in [
        (json!([]), vec![]),
        (json!(null), vec![]),
        (json!([{"text": ""}, {}, {"newerCode": {"code": "1"}}, {"new": [1]}, {"thoughtSignature": "x"}]), vec![]),
        (json!([{"text": "", "thoughtSignature": "x"}]), vec!["text: "]),
        (
            json!([{"text": "hm", "thought": true}, {"text": "a"}, {"text": "b"}]),
            vec!["thinking: hm", "text: a", "text: b"],
        ),
        (json!([{"functionCall": {"name": "t"}}]), vec!["call t({})"]),
        (json!([{"functionCall": {"name": "t", "args": null}}]), vec!["call t({})"]),
        (json!([{"functionCall": {"args": {"a": 1}}}]), vec!["call ({\"a\":1})"]),
    ] {
        let response = answered(&completion(parts.clone(), json!("STOP"))).await.expect("an answer");
        assert_eq!(short(&response), expected, "{parts}");
    }
    let call = json!({"functionCall": {"name": "t", "args": {}}});
    let response = answered(&completion(json!([call, call]), json!("STOP"))).await.expect("calls");
    let ids: Vec<_> = response.tool_calls().map(|call| call.tool_call_id.clone()).collect();
    assert!(ids.len() == 2 && ids[0] != ids[1] && ids.iter().all(|id| !id.is_empty()), "{ids:?}");
}

#[tokio::test]
async fn images_are_kept_as_other_programs_store_them() {
    let image = |data: &str| json!({"inlineData": {"mimeType": "image/png", "data": data}});
    let mut draft = image("cG5n");
    draft["thought"] = json!(true);
    let response =
        answered(&completion(json!([draft, image("cG5n"), image("?")]), json!("STOP"))).await.expect("an image");
    let stored: Value = serde_json::to_value(&response.parts).expect("JSON");
    assert_eq!(stored.as_array().map(Vec::len), Some(1));
    assert_eq!(stored[0]["part_kind"], "file");
    assert_eq!((&stored[0]["content"]["kind"], &stored[0]["content"]["data"]), (&json!("binary"), &json!("cG5n")));
}

#[tokio::test]
async fn reasons_and_ratings_are_kept() {
    for (reason, expected) in [
        ("MAX_TOKENS", Some(FinishReason::Length)),
        ("SAFETY", Some(FinishReason::ContentFilter)),
        ("RECITATION", Some(FinishReason::ContentFilter)),
        ("MALFORMED_FUNCTION_CALL", Some(FinishReason::Error)),
        ("OTHER", None),
        ("SOMETHING_NEW", None),
    ] {
        let response = answered(&completion(json!([]), json!(reason))).await.expect("an answer");
        assert_eq!(response.finish_reason, expected, "{reason}");
    }
    let rated = json!({"candidates": [{"finishReason": "SAFETY", "safetyRatings": [{"blocked": true}]}]}).to_string();
    let details = answered(&rated).await.expect("an answer").provider_details.map(|details| details.to_value());
    assert_eq!(details, Some(json!({"finish_reason": "SAFETY", "safety_ratings": [{"blocked": true}]})));
}

#[tokio::test]
async fn a_blocked_prompt_is_an_answer_without_parts() {
    let feedback = json!({"blockReason": "SAFETY", "blockReasonMessage": "No.", "safetyRatings": []});
    let body = json!({"promptFeedback": feedback, "usageMetadata": {"promptTokenCount": 4}}).to_string();
    let response = answered(&body).await.expect("an answer");
    assert!(response.parts.is_empty() && response.finish_reason == Some(FinishReason::ContentFilter));
    assert_eq!(response.usage.input_tokens, 4);
    let details = response.provider_details.map(|details| details.to_value());
    assert_eq!(details, Some(json!({"block_reason": "SAFETY", "block_reason_message": "No.", "safety_ratings": []})));
}

#[tokio::test]
async fn every_token_is_counted() {
    let usage = json!({
        "promptTokenCount": 10, "toolUsePromptTokenCount": 2, "cachedContentTokenCount": 3, "candidatesTokenCount": 5,
        "thoughtsTokenCount": 7, "totalTokenCount": 24, "new": {},
        "promptTokensDetails": [{"modality": "TEXT", "tokenCount": 9}, {"modality": "IMAGE", "tokenCount": 1}, {}],
        "cacheTokensDetails": [{"modality": "TEXT", "tokenCount": 0}],
    });
    let body = json!({"candidates": [{"content": {"parts": [{"text": "x"}]}}], "usageMetadata": usage}).to_string();
    let usage = answered(&body).await.expect("an answer").usage;
    assert_eq!((usage.input_tokens, usage.output_tokens, usage.cache_read_tokens), (12, 12, 3));
    assert_eq!(
        Value::from(usage.details),
        json!({
            "cached_content_tokens": 3, "thoughts_tokens": 7, "tool_use_prompt_tokens": 2, "text_prompt_tokens": 9,
            "image_prompt_tokens": 1,
        })
    );
    let odd = r#"{"candidates":[{}],"usageMetadata":{"promptTokenCount":"many"}}"#;
    assert_eq!(answered(odd).await.expect("an answer").usage, crate::RequestUsage::default());
}

#[tokio::test]
async fn unusable_replies_are_the_providers_fault() {
    let bodies = [
        "",
        "{}",
        "[]",
        "null",
        "OK",
        "<html>",
        r#"{"candidates":[]}"#,
        r#"{"candidates":"x"}"#,
        r#"{"promptFeedback":{}}"#,
    ];
    for body in bodies {
        let error = answered(body).await.expect_err("unusable");
        assert_eq!(
            (error.kind(), error.status(), error.request_id()),
            (ErrorKind::Provider, None, Some("r1")),
            "{body}"
        );
    }
    let error = answered(r#"{"error":{"message":"no quota for AIza-secret"}}"#).await.expect_err("unusable");
    assert!(error.to_string().contains("no quota for [key]"), "{error}");
}

#[tokio::test]
async fn refused_requests_say_why() {
    for status in [400, 401, 404, 500] {
        let body = json!({"error": {"code": status, "message": "not with AIza-secret", "status": "X"}}).to_string();
        let server = Server::start(vec![reply(status, &[], &body)]).await;
        let error = model::request(&reached(&server), &question()).await.expect_err("refused");
        assert_eq!((error.kind(), error.status()), (ErrorKind::Provider, Some(status)));
        let text = error.to_string();
        assert!(text.contains(&status.to_string()) && text.contains("not with [key]"), "{text}");
    }
}
