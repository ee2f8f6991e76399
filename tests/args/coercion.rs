//! Which JSON values an argument of which type takes (specification: decision 17): ours are the reference's answers, but
//! for what is named here.

use std::collections::HashMap;

use chrono::{DateTime, NaiveDate, Utc};
use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use toolwright::message::{Arguments, ModelResponse, Outcome, RequestPart, ResponsePart, ToolCallPart};
use toolwright::model::{FunctionModel, ModelInput};
use toolwright::tool::TypedTool;
use toolwright::{Agent, Tool, tool};
use uuid::Uuid;

/// A value, and what the reference makes of it for an argument of that type.
#[derive(Deserialize)]
struct Pair {
    r#type: String,
    json: String,
    accepted: Option<String>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Color {
    Red,
    Green,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct P {
    x: i64,
    y: Option<String>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Either {
    Number(i64),
    Text(String),
}

/// Says it again.
#[tool(inline)]
fn integer(value: i64) -> i64 {
    value
}

/// Says it again.
#[tool(inline)]
fn number(value: f64) -> f64 {
    value
}

/// Says it again.
#[tool(inline)]
fn flag(value: bool) -> bool {
    value
}

/// Says it again.
#[tool(inline)]
fn text(value: String) -> String {
    value
}

/// Says it again.
#[tool(inline)]
fn option(value: Option<i64>) -> Option<i64> {
    value
}

/// Says it again.
#[tool(inline)]
fn list(value: Vec<i64>) -> Vec<i64> {
    value
}

/// Says it again.
#[tool(inline)]
fn map(value: HashMap<String, i64>) -> HashMap<String, i64> {
    value
}

/// Says it again.
#[tool(inline)]
fn color(value: Color) -> Color {
    value
}

/// Says it again.
#[tool(inline)]
fn pair_of(value: (i64, String)) -> (i64, String) {
    value
}

/// Says it again.
#[tool(inline)]
fn record(#[arg(nested)] value: P) -> P {
    value
}

/// Says it again.
#[tool(inline)]
fn records(value: Vec<P>) -> Vec<P> {
    value
}

/// Says it again.
#[tool(inline)]
fn date(value: NaiveDate) -> NaiveDate {
    value
}

/// Says it again.
#[tool(inline)]
fn moment(value: DateTime<Utc>) -> DateTime<Utc> {
    value
}

/// Says it again.
#[tool(inline)]
fn id(value: Uuid) -> Uuid {
    value
}

/// Says it again.
#[tool(inline)]
fn decimal(value: Decimal) -> Decimal {
    value
}

/// Says it again.
#[tool(inline)]
fn either(value: Either) -> Either {
    value
}

/// Says it again; its arguments are the record.
#[tool(inline)]
fn whole_record(value: P) -> P {
    value
}

/// Where the reference is more lenient than we are.
#[derive(Clone, Copy)]
enum Differs {
    Nowhere,
    /// No number from a bool, and none with `_` in it.
    Numbers,
    /// No bool from `yes` and `no`.
    Bools,
    /// No number from a bool; a text is a text.
    Alternatives,
    /// A type of another crate reads what that crate reads.
    Foreign,
}

impl Differs {
    fn refuses(self, json: &str) -> bool {
        match self {
            Self::Numbers => matches!(json, "true" | "false") || json.contains('_'),
            Self::Bools => matches!(json, "\"yes\"" | "\"no\""),
            Self::Alternatives => matches!(json, "true" | "false"),
            Self::Nowhere | Self::Foreign => false,
        }
    }
}

/// What a tool answers to a call with these arguments; `None` if it refuses them.
fn answer<T: TypedTool<()>>(args: &str) -> Option<Value> {
    let args = args.to_owned();
    let model = FunctionModel::new(move |input: &ModelInput| match input.history.len() {
        1 => {
            let name = input.function_tools[0].name();
            let call = ToolCallPart::new(name, Arguments::from_text(args.as_str())).with_id("1");
            ModelResponse::new(vec![ResponsePart::ToolCall(call)])
        }
        _ => ModelResponse::text("done"),
    });
    let agent = Agent::<()>::builder(model).tool(Tool::typed::<T>()).build().expect("an agent");
    let result = agent.run("Go.").run_blocking().expect("a run that ends");
    let mut answers = result.history().request_parts().filter_map(|part| match part {
        RequestPart::ToolReturn(part) => Some(part),
        _ => None,
    });
    let answer = answers.next().expect("an answer");
    match answer.outcome {
        Outcome::Success => Some(answer.content.to_json().to_value()),
        Outcome::Retried => None,
        other => unreachable!("{other:?}"),
    }
}

fn own_crate_s<T: DeserializeOwned + Serialize>(json: &str) -> Option<Value> {
    serde_json::from_str::<T>(json).ok().map(|value| serde_json::to_value(value).expect("JSON"))
}

/// Calls the tool `F`, whose argument is a `T`.
fn check<F: TypedTool<()>, T: DeserializeOwned + Serialize>(pair: &Pair, differs: Differs) {
    let accepted = pair.accepted.as_ref().map(|text| serde_json::from_str(text).expect("JSON"));
    let right: Option<Value> = match differs {
        Differs::Foreign => own_crate_s::<T>(&pair.json),
        _ if differs.refuses(&pair.json) => None,
        _ => accepted,
    };
    let args = format!(r#"{{"value": {}}}"#, pair.json);
    assert_eq!(answer::<F>(&args), right, "{} from {}", pair.r#type, pair.json);
}

#[test]
fn every_pair_is_read_as_decided() {
    let pairs: Vec<Pair> = serde_json::from_str(include_str!("../data/coercion.json")).expect("pairs");
    assert_eq!(pairs.len(), 784);
    for pair in &pairs {
        match pair.r#type.as_str() {
            "i64" => check::<integer, i64>(pair, Differs::Numbers),
            "f64" => check::<number, f64>(pair, Differs::Numbers),
            "bool" => check::<flag, bool>(pair, Differs::Bools),
            "String" => check::<text, String>(pair, Differs::Nowhere),
            "Option<i64>" => check::<option, Option<i64>>(pair, Differs::Numbers),
            "Vec<i64>" => check::<list, Vec<i64>>(pair, Differs::Nowhere),
            "HashMap<String, i64>" => check::<map, HashMap<String, i64>>(pair, Differs::Nowhere),
            "enum Color { red, green }" => check::<color, Color>(pair, Differs::Nowhere),
            "(i64, String)" => check::<pair_of, (i64, String)>(pair, Differs::Nowhere),
            "struct P { x: i64, y: Option<String> }" => {
                check::<record, P>(pair, Differs::Nowhere);
                assert_eq!(answer::<whole_record>(&pair.json).is_some(), pair.accepted.is_some(), "{}", pair.json);
            }
            "Vec<P>" => check::<records, Vec<P>>(pair, Differs::Nowhere),
            "chrono::NaiveDate" => check::<date, NaiveDate>(pair, Differs::Foreign),
            "chrono::DateTime<Utc>" => check::<moment, DateTime<Utc>>(pair, Differs::Foreign),
            "uuid::Uuid" => check::<id, Uuid>(pair, Differs::Foreign),
            "rust_decimal::Decimal" => check::<decimal, Decimal>(pair, Differs::Foreign),
            "untagged i64 | String" => check::<either, Either>(pair, Differs::Alternatives),
            other => unreachable!("a type that is not tested: {other}"),
        }
    }
}
