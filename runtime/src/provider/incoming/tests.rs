//! Parts that come in piece by piece, and what is told of them.

use serde_json::{Value, json};

use super::*;
use crate::message::ResponsePart;
use crate::model::PartEvent;
use crate::tool::ToolDefinition;

/// What `fill` makes, and the events in short: `start 0 …`, `delta 0 …`, `end 0 …`.
fn filled(fill: impl FnOnce(&mut IncomingParts<'_, '_>)) -> (Vec<ResponsePart>, Vec<String>) {
    let tools = [ToolDefinition::new("a.b")];
    let names = WireNames::of(tools.iter()).expect("names");
    let mut told = Vec::new();
    let mut listen = |event| told.push(event);
    let mut events = PartEvents::new(&mut listen);
    let mut parts = IncomingParts::new(&names, &mut events);
    fill(&mut parts);
    let parts = parts.finish();
    (parts, told.iter().map(short_event).collect())
}

fn short_event(event: &PartEvent) -> String {
    match event {
        PartEvent::Start { index, part } => format!("start {index} {}", short(part)),
        PartEvent::Delta { index, delta } => match delta {
            PartDelta::Text(more)
            | PartDelta::Thinking(more)
            | PartDelta::ToolName(more)
            | PartDelta::Arguments(more) => format!("delta {index} {more}"),
        },
        PartEvent::End { index, part } => format!("end {index} {}", short(part)),
    }
}

fn short(part: &ResponsePart) -> String {
    match part {
        ResponsePart::Text(part) => part.content.clone(),
        ResponsePart::Thinking(part) => format!("({})", part.content),
        ResponsePart::ToolCall(call) => format!("{}{}", call.tool_name, call.args.text()),
        other => format!("{other:?}"),
    }
}

fn add(parts: &mut IncomingParts<'_, '_>, at: usize, name: &str, arguments: Value) {
    let arguments = (!arguments.is_null()).then(|| arguments.into());
    parts.add_to_call(at, name, arguments).expect("it can be joined");
}

#[test]
fn a_part_goes_on_until_another_begins() {
    let (parts, told) = filled(|parts| {
        parts.thinking(ThinkingPart::new("h"));
        parts.thinking(ThinkingPart::new("m"));
        parts.text(String::new());
        parts.text("a".to_owned());
        parts.text("b".to_owned());
        parts.thinking(ThinkingPart::new("so"));
        parts.text("c".to_owned());
    });
    assert_eq!(parts.iter().map(short).collect::<Vec<_>>(), ["(hm)", "ab", "(so)", "c"]);
    let expected = [
        "start 0 (h)",
        "delta 0 m",
        "end 0 (hm)",
        "start 1 a",
        "delta 1 b",
        "end 1 ab",
        "start 2 (so)",
        "end 2 (so)",
        "start 3 c",
        "end 3 c",
    ];
    assert_eq!(told, expected);
}

#[test]
fn thoughts_of_another_id_are_another_part() {
    let with_id = |id: &str| {
        let mut part = ThinkingPart::new("x");
        part.id = Some(id.to_owned());
        part
    };
    let (parts, _) = filled(|parts| ["a", "a", "b"].map(with_id).into_iter().for_each(|part| parts.thinking(part)));
    assert_eq!(parts.iter().map(short).collect::<Vec<_>>(), ["(xx)", "(x)"]);
}

#[test]
fn a_call_begins_with_its_name_and_keeps_its_place() {
    let (parts, told) = filled(|parts| {
        let first = parts.place_call();
        add(parts, first, "", json!("{\"x\""));
        let second = parts.place_call();
        add(parts, second, "t", json!(""));
        add(parts, first, "a", json!(":1"));
        add(parts, first, "a", json!("}"));
    });
    assert_eq!(parts.iter().map(short).collect::<Vec<_>>(), ["a{\"x\":1}", "t{}"]);
    assert_eq!(told, ["start 1 t{}", "end 1 t{}", "start 0 a{\"x\":1", "delta 0 }", "end 0 a{\"x\":1}"]);
}

#[test]
fn a_call_that_goes_on_after_its_end_ends_again_with_all_of_it() {
    let (parts, told) = filled(|parts| {
        let [first, second] = [(); 2].map(|()| parts.place_call());
        add(parts, first, "s", json!("{"));
        add(parts, second, "t", json!("{"));
        add(parts, first, "", json!("}"));
        add(parts, second, "", json!("}"));
    });
    assert_eq!(parts.iter().map(short).collect::<Vec<_>>(), ["s{}", "t{}"]);
    let expected = ["start 0 s{", "end 0 s{", "start 1 t{", "delta 0 }", "delta 1 }", "end 0 s{}", "end 1 t{}"];
    assert_eq!(told, expected);
}

#[test]
fn names_come_in_pieces_or_again_and_again() {
    let (parts, told) = filled(|parts| {
        let [pieces, again, stand_in, nameless] = [(); 4].map(|()| parts.place_call());
        add(parts, pieces, "get_", json!(null));
        add(parts, pieces, "weather", json!(null));
        add(parts, again, "t", json!("{"));
        add(parts, again, "t", json!("}"));
        add(parts, stand_in, &crate::provider::name::wire_name("a.b"), json!(null));
        add(parts, nameless, "", json!("{}"));
    });
    assert_eq!(parts.iter().map(short).collect::<Vec<_>>(), ["get_weather{}", "t{}", "a.b{}", "{}"]);
    assert_eq!(told[..2], ["start 0 get_{}", "delta 0 weather"]);
    assert_eq!(told[told.len() - 2..], ["start 3 {}", "end 3 {}"]);
}

#[test]
fn arguments_come_as_text_or_as_objects() {
    let joined = |pieces: &[Value]| {
        let (parts, _) = filled(|parts| {
            let at = parts.place_call();
            pieces.iter().for_each(|piece| add(parts, at, "t", piece.clone()));
        });
        let Some(ResponsePart::ToolCall(call)) = parts.into_iter().next() else { unreachable!("a call was placed") };
        call.args
    };
    let stored = |pieces: &[Value]| serde_json::to_string(&joined(pieces)).expect("JSON");
    assert_eq!(stored(&[]), "null");
    assert_eq!(stored(&[json!(null), json!(null)]), "null");
    assert_eq!(stored(&[json!("")]), r#""""#);
    assert_eq!(stored(&[json!("{"), json!(null), json!("}")]), r#""{}""#);
    assert_eq!(stored(&[json!({"a": 1})]), r#"{"a":1}"#);
    assert_eq!(stored(&[json!(""), json!({"a": 1}), json!("")]), r#"{"a":1}"#);
    assert_eq!(stored(&[json!({"a": 1}), json!({"a": 1}), json!({}), json!({"b": {}})]), r#"{"a":1,"b":{}}"#);
    assert_eq!(stored(&[json!([1])]), r#""[1]""#);
}

#[test]
fn text_and_objects_do_not_mix() {
    filled(|parts| {
        for (first, more) in [(json!("{"), json!({"a": 1})), (json!({"a": 1}), json!("{"))] {
            let at = parts.place_call();
            add(parts, at, "t", first);
            assert!(parts.add_to_call(at, "", Some(more.into())).is_err());
        }
    });
}

#[test]
fn a_call_goes_by_one_id_from_its_beginning() {
    let ids = |fill: fn(&mut IncomingParts<'_, '_>, usize)| {
        let mut told = Vec::new();
        let mut listen = |event| match event {
            PartEvent::Start { part: ResponsePart::ToolCall(call), .. }
            | PartEvent::End { part: ResponsePart::ToolCall(call), .. } => told.push(call.tool_call_id),
            _ => {}
        };
        let mut events = PartEvents::new(&mut listen);
        let names = WireNames::of([].iter()).expect("no names");
        let mut parts = IncomingParts::new(&names, &mut events);
        let at = parts.place_call();
        fill(&mut parts, at);
        let parts = parts.finish();
        told.extend(parts.into_iter().filter_map(|part| match part {
            ResponsePart::ToolCall(call) => Some(call.tool_call_id),
            _ => None,
        }));
        told
    };
    assert_eq!(
        ids(|parts, at| {
            parts.call(at).identify("c1");
            add(parts, at, "t", json!("{}"));
            parts.call(at).identify("c2");
        }),
        ["c1"; 3]
    );
    let made = ids(|parts, at| {
        add(parts, at, "t", json!("{}"));
        parts.call(at).identify("late");
    });
    assert!(made.len() == 3 && made.iter().all(|id| *id == made[0] && !id.is_empty() && id != "late"), "{made:?}");
}
