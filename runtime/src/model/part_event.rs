//! What a model tells of a response while it comes in.

use crate::message::{ModelResponse, ResponsePart};

/// What a model tells of a response while it comes in (specification: behaviours 16).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum PartEvent {
    /// A part begins.
    #[non_exhaustive]
    Start {
        /// Where in the response it stands.
        index: usize,
        /// What of it is there, which may be all: a text begins with its first words.
        part: ResponsePart,
    },
    /// A part goes on.
    #[non_exhaustive]
    Delta {
        /// Where in the response it stands.
        index: usize,
        /// What is added.
        delta: PartDelta,
    },
    /// A part is whole.
    #[non_exhaustive]
    End {
        /// Where in the response it stands.
        index: usize,
        /// All of it.
        part: ResponsePart,
    },
}

impl PartEvent {
    /// The words of the answer that this brings: the first ones may be there when a part begins.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Start { part: ResponsePart::Text(part), .. } => Some(&part.content),
            Self::Delta { delta: PartDelta::Text(more), .. } => Some(more),
            _ => None,
        }
    }
}

impl PartEvent {
    /// Says that `before` other parts stand before those that are told of.
    pub(crate) fn shift(&mut self, before: usize) {
        match self {
            Self::Start { index, .. } | Self::Delta { index, .. } | Self::End { index, .. } => *index += before,
        }
    }
}

/// What is added to a part.
///
/// [`apply`](Self::apply) puts the part together, and [`Arguments::partial`](crate::message::Arguments::partial) reads
/// arguments that still stream in:
///
/// ```
/// use toolwright::message::ResponsePart;
/// use toolwright::model::{PartEvent, TestModel};
/// use toolwright::{Agent, Event, tool, tools};
///
/// /// Find a city.
/// #[tool]
/// fn find(city: String) -> String {
///     city
/// }
///
/// # #[tokio::main]
/// # async fn main() -> toolwright::Result<()> {
/// let agent = Agent::<()>::builder(TestModel::new()).tools(tools![find]).build()?;
/// let mut stream = agent.run("Find it.").stream();
/// let mut part = None;
/// let mut seen = Vec::new();
/// while let Some(event) = stream.next().await {
///     match event {
///         Event::Part(PartEvent::Start { part: begun, .. }) => part = Some(begun),
///         Event::Part(PartEvent::Delta { delta, .. }) => part.iter_mut().for_each(|part| delta.apply(part)),
///         _ => continue,
///     }
///     if let Some(ResponsePart::ToolCall(call)) = &part {
///         seen.extend(call.args.partial());
///     }
/// }
/// assert_eq!(seen.last().expect("arguments")["city"], "a");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PartDelta {
    /// Words, to a text.
    Text(String),
    /// Words, to thoughts.
    Thinking(String),
    /// Text, to the name of the tool that a call calls: rare, as names mostly come whole.
    ToolName(String),
    /// Text, to the arguments of a call.
    Arguments(String),
}

impl PartDelta {
    /// Adds this to the part it is told of. A part of another kind stays as it is.
    pub fn apply(&self, part: &mut ResponsePart) {
        match (self, part) {
            (Self::Text(more), ResponsePart::Text(part)) => part.content.push_str(more),
            (Self::Thinking(more), ResponsePart::Thinking(part)) => part.content.push_str(more),
            (Self::ToolName(more), ResponsePart::ToolCall(part)) => part.tool_name.push_str(more),
            (Self::Arguments(more), ResponsePart::ToolCall(part)) => part.args.push(more),
            _ => {}
        }
    }
}

/// Where a model tells of the parts of a response while they come in.
pub struct PartEvents<'a>(Option<&'a mut (dyn FnMut(PartEvent) + Send)>);

impl<'a> PartEvents<'a> {
    /// Tells `listener`.
    pub fn new(listener: &'a mut (dyn FnMut(PartEvent) + Send)) -> Self {
        Self(Some(listener))
    }

    /// Tells nobody.
    #[must_use]
    pub const fn unheard() -> Self {
        Self(None)
    }

    /// Tells of a part that begins.
    pub fn start(&mut self, index: usize, part: &ResponsePart) {
        self.tell(|| PartEvent::Start { index, part: part.clone() });
    }

    /// Tells of a part that goes on.
    pub fn delta(&mut self, index: usize, delta: impl FnOnce() -> PartDelta) {
        self.tell(|| PartEvent::Delta { index, delta: delta() });
    }

    /// Tells of a part that is whole.
    pub fn end(&mut self, index: usize, part: &ResponsePart) {
        self.tell(|| PartEvent::End { index, part: part.clone() });
    }

    /// Tells of all parts of a response at once.
    pub fn whole(&mut self, response: &ModelResponse) {
        for (index, part) in response.parts.iter().enumerate() {
            self.start(index, part);
            self.end(index, part);
        }
    }

    /// Hands on what another model told.
    pub(crate) fn pass(&mut self, event: PartEvent) {
        self.tell(|| event);
    }

    fn tell(&mut self, event: impl FnOnce() -> PartEvent) {
        if let Some(listener) = &mut self.0 {
            listener(event());
        }
    }
}

impl std::fmt::Debug for PartEvents<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("PartEvents").field(&self.0.is_some()).finish()
    }
}
