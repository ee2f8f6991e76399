//! A toolset that is made anew at every step.

use std::fmt;

use super::{AnyToolset, Toolset};
use crate::context::RunContext;
use crate::error::{BoxError, Error, Result};
use crate::later::BoxFuture;
use crate::tool::Tool;

type Factory<D> =
    Box<dyn Fn(RunContext<D>) -> BoxFuture<'static, Result<Option<AnyToolset<D>>, BoxError>> + Send + Sync>;

/// A toolset that is made anew at every step; nothing, where there is none in that step.
pub struct DynamicToolset<D> {
    factory: Factory<D>,
    id: Option<String>,
}

impl<D: Send + Sync + 'static> DynamicToolset<D> {
    /// The toolset that `factory` gives at each step, hidden behind [`boxed`](super::ToolsetExt::boxed). Its error ends the
    /// run.
    pub fn new<Fut, E>(factory: impl Fn(RunContext<D>) -> Fut + Send + Sync + 'static) -> Self
    where
        Fut: Future<Output = Result<Option<AnyToolset<D>>, E>> + Send + 'static,
        E: Into<BoxError>,
    {
        let factory: Factory<D> = Box::new(move |ctx| {
            let future = factory(ctx);
            Box::pin(async move { future.await.map_err(Into::into) })
        });
        Self { factory, id: None }
    }

    /// Names the toolset in errors.
    #[must_use]
    pub fn with_id(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self
    }
}

impl<D> fmt::Debug for DynamicToolset<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DynamicToolset").field("id", &self.id).finish_non_exhaustive()
    }
}

impl<D: Send + Sync + 'static> Toolset<D> for DynamicToolset<D> {
    fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    async fn tools(&self, ctx: &RunContext<D>) -> Result<Vec<Tool<D>>> {
        let made = (self.factory)(ctx.clone()).await.map_err(|error| {
            let id = self.id.as_deref().map_or_else(String::new, |id| format!(" `{id}`"));
            Error::tool(format!("the dynamic toolset{id} could not be made"), error)
        })?;
        match made {
            Some(toolset) => toolset.tools(ctx).await,
            None => Ok(Vec::new()),
        }
    }
}
