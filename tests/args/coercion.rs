//! Which JSON values an argument of which type takes (specification: decision 17): ours are the reference's answers, but
//! for what is named here.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use toolwright::RunContext;
use toolwright::args::{ArgsError, ArgsReader};
use toolwright::tool::{ParamSpec, Running, ToolSpec, TypedTool, read_args};

/// A value, and what the reference makes of it for an argument of that type.
#[derive(Deserialize)]
struct Pair {
    r#type: String,
    json: String,
    accepted: Option<String>,
}

/// A tool with one argument of type `T`.
pub(crate) struct Takes<T>(T);

impl<T: DeserializeOwned + JsonSchema + Send + 'static> TypedTool<()> for Takes<T> {
    fn spec() -> ToolSpec<()> {
        ToolSpec::new("takes").param(ParamSpec::new::<T>("value").nested())
    }

    fn read(reader: &mut ArgsReader<'_>) -> Option<Box<dyn std::any::Any + Send>> {
        Some(Box::new((reader.get::<T>("value")?,)))
    }

    fn call(_: RunContext<()>, _: Box<dyn std::any::Any + Send>) -> Running {
        Running::Done(Err("nothing is called here".into()))
    }
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

fn ours<T: DeserializeOwned + Serialize + JsonSchema + Send + 'static>(json: &str) -> Result<Value, ArgsError> {
    let read = read_args::<(), Takes<T>>(&format!(r#"{{"value": {json}}}"#))?;
    let (value,) = *read.downcast::<(T,)>().expect("the tool's own arguments");
    Ok(serde_json::to_value(value).expect("JSON"))
}

fn own_crate_s<T: DeserializeOwned + Serialize>(json: &str) -> Option<Value> {
    serde_json::from_str::<T>(json).ok().map(|value| serde_json::to_value(value).expect("JSON"))
}

fn check<T: DeserializeOwned + Serialize + JsonSchema + Send + 'static>(pair: &Pair, differs: Differs) {
    let accepted = pair.accepted.as_ref().map(|text| serde_json::from_str(text).expect("JSON"));
    let right: Option<Value> = match differs {
        Differs::Foreign => own_crate_s::<T>(&pair.json),
        _ if differs.refuses(&pair.json) => None,
        _ => accepted,
    };
    let ours = ours::<T>(&pair.json);
    match &ours {
        Ok(value) => assert_eq!(Some(value), right.as_ref(), "{} from {}", pair.r#type, pair.json),
        Err(errors) => {
            assert_eq!(right, None, "{} from {}: {errors}", pair.r#type, pair.json);
            assert_eq!(errors.errors().len(), 1, "{} from {}: {errors}", pair.r#type, pair.json);
        }
    }
}

#[test]
fn every_pair_is_read_as_decided() {
    let pairs: Vec<Pair> = serde_json::from_str(include_str!("../data/coercion.json")).expect("pairs");
    assert_eq!(pairs.len(), 784);
    for pair in &pairs {
        match pair.r#type.as_str() {
            "i64" => check::<i64>(pair, Differs::Numbers),
            "f64" => check::<f64>(pair, Differs::Numbers),
            "bool" => check::<bool>(pair, Differs::Bools),
            "String" => check::<String>(pair, Differs::Nowhere),
            "Option<i64>" => check::<Option<i64>>(pair, Differs::Numbers),
            "Vec<i64>" => check::<Vec<i64>>(pair, Differs::Nowhere),
            "HashMap<String, i64>" => check::<HashMap<String, i64>>(pair, Differs::Nowhere),
            "enum Color { red, green }" => check::<Color>(pair, Differs::Nowhere),
            "(i64, String)" => check::<(i64, String)>(pair, Differs::Nowhere),
            "struct P { x: i64, y: Option<String> }" => check::<P>(pair, Differs::Nowhere),
            "Vec<P>" => check::<Vec<P>>(pair, Differs::Nowhere),
            "chrono::NaiveDate" => check::<chrono::NaiveDate>(pair, Differs::Foreign),
            "chrono::DateTime<Utc>" => check::<chrono::DateTime<chrono::Utc>>(pair, Differs::Foreign),
            "uuid::Uuid" => check::<uuid::Uuid>(pair, Differs::Foreign),
            "rust_decimal::Decimal" => check::<rust_decimal::Decimal>(pair, Differs::Foreign),
            "untagged i64 | String" => check::<Either>(pair, Differs::Alternatives),
            other => unreachable!("a type that is not tested: {other}"),
        }
    }
}
