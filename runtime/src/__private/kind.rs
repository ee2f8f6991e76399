//! Kinds of annotated functions: what their types show is checked where the function is called.

use std::collections::{BTreeMap, HashMap};
use std::marker::PhantomData;

use crate::json::Json;
use crate::tool::kind::{AnyShape, ToolKind};
use crate::tool::{ToolParameter, ToolSpec};

/// What a kind says of arguments and content, as types: all that is asked of it from here on.
pub struct KindFit<Args, Content>(PhantomData<fn() -> (Args, Content)>);

impl<Args, Content> Clone for KindFit<Args, Content> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<Args, Content> Copy for KindFit<Args, Content> {}

/// The one place where the type of a kind has to be one: a type that is none has one error, however often it is used.
#[must_use]
pub fn kind<K: ToolKind>() -> KindFit<K::Args, K::Content> {
    KindFit(PhantomData)
}

/// A kind, on its way into a tool. Method lookup passes over a type that is none: it has its error elsewhere.
pub struct KindOf<K>(PhantomData<fn() -> K>);

impl<K> KindOf<K> {
    /// The kind `K`.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "only macros call this")]
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<K: ToolKind> KindOf<K> {
    /// Says that the tool is of the kind.
    pub fn on<D: 'static>(self, spec: ToolSpec<D>) -> ToolSpec<D> {
        spec.tool_kind::<K>()
    }
}

/// Types that are no kinds.
pub trait NoKind {
    /// Says nothing.
    fn on<D>(self, spec: ToolSpec<D>) -> ToolSpec<D>;
}

impl<K> NoKind for KindOf<K> {
    fn on<D>(self, spec: ToolSpec<D>) -> ToolSpec<D> {
        spec
    }
}

/// Content that a tool may return as a `T`.
#[diagnostic::on_unimplemented(
    message = "the kind of this tool has the content `{Self}`, and the tool returns `{T}`",
    label = "not the content of the tool's kind",
    note = "return a `{Self}`, alone, in a `Result` or in a `ToolReturn`; or name the kind by its id, as in \
            `tool_kind = \"namespace.name\"`, and nothing is said of what the tool returns"
)]
pub trait AcceptsContent<T> {}

#[diagnostic::do_not_recommend]
impl<T: ToolParameter> AcceptsContent<T> for T {}

#[diagnostic::do_not_recommend]
impl<T> AcceptsContent<T> for AnyShape {}

/// Arguments that a tool may take as a `T`.
#[diagnostic::on_unimplemented(
    message = "the kind of this tool has the arguments `{Self}`, and the tool takes `{T}`",
    label = "not the arguments of the tool's kind",
    note = "take a `{Self}`, or its fields as parameters; if `{T}` is one of the fields, and no object itself, mark the \
            parameter `#[arg(nested)]`"
)]
pub trait AcceptsArgs<T> {}

#[diagnostic::do_not_recommend]
impl<T: ToolParameter> AcceptsArgs<T> for T {}

#[diagnostic::do_not_recommend]
impl<T> AcceptsArgs<T> for AnyShape {}

/// The only parameter of a tool, which may be all of its arguments.
///
/// Method lookup sorts it out by its type: what is never a whole object has an inherent method, which comes before the
/// trait's for all the rest.
pub struct Sole<T>(PhantomData<fn() -> T>);

impl<T> Sole<T> {
    /// A parameter of the type `T`.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "only macros call this")]
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

/// Types that may be the whole argument object.
pub trait FitsWhole<T> {
    /// Checks that the type is that of the kind's arguments.
    fn fits<Args: AcceptsArgs<T>, Content>(self, kind: KindFit<Args, Content>);
}

impl<T> FitsWhole<T> for Sole<T> {
    fn fits<Args: AcceptsArgs<T>, Content>(self, _: KindFit<Args, Content>) {}
}

macro_rules! never_whole {
    ($([$($generic:ident),*] $ty:ty;)*) => {$(
        impl<$($generic),*> Sole<$ty> {
            /// One of the kind's arguments: when the agent is built, its schema says whether it fits.
            pub fn fits<Args, Content>(self, _: KindFit<Args, Content>) {}
        }
    )*};
}

never_whole! {
    [] bool;
    [] char;
    [] u8;
    [] u16;
    [] u32;
    [] u64;
    [] u128;
    [] usize;
    [] i8;
    [] i16;
    [] i32;
    [] i64;
    [] i128;
    [] isize;
    [] f32;
    [] f64;
    [] String;
    [] Json;
    [] serde_json::Value;
    [T] Option<T>;
    [T] Vec<T>;
    [K, V] BTreeMap<K, V>;
    [K, V, S] HashMap<K, V, S>;
}
