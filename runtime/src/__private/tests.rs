#![allow(clippy::panic, clippy::needless_pass_by_value, reason = "tests; and tools own what they are given")]

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{AnyArgs, ArgsReader, BoxError, Running, TypedTool, hide};
use crate::args::{ArgsError, ReadOptions};
use crate::message::ToolContent;
use crate::tool::{Finished, ToolReturn};
use crate::{
    BinaryContent, CallKind, File, ImageUrl, Later, ModelRetry, RunContext, Tool, ToolDefinition, tool, tools,
};

fn read<D, T: TypedTool<D>>(args: &Value) -> Result<Option<AnyArgs>, ArgsError> {
    let text = args.to_string();
    let mut reader = ArgsReader::new(&text, ReadOptions { lenient: true, whole: false })?;
    let args = T::read(&mut reader);
    reader.finish().map(|()| args)
}

/// Calls a tool the way a run does, and waits.
async fn call<T: TypedTool<i32>>(args: Value) -> Finished {
    let args = read::<i32, T>(&args)?.ok_or("no arguments")?;
    let ctx = RunContext::detached(42);
    T::check(&ctx, &*args).get().await?;
    match T::call((), ctx, args) {
        Running::Done(finished) => finished,
        Running::Future(future) => future.await,
        Running::Blocking(body) => tokio::task::spawn_blocking(body).await.map_err(BoxError::from)?,
    }
}

async fn json<T: TypedTool<i32>>(args: Value) -> String {
    call::<T>(args).await.expect("a result").value.to_json().text().to_owned()
}

fn definition<T: TypedTool<i32>>() -> ToolDefinition {
    Tool::typed::<T>().definition().clone()
}

/// Answers the ultimate question.
#[tool(prepare = only_if_42, retries = 2)]
async fn hitchhiker(
    ctx: &RunContext<i32>,
    /// The answer, in words.
    answer: String,
) -> String {
    format!("{} {answer}", ctx.deps())
}

async fn only_if_42(ctx: RunContext<i32>, tool: ToolDefinition) -> Option<ToolDefinition> {
    (*ctx.deps() == 42).then_some(tool)
}

#[tokio::test]
async fn an_annotated_function_is_a_tool_and_a_function() {
    assert_eq!(hitchhiker(&RunContext::detached(1), "x".to_owned()).await, "1 x");
    assert_eq!(json::<hitchhiker>(json!({"answer": "x"})).await, r#""42 x""#);
    let tool = Tool::typed::<hitchhiker>();
    assert_eq!(tool.name(), "hitchhiker");
    assert_eq!(tool.definition().description(), Some("Answers the ultimate question."));
    assert_eq!(tool.inner().max_retries, Some(2));
    let prepare = tool.inner().prepare.as_ref().expect("prepare");
    for (deps, seen) in [(42, true), (41, false)] {
        let prepared = prepare(&RunContext::detached(deps), tool.definition().clone()).get().await.expect("prepared");
        assert_eq!(prepared.is_some(), seen);
    }
}

const PATIENCE: Duration = Duration::from_millis(1500);

#[tool(
    name = "look.up",
    description = "Looks it up.",
    timeout = PATIENCE,
    strict,
    sequential,
    requires_approval,
    defer_loading,
    metadata = {"team": "search", "level": 1 + 1},
    lenient = false,
    inline,
    type = Lookup
)]
/// Not this.
fn look_up() {}

#[tool(timeout = 2.5, strict = false, metadata = json!([1]))]
fn other() {}

#[test]
fn options_become_the_definition() {
    let tool = definition::<Lookup>();
    assert_eq!(tool.name(), "look.up");
    assert_eq!(tool.description(), Some("Looks it up."));
    assert_eq!(tool.timeout(), Some(PATIENCE));
    assert_eq!(tool.strict(), Some(true));
    assert!(tool.sequential() && tool.defer_loading());
    assert_eq!(tool.kind(), CallKind::Unapproved);
    assert_eq!(tool.metadata().map(|m| Value::Object(m.clone())), Some(json!({"team": "search", "level": 2})));
    let plain = definition::<other>();
    assert_eq!((plain.timeout(), plain.strict()), (Some(Duration::from_millis(2500)), Some(false)));
    assert_eq!(plain.metadata().map(|m| Value::Object(m.clone())), Some(json!({"value": [1]})));
}

mod results {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("broken")]
    struct Broken;

    type Alias<T> = Result<T, Broken>;

    #[tool]
    fn unit() {}
    #[tool]
    async fn error() -> Alias<i32> {
        Err(Broken)
    }
    #[tool]
    fn boxed() -> Result<i32, Box<dyn std::error::Error + Send + Sync>> {
        Err(ModelRetry::new("again").into())
    }
    #[tool]
    fn rich() -> ToolReturn<i32> {
        ToolReturn::new(1).metadata(json!({"a": 1}))
    }
    #[tool]
    fn rich_or_not() -> Alias<ToolReturn<Vec<i32>>> {
        Ok(ToolReturn::new(vec![1]))
    }
    #[tool]
    fn bare() -> ToolReturn {
        json!("done").into()
    }
    #[tool]
    async fn image() -> ImageUrl {
        ImageUrl::new("https://a/b.png")
    }
    #[tool]
    fn files() -> Vec<File> {
        vec![BinaryContent::new(b"a".as_slice(), "image/png").into()]
    }
    #[tool]
    fn hidden() -> impl Serialize {
        [1, 2]
    }
    #[tool]
    fn optional() -> Option<i32> {
        None
    }
    #[tool]
    fn stringly() -> Result<(), String> {
        Err("no".to_owned())
    }

    #[tokio::test]
    async fn whatever_a_function_returns_is_a_result() {
        assert_eq!(json::<unit>(json!({})).await, "null");
        assert_eq!(json::<rich_or_not>(json!({})).await, "[1]");
        assert_eq!(json::<hidden>(json!({})).await, "[1,2]");
        assert_eq!(json::<optional>(json!({})).await, "null");
        assert_eq!(json::<bare>(json!({})).await, r#""done""#);
        let rich = call::<rich>(json!({})).await.expect("a result");
        assert_eq!(rich.metadata.map(Value::Object), Some(json!({"a": 1})));
        assert!(matches!(call::<image>(json!({})).await.expect("a result").value, ToolContent::File(_)));
        assert!(matches!(call::<files>(json!({})).await.expect("a result").value, ToolContent::List(_)));
    }

    #[tokio::test]
    async fn errors_keep_their_type() {
        assert!(call::<error>(json!({})).await.expect_err("an error").is::<Broken>());
        assert!(call::<boxed>(json!({})).await.expect_err("an error").is::<ModelRetry>());
        assert_eq!(call::<stringly>(json!({})).await.expect_err("an error").to_string(), "no");
    }
}

#[derive(Deserialize, Serialize, schemars::JsonSchema)]
enum Unit {
    Celsius,
    Fahrenheit,
}

/// Somewhere.
///
/// # Arguments
///
/// * `city` - where,
///   exactly
/// * `days`: how far ahead
#[tool]
#[allow(clippy::too_many_arguments, reason = "one parameter for each form")]
fn forecast(
    city: String,
    #[arg(default = 3, description = "How many days.")] days: u8,
    #[arg(default = "metric")] system: String,
    #[arg(default)] tags: Vec<String>,
    #[arg(rename = "unit")] r#type: Option<Unit>,
    #[schemars(range(min = 1, max = 9))]
    #[serde(deserialize_with = "doubled")]
    #[arg(default = 4)]
    size: i64,
    _unused: Option<bool>,
) -> String {
    format!("{city} {days} {system} {} {} {size}", tags.len(), r#type.is_some())
}

fn doubled<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<i64, D::Error> {
    i64::deserialize(deserializer).map(|number| number * 2)
}

#[tokio::test]
async fn parameters_are_read_by_their_attributes() {
    assert_eq!(json::<forecast>(json!({"city": "Oslo"})).await, r#""Oslo 3 metric 0 false 4""#);
    let all = json!({"city": "Oslo", "days": 1, "system": "s", "tags": ["a"], "unit": "Celsius", "size": 3});
    assert_eq!(json::<forecast>(all).await, r#""Oslo 1 s 1 true 6""#);
    let schema = definition::<forecast>().parameters().clone();
    assert_eq!(schema["required"], json!(["city"]));
    assert_eq!(schema["properties"]["size"], json!({"type": "integer", "minimum": 1, "maximum": 9, "default": 4}));
    assert_eq!(definition::<forecast>().description(), Some("Somewhere."));
}

#[test]
fn every_parameter_is_looked_at_before_giving_up() {
    let Err(error) = read::<i32, forecast>(&json!({"city": 1, "days": "x"})) else { panic!("no error") };
    assert_eq!(error.errors().len(), 2);
}

trait HasName: Send + Sync + 'static {
    fn name(&self) -> String;
}

impl HasName for i32 {
    fn name(&self) -> String {
        format!("number {self}")
    }
}

mod generic {
    use super::*;

    #[tool]
    async fn of_deps<D: HasName>(prefix: String, ctx: RunContext<D>) -> String {
        prefix + &ctx.deps().name()
    }

    #[tool]
    fn of_values<T, const N: usize>(value: T, #[arg(default)] other: T) -> Vec<T>
    where
        T: Serialize + Clone + Default,
    {
        let mut values = vec![value; N];
        values.push(other);
        values
    }

    #[tool(inline)]
    fn of_lifetimes<'a>(ctx: &'a RunContext<i32>, _text: std::borrow::Cow<'a, str>) -> &'a i32 {
        ctx.deps()
    }

    type Ctx<D> = RunContext<D>;

    #[tool]
    fn of_alias<D: HasName>(#[ctx] ctx: &Ctx<D>) -> String {
        ctx.deps().name()
    }

    #[tokio::test]
    async fn tools_are_generic_where_functions_are() {
        assert_eq!(json::<of_deps<i32>>(json!({"prefix": "a "})).await, r#""a number 42""#);
        assert_eq!(json::<of_values<u8, 2>>(json!({"value": 1})).await, "[1,1,0]");
        assert_eq!(json::<of_lifetimes>(json!({"_text": "x"})).await, "42");
        assert_eq!(json::<of_alias<i32>>(json!({})).await, r#""number 42""#);
        let tools: Vec<Tool<i32>> = tools![of_deps::<i32>, of_values::<String, 1>, hitchhiker];
        assert_eq!(tools.len(), 3);
    }
}

mod validated {
    use super::*;

    #[tool(args_validator = ordered)]
    pub(super) fn range(from: i64, to: i64) -> i64 {
        to - from
    }

    fn ordered<D>(_: &RunContext<D>, from: &i64, to: &i64) -> Result<(), ModelRetry> {
        if from <= to { Ok(()) } else { Err(ModelRetry::new("from must not be after to")) }
    }

    #[tool(args_validator = allowed, prepare = shown, deps = i32)]
    async fn limited(amount: i32) -> i32 {
        amount
    }

    async fn allowed(ctx: RunContext<i32>, amount: i32) -> Result<(), String> {
        if amount <= *ctx.deps() { Ok(()) } else { Err("too much".to_owned()) }
    }

    fn shown(_: &RunContext<i32>, tool: ToolDefinition) -> ToolDefinition {
        tool
    }

    #[tokio::test]
    async fn validators_see_the_arguments_first() {
        assert_eq!(json::<range>(json!({"from": 1, "to": 3})).await, "2");
        assert!(call::<range>(json!({"from": 3, "to": 1})).await.expect_err("refused").is::<ModelRetry>());
        assert_eq!(json::<limited>(json!({"amount": 42})).await, "42");
        assert_eq!(call::<limited>(json!({"amount": 43})).await.expect_err("refused").to_string(), "too much");
    }
}

mod hooks {
    use super::*;
    use crate::{prepare_output_tools, prepare_tools};

    #[prepare_tools]
    fn by_reference(_: &RunContext<i32>, tools: Vec<ToolDefinition>) -> Vec<ToolDefinition> {
        tools
    }

    #[prepare_tools]
    async fn later(_: RunContext<i32>, tools: Vec<ToolDefinition>) -> Result<Option<Vec<ToolDefinition>>, String> {
        Ok(Some(tools))
    }

    #[prepare_output_tools]
    fn any<D: HasName>(_: RunContext<D>, tools: Vec<ToolDefinition>) -> Option<Vec<ToolDefinition>> {
        Some(tools)
    }

    fn hook<Form>(_: impl crate::prepare::ToolsPrepare<i32, Form>) {}

    #[test]
    fn hooks_are_taken_as_they_are() {
        hook(by_reference);
        hook(later);
        hook(any::<i32>);
    }
}

#[test]
fn plain_functions_want_a_thread_unless_they_are_inline() {
    let running = |running: Running| match running {
        Running::Done(_) => "done",
        Running::Future(_) => "future",
        Running::Blocking(_) => "blocking",
    };
    let ctx = || RunContext::detached(42);
    assert_eq!(running(<other as TypedTool<i32>>::call((), ctx(), hide(()))), "blocking");
    assert_eq!(running(<Lookup as TypedTool<i32>>::call((), ctx(), hide(()))), "done");
    assert_eq!(running(<hitchhiker as TypedTool<i32>>::call((), ctx(), hide(("x".to_owned(),)))), "future");
    assert!(matches!(<other as TypedTool<i32>>::check(&ctx(), &()), Later::Now(Ok(()))));
}

#[tokio::test]
async fn arguments_of_another_tool_are_an_error() {
    let ctx = || RunContext::detached(42);
    let running =
        [<Lookup as TypedTool<i32>>::call((), ctx(), hide(1)), <other as TypedTool<i32>>::call((), ctx(), hide(1))];
    for running in running.into_iter().chain([hitchhiker::call((), ctx(), hide(1))]) {
        let Running::Done(Err(error)) = running else { panic!("it ran") };
        assert_eq!(error.to_string(), "the arguments were read by another tool");
    }
    assert!(validated::range::check(&ctx(), &1).get().await.is_err());
}

#[test]
fn tools_can_be_local_to_a_function() {
    #[derive(Deserialize, schemars::JsonSchema)]
    struct Point {
        x: i64,
    }

    #[tool]
    fn local(point: Point) -> i64 {
        point.x
    }

    assert_eq!(Tool::<()>::typed::<local>().name(), "local");
}
