//! What of a request has moved since the one before it (specification: "Tool search and prompt caching").
//!
//! Providers cache a request from its beginning, as far as it is the same as an earlier one: its tools, its instructions, and
//! its messages. A run that only appends messages keeps all of that.

use serde_json::{Map, Value};

/// Keys, at the top of a body, of what providers cache; a path leads to what is inside.
const TOOLS: [&[&str]; 2] = [&["tools"], &["toolConfig", "tools"]];
const INSTRUCTIONS: [&str; 3] = ["system", "systemInstruction", "instructions"];
const MESSAGES: [&str; 3] = ["messages", "input", "contents"];
/// What says up to where to cache, and is no part of what is cached.
const MARKS: [&str; 2] = ["cache_control", "cachePoint"];

/// What has moved from one body to the next, in words, such as `tools[2].description` and ``tool `x` was added``; `marks` are the
/// texts by which bodies say up to where to cache.
///
/// A body that goes on with what the last one ended with is known by its bytes alone.
pub(crate) fn moved(before: &[u8], now: &[u8], marks: &[&[u8]]) -> Vec<String> {
    let Some(whole) = before.strip_suffix(b"]}") else { return Vec::new() };
    if begins_with(now, whole, marks) {
        return Vec::new();
    }
    let read = |body| serde_json::from_slice::<Map<String, Value>>(body).unwrap_or_default();
    let (before, now) = (read(before), read(now));
    let mut moved = Vec::new();
    for path in TOOLS {
        let tools = |body| list(body, path);
        moved.extend(moved_tools(&tools(&before), &tools(&now), &path.join(".")));
    }
    for key in INSTRUCTIONS {
        moved.extend(changed(before.get(key), now.get(key), key));
    }
    for key in MESSAGES {
        moved.extend(moved_messages(&list(&before, &[key]), &list(&now, &[key]), key));
    }
    moved
}

/// Whether `now` begins with `before`, marks aside.
fn begins_with(mut now: &[u8], mut before: &[u8], marks: &[&[u8]]) -> bool {
    let mark = |text: &[u8]| marks.iter().find(|mark| text.starts_with(mark)).map(|mark| mark.len());
    loop {
        let same = common(now, before);
        (now, before) = (&now[same..], &before[same..]);
        match (mark(now), mark(before)) {
            _ if before.is_empty() => return true,
            (_, Some(length)) => before = &before[length..],
            (Some(length), _) => now = &now[length..],
            (None, None) => return false,
        }
    }
}

/// How many bytes are the same at the beginning.
fn common(a: &[u8], b: &[u8]) -> usize {
    const CHUNK: usize = 256;
    let chunks = a.chunks_exact(CHUNK).zip(b.chunks_exact(CHUNK)).take_while(|(a, b)| a == b).count() * CHUNK;
    chunks + a[chunks..].iter().zip(&b[chunks..]).take_while(|(a, b)| a == b).count()
}

fn list<'v>(body: &'v Map<String, Value>, path: &[&str]) -> Vec<&'v Value> {
    let found = match path {
        [] => None,
        [first, rest @ ..] => rest.iter().try_fold(body.get(*first), |value, key| Some(value?.get(key))).flatten(),
    };
    found.and_then(Value::as_array).into_iter().flatten().collect()
}

/// What has moved in the list of tools. One whose schema the model does not see is no part of what is cached.
fn moved_tools(before: &[&Value], now: &[&Value], at: &str) -> Vec<String> {
    let (before, now) = (seen(before), seen(now));
    let names = |tools: &[(String, &Value)]| tools.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    let (old, new) = (names(&before), names(&now));
    let mut moved: Vec<_> =
        old.iter().filter(|name| !new.contains(name)).map(|name| format!("tool `{name}` was removed")).collect();
    moved.extend(new.iter().filter(|name| !old.contains(name)).map(|name| format!("tool `{name}` was added")));
    let stayed = |names: &[String], others: &[String]| {
        names.iter().filter(|name| others.contains(name)).cloned().collect::<Vec<_>>()
    };
    if stayed(&old, &new) != stayed(&new, &old) {
        moved.push("the tools are in another order".to_owned());
    }
    for (place, (name, tool)) in before.iter().enumerate() {
        let same = now.iter().find(|(other, _)| other == name);
        moved.extend(same.and_then(|(_, other)| difference(tool, other, format!("{at}[{place}]"))));
    }
    moved
}

/// The tools that the model sees, by name.
fn seen<'v>(tools: &[&'v Value]) -> Vec<(String, &'v Value)> {
    let inside = |tool: &'v Value| match tool.get("functionDeclarations").and_then(Value::as_array) {
        Some(functions) => functions.iter().collect(),
        None => vec![tool],
    };
    let is_seen = |tool: &&Value| tool.get("defer_loading") != Some(&Value::Bool(true));
    tools.iter().copied().flat_map(inside).filter(is_seen).map(|tool| (name(tool), tool)).collect()
}

/// The name of a tool, however its API nests it; what has none is known by its type.
fn name(tool: &Value) -> String {
    let places = [tool.get("name"), tool.pointer("/function/name"), tool.pointer("/toolSpec/name"), tool.get("type")];
    let name = places.into_iter().flatten().find_map(Value::as_str);
    name.map_or_else(
        || tool.as_object().and_then(|tool| tool.keys().next().cloned()).unwrap_or_default(),
        str::to_owned,
    )
}

/// What has moved in the conversation, which may only go on: its last message, too.
fn moved_messages(before: &[&Value], now: &[&Value], at: &str) -> Option<String> {
    for (place, old) in before.iter().enumerate() {
        let at = format!("{at}[{place}]");
        let Some(new) = now.get(place) else { return Some(format!("{at} is gone")) };
        let moved = match place + 1 == before.len() {
            true => going_on(old, new, at),
            false => difference(old, new, at),
        };
        if moved.is_some() {
            return moved;
        }
    }
    None
}

/// The first difference, but that what is in a message's lists may go on.
fn going_on(old: &Value, new: &Value, at: String) -> Option<String> {
    let (Value::Object(old), Value::Object(new)) = (old, new) else { return difference(old, new, at) };
    old.iter().find_map(|(key, value)| {
        let at = format!("{at}.{key}");
        match (value, new.get(key)) {
            (Value::Array(old), Some(Value::Array(new))) if old.len() <= new.len() => old
                .iter()
                .zip(new)
                .enumerate()
                .find_map(|(place, (old, new))| difference(old, new, format!("{at}[{place}]"))),
            (value, new) => changed(Some(value), new, &at),
        }
    })
}

fn changed(old: Option<&Value>, new: Option<&Value>, at: &str) -> Option<String> {
    match (old, new) {
        (None, None) => None,
        (Some(old), Some(new)) => difference(old, new, at.to_owned()),
        (None, Some(_)) => Some(format!("{at} was added")),
        (Some(_), None) => Some(format!("{at} is gone")),
    }
}

/// The path of the first difference.
fn difference(old: &Value, new: &Value, at: String) -> Option<String> {
    match (old, new) {
        (Value::Object(old), Value::Object(new)) => {
            let keys = old.keys().chain(new.keys().filter(|key| !old.contains_key(*key)));
            let mut keys = keys.filter(|key| !MARKS.contains(&key.as_str()));
            keys.find_map(|key| changed(old.get(key), new.get(key), &format!("{at}.{key}")))
        }
        (Value::Array(old), Value::Array(new)) => {
            let (old, new) = (unmarked(old), unmarked(new));
            let longest = old.len().max(new.len());
            (0..longest)
                .find_map(|place| changed(old.get(place).copied(), new.get(place).copied(), &format!("{at}[{place}]")))
        }
        _ => (old != new).then_some(at),
    }
}

/// What is no mark, where marks are items of their own.
fn unmarked(list: &[Value]) -> Vec<&Value> {
    let is_mark = |item: &&Value| item.as_object().is_some_and(|item| item.keys().any(|key| MARKS[1] == key));
    list.iter().filter(|item| !is_mark(item)).collect()
}

#[cfg(test)]
mod tests {
    use std::slice::from_ref;

    use serde_json::json;

    use super::*;

    const MARK: &[u8] = br#","cache_control":{"type":"ephemeral"}"#;

    fn between(before: &Value, now: &Value) -> Vec<String> {
        moved(before.to_string().as_bytes(), now.to_string().as_bytes(), &[MARK])
    }

    fn message(text: &str) -> Value {
        json!({"content": [{"text": text}]})
    }

    fn body(tools: &[&str], messages: &[Value]) -> Value {
        let tools: Vec<_> = tools.iter().map(|name| json!({"name": name, "description": "d"})).collect();
        json!({"tools": tools, "system": "Be kind.", "messages": messages})
    }

    #[test]
    fn a_request_that_goes_on_moves_nothing() {
        let (first, second) = (message("a"), message("b"));
        assert!(between(&body(&["t"], from_ref(&first)), &body(&["t"], &[first.clone(), second.clone()])).is_empty());
        let more = json!({"content": [{"text": "a"}, {"text": "b"}]});
        assert!(between(&body(&["t"], from_ref(&first)), &body(&["t"], &[more])).is_empty());
        let mut marked = second.clone();
        marked["content"][0]["cache_control"] = json!({"type": "ephemeral"});
        let before = body(&["t"], &[first.clone(), marked.clone()]);
        let mut last = message("c");
        last["content"][0]["cache_control"] = json!({"type": "ephemeral"});
        assert!(between(&before, &body(&["t"], &[first.clone(), second, last])).is_empty());
        // What stands before all that is cached may change.
        let mut chosen = body(&["t"], from_ref(&first));
        chosen["tool_choice"] = json!("none");
        assert!(between(&body(&["t"], from_ref(&first)), &chosen).is_empty());
    }

    #[test]
    fn marks_are_passed_over_by_their_bytes() {
        let with = [b"{\"a\":1".as_slice(), MARK, b"},{\"b\":2}"].concat();
        let (without, longer) = (b"{\"a\":1},{\"b\":2}".as_slice(), [b"{\"a\":1},{\"b\":2", MARK, b"}"].concat());
        assert!(begins_with(without, &with, &[MARK]) && begins_with(&with, without, &[MARK]));
        assert!(begins_with(&longer, &with, &[MARK]) && !begins_with(without, &with, &[]));
        assert!(!begins_with(&without[..5], without, &[MARK]));
        let long = vec![b'x'; 2000];
        assert_eq!((common(&long, &long[..700]), common(&long, b"xxy")), (700, 2));
    }

    #[test]
    fn what_moves_is_named() {
        let one = || [message("a"), message("b")];
        for (tools, told) in [
            (&["t", "u", "v"][..], vec!["tool `v` was added"]),
            (&["u"][..], vec!["tool `t` was removed"]),
            (&["u", "t"][..], vec!["the tools are in another order"]),
        ] {
            assert_eq!(between(&body(&["t", "u"], &one()), &body(tools, &one())), told);
        }
        let mut changed = body(&["t", "u"], &one());
        changed["tools"][1]["description"] = json!("e");
        changed["system"] = json!("Be brief.");
        changed["messages"] = json!([message("a"), message("c")]);
        let told = ["tools[1].description", "system", "messages[1].content[0].text"];
        assert_eq!(between(&body(&["t", "u"], &one()), &changed), told);
        assert_eq!(between(&body(&[], &one()), &body(&[], &[message("a")])), ["messages[1] is gone"]);
        let shorter = json!({"content": []});
        assert_eq!(between(&body(&[], &[message("a")]), &body(&[], &[shorter])), ["messages[0].content[0] is gone"]);
    }

    #[test]
    fn tools_are_known_in_every_dialect_and_hidden_ones_do_not_count() {
        let dialects = [
            |names: &[&str]| json!({"tools": names.iter().map(|name| json!({"function": {"name": name}})).collect::<Vec<_>>(), "messages": []}),
            |names: &[&str]| json!({"tools": [{"functionDeclarations": names.iter().map(|name| json!({"name": name})).collect::<Vec<_>>()}], "contents": []}),
            |names: &[&str]| json!({"toolConfig": {"tools": names.iter().map(|name| json!({"toolSpec": {"name": name}})).collect::<Vec<_>>()}, "messages": []}),
        ];
        for dialect in dialects {
            assert_eq!(between(&dialect(&["t"]), &dialect(&["t", "u"])), ["tool `u` was added"]);
        }
        let hidden = json!({"tools": [{"name": "t"}, {"name": "h", "defer_loading": true}], "messages": []});
        assert!(between(&json!({"tools": [{"name": "t"}], "messages": []}), &hidden).is_empty());
    }

    #[test]
    fn what_cannot_be_read_has_not_moved() {
        assert!(moved(b"", b"{}", &[]).is_empty() && moved(b"x]}", b"y", &[]).is_empty());
        assert!(moved(br#"{"messages":5,"tools":[]}"#, br#"{"tools":{}}"#, &[]).is_empty());
    }
}
