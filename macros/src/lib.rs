//! The macros of `toolwright`, which re-exports them; depend on that crate, and not on this one.
//!
//! Everything a macro emits can be looked at: with `TOOLWRIGHT_MACROS_DEBUG` set to a function's, a struct's or a module's name, to
//! the type of an `impl` block, or to `*` for all, the expansion is printed when that is compiled: after `touch src/lib.rs`, say, as
//! what is compiled already is not compiled again for it.

mod agent;
mod context;
mod ctxt;
mod doc;
mod fallback;
mod guard;
mod hook;
mod instructions;
mod item;
mod keyword;
mod kind;
mod krate;
mod names;
mod nearest;
mod number;
mod option;
mod output;
mod output_validator;
mod place;
mod prepare;
mod registration;
#[cfg(test)]
mod tests;
mod tool;
mod toolset;
mod ty;

use proc_macro::TokenStream;

/// Makes a function a tool.
///
/// The function stays as it is, to be called and tested like any other. Beside it comes a type of the same name, which
/// is the tool; `tools![…]` makes a list of such types.
///
/// ```
/// use toolwright::{RunContext, Tool, ToolDefinition, tool, tools};
///
/// /// Answer the ultimate question.
/// #[tool(prepare = only_if_42, retries = 2)]
/// async fn hitchhiker(
///     ctx: &RunContext<i32>,
///     /// The answer, in words.
///     answer: String,
/// ) -> String {
///     format!("{} {answer}", ctx.deps())
/// }
///
/// async fn only_if_42(ctx: RunContext<i32>, tool: ToolDefinition) -> Option<ToolDefinition> {
///     (*ctx.deps() == 42).then_some(tool)
/// }
///
/// let tools: Vec<Tool<i32>> = tools![hitchhiker];
/// assert_eq!(tools[0].definition().description(), Some("Answer the ultimate question."));
/// ```
///
/// # The function
///
/// A free `fn` or `async fn`. An `async fn` runs in the run's own task; a plain one gets a thread for each call, unless
/// it is `inline`. It may be generic: `search::<Web>` is then the tool. Its type parameters need no bounds for reading
/// and describing parameters; those come by themselves.
///
/// A parameter may have a `#[cfg(…)]`: the function is then written once with it and once without.
///
/// The **context** is a parameter whose type is called `RunContext`, by value or by reference, anywhere in the list.
/// Under another name it is marked `#[ctx]`. A tool without one fits every agent.
///
/// What it **returns** is anything that is `serde::Serialize`, a file, a list with files in it, a `ToolReturn`, nothing,
/// or a `Result` of any of these with an error that is `Into<Box<dyn Error + Send + Sync>>`.
///
/// # Options
///
/// Expressions in options are evaluated whenever the tool is put in a list; but what the model is told (`description`,
/// `timeout`, `metadata`, the defaults that it sees) is made once per process, and kept as it was then. So these are to
/// give the same each time; what differs from step to step is `prepare`'s.
///
/// - `name = "…"`: what the model calls it by. Default: the function's name.
/// - `description = "…"`: what the model reads, a string or an expression that is a `&'static str`. Default: the doc
///   comment, without its list of arguments.
/// - `prepare = function`: decides at every step what of the tool the model sees. Sync or async; a `ToolDefinition`, an
///   `Option` of one, or a `Result` of either. Cost: one call a step. Default: the model always sees it.
/// - `args_validator = function`: looks at the arguments before the tool runs. It takes the context and the tool's
///   parameters, all by reference or all by value. At most 12 parameters. Default: none.
/// - `retries = n`: how often, in a row, the model may be asked to try again; an expression of the type `u32`. Default:
///   what the toolset, the run or the agent say.
/// - `timeout = …`: how long a call may take: a number of seconds, or an expression of the type `Duration`. A plain
///   function's thread cannot be stopped; its result is discarded. Default: what the toolset or the agent say.
/// - `strict`, `strict = false`: whether the provider holds the model to the schema. An open map, a tuple or any JSON cannot be
///   strict: as a parameter it is an error of the compiler's, and deeper inside one of `build()`. Cost: optional fields become
///   required, and `null`. Default: the provider's own choice.
/// - `sequential`: runs alone; calls beside it wait. Cost: the time of the others. Default: calls run side by side.
/// - `requires_approval`: runs only once somebody has approved the call. Default: it runs at once.
/// - `defer_loading`: hidden from the model until it is searched for or revealed. Default: visible.
/// - `metadata = { "key": value }`: data for the application, which the model does not see; a JSON object, or an
///   expression that is `Into<serde_json::Value>`. Default: none.
/// - `tool_kind = Kind`, `tool_kind = "namespace.name"`: what the tool is, whatever it is called. By the kind's type, the
///   return type has to be its content, and an only parameter its arguments, both checked by the compiler; separate
///   parameters are checked when the agent is built. By its id, nothing is said of the return type. Default: no kind.
/// - `unless_tool_kind = Kind`, `unless_tool_kind = "namespace.name"`: steps aside in steps that have a tool of this kind,
///   which need not be known by its id. Default: stays.
/// - `unless_native = "web_search"`, `unless_native = WebSearch::KIND`: steps aside where the agent wants a tool of this kind of
///   the model's provider, and the provider has it. A `&'static str`. Default: stays.
/// - `lenient = false`: takes no `"1"` for 1 and the like. Default: takes it, where nothing has to be guessed.
/// - `inline`: runs a plain function in the run's own task: for trivial ones, since nothing else goes on meanwhile. Not
///   on an `async fn`. Default: a thread.
/// - `deps = Type`: the type of the agent's dependencies, if only `prepare` or `args_validator` read them. Not beside a
///   context. Default: the context's; without one, any.
/// - `agent = Type`, `agent = [Type, …]`: registers the tool with these [`agent`](macro@agent) types, whose dependencies are
///   the tool's, if it has a say in them. Not on a generic function, nor on a method. Default: it is in the lists that name it.
/// - `order = n`: its place among what is registered with the agent, an `i32`; the lowest comes first. Only beside `agent`.
///   Default: 0.
/// - `type = Name`: the name of the type beside the function, where the function's own would clash, as in
///   `mod search; pub use search::search;`. Default: the function's name.
/// - `crate = path`: where `toolwright` is, if it is re-exported. Default: `::toolwright`.
///
/// # Parameters
///
/// A parameter's type is `serde::Deserialize` and `schemars::JsonSchema`, and owns its data: `String`, not `&str`. Its
/// doc comment is its description; or a list in the function's own does it for all, and is taken out of the tool's
/// description. A name in that list which is no parameter's is an error: it would describe nothing.
///
/// ```
/// use toolwright::tool;
///
/// /// Looks up the weather.
/// ///
/// /// # Arguments
/// ///
/// /// * `city` - the city, in English
/// /// * `days` - how far ahead to look
/// #[tool]
/// fn forecast(
///     city: String,
///     #[arg(default = 3)]
///     #[schemars(range(min = 1, max = 14))]
///     days: u8,
///     #[arg(rename = "type")] kind: Option<String>,
/// ) -> String {
///     format!("{city}, {days} days, {kind:?}")
/// }
/// ```
///
/// An `Option` may be left out, and is then `None`. An only parameter that is a struct is the whole argument object.
///
/// - `#[arg(default)]`, `#[arg(default = …)]`: may be left out, and is then `Default::default()` or the expression, which
///   is evaluated at each such call. A string literal stands for anything that is `From<&str>`. The model sees the value,
///   if it is `Serialize`, that the expression had when the tool was described. Default: required, unless it is an
///   `Option`.
/// - `#[arg(rename = "…")]`: its name for the model. Default: its own.
/// - `#[arg(description = "…")]`: its description, before any comment. Default: its doc comment, or the list's.
/// - `#[arg(nested)]`: stays a property, even if it is the only parameter and a struct. Default: it becomes the whole
///   object.
/// - `#[ctx]`: this is the run's context, under another name than `RunContext`.
/// - `#[serde(…)]`, `#[schemars(…)]`: what these crates' derives understand on a field, such as `deserialize_with`,
///   `range(…)` or `length(…)`. Limits in the schema are for the model and are not checked. Not for names, defaults and
///   descriptions, which are `#[arg]`'s; not where the type is generic. Cost: a derived wrapper for that parameter.
///   Default: the type's own.
///
/// # What it expands to
///
/// The function, without our attributes on its parameters; a hidden struct of its name, or of `type = …`; and in an anonymous
/// constant the implementation of two hidden traits for it: its name as a constant, and a `spec()`, a `read` and a `call` that are a
/// few calls into the library each. The schema is made once per process, when the tool is first put in a list. Cost to compile:
/// there is a benchmark, `cargo run --release -p toolwright-tests --bin compile_time`.
///
/// # Errors
///
/// Each is told once, at what is wrong, with the way out; the function stays, and so does the type, so that lists that name it have
/// no errors of their own.
///
/// - It is no free function, or is `const`, `unsafe`, `extern` or variadic; methods are tools in a [`toolset`](macro@toolset).
/// - An option is unknown (the nearest word is named), given twice, of the wrong type, or at odds with another one.
/// - A parameter is a pattern, a reference or `impl Trait`, or its type lacks `Deserialize` or `JsonSchema`.
/// - There are two contexts, the context is `mut`, or its dependencies cannot be shared between threads.
/// - `prepare` or `args_validator` do not fit the dependencies or the parameters; the types do not fit `tool_kind`.
/// - The future of an `async fn` is not `Send`, mostly as it holds an `Rc`, a `RefCell`'s borrow or a lock's guard over an `.await`:
///   at the function's name, with what is held and where. "`FnOnce` is not general enough" there is the compiler's own limit, for closures that are
///   handed to a stream and borrow their items: take the items by value, with `into_iter()`.
/// - A name in the list of arguments in the documentation is no parameter's.
/// - What it returns is no `Serialize`, or its error no error.
#[proc_macro_attribute]
pub fn tool(options: TokenStream, item: TokenStream) -> TokenStream {
    guard::run("tool", tool::expand, options, item)
}

/// Makes a toolset of an `impl` block, whose methods share a value, or of a module, with its hooks and instructions.
///
/// What is marked `#[tool]` is a tool and stays what it was, to be called like any other method or function; what is not
/// marked is none. `tool`, `prepare_tools` and `instructions` are imported where they are used.
///
/// # On an `impl` block
///
/// Beside the block come two methods that give a `FunctionToolset`: `into_toolset`, which takes the value, and `toolset`,
/// which is called on an `Arc` of it, so that the application keeps it, too.
///
/// ```
/// use std::sync::{Arc, Mutex};
///
/// use toolwright::model::TestModel;
/// use toolwright::{Agent, tool, toolset};
///
/// #[derive(Default)]
/// struct Notes {
///     lines: Mutex<Vec<String>>,
/// }
///
/// #[toolset]
/// impl Notes {
///     /// Write a line down.
///     #[tool]
///     async fn note(&self, line: String) -> usize {
///         let mut lines = self.lines.lock().expect("nobody panics meanwhile");
///         lines.push(line);
///         lines.len()
///     }
/// }
///
/// # fn main() -> toolwright::Result<()> {
/// let notes = Arc::new(Notes::default());
/// let agent = Agent::<()>::builder(TestModel::new()).toolset(notes.toolset()).build()?;
/// assert_eq!(agent.run("Note this.").run_blocking()?.output(), r#"{"note":1}"#);
/// assert_eq!(*notes.lines.lock().expect("nobody panics meanwhile"), ["a"]);
///
/// // A value that nobody else needs:
/// let agent = Agent::<()>::builder(TestModel::new()).toolset(Notes::default().into_toolset()).build()?;
/// # let _ = agent;
/// # Ok(())
/// # }
/// ```
///
/// A method takes `&self`, `self: &Arc<Self>` or `self: Arc<Self>`, or is an associated function without a receiver; all
/// else is as with [`macro@tool`], every option and attribute but `type`, `crate` and `agent`. In options, `Self` is the
/// block's type: `prepare = Self::shown`. A tool without a context has the dependencies of the others.
///
/// The block may be generic: its bounds hold for the tools, and those that tools need besides come by themselves. `cfg` on
/// a method or on the block works.
///
/// **Several blocks** of one type give a toolset each, over the same value; all but one name their method:
///
/// ```
/// use std::sync::Arc;
///
/// use toolwright::{FunctionToolset, tool, toolset};
///
/// struct Shop;
///
/// #[toolset]
/// impl Shop {
///     /// Look for an article.
///     #[tool]
///     fn find(&self, name: String) -> Option<u32> {
///         name.starts_with('a').then_some(1)
///     }
/// }
///
/// #[toolset(name = admin_toolset)]
/// impl Shop {
///     /// Remove an article.
///     #[tool(requires_approval)]
///     async fn remove(&self, article: u32) {
///         let _ = article;
///     }
/// }
///
/// let shop = Arc::new(Shop);
/// let for_everybody: FunctionToolset<()> = shop.toolset();
/// let for_admins: FunctionToolset<()> = shop.admin_toolset(); // or `Shop.into_admin_toolset()`
/// # let _ = (for_everybody, for_admins);
/// ```
///
/// # On a module
///
/// Into the module come two functions. `toolset` gives its tools, in the order in which they are written, as its
/// `#[prepare_tools]` hooks leave them, which run in their order and see these tools alone. `capability` gives the same
/// toolset with what the `#[instructions]` functions say, as a `Bundle`.
///
/// ```
/// use toolwright::capability::CapabilityExt;
/// use toolwright::model::TestModel;
/// use toolwright::{Agent, toolset};
///
/// struct Customer {
///     is_adult: bool,
/// }
///
/// #[toolset]
/// mod bank {
///     use toolwright::{RunContext, ToolDefinition, instructions, prepare_tools, tool};
///
///     use super::Customer;
///
///     /// Tell the balance, in cents.
///     #[tool]
///     async fn balance(account: u32) -> i64 {
///         i64::from(account) * 100
///     }
///
///     /// Lend money.
///     #[tool(requires_approval)]
///     async fn lend(ctx: &RunContext<Customer>, cents: u32) -> u32 {
///         let _ = ctx;
///         cents
///     }
///
///     #[prepare_tools]
///     fn by_age(ctx: &RunContext<Customer>, tools: Vec<ToolDefinition>) -> Vec<ToolDefinition> {
///         tools.into_iter().filter(|tool| ctx.deps().is_adult || tool.name() != "lend").collect()
///     }
///
///     #[instructions]
///     fn in_cents() -> &'static str {
///         "Sums of money are in cents."
///     }
/// }
///
/// # fn main() -> toolwright::Result<()> {
/// let agent = Agent::<Customer>::builder(TestModel::new()).capability(bank::capability()).build()?;
/// let result = agent.run("How much is there?").deps(Customer { is_adult: false }).run_blocking()?;
/// assert_eq!(result.output(), r#"{"balance":0}"#);
///
/// // The tools alone, or all of it once the model wants it:
/// let agent = Agent::<Customer>::builder(TestModel::new()).toolset(bank::toolset()).build()?;
/// let agent =
///     Agent::<Customer>::builder(TestModel::new()).capability(bank::capability().on_demand("bank", "Money.")).build()?;
/// # let _ = agent;
/// # Ok(())
/// # }
/// ```
///
/// Functions under `#[tool]` are as everywhere, but for generic ones, which nobody could fill in. What is in a module inside
/// the module is that module's own: with a `#[toolset]` of its own it is a toolset of its own. Whatever else is in the
/// module, types and their `impl` blocks, imports and helpers, stays as it is. `cfg` works on all of them.
///
/// # Options
///
/// - `name = toolset`, on an `impl` block: the method that is called on an `Arc`; the other one has `into_` before it.
///   Default: `toolset`. Two blocks of one type with the same name are "duplicate definitions" to the compiler.
/// - `id = "…"`: the id of the toolset and of the capability, in errors and in tools. Default: on an `impl` block, `name` if
///   it was given, or else the name of the type; on a module, its name.
/// - `vis = pub(crate)`: who sees the two methods or functions. Default: `pub`.
/// - `deps = Type`: the type of the agent's dependencies; on a module, as it is called inside. Default: that of the first
///   context; if there is none, any.
/// - `crate = path`: where `toolwright` is, if it is re-exported; on a module, as it is called inside. Default:
///   `::toolwright`.
///
/// # What it expands to
///
/// The `impl` block, and in an anonymous constant: for each tool an implementation of a hidden trait for the block's type,
/// with the code that `#[tool]` makes of a function; and one `impl` block with the two methods. Or the module, with the two
/// functions at its end. A tool's schema is made once per type, also where the type is generic. A call costs what a call of
/// a function does; of a method, one more count of the `Arc`. A hook costs one call a step.
///
/// # Errors
///
/// Each is told once, at what is wrong, with the way out; what it is on stays.
///
/// - The type is not `Send`, `Sync` and `'static`: calls run side by side, in any thread.
/// - `&mut self`, `self` or `self: Box<Self>`: other calls need the value, too.
/// - A method or a function of a module has type parameters of its own: nobody could say what they are.
/// - Nothing is marked, two tools have one name, or contexts are of different types.
/// - A macro is called in the block or the module, and is neither `macro_rules!` nor `thread_local!`. What it makes cannot be
///   seen, and tools among it would be missing without a word; so the call goes in a block or a module of its own, or the
///   macro makes the whole of it, with `#[toolset]` on it. For the same reason `cfg_attr(…, tool)` is an error, and `#[tool]`
///   on a method of a block without `#[toolset]`.
/// - The block implements a trait, or the module is in a file of its own (`mod bank;`), which the compiler does not show.
/// - The block or the module has a function of the name of one that comes beside.
#[proc_macro_attribute]
pub fn toolset(options: TokenStream, item: TokenStream) -> TokenStream {
    guard::run("toolset", toolset::expand, options, item)
}

/// Makes a type a kind of tools: what a tool is, whatever it is called.
///
/// The type has no values that matter; it stands for the kind, as in `#[tool(tool_kind = Lookup)]`,
/// `part.typed::<Lookup>()` and `ctx.tool_name_for_kind(Lookup::ID)`.
///
/// ```
/// use schemars::JsonSchema;
/// use serde::{Deserialize, Serialize};
/// use toolwright::message::ToolCallPart;
/// use toolwright::{Tool, ToolKind, tool, tool_kind, tools};
///
/// #[derive(Deserialize, JsonSchema)]
/// struct LookupArgs {
///     sku: String,
/// }
///
/// #[derive(Serialize, Deserialize, JsonSchema)]
/// struct LookupResult {
///     in_stock: bool,
/// }
///
/// #[tool_kind("inventory.lookup", args = LookupArgs, content = LookupResult)]
/// struct Lookup;
///
/// // As separate parameters; `args: LookupArgs` is the same to the model.
/// #[tool(tool_kind = Lookup)]
/// fn check_stock(sku: String) -> LookupResult {
///     LookupResult { in_stock: sku.starts_with('A') }
/// }
///
/// let tools: Vec<Tool<()>> = tools![check_stock];
/// assert_eq!(tools[0].definition().tool_kind(), Some(Lookup::ID));
///
/// let mut call = ToolCallPart::new("warehouse_check_stock", serde_json::json!({"sku": "A-1"}));
/// call.tool_kind = Some(Lookup::ID.to_owned());
/// let call = call.typed::<Lookup>().expect("a lookup");
/// assert_eq!(call.args().map(|args| args.sku.as_str()), Some("A-1"));
/// ```
///
/// It goes on a struct without fields and without generic parameters. The kind is known in every program that its crate is
/// linked into.
///
/// # Options
///
/// - `"namespace.name"`, first: the id, which stands in every history and so can never be changed. The namespace, which may
///   have dots, keeps kinds of different crates apart. Required.
/// - `args = Type`: what tools of the kind take: a type that is `serde::Deserialize` and `schemars::JsonSchema`. Default:
///   anything.
/// - `content = Type`: what tools of the kind return; the same holds for it. Default: anything.
/// - `crate = path`: where `toolwright` is, if it is re-exported. Default: `::toolwright`.
///
/// # What it expands to
///
/// The struct, an implementation of `ToolKind` for it, and an entry in a list that the linker puts together. Cost: the list is gone
/// through once per process, when a kind is first asked for.
///
/// # Errors
///
/// At what is wrong: an id without a namespace or with characters that ids do not have, a struct with fields or type parameters, an
/// `args` or `content` that cannot be read or described. Two kinds of one id, or an `args` that is no object, are errors when an agent
/// is built with a tool of the kind.
#[proc_macro_attribute]
pub fn tool_kind(options: TokenStream, item: TokenStream) -> TokenStream {
    guard::run("tool_kind", kind::expand, options, item)
}

/// Checks that a function is a hook over all tools of a step, as `Agent::builder(…).prepare_tools(…)` takes it.
///
/// The function stays as it is, and can be used without the attribute too; with it, what does not fit is said at the
/// function, and not where it is used.
///
/// ```
/// use toolwright::{RunContext, ToolDefinition, prepare_tools};
///
/// #[prepare_tools]
/// fn strict_on_openai(ctx: &RunContext<i32>, tools: Vec<ToolDefinition>) -> Vec<ToolDefinition> {
///     if ctx.model().system() == "openai" {
///         tools.into_iter().map(|tool| tool.with_strict(true)).collect()
///     } else {
///         tools
///     }
/// }
/// ```
///
/// It takes the context and the tools. A plain `fn` takes the context by reference or by value, an `async fn` by value.
/// It returns a `Vec<ToolDefinition>`, an `Option` of one (`None` is no tools), or a `Result` of either.
///
/// # Options
///
/// - `agent = Type`, `agent = [Type, …]`: registers it with these [`agent`](macro@agent) types, whose dependencies are its
///   own. Not on a generic function. Default: it is only checked.
/// - `order = n`: its place among what is registered with the agent, an `i32`; the lowest runs first. Only beside `agent`.
///   Default: 0.
/// - `crate = path`: where `toolwright` is, if it is re-exported. Default: `::toolwright`.
/// - `#[ctx]` on a parameter: this is the context, under another name than `RunContext`.
///
/// # What it expands to
///
/// The function, and checks of it in an anonymous constant, which cost nothing when the program runs; with `agent`, an entry in a list
/// that the linker puts together, too.
///
/// # Errors
///
/// At what is wrong: there is no context or no list, they are in another order, there is more, the context of an `async fn` is a
/// reference, nothing or something else is returned, or the future is not `Send`.
#[proc_macro_attribute]
pub fn prepare_tools(options: TokenStream, item: TokenStream) -> TokenStream {
    guard::run("prepare_tools", prepare::expand_tools, options, item)
}

/// Checks that a function is a hook over the output tools of a step, as `Agent::builder(…).prepare_output_tools(…)` takes
/// it.
///
/// All that is said of [`macro@prepare_tools`] holds for it.
///
/// ```
/// use toolwright::{RunContext, ToolDefinition, prepare_output_tools};
///
/// #[prepare_output_tools]
/// async fn only_at_the_end(ctx: RunContext<()>, tools: Vec<ToolDefinition>) -> Option<Vec<ToolDefinition>> {
///     (ctx.run_step() > 1).then_some(tools)
/// }
/// ```
///
/// # Options
///
/// - `agent = Type`, `agent = [Type, …]`: registers it with these [`agent`](macro@agent) types, whose dependencies are its
///   own. Not on a generic function. Default: it is only checked.
/// - `order = n`: its place among what is registered with the agent, an `i32`; the lowest runs first. Only beside `agent`.
///   Default: 0.
/// - `crate = path`: where `toolwright` is, if it is re-exported. Default: `::toolwright`.
///
/// # What it expands to
///
/// The function, and checks of it in an anonymous constant, which cost nothing when the program runs; with `agent`, an entry in a list
/// that the linker puts together, too.
///
/// # Errors
///
/// At what is wrong: there is no context or no list, they are in another order, there is more, the context of an `async fn` is a
/// reference, nothing or something else is returned, or the future is not `Send`.
#[proc_macro_attribute]
pub fn prepare_output_tools(options: TokenStream, item: TokenStream) -> TokenStream {
    guard::run("prepare_output_tools", prepare::expand_output_tools, options, item)
}

/// Makes a type an agent, with which tools and hooks are registered where they are defined, in whatever crate that is.
///
/// The type stands for the agent; it has no values that matter. Its `builder` starts with all that is registered, and is
/// a builder like any other from there on.
///
/// ```
/// use toolwright::model::TestModel;
/// use toolwright::{ModelRetry, RunContext, ToolDefinition, agent, instructions, output_validator, prepare_tools, tool};
///
/// struct Shop {
///     open: bool,
/// }
///
/// /// Answers customers.
/// #[agent(deps = Shop)]
/// struct Support;
///
/// /// Find an article.
/// #[tool(agent = Support)]
/// fn find(name: String) -> String {
///     format!("{name} is in stock")
/// }
///
/// /// Order an article.
/// #[tool(agent = Support)]
/// async fn order(ctx: &RunContext<Shop>, name: String) -> Result<String, ModelRetry> {
///     if ctx.deps().open { Ok(format!("{name} is ordered")) } else { Err(ModelRetry::new("The shop is closed.")) }
/// }
///
/// #[prepare_tools(agent = Support)]
/// fn only_while_open(ctx: &RunContext<Shop>, tools: Vec<ToolDefinition>) -> Vec<ToolDefinition> {
///     tools.into_iter().filter(|tool| ctx.deps().open || tool.name() != "order").collect()
/// }
///
/// #[instructions(agent = Support)]
/// fn tone() -> &'static str {
///     "Be brief."
/// }
///
/// #[output_validator(agent = Support)]
/// fn signed(_: &RunContext<Shop>, text: String) -> String {
///     text + "\nYour shop"
/// }
///
/// # fn main() -> toolwright::Result<()> {
/// let agent = Support::builder(TestModel::new()).build()?;
/// let result = agent.run("Is there any tea?").deps(Shop { open: false }).run_blocking()?;
/// assert_eq!(result.output(), "{\"find\":\"a is in stock\"}\nYour shop");
/// # Ok(())
/// # }
/// ```
///
/// # What is registered
///
/// | by | what |
/// |---|---|
/// | [`#[tool(agent = …)]`](macro@tool) | a tool |
/// | [`#[instructions(agent = …)]`](macro@instructions) | a text, or a function that says one at each step |
/// | [`#[prepare_tools(agent = …)]`](macro@prepare_tools) | a hook over the tools of each step |
/// | [`#[prepare_output_tools(agent = …)]`](macro@prepare_output_tools) | a hook over the output tools of each step |
/// | [`#[output_validator(agent = …)]`](macro@output_validator) | a function that looks at each output |
///
/// Each of them names one agent, or several: `agent = [Support, Sales]`. What needs no dependencies fits every agent; for
/// everything else, the context's dependencies are the agent's, or it does not compile. Generic functions cannot be
/// registered, since nobody says for which types: write one for these types that calls it. Methods cannot either: the
/// value they are called on is somebody's to make, who adds it with `.toolset(…)`.
///
/// # The order
///
/// Of what is registered, the lowest `order` comes first (default: 0, and negative ones are fine); of the same order, the
/// first by the path of its module, crate first; in one module, the first by file and line. It is the same in every build:
/// nothing depends on what the linker does. Tools stand in this order; instructions are joined, and hooks run in it. What is
/// added to the builder by hand comes after all of it.
///
/// # In other crates
///
/// A crate registers with an agent of another one as with its own, by path: `#[tool(agent = desk::Support)]`. But a crate
/// that nothing in a program names is not linked into it, though it may stand in `Cargo.toml`: it registers nothing. One
/// line in the program names it: `use my_tools as _;`.
///
/// # Without the linker
///
/// With `manual`, `builder` starts without what is registered, and the attributes are checks: of the function's form, and
/// that it fits the agent. What the agent is to have is added as to any other builder, in your order:
///
/// ```
/// # use toolwright::model::TestModel;
/// # use toolwright::{agent, instructions, tool, tools};
/// #[agent(manual)]
/// struct Support;
///
/// #[tool(agent = Support)]
/// fn find() {}
///
/// #[instructions(agent = Support)]
/// fn tone() -> &'static str {
///     "Be brief."
/// }
///
/// # fn main() -> toolwright::Result<()> {
/// let agent = Support::builder(TestModel::new()).tools(tools![find]).instructions_fn(tone).build()?;
/// # let _ = agent;
/// # Ok(())
/// # }
/// ```
///
/// It is for programs that load code while they run, whose linker made no list of it, and for those who want to see in one
/// place what an agent has.
///
/// # Options
///
/// It goes on a struct without fields and without generic parameters.
///
/// - `deps = Type`: the type of the agent's dependencies: `Send + Sync + 'static`, and as public as the agent. Default: `()`.
/// - `output = Type`: what runs come to. `String` is the model's text; any other type is `serde::Deserialize` and
///   `schemars::JsonSchema`, and is made by an output tool, or derives [`AgentOutput`](macro@AgentOutput). Other ways to an
///   output are the builder's: `.output(…)`, which is at odds with registered validators. Default: `String`.
/// - `name = "…"`: what the agent is called in traces and errors. Default: the type's name.
/// - `manual`: `builder` starts without what is registered. Default: with it.
/// - `crate = path`: where `toolwright` is, if it is re-exported. Default: `::toolwright`.
///
/// # What it expands to
///
/// The struct; an implementation of `RegisteredAgent` for it, which says its dependencies, its output and its name; and
/// `builder(model)`, as public as the struct. Each attribute with `agent = …` adds an entry to a list that the linker puts
/// together. Cost: the list is gone through once per process, when the first agent is built.
///
/// # Errors
///
/// By the compiler: a type that is no agent, other dependencies or another output than the agent's, a generic function, an
/// `order` that is no `i32`. When the agent is built: two tools of one name, with the file and line of both.
#[proc_macro_attribute]
pub fn agent(options: TokenStream, item: TokenStream) -> TokenStream {
    guard::run("agent", agent::expand, options, item)
}

/// Checks that a function gives instructions, as `Agent::builder(…).instructions_fn(…)` takes it, and registers it.
///
/// The function stays as it is, and can be used without the attribute too; with it, what does not fit is said at the
/// function, and not where it is used.
///
/// ```
/// use toolwright::model::TestModel;
/// use toolwright::{Agent, RunContext, instructions};
///
/// #[instructions]
/// async fn greeting(ctx: RunContext<String>) -> Option<String> {
///     (ctx.run_step() == 1).then(|| format!("Greet {} by name.", ctx.deps()))
/// }
///
/// #[instructions]
/// fn tone() -> &'static str {
///     "Be brief."
/// }
///
/// # fn main() -> toolwright::Result<()> {
/// let agent = Agent::<String>::builder(TestModel::new()).instructions_fn(greeting).instructions_fn(tone).build()?;
/// # let _ = agent;
/// # Ok(())
/// # }
/// ```
///
/// It takes the context, or nothing. A plain `fn` takes the context by reference or by value, an `async fn` by value. It is
/// asked at each step, and returns a `String` or a `&'static str`, an `Option` of one (`None` is nothing in this step), or
/// a `Result` of either, whose error ends the run. Several are joined by an empty line.
///
/// # Options
///
/// - `agent = Type`, `agent = [Type, …]`: registers it with these [`agent`](macro@agent) types. Not on a generic function.
///   Default: it is only checked.
/// - `order = n`: its place among what is registered with the agent, an `i32`; the lowest comes first. Only beside `agent`.
///   Default: 0.
/// - `crate = path`: where `toolwright` is, if it is re-exported. Default: `::toolwright`.
/// - `#[ctx]` on a parameter: this is the context, under another name than `RunContext`.
///
/// It expands to the function, a check of each part of its signature that runs never, and an entry in the list of what is
/// registered for each agent. Errors: parameters besides the context, a return type that is no text, a text that is borrowed
/// from the context, a future that is not `Send`, and those of [`agent`](macro@agent).
#[proc_macro_attribute]
pub fn instructions(options: TokenStream, item: TokenStream) -> TokenStream {
    guard::run("instructions", instructions::expand, options, item)
}

/// Checks that a function looks at outputs, as `Agent::builder(…).output_validator(…)` takes it, and registers it.
///
/// The function stays as it is, and can be used without the attribute too; with it, what does not fit is said at the
/// function, and not where it is used.
///
/// ```
/// use toolwright::model::TestModel;
/// use toolwright::{Agent, ModelRetry, RunContext, output_validator};
///
/// #[output_validator]
/// fn not_empty(_: &RunContext<()>, text: String) -> Result<String, ModelRetry> {
///     if text.is_empty() { Err(ModelRetry::new("Say something.")) } else { Ok(text) }
/// }
///
/// # fn main() -> toolwright::Result<()> {
/// let agent = Agent::<()>::builder(TestModel::new()).output_validator(not_empty).build()?;
/// # let _ = agent;
/// # Ok(())
/// # }
/// ```
///
/// It takes the context and the output. A plain `fn` takes the context by reference or by value, an `async fn` by value. It
/// returns the output, as it was or changed, or a `Result` of it: a `ModelRetry` asks the model again, any other error ends
/// the run.
///
/// # Options
///
/// - `agent = Type`, `agent = [Type, …]`: registers it with these [`agent`](macro@agent) types, whose output is the one that
///   it takes. Not on a generic function. Default: it is only checked.
/// - `order = n`: its place among what is registered with the agent, an `i32`; the lowest runs first, and each is given what
///   the one before gave back. Only beside `agent`. Default: 0.
/// - `crate = path`: where `toolwright` is, if it is re-exported. Default: `::toolwright`.
/// - `#[ctx]` on a parameter: this is the context, under another name than `RunContext`.
///
/// It expands to the function, a check of each part of its signature that runs never, and an entry in the list of what is
/// registered for each agent. Errors: another order or number of parameters, a return type that is not the output, a future
/// that is not `Send`, and those of [`agent`](macro@agent).
#[proc_macro_attribute]
pub fn output_validator(options: TokenStream, item: TokenStream) -> TokenStream {
    guard::run("output_validator", output_validator::expand, options, item)
}

/// Makes an enum the output of agents: each variant is one way in which a run may end.
///
/// `Agent::builder(model).output_of::<Reply>()` takes it from there, and a run comes to a value of the enum.
///
/// ```
/// use schemars::JsonSchema;
/// use serde::Deserialize;
/// use toolwright::model::TestModel;
/// use toolwright::{Agent, AgentOutput, BinaryContent};
///
/// #[derive(Deserialize, JsonSchema)]
/// struct Fruit {
///     name: String,
/// }
///
/// #[derive(AgentOutput)]
/// enum Reply {
///     /// Recommend a fruit.
///     #[output(retries = 2)]
///     Fruit(Fruit),
///     /// Order so many of them.
///     Order {
///         /// How many.
///         pieces: u32,
///         by_air: Option<bool>,
///     },
///     /// Say that nothing fits.
///     Nothing,
///     #[text]
///     Text(String),
///     #[image]
///     Picture(BinaryContent),
/// }
///
/// # fn main() -> toolwright::Result<()> {
/// let model = TestModel::new();
/// let agent = Agent::<()>::builder(model.clone()).output_of::<Reply>().build()?;
/// assert!(matches!(agent.run("Which fruit?").run_blocking()?.into_output(), Reply::Text(_)));
/// let asked = model.last_input().expect("it was asked");
/// let tools: Vec<_> = asked.output_tools.iter().map(|tool| tool.name()).collect();
/// assert_eq!(tools, ["final_result_Fruit", "final_result_Order", "final_result_Nothing"]);
/// assert_eq!(asked.output_tools[0].description(), Some("Recommend a fruit."));
/// # Ok(())
/// # }
/// ```
///
/// A single type needs no derive: what is `Deserialize` and `JsonSchema` is an output as it is, and so is a `String` (the
/// model's text). That is why an enum cannot derive both these and `AgentOutput`.
///
/// # Variants
///
/// - **`Fruit(Fruit)`**, one value: an output tool. A struct's fields are its parameters, any other type is its one parameter,
///   `response`. The type is `serde::Deserialize` and `schemars::JsonSchema`.
/// - **`Order { pieces: u32 }`**, named fields: an output tool with these parameters, whose doc comments describe them. An
///   `Option` may be left out. Fields take no attributes; what needs some is a struct of its own.
/// - **`Nothing`**: an output tool without parameters.
/// - **`#[text] Text(String)`**: the model's text, in a `String` or what is `From<String>`. At most one.
/// - **`#[image] Picture(BinaryContent)`**, **`#[file] Attachment(BinaryContent)`**: an image, or a file of any sort, that the
///   model makes, in a `BinaryContent` or what is `From<BinaryContent>`. At most one of both. The model has to be one that makes
///   files, or runs end with an error that says so.
///
/// The enum may be generic, but for lifetimes. Its type parameters need no bounds for reading and describing values; those come
/// by themselves. Doc comments of the enum stay where they are: the model is not told of the enum.
///
/// # Options of an output tool
///
/// In `#[output(…)]` on its variant, and not beside `#[text]`, `#[image]` or `#[file]`:
///
/// - `name = "…"`: what the model calls it by; no two alike. Default: `final_result` where it is the only output tool,
///   `final_result_Variant` otherwise.
/// - `description = "…"`: what the model is told of it, a string or an expression that is `Into<String>`. Default: the variant's doc
///   comment, or else what its type says of itself.
/// - `strict`, `strict = false`: whether the provider holds the model to the schema. Default: the provider's own choice.
/// - `retries = n`: how often, in a row, the model may be asked to call it again; an expression of the type `u32`. Not with
///   `native` or `prompted`. Default: the output's budget, `Retries::output`.
///
/// # Options of the enum
///
/// In `#[output(…)]` on it:
///
/// - `native`: the model writes the value as its text, and the provider holds it to the schema. For an enum with one variant that
///   is no text and no file, and with none that is `#[text]`. Not with `prompted`. It takes a model that can. Default: an output
///   tool.
/// - `prompted`: the same, but the model is only told the schema. Cost: the schema stands in the instructions. Default: an output
///   tool.
/// - `crate = path`: where `toolwright` is, if it is re-exported. Default: `::toolwright`.
///
/// # What it expands to
///
/// An `impl AgentOutput for Reply`, whose `spec` is what could be written by hand with `OutputSpec`: an `or_tool` for each output
/// tool, `or_text`, `or_image` or `or_file`. Nothing else is made, and nothing happens before an agent is built: then each output
/// tool's schema is made, once. Output functions that take the run's context are no variant's: add them with
/// `OutputSpec::or_tool` to `Reply::spec()`.
///
/// # Errors
///
/// Each on the token that is wrong: a struct or a union; an enum without variants, or with a lifetime; a variant of several values
/// without names, or one that borrows; a mark on a variant that holds more than that; two variants for text, or for files; two
/// output tools of one name; an option that is unknown, given twice, or of no use where it is. A type that the model cannot give
/// is an error on that type.
#[proc_macro_derive(AgentOutput, attributes(output, text, image, file))]
pub fn agent_output(item: TokenStream) -> TokenStream {
    guard::derive("derive(AgentOutput)", output::expand, item)
}
