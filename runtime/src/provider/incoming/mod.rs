//! The parts of a response while they come in, and the events that tell of them (specification: behaviours 16).

mod call;
mod object;
mod placed;
#[cfg(test)]
mod tests;

pub(crate) use call::{CallOrigin, IncomingCall, MixedArguments, whole_arguments};

use crate::json::Json;
use crate::message::{ResponsePart, TextPart, ThinkingPart};
use crate::model::{PartDelta, PartEvents};
use crate::provider::name::WireNames;

/// The parts of a response that comes in piece by piece.
///
/// A part begins with the first piece that says what it is, and goes on until another one begins; a call can be gone on
/// with after that. Whatever happens in between, the last event of a part holds all of it.
pub(crate) struct IncomingParts<'a, 'l> {
    parts: Vec<Incoming>,
    /// The part that began last.
    latest: Option<usize>,
    names: &'a WireNames<'a>,
    events: &'a mut PartEvents<'l>,
}

struct Incoming {
    form: Form,
    told: Told,
}

enum Form {
    Text(TextPart),
    Thinking(ThinkingPart),
    Call(IncomingCall),
    /// Something to which nothing is added.
    Whole(ResponsePart),
}

/// What the events have told of a part.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Told {
    Nothing,
    Begun,
    All,
}

impl<'a, 'l> IncomingParts<'a, 'l> {
    /// No parts yet; the provider knows the tools by `names`.
    pub(crate) fn new(names: &'a WireNames<'a>, events: &'a mut PartEvents<'l>) -> Self {
        Self { parts: Vec::new(), latest: None, names, events }
    }

    /// As what the provider knows the tools.
    pub(crate) fn names(&self) -> &'a WireNames<'a> {
        self.names
    }

    /// Adds words to the text that goes on, or begins one.
    pub(crate) fn text(&mut self, words: String) {
        if !words.is_empty() {
            self.text_part(TextPart::new(words));
        }
    }

    /// Whether what goes on is a text.
    pub(crate) fn has_open_text(&mut self) -> bool {
        matches!(self.latest(), Some((_, Form::Text(_))))
    }

    /// Adds a part that came whole: a text or thoughts may be a piece of what goes on.
    pub(crate) fn add(&mut self, part: ResponsePart) {
        match part {
            ResponsePart::Text(part) => self.text_part(part),
            ResponsePart::Thinking(part) => self.thinking(part),
            part => self.push(Form::Whole(part)),
        }
    }

    /// Adds a text to the one that goes on, or begins with it. What comes with a text is of all of it so far, so that nothing
    /// can be added to it any more.
    fn text_part(&mut self, more: TextPart) {
        if let Some((at, Form::Text(part))) = self.latest()
            && part.provider_details.is_none()
        {
            part.content.push_str(&more.content);
            part.provider_name = part.provider_name.take().or(more.provider_name);
            part.provider_details = more.provider_details;
            self.tell_words(at, more.content, PartDelta::Text);
        } else {
            self.push(Form::Text(more));
        }
    }

    /// Adds thoughts to those of the same id that go on, or begins with them.
    pub(crate) fn thinking(&mut self, more: ThinkingPart) {
        if let Some((at, Form::Thinking(part))) = self.latest()
            && part.id == more.id
            && part.provider_details.is_none()
        {
            part.content.push_str(&more.content);
            if more.signature.is_some() {
                part.signature = more.signature;
            }
            part.provider_name = part.provider_name.take().or(more.provider_name);
            part.provider_details = more.provider_details;
            self.tell_words(at, more.content, PartDelta::Thinking);
        } else {
            self.push(Form::Thinking(more));
        }
    }

    /// Ends the part that goes on: what comes next begins another one.
    pub(crate) fn end_part(&mut self) {
        if let Some(at) = self.latest.take() {
            self.end(at);
        }
    }

    /// Makes a place for a call, which begins when it has a name.
    pub(crate) fn place_call(&mut self) -> usize {
        self.parts.push(Incoming { form: Form::Call(IncomingCall::default()), told: Told::Nothing });
        self.parts.len() - 1
    }

    /// The call at a place that was made for one.
    pub(crate) fn call(&mut self, at: usize) -> &mut IncomingCall {
        match self.parts.get_mut(at).map(|part| &mut part.form) {
            Some(Form::Call(call)) => call,
            _ => unreachable!("the place of a call stays its own"),
        }
    }

    /// Adds a piece of its name and arguments to a call.
    ///
    /// # Errors
    ///
    /// Arguments as text after some as an object, or the other way round.
    pub(crate) fn add_to_call(&mut self, at: usize, name: &str, arguments: Option<Json>) -> Result<(), MixedArguments> {
        let call = self.call(at);
        let name = call.add_name(name);
        let arguments = arguments.map(|more| call.add_arguments(more)).transpose()?.flatten();
        let is_named = !call.name().is_empty();
        if self.parts[at].told != Told::Nothing {
            if let Some(more) = name {
                self.tell(at, || PartDelta::ToolName(more));
            }
            if let Some(more) = arguments {
                self.tell(at, || PartDelta::Arguments(more));
            }
        } else if is_named {
            self.begin(at);
        }
        Ok(())
    }

    /// All parts, each of which has been told of whole.
    pub(crate) fn finish(mut self) -> Vec<ResponsePart> {
        let mut parts = Vec::with_capacity(self.parts.len());
        for (at, mut incoming) in std::mem::take(&mut self.parts).into_iter().enumerate() {
            let part = incoming.form.part(self.names);
            if incoming.told == Told::Nothing {
                self.events.start(at, &part);
            }
            if incoming.told != Told::All {
                self.events.end(at, &part);
            }
            parts.push(part);
        }
        parts
    }

    fn latest(&mut self) -> Option<(usize, &mut Form)> {
        let at = self.latest?;
        Some((at, &mut self.parts.get_mut(at)?.form))
    }

    fn push(&mut self, form: Form) {
        self.parts.push(Incoming { form, told: Told::Nothing });
        self.begin(self.parts.len() - 1);
    }

    fn begin(&mut self, at: usize) {
        if let Some(before) = self.latest.replace(at) {
            self.end(before);
        }
        let incoming = &mut self.parts[at];
        incoming.told = Told::Begun;
        self.events.start(at, &incoming.form.part(self.names));
    }

    fn end(&mut self, at: usize) {
        let incoming = &mut self.parts[at];
        if std::mem::replace(&mut incoming.told, Told::All) == Told::Begun {
            self.events.end(at, &incoming.form.part(self.names));
        }
    }

    fn tell_words(&mut self, at: usize, words: String, delta: fn(String) -> PartDelta) {
        if !words.is_empty() {
            self.tell(at, || delta(words));
        }
    }

    fn tell(&mut self, at: usize, delta: impl FnOnce() -> PartDelta) {
        self.parts[at].told = Told::Begun;
        self.events.delta(at, delta);
    }
}

impl Form {
    fn part(&mut self, names: &WireNames<'_>) -> ResponsePart {
        match self {
            Self::Text(part) => part.clone().into(),
            Self::Thinking(part) => ResponsePart::Thinking(part.clone()),
            Self::Call(call) => call.part(names).into(),
            Self::Whole(part) => part.clone(),
        }
    }
}
