//! Without a prelude, and with every option.

/// A function that decides.
fn shown(
    _: &::toolwright::RunContext<i32>,
    tool: ::toolwright::ToolDefinition,
) -> ::std::option::Option<::toolwright::ToolDefinition> {
    ::std::option::Option::Some(tool)
}

/// A validator.
fn checked(
    _: &::toolwright::RunContext<i32>,
    _: &::std::string::String,
    _: &::std::option::Option<u8>,
    _: &u8,
    _: &::std::string::String,
    _: &u32,
) -> ::std::result::Result<(), ::toolwright::ModelRetry> {
    ::std::result::Result::Ok(())
}

/// Searches.
#[::toolwright::tool(
    name = "search",
    description = "Searches.",
    prepare = shown,
    args_validator = checked,
    retries = 1,
    timeout = 1.5,
    strict,
    sequential,
    requires_approval,
    defer_loading,
    metadata = {"key": [1, "two"]},
    lenient = false
)]
pub(crate) async fn search(
    ctx: &::toolwright::RunContext<i32>,
    /// What for.
    query: ::std::string::String,
    limit: ::std::option::Option<u8>,
    #[arg(default = 3, rename = "page")] from: u8,
    #[arg(default = "all", description = "Where.")] place: ::std::string::String,
    #[arg(default)]
    #[schemars(range(min = 1), extend("x-unit" = "pages"))]
    size: u32,
) -> ::std::result::Result<::std::string::String, ::toolwright::ModelRetry> {
    let _ = (ctx, limit, from, place, size);
    ::std::result::Result::Ok(query)
}

/// What is looked up.
#[::toolwright::tool_kind("hygiene.lookup", args = LookupArgs, content = ::std::string::String)]
pub(crate) struct Lookup;

/// Its arguments.
pub(crate) type LookupArgs = ::std::collections::BTreeMap<::std::string::String, u8>;

/// Anything.
#[::toolwright::tool_kind("hygiene.anything")]
pub(crate) struct Anything;

/// Looks up.
#[::toolwright::tool(tool_kind = Lookup, unless_tool_kind = Anything)]
pub(crate) async fn look_up(
    args: LookupArgs,
) -> ::std::result::Result<::std::string::String, ::toolwright::ModelRetry> {
    ::std::result::Result::Ok(::std::string::ToString::to_string(&args.len()))
}

/// Does anything.
#[::toolwright::tool(tool_kind = Anything, unless_tool_kind = "hygiene.lookup")]
pub(crate) fn anything() {}

/// Counts.
#[::toolwright::tool(inline)]
pub(crate) fn count(words: ::std::vec::Vec<::std::string::String>) -> usize {
    words.len()
}

/// Says it again.
#[::toolwright::tool(timeout = ::std::time::Duration::from_secs(1), type = echo)]
pub(crate) fn echo<T: ::serde::Serialize>(value: T) -> T {
    value
}

/// Keeps.
pub(crate) struct Store<T>(pub(crate) T);

/// What it keeps.
#[::toolwright::toolset(name = store_tools, id = "store", vis = pub(crate))]
impl<T: ::std::clone::Clone + ::std::marker::Send + ::std::marker::Sync + ::serde::Serialize> Store<T> {
    /// Tells.
    #[::toolwright::tool(
        name = "kept",
        prepare = Self::shown,
        args_validator = Self::checked,
        retries = 1,
        metadata = {"key": [1, "two"]}
    )]
    pub(crate) async fn kept(
        &self,
        ctx: &::toolwright::RunContext<i32>,
        #[arg(default = 3)] times: u8,
        #[arg(default)]
        #[schemars(range(min = 1), extend("x-unit" = "pages"))]
        size: u32,
    ) -> ::std::result::Result<T, ::toolwright::ModelRetry> {
        let _ = (ctx, times, size);
        ::std::result::Result::Ok(::std::clone::Clone::clone(&self.0))
    }

    fn shown(_: &::toolwright::RunContext<i32>, tool: ::toolwright::ToolDefinition) -> ::toolwright::ToolDefinition {
        tool
    }

    fn checked(_: &::toolwright::RunContext<i32>, _: &u8, _: &u32) {}

    /// Counts.
    #[::toolwright::tool]
    pub(crate) fn counted(self: &::std::sync::Arc<Self>) -> usize {
        ::std::sync::Arc::strong_count(self)
    }
}

/// Has a toolset and a capability.
#[::toolwright::toolset(id = "gathered")]
pub(crate) mod gathered {
    /// Tells.
    #[::toolwright::tool]
    pub(crate) fn told(ctx: &::toolwright::RunContext<i32>) -> i32 {
        *ctx.deps()
    }

    #[::toolwright::prepare_tools]
    fn shown(
        _: &::toolwright::RunContext<i32>,
        tools: ::std::vec::Vec<::toolwright::ToolDefinition>,
    ) -> ::std::vec::Vec<::toolwright::ToolDefinition> {
        tools
    }

    #[::toolwright::instructions]
    fn rules() -> &'static str {
        "Tell."
    }
}

/// A hook.
#[::toolwright::prepare_tools]
pub(crate) fn hook(
    _: &::toolwright::RunContext<()>,
    tools: ::std::vec::Vec<::toolwright::ToolDefinition>,
) -> ::std::vec::Vec<::toolwright::ToolDefinition> {
    tools
}

#[test]
fn hooks_stay_functions() {
    let ctx = ::toolwright::RunContext::detached(());
    ::std::assert!(hook(&ctx, ::std::vec::Vec::new()).is_empty());
}

/// An agent.
#[::toolwright::agent(deps = i32, output = ::std::string::String, name = "hygiene")]
pub(crate) struct Support;

/// Tells its dependencies.
#[::toolwright::tool(agent = Support, order = 1)]
pub(crate) fn tell_deps(ctx: &::toolwright::RunContext<i32>) -> i32 {
    *ctx.deps()
}

#[::toolwright::tool(agent = [Support], order = -1)]
async fn fits_all() {}

#[::toolwright::instructions(agent = Support)]
fn rules(_: &::toolwright::RunContext<i32>) -> ::std::option::Option<::std::string::String> {
    ::std::option::Option::None
}

#[::toolwright::instructions(agent = Support)]
async fn more() -> &'static str {
    "Be brief."
}

#[::toolwright::prepare_tools(agent = Support)]
async fn registered_hook(
    _: ::toolwright::RunContext<i32>,
    tools: ::std::vec::Vec<::toolwright::ToolDefinition>,
) -> ::std::vec::Vec<::toolwright::ToolDefinition> {
    tools
}

#[::toolwright::output_validator(agent = Support)]
fn validated(_: &::toolwright::RunContext<i32>, text: ::std::string::String) -> ::std::string::String {
    text
}
