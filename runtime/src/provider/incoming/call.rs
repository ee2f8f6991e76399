//! A call while it comes in.

use super::object::ObjectScan;
use crate::json::Json;
use crate::message::{Arguments, ToolCallPart};
use crate::provider::name::WireNames;

/// A call of which more may come.
#[derive(Default)]
pub(crate) struct IncomingCall {
    /// The tool's name as the provider knows it.
    name: String,
    /// The id that the provider gave, if it has.
    id: String,
    /// The id by which the call goes since it was told of.
    told_id: String,
    arguments: IncomingArguments,
    origin: CallOrigin,
}

/// What the provider keeps of a call.
#[derive(Default)]
pub(crate) struct CallOrigin {
    /// Its id of the part, which is not the one by which calls are answered.
    pub(crate) id: Option<String>,
    pub(crate) provider_name: Option<String>,
    pub(crate) provider_details: Option<Json>,
}

#[derive(Default)]
enum IncomingArguments {
    #[default]
    Absent,
    Text {
        text: String,
        scan: ObjectScan,
    },
    /// Objects whose members together are the arguments.
    Objects(Vec<Json>),
}

/// The arguments of a call came as text and as an object, which cannot be joined.
#[derive(Debug)]
pub(crate) struct MixedArguments;

impl IncomingCall {
    /// The tool's name as far as it is known.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The id that the provider gave; empty without one.
    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// Takes the provider's id, unless there is one. A call that has begun without goes on by the one it was given then.
    pub(crate) fn identify(&mut self, id: &str) {
        if self.id.is_empty() {
            id.clone_into(&mut self.id);
        }
    }

    /// Says what the provider keeps of the call.
    pub(crate) fn come_from(&mut self, origin: CallOrigin) {
        self.origin = origin;
    }

    /// Whether anything of the arguments is there.
    pub(crate) fn has_arguments(&self) -> bool {
        match &self.arguments {
            IncomingArguments::Absent => false,
            IncomingArguments::Text { text, .. } => !text.is_empty(),
            IncomingArguments::Objects(_) => true,
        }
    }

    /// Whether the arguments are the text of a whole object, to which nothing can be added.
    pub(crate) fn has_whole_arguments(&self) -> bool {
        matches!(&self.arguments, IncomingArguments::Text { scan, .. } if scan.is_closed())
    }

    /// The text of the arguments; empty where they came as an object.
    pub(super) fn argument_text(&self) -> &str {
        match &self.arguments {
            IncomingArguments::Text { text, .. } => text,
            IncomingArguments::Absent | IncomingArguments::Objects(_) => "",
        }
    }

    /// Takes a text in place of all arguments that came.
    pub(super) fn replace_arguments(&mut self, text: &str) {
        let mut scan = ObjectScan::default();
        scan.read(text);
        self.arguments = IncomingArguments::Text { text: text.to_owned(), scan };
    }

    /// Adds a piece of the name and gives what is new of it. Some servers repeat the name (decision 12).
    pub(super) fn add_name(&mut self, piece: &str) -> Option<String> {
        if piece.is_empty() || self.name == piece {
            return None;
        }
        self.name.push_str(piece);
        Some(piece.to_owned())
    }

    /// Adds to the arguments and gives the text that is new; an object's further members have none.
    pub(super) fn add_arguments(&mut self, more: Json) -> Result<Option<String>, MixedArguments> {
        if more.is_null() {
            return Ok(None);
        }
        let text = more.as_str().unwrap_or_else(|| more.text().to_owned());
        let has_arguments = self.has_arguments();
        match (&mut self.arguments, more.is_object()) {
            (IncomingArguments::Text { text: before, scan }, false) => {
                scan.read(&text);
                before.push_str(&text);
            }
            (IncomingArguments::Objects(before), true) => {
                // Some servers repeat what they have said.
                if before.last().is_none_or(|last| last.text() != more.text()) {
                    before.push(more);
                }
                return Ok(None);
            }
            (IncomingArguments::Objects(_), false) if text.is_empty() => {}
            _ if has_arguments => return Err(MixedArguments),
            (arguments, true) => *arguments = IncomingArguments::Objects(vec![more]),
            (arguments, false) => {
                let mut scan = ObjectScan::default();
                scan.read(&text);
                *arguments = IncomingArguments::Text { text: text.clone(), scan };
            }
        }
        Ok((!text.is_empty()).then_some(text))
    }

    /// The call as far as it is known; its id is the same whenever it is told of.
    pub(super) fn part(&mut self, names: &WireNames<'_>) -> ToolCallPart {
        let arguments = match &self.arguments {
            IncomingArguments::Absent => Arguments::absent(),
            IncomingArguments::Text { text, .. } => Arguments::from_text(text.as_str()),
            IncomingArguments::Objects(objects) => Arguments::from_json(joined(objects)),
        };
        if self.told_id.is_empty() {
            self.told_id.clone_from(&self.id);
        }
        let call = ToolCallPart::new(names.original(&self.name), arguments).with_id(self.told_id.as_str());
        self.told_id.clone_from(&call.tool_call_id);
        ToolCallPart {
            id: self.origin.id.clone(),
            provider_name: self.origin.provider_name.clone(),
            provider_details: self.origin.provider_details.clone(),
            ..call
        }
    }
}

/// The arguments of a call that came whole: servers write them as text or as an object.
pub(crate) fn whole_arguments(json: Option<Json>) -> Arguments {
    match json {
        None => Arguments::absent(),
        Some(json) => match json.as_str() {
            Some(text) => Arguments::from_text(text),
            None => Arguments::from_json(json),
        },
    }
}

/// The members of all objects in one; of duplicate ones the last counts wherever arguments are read.
fn joined(objects: &[Json]) -> Json {
    if let [only] = objects {
        return only.clone();
    }
    let members = objects.iter().map(|object| &object.text()[1..object.text().len() - 1]);
    let members: Vec<&str> = members.filter(|members| !members.is_empty()).collect();
    let joined = Json::from_text(&format!("{{{}}}", members.join(",")));
    joined.unwrap_or_else(|_| unreachable!("members of objects make an object"))
}
