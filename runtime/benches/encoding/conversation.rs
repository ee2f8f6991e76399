//! What is sent: 50 tools, and a conversation of questions, calls, results and answers.

use serde_json::json;
use toolwright::ToolDefinition;
use toolwright::message::{
    Arguments, History, Message, ModelRequest, ModelResponse, Outcome, RequestPart, ResponsePart, SystemPromptPart,
    TextPart, ToolCallPart, ToolReturnPart, UserPromptPart,
};

const TOOLS: usize = 50;

/// Definitions that no provider has encoded yet.
pub(crate) fn tools() -> Vec<ToolDefinition> {
    (0..TOOLS).map(tool).collect()
}

fn tool(number: usize) -> ToolDefinition {
    ToolDefinition::new(format!("search_shop_{number}")).with_description("Looks for articles in the shop.").with_parameters(
        json!({
            "type": "object",
            "properties": {
                "query": {"type": "string", "description": "What to look for, in a few words."},
                "size": {"type": "integer", "minimum": 0, "description": "The size, as it is counted where the shop is."},
                "in_stock": {"type": "boolean", "default": true, "description": "Whether to leave out what is sold out."},
                "sort": {"type": "string", "enum": ["name", "price"], "description": "The order of what is found."},
            },
            "required": ["query", "size"],
            "additionalProperties": false,
        }),
    )
}

/// The first messages of a conversation, as many as these. An odd number ends with what is sent to a model.
pub(crate) fn history(messages: usize) -> History {
    (0..messages).map(message).collect()
}

/// Four messages make a round: a question, a call, its result, an answer.
fn message(place: usize) -> Message {
    let round = place / 4;
    let call = || {
        let args =
            json!({"query": format!("red shoes \"no. {round}\""), "size": 43, "in_stock": true, "sort": "price"});
        ToolCallPart::new(format!("search_shop_{}", round % TOOLS), Arguments::from_text(args.to_string()))
            .with_id(format!("call_{round}"))
    };
    match place % 4 {
        0 => {
            let opening = (place == 0).then(|| SystemPromptPart::new("You sell shoes.\nBe brief."));
            let question = UserPromptPart::new(format!("Which red shoes do you have in size {}?", 30 + round % 15));
            let opening = opening.map(RequestPart::SystemPrompt).into_iter();
            ModelRequest::new(opening.chain([RequestPart::UserPrompt(question)]).collect()).into()
        }
        1 => {
            let words = TextPart::new("I look that up in the shop – one moment, please.");
            ModelResponse::new(vec![words.into(), call().into()]).into()
        }
        2 => {
            let found = json!({
                "articles": [
                    {"number": 17, "name": "Runner \"Léa\"", "price": 49.9},
                    {"number": 4711, "name": "Walker, wide", "price": 89.9},
                ],
                "more": false,
            });
            let answer = ToolReturnPart::answer(&call(), found, Outcome::Success);
            ModelRequest::new(vec![RequestPart::ToolReturn(answer)]).into()
        }
        _ => {
            let words = "We have two pairs:\n\n- **Runner \"Léa\"**, 49.90 €\n- **Walker, wide**, 89.90 €\n\nShall I put one aside?";
            ModelResponse::new(vec![ResponsePart::Text(TextPart::new(words))]).into()
        }
    }
}
