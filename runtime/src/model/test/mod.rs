//! A model that calls every tool once: for tests of tools and agents.

mod generate;
mod height;
mod keywords;
mod number;

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use self::generate::generate;
use super::{Model, ModelInput, RequestCache};
use crate::error::{Error, Result};
use crate::json::Json;
use crate::message::{
    BinaryContent, FilePart, History, Message, ModelResponse, Outcome, RequestPart, ResponsePart, ToolCallPart,
};
use crate::output::OutputFormat;
use crate::tool::ToolDefinition;

/// A model that calls every tool once, with arguments made from its schema, and then says what the tools gave back.
///
/// It makes up values by its [seed](Self::seed), so a run always goes the same way (specification: behaviours 20).
/// Cloning shares what was [last asked](Self::last_input): keep one clone, and give the agent the other.
///
/// ```
/// use toolwright::ToolDefinition;
/// use toolwright::message::{History, ModelRequest, RequestPart, UserPromptPart};
/// use toolwright::model::{ModelInput, TestModel, request};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> toolwright::Result<()> {
/// let model = TestModel::new();
/// let prompt = ModelRequest::new(vec![RequestPart::UserPrompt(UserPromptPart::new("Go."))]);
/// let input = ModelInput::new(History::from_iter([prompt])).function_tools([ToolDefinition::new("ping")]);
/// let response = request(&model, &input).await?;
/// assert_eq!(response.tool_calls().next().map(|call| call.tool_name.as_str()), Some("ping"));
/// assert_eq!(model.last_input().map(|input| input.function_tools.len()), Some(1));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct TestModel {
    call_tools: Option<Vec<String>>,
    output_text: Option<String>,
    output_args: Option<Value>,
    seed: u64,
    system: String,
    last_input: Arc<Mutex<Option<ModelInput>>>,
}

impl TestModel {
    /// Calls every tool, with seed 0.
    #[must_use]
    pub fn new() -> Self {
        Self {
            call_tools: None,
            output_text: None,
            output_args: None,
            seed: 0,
            system: "test".to_owned(),
            last_input: Arc::default(),
        }
    }

    /// Calls only these function tools, in this order. Naming a tool that is not offered makes the request fail.
    #[must_use]
    pub fn call_tools<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.call_tools = Some(names.into_iter().map(Into::into).collect());
        self
    }

    /// Ends with this text.
    #[must_use]
    pub fn custom_output_text(mut self, text: impl Into<String>) -> Self {
        self.output_text = Some(text.into());
        self
    }

    /// Ends by calling an output tool with these arguments. What is no object goes under the tool's only property.
    #[must_use]
    pub fn custom_output_args(mut self, args: impl Into<Value>) -> Self {
        self.output_args = Some(args.into());
        self
    }

    /// Sets what made-up values start from, and which output tool is called.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Makes it look like a provider's model to hooks that ask.
    #[must_use]
    pub fn with_system(mut self, system: impl Into<String>) -> Self {
        self.system = system.into();
        self
    }

    /// What the model, or a clone of it, was asked last: the tools it was offered, the settings, the conversation.
    #[must_use]
    pub fn last_input(&self) -> Option<ModelInput> {
        self.last_input.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn answer(&self, input: &ModelInput) -> Result<ModelResponse> {
        let tools = self.tools_to_call(input)?;
        let output = self.output(input)?;
        let mut ids = Ids::of(&input.history);
        if !tools.is_empty() && !input.history.iter().any(|message| matches!(message, Message::Response(_))) {
            return Ok(calls(tools.iter().map(|tool| self.call(tool, &mut ids)).collect()));
        }
        let again = self.calls_again(input, &tools, &mut ids)?;
        if !again.is_empty() {
            return Ok(calls(again));
        }
        match output {
            Output::Text => Ok(ModelResponse::text(match &self.output_text {
                Some(text) => text.clone(),
                None => summary(&input.history),
            })),
            Output::File => Ok(ModelResponse::new(vec![FilePart::new(BinaryContent::new(PIXEL, "image/gif")).into()])),
            Output::Tool(tool) => Ok(calls(vec![self.output_call(tool, &mut ids)?])),
            Output::Object(format) => Ok(ModelResponse::text(self.output_object(format)?.to_string())),
        }
    }

    fn tools_to_call<'a>(&self, input: &'a ModelInput) -> Result<Vec<&'a ToolDefinition>> {
        let Some(names) = &self.call_tools else { return Ok(input.function_tools.iter().collect()) };
        let offered = |name: &String| {
            input.function_tools.iter().find(|tool| tool.name() == name).ok_or_else(|| {
                Error::misuse(format!("the test model is to call `{name}`, but no tool of that name is offered"))
            })
        };
        names.iter().map(offered).collect()
    }

    /// How the run is to end.
    fn output<'a>(&self, input: &'a ModelInput) -> Result<Output<'a>> {
        let tools = &input.output_tools;
        let object = input.output_format.as_deref().map(Output::Object);
        let picked = || {
            let index = usize::try_from(self.seed % tools.len().max(1) as u64).unwrap_or_default();
            object.or_else(|| tools.get(index).map(Output::Tool))
        };
        match (&self.output_text, &self.output_args) {
            (Some(_), Some(_)) => Err(Error::misuse(
                "the test model is given both an output text and output arguments; give it one of them",
            )),
            (Some(_), None) if !input.allow_text => Err(Error::misuse(
                "the test model is given an output text, but text cannot be the run's output; give it output arguments",
            )),
            (None, Some(_)) => picked().ok_or_else(|| {
                Error::misuse("the test model is given output arguments, but there is no output tool; give it a text")
            }),
            (None, None) if !input.allow_text || object.is_some() => {
                Ok(picked().unwrap_or(if input.allow_files { Output::File } else { Output::Text }))
            }
            _ => Ok(Output::Text),
        }
    }

    /// The calls of those tools whose last calls are to be tried again.
    fn calls_again(&self, input: &ModelInput, tools: &[&ToolDefinition], ids: &mut Ids) -> Result<Vec<ToolCallPart>> {
        let Some(Message::Request(request)) = input.history.last() else { return Ok(Vec::new()) };
        let retried: HashSet<&str> = request
            .parts
            .iter()
            .filter_map(|part| match part {
                RequestPart::ToolReturn(answer) if answer.outcome == Outcome::Retried => {
                    Some(answer.tool_name.as_str())
                }
                _ => None,
            })
            .collect();
        let again = |tool: &&ToolDefinition| retried.contains(tool.name());
        let functions = tools.iter().copied().filter(again).map(|tool| self.call(tool, ids));
        let mut calls: Vec<_> = functions.collect();
        for tool in input.output_tools.iter().filter(again) {
            calls.push(self.output_call(tool, ids)?);
        }
        Ok(calls)
    }

    fn call(&self, tool: &ToolDefinition, ids: &mut Ids) -> ToolCallPart {
        ToolCallPart::new(tool.name(), generate(tool.parameters(), self.seed)).with_id(ids.next(tool.name()))
    }

    fn output_call(&self, tool: &ToolDefinition, ids: &mut Ids) -> Result<ToolCallPart> {
        let Some(args) = &self.output_args else { return Ok(self.call(tool, ids)) };
        let args = as_object(args, tool.name(), tool.parameters())?;
        Ok(ToolCallPart::new(tool.name(), args).with_id(ids.next(tool.name())))
    }

    fn output_object(&self, format: &OutputFormat) -> Result<Value> {
        match &self.output_args {
            Some(args) => as_object(args, &format.name, &format.schema),
            None => Ok(generate(&format.schema, self.seed)),
        }
    }
}

impl Default for TestModel {
    fn default() -> Self {
        Self::new()
    }
}

impl Model for TestModel {
    fn name(&self) -> &str {
        "test"
    }

    fn system(&self) -> &str {
        &self.system
    }

    fn has_native_output(&self) -> bool {
        true
    }

    fn has_file_output(&self) -> bool {
        true
    }

    async fn request(&self, input: &ModelInput, _: &mut RequestCache) -> Result<ModelResponse> {
        *self.last_input.lock().unwrap_or_else(PoisonError::into_inner) = Some(input.clone());
        let mut response = self.answer(input)?;
        response.model_name = Some(self.name().to_owned());
        response.provider_name = Some(self.system.clone());
        Ok(response)
    }
}

/// A GIF of one transparent pixel.
const PIXEL: &[u8] =
    b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\0\0\0!\xf9\x04\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;";

/// How a run ends.
#[derive(Clone, Copy)]
enum Output<'a> {
    Text,
    /// By the smallest image there is, where nothing else can be the output.
    File,
    Tool(&'a ToolDefinition),
    /// As a value that is written as text.
    Object(&'a OutputFormat),
}

/// Ids of calls: the same in every run, and no two alike in one.
struct Ids(HashSet<String>);

impl Ids {
    fn of(history: &History) -> Self {
        let calls = history.iter().filter_map(|message| match message {
            Message::Response(response) => Some(response.tool_calls()),
            Message::Request(_) => None,
        });
        Self(calls.flatten().map(|call| call.tool_call_id.clone()).collect())
    }

    fn next(&mut self, tool: &str) -> String {
        let mut id = format!("call_{tool}");
        let mut count = 1_u32;
        while !self.0.insert(id.clone()) {
            count += 1;
            id = format!("call_{tool}__{count}");
        }
        id
    }
}

fn calls(calls: Vec<ToolCallPart>) -> ModelResponse {
    ModelResponse::new(calls.into_iter().map(ResponsePart::ToolCall).collect())
}

/// The value; one that is no object is put under the only property of the schema.
fn as_object(value: &Value, output: &str, schema: &Value) -> Result<Value> {
    if value.is_object() {
        return Ok(value.clone());
    }
    let properties = schema.get("properties").and_then(Value::as_object);
    match properties.map(|properties| properties.keys().collect::<Vec<_>>()).as_deref() {
        Some([only]) => Ok(json!({ *only: value })),
        _ => Err(Error::misuse(format!(
            "the test model's output arguments are no object, and the output `{output}` has not just one property to put them in"
        ))),
    }
}

/// What all tools gave back, the last time each.
fn summary(history: &History) -> String {
    let mut results = Results::default();
    for part in history.request_parts() {
        if let RequestPart::ToolReturn(answer) = part {
            let content = answer.content.to_json();
            match results.0.iter_mut().find(|(name, _)| *name == answer.tool_name) {
                Some((_, last)) => *last = content,
                None => results.0.push((&answer.tool_name, content)),
            }
        }
    }
    if results.0.is_empty() {
        return "success (no tool calls)".to_owned();
    }
    // Names and JSON: nothing in them can fail to be written.
    Json::of(&results).map_or_else(|_| String::new(), |json| json.text().to_owned())
}

/// Results by tool, in the order of first appearance.
#[derive(Default)]
struct Results<'a>(Vec<(&'a str, Json)>);

impl Serialize for Results<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, content)| (name, content)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::{ModelRequest, ToolReturnPart, UserPromptPart};

    fn prompted() -> ModelInput {
        let prompt = RequestPart::UserPrompt(UserPromptPart::new("Go."));
        ModelInput::new(History::from_iter([ModelRequest::new(vec![prompt])]))
    }

    fn tool(name: &str) -> ToolDefinition {
        ToolDefinition::new(name).with_parameters(json!({
            "type": "object",
            "properties": {"city": {"type": "string"}},
            "required": ["city"],
        }))
    }

    fn names_and_ids(response: &ModelResponse) -> Vec<(&str, &str)> {
        response.tool_calls().map(|call| (call.tool_name.as_str(), call.tool_call_id.as_str())).collect()
    }

    fn text(response: &ModelResponse) -> &str {
        match response.parts.as_slice() {
            [ResponsePart::Text(text)] => &text.content,
            _ => "",
        }
    }

    /// Goes on after `response`, whose calls end like this.
    fn answered(mut input: ModelInput, response: ModelResponse, ends: &[(Value, Outcome)]) -> ModelInput {
        let answers = response.tool_calls().zip(ends).map(|(call, (content, outcome))| {
            RequestPart::ToolReturn(ToolReturnPart::answer(call, content.clone(), *outcome))
        });
        let request = ModelRequest::new(answers.collect());
        input.history.push(response);
        input.history.push(request);
        input
    }

    async fn ask(model: &TestModel, input: &ModelInput) -> ModelResponse {
        crate::model::request(model, input).await.expect("an answer")
    }

    async fn misuse(model: TestModel, input: &ModelInput) -> String {
        let error = crate::model::request(&model, input).await.expect_err("misuse");
        assert_eq!(error.kind(), crate::ErrorKind::Misuse);
        error.to_string()
    }

    #[tokio::test]
    async fn every_tool_is_called_once_and_then_summed_up() {
        let model = TestModel::new();
        let input = prompted().function_tools([tool("a"), tool("b")]);
        let response = ask(&model, &input).await;
        assert_eq!(names_and_ids(&response), [("a", "call_a"), ("b", "call_b")]);
        assert_eq!(response.tool_calls().next().map(|call| call.args.text()), Some(r#"{"city":"a"}"#));
        assert_eq!(response.provider_name.as_deref(), Some("test"));
        let ends = [(json!(1), Outcome::Success), (json!({"x": [0.0]}), Outcome::Failed)];
        let input = answered(input, response, &ends);
        assert_eq!(text(&ask(&model, &input).await), r#"{"a":1,"b":{"x":[0.0]}}"#);
        assert_eq!(model.last_input().expect("asked").history.len(), 3);
    }

    #[tokio::test]
    async fn what_is_to_be_tried_again_is_called_again() {
        let model = TestModel::new();
        let input = prompted().function_tools([tool("a"), tool("b")]);
        let response = ask(&model, &input).await;
        let input = answered(input, response, &[(json!("no"), Outcome::Retried), (json!(2), Outcome::Success)]);
        let response = ask(&model, &input).await;
        assert_eq!(names_and_ids(&response), [("a", "call_a__2")]);
        let input = answered(input, response, &[(json!(3), Outcome::Success)]);
        assert_eq!(text(&ask(&model, &input).await), r#"{"a":3,"b":2}"#);
    }

    #[tokio::test]
    async fn nothing_is_called_where_something_was_said_before() {
        let mut input = prompted().function_tools([tool("a")]);
        input.history.push(ModelResponse::text("Hello."));
        input.history.push(ModelRequest::new(vec![RequestPart::UserPrompt(UserPromptPart::new("Go."))]));
        assert_eq!(text(&ask(&TestModel::new(), &input).await), "success (no tool calls)");
    }

    #[tokio::test]
    async fn only_the_named_tools_are_called() {
        let input = prompted().function_tools([tool("a"), tool("b")]);
        let response = ask(&TestModel::new().call_tools(["b", "b"]), &input).await;
        assert_eq!(names_and_ids(&response), [("b", "call_b"), ("b", "call_b__2")]);
        let none: [&str; 0] = [];
        let silent = TestModel::new().call_tools(none).custom_output_text("bye");
        assert_eq!(text(&ask(&silent, &input).await), "bye");
        assert!(misuse(TestModel::new().call_tools(["x"]), &input).await.contains("`x`"));
    }

    #[tokio::test]
    async fn an_output_tool_is_picked_by_the_seed() {
        let mut input = prompted();
        input.allow_text = false;
        input.output_tools = [tool("first"), tool("second")].into_iter().collect();
        let model = TestModel::new().seed(3);
        let response = ask(&model, &input).await;
        assert_eq!(names_and_ids(&response), [("second", "call_second")]);
        let again = answered(input.clone(), response, &[(json!("no"), Outcome::Retried)]);
        assert_eq!(names_and_ids(&ask(&model, &again).await), [("second", "call_second__2")]);
        let response = ask(&TestModel::new().custom_output_args("Rome"), &input).await;
        assert_eq!(response.tool_calls().next().map(|call| call.args.text()), Some(r#"{"city":"Rome"}"#));
        let response = ask(&TestModel::new().custom_output_args(json!({"x": 1})), &input).await;
        assert_eq!(response.tool_calls().next().map(|call| call.args.text()), Some(r#"{"x":1}"#));
        misuse(TestModel::new().custom_output_text("x"), &input).await;
        misuse(TestModel::new().custom_output_text("x").custom_output_args(1), &input).await;
        misuse(TestModel::new().custom_output_args(1), &prompted()).await;
    }

    #[tokio::test]
    async fn a_clone_knows_what_the_other_was_asked() {
        let kept = TestModel::new().with_system("openai");
        assert!(kept.last_input().is_none());
        let response = ask(&kept.clone(), &prompted().function_tools([tool("a")])).await;
        assert_eq!(response.provider_name.as_deref(), Some("openai"));
        assert_eq!(kept.last_input().map(|input| input.function_tools[0].name().to_owned()), Some("a".to_owned()));
    }
}
