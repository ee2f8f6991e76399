//! Which call a chunk goes on with. Servers differ: some leave out the index, some give every call the same, some repeat
//! names, and some make up a new id for every chunk.

use std::collections::HashMap;

use super::decode::{Call, Function};
use crate::provider::incoming::{IncomingCall, IncomingParts, MixedArguments};

/// The calls of a response by what chunks know them by.
#[derive(Default)]
pub(super) struct Calls {
    /// The last call at each index.
    by_index: HashMap<String, usize>,
    by_id: HashMap<String, usize>,
    /// The call that was gone on with last.
    latest: Option<usize>,
}

impl Calls {
    /// Adds a piece of a call to `parts`; `place` is its place in the chunk.
    ///
    /// # Errors
    ///
    /// Arguments as text after some as an object, or the other way round.
    pub(super) fn add(
        &mut self,
        parts: &mut IncomingParts<'_, '_>,
        call: Call,
        place: usize,
    ) -> Result<(), MixedArguments> {
        let Function { name, arguments } = call.function.unwrap_or_default();
        let piece = Piece {
            index: call.index.map(|index| index.text().to_owned()),
            id: call.id.unwrap_or_default(),
            name: name.unwrap_or_default(),
            has_arguments: arguments.as_ref().is_some_and(|arguments| !is_empty(arguments.text())),
            is_first: place == 0,
        };
        if piece.says_nothing() {
            return Ok(());
        }
        let known = self.find(&piece, parts).filter(|at| !piece.begins_another(parts.call(*at)));
        let at = known.unwrap_or_else(|| parts.place_call());
        self.latest = Some(at);
        if !piece.id.is_empty() {
            parts.call(at).identify(&piece.id);
            self.by_id.entry(piece.id).or_insert(at);
        }
        if let Some(index) = piece.index {
            self.by_index.insert(index, at);
        }
        parts.add_to_call(at, &piece.name, arguments)
    }

    fn find(&self, piece: &Piece, parts: &mut IncomingParts<'_, '_>) -> Option<usize> {
        let of_id = self.by_id.get(&piece.id).copied();
        let at = match &piece.index {
            Some(index) => self.by_index.get(index).copied()?,
            None if of_id.is_some() => return of_id,
            None => self.latest?,
        };
        if piece.id.is_empty() || parts.call(at).id() == piece.id {
            return Some(at);
        }
        // Of calls that share an index, the one of this id; an id that is new does not make a piece without index one
        // of a call that has its own.
        match of_id {
            None if piece.index.is_none() && !parts.call(at).id().is_empty() => None,
            of_id => of_id.or(Some(at)),
        }
    }
}

/// What a piece of a call says of it.
struct Piece {
    index: Option<String>,
    id: String,
    name: String,
    has_arguments: bool,
    /// Whether it is the first in its chunk.
    is_first: bool,
}

impl Piece {
    fn says_nothing(&self) -> bool {
        self.id.is_empty() && self.name.is_empty() && !self.has_arguments
    }

    /// Whether the piece is the beginning of another call than the one that it seems to go on with: it has a name, and
    /// not the id, and does not fit to what is there.
    fn begins_another(&self, call: &IncomingCall) -> bool {
        let has_id = !self.id.is_empty() && !call.id().is_empty();
        if self.name.is_empty() || (has_id && self.id == call.id()) {
            return false;
        }
        let is_other_name = !call.name().is_empty() && self.name != call.name();
        has_id
            || (is_other_name && (call.has_arguments() || self.index.is_none()))
            || (self.has_arguments && call.has_whole_arguments())
            || (self.index.is_none() && !self.is_first)
    }
}

/// Whether the JSON of arguments says nothing.
fn is_empty(arguments: &str) -> bool {
    matches!(arguments, "null" | r#""""#)
}
