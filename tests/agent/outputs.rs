//! Outputs that functions make, files that the model makes, and enums of several.

use std::error::Error as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use toolwright::error::BoxError;
use toolwright::message::{FilePart, Message, ModelResponse, Outcome, ResponsePart, TextPart, ToolCallPart};
use toolwright::model::{FunctionModel, Model, ModelInput, RequestCache, TestModel};
use toolwright::{
    Agent, AgentBuilder, AgentOutput, BinaryContent, EndStrategy, ErrorKind, Event, History, MaybeDeferred, ModelRetry,
    NoContext, OutputMode, OutputSpec, OutputTool, RunContext, ToolFailed,
};

use crate::support::{answers, calls, done, echo, returns, said, script, tool};

/// Where to go.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
struct Trip {
    to: String,
}

#[derive(Clone, Debug, PartialEq)]
struct Booking(String);

fn trip(id: &str, to: &str) -> ModelResponse {
    ModelResponse::new(vec![ToolCallPart::new("final_result", json!({"to": to})).with_id(id).into()])
}

/// Books with what the agent has, unless it is the Moon or the Sun.
async fn book(ctx: RunContext<String>, trip: Trip) -> Result<Booking, BoxError> {
    tokio::task::yield_now().await;
    match trip.to.as_str() {
        "Moon" => Err(ModelRetry::new("Nearer.").into()),
        "Sun" => Err("too hot".into()),
        "Mars" => Err(ToolFailed::new("Closed.").into()),
        to => Ok(Booking(format!("{to} by {}", ctx.deps()))),
    }
}

fn booking<C>(spec: OutputSpec<Booking, C>, responses: Vec<ModelResponse>) -> AgentBuilder<String, Booking>
where
    C: toolwright::FromContext<RunContext<String>>,
{
    Agent::<String>::builder(script(responses)).output(spec)
}

#[tokio::test]
async fn a_function_makes_the_output_of_what_the_model_gave() {
    fn plain(trip: Trip) -> Result<Booking, ModelRetry> {
        Ok(Booking(trip.to))
    }
    async fn waits(trip: Trip) -> Result<Booking, ModelRetry> {
        tokio::task::yield_now().await;
        Ok(Booking(trip.to))
    }
    fn with_context(ctx: &RunContext<String>, trip: Trip) -> Result<Booking, ModelRetry> {
        assert_eq!((ctx.tool_name(), ctx.tool_call_id()), (Some("final_result"), Some("t")));
        Ok(Booking(format!("{} by {}", trip.to, ctx.deps())))
    }
    let go = async |agent: AgentBuilder<String, Booking>| {
        let result = agent.build().expect("agent").run("Go.").deps("train".to_owned()).await.expect("run");
        result.into_output().0
    };
    let rome = || vec![trip("t", "Rome")];
    assert_eq!(go(booking(OutputSpec::function(plain), rome())).await, "Rome");
    assert_eq!(go(booking(OutputSpec::function(waits), rome())).await, "Rome");
    assert_eq!(go(booking(OutputSpec::function(with_context), rome())).await, "Rome by train");
    assert_eq!(go(booking(OutputSpec::function(book), rome())).await, "Rome by train");
    let closure = |ctx: RunContext<String>, trip: Trip| Ok::<_, BoxError>(Booking(trip.to + ctx.deps()));
    assert_eq!(go(booking(OutputSpec::function(closure), rome())).await, "Rometrain");
    let mapped = OutputTool::function(book).map(|booking| Booking(booking.0.to_uppercase()));
    assert_eq!(go(booking(OutputSpec::tool(mapped), rome())).await, "ROME BY TRAIN");
}

#[tokio::test]
async fn the_tool_takes_what_the_function_takes() {
    let model = TestModel::new();
    let spec = OutputSpec::tool(OutputTool::function(book).with_strict(true))
        .or_tool(OutputTool::function(|number: u32| Ok::<_, ModelRetry>(Booking(number.to_string()))).named("number"));
    let agent = Agent::<String>::builder(model.clone()).output(spec).build().expect("agent");
    agent.run("Go.").deps("train".to_owned()).await.expect("run");
    let tools = model.last_input().expect("it was asked").output_tools;
    assert_eq!((tools[0].name(), tools[0].description()), ("final_result_Trip", Some("Where to go.")));
    assert_eq!((tools[0].strict(), &tools[0].parameters()["required"]), (Some(true), &json!(["to"])));
    assert_eq!((tools[1].name(), &tools[1].parameters()["required"]), ("number", &json!(["response"])));
}

#[tokio::test]
async fn a_function_can_ask_again_or_fail() {
    let agent = booking(OutputSpec::function(book), vec![trip("a", "Moon"), trip("b", "Rome")]).build().expect("agent");
    let result = agent.run("Go.").deps("train".to_owned()).await.expect("run");
    assert_eq!(result.output().0, "Rome by train");
    assert_eq!(answers(result.history())[0], ("a".to_owned(), Outcome::Retried));
    assert_eq!(said(&returns(result.history())[0].content), "Nearer.");

    for (to, why) in [("Sun", "too hot"), ("Mars", "Closed.")] {
        let agent = booking(OutputSpec::function(book), vec![trip("a", to)]).build().expect("agent");
        let error = agent.run("Go.").deps(String::new()).await.expect_err("it fails");
        assert_eq!((error.kind(), error.to_string().as_str()), (ErrorKind::Tool, "output tool `final_result` failed"));
        assert_eq!(error.source().map(ToString::to_string).as_deref(), Some(why));
    }
}

#[tokio::test]
async fn a_functions_context_tells_of_the_tools_budget() {
    let seen = Arc::new(AtomicUsize::new(0));
    let count = seen.clone();
    let counted = move |ctx: &RunContext<()>, number: u32| {
        assert_eq!((ctx.retry(), ctx.max_retries()), (number, 3));
        count.fetch_add(1, Ordering::Relaxed);
        if ctx.last_attempt() { Ok(number) } else { Err(ModelRetry::new("More.")) }
    };
    let next = AtomicUsize::new(0);
    let model = FunctionModel::new(move |_: &ModelInput| {
        let number = next.fetch_add(1, Ordering::Relaxed);
        ModelResponse::new(vec![ToolCallPart::new("final_result", json!({"response": number})).into()])
    });
    let spec = OutputSpec::tool(OutputTool::function(counted).with_retries(3));
    let agent = Agent::<()>::builder(model).output(spec).build().expect("agent");
    assert_eq!(agent.run("Go.").await.expect("run").into_output(), 3);
    assert_eq!(seen.load(Ordering::Relaxed), 4);
}

#[tokio::test]
async fn a_function_may_make_an_output_of_a_text_too() {
    async fn number(ctx: RunContext<u32>, text: String) -> Result<u32, ModelRetry> {
        assert_eq!(ctx.max_retries(), 1);
        text.parse::<u32>().map(|number| number + ctx.deps()).map_err(|_| ModelRetry::new("In digits."))
    }
    let agent = |texts: &[&str], spec: OutputSpec<u32, RunContext<u32>>| {
        let responses = texts.iter().map(|text| ModelResponse::text(*text)).collect();
        Agent::<u32>::builder(script(responses)).output(spec).build().expect("agent")
    };
    let result = agent(&["one", "1"], OutputSpec::text_fn(number)).run("Go.").deps(41).await.expect("run");
    assert_eq!(result.output(), &42);
    assert!(result.history().to_json().contains("In digits."));
    let beside = OutputSpec::<u32>::of().or_text_fn(number);
    assert_eq!(agent(&["2"], beside).run("Go.").deps(40).await.expect("run").into_output(), 42);
    let error = agent(&["one"], OutputSpec::text_fn(number)).run("Go.").deps(1).await.expect_err("never digits");
    assert_eq!(error.kind(), ErrorKind::ModelBehavior);
    let broken = OutputSpec::text_fn(|_: &RunContext<u32>, _: String| Err::<u32, _>(ToolFailed::new("No.")));
    let error = agent(&["one"], broken).run("Go.").deps(1).await.expect_err("it fails");
    assert_eq!((error.kind(), error.to_string().as_str()), (ErrorKind::Tool, "the agent's text output failed"));
}

#[tokio::test(start_paused = true)]
async fn a_function_that_waits_is_stopped_with_its_run() {
    async fn forever(trip: Trip) -> Result<Booking, ModelRetry> {
        std::future::pending::<()>().await;
        Ok(Booking(trip.to))
    }
    let agent = booking(OutputSpec::function(forever), vec![trip("a", "Rome")]).build().expect("agent");
    let error =
        agent.run("Go.").deps(String::new()).deadline(Duration::from_secs(1)).await.expect_err("its time is up");
    assert_eq!(error.kind(), ErrorKind::Cancelled);
    assert_eq!(error.history().expect("history").len(), 3, "the call is marked as interrupted");
}

#[tokio::test]
async fn with_exhaustive_every_function_runs_and_the_first_output_counts() {
    let ran = Arc::new(AtomicUsize::new(0));
    let count = ran.clone();
    let spec = OutputSpec::function(move |trip: Trip| {
        let count = count.clone();
        async move {
            tokio::task::yield_now().await;
            count.fetch_add(1, Ordering::Relaxed);
            if trip.to == "Moon" { Err(ModelRetry::new("Nearer.")) } else { Ok(Booking(trip.to)) }
        }
    });
    let mut response = trip("a", "Moon");
    response.parts.extend(trip("b", "Rome").parts);
    response.parts.extend(trip("c", "Oslo").parts);
    let agent = booking(spec, vec![response]).end_strategy(EndStrategy::Exhaustive).retries(0).build().expect("agent");
    let result = agent.run("Go.").deps(String::new()).await.expect("run");
    assert_eq!((result.output().0.as_str(), ran.load(Ordering::Relaxed)), ("Rome", 3));
    let texts: Vec<_> = returns(result.history()).iter().map(|part| said(&part.content)).collect();
    assert!(texts[0].starts_with("Not used") && texts[2].starts_with("Processed, but"), "{texts:?}");
}

fn image() -> BinaryContent {
    BinaryContent::new(*b"png", "image/png")
}

fn drawn(text: &str, file: BinaryContent) -> ModelResponse {
    ModelResponse::new(vec![ResponsePart::Text(TextPart::new(text)), FilePart::new(file).into()])
}

#[derive(Debug, PartialEq)]
enum Seen {
    Text(String),
    File(BinaryContent),
}

fn seen(responses: Vec<ModelResponse>) -> AgentBuilder<(), Seen> {
    let spec = OutputSpec::<BinaryContent>::image();
    let _: &OutputSpec<BinaryContent, NoContext> = &spec;
    let either = OutputSpec::text_fn(|text: String| Ok::<_, ModelRetry>(Seen::Text(text))).or_image(Seen::File);
    Agent::<()>::builder(script(responses)).output(either)
}

#[tokio::test]
async fn an_image_comes_before_the_text_beside_it() {
    let result = seen(vec![drawn("Here:", image())]).build().expect("agent").run("Draw.").await.expect("run");
    assert_eq!(result.output(), &Seen::File(image()));
    // A file of another sort is no image.
    let pdf = BinaryContent::new(*b"pdf", "application/pdf");
    let result = seen(vec![drawn("Here:", pdf.clone())]).build().expect("agent").run("Draw.").await.expect("run");
    assert_eq!(result.output(), &Seen::Text("Here:".to_owned()));
    let agent = Agent::<()>::builder(script(vec![drawn("Here:", pdf.clone())])).output(OutputSpec::file());
    assert_eq!(agent.build().expect("agent").run("Draw.").await.expect("run").into_output(), pdf);
}

#[tokio::test]
async fn a_response_without_a_file_is_asked_for_one() {
    let agent = Agent::<()>::builder(script(vec![done(), drawn("", image())])).output(OutputSpec::image());
    let result = agent.build().expect("agent").run("Draw.").await.expect("run");
    assert_eq!((result.output(), result.usage().requests), (&image(), 2));
    assert!(result.history().to_json().contains("answer with an image"));
}

#[tokio::test]
async fn with_early_an_image_comes_before_calls_of_plain_tools() {
    let with_call = || {
        let mut response = drawn("", image());
        response.parts.extend(calls(&[("look", "l")]).parts);
        response
    };
    let run = async |strategy| {
        let agent = seen(vec![with_call(), done()]).tool(echo("look")).end_strategy(strategy).build().expect("agent");
        let result = agent.run("Go.").await.expect("run");
        (result.usage().tool_calls, result.into_output())
    };
    assert_eq!(run(EndStrategy::Early).await, (0, Seen::File(image())));
    for strategy in [EndStrategy::Graceful, EndStrategy::Exhaustive] {
        assert_eq!(run(strategy).await, (1, Seen::Text("done".to_owned())), "{strategy:?}");
    }
}

#[tokio::test]
async fn files_are_looked_at_by_validators_told_of_and_stored() {
    let agent = seen(vec![drawn("Here:", image()), done()])
        .output_validator(|_: &RunContext<()>, seen: Seen| match seen {
            Seen::File(_) => Err(ModelRetry::new("In words.")),
            text => Ok(text),
        })
        .build()
        .expect("agent");
    let mut finals = 0;
    let mut run = agent.run("Draw.").stream();
    while let Some(event) = run.next().await {
        finals += usize::from(matches!(event, Event::FinalResult { .. }));
    }
    let result = run.finish().await.expect("run");
    assert_eq!((result.output(), finals), (&Seen::Text("done".to_owned()), 2));
    let stored = result.history().to_json();
    let loaded = History::from_json(&stored).expect("a history");
    assert_eq!(loaded.to_json(), stored);
    let files: Vec<_> =
        loaded.iter().filter_map(|message| Some(response(message)?.files().cloned().collect::<Vec<_>>())).collect();
    assert_eq!(files, [vec![image()], vec![]]);
}

fn response(message: &Message) -> Option<&ModelResponse> {
    match message {
        Message::Response(response) => Some(response),
        _ => None,
    }
}

#[test]
fn a_stored_file_of_a_form_that_is_not_known_is_kept() {
    let stored = json!([{"kind": "response", "parts": [
        {"part_kind": "file", "content": {"kind": "hologram", "rays": [1]}, "id": "f"}
    ]}]);
    let history = History::from_json(&stored.to_string()).expect("a history");
    let response = history.iter().next().and_then(response).expect("a response");
    assert!(matches!(response.parts.as_slice(), [ResponsePart::Unknown(_)]) && response.files().next().is_none());
    assert!(history.to_json().contains(r#""rays":[1]"#));
}

#[tokio::test]
async fn a_model_that_makes_no_files_is_misuse() {
    struct Words;
    impl Model for Words {
        fn name(&self) -> &str {
            "words"
        }

        fn system(&self) -> &str {
            "test"
        }

        async fn request(&self, _: &ModelInput, _: &mut RequestCache) -> toolwright::Result<ModelResponse> {
            Ok(done())
        }
    }
    let agent = Agent::<()>::builder(Words).output(OutputSpec::image()).build().expect("agent");
    let error = agent.run("Draw.").await.expect_err("it cannot");
    assert_eq!(error.kind(), ErrorKind::Misuse);
    assert!(error.to_string().contains("`words`") && error.to_string().contains("an image"), "{error}");
}

#[tokio::test]
async fn the_test_model_draws_where_nothing_else_is_wanted() {
    let agent = Agent::<()>::builder(TestModel::new()).output_of::<BinaryContent>().build().expect("agent");
    let file = agent.run("Draw.").await.expect("run").into_output();
    assert!(file.data.starts_with(b"GIF89a") && file.media_type == "image/gif");
}

/// What the agent says.
#[derive(Debug, PartialEq, AgentOutput)]
enum Reply {
    Trip(Trip),
    /// How many.
    #[output(name = "count", retries = 0)]
    Count(u32),
    /// Order some.
    #[output(strict)]
    Order {
        /// How many.
        pieces: u32,
        by_air: Option<bool>,
        /// Whereto; the only struct here, and a property all the same.
        trip: Trip,
    },
    /// Give up.
    #[output(description = "Ends it all.")]
    Nothing,
    #[text]
    Text(Box<str>),
    #[image]
    Picture(BinaryContent),
}

fn replies(responses: Vec<ModelResponse>) -> AgentBuilder<(), Reply> {
    Agent::<()>::builder(script(responses)).output_of::<Reply>()
}

fn called(name: &str, args: serde_json::Value) -> ModelResponse {
    ModelResponse::new(vec![ToolCallPart::new(name, args).with_id("c").into()])
}

#[tokio::test]
async fn each_variant_is_one_way_to_end() {
    let rome = || Trip { to: "Rome".to_owned() };
    let order = Reply::Order { pieces: 2, by_air: None, trip: rome() };
    for (response, expected) in [
        (called("final_result_Trip", json!({"to": "Rome"})), Reply::Trip(rome())),
        (called("count", json!({"response": "3"})), Reply::Count(3)),
        (called("final_result_Order", json!({"pieces": 2, "trip": {"to": "Rome"}})), order),
        (called("final_result_Nothing", json!({})), Reply::Nothing),
        (done(), Reply::Text("done".into())),
        (drawn("", image()), Reply::Picture(image())),
    ] {
        let agent = replies(vec![response]).build().expect("agent");
        assert_eq!(agent.run("Go.").await.expect("run").into_output(), expected);
    }
}

#[tokio::test]
async fn the_model_is_told_what_the_variants_say() {
    let model = TestModel::new();
    let agent = Agent::<()>::builder(model.clone()).output_of::<Reply>().build().expect("agent");
    agent.run("Go.").await.expect("run");
    let input = model.last_input().expect("it was asked");
    let tools: Vec<_> =
        input.output_tools.iter().map(|tool| (tool.name(), tool.description().unwrap_or_default())).collect();
    assert_eq!(
        tools,
        [
            ("final_result_Trip", "Where to go."),
            ("count", "How many."),
            ("final_result_Order", "Order some."),
            ("final_result_Nothing", "Ends it all."),
        ]
    );
    assert!(input.allow_text && input.allow_files);
    let order = &input.output_tools[2];
    assert_eq!((order.strict(), input.output_tools[0].strict()), (Some(true), None));
    assert_eq!(order.parameters()["required"], json!(["pieces", "trip"]));
    assert_eq!(order.parameters()["properties"]["pieces"]["description"], "How many.");
}

#[tokio::test]
async fn what_does_not_fit_a_variant_is_told_field_by_field() {
    let wrong = called("final_result_Order", json!({"pieces": "many", "trip": 1, "by_air": true}));
    let agent = replies(vec![wrong, done()]).build().expect("agent");
    let result = agent.run("Go.").await.expect("run");
    let told = returns(result.history())[0].content.to_json().to_value();
    let places: Vec<_> = told.as_array().expect("a list").iter().map(|error| error["loc"].clone()).collect();
    assert_eq!(places, [json!(["pieces"]), json!(["trip"])], "{told}");
    // Its own budget is none.
    let agent = replies(vec![called("count", json!({"response": "many"}))]).build().expect("agent");
    assert_eq!(agent.run("Go.").await.expect_err("no budget").kind(), ErrorKind::ModelBehavior);
}

#[tokio::test]
async fn an_enum_can_be_generic_validated_and_paused() {
    #[derive(Debug, PartialEq, AgentOutput)]
    enum Either<T, const N: usize> {
        Value(T),
        #[text]
        Text(String),
    }
    fn small<const N: usize>(_: &RunContext<()>, either: Either<u32, N>) -> Result<Either<u32, N>, ModelRetry> {
        match either {
            Either::Value(number) if number as usize > N => Err(ModelRetry::new("Smaller.")),
            either => Ok(either),
        }
    }
    let value = |number: u32| called("final_result", json!({"response": number}));
    let agent = Agent::<()>::builder(script(vec![calls(&[("pay", "p")]), value(20), value(7)]))
        .tool(tool("pay", |ctx: RunContext<()>| async move {
            if ctx.tool_call_approved() { Ok(json!(1)) } else { Err(toolwright::ApprovalRequired::new().into()) }
        }))
        .output_of::<Either<u32, 10>>()
        .output_validator(small)
        .allow_deferred()
        .build()
        .expect("agent");
    let paused = agent.run("Go.").await.expect("run");
    let history = paused.history().clone();
    let MaybeDeferred::Deferred(requests) = paused.into_output() else { panic!("it waits") };
    let result = agent.resume(history).results(requests.approve_all()).await.expect("run");
    assert_eq!(result.into_output(), MaybeDeferred::Done(Either::Value(7)));
}

#[tokio::test]
async fn a_value_of_an_enum_can_be_the_models_text() {
    #[derive(Debug, PartialEq, AgentOutput)]
    #[output(native)]
    enum Plan {
        #[output(name = "plan", description = "The plan.")]
        Trip(Trip),
        #[file]
        File(toolwright::File),
    }
    let model = TestModel::new().custom_output_args(json!({"to": "Rome"}));
    let agent = Agent::<()>::builder(model.clone()).output_of::<Plan>().build().expect("agent");
    let result = agent.run("Go.").await.expect("run");
    assert_eq!(result.into_output(), Plan::Trip(Trip { to: "Rome".to_owned() }));
    let format = model.last_input().and_then(|input| input.output_format).expect("a format");
    assert_eq!(
        (format.mode, &*format.name, format.description.as_deref()),
        (OutputMode::Native, "plan", Some("The plan."))
    );
    let agent = Agent::<()>::builder(script(vec![drawn("", image())])).output_of::<Plan>().build().expect("agent");
    assert_eq!(agent.run("Go.").await.expect("run").into_output(), Plan::File(image().into()));
}

#[tokio::test]
async fn an_agent_type_can_come_to_an_enum() {
    #[toolwright::agent(output = Reply, manual)]
    struct Desk;

    let model = script(vec![called("final_result_Nothing", json!({}))]);
    let agent = Desk::builder(model).build().expect("agent");
    assert_eq!(agent.run("Go.").await.expect("run").into_output(), Reply::Nothing);
}

#[tokio::test]
async fn a_type_that_can_be_read_needs_no_derive() {
    let agent = Agent::<()>::builder(script(vec![trip("t", "Rome")])).output_of::<Trip>().build().expect("agent");
    assert_eq!(agent.run("Go.").await.expect("run").output().to, "Rome");
    // A text is what the model says, by no tool.
    let model = TestModel::new();
    let agent = Agent::<()>::builder(model.clone()).output_of::<String>().build().expect("agent");
    assert_eq!(agent.run("Go.").await.expect("run").output(), "success (no tool calls)");
    assert!(model.last_input().expect("it was asked").output_tools.is_empty());
}
