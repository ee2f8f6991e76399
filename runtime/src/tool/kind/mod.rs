//! Kinds: what a tool is, whatever it is called (specification: "Typed Tool Parts", "Superseding a tool by kind";
//! behaviours 6, decision 14).
//!
//! A tool's name is chosen by whoever puts it into an agent, and can be prefixed or changed. Code that looks for a certain
//! tool looks for its kind: the calls and results of such a tool carry the kind's id, and are read as the kind's own types.
//!
//! ```
//! # #[cfg(feature = "macros")]
//! # {
//! use schemars::JsonSchema;
//! use serde::{Deserialize, Serialize};
//! use toolwright::message::Message;
//! use toolwright::{Agent, model::TestModel, tool, tool_kind, tools};
//!
//! #[derive(Deserialize, JsonSchema)]
//! struct LookupArgs {
//!     sku: String,
//! }
//!
//! #[derive(Serialize, Deserialize, JsonSchema)]
//! struct LookupResult {
//!     in_stock: bool,
//! }
//!
//! /// Says whether something is in stock.
//! #[tool_kind("inventory.lookup", args = LookupArgs, content = LookupResult)]
//! struct Lookup;
//!
//! /// Checks the stock.
//! #[tool(tool_kind = Lookup)]
//! async fn check_stock(args: LookupArgs) -> LookupResult {
//!     LookupResult { in_stock: args.sku.starts_with('A') }
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> toolwright::Result<()> {
//! let agent = Agent::<()>::builder(TestModel::new()).tools(tools![check_stock]).build()?;
//! let result = agent.run("Is A-1 in stock?").await?;
//! for message in result.history().iter() {
//!     match message {
//!         Message::Response(response) => {
//!             for call in response.parts.iter().filter_map(|part| part.typed::<Lookup>()) {
//!                 assert_eq!(call.args().map(|args| args.sku.as_str()), Some("a"));
//!             }
//!         }
//!         Message::Request(request) => {
//!             for answer in request.parts.iter().filter_map(|part| part.typed::<Lookup>()) {
//!                 assert!(!answer.content().in_stock);
//!             }
//!         }
//!         _ => {}
//!     }
//! }
//! # Ok(())
//! # }
//! # }
//! ```
//!
//! # How kinds are found
//!
//! Every kind that `#[tool_kind]` made is known in all programs its crate is linked into. A crate that nothing in a program
//! names is not linked: `use that_crate as _;` is enough. Where linkers have no such lists, and for kinds that come as data,
//! there is [`KindDefinition::define`].

mod builtin;
mod check;
mod definition;
mod fit;
mod part;
mod registry;
mod shape;

pub use builtin::{FoundTool, LoadCapability, LoadCapabilityArgs, LoadCapabilityResult};
pub use builtin::{SearchTools, SearchToolsArgs, SearchToolsResult};
pub(crate) use check::{CheckedKinds, check_kind};
pub use definition::KindDefinition;
pub use part::{TypedCall, TypedReturn};
#[doc(hidden)]
pub use registry::TOOL_KINDS;
pub(crate) use registry::note;
pub use shape::{AnyShape, KindShape};

/// What a tool is, whatever it is called. [`#[tool_kind]`](macro@crate::tool_kind) implements this.
///
/// By hand, a kind is known once a tool of it was made, or with [`KindDefinition::define`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no kind of tool",
    label = "not made by `#[tool_kind]`",
    note = "a kind is a type of its own: `#[tool_kind(\"namespace.name\")] struct {Self};`"
)]
pub trait ToolKind: 'static {
    /// The id, `namespace.name`, as it stands in every history. It cannot be changed later.
    const ID: &'static str;
    /// The tool's arguments; [`AnyShape`] where nothing is said of them.
    type Args: KindShape;
    /// The tool's result; [`AnyShape`] where nothing is said of it.
    type Content: KindShape;
}
