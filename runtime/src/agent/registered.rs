//! Agents whose tools and hooks are registered with them where they are defined.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::panic::Location;
use std::sync::LazyLock;

use linkme::distributed_slice;

use super::AgentBuilder;
use crate::context::RunContext;
use crate::model::{AnyModel, Model};
use crate::output::{FromContext, OutputSpec};

/// An agent whose tools and hooks are registered with it where they are defined.
/// [`#[agent]`](macro@crate::agent) implements this.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no agent that anything can be registered with",
    label = "not made by `#[agent]`",
    note = "such an agent is a type of its own: `#[agent(deps = …)] struct {Self};`"
)]
pub trait RegisteredAgent: Sized + 'static {
    /// The dependencies of its runs.
    type Deps: Send + Sync + 'static;
    /// What its runs come to.
    type Output: Send + 'static;
    /// What it is called.
    const NAME: &'static str;
    /// Whether it takes nothing of what is registered with it: what it has is added by hand.
    const MANUAL: bool = false;

    /// How its runs come to their output.
    fn output() -> OutputSpec<Self::Output, impl FromContext<RunContext<Self::Deps>>>;

    /// Starts with all that is registered with the agent, in all crates of the program: by `order`, then by module and
    /// line.
    fn builder(model: impl Model) -> AgentBuilder<Self::Deps, Self::Output> {
        let builder = AgentBuilder::new(AnyModel::new(model)).name(Self::NAME).output(Self::output());
        if Self::MANUAL { builder } else { with_registered::<Self>(builder) }
    }
}

/// What registers things with agents, put together by the linker, in no order that means anything.
#[distributed_slice]
pub static REGISTERED: [fn(&mut Registry)];

/// What is registered with each agent, in order.
static BY_AGENT: LazyLock<HashMap<TypeId, Vec<Registered>>> = LazyLock::new(|| {
    let mut registry = Registry(HashMap::new());
    REGISTERED.iter().for_each(|register| register(&mut registry));
    registry.0.values_mut().for_each(|all| all.sort_by_key(|registered| registered.place));
    registry.0
});

fn with_registered<A: RegisteredAgent>(builder: AgentBuilder<A::Deps, A::Output>) -> AgentBuilder<A::Deps, A::Output> {
    let mut builder = Some(builder);
    for registered in BY_AGENT.get(&TypeId::of::<A>()).into_iter().flatten() {
        (registered.add_to)(&mut builder);
    }
    builder.expect("what is registered gives the builder back")
}

/// What is registered with each agent, by its type.
pub struct Registry(HashMap<TypeId, Vec<Registered>>);

struct Registered {
    place: Place,
    add_to: AddTo,
}

/// Adds something to an `Option<AgentBuilder<…>>` of its agent.
type AddTo = Box<dyn Fn(&mut dyn Any) + Send + Sync>;

/// Where something registered stands among the rest. Compared field by field, so their order counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    order: i32,
    module: &'static str,
    file: &'static str,
    line: u32,
    column: u32,
    /// Tells apart what one `macro_rules!` has made.
    name: &'static str,
}

/// Adds something to the agent `A`, if its dependencies are of the type `D`.
pub(crate) type Add<A, D> =
    fn(AgentBuilder<D, <A as RegisteredAgent>::Output>) -> AgentBuilder<D, <A as RegisteredAgent>::Output>;

impl Registry {
    /// Registers something that is defined where this is called.
    #[track_caller]
    pub(crate) fn add<A: RegisteredAgent, D: 'static>(
        &mut self,
        (order, module, name): (i32, &'static str, &'static str),
        add: Add<A, D>,
    ) {
        let location = Location::caller();
        let (file, line, column) = (location.file(), location.line(), location.column());
        let add_to = move |builder: &mut dyn Any| {
            let builder = builder.downcast_mut::<Option<AgentBuilder<D, A::Output>>>();
            let builder = builder.expect("the dependencies are the agent's, as `DepsOf` has it");
            *builder = builder.take().map(add);
        };
        let place = Place { order, module, file, line, column, name };
        self.0.entry(TypeId::of::<A>()).or_default().push(Registered { place, add_to: Box::new(add_to) });
    }
}
