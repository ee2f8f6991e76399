//! Makes a history whole again, so that every call in it has exactly one answer (decision 18; behaviours 13).

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

use crate::message::{
    Extra, History, Message, MessageState, ModelRequest, ModelResponse, Outcome, RequestPart, ToolCallPart,
    ToolContent, ToolReturnPart,
};

/// What a model is told of a call that nothing will ever answer.
pub(crate) const INTERRUPTED: &str = "The tool call was interrupted before a result was produced.";
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

/// Drops answers that belong to no call, answers calls that nobody will answer, and joins requests that stand side by side.
///
/// A history that is whole is given back as it is. The work does not depend on when it is done: the same history always
/// becomes the same one.
pub(crate) fn repair(history: &History, frontier: Frontier) -> History {
    let repairs = Repairs::of(history, frontier);
    if repairs.is_empty() && !has_neighbours(history) {
        return history.clone();
    }
    join(repairs.carry_out(history))
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

/// The newest response's calls that are still open, in order.
pub(crate) fn unanswered(history: &History) -> Vec<ToolCallPart> {
    let Pairs { calls, newest, .. } = Pairs::of(history);
    let open = calls.into_iter().filter(|call| Some(call.response) == newest && call.answer.is_none());
    open.map(|call| call.part.clone()).collect()
}

/// A call, and what answers it.
struct Call<'a> {
    part: &'a ToolCallPart,
    of: &'a ModelResponse,
    /// The place of its response.
    response: usize,
    answer: Option<Answer<'a>>,
}

struct Answer<'a> {
    part: &'a ToolReturnPart,
    at: Place,
    /// Another response came in between.
    late: bool,
}

/// Where a part is: in which message, and where in that.
type Place = (usize, usize);

/// The calls of a history with their answers.
///
/// An answer belongs to the oldest open call of its id. Ids may start again in every response: a call of an id that is open
/// in an earlier response leaves that one without an answer.
#[derive(Default)]
struct Pairs<'a> {
    calls: Vec<Call<'a>>,
    /// Answers that belong to no call.
    strays: Vec<Place>,
    /// The place of the newest response.
    newest: Option<usize>,
}

impl<'a> Pairs<'a> {
    fn of(history: &'a History) -> Self {
        let mut pairs = Self::default();
        let mut open: HashMap<&str, VecDeque<usize>> = HashMap::new();
        for (place, message) in history.iter().enumerate() {
            match message {
                Message::Response(response) => {
                    pairs.newest = Some(place);
                    for part in response.tool_calls() {
                        let same_id = open.entry(&part.tool_call_id).or_default();
                        same_id.retain(|call| pairs.calls[*call].response == place);
                        same_id.push_back(pairs.calls.len());
                        pairs.calls.push(Call { part, of: response, response: place, answer: None });
                    }
                }
                Message::Request(request) => {
                    for (index, part) in request.parts.iter().enumerate() {
                        let RequestPart::ToolReturn(part) = part else { continue };
                        match open.get_mut(part.tool_call_id.as_str()).and_then(VecDeque::pop_front) {
                            Some(call) => {
                                let late = Some(pairs.calls[call].response) != pairs.newest;
                                pairs.calls[call].answer = Some(Answer { part, at: (place, index), late });
                            }
                            None => pairs.strays.push((place, index)),
                        }
                    }
                }
            }
        }
        pairs
    }
}

/// What makes a history whole.
struct Repairs {
    /// Answers that go from where they are.
    gone: HashSet<Place>,
    /// Answers that come to a response's calls.
    added: HashMap<usize, Vec<RequestPart>>,
}

impl Repairs {
    fn of(history: &History, frontier: Frontier) -> Self {
        let Pairs { calls, strays, newest } = Pairs::of(history);
        let mut repairs = Self { gone: strays.into_iter().collect(), added: HashMap::new() };
        let waits = |call: &Call<'_>| frontier == Frontier::Open && Some(call.response) == newest;
        for call in &calls {
            let added = match &call.answer {
                Some(Answer { late: false, .. }) => continue,
                Some(Answer { part, at, .. }) => {
                    repairs.gone.insert(*at);
                    (*part).clone()
                }
                None if waits(call) => continue,
                None => interrupted(call.part, call.of),
            };
            repairs.added.entry(call.response).or_default().push(RequestPart::ToolReturn(added));
        }
        repairs
    }

    fn is_empty(&self) -> bool {
        self.gone.is_empty() && self.added.is_empty()
    }

    /// The messages with what is gone and added; those that stay as they are are shared.
    fn carry_out(mut self, history: &History) -> Vec<Arc<Message>> {
        let mut whole = Vec::with_capacity(history.len());
        let mut pending: Vec<RequestPart> = Vec::new();
        for (place, message) in history.shared_from(0).enumerate() {
            match &**message {
                Message::Response(_) => {
                    whole.extend(request_of(std::mem::take(&mut pending)));
                    whole.push(message.clone());
                    pending = self.added.remove(&place).unwrap_or_default();
                }
                Message::Request(request) => {
                    let stays = |index: usize| !self.gone.contains(&(place, index));
                    if pending.is_empty() && (0..request.parts.len()).all(stays) {
                        whole.push(message.clone());
                        continue;
                    }
                    let mut request = request.clone();
                    let mut index = 0..;
                    request.parts.retain(|_| index.next().is_some_and(stays));
                    insert(&mut request.parts, std::mem::take(&mut pending));
                    if !request.parts.is_empty() || place + 1 == history.len() {
                        whole.push(Arc::new(request.into()));
                    }
                }
            }
        }
        whole.extend(request_of(pending));
        whole
    }
}

fn request_of(parts: Vec<RequestPart>) -> Option<Arc<Message>> {
    (!parts.is_empty()).then(|| Arc::new(ModelRequest::new(parts).into()))
}

/// Puts answers behind those that are there.
fn insert(parts: &mut Vec<RequestPart>, answers: Vec<RequestPart>) {
    let last = parts.iter().rposition(|part| matches!(part, RequestPart::ToolReturn(_)));
    let at = last.map_or(0, |last| last + 1);
    parts.splice(at..at, answers);
}

fn interrupted(call: &ToolCallPart, response: &ModelResponse) -> ToolReturnPart {
    let mut part = ToolReturnPart::answer(call, ToolContent::text(INTERRUPTED), Outcome::Interrupted);
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

fn has_neighbours(history: &History) -> bool {
    history.iter().zip(history.iter().skip(1)).any(|pair| are_neighbours(pair.0, pair.1))
}

fn are_neighbours(first: &Message, second: &Message) -> bool {
    matches!((first, second), (Message::Request(first), Message::Request(second)) if can_join(first, second))
}

/// Joins requests that stand side by side: models expect to be spoken to once at a time.
fn join(messages: Vec<Arc<Message>>) -> History {
    let mut joined = History::new();
    for message in messages {
        let is_neighbour = joined.last().is_some_and(|last| are_neighbours(last, &message));
        match &*message {
            Message::Request(second) if is_neighbour => joined.edit_last_request(|first| absorb(first, second.clone())),
            _ => joined.push_shared(message),
        }
    }
    joined
}

/// Puts a request's parts behind those of the one before it; of all else the newer counts.
fn absorb(first: &mut ModelRequest, second: ModelRequest) {
    let mut parts = std::mem::take(&mut first.parts);
    parts.extend(second.parts);
    parts.sort_by_key(|part| !matches!(part, RequestPart::ToolReturn(_)));
    *first = ModelRequest {
        parts,
        instructions: first.instructions.take().or(second.instructions),
        timestamp: second.timestamp.or(first.timestamp.take()),
        metadata: second.metadata.or(first.metadata.take()),
        extra: if second.extra == Extra::default() { std::mem::take(&mut first.extra) } else { second.extra },
        run_id: second.run_id,
        conversation_id: second.conversation_id,
        state: second.state,
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::{Arguments, ResponsePart, UserPromptPart};

    fn response(ids: &[&str]) -> Message {
        let call = |id: &&str| ResponsePart::ToolCall(ToolCallPart::new("t", Arguments::absent()).with_id(*id));
        ModelResponse::new(ids.iter().map(call).collect()).into()
    }

    fn answered(ids: &[&str]) -> Message {
        let part = |id: &&str| {
            let call = ToolCallPart::new("t", Arguments::absent()).with_id(*id);
            RequestPart::ToolReturn(ToolReturnPart::answer(&call, ToolContent::default(), Outcome::Success))
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

    #[test]
    fn an_answer_that_comes_late_goes_to_its_call_and_a_second_one_goes() {
        let history: History = [response(&["a"]), response(&["b"]), answered(&["b", "a", "a"])].into_iter().collect();
        let whole = repair(&history, Frontier::Open);
        let success = |id: &str| vec![(id.to_owned(), Outcome::Success)];
        assert_eq!(shape(&whole), [success("a"), success("b")]);
    }

    #[test]
    fn messages_that_stay_as_they_are_are_shared() {
        let history: History =
            [response(&["a"]), answered(&["a"]), response(&["b"]), response(&[])].into_iter().collect();
        let whole = repair(&history, Frontier::Open);
        let shared = history.shared_from(0).zip(whole.shared_from(0)).take_while(|(a, b)| Arc::ptr_eq(a, b)).count();
        assert_eq!(shared, 3);
    }

    /// The ids of the calls of each response, and of the answers up to the next one.
    fn spans(history: &History) -> Vec<(Vec<&str>, Vec<&str>)> {
        let mut spans = vec![(Vec::new(), Vec::new())];
        for message in history.iter() {
            match message {
                Message::Response(response) => {
                    spans.push((response.tool_calls().map(|call| call.tool_call_id.as_str()).collect(), Vec::new()));
                }
                Message::Request(request) => {
                    let answers = request.parts.iter().filter_map(|part| match part {
                        RequestPart::ToolReturn(part) => Some(part.tool_call_id.as_str()),
                        _ => None,
                    });
                    spans.last_mut().expect("one at least").1.extend(answers);
                }
            }
        }
        spans
    }

    #[test]
    fn whatever_a_history_was_every_call_has_exactly_one_answer_beside_it() {
        let prompt = ModelRequest::new(vec![RequestPart::UserPrompt(UserPromptPart::new("Go."))]);
        let letters =
            [response(&["a"]), response(&["a", "b"]), response(&["a", "a"]), answered(&["a"]), answered(&["b", "a"])];
        let letters = [letters.as_slice(), &[response(&[]), prompt.into()]].concat();
        let mut histories = vec![Vec::new()];
        for _ in 0..4 {
            let longer = |history: &Vec<Message>| {
                letters
                    .iter()
                    .map(|letter| [history.as_slice(), std::slice::from_ref(letter)].concat())
                    .collect::<Vec<_>>()
            };
            histories = histories.iter().flat_map(longer).collect();
            for messages in &histories {
                let history: History = messages.iter().cloned().collect();
                let whole = repair(&history, Frontier::Closed);
                for (mut calls, mut answers) in spans(&whole) {
                    calls.sort_unstable();
                    answers.sort_unstable();
                    assert_eq!(calls, answers, "{messages:#?}");
                }
                assert_eq!(repair(&whole, Frontier::Closed), whole, "repairing twice changes nothing more");
            }
        }
    }
}
