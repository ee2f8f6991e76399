//! The schema of an output tool.

use serde_json::Value;

/// Takes the description of `schema` itself out of it: the description of an output tool says both what the tool is for
/// (`description`) and what its arguments are (specification: behaviours 1).
pub(crate) fn lift_description(description: Option<&str>, schema: &mut Value) -> Option<String> {
    let own = schema.as_object_mut().and_then(|schema| schema.shift_remove("description"));
    match (description.filter(|text| !text.is_empty()), own.as_ref().and_then(Value::as_str)) {
        (Some(description), Some(own)) => Some(format!("{description}. {own}")),
        (description, own) => description.or(own).map(str::to_owned),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn both_descriptions_are_told() {
        let mut schema = json!({"title": "Fruit", "description": "A fruit.", "properties": {"title": {"title": "T"}}});
        assert_eq!(lift_description(Some("Give one"), &mut schema).as_deref(), Some("Give one. A fruit."));
        assert_eq!(schema, json!({"title": "Fruit", "properties": {"title": {"title": "T"}}}));
        assert_eq!(lift_description(Some("Give one."), &mut schema).as_deref(), Some("Give one."));
        assert_eq!(lift_description(None, &mut json!({"description": "Own."})).as_deref(), Some("Own."));
        assert_eq!(lift_description(None, &mut json!(true)), None);
    }
}
