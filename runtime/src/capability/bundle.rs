//! Instructions, tools and toolsets that belong together.

use std::fmt;

use super::{Capability, HookResult, Hooks, Internals};
use crate::agent::{Instructions, InstructionsFunction};
use crate::context::RunContext;
use crate::tool::Tool;
use crate::toolset::{AnyToolset, FunctionToolset, Toolset, ToolsetExt};

/// Instructions, tools and toolsets that belong together, without a type of one's own.
///
/// ```
/// use toolwright::capability::{Bundle, CapabilityExt};
/// use toolwright::model::TestModel;
/// use toolwright::{Agent, tool, tools};
///
/// /// Refund an order.
/// #[tool]
/// fn refund(order: u64) -> String {
///     format!("{order} is refunded")
/// }
///
/// # fn main() -> toolwright::Result<()> {
/// let billing = Bundle::new().instructions("Refund nothing older than a month.").tools(tools![refund]);
/// let agent = Agent::<()>::builder(TestModel::new())
///     .capability(billing.on_demand("billing", "Refunds and invoices."))
///     .build()?;
/// # let _ = agent;
/// # Ok(())
/// # }
/// ```
#[must_use]
pub struct Bundle<D> {
    id: Option<String>,
    instructions: Vec<Instructions<D>>,
    tools: Vec<Tool<D>>,
    toolsets: Vec<AnyToolset<D>>,
}

impl<D: Send + Sync + 'static> Bundle<D> {
    /// An empty one.
    pub fn new() -> Self {
        Self { id: None, instructions: Vec::new(), tools: Vec::new(), toolsets: Vec::new() }
    }

    /// Names it, in errors and step reports.
    pub fn id(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// Tells the model what it is to do. Several are joined by an empty line.
    pub fn instructions(mut self, text: impl Into<String>) -> Self {
        self.instructions.push(Instructions::Text(text.into()));
        self
    }

    /// Tells the model at each step what it is to do, or nothing. The function takes `&RunContext<D>` (or, `async` or not,
    /// `RunContext<D>`) or nothing; a closure's parameter needs its type.
    pub fn instructions_fn<Form>(mut self, function: impl InstructionsFunction<D, Form>) -> Self {
        self.instructions.push(Instructions::function(function));
        self
    }

    /// Adds a tool.
    pub fn tool(mut self, tool: impl Into<Tool<D>>) -> Self {
        self.tools.push(tool.into());
        self
    }

    /// Adds tools, in order.
    pub fn tools(mut self, tools: impl IntoIterator<Item = Tool<D>>) -> Self {
        self.tools.extend(tools);
        self
    }

    /// Adds a toolset, after the tools and the toolsets before it.
    pub fn toolset(mut self, toolset: impl Toolset<D>) -> Self {
        self.toolsets.push(toolset.boxed());
        self
    }
}

impl<D: Send + Sync + 'static> Default for Bundle<D> {
    fn default() -> Self {
        Self::new()
    }
}

impl<D: Send + Sync + 'static> Capability<D> for Bundle<D> {
    fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    async fn instructions(&self, ctx: &RunContext<D>) -> HookResult<Option<String>> {
        Instructions::joined(&self.instructions, ctx).await
    }

    fn toolsets(&self) -> Vec<AnyToolset<D>> {
        let own = FunctionToolset::new().with_tools(self.tools.iter().cloned());
        let own = (!self.tools.is_empty()).then(|| own.boxed());
        own.into_iter().chain(self.toolsets.iter().cloned()).collect()
    }

    fn internals(&self) -> Internals<'_, D> {
        Internals { hooks: Hooks { context: true, ..Hooks::NONE }, ..Internals::default() }
    }
}

impl<D> fmt::Debug for Bundle<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bundle")
            .field("id", &self.id)
            .field("tools", &self.tools.iter().map(Tool::name).collect::<Vec<_>>())
            .field("toolsets", &self.toolsets)
            .finish_non_exhaustive()
    }
}
