//! The functions that decide, at each step, what of a tool the model sees.
//!
//! Plain functions and closures are taken as they are: synchronous ones with the context by reference or by value,
//! asynchronous ones with the context by value. They may return the bare value, an `Option`, or a `Result` of either.

use crate::context::RunContext;
use crate::error::BoxError;
use crate::later::Later;
use crate::tool::ToolDefinition;

/// The forms a function can have; only ever inferred.
#[doc(hidden)]
pub mod form {
    use std::marker::PhantomData;

    /// `fn(&RunContext<D>, …) -> R`
    pub struct ByReference<R>(PhantomData<R>);
    /// `fn(RunContext<D>, …) -> R`
    pub struct ByValue<R>(PhantomData<R>);
    /// `async fn(RunContext<D>, …) -> R`
    pub struct Async<R>(PhantomData<R>);
    /// `fn() -> R`
    pub struct WithoutContext<R>(PhantomData<R>);
    /// `async fn() -> R`
    pub struct AsyncWithoutContext<R>(PhantomData<R>);
}

/// What a tool's `prepare` function returns: the definition (left as it was, or edited), or `None` to leave it out of
/// this step.
#[diagnostic::on_unimplemented(
    message = "a prepare function cannot return `{Self}`",
    label = "no definition, nor an `Option` or a `Result` of one",
    note = "it returns a `ToolDefinition`, an `Option<ToolDefinition>`, or a `Result` of either with an error that is \
            `Into<Box<dyn Error + Send + Sync>>`"
)]
pub trait Prepared {
    /// The definition, if the step has the tool.
    ///
    /// # Errors
    ///
    /// What the function returned; it ends the run.
    fn into_prepared(self) -> Result<Option<ToolDefinition>, BoxError>;
}

impl Prepared for ToolDefinition {
    fn into_prepared(self) -> Result<Option<ToolDefinition>, BoxError> {
        Ok(Some(self))
    }
}

impl Prepared for Option<ToolDefinition> {
    fn into_prepared(self) -> Result<Option<ToolDefinition>, BoxError> {
        Ok(self)
    }
}

#[diagnostic::do_not_recommend]
impl<E: Into<BoxError>> Prepared for Result<ToolDefinition, E> {
    fn into_prepared(self) -> Result<Option<ToolDefinition>, BoxError> {
        self.map(Some).map_err(Into::into)
    }
}

#[diagnostic::do_not_recommend]
impl<E: Into<BoxError>> Prepared for Result<Option<ToolDefinition>, E> {
    fn into_prepared(self) -> Result<Option<ToolDefinition>, BoxError> {
        self.map_err(Into::into)
    }
}

/// What an agent-wide hook returns: the definitions of this step, in order; `None` is no tools at all.
#[diagnostic::on_unimplemented(
    message = "a prepare hook cannot return `{Self}`",
    label = "no list of tools, nor an `Option` or a `Result` of one",
    note = "it returns a `Vec<ToolDefinition>`, an `Option<Vec<ToolDefinition>>`, or a `Result` of either with an error \
            that is `Into<Box<dyn Error + Send + Sync>>`"
)]
pub trait PreparedList {
    /// The definitions of the step.
    ///
    /// # Errors
    ///
    /// What the hook returned; it ends the run.
    fn into_prepared(self) -> Result<Vec<ToolDefinition>, BoxError>;
}

impl PreparedList for Vec<ToolDefinition> {
    fn into_prepared(self) -> Result<Vec<ToolDefinition>, BoxError> {
        Ok(self)
    }
}

impl PreparedList for Option<Vec<ToolDefinition>> {
    fn into_prepared(self) -> Result<Vec<ToolDefinition>, BoxError> {
        Ok(self.unwrap_or_default())
    }
}

#[diagnostic::do_not_recommend]
impl<E: Into<BoxError>> PreparedList for Result<Vec<ToolDefinition>, E> {
    fn into_prepared(self) -> Result<Vec<ToolDefinition>, BoxError> {
        self.map_err(Into::into)
    }
}

#[diagnostic::do_not_recommend]
impl<E: Into<BoxError>> PreparedList for Result<Option<Vec<ToolDefinition>>, E> {
    fn into_prepared(self) -> Result<Vec<ToolDefinition>, BoxError> {
        self.map(Option::unwrap_or_default).map_err(Into::into)
    }
}

macro_rules! hook_forms {
    (
        $(#[$meta:meta])*
        $name:ident, $input:ty => $output:ty, $returns:path, $into:ident
    ) => {
        $(#[$meta])*
        pub trait $name<D, Form>: Send + Sync + 'static {
            /// Runs the function.
            fn run(&self, ctx: &RunContext<D>, input: $input) -> Later<Result<$output, BoxError>>;
        }

        impl<D, F, R> $name<D, form::ByReference<R>> for F
        where
            F: Fn(&RunContext<D>, $input) -> R + Send + Sync + 'static,
            R: $returns,
        {
            fn run(&self, ctx: &RunContext<D>, input: $input) -> Later<Result<$output, BoxError>> {
                Later::Now(self(ctx, input).$into())
            }
        }

        impl<D, F, R> $name<D, form::ByValue<R>> for F
        where
            F: Fn(RunContext<D>, $input) -> R + Send + Sync + 'static,
            R: $returns,
        {
            fn run(&self, ctx: &RunContext<D>, input: $input) -> Later<Result<$output, BoxError>> {
                Later::Now(self(ctx.clone(), input).$into())
            }
        }

        impl<D, F, Fut> $name<D, form::Async<Fut>> for F
        where
            F: Fn(RunContext<D>, $input) -> Fut + Send + Sync + 'static,
            Fut: Future<Output: $returns> + Send + 'static,
        {
            fn run(&self, ctx: &RunContext<D>, input: $input) -> Later<Result<$output, BoxError>> {
                let future = self(ctx.clone(), input);
                Later::Then(Box::pin(async move { future.await.$into() }))
            }
        }
    };
}
pub(crate) use hook_forms;

hook_forms! {
    /// A tool's `prepare` function; see the module for the forms it can have.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` is no prepare function for a tool whose agent's dependencies are `{D}`",
        label = "expected `fn(&RunContext<{D}>, ToolDefinition) -> Option<ToolDefinition>`",
        note = "it takes `&RunContext<{D}>` (or, `async` or not, `RunContext<{D}>`) and a `ToolDefinition`, and returns a \
                `ToolDefinition`, an `Option` of one, or a `Result` of either",
        note = "if only the prepare function reads the dependencies, name their type: `#[tool(deps = …, prepare = …)]`"
    )]
    ToolPrepare, ToolDefinition => Option<ToolDefinition>, Prepared, into_prepared
}

hook_forms! {
    /// An agent-wide hook over all tools of a step; see the module for the forms it can have.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` is no prepare hook for an agent whose dependencies are `{D}`",
        label = "expected `fn(&RunContext<{D}>, Vec<ToolDefinition>) -> Vec<ToolDefinition>`",
        note = "it takes `&RunContext<{D}>` (or, `async` or not, `RunContext<{D}>`) and a `Vec<ToolDefinition>`, and \
                returns such a list, an `Option` of one, or a `Result` of either; a closure's parameters need their types"
    )]
    ToolsPrepare, Vec<ToolDefinition> => Vec<ToolDefinition>, PreparedList, into_prepared
}

/// A tool's `prepare` function, whatever its form.
pub(crate) type BoxedToolPrepare<D> =
    Box<dyn Fn(&RunContext<D>, ToolDefinition) -> Later<Result<Option<ToolDefinition>, BoxError>> + Send + Sync>;

/// An agent-wide hook, whatever its form.
pub(crate) type BoxedToolsPrepare<D> =
    Box<dyn Fn(&RunContext<D>, Vec<ToolDefinition>) -> Later<Result<Vec<ToolDefinition>, BoxError>> + Send + Sync>;

pub(crate) fn boxed_tool_prepare<D: 'static, Form>(prepare: impl ToolPrepare<D, Form>) -> BoxedToolPrepare<D> {
    Box::new(move |ctx, tool| prepare.run(ctx, tool))
}

pub(crate) fn boxed_tools_prepare<D: 'static, Form>(hook: impl ToolsPrepare<D, Form>) -> BoxedToolsPrepare<D> {
    Box::new(move |ctx, tools| hook.run(ctx, tools))
}
