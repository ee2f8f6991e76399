//! Makes a history whole again, so that every call in it has exactly one answer (decision 18; behaviours 13).

use std::collections::{HashMap, VecDeque};

use crate::message::{
    Extra, History, Message, MessageState, ModelRequest, ModelResponse, Outcome, RequestPart, ResponsePart,
    ToolCallPart, ToolReturnPart,
};

/// What a model is told of a call that nothing will ever answer.
const INTERRUPTED: &str = "The tool call was interrupted before a result was produced.";
/// Marks such answers, under the key by which other programs know them.
const SYNTHESIZED: &str = "pydantic_ai_synthesized_tool_return";

/// Which calls of the newest response still wait for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Frontier {
    /// They are answered soon: leave them.
    Open,
    /// Nobody will answer them.
    Closed,
}

/// Drops answers without a call, answers calls that nobody will answer, and joins requests that stand side by side.
///
/// A history that is whole is given back as it is. The work does not depend on when it is done: the same history always
/// becomes the same one.
pub(crate) fn repair(history: &History, frontier: Frontier) -> History {
    if is_whole(history, frontier) {
        return history.clone();
    }
    let kept = drop_orphans(history);
    let dangling = dangling_calls(&kept, frontier);
    join(answer(kept, dangling))
}

/// Whether the newest response was cut short by the end of its run: its calls will never be answered.
pub(crate) fn is_interrupted(history: &History, new_prompt: bool) -> bool {
    match history.last() {
        Some(Message::Request(request)) => request.state == MessageState::Interrupted,
        Some(Message::Response(response)) => {
            new_prompt && response.state == MessageState::Interrupted && response.tool_calls().next().is_some()
        }
        None => false,
    }
}

/// The calls of the newest response that no request after it answers, in order.
pub(crate) fn unanswered(history: &History) -> Vec<ToolCallPart> {
    let messages: Vec<_> = history.iter().cloned().collect();
    let last = messages.iter().rposition(|message| matches!(message, Message::Response(_)));
    let mut dangling = dangling_calls(&messages, Frontier::Closed);
    last.and_then(|last| dangling.remove(&last)).unwrap_or_default()
}

fn is_whole(history: &History, frontier: Frontier) -> bool {
    let messages: Vec<_> = history.iter().collect();
    let side_by_side =
        messages.windows(2).any(|pair| matches!(pair, [Message::Request(a), Message::Request(b)] if can_join(a, b)));
    !side_by_side && !has_orphans(&messages) && dangling(&messages, frontier).is_empty()
}

fn has_orphans(messages: &[&Message]) -> bool {
    let mut calls = HashMap::new();
    messages.iter().any(|message| match message {
        Message::Response(response) => {
            calls.extend(response.tool_calls().map(|call| (call.tool_call_id.as_str(), ())));
            false
        }
        Message::Request(request) => request.parts.iter().any(|part| match part {
            RequestPart::ToolReturn(answer) => !calls.contains_key(answer.tool_call_id.as_str()),
            _ => false,
        }),
    })
}

fn drop_orphans(history: &History) -> Vec<Message> {
    let mut calls = HashMap::new();
    let last = history.len().saturating_sub(1);
    let mut kept = Vec::with_capacity(history.len());
    for (index, message) in history.iter().enumerate() {
        match message {
            Message::Response(response) => {
                calls.extend(response.tool_calls().map(|call| (call.tool_call_id.clone(), ())));
                kept.push(message.clone());
            }
            Message::Request(request) => {
                let mut request = request.clone();
                let before = request.parts.len();
                request.parts.retain(|part| match part {
                    RequestPart::ToolReturn(answer) => calls.contains_key(&answer.tool_call_id),
                    _ => true,
                });
                if request.parts.len() == before || !request.parts.is_empty() || index == last {
                    kept.push(request.into());
                }
            }
        }
    }
    kept
}

/// Calls without an answer, by the place of their response.
fn dangling_calls(messages: &[Message], frontier: Frontier) -> HashMap<usize, Vec<ToolCallPart>> {
    let messages: Vec<_> = messages.iter().collect();
    let owned = |calls: Vec<&ToolCallPart>| calls.into_iter().cloned().collect();
    dangling(&messages, frontier).into_iter().map(|(place, calls)| (place, owned(calls))).collect()
}

/// An answer belongs to the oldest open call of its id; a later response that uses an id again closes it for the earlier.
fn dangling<'a>(messages: &[&'a Message], frontier: Frontier) -> HashMap<usize, Vec<&'a ToolCallPart>> {
    let mut open: HashMap<&str, VecDeque<(usize, &ToolCallPart)>> = HashMap::new();
    let mut closed: Vec<(usize, &ToolCallPart)> = Vec::new();
    for (place, message) in messages.iter().enumerate() {
        match message {
            Message::Response(response) => {
                for call in response.tool_calls() {
                    let pending = open.entry(&call.tool_call_id).or_default();
                    if pending.back().is_some_and(|(earlier, _)| *earlier != place) {
                        closed.extend(pending.drain(..));
                    }
                    pending.push_back((place, call));
                }
            }
            Message::Request(request) => {
                for part in &request.parts {
                    if let RequestPart::ToolReturn(answer) = part
                        && let Some(pending) = open.get_mut(answer.tool_call_id.as_str())
                    {
                        pending.pop_front();
                    }
                }
            }
        }
    }
    let newest = messages.iter().rposition(|message| matches!(message, Message::Response(_)));
    closed.extend(open.into_values().flatten());
    let mut by_place: HashMap<usize, Vec<&ToolCallPart>> = HashMap::new();
    for (place, call) in closed {
        if frontier == Frontier::Closed || Some(place) != newest {
            by_place.entry(place).or_default().push(call);
        }
    }
    // Hash maps gave the calls in any order; the response says which is right.
    for (place, calls) in &mut by_place {
        if let Message::Response(response) = messages[*place] {
            calls.sort_by_key(|call| response.parts.iter().position(|part| is_call(part, call)));
        }
    }
    by_place
}

fn is_call(part: &ResponsePart, call: &ToolCallPart) -> bool {
    matches!(part, ResponsePart::ToolCall(other) if std::ptr::eq(other, call))
}

fn answer(messages: Vec<Message>, mut dangling: HashMap<usize, Vec<ToolCallPart>>) -> Vec<Message> {
    let mut whole = Vec::with_capacity(messages.len());
    let mut pending: Vec<RequestPart> = Vec::new();
    for (place, message) in messages.into_iter().enumerate() {
        match message {
            Message::Response(response) => {
                if !pending.is_empty() {
                    whole.push(ModelRequest::new(std::mem::take(&mut pending)).into());
                }
                let calls = dangling.remove(&place).unwrap_or_default();
                pending.extend(calls.iter().map(|call| RequestPart::ToolReturn(interrupted(call, &response))));
                whole.push(response.into());
            }
            Message::Request(mut request) => {
                if !pending.is_empty() {
                    let after = request.parts.iter().rposition(|part| matches!(part, RequestPart::ToolReturn(_)));
                    let at = after.map_or(0, |after| after + 1);
                    request.parts.splice(at..at, pending.drain(..));
                }
                whole.push(request.into());
            }
        }
    }
    if !pending.is_empty() {
        whole.push(ModelRequest::new(pending).into());
    }
    whole
}

fn interrupted(call: &ToolCallPart, response: &ModelResponse) -> ToolReturnPart {
    let mut part = ToolReturnPart::answer(call, crate::message::ToolContent::text(INTERRUPTED), Outcome::Interrupted);
    part.metadata = Some(serde_json::json!({SYNTHESIZED: true}).into());
    // Taken from the response, so that repairing twice gives the same.
    part.timestamp.clone_from(&response.timestamp);
    part
}

fn can_join(first: &ModelRequest, second: &ModelRequest) -> bool {
    match (&first.instructions, &second.instructions) {
        (Some(first), Some(second)) => first == second,
        _ => true,
    }
}

/// Joins requests that stand side by side: models expect to be spoken to once at a time.
fn join(messages: Vec<Message>) -> History {
    let mut joined: Vec<Message> = Vec::with_capacity(messages.len());
    for message in messages {
        match (joined.last_mut(), message) {
            (Some(Message::Request(first)), Message::Request(second)) if can_join(first, &second) => {
                let mut parts = std::mem::take(&mut first.parts);
                parts.extend(second.parts);
                parts.sort_by_key(|part| !matches!(part, RequestPart::ToolReturn(_)));
                *first = ModelRequest {
                    parts,
                    instructions: first.instructions.take().or(second.instructions),
                    timestamp: second.timestamp.or(first.timestamp.take()),
                    metadata: second.metadata.or(first.metadata.take()),
                    extra: if second.extra == Extra::default() {
                        std::mem::take(&mut first.extra)
                    } else {
                        second.extra
                    },
                    run_id: second.run_id,
                    conversation_id: second.conversation_id,
                    state: second.state,
                };
            }
            (_, message) => joined.push(message),
        }
    }
    joined.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::Arguments;

    fn response(ids: &[&str]) -> Message {
        let call = |id: &&str| ResponsePart::ToolCall(ToolCallPart::new("t", Arguments::absent()).with_id(*id));
        ModelResponse::new(ids.iter().map(call).collect()).into()
    }

    fn answered(ids: &[&str]) -> Message {
        let part = |id: &&str| {
            let call = ToolCallPart::new("t", Arguments::absent()).with_id(*id);
            RequestPart::ToolReturn(ToolReturnPart::answer(
                &call,
                crate::message::ToolContent::default(),
                Outcome::Success,
            ))
        };
        ModelRequest::new(ids.iter().map(part).collect()).into()
    }

    fn shape(history: &History) -> Vec<Vec<(String, Outcome)>> {
        let answers = |request: &ModelRequest| {
            request
                .parts
                .iter()
                .filter_map(|part| match part {
                    RequestPart::ToolReturn(part) => Some((part.tool_call_id.clone(), part.outcome)),
                    _ => None,
                })
                .collect()
        };
        history
            .iter()
            .filter_map(|message| match message {
                Message::Request(request) => Some(answers(request)),
                Message::Response(_) => None,
            })
            .collect()
    }

    #[test]
    fn a_whole_history_is_left_alone() {
        let history: History =
            [response(&["a"]), answered(&["a"]), response(&["a"]), answered(&["a"])].into_iter().collect();
        assert_eq!(repair(&history, Frontier::Closed), history);
    }

    #[test]
    fn ids_that_start_again_in_every_reply_are_told_apart() {
        let history: History = [response(&["0"]), response(&["0"]), answered(&["0"])].into_iter().collect();
        let whole = repair(&history, Frontier::Closed);
        let expected = [vec![("0".to_owned(), Outcome::Interrupted)], vec![("0".to_owned(), Outcome::Success)]];
        assert_eq!(shape(&whole), expected);
    }

    #[test]
    fn answers_without_a_call_go_and_calls_without_an_answer_get_one_in_their_order() {
        let history: History =
            [answered(&["x"]), response(&["a", "b", "c"]), answered(&["b", "y"]), response(&[])].into_iter().collect();
        let whole = repair(&history, Frontier::Open);
        let ids: Vec<_> = shape(&whole).concat().into_iter().map(|(id, _)| id).collect();
        assert_eq!(ids, ["b", "a", "c"]);
        assert_eq!(repair(&whole, Frontier::Open), whole, "repairing twice changes nothing more");
    }

    #[test]
    fn the_newest_calls_stay_open_until_they_are_closed() {
        let history: History = [response(&["a"])].into_iter().collect();
        assert_eq!(repair(&history, Frontier::Open), history);
        assert_eq!(shape(&repair(&history, Frontier::Closed)).concat().len(), 1);
        assert_eq!(unanswered(&history).len(), 1);
    }
}
