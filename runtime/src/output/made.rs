//! What arguments or a text were read as: an output, or what makes one.

use crate::error::BoxError;
use crate::later::Later;

/// An output, or the functions that make one in a context `C`.
pub(crate) enum Made<O, C> {
    /// It is there.
    Output(O),
    /// Functions of the application make it.
    By(MakeOutput<O, C>),
}

/// Calls the functions that make an output; their errors are its own.
pub(crate) type MakeOutput<O, C> = Box<dyn FnOnce(&C) -> Later<Result<O, BoxError>> + Send>;

impl<O: Send + 'static, C: 'static> Made<O, C> {
    /// What the functions make.
    fn make(self, ctx: &C) -> Later<Result<O, BoxError>> {
        match self {
            Self::Output(output) => Later::Now(Ok(output)),
            Self::By(make) => make(ctx),
        }
    }

    /// What a function of the application makes of it.
    pub(super) fn then<P: Send + 'static>(
        self,
        then: impl FnOnce(O) -> Result<P, BoxError> + Send + 'static,
    ) -> Made<P, C> {
        Made::By(Box::new(move |ctx| self.make(ctx).map(|made| made.and_then(then))))
    }

    /// The same as another type: nothing of the application is called for that.
    pub(super) fn wrapped<P: Send + 'static>(self, wrap: impl FnOnce(O) -> P + Send + 'static) -> Made<P, C> {
        match self {
            Self::Output(output) => Made::Output(wrap(output)),
            made @ Self::By(_) => made.then(|output| Ok(wrap(output))),
        }
    }

    /// The same in a context that this one's can be had from.
    pub(super) fn within<Given: 'static>(self, context: fn(&Given) -> &C) -> Made<O, Given> {
        match self {
            Self::Output(output) => Made::Output(output),
            Self::By(make) => Made::By(Box::new(move |given| make(context(given)))),
        }
    }
}
