//! Takes the parameters of a call out of its text, one by one.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::error::{ArgError, ArgsError};
use super::fault::{self, Reading};
use super::nothing::from_nothing;
use crate::json::Json;

/// Reads the parameters of a call, one by one; what does not fit is collected, so that the model is told everything.
///
/// The text is split into its values once; each value is read when its parameter is asked for, straight from the text
/// into the parameter's type (specification: behaviours 7, decisions 2 and 17).
pub struct ArgsReader<'a> {
    text: &'a str,
    entries: Entries<'a>,
    asked: Vec<&'static str>,
    errors: Vec<ArgError>,
    options: ReadOptions,
}

/// How arguments are read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReadOptions {
    /// Takes `"1"` for 1 and the like, where nothing is guessed.
    pub(crate) lenient: bool,
    /// The only parameter is the whole object.
    pub(crate) whole: bool,
}

/// The keys of an object with the text of their values, as they stand there.
pub(super) struct Entries<'a>(pub(super) Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'a> ArgsReader<'a> {
    pub(crate) fn new(text: &'a str, options: ReadOptions) -> Result<Self, ArgsError> {
        Ok(Self { text, entries: parse_object(text)?, asked: Vec::new(), errors: Vec::new(), options })
    }

    /// Reads the parameter `name`. `None` after a fault, which is kept for the end.
    pub fn get<T: DeserializeOwned>(&mut self, name: &'static str) -> Option<T> {
        let result = if self.options.whole { self.read_whole(name) } else { self.read(name) };
        self.asked.push(name);
        self.keep(result)
    }

    /// Reads the parameter `name`; an absent one is what `default` gives.
    pub fn get_or<T: DeserializeOwned>(&mut self, name: &'static str, default: impl FnOnce() -> T) -> Option<T> {
        if self.options.whole || self.entries.last(name).is_some() {
            return self.get(name);
        }
        self.asked.push(name);
        Some(default())
    }

    /// Ends the reading: keys that no parameter has are faults too.
    pub(crate) fn finish(mut self) -> Result<(), ArgsError> {
        if !self.options.whole {
            self.refuse_unknown_keys();
        }
        if self.errors.is_empty() { Ok(()) } else { Err(ArgsError::new(self.errors)) }
    }

    fn keep<T>(&mut self, result: Result<T, ArgError>) -> Option<T> {
        result.map_err(|error| self.errors.push(error)).ok()
    }

    fn reading(&self) -> Reading {
        if self.options.lenient { Reading::Lenient } else { Reading::Exact }
    }

    fn read<T: DeserializeOwned>(&self, name: &str) -> Result<T, ArgError> {
        match self.entries.last(name) {
            Some(value) => fault::read(value.get(), self.reading()).map_err(|error| error.within(name)),
            None => from_nothing().ok_or_else(|| fault::missing(Vec::new(), name, self.object_once())),
        }
    }

    /// Reads the object itself, or the one object in an envelope with the parameter's name.
    fn read_whole<T: DeserializeOwned>(&self, name: &str) -> Result<T, ArgError> {
        let reading = self.reading();
        let [(key, value)] = self.entries.0.as_slice() else {
            return fault::read(self.text, reading);
        };
        if key != name || !value.get().starts_with('{') {
            return fault::read(self.text, reading);
        }
        // An object that happens to have one field of that name is no envelope.
        fault::read(value.get(), reading)
            .or_else(|error| fault::read(self.text, reading).map_err(|_| error.within(name)))
    }

    /// The whole object, to be shown with the first missing parameter: with each of them it would only be long.
    fn object_once(&self) -> Option<Json> {
        let shown = self.errors.iter().any(|error| error.r#type == fault::MISSING);
        if shown { None } else { fault::shown(self.text) }
    }

    fn refuse_unknown_keys(&mut self) {
        let mut seen = HashSet::new();
        for (key, value) in &self.entries.0 {
            if !self.asked.contains(&key.as_ref()) && seen.insert(key) {
                self.errors.push(fault::unknown(key, &self.asked, fault::shown(value.get())));
            }
        }
    }
}

impl<'a> Entries<'a> {
    /// The value of a key; of duplicates the last counts.
    pub(super) fn last(&self, name: &str) -> Option<&'a RawValue> {
        self.0.iter().rev().find(|(key, _)| key == name).map(|(_, value)| *value)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Entries<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;

        impl<'de> Visitor<'de> for Collect {
            type Value = Entries<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries<'de>, A::Error> {
                let mut entries = Vec::new();
                while let Some(Key(key)) = map.next_key()? {
                    entries.push((key, map.next_value()?));
                }
                Ok(Entries(entries))
            }
        }

        deserializer.deserialize_map(Collect)
    }
}

/// A key, borrowed from the text where it has no escapes.
#[derive(Deserialize)]
#[serde(transparent)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

/// Reads arguments as an object, whatever is in it; of duplicate keys the last counts.
pub(crate) fn read_object(text: &str) -> Result<Map<String, Value>, ArgsError> {
    parse_object(text)
}

/// Reads an object; whatever else the text is, the error says so.
fn parse_object<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, ArgsError> {
    if text.trim_start().starts_with('{') {
        return serde_json::from_str(text).map_err(|error| no_json(text, &error));
    }
    match serde_json::from_str::<&RawValue>(text) {
        Ok(value) => {
            let msg = "the arguments must be one JSON object, with the parameters as keys";
            Err(ArgsError::whole("not_an_object", msg, fault::shown(value.get())))
        }
        Err(error) => Err(no_json(text, &error)),
    }
}

fn no_json(text: &str, error: &serde_json::Error) -> ArgsError {
    ArgsError::whole("json_invalid", format!("the arguments are not valid JSON: {error}"), Some(Json::from(text)))
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use serde::de::value::Error;
    use serde_json::json;

    use super::*;

    const LENIENT: ReadOptions = ReadOptions { lenient: true, whole: false };
    const EXACT: ReadOptions = ReadOptions { lenient: false, whole: false };
    const WHOLE: ReadOptions = ReadOptions { lenient: true, whole: true };

    #[derive(Debug, PartialEq, Deserialize)]
    struct Place {
        city: String,
        zip: Option<u16>,
    }

    /// Reads one parameter, `x`.
    fn read<T: DeserializeOwned>(options: ReadOptions, text: &str) -> Result<T, ArgsError> {
        let mut reader = ArgsReader::new(text, options)?;
        let value = reader.get("x");
        reader.finish()?;
        Ok(value.expect("no faults, so a value"))
    }

    fn lenient<T: DeserializeOwned>(value: &str) -> Option<T> {
        read(LENIENT, &format!(r#"{{"x":{value}}}"#)).ok()
    }

    fn faults<T: DeserializeOwned + fmt::Debug>(options: ReadOptions, text: &str) -> Value {
        read::<T>(options, text).expect_err("it does not fit").to_json().to_value()
    }

    #[test]
    fn numbers_are_exact_or_refused() {
        assert_eq!(lenient("\"9007199254740993\""), Some(9_007_199_254_740_993_i64));
        assert_eq!(lenient("-9223372036854775808"), Some(i64::MIN));
        assert_eq!(lenient("\"18446744073709551615\""), Some(u64::MAX));
        assert_eq!(lenient("\" -7.00 \""), Some(-7_i8));
        assert_eq!(lenient("1e3"), Some(1000_u16));
        assert_eq!(lenient("340282366920938463463374607431768211455"), Some(u128::MAX));
        assert_eq!(lenient("\"1.0\""), Some(1_i128));
        for refused in
            ["1e300", "9007199254740993.0", "-9223372036854775809", "\"1e3\"", "\"1.\"", "\"\"", "\"--1\"", "true"]
        {
            assert_eq!(lenient::<i64>(refused), None, "{refused}");
        }
        assert_eq!(lenient::<u64>("\"-1\""), None);
        assert_eq!(lenient::<u64>("-1.0"), None);
        assert_eq!(lenient::<u8>("256.0"), None);
    }

    #[test]
    fn floats_are_finite() {
        assert_eq!(lenient("\" 1.5e1 \""), Some(15.0_f64));
        assert_eq!(lenient("3"), Some(3.0_f32));
        for refused in
            ["\"nan\"", "\"inf\"", "\"-Infinity\"", "\"1e400\"", "1e400", "\"1_000\"", "\"0x1\"", "true", "\"\""]
        {
            assert_eq!(lenient::<f64>(refused), None, "{refused}");
        }
        assert_eq!(lenient::<f32>("1e300"), None);
        assert_eq!(lenient::<f32>("\"1e300\""), None);
    }

    #[test]
    fn bools_are_words_or_zero_and_one() {
        for (text, value) in [("\" TRUE \"", true), ("0", false), ("1.0", true), ("-0.0", false), ("\"0\"", false)] {
            assert_eq!(lenient(text), Some(value), "{text}");
        }
        for refused in ["2", "-1", "0.5", "\"yes\"", "\"t\"", "\"\"", "null", "[]"] {
            assert_eq!(lenient::<bool>(refused), None, "{refused}");
        }
    }

    #[test]
    fn leniency_reaches_into_everything() {
        #[derive(Debug, PartialEq, Deserialize)]
        enum Shape {
            Circle(f64),
            Box { width: u8 },
            Line(i8, i8),
        }
        #[derive(Debug, PartialEq, Deserialize)]
        struct Meters(i64);

        assert_eq!(lenient(r#"{"a":["1",2.0]}"#), Some(HashMap::from([("a".to_owned(), vec![1, 2])])));
        assert_eq!(lenient(r#"[{"city":"Rome","zip":"7"}]"#), Some(vec![Place { city: "Rome".into(), zip: Some(7) }]));
        assert_eq!(lenient(r#"{"Circle":"1"}"#), Some(Shape::Circle(1.0)));
        assert_eq!(lenient(r#"{"Box":{"width":"3"}}"#), Some(Shape::Box { width: 3 }));
        assert_eq!(lenient(r#"{"Line":["3",4.0]}"#), Some(Shape::Line(3, 4)));
        assert_eq!(lenient("\"5\""), Some(Meters(5)));
        assert_eq!(lenient("\"5\""), Some(Some(5)));
        assert_eq!(lenient("null"), Some(None::<i64>));
        assert_eq!(lenient(r#"{"1":"a"}"#), Some(HashMap::from([(1, "a".to_owned())])));
        assert_eq!(lenient::<Place>(r#"["Rome",1]"#), None);
    }

    #[test]
    fn alternatives_know_an_integral_float() {
        #[derive(Debug, PartialEq, Deserialize)]
        #[serde(untagged)]
        enum Either {
            Number(i64),
            Text(String),
        }
        assert_eq!(lenient("1.0"), Some(Either::Number(1)));
        assert_eq!(lenient("\"1\""), Some(Either::Text("1".into())));
        assert_eq!(lenient::<Either>("1.5"), None);
        assert_eq!(lenient::<Either>("true"), None);
        assert_eq!(lenient("1.0"), Some(json!(1.0)));
    }

    #[test]
    fn json_is_taken_as_it_stands() {
        let json: Json = lenient(r#"{"a":1.00,"a":2}"#).expect("JSON");
        assert_eq!(json.text(), r#"{"a":1.00,"a":2}"#);
        let nested: Vec<Json> = lenient("[1.00]").expect("JSON");
        assert_eq!(nested[0].text(), "1.00");
    }

    #[test]
    fn exact_reading_is_serde_json_s() {
        assert_eq!(read(EXACT, r#"{"x":1}"#), Ok(1_i64));
        assert_eq!(read(EXACT, r#"{"x":["Rome",1]}"#), Ok(Place { city: "Rome".into(), zip: Some(1) }));
        for refused in ["1.0", "\"1\""] {
            assert!(read::<i64>(EXACT, &format!(r#"{{"x":{refused}}}"#)).is_err());
        }
        let faults = faults::<i64>(EXACT, r#"{"x":"1"}"#);
        assert_eq!(faults[0]["msg"], "expected a whole number, got string \"1\"");
    }

    #[test]
    fn a_fault_says_where_and_why() {
        assert_eq!(
            faults::<Vec<Place>>(LENIENT, r#"{"x":[{"city":"Rome","zip":1},{"city":"Rome","zip":"far"}]}"#),
            json!([{
                "type": "invalid",
                "loc": ["x", 1, "zip"],
                "msg": "expected a whole number from 0 to 65535, got string \"far\"",
                "input": "far",
            }])
        );
        assert_eq!(
            faults::<Place>(LENIENT, r#"{"x":{"zip":1}}"#),
            json!([{"type": "missing", "loc": ["x", "city"], "msg": "a value is required", "input": {"zip": 1}}])
        );
        assert_eq!(
            faults::<(i64, i64)>(LENIENT, r#"{"x":[1,2,3]}"#),
            json!([{"type": "invalid", "loc": ["x"], "msg": "there are too many values", "input": [1, 2, 3]}])
        );
    }

    #[test]
    fn a_field_that_a_type_refuses_is_unknown() {
        #[derive(Debug, Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Closed {
            #[expect(dead_code, reason = "it is only read")]
            a: i64,
        }
        let faults = faults::<Closed>(LENIENT, r#"{"x":{"a":1,"b":2}}"#);
        assert_eq!(faults[0]["type"], "unknown");
        assert_eq!(faults[0]["loc"], json!(["x", "b"]));
    }

    #[test]
    fn every_parameter_s_fault_is_kept_and_the_object_shown_once() {
        let mut reader = ArgsReader::new(r#"{"a":"x","citty":1,"citty":2}"#, LENIENT).expect("an object");
        assert_eq!(reader.get::<i64>("a"), None);
        assert_eq!(reader.get::<String>("city"), None);
        assert_eq!(reader.get::<String>("day"), None);
        assert_eq!(reader.get::<Option<String>>("hour"), Some(None));
        assert_eq!(reader.get_or("minute", || 7), Some(7));
        let faults = reader.finish().expect_err("faults").to_json().to_value();
        let short: Vec<_> =
            faults.as_array().expect("a list").iter().map(|f| (f["type"].clone(), f["loc"].clone())).collect();
        assert_eq!(
            short,
            [
                (json!("invalid"), json!(["a"])),
                (json!("missing"), json!(["city"])),
                (json!("missing"), json!(["day"])),
                (json!("unknown"), json!(["citty"])),
            ]
        );
        assert!(faults[1]["input"].is_object() && faults[2].get("input").is_none());
        assert_eq!(
            faults[3]["msg"],
            "there is no such parameter, did you mean `city`? (the parameters are `a`, `city`, `day`, `hour`, `minute`)"
        );
    }

    #[test]
    fn the_last_of_duplicate_keys_counts() {
        assert_eq!(read(LENIENT, r#"{"x":"no","\u0078":2}"#), Ok(2_i64));
        let rome = Place { city: "Rome".into(), zip: Some(7) };
        assert_eq!(read(LENIENT, r#"{"x":{"city":1,"zip":"7","city":"Rome"}}"#).as_ref(), Ok(&rome));
        assert_eq!(read(WHOLE, r#" {"city":"Oslo","zip":7,"city":"Rome"}"#), Ok(rome));
        let fault = &faults::<Place>(LENIENT, r#"{"x":{"city":"Oslo","city":1}}"#)[0];
        assert_eq!((&fault["loc"], &fault["input"]), (&json!(["x", "city"]), &json!(1)));
        assert_eq!(read_object(r#"{"x":1,"x":2}"#), Ok(Map::from_iter([("x".to_owned(), json!(2))])));
    }

    #[test]
    fn null_is_a_value() {
        let mut reader = ArgsReader::new(r#"{"x":null}"#, LENIENT).expect("an object");
        assert_eq!(reader.get_or("x", || 1), None);
        assert!(reader.finish().is_err());
        assert_eq!(from_nothing::<i64>(), None);
        assert_eq!(from_nothing::<()>(), None);
        assert_eq!(from_nothing::<Option<i64>>(), Some(None));
        assert!(<i64 as Deserialize>::deserialize(serde::de::value::UnitDeserializer::<Error>::new()).is_err());
    }

    #[test]
    fn the_whole_object_comes_bare_or_in_an_envelope() {
        let rome = Place { city: "Rome".into(), zip: None };
        assert_eq!(read(WHOLE, r#"{"city":"Rome"}"#).as_ref(), Ok(&rome));
        assert_eq!(read(WHOLE, r#"{"x":{"city":"Rome"}}"#).as_ref(), Ok(&rome));
        assert_eq!(faults::<Place>(WHOLE, r#"{"city":1}"#)[0]["loc"], json!(["city"]));
        assert_eq!(faults::<Place>(WHOLE, r#"{"x":{"city":1}}"#)[0]["loc"], json!(["x", "city"]));
        let extra = faults::<Place>(WHOLE, r#"{"x":{"city":"Rome"},"y":1}"#);
        assert_eq!((&extra[0]["type"], &extra[0]["loc"]), (&json!("missing"), &json!(["city"])));

        #[derive(Debug, PartialEq, Deserialize)]
        struct Holder {
            x: Place,
        }
        assert_eq!(read(WHOLE, r#"{"x":{"city":"Rome"}}"#), Ok(Holder { x: rome }));
    }

    #[test]
    fn what_is_no_object_is_said_to_be_none() {
        for text in ["[1]", "\"x\"", "null", " 3 ", "false"] {
            assert_eq!(faults::<i64>(LENIENT, text)[0]["type"], "not_an_object", "{text}");
            assert!(read_object(text).is_err());
        }
        for text in ["", "  ", "{", "{\"x\":1}{", "nul", "{\"x\":1,}", "{x:1}"] {
            let faults = faults::<i64>(LENIENT, text);
            assert_eq!((&faults[0]["type"], &faults[0]["input"]), (&json!("json_invalid"), &json!(text)));
            assert!(read_object(text).is_err());
        }
    }

    #[test]
    fn depth_is_bounded() {
        let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
        for text in [&deep, &format!(r#"{{"x":{deep}}}"#), &format!(r#"{{"y":{deep}}}"#)] {
            assert!(read::<Value>(LENIENT, text).is_err());
            assert!(read_object(text).is_err());
        }
        let fault = &faults::<Value>(LENIENT, &format!(r#"{{"x":{deep}}}"#))[0];
        assert_eq!((&fault["msg"], fault.get("input")), (&json!("it is nested too deeply"), None));
    }
}
