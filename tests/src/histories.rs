//! Histories that another program stored: each loads, and is stored again as it was.

use std::fs;
use std::path::Path;

use serde_json::{Map, Value};
use toolwright::History;

use crate::compare::same_but_empties;

#[test]
fn each_loads_and_is_stored_again_as_it_was() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("histories");
    let mut stored = 0;
    let mut faults = Vec::new();
    for entry in fs::read_dir(directory).expect("the histories are there") {
        let path = entry.expect("an entry").path();
        let text = fs::read_to_string(&path).expect("a text");
        stored += 1;
        faults.extend(stored_again(&text).err().map(|fault| format!("{:?}: {fault}", path.file_name())));
    }
    assert!(stored >= 17, "{stored}");
    assert_eq!(faults, Vec::<String>::new());
}

fn stored_again(text: &str) -> Result<(), String> {
    let history = History::from_json(text).map_err(|error| format!("{error:?}"))?;
    let [before, after] = [text, &history.to_json()].map(|text| serde_json::from_str(text).expect("JSON"));
    same_but_empties(&without_defaults(&before), &without_defaults(&after)).map_err(|difference| difference.to_string())
}

/// The history without keys that say what would be so without them.
fn without_defaults(value: &Value) -> Value {
    match value {
        Value::Object(map) => {
            let entry = |(key, value): (&String, &Value)| (key.clone(), without_defaults(value));
            map.iter().filter(|(key, value)| !is_default(key, value)).map(entry).collect::<Map<_, _>>().into()
        }
        Value::Array(items) => items.iter().map(without_defaults).collect(),
        other => other.clone(),
    }
}

fn is_default(key: &str, value: &Value) -> bool {
    match key {
        "state" => value == "complete",
        "outcome" => value == "success",
        // Counts of a usage.
        _ if key.ends_with("_tokens") => value == 0,
        _ => false,
    }
}
