//! Parameters of tools that are `strict`: what their types show that can never be so is an error where they are written.

use std::collections::{BTreeMap, HashMap};
use std::marker::PhantomData;

use serde_json::{Map, Value};

/// A parameter of a strict tool.
///
/// Method lookup sorts it out by its type: what cannot be strict has an inherent method, which comes before the trait's for all
/// the rest.
pub struct StrictParameter<T>(PhantomData<fn() -> T>);

impl<T> StrictParameter<T> {
    /// A parameter of the type `T`.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "only macros call this")]
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

/// Types whose schema can name all keys and items.
pub trait MayBeStrict {
    /// Checks nothing: what is nested deeper is looked at when the agent is built.
    fn check<In>(self, _: In);
}

impl<T> MayBeStrict for StrictParameter<T> {
    fn check<In>(self, _: In) {}
}

/// Types whose schema names all keys.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be strict: its keys are open",
    label = "an open map in a `strict` tool",
    note = "take a struct, or a `Vec` of structs with a key and a value; or remove `strict`"
)]
pub trait NamesItsKeys<In> {}

/// Types whose schema says the same of all items.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be strict: it is a tuple",
    label = "a tuple in a `strict` tool",
    note = "take a struct, or a parameter for each; or remove `strict`"
)]
pub trait HasOneItemType<In> {}

/// Types of which a schema says something.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be strict: it may be anything",
    label = "any JSON in a `strict` tool",
    note = "take a type that says what it is, or a `String` of JSON; or remove `strict`"
)]
pub trait SaysWhatItIs<In> {}

// `In` is the tool: without a parameter that is open, the compiler would refuse the bounds where they are written here.
macro_rules! never_strict {
    ($bound:ident: $([$($parameter:ident),*] $ty:ty),*) => {
        $(
            impl<$($parameter),*> StrictParameter<$ty> {
                /// Refuses the type.
                pub fn check<In>(self, _: In)
                where
                    $ty: $bound<In>,
                {
                }
            }

            impl<$($parameter),*> StrictParameter<Option<$ty>> {
                /// Refuses the type.
                pub fn check<In>(self, _: In)
                where
                    $ty: $bound<In>,
                {
                }
            }
        )*
    };
}
never_strict!(NamesItsKeys: [K, V, S] HashMap<K, V, S>, [K, V] BTreeMap<K, V>, [] Map<String, Value>);
never_strict!(HasOneItemType: [A] (A,), [A, B] (A, B), [A, B, C] (A, B, C), [A, B, C, E] (A, B, C, E));
never_strict!(SaysWhatItIs: [] Value);
