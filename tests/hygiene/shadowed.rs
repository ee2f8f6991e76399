//! Where all that an expansion might name is something else.

#![allow(dead_code, non_camel_case_types, reason = "these names are only in the way")]

struct Option;
struct Result;
struct String;
struct Vec;
struct Box;
struct Some;
struct None;
struct Ok;
struct Err;
struct Duration;
struct ToolSpec;
struct RunContext;
struct Later;
trait Send {}
trait Sync {}
trait Default {}
trait Into {}
trait Iterator {}
mod toolwright {}
mod serde {}
mod schemars {}
mod std {}
mod core {}

struct ToolKind;
struct AnyShape;
struct KindDefinition;
mod linkme {}

/// A kind.
#[::toolwright::tool_kind("hygiene.shadowed")]
pub(crate) struct Kind;

/// Is of a kind.
#[::toolwright::tool(tool_kind = Kind)]
pub(crate) fn of_a_kind(kind: u8) -> u8 {
    kind
}

struct Arc;
struct FunctionToolset;
struct MethodTool;
trait ToolReceiver {}
mod toolset {}

/// Has methods that are named like those of the traits behind them.
pub(crate) struct Named;

/// Its methods.
#[::toolwright::toolset]
impl Named {
    /// Says what it is.
    #[::toolwright::tool]
    pub(crate) fn spec(&self, tools: u8) -> u8 {
        tools
    }

    /// Reads.
    #[::toolwright::tool(inline)]
    pub(crate) fn read(receiver: u8) -> u8 {
        receiver
    }

    /// Calls.
    #[::toolwright::tool]
    pub(crate) async fn call(&self, #[arg(default = 1)] args: u8) -> u8 {
        args
    }
}

/// Has items that are named like what is in the functions beside them.
#[::toolwright::toolset]
pub(crate) mod shadowing {
    struct FunctionToolset;
    struct AnyToolset;
    struct Bundle;
    struct Tool;
    struct Vec;
    trait ToolsetExt {}
    mod toolset {}
    mod capability {}
    mod toolwright {}
    mod std {}
    mod core {}

    /// Tells.
    #[::toolwright::tool]
    pub(crate) fn tools(bundle: u8) -> u8 {
        bundle
    }
}

type Ctx = ::toolwright::RunContext<i32>;

/// Finds.
///
/// # Arguments
///
/// * `reader` - named like what reads it
/// * `args` - and like what is read
#[::toolwright::tool(timeout = 2, metadata = {"a": 1})]
pub(crate) async fn find(
    #[ctx] ctx: &Ctx,
    reader: ::std::string::String,
    #[arg(default)]
    #[schemars(title = "T")]
    args: ::std::option::Option<u8>,
    #[arg(default = 1)] value: u8,
) -> ::std::result::Result<::std::string::String, ::std::string::String> {
    let _ = (ctx, args, value);
    ::std::result::Result::Ok(reader)
}

struct AgentBuilder;
struct OutputSpec;
struct PhantomData;
struct RegisteredAgent;
struct Registry;
trait Unfit {}

/// An agent.
#[::toolwright::agent]
pub(crate) struct Support;

#[::toolwright::tool(agent = Support)]
fn registered(registry: u8, builder: u8) -> u8 {
    registry + builder
}

#[::toolwright::instructions(agent = Support)]
fn rules() -> ::std::string::String {
    ::std::string::String::new()
}
