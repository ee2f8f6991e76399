//! Calls and results as the types of their kind.

use std::fmt;

use super::{KindShape, ToolKind};
use crate::message::{Outcome, RequestPart, ResponsePart, ToolCallPart, ToolReturnPart};

/// What the kind's arguments are read as.
type ArgsOf<K> = <<K as ToolKind>::Args as KindShape>::Value;
/// What the kind's content is read as.
type ContentOf<K> = <<K as ToolKind>::Content as KindShape>::Value;

/// A call of a tool of the kind `K`, with its arguments read once.
pub struct TypedCall<'a, K: ToolKind> {
    part: &'a ToolCallPart,
    args: Option<ArgsOf<K>>,
}

impl<'a, K: ToolKind> TypedCall<'a, K> {
    /// The call, as it stands in the history.
    #[must_use]
    pub fn part(&self) -> &'a ToolCallPart {
        self.part
    }

    /// The arguments; nothing while they are no whole JSON object, as when they still stream in.
    #[must_use]
    pub fn args(&self) -> Option<&ArgsOf<K>> {
        self.args.as_ref()
    }

    /// The arguments, to keep.
    #[must_use]
    pub fn into_args(self) -> Option<ArgsOf<K>> {
        self.args
    }
}

impl<K: ToolKind> fmt::Debug for TypedCall<'_, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TypedCall").field("part", &self.part).field("args", &self.args.is_some()).finish()
    }
}

/// A successful result of a tool of the kind `K`, with its content read once.
pub struct TypedReturn<'a, K: ToolKind> {
    part: &'a ToolReturnPart,
    content: ContentOf<K>,
}

impl<'a, K: ToolKind> TypedReturn<'a, K> {
    /// The result, as it stands in the history.
    #[must_use]
    pub fn part(&self) -> &'a ToolReturnPart {
        self.part
    }

    /// The content.
    #[must_use]
    pub fn content(&self) -> &ContentOf<K> {
        &self.content
    }

    /// The content, to keep.
    #[must_use]
    pub fn into_content(self) -> ContentOf<K> {
        self.content
    }
}

impl<K: ToolKind> fmt::Debug for TypedReturn<'_, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TypedReturn").field("part", &self.part).finish_non_exhaustive()
    }
}

impl ToolCallPart {
    /// The call as one of the kind `K`, whatever its tool is called: made by a model, loaded from a store, or by hand.
    ///
    /// Nothing if it is of another kind, or if its arguments are a whole JSON object that does not fit. Arguments that are
    /// not whole yet do not matter: the call has its kind, and no arguments yet (specification: "Typed Tool Parts").
    #[must_use]
    pub fn typed<K: ToolKind>(&self) -> Option<TypedCall<'_, K>> {
        if self.tool_kind.as_deref() != Some(K::ID) {
            return None;
        }
        let args = K::Args::read_args(self.args.text());
        (args.is_some() || !self.args.is_whole()).then_some(TypedCall { part: self, args })
    }
}

impl ToolReturnPart {
    /// The result as one of the kind `K`, whatever its tool is called: given by a tool, loaded from a store, or by hand.
    ///
    /// Nothing if it is of another kind, if it is no success, or if its content does not fit. The content stays as it was
    /// sent (specification: "Typed Tool Parts").
    #[must_use]
    pub fn typed<K: ToolKind>(&self) -> Option<TypedReturn<'_, K>> {
        if self.tool_kind.as_deref() != Some(K::ID) || self.outcome != Outcome::Success {
            return None;
        }
        K::Content::read_content(&self.content).map(|content| TypedReturn { part: self, content })
    }
}

impl ResponsePart {
    /// The part as a call of the kind `K`, if it is one: see [`ToolCallPart::typed`].
    #[must_use]
    pub fn typed<K: ToolKind>(&self) -> Option<TypedCall<'_, K>> {
        if let Self::ToolCall(call) = self { call.typed() } else { None }
    }
}

impl RequestPart {
    /// The part as a result of the kind `K`, if it is one: see [`ToolReturnPart::typed`].
    #[must_use]
    pub fn typed<K: ToolKind>(&self) -> Option<TypedReturn<'_, K>> {
        if let Self::ToolReturn(result) = self { result.typed() } else { None }
    }
}

#[cfg(test)]
mod tests {
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};
    use serde_json::{Value, json};

    use super::*;
    use crate::message::{Arguments, ToolContent};
    use crate::tool::kind::{AnyShape, SearchTools};

    struct Lookup;

    #[derive(Deserialize, JsonSchema)]
    struct LookupArgs {
        sku: String,
        amount: Option<u8>,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    struct LookupResult {
        in_stock: bool,
    }

    impl ToolKind for Lookup {
        const ID: &'static str = "inventory.lookup";
        type Args = LookupArgs;
        type Content = LookupResult;
    }

    struct Note;

    impl ToolKind for Note {
        const ID: &'static str = "notes.note";
        type Args = AnyShape;
        type Content = AnyShape;
    }

    fn call(kind: &str, args: impl Into<Arguments>) -> ToolCallPart {
        let mut call = ToolCallPart::new("whatever", args);
        call.tool_kind = Some(kind.to_owned());
        call
    }

    fn answer(kind: &str, content: impl Into<ToolContent>) -> ToolReturnPart {
        ToolReturnPart::answer(&call(kind, json!({})), content, Outcome::Success)
    }

    #[test]
    fn arguments_are_read_once_they_are_whole() {
        let read = |text: &str| {
            let call = call(Lookup::ID, Arguments::from_text(text));
            call.typed::<Lookup>().map(|call| call.into_args().map(|args| (args.sku, args.amount)))
        };
        for partial in ["", "{", r#"{"sku": "A"#, r#"{"sku": "A-1""#, "[1]", "no JSON"] {
            assert_eq!(read(partial), Some(None), "{partial}");
        }
        assert_eq!(read(r#"{"sku": "A-1"}"#), Some(Some(("A-1".to_owned(), None))));
        // Tools read so, too.
        assert_eq!(read(r#"{"sku": "A-1", "amount": "2"}"#), Some(Some(("A-1".to_owned(), Some(2)))));
        for other in ["{}", r#"{"sku": 1}"#, r#"{"sku": "A-1", "amount": 300}"#] {
            assert_eq!(read(other), None, "{other}");
        }
        assert!(call(Lookup::ID, json!({"sku": []})).typed::<Lookup>().is_none());
        assert!(call(Lookup::ID, Arguments::absent()).typed::<Lookup>().is_some_and(|call| call.args().is_none()));
    }

    #[test]
    fn only_the_kind_counts() {
        assert!(call("inventory.find", json!({"sku": "A-1"})).typed::<Lookup>().is_none());
        assert!(ToolCallPart::new("lookup", json!({"sku": "A-1"})).typed::<Lookup>().is_none());
        assert!(answer("inventory.find", json!({"in_stock": true})).typed::<Lookup>().is_none());
    }

    #[test]
    fn only_success_has_content_and_it_stays_as_it_was() {
        let mut done = answer(Lookup::ID, json!({"in_stock": true}));
        assert!(done.typed::<Lookup>().is_some_and(|done| done.content().in_stock));
        for outcome in [Outcome::Failed, Outcome::Denied, Outcome::Interrupted, Outcome::Retried] {
            done.outcome = outcome;
            assert!(done.typed::<Lookup>().is_none(), "{outcome:?}");
        }
        assert!(answer(Lookup::ID, json!("in stock")).typed::<Lookup>().is_none());
        let in_a_string = answer(Lookup::ID, json!(r#"{"in_stock": true}"#));
        let typed = in_a_string.typed::<Lookup>().expect("JSON in a string");
        assert!(typed.content().in_stock && typed.part().content == ToolContent::text(r#"{"in_stock": true}"#));
    }

    #[test]
    fn a_kind_that_says_nothing_takes_any_object_and_any_content() {
        let call = call(Note::ID, json!({"a": [1]}));
        let args = call.typed::<Note>().and_then(TypedCall::into_args).expect("arguments");
        assert_eq!(args.text(), r#"{"a":[1]}"#);
        for content in [Value::Null, json!("x"), json!([1])] {
            let answer = answer(Note::ID, content.clone());
            assert_eq!(answer.typed::<Note>().expect("any content").into_content().to_value(), content);
        }
    }

    #[test]
    fn the_librarys_own_tools_have_kinds() {
        let call = call("tool-search", json!({"queries": ["book"]}));
        assert_eq!(call.typed::<SearchTools>().and_then(TypedCall::into_args).expect("arguments").queries, ["book"]);
        let found = answer("tool-search", json!({"discovered_tools": [{"name": "book_flight"}]}));
        let found = found.typed::<SearchTools>().expect("a result").into_content();
        assert_eq!(found.discovered_tools[0].name, "book_flight");
    }
}
