//! What the macros call. Not part of the API: it may change in any release.

mod arguments;
mod hook;
mod kind;
mod names;
mod output;
mod parameter;
mod registered;
mod returned;
mod strict;
mod toolset;

pub use linkme;
pub use schemars;
pub use serde;
pub use serde_json;
pub use std;
pub use std::string::String;

pub use arguments::{AnyArgs, blocking, blocking_with, check, future, hide, inline};
pub use hook::{
    Context, bare_instructions_future, deps, instructions, instructions_future, output_validator_future, owned_of_one,
    owned_of_two, prepare_future, prepared_list, tool_list, validated_output,
};
pub use kind::{AcceptsArgs, AcceptsContent, FitsWhole, KindFit, KindOf, NoKind, Sole, kind};
pub use names::{NameOf, NamedTool, Nameless, check_names};
pub use output::{OtherOutput, OutputOf, ReadOutput};
pub use parameter::{DefaultValue, HiddenDefault, Parameter, parameter};
pub use registered::{Adding, AgentOf, DepsOf, NoAgent, OutputFor, Unfit, agent_type};
pub use returned::{FinishPlain, OfKindPlain, Returned, SplitPlain, ToolError, Value};
pub use strict::{HasOneItemType, MayBeStrict, NamesItsKeys, SaysWhatItIs, StrictParameter};
pub use toolset::{SameDeps, ToolReceiver, method, same_deps};

pub use crate::agent::{AgentBuilder, REGISTERED, RegisteredAgent, Registry};
pub use crate::args::ArgsReader;
pub use crate::capability::Bundle;
pub use crate::context::RunContext;
pub use crate::error::BoxError;
pub use crate::later::Later;
pub use crate::model::Model;
pub use crate::output::{FromContext, OutputSpec};
pub use crate::tool::kind::{AnyShape, KindDefinition, TOOL_KINDS, ToolKind};
pub use crate::tool::{MethodTool, Running, Tool, ToolParameter, ToolSpec, TypedTool, read_args};
pub use crate::toolset::{AnyToolset, FunctionToolset, ToolsetExt};

#[cfg(all(test, feature = "macros"))]
mod tests;
