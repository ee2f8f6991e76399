//! The kinds that are known in this process.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

use linkme::distributed_slice;

use super::builtin::{LoadCapability, SearchTools};
use super::definition::KindDefinition;
use crate::error::{Error, Result};

/// The kinds that crates define, put together by the linker, in no order that means anything.
#[distributed_slice]
pub static TOOL_KINDS: [fn() -> KindDefinition];

/// What is known by an id: a kind, or why it cannot be used.
type Known = std::result::Result<Arc<KindDefinition>, Arc<str>>;

static KNOWN: LazyLock<RwLock<HashMap<String, Known>>> = LazyLock::new(|| {
    let core = [KindDefinition::of::<SearchTools>(), KindDefinition::of::<LoadCapability>()];
    let mut known = HashMap::from(core.map(|kind| (kind.id().to_owned(), Ok(Arc::new(kind)))));
    for kind in TOOL_KINDS {
        add(&mut known, kind());
    }
    RwLock::new(known)
});

/// The kind of this id, or why it cannot be used; nothing where nobody defined it.
pub(super) fn find(id: &str) -> Option<Known> {
    KNOWN.read().unwrap_or_else(PoisonError::into_inner).get(id).cloned()
}

/// Makes a kind known, unless another one is by its id.
pub(super) fn define(kind: KindDefinition) -> Result<()> {
    let mut known = KNOWN.write().unwrap_or_else(PoisonError::into_inner);
    match known.get(kind.id()) {
        Some(Ok(same)) if **same == kind => Ok(()),
        Some(_) => Err(Error::misuse(clash(kind.id()))),
        None => {
            kind.check_id()?;
            known.insert(kind.id().to_owned(), Ok(Arc::new(kind)));
            Ok(())
        }
    }
}

/// Makes a kind known that is part of the program: what is wrong with it is told once a tool is of that kind.
pub(crate) fn note(kind: KindDefinition) {
    add(&mut KNOWN.write().unwrap_or_else(PoisonError::into_inner), kind);
}

fn add(known: &mut HashMap<String, Known>, kind: KindDefinition) {
    match known.entry(kind.id().to_owned()) {
        Entry::Occupied(mut other) => {
            if other.get().as_ref().is_ok_and(|other| **other != kind) {
                *other.get_mut() = Err(clash(kind.id()).into());
            }
        }
        Entry::Vacant(place) => {
            let checked = kind.check_id().map_err(|error| error.to_string().into());
            place.insert(checked.map(|()| Arc::new(kind)));
        }
    }
}

fn clash(id: &str) -> String {
    format!(
        "the kind of tools `{id}` is defined twice, with different arguments or content; give one of them another id"
    )
}
