//! Tool definitions as Chat Completions wants them.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::Value;

use super::profile::{ChatProfile, SchemaForm};
use crate::provider::name::wire_name;
use crate::provider::tools::ToolForm;
use crate::schema::{Strict, inlined};
use crate::tool::ToolDefinition;

impl ToolForm for ChatProfile {
    fn dialect(&self) -> &'static str {
        match (self.schemas, self.strict_tools, self.strict_lengths) {
            (SchemaForm::Plain, ..) => "chat, as it is",
            (SchemaForm::Inlined, ..) => "chat, inlined",
            (SchemaForm::OpenAi, false, _) => "chat, never strict",
            (SchemaForm::OpenAi, true, true) => "chat",
            (SchemaForm::OpenAi, true, false) => "chat, strict without lengths",
        }
    }

    fn encode(&self, tool: &ToolDefinition) -> String {
        #[derive(Serialize)]
        struct Tool<'a> {
            r#type: &'static str,
            function: Function<'a>,
        }
        #[derive(Serialize)]
        struct Function<'a> {
            name: &'a str,
            description: &'a str,
            parameters: &'a Value,
            #[serde(skip_serializing_if = "Option::is_none")]
            strict: Option<bool>,
        }
        let made = self.schema(tool.parameters(), if self.strict_tools { tool.strict() } else { Some(false) });
        let function = Function {
            name: &wire_name(tool.name()),
            description: tool.description().unwrap_or_default(),
            parameters: &made.schema,
            strict: made.strict.then_some(true),
        };
        // A tree of JSON values always has a text.
        serde_json::to_string(&Tool { r#type: "function", function }).unwrap_or_default()
    }

    fn is_strict(&self, encoded: &str) -> bool {
        encoded.ends_with(r#""strict":true}}"#)
    }
}

impl ChatProfile {
    /// The schema of a tool in the form that the server wants, and whether it is strict.
    fn schema<'s>(&self, schema: &'s Value, strict: Option<bool>) -> Sent<'s> {
        match self.schemas {
            SchemaForm::Plain => Sent { schema: Cow::Borrowed(schema), strict: false },
            SchemaForm::Inlined => Sent { schema: inlined(schema), strict: false },
            SchemaForm::OpenAi => {
                let made = Strict::of(schema, strict, self.keywords());
                Sent { schema: Cow::Owned(made.schema), strict: made.strict }
            }
        }
    }
}

struct Sent<'s> {
    schema: Cow<'s, Value>,
    strict: bool,
}
