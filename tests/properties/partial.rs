//! JSON that is cut anywhere, read as far as it goes.

use proptest::prelude::*;
use serde_json::Value;
use toolwright::json::partial;
use toolwright::message::Arguments;

use crate::stored::any_json;

/// Whether `part` is what there can be of `whole` before it is there: strings and lists that may go on at their end.
fn is_beginning(part: &Value, whole: &Value) -> bool {
    match (part, whole) {
        (Value::String(part), Value::String(whole)) => whole.starts_with(part),
        (Value::Array(part), Value::Array(whole)) => {
            let pairs: Vec<_> = part.iter().zip(whole).collect();
            part.len() <= whole.len() && all_but_last_are_whole(&pairs)
        }
        (Value::Object(part), Value::Object(whole)) => {
            let same_keys = part.keys().zip(whole.keys()).all(|(part, whole)| part == whole);
            let pairs: Vec<_> = part.values().zip(whole.values()).collect();
            part.len() <= whole.len() && same_keys && all_but_last_are_whole(&pairs)
        }
        (part, whole) => part == whole,
    }
}

fn all_but_last_are_whole(pairs: &[(&Value, &Value)]) -> bool {
    let Some(((part, whole), before)) = pairs.split_last() else { return true };
    is_beginning(part, whole) && before.iter().all(|(part, whole)| part == whole)
}

/// All beginnings of a text, the empty one and the text itself included.
fn beginnings(text: &str) -> impl Iterator<Item = &str> {
    (0..=text.len()).filter(|end| text.is_char_boundary(*end)).map(|end| &text[..end])
}

/// The text as some models write it: in ASCII alone.
fn escaped(json: &Value) -> String {
    let mut text = String::new();
    for character in json.to_string().chars() {
        if character.is_ascii() {
            text.push(character);
        } else {
            let mut units = [0; 2];
            text.extend(character.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}")));
        }
    }
    text
}

fn assert_grows(text: &str) -> Result<(), TestCaseError> {
    let whole: Value = serde_json::from_str(text).expect("JSON");
    let mut before = None;
    for beginning in beginnings(text) {
        let now = partial(beginning);
        if let Some(now) = &now {
            prop_assert!(is_beginning(now, &whole), "{beginning:?} is read as {now}, of {whole}");
            prop_assert!(
                before.is_none_or(|before| is_beginning(&before, now)),
                "{now} is less than before: {beginning:?}"
            );
        } else {
            prop_assert!(before.is_none(), "{beginning:?} is read as nothing");
        }
        before = now;
    }
    if !whole.is_number() {
        prop_assert_eq!(before, Some(whole));
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    /// Every beginning of a JSON text is read as a beginning of its value, and more of the text as no less of it.
    #[test]
    fn every_beginning_of_a_text_is_a_beginning_of_its_value(json in any_json()) {
        assert_grows(&json.to_string())?;
        assert_grows(&serde_json::to_string_pretty(&json).expect("JSON"))?;
        assert_grows(&escaped(&json))?;
    }

    /// Invariant 6: whatever a model writes, reading it does no harm, and what is whole JSON is read as it is.
    #[test]
    fn no_arguments_panic(text in "[\\[\\]{}\",:\\\\a-fnrtu0-9.eE+ \u{e4}\u{1f600}-]{0,48}", pieces in 1usize..8) {
        let mut args = Arguments::absent();
        for beginning in beginnings(&text) {
            let _ = partial(beginning);
        }
        let characters: Vec<char> = text.chars().collect();
        for piece in characters.chunks(pieces) {
            args.push(&piece.iter().collect::<String>());
            let _ = args.partial();
        }
        if let Ok(Value::Object(whole)) = serde_json::from_str(&text) {
            prop_assert_eq!(args.partial(), Some(whole));
        }
    }
}
